# Cases of compiled catalogs, separated by lines `# ---`. `record` asks the real Puppet.
file { '/a': ensure => file, mode => '0644' }
# ---
file { ['/a', '/b']: ensure => directory, owner => 'root', group => undef }
# ---
file { default: owner => 'root', mode => '0600'; '/a': ; '/b': mode => '0644' }
# ---
$attributes = { 'ensure' => 'file', 'mode' => '0644' }
file { '/a': * => $attributes, owner => 'me' }
# ---
class a { file { '/a': } } 
include a
include a
# ---
class a($x = 1, $y = $x + 1) { notify { "${x}-${y}": } }
class { 'a': x => 5 }
# ---
class a($x) { notify { "x${x}": } }
class { 'a': x => undef }
# ---
class base { file { '/a': owner => 'root', mode => '0600' } }
class sub inherits base { File['/a'] { mode => '0644', group => 'g' } }
include sub
# ---
class base { file { '/a': require => File['/b'] } file { '/b': } file { '/c': } }
class sub inherits base { File['/a'] { require +> File['/c'] } }
include sub
# ---
class base { $v = 'base' }
class sub inherits base { notify { "v=${v}": } notify { "q=${base::v}": } }
include sub
# ---
class p { $x = 'params' }
class a($y = $p::x) inherits p { notify { $y: } }
include a
# ---
define d($a, $b = "${title}-b") { notify { "${title} ${a} ${b} ${name}": } }
d { 'one': a => 1 }
d { ['two', 'three']: a => 2, b => 'x' }
# ---
define inner($x) { notify { "inner ${title} ${x}": } }
define outer($n) { inner { "${title}-i": x => $n } }
outer { 'o': n => 3 }
# ---
File { owner => 'root' }
file { '/a': }
file { '/b': owner => 'me' }
class c { File { mode => '0600' } file { '/c': } d { 'x': } }
define d() { file { "/d${title}": } }
include c
# ---
class a { File { owner => 'a' } include b }
class b { file { '/b': } }
include a
# ---
@file { '/a': ensure => file }
@file { '/b': ensure => file }
realize(File['/a'])
# ---
@notify { 'one': tag => 'x' }
@notify { 'two': tag => 'y' }
@notify { 'three': tag => ['x', 'z'] }
Notify <| tag == 'x' |>
# ---
@user { 'a': groups => ['wheel'], shell => '/bin/sh' }
@user { 'b': groups => ['users'] }
User <| groups == 'wheel' |> { shell => '/bin/bash' }
# ---
file { '/a': mode => '0600' }
File <| title == '/a' |> { mode => '0644' }
# ---
file { '/a': }
File <| title != '/b' and (owner == 'x' or title == '/a') |> { group => 'g' }
# ---
@d { 'v': }
define d() { notify { "d ${title}": } }
D <| |>
# ---
notify { 'a': } -> notify { 'b': } ~> notify { 'c': }
# ---
notify { 'a': }
notify { 'b': }
notify { 'c': }
Notify['a'] <- Notify['b']
Notify['b'] <~ Notify['c']
# ---
notify { 'a': }
notify { 'z': }
Notify['a'] -> File <| |> -> Notify['z']
# ---
notify { 'a': }
notify { 'z': }
file { '/x': }
Notify['a'] -> File <| |> ~> Notify['z']
# ---
class a { notify { 'in a': } }
class b { notify { 'in b': } }
class { 'a': } -> class { 'b': }
# ---
class a { contain b notify { 'a': } }
class b { notify { 'b': } }
include a
# ---
class a { require b notify { 'a': } }
class b { notify { 'b': } }
include a
# ---
class a { require b require c }
class b { }
class c { }
include a
# ---
create_resources('file', { '/a' => { 'mode' => '0600' }, '/b' => {} }, { 'owner' => 'root' })
# ---
create_resources('@notify', { 'a' => {}, 'b' => { 'tag' => 'x' } })
Notify <| title == 'b' |>
# ---
define d($x) { notify { "${title}${x}": } }
create_resources(d, { 'one' => { 'x' => 1 }, 'two' => { 'x' => 2 } })
# ---
class a($x = 0) { notify { "a${x}": } }
create_resources('class', { 'a' => { 'x' => 4 } })
# ---
['a', 'b'].each |$x| { notify { "each ${x}": } }
{ 'k' => 1, 'l' => 2 }.each |$k, $v| { notify { "${k}${v}": } }
# ---
$list = [1, 2, 3].map |$x| { "n${x}" }
notify { $list: }
# ---
if $facts['os']['family'] == 'Debian' { notify { 'debian': } } else { notify { 'other': } }
# ---
case $facts['os']['name'] { 'Debian': { $p = 'apt' } default: { $p = 'yum' } }
notify { $p: }
# ---
unless defined(File['/a']) { file { '/a': } }
unless defined(File['/a']) { notify { 'not': } }
# ---
if defined(Class['a']) { notify { 'before': } }
class a { }
include a
if defined(Class['a']) { notify { 'after': } }
# ---
notify { 'a': tag => 't', noop => true, loglevel => 'debug' }
# ---
stage { 'first': before => Stage['main'] }
class a { notify { 'x': } }
class { 'a': stage => 'first' }
# ---
class a { class { 'b': x => 2 } }
class b($x) { notify { "b${x}": } }
include a
# ---
define d() { include c }
class c { notify { 'c': } }
d { 'one': }
d { 'two': }
# ---
class a { $v = 'local' notify { "n ${v} ${title} ${name}": } }
include a
notify { "outside ${a::v}": }
# ---
class a { notify { "${module_name}|${caller_module_name}": } }
include a
# ---
function f($x) { $x * 2 }
notify { "f${f(4)}": }
# ---
function mk($x) { notify { "made ${x}": } }
mk('one')
# ---
$x = 1
class a { notify { "top ${x} ${::x}": } }
include a
# ---
node default { notify { 'default node': } }
# ---
file { '/a': ensure => present, before => Notify['n'], require => [Notify['m']] }
notify { ['n', 'm']: }
# ---
file { '/a': notify => [Notify['n'], [Notify['m']]] }
notify { ['n', 'm']: }
# ---
exec { 'x': command => '/bin/true', unless => ['a', 'b'], environment => ['A=1'] }
# ---
user { 'u': uid => 1000, password => Sensitive('secret') }
# ---
package { 'p': ensure => '1.0' }
service { 's': ensure => running, enable => true, subscribe => Package['p'] }
# ---
class a { @file { '/v': } }
class b { realize File['/v'] }
include a
include b
# ---
class a($list = ['x', 'y']) { $list.each |Integer $i, String $v| { file { "/${i}${v}": content => "${i}:${v}" } } }
include a
# ---
define d(Hash $h = {}, Optional[String] $o = undef) { notify { "${title} ${h} ${o}": } }
d { 't': h => { 'a' => 1 } }
# ---
$r = File['/a']
file { '/a': }
notify { 'n': require => $r }
# ---
Notify { loglevel => 'debug' }
notify { 'a': }
notify { 'b': loglevel => 'info' }
define d() { notify { "d${title}": } }
d { 'x': }
# ---
class a::b { notify { 'ab': } }
class a { include a::b }
include 'a'
contain ::a::b
# ---
class a { file { '/a': ensure => file } File['/a'] -> Class['b'] include b }
class b { file { '/b': } }
include a
# ---
notify { 'x': message => "${facts['networking']['fqdn']} ${trusted['certname']}" }
# ---
with('a', 'b') |$x, $y| { notify { "${x}${y}": } }
# ---
$h = { 'a' => { 'ensure' => 'file' } }
$h.each |$t, $p| { file { "/${t}": * => $p } }
# ---
class a { if true { $x = 'set' } notify { $x: } }
include a
# ---
[1, 2].each |$i| { if $i == 2 { notify { 'two': } next() } notify { "i${i}": } }
# ---
file { '/a': ensure => file }
File['/a'] { owner => 'late' }
# ---
class a($x = lookup('nope', { 'default_value' => 'dflt' })) { notify { $x: } }
include a
# ---
notify { 'dup': }
notify { 'dup': }
# ---
include nosuchclass
# ---
class a(Integer $x) { }
class { 'a': x => 'text' }
# ---
class a($x) { }
include a
# ---
notify { 'a': require => File['/missing'] }
# ---
File['/missing'] -> Notify['a']
notify { 'a': }
# ---
define d($x) { }
d { 't': }
# ---
File <| title == '/none' |> { mode => '0644' }
notify { 'n': }
# ---
realize(File['/none'])
# ---
fail('stop')
# ---
notify { "v ${undefined_variable}": }
# ---
file { '/a': ensure => directory } file { '/a/b/c': ensure => file, owner => 'me' } user { 'me': gid => 'g', groups => ['h', 'i'] } group { ['g', 'h', 'i']: } exec { 'x': command => '/a/b/c --run', cwd => '/a', user => 'me', unless => ['/a/b/c -t', 'true'] }
# ---
file { '/a/': ensure => directory } file { '/a/b': ensure => link, target => '/t' } file { '/t': } file { 'named': path => '/n/' } file { '/n/x': require => File['/n'] }
# ---
notify { 'a': require => Notify['c'] } notify { 'b': require => Notify['a'] } notify { 'c': require => Notify['b'] }
# ---
class a { notify { 'a': } } class b { notify { 'b': require => Class['a'] } } include a include b Class['b'] -> Class['a']
# ---
define d { notify { "d${title}": before => Class['c'] } } class c { d { 'x': } notify { 'c': } contain e } class e { notify { 'e': notify => Notify['c'] } } include c
# ---
stage { 'pre': before => Stage['main'] } class p { notify { 'p': } include q } class q { notify { 'q': } } class { 'p': stage => 'pre' } notify { 'm': before => Class['q'] }
# ---
file { '/a': require => File['/a/b'] } file { '/a/b': }
# ---
package { 'p': source => '/tmp/p.deb' } file { '/tmp/p.deb': } service { 's': subscribe => [Package['p'], File['/tmp/p.deb']] } notify { 'n': before => 'Service[s]' }
# ---
file { '/x': notify => File['/y'] } file { '/y': require => File['/x'] }
# ---
exec { '/bin/a b': } file { '/bin/a': } file { '/bin': ensure => '/usr/bin' } file { '/usr/bin': ensure => directory } exec { 'q': command => '"/bin/a" z' }
# ---
class a { class { 'b': } } class b { notify { 'b': } }
stage { 'pre': before => Stage['main'] }
class { 'a': stage => 'pre' }
# ---
notify { 'a': } -> notify { 'b': } -> notify { 'c': } -> Notify['a']
# ---
file { ['/a', '/a/b', '/a/b/c']: ensure => directory }
file { '/a/b/c/d': group => '12', owner => 'root' }
user { 'root': }
# ---
user { 'u': groups => 'g' }
group { 'g': require => User['u'] }
# ---
define d { notify { $title: } }
d { 'x': }
notify { 'y': require => D['x'], subscribe => D['x'] }
# ---
class a { notify { 'a': } }
ensure_resource('class', 'a')
ensure_resource('class', 'a')
# ---
$x = 'local'
file { '/a': content => inline_epp("x=<%= \$x %>\n<% if \$y { -%>\nyes <%= \$y %> <%% %>\n<% } -%>\nend", { 'y' => 3 }) }
# ---
file { '/a': content => inline_epp("<%- | String \$a, Integer \$b = 2, \$c = \$a | -%>\n<%= \$a %>-<%= \$b %>-<%= \$c %>", { 'a' => 'one' }) }
file { '/b': content => inline_epp("<%- | Optional[String] \$a | -%>a=<%= \$a %>", { 'a' => undef }) }
file { '/c': content => inline_epp("<%- | Integer \$b = 2 | -%><%= \$b %>", { 'b' => undef }) }
# ---
file { '/a': content => inline_epp("<% ['a', 'b'].each |\$i, \$v| { -%>\n<%= \$i %>:<%= \$v %>\n<% } -%>\n<%# a comment -%>\n<%= [1, [2]] %> <%= { 'k' => 1.5 } %> <%= true %>") }
# ---
class a { $inner = 'i' notify { inline_epp('<%= $inner %> <%= $title %> <%= $facts["os"]["family"] %>'): } }
include a
# ---
notify { 'a': message => inline_epp('<%- | $a | -%>x', { 'b' => 1 }) }
# ---
notify { 'a': message => inline_epp('<%- | Integer $a | -%>x', { 'a' => 'text' }) }
# ---
notify { 'a': message => inline_epp('<%- | $a | -%>x') }
# ---
notify { 'a': message => inline_epp('<%= $nosuch %>') }
# ---
notify { 'a': message => inline_epp('<%= 1 + %>') }
# ---
function rendered($n) { inline_epp('[<%= $n %>]', { 'n' => $n }) }
notify { rendered('x'): }
notify { inline_epp('<%= rendered("y") %><%- $z = 1 -%> <%= $z %>'): }
# ---
file { '/s': content => inline_epp('p=<%= $p %>', { 'p' => Sensitive('secret') }) }
# ---
$y = 1
notify { inline_epp('<% $y = 2 %><%= $y %>'): }
notify { "y=${y}": }
# ---
class outer { include inner package { 'own': } }
class inner { package { 'plain': } d { 'x': } @package { 'virt': } Package<| tag == 'inner' |> { require => Exec['/bin/e'] } }
define d() { package { "in-${title}": } create_resources('package', { "cr-${title}" => {} }) }
include outer
package { 'top': tag => 'outer' }
exec { '/bin/e': }
define f() { package { "f-${title}": } }
Exec['/bin/e'] -> Package<| tag == 'outer' |>
Exec['/bin/e'] ~> Package<| tag == 'd' |>
f { 'z': }
Exec['/bin/e'] ~> Package<| tag == 'f' |>
# ---
class a { tag('role::web') notify { 'a': } include b }
class b { notify { 'b': } }
define d() { notify { "d-${title}": } }
d { 'one': }
notify { 'tagged': tag => ['x', 'y'] }
include a
notify { 'last': }
Notify['last'] -> Notify<| tag == 'x' or tag == 'role' |>
Notify['last'] ~> Notify<| tag == 'main' and title != 'last' |>
# ---
class a { @notify { 'v': } d { 'z': } }
define d() { @notify { "v-${title}": } }
include a
Notify<| tag == 'a' and title != 'v' |>
# ---
define d() { notify { "n${title}": } e { "${title}e": } }
define e() { notify { "e${title}": noop => true } } d { 'x': noop => false, tag => 'foo', schedule => 'daily', loglevel => debug, audit => all }
# ---
class c { notify { 'c': } }
class { 'c': noop => true, tag => 'foo' }
# ---
class c { notify { 'c': } }
class g { contain c }
define d() { contain g } d { 'x': noop => true }
# ---
define d() { notify { $title: } } d { 'x': } D['x'] { noop => true }
# ---
define d() { notify { $title: } } @d { 'x': noop => true, tag => ['q','r'] } realize(D['x'])
# ---
define d() { notify { $title: noop => undef } } d { 'x': noop => true }
# ---
define d() { @notify { $title: } } d { 'x': noop => true } Notify<||>
# ---
define d() { contain c }
class c { notify { 'c': } } d { 'y': tag => 'b' } d { 'x': noop => true }
# ---
class c { notify { 'c': } } contain c  class { 'g': noop => true }
class g { contain h }
class h { notify { 'h': } } contain g
# ---
package { 'x': name => 'vim', provider => gem }
package { 'vim': }
# ---
package { 'x': name => 'vim' }
package { 'vim': }
# ---
service { 'q': }
service { 'x': name => 'q' }
# ---
notify { 'x': alias => ['a', 'x'] }
notify { 'a': }
# ---
define d() { }
d { 'q': }
d { 'x': alias => 'q' }
# ---
exec { 'x': command => '/bin/x' }
exec { '/bin/x': }
# ---
notify { 'x': alias => 'a' }
notify { 'y': require => Notify['a'] }
