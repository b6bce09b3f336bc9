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
# ---
class base { file { '/a': mode => '0644', require => [File['/b']] } file { '/b': } file { '/c': } }
class sub inherits base { File['/a'] { require +> [File['/c'], Notify['n']], mode => '0600' } notify { 'n': } }
class subsub inherits sub { File['/a'] { mode => '0640', owner => 'me' } }
include subsub
# ---
class base { $p = 1 file { '/a': mode => '0644', group => 'x' } }
class sub inherits base { File['/a', '/b'] { mode => undef } }
class base2 { }
include base
file { '/b': }
File['/b'] { owner => 'z' }
# ---
class a { File { owner => 'a', group => 'g' } include b }
class b { File { owner => 'b' } include c file { '/b': } }
class c { file { '/c': } d { 'x': } }
define d { file { "/d/${title}": mode => '0600' } }
include a
# ---
class a { Notify { message => 'from a' } d { 'one': } }
define d { Notify { withpath => true } notify { "n-${title}": } e { "${title}-e": } }
define e { notify { "e-${name}": message => 'own' } notify { "f-${name}": } }
include a
d { 'two': }
# ---
@user { 'a': tag => 'admin', uid => 1001 }
@user { 'b': tag => ['admin', 'x'], uid => 1002 }
@user { 'c': uid => 1003 }
User <| tag == 'admin' and uid != '1002' |> { shell => '/bin/bash', tag +> 'more' }
# ---
@user { ['a', 'b', 'c']: gid => 'g' }
realize(User['a'], User['b'])
realize User['c']
group { 'g': }
# ---
@notify { 'x': message => 'm' }
@notify { 'y': message => 'n' }
Notify <| message == 'm' or title == 'y' |>
# ---
create_resources('file', { '/a' => { 'ensure' => 'file' }, '/b' => {} }, { 'mode' => '0644', 'ensure' => 'absent' })
create_resources('@notify', { 'v' => { 'message' => 'q' } })
create_resources('class', { 'k' => { 'x' => 3 } })
class k($x) { notify { "k${x}": } }
# ---
define d($v = 'dv') { notify { "${title}-${v}": } }
create_resources(d, { 'a' => { 'v' => 1 }, 'b' => {} })
create_resources('d', {})
# ---
stage { 'pre': before => Stage['main'] }
stage { 'post': require => Stage['main'] }
class p { notify { 'p': } }
class q { notify { 'q': } }
class { 'p': stage => 'pre' }
class { 'q': stage => post }
notify { 'm': }
# ---
if defined(Notify['a']) { notify { 'before': } }
notify { 'a': }
if defined(Notify['a']) { notify { 'after': } }
if defined('$x') { notify { 'nox': } }
$x = 1
if defined('$x') { notify { 'x': } }
if defined('file') { notify { 'type': } }
if defined('k') { notify { 'class': } }
if defined(Class['k']) { notify { 'notdeclared': } }
include k
if defined(Class['k']) { notify { 'declared': } }
class k {}
# ---
define d(Hash $h) { $h.each |$k, $v| { notify { "${title}-${k}": message => $v } } }
d { 'a': h => { 'x' => 'y', 'z' => 'w' } }
['p', 'q'].each |$i, $n| { d { "${n}${i}": h => { $n => "${i}" } } }
# ---
node default { notify { 'default': } }
node /^node\d+\.example\.com$/ { notify { "re ${0}": } }
node 'other' { notify { 'other': } }
# ---
node 'node1.example.com', 'x' { notify { 'exact': } include c }
node /node/ { notify { 're': } }
class c { notify { "c in ${trusted['certname']}": } }
# ---
node /^(node)(\d)/ { notify { "${1}-${2}": } }
notify { 'outside': }
# ---
file { 'cfg': path => '/etc/cfg', alias => 'mycfg' }
notify { 'n': require => File['mycfg'] }
file { 'dir': path => '/etc', alias => ['x', 'y'] }
notify { 'm': require => [File['/etc'], File['y']] }
# ---
$t = ['a', ['b', ['c']]]
notify { $t: }
notify { flatten([$t.map |$x| { $x }, 'd'])[3]: }
# ---
$h = { 'x' => { 'message' => 1 }, 'y' => { 'message' => 2 } }
$h.each |$k, $v| { notify { $k: * => $v, withpath => true } }
notify { $h.keys.map |$k| { "k-${k}" }: * => { 'message' => 'z' } }
# ---
$a = ['/x', '/x/y', '/x/y/z']
file { $a: ensure => directory }
file { '/x/y/z/f': require => File[$a] }
# ---
notify { ['a', 'b']: } -> notify { ['c', 'd']: } ~> notify { 'e': }
[Notify['a'], Notify['e']] -> Notify['f', 'g']
notify { ['f', 'g']: }
# ---
class a { notify { 'a': } }
class b { notify { 'b': } }
class c { require a notify { 'c': } }
include c, b
Class['b'] -> Class['c']
# ---
class a { contain b contain c Class['b'] -> Class['c'] }
class b { notify { 'b': } }
class c { notify { 'c': } }
include a
notify { 'after': require => Class['a'] }
notify { 'before': before => Class['a'] }
# ---
class a { contain b notify { 'a': require => Class['b'] } }
class b { contain c notify { 'b': } }
class c { notify { 'c': before => Notify['b'] } }
contain a
# ---
class role { contain profile::x contain profile::y Class['profile::x'] -> Class['profile::y'] }
class profile::x { include common notify { 'x': } }
class profile::y { include common notify { 'y': } }
class common { notify { 'common': } }
include role
# ---
user { 'me': gid => 'grp', home => '/home/me' }
group { 'grp': }
file { '/home/me': ensure => directory, owner => 'me', group => 'grp' }
file { '/home/me/.x': owner => 'me' }
file { '/home': ensure => directory }
file { '/l': ensure => link, target => '/home/me/.x' }
# ---
file { '/opt/a': ensure => directory }
exec { '/opt/a/bin/x --y': cwd => '/opt/a', user => 'me', creates => '/opt/a/done' }
user { 'me': }
exec { 'e2': command => '/bin/echo /opt/a/q', path => ['/bin', '/opt/a'] }
file { '/opt/a/bin/x': }
# ---
class a(Integer $x, Integer $y = $x * 2, String $z = "${x}/${y}") { notify { $z: } }
class { 'a': x => 4 }
# ---
define d($n = $name, $t = $title, $m = "${n}!") { notify { "${n},${t},${m}": } }
d { 'foo': }
d { 'bar': n => 'baz' }
# ---
class a::b { notify { "${module_name}|${title}|${name}": } }
include a::b
# ---
notify { 'epp': message => inline_epp('<% [1,2].each |$x| { -%>x<%= $x %> <% } -%>') }
notify { 'epp2': message => inline_epp('<%- | $a, $b = 2 | -%><%= $a + $b %>', { 'a' => 1 }) }
# ---
$r = [3, 1, 2].sort.reduce('') |$m, $x| { "${m}${x}" }
notify { $r: }
$s = { 'b' => 1, 'a' => 2 }.map |$k, $v| { "${k}=${v}" }
notify { $s.join(','): }
notify { "${[1, 2, 3, 4].filter |$x| { $x % 2 == 0 }}": }
notify { "${[1, 2, 3, 4].slice(2)}": }
with(1, 2) |$p, $q| { notify { "${p}${q}": } }
Integer[5, 6].each |$n| { notify { "int${n}": } }
[1, 2].reverse_each |$n| { notify { "rev${n}": } }
# ---
notify { 'a': before => Notify['b'], tag => 'x' }
notify { 'b': notify => [Notify['c'], Notify['d']] }
notify { 'c': subscribe => Notify['a'] }
notify { 'd': require => Notify['a'], loglevel => debug, noop => true, schedule => 's', audit => [] }
schedule { 's': period => daily }
# ---
Notify <| title == 'x' |> -> Notify <| tag == 'late' |>
notify { 'x': }
@notify { 'y': tag => 'late' }
notify { 'z': tag => ['late', 'o'] }
# ---
class a { $v = 'av' file { '/a': content => $v } }
class b inherits a { $w = $v File['/a'] { content => "b${w}" } }
include b
notify { $a::v: message => $b::w }
# ---
class a($x = 'p') { notify { "a${x}": } }
include a
class { 'b': } -> class { 'c': x => $a::x }
class b { }
class c($x) { notify { "c${x}": } }
# ---
define d { notify { "${title}": } }
d { 'a': } -> d { 'b': } -> Notify['last']
notify { 'last': }
D['a'] { tag => 'qq' }
# ---
define d($x = 1) { notify { "d${title}${x}": } }
@d { 'a': x => 2 }
D <| title == 'a' |> { x => 3 }
# ---
define d { @notify { "v-${title}": tag => 't' } }
d { 'one': }
Notify <| tag == 't' |>
# ---
Notify <| |> { withpath => true }
notify { 'a': }
define d { notify { "d${title}": } }
d { 'x': }
# ---
class a { realize Notify['v'] }
@notify { 'v': }
include a
class b { Notify['v'] -> notify { 'w': } }
include b
# ---
$x = { a => 1 } + { b => 2 }
notify { "${x}": }
notify { "${x['a']}${x[b]}": }
$y = [1] + 2 + [3, 4] - 3
notify { "${y}": }
$z = [1] << [2]
notify { "${z}": }
# ---
type Port = Integer[1, 65535]
type Conf = Struct[{ port => Port, Optional[host] => String[1] }]
class c(Conf $conf, Optional[Port] $p = $conf['port']) { notify { "${p}": } }
class { 'c': conf => { 'port' => 80 } }
# ---
function f(Integer $x) >> String { "f${x}" }
function g($x, *$rest) { $rest.map |$r| { "${x}${r}" } }
notify { f(1): }
notify { g('a', 1, 2): }
notify { [1, 2].map |$x| { f($x + 10) }: }
# ---
$v = $facts['os']['family'] ? { 'Debian' => 'deb', /(?i:red)/ => 'rh', default => fail('x') }
notify { $v: }
case $facts['os']['name'] { 'Debian', 'Ubuntu': { notify { 'apt': } } default: { notify { 'other': } } }
unless $v == 'deb' { notify { 'u': } } else { notify { 'e': } }
if $v =~ /^(d)(e)/ { notify { "m${1}${2}": } }
# ---
file { default: ensure => file, mode => '0600'; ['/a', '/b']: ; '/c': mode => undef; '/d': * => { 'mode' => '0644' } }
# ---
File { mode => '0600' }
file { '/a': mode => undef }
file { '/b': * => { mode => undef } }
file { default: mode => '0640'; '/c': mode => undef }
# ---
class a { notify { 'x': } }
class b { if defined(Class['a']) { notify { 'seen': } } else { notify { 'unseen': } } }
include a, b
# ---
$packages = lookup('nokey', Array, 'unique', ['d1', 'd2'])
notify { $packages: }
notify { lookup({ 'name' => 'nope', 'default_value' => 'dv' }): }
notify { lookup('x', default_value => undef) =~ Undef ? { true => 'undef', default => 'def' }: }
# ---
notify { 'a': message => Sensitive('secret') }
notify { 'b': message => "${Sensitive('x')}" }
notify { 'c': message => Sensitive('x').unwrap }
# ---
notify { 'dep': require => Class['settings'] }
# ---
class a { class { 'b': x => 'y' } include c }
class b($x) { notify { "b${x}": } }
class c { include b notify { $b::x: } }
include a
# ---
$names = split('a,b,c', ',')
$names.each |Integer $i, String $n| { unless $i == 0 { Notify[$names[$i - 1]] -> Notify[$n] } notify { $n: } }
# ---
notify { 'a': }
$ref = Notify['a']
notify { 'b': require => $ref }
notify { "${ref}": }
$type = Resource['notify', 'a']
notify { 'c': require => $type }
$t = Notify
$t['a'] -> Notify['c']
# ---
Resource['notify'] { 'generic': message => 'g' }
Notify { 'g2': }
# ---
notify { 'x': message => @("END") }
  indented ${1 + 1}
    more
  | END
notify { 'y': message => @(END/n) }
  a\nb
  |- END
# ---
class outer { include outer::inner notify { 'o': require => Class['outer::inner'] } }
class outer::inner { notify { $title: } }
class { '::outer': }
# ---
file { "/tmp/${facts['networking']['hostname']}": content => String(0x1F, '%x') }
notify { "${Integer('0x1F', 16)}-${Float('1.5')}-${Boolean('yes')}-${Numeric('010')}": }
# ---
user { 'u': }
file { '/mnt/x': ensure => directory }
file { '/mnt/x/y': }
# ---
service { 's': ensure => running, enable => true, require => Package['p'], subscribe => File['/etc/s.conf'] }
package { 'p': ensure => installed } -> file { '/etc/s.conf': ensure => file }
package { ['q', 'r']: ensure => '1.0', before => Service['s'] }
Package <| title == 'r' |> -> Package['q']
# ---
class params { $pkg = $facts['os']['family'] ? { default => 'dp' } }
class svc($pkg = $params::pkg, $conf = "/etc/${pkg}.conf") inherits params { contain svc::install contain svc::config Class['svc::install'] -> Class['svc::config'] }
class svc::install { package { $svc::pkg: } }
class svc::config { file { $svc::conf: notify => Service['svcd'] } }
include svc
service { 'svcd': }
# ---
exec { 'a': command => '/bin/a', refreshonly => true, subscribe => [File['/f'], Exec['b']] }
exec { 'b': command => ['/bin/b', '-x'], unless => [['/bin/t', '1'], '/bin/u'], environment => ['A=1'] }
file { '/f': }
file { '/bin/b': }
# ---
$a = [['x', 1], ['y', 2]]
$a.each |$p| { notify { $p[0]: message => $p[1] } }
Hash($a).each |$k, $v| { notify { "h${k}${v}": } }
$a.each |$k, $v| { notify { "i${k}": message => $v[0] } }
# ---
define wrap(Array[String] $names, Hash $options = {}) { $names.each |$n| { file { "/w/${n}": ensure => file, * => $options } } }
wrap { 'w': names => ['a', 'b'], options => { 'mode' => '0600' } }
Wrap['w'] -> notify { 'done': }
# ---
class a { notify { 'in a': } notify { 'q': } -> Class['b'] }
class b { notify { 'b': } }
include b
include a
# ---
$x = undef
notify { 'n': message => $x }
file { '/a': owner => pick_it($x), mode => '0600' }
function pick_it($v) { if $v { $v } else { 'dflt' } }
# ---
notify { 'a': ; 'b': message => 'x' ; }
# ---
class a($list = [], $map = {}) { $list.each |$x| { notify { "l${x}": } } $map.each |$k, $v| { notify { "m${k}${v}": } } if $list.empty { notify { 'empty': } } }
class { 'a': list => [1, 2], map => { 'p' => 'q' } }
# ---
$deep = { 'a' => { 'b' => [{ 'c' => 'deep' }] } }
notify { $deep['a']['b'][0]['c']: }
notify { $deep.dig('a', 'b', 0, 'c').upcase: }
notify { get($deep, 'a.b.0.c', 'none').capitalize: }
notify { "x-${deep['a']['nope']}": }
# ---
class sched { schedule { 'night': range => '2 - 4' } Exec { schedule => 'night', path => '/bin' } exec { 'foo': } d { 'x': } }
define d { exec { "d${title}": command => 'bar' } }
include sched
# ---
User <| title == 'v' |> { groups +> 'more' }
user { 'v': groups => ['one', 'two'] }
# ---
class b { user { 'v': groups => 'one' } }
class s inherits b { User['v'] { groups +> ['two', 'three'] } }
include s
# ---
$e = [] 
notify { $e: }
file { $e: ensure => file }
[].each |$x| { fail('never') }
Notify[$e] -> Notify['z']
notify { 'z': }
# ---
node /^(?<kind>[a-z]+)(\d+)\./ { notify { "r ${0}": } class { 'c': n => $1 } if 'zz' =~ /(z)z/ { notify { "in ${1}": } } notify { "out ${1}": } }
class c($n) { notify { "c${n}": } }
# ---
node 'node1.example.com' { include role }
node default { fail('no') }
class role { include base include web }
class base { @@notify { "exp-${trusted['certname']}": tag => 'e' } notify { 'base': } }
class web { Class['base'] -> Class['web'] notify { 'web': } }
# ---
class a { $x = 1 if true { $y = 2 } notify { "${x}${y}": } }
class b { include a notify { "b${a::x}${a::y}": } }
include b
# ---
define site($vhosts = {}, $root = "/srv/${title}") { file { $root: ensure => directory } $vhosts.each |$n, $o| { site::vhost { "${title}-${n}": root => $root, * => $o } } }
define site::vhost($root, Integer $port = 80, Boolean $ssl = false) { file { "${root}/${title}.conf": content => "port ${port} ${ssl}", require => File[$root] } }
site { 'one': vhosts => { 'a' => { 'port' => 81 }, 'b' => { 'ssl' => true } } }
# ---
$users = { 'al' => { 'uid' => 1, 'groups' => ['a'] }, 'bo' => { 'uid' => 2 } }
$users.each |$n, $u| { user { $n: ensure => present, * => $u - ['groups'], groups => $u['groups'] ? { undef => [], default => $u['groups'] } } }
# ---
$list = ['a', 'b', 'a'].unique
notify { $list: }
['x', 'y'].each |$x| { unless defined(Notify[$x]) { notify { $x: } } unless defined(Notify["${x}"]) { notify { $x: } } }
# ---
class a { exec { 'x': command => '/bin/x' } }
class b inherits a { Exec['x'] { command => '/bin/y', path => ['/bin'], unless => undef } }
class c inherits a { }
include c
include b
# ---
File { ensure => file } 
file { ['/q/1', '/q/2']: } 
file { '/q': ensure => directory }
File['/q/1'] -> File['/q/2']
File <| title == '/q/2' |> { content => 'z' }
# ---
class pre { exec { 'upd': command => '/bin/upd', refreshonly => true } }
file { '/l': content => 'x' } ~> Class['pre']
include pre
package { 'z': require => Class['pre'] }
# ---
define d { if $title == 'loop' { d { 'end': } } notify { "d-${title}": } }
d { 'loop': }
# ---
class s { notify { 's': } }
stage { 'first': }
Stage['first'] -> Stage['main']
class { 's': stage => 'first' }
file { '/m': }
# ---
$a = { 'k' => [1, 2] }
$b = $a + { 'k' => [3] }
notify { "${b['k'][0]} ${$b.length} ${keys($b)[0]}": }
[$p, $q] = [1, 2]
notify { "${p}${q}": }
# ---
[$p, [$q, $r]] = [1, [2, 3]]
notify { "${p}${q}${r}": }
[$m, $n] = { 'm' => 'mm', 'n' => 'nn' }
notify { "${m}${n}": }
# ---
notify { 'v': message => $facts.dig('os', 'nope', 'x') }
notify { 'w': message => $facts['nope'] }
notify { "x${facts['os']['family'][0, 3]}": }
notify { "y${'abc'[1]}${'abc'[-1]}${[1, 2, 3][1, 2]}": }
# ---
$r = File['/a', '/b']
file { ['/a', '/b']: }
notify { 'r': require => $r }
notify { 's': before => [Notify['r'], File['/b']] }
$r -> Notify['t']
notify { 't': }
# ---
class c(Optional[String] $a = undef, Variant[Array, String] $b = $a ? { undef => [], default => $a }, $c = $b =~ Array) { notify { "${c}": } }
include c
# ---
class c(Enum['x', 'y'] $e = 'x', Hash[String, Integer] $h = { 'one' => 1 }, Sensitive[String] $s = Sensitive('p')) { notify { "${e}${h['one']}${s}": } file { '/s': content => $s } }
include c
# ---
class c { $l = ['b', 'a'] contain c::d }
class c::d { $c::l.sort.each |$x| { notify { "d${x}": } } }
include c
Class['c'] -> notify { 'z': }
# ---
if $facts['os']['family'] in ['Debian', 'RedHat'] { notify { 'in': } }
if 'deb' in $facts['os']['family'] { notify { 'instr': } }
if $facts['os']['release']['major'] == '12' and versioncmp($facts['os']['release']['full'], '11') > 0 { notify { 'v': } }
case 5 { Integer[0, 4]: { notify { 'low': } } Integer: { notify { 'int': } } default: { } }
case 'abc' { /^a(.)/: { notify { "m${1}": } } }
case ['a', 1] { [String, Integer]: { notify { 'tuple': } } default: { notify { 'no': } } }
case { 'a' => 1 } { { 'a' => Integer }: { notify { 'h': } } default: { notify { 'nh': } } }
# ---
notify { [1, 2].map |$x| { "n${x}" }: } -> notify { 'after': }
notify { 'pre': } -> Notify['n1', 'n2']
# ---
@file { '/v1': tag => ['a', 'b'] }
@file { '/v2': tag => 'b', owner => 'o' }
@file { '/v3': owner => 'o' }
File <| (tag == 'a' or owner == 'o') and title != '/v3' |>
# ---
@user { 'x': groups => ['g1', 'g2'] }
User <| groups == 'g1' |>
# ---
class a { @notify { 'va': } Notify <| title == 'va' |> -> Class['b'] }
class b { notify { 'vb': } }
include a, b
# ---
notify { 'x': message => "a
b" }
notify { "tab\tq": message => 'its' }
# ---
notify { 'q1': message => 'it\'s \n' }
notify { 'q2': message => "\u{41}\u0042 \$x" }
# ---
class a { if $facts['kernel'] == 'Linux' { include linux } else { include other } }
class linux { notify { $title: } }
class other { notify { $title: } }
include a
if defined(Class['linux']) { notify { 'islinux': } }
# ---
$xa = 7
notify { "${'a-b_c'.regsubst('[-_]', '.', 'G')} ${' x '.strip} ${'Ab'.downcase} ${[3, 1].max} ${$xa % 4} ${$xa / 2} ${-$xa / 2} ${$xa << 4}": }
# ---
class m { notify { 'in m': } notify { 'm2': require => Notify['in m'] } }
node /^(?i:NODE)\d:?/ { include m notify { "x${0}": } }
# ---
node /\.example\.com$/ { notify { "y${0}": } }
# ---
define d { if tagged('web') { notify { "web ${title}": } } else { notify { "none ${title}": } } }
d { 'x': tag => 'web' }
d { 'y': }
# ---
class web { d { 'x': } }
define d { if tagged('web') { notify { "in ${title}": } } }
include web
# ---
class web { tag('front') d { 'x': } }
define d { notify { "t ${title} ${tagged('front')} ${tagged('d')} ${tagged('web')} ${tagged('x')}": } }
include web
# ---
class a { if tagged('b') { notify { 'a-b': } } else { notify { 'a': } } }
class b { tag('b') include a }
include b
# ---
class a { notify { 'x': } if tagged('a') { notify { 'tagged': } } }
include a
# ---
if tagged('nosuch') { notify { 'yes': } } else { notify { 'no': } }
# ---
define d { e { "${title}-e": } }
define e { notify { "e ${tagged('mine')}": } }
d { 'x': tag => ['mine', 'other'] }
# ---
class base { file { '/a': } }
class sub inherits base { File['/a'] { mode => '0600' } }
class sub2 inherits base { File['/a'] { mode => '0644' } }
include sub
include sub2
# ---
class a { file { '/a': } }
class b { File['/a'] { mode => '0600' } }
include a
include b
# ---
class a { file { '/a': mode => '0644' } }
class b { File <| title == '/a' |> { mode => '0600', owner => 'x' } }
include a
include b
# ---
class a { $x = 1 notify { "a${x}": } include b notify { "b${b::y}": } }
class b { $y = $a::x + 1 }
include a
# ---
class a { include b contain c }
class b { require c notify { 'b': } }
class c { notify { 'c': } }
include a
# ---
define d { contain c notify { "d${title}": } }
class c { notify { 'c': } }
d { 'x': before => Notify['z'] }
notify { 'z': }
# ---
notify { 'a': } -> d { 'x': } ~> class { 'c': }
define d { notify { "d${title}": } notify { "e${title}": } }
class c { notify { 'c': } include other }
class other { notify { 'o': } }
# ---
$s = ['a', 'b']
notify { $s: } -> notify { 'c': }
# ---
@file { '/v': tag => 'x' }
file { '/w': tag => 'x' }
File <| tag == 'x' |> -> Notify <| |>
notify { 'n': }
# ---
@notify { 'v': }
notify { 'w': require => Notify['v'] }
realize(Notify['v'])
# ---
@notify { 'v': }
Notify['v'] -> notify { 'w': }
# ---
@notify { ['a', 'b', 'c']: }
realize(Notify['a', 'b'])
# ---
define d($p) { @notify { "v${title}": message => $p } }
d { 'x': p => 1 }
Notify <| message == 1 |>
# ---
@notify { 'a': message => 'm' }
@notify { 'b': message => 'n' }
Notify <| (title == 'a' or title == 'b') and message != 'n' |>
# ---
@user { 'a': groups => ['x', 'y'] }
User <| groups == 'y' and groups != 'z' |>
# ---
@user { 'a': uid => 1 }
User <| uid == '1' |>
# ---
define d { @e { "${title}": } }
define e { notify { "e${title}": } }
d { 'x': }
E <| |>
# ---
define d { E <| |> }
define e { notify { "e${title}": } }
@e { 'z': }
d { 'x': }
# ---
class a { Notify { message => 'def' } include b notify { 'a': } }
class b { notify { 'b': } }
include b
include a
# ---
Notify { tag => 'all' }
notify { 'a': tag => 'own' }
# ---
D { p => 'default' }
define d($p = 'own') { notify { "${title}${p}": } }
d { 'x': }
d { 'y': p => 'z' }
# ---
$defaults = { 'message' => 'd' }
notify { 'x': withpath => true, * => $defaults }
# ---
Notify['x'] { message => 'late' }
notify { 'x': }
# ---
class a { notify { 'x': } }
class b inherits a { Notify['x'] { message => undef, withpath => true } }
include b
# ---
create_resources('notify', { 'a' => { 'message' => 'x', 'tag' => ['t1', 't2'] }, 'b' => { 'require' => 'Notify[a]' } })
# ---
define d($h = {}) { create_resources('notify', $h, { 'message' => $title }) }
d { 'x': h => { 'a' => {}, 'b' => { 'message' => 'own' } } }
# ---
class c(Optional[Integer] $p = undef, Boolean $q = $p =~ Undef) { notify { "p${p} q${q}": } }
class { 'c': p => 3 }
# ---
define d($m) { case $m { 'a', 'b': { notify { "ab ${title}": } } /^c/: { notify { "c ${0} ${title}": } } default: { fail("no ${m}") } } }
d { 'x': m => 'b' }
d { 'y': m => 'cat' }
# ---
function ref(String $t) { Notify[$t] }
notify { 'a': require => ref('b') }
notify { 'b': }
# ---
$n = notify { 'a': }
notify { 'b': require => $n }
# ---
$r = [1, 2].map |$i| { notify { "n${i}": } }
notify { 'z': require => $r }
# ---
{ 'x' => { 'message' => 1 }, 'y' => {} }.each |$k, $v| { notify { default: message => 'd'; $k: * => $v } }
# ---
[3, 1, 2].sort.each |$i| { notify { "s${i}": require => $i ? { 1 => undef, default => Notify["s${$i - 1}"] } } }
# ---
$t = 'Notify'
Resource[$t] { 'x': message => 'r' }
# ---
Resource['notify'] { ['x', 'y']: }
Resource['Notify', 'x'] -> Resource['Notify', 'y']
# ---
notify { 'a': before => [Notify['b'], undef, [Notify['c']]] }
notify { ['b', 'c']: }
# ---
notify { 'a': require => [] }
notify { 'b': require => undef }
# ---
notify { 'a': subscribe => 'Notify[b]' }
notify { 'b': }
# ---
stage { 'pre': } -> Stage['main'] -> stage { 'post': }
class a { notify { 'a': } }
class b { notify { 'b': } }
class { 'a': stage => pre }
class { 'b': stage => post }
notify { 'main': }
# ---
schedule { 's': period => daily }
class a { notify { 'x': } }
class { 'a': schedule => 's' }
# ---
node /^node\d+\.example/ { notify { "re ${0}": } }
node default { notify { 'default': } }
# ---
node 'node1' { notify { 'short': } }
node 'other', /^x/ { notify { 'x': } }
node default { notify { 'default': } }
# ---
node default { notify { 'n': } File { owner => 'x' } include a }
class a { file { '/a': } }
# ---
class a { include a::b }
class a::b { notify { 'b': } }
Class['a'] -> notify { 'after': }
include a
# ---
$classes = include('a')
notify { 'x': require => $classes }
class a { notify { 'a': } }
# ---
if defined('$x') { notify { 'x': } } else { notify { 'no x': } }
$x = 1
if defined('$x') { notify { 'now x': } }
# ---
define d { unless defined(Notify['shared']) { notify { 'shared': message => $title } } }
d { ['x', 'y']: }
# ---
notify { 'early': message => defined(Notify['late']) }
define d { notify { 'late': } }
d { 'x': }
notify { 'then': message => defined(Notify['late']) }
# ---
file { ['/x/', '/x/y/']: ensure => directory }
file { '/x/y/z': ensure => link, target => '/x' }
# ---
exec { 'run': command => '/opt/x/bin/run --all', cwd => '/opt/x', user => 'u', require => User['u'] }
user { 'u': home => '/opt/x' }
file { ['/opt', '/opt/x', '/opt/x/bin', '/opt/x/bin/run']: }
# ---
notify { 'x': message => String(File['/a']) }
file { '/a': }
# ---
notify { '': }
# ---
notify { [['a', 'b'], ['c']]: }
# ---
notify { undef: }
# ---
notify { [undef, 'a']: }
# ---
$e = []
notify { $e: }
# ---
class a { return() notify { 'never': } }
include a
notify { 'x': }
# ---
define d { if $title == 'stop' { return() } notify { "d${title}": } }
d { ['stop', 'go']: }
# ---
class a { [1, 2, 3].each |$i| { if $i == 2 { break() } notify { "i${i}": } } }
include a
# ---
class base { notify { 'b': } }
class a inherits base { }
class c inherits a { Notify['b'] { message => 'c' } }
include c
Class['base'] -> notify { 'z': }
# ---
notify { 'a': alias => 'b' }
Notify['b'] -> notify { 'c': }
# ---
file { 'cfg': path => '/etc/cfg' }
notify { 'n': require => File['/etc/cfg'] }
# ---
file { 'cfg': path => '/etc/cfg' }
file { '/etc/cfg': }
# ---
exec { 'a': command => '/bin/true', notify => Exec['b'] } exec { 'b': command => '/bin/true', refreshonly => true, notify => Exec['a'] }
# ---
class a { require b } class b { require a }
include a
# ---
class a { contain b } class b { contain a notify { 'b': } }
include a
# ---
define d($n) { if $n > 0 { d { "${title}-${n}": n => $n - 1 } } notify { "d ${title}": } }
d { 'x': n => 3 }
# ---
class a { tag('x', 'y::z') notify { 'n': } }
include a
Notify <| tag == 'z' |> { message => 'tagged' }
# ---
define d { tag("t-${title}") notify { "n-${title}": } }
d { ['a', 'b']: }
Notify <| tag == 't-a' |> { message => 'mine' }
# ---
class a { notify { 'n': message => tagged('a', 'class') } }
include a
# ---
class a { notify { 'n': message => tagged('a', 'later') } tag('later') notify { 'm': message => tagged('later') } }
include a
# ---
class a { include b }
class b { notify { 'n': message => "${tagged('a')}${tagged('b')}${tagged('c')}" } }
class c { }
include a
include c
# ---
define d { notify { "n-${title}": message => "${tagged('d')}${tagged('notify')}${tagged($title)}" } }
d { 'q': }
# ---
class a { d { 'x': tag => 'own' } }
define d { @notify { "v-${title}": } Notify <| tag == 'own' |> }
include a
# ---
class a { @d { 'v': p => 1 } D <| title == 'v' |> { p => 2 } }
define d($p) { notify { "d${p}": } }
include a
# ---
define d($p = 1) { notify { "${title}${p}": } }
@d { ['a', 'b']: }
D <| title == 'a' or title == 'c' |> { p => 3 }
@d { 'c': p => 5 }
# ---
file { '/a': tag => ['one', 'two'] }
file { '/b': tag => 'two' }
File <| tag == 'one' |> -> File <| tag == 'two' and title != '/a' |>
# ---
@user { 'u1': groups => ['a', 'b'], ensure => present }
@user { 'u2': groups => ['b'], ensure => absent }
User <| groups == 'b' and ensure != absent |> { groups +> 'c' }
# ---
notify { 'x': require => [Notify['y']] }
notify { ['y', 'z']: }
Notify <| title == 'x' |> { require +> Notify['z'] }
# ---
class base { notify { 'n': tag => 'a' } }
class sub inherits base { Notify['n'] { tag +> ['b', 'c'] } }
include sub
# ---
class one { notify { 'n': message => '1' } }
class two inherits one { Notify['n'] { message => '2' } }
class three inherits two { Notify['n'] { message => '3' } }
include three
# ---
class params($p = 'd') { }
class c($q = $params::p) inherits params { notify { $q: } }
class { 'params': p => 'set' }
include c
# ---
class a { $local = 'a' d { 'x': } }
define d { notify { "d ${title}": message => defined('$local') } }
include a
# ---
node default { $x = 'node' include a notify { "in ${x}": } }
class a($p = $x) { notify { "a ${p} ${x}": } }
# ---
$x = 'top'
node default { $x = 'node' notify { "n ${x} ${::x}": } include a }
class a { notify { "a ${x} ${::x}": } }
# ---
class a { class { 'b': } -> notify { 'after b': } notify { 'free': } }
class b { notify { 'b1': } -> notify { 'b2': } }
include a
# ---
class a { contain b -> notify { 'n': } }
class b { notify { 'b': } }
include a
# ---
class a { include b -> notify { 'n': } }
class b { notify { 'b': } contain c }
class c { notify { 'c': } }
include a
# ---
notify { 'a': } -> [Notify['b'], Notify['c']] -> notify { 'd': }
notify { ['b', 'c']: }
# ---
Notify['a'] -> Notify['b'] <- Notify['c']
notify { ['a', 'b', 'c']: }
# ---
Class['a'] -> D <| |> -> Class['b']
class a { notify { 'a': } }
class b { notify { 'b': } }
define d { notify { "d${title}": } }
include a, b
d { ['x', 'y']: }
# ---
Class['a'] -> D <| |> -> Class['b']
class a { notify { 'a': } }
class b { notify { 'b': } }
define d { notify { "d${title}": } }
include a, b
# ---
Package <| |> -> Service <| |>
package { ['p', 'q']: }
service { 's': }
@service { 'v': }
# ---
stage { 'setup': before => Stage['main'] }
stage { 'late': require => Stage['main'] }
class s { notify { 's': } contain t }
class t { notify { 't': } }
class l { notify { 'l': } include m }
class m { notify { 'm': } }
class { 's': stage => 'setup' }
class { 'l': stage => 'late' }
# ---
define d { stage { "st-${title}": } }
d { 'x': }
# ---
exec { '/opt/tool -x': require => File['/opt/tool'] } file { '/opt/tool': mode => '0755' }
exec { 'named': command => '/opt/tool -y', onlyif => '/opt/check -z' } file { '/opt/check': }
# ---
$c = ['a', 'b']
$c.each |$n| { class { $n: p => "for ${n}" } }
class a($p) { notify { $p: } }
class b($p) { notify { $p: } }
# ---
$x = notify { 'first': } -> notify { 'second': }
notify { 'third': }
# ---
[1, 2, 3].reduce(undef) |$prev, $i| { $r = notify { "r${i}": require => $prev } $r }
# ---
[1, 2].each |$i| { [3, 4].each |$j| { notify { "${i}${j}": tag => ["i${i}", "j${j}"] } } }
Notify <| tag == 'i1' |> -> Notify <| tag == 'j4' and tag != 'i1' |>
# ---
$a = $facts['nope']
if $a { notify { 'yes': } } elsif $a == undef { notify { 'undef': } } else { notify { 'no': } }
# ---
function f($a, $b = $a + 1, *$c) { "${a}${b}${c}" }
notify { [f(1), f(1, 5), f(1, 5, 6, 7)]: }
# ---
type Port = Integer[1, 100]
class c(Port $p = 80) { notify { "p${p}": } }
include c
# ---
class a { notify { 'a': } } class { 'a': } class { 'a': }
# ---
class a { notify { 'n': message => $title } notify { "${name}": } }
class b::c { notify { "${title}-${name}": } }
include a, b::c
# ---
class { 'a': noop => true, schedule => 'x' }
schedule { 'x': }
class a { notify { 'n': noop => false } contain b }
class b { notify { 'm': } }
# ---
class { 'a': require => Notify['pre'], before => Notify['post'] }
class a { notify { 'n': } }
notify { ['pre', 'post']: }
# ---
notify { 'x': before => Class['a'] }
class a { contain b }
class b { notify { 'b': } }
include a
# ---
notify { 'x': message => epp_text() }
function epp_text() { inline_epp('<% [1,2].each |$i| { -%><%= $i %>,<% } -%>') }
# ---
notify { 'x': message => @("END"/n) }
  line ${facts['kernel']}\n
    two
  | END
# ---
if $facts['os'] =~ Hash and 'name' in $facts['os'] { notify { 'in': } }
# ---
unless $trusted['extensions']['role'] { notify { 'no role': } }
# ---
# The resources of a body share a list, to which arrows add.
package { ['a', 'b']: before => [Notify['n']] }
notify { 'n': }
exec { '/bin/x': }
Package['a', 'b'] -> Exec['/bin/x']
# ---
package { default: require => [Notify['n']], notify => [Notify['m']]; 'a': ; 'b': }
notify { ['n', 'm']: }
exec { '/bin/x': }
Package['a'] ~> Exec['/bin/x']
# ---
Package { before => [Notify['n']] }
package { 'a': }
define d { package { $title: } }
d { 'b': }
notify { 'n': }
exec { '/bin/x': }
Package['a'] -> Exec['/bin/x']
# ---
$list = [Notify['n']]
package { 'a': before => $list; 'b': before => $list }
notify { 'n': }
exec { '/bin/x': }
Package['a'] -> Exec['/bin/x']
# ---
create_resources('package', { 'a' => {}, 'b' => {} }, { 'before' => [Notify['n']] })
notify { 'n': }
exec { '/bin/x': }
Package['a'] -> Exec['/bin/x']
# ---
$list = [Notify['n']]
create_resources('package', { 'a' => { 'before' => $list }, 'b' => { 'before' => $list } })
notify { 'n': }
exec { '/bin/x': }
Package['a'] -> Exec['/bin/x']
# ---
package { ['a', 'b']: }
Package <| |> { before => [Notify['n']] }
notify { 'n': }
exec { '/bin/x': }
Package['a'] -> Exec['/bin/x']
# ---
file { default: mode => '0644'; default: owner => 'root'; '/a': }
# ---
notify { 'a': tag => ['x', 'a b'] }
# ---
notify { 'a': tag => ['A::b.c-d_e', 'x:y', undef] }
# ---
Notify { tag => '-x' }
notify { 'a': }
# ---
class c { tag('x', ['y z']) }
include c
# ---
class c($x = 1) { notify { "${x}": } }
class { 'c': * => { 'x' => 2, 'y' => 3 } }
# ---
define d() { notify { $title: } }
d { 'a': title => 'x' }
# ---
class m::o { include m::i }
class m::i { package { 'p': } }
define m::d() { include m::o }
class o::x { m::d { 'q': } }
include o::x
notify { 'n': }
Package<| tag == 'x' |> ~> Notify['n']
# ---
notify { ['a', 'b']: }
@@file { '/a': }
Notify['a'] -> Notify<| title == 'b' or tag == 'nope' |>
# ---
notify { 'a': require => 'nope' }
# ---
notify { 'a': tag => Sensitive('a') }
# ---
file { '/a': owner => 'x', * => { 'owner' => 'y' } }
# ---
define d { notify { "n ${title}": message => "${type($title)}" } }
create_resources('d', { 80 => {}, 1.5 => {}, true => {} })
# ---
create_resources('notify', { 80 => {}, 443 => { message => 'x' } })
# ---
create_resources('notify', { 80 => {}, '80' => {} })
# ---
define d(Integer $port = $title) { notify { "n ${port}": } }
class c { create_resources('d', { 80 => {} }) }
include c
# ---
include settings
Class['settings'] -> Notify['a']
notify { 'a': require => Class['settings'] }
# ---
class { 'settings': }
# ---
class a { }
class { 'a': stage => 'pre' }
stage { 'pre': before => Stage['main'] }
# ---
class a { }
class s { stage { 'pre': before => Stage['main'] } }
class { 'a': stage => 'pre' }
include s
# ---
class a { notify { 'a': } }
class s { stage { 'pre': before => Stage['main'] } }
include s
class { 'a': stage => 'pre' }
# ---
class a { notify { 'a': } }
Stage['pre'] -> Stage['main']
@stage { 'pre': }
class { 'a': stage => 'pre' }
# ---
notify { 'a': stage => 'main' }
# ---
define d { notify { $title: } }
d { 'x': stage => 'main' }
# ---
class a { notify { 'a': } }
class { 'a': stage => undef }
