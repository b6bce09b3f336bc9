//! Shared test fixtures: sources with a cursor marker, and readable results.

mod world;

use syntax::{Dialect, Parse, TextRange, TextSize};

pub(crate) use world::{Log, World, database, layout, set_file, watched};

/// The marker for the cursor. Puppet code does not contain `^`.
const CURSOR: &str = "<^>";

/// The dialect of manifests.
pub(crate) const MANIFEST: Dialect = Dialect {
    epp: false,
    tasks: false,
};

/// The dialect of EPP templates.
pub(crate) const TEMPLATE: Dialect = Dialect {
    epp: true,
    tasks: false,
};

/// The dialect of plans.
pub(crate) const PLAN: Dialect = Dialect {
    epp: false,
    tasks: true,
};

/// Removes the cursor marker from a source. Returns the text and the offset of the cursor.
pub(crate) fn cursor(source: &str) -> (String, TextSize) {
    let at = source.find(CURSOR).expect("the source has a cursor");
    let text = source.replacen(CURSOR, "", 1);
    (text, TextSize::new(at as u32))
}

/// Parses a source, ignoring errors.
pub(crate) fn parse(source: &str, dialect: Dialect) -> Parse {
    syntax::parse(source, dialect)
}

/// Returns the text of a range on one line, with visible line breaks.
pub(crate) fn shown(source: &str, range: TextRange) -> String {
    source[range].replace('\r', "␍").replace('\n', "␊")
}

/// Generates broken variants of a source: truncated at every character, and with every single
/// character removed.
pub(crate) fn damaged(source: &str) -> impl Iterator<Item = String> + '_ {
    let places = source.char_indices();
    places.flat_map(move |(at, c)| {
        let cut = source[..at].to_owned();
        let mut without = cut.clone();
        without.push_str(&source[at + c.len_utf8()..]);
        [cut, without]
    })
}

/// A source that uses most of the language, for tests of invariants.
pub(crate) const EVERYTHING: &str = r#"# A class.
#
# @param port Where it listens
class apache::vhost (
  Integer[1, 65535] $port = 80,
  Optional[String]  *$rest,
) inherits apache::params {
  include apache, ::stdlib
  # region files
  $dir = "/etc/${port}/$port\t${facts['os']['name']}"
  [$a, [$b]] = [1, [0x1F]]
  file { ["${dir}/a", '/b ü']: ensure => present, * => $rest; default: mode => '0644' }
  # endregion
  class { 'apache::mod': before => File['/b ü'] ~> Service[httpd] }
  @@user { 'x': }
  File <<| title == 'x' and tag != y |>> { mode => '0600' }
  File { owner => root }
  File['/b ü'] { owner +> 'x' }
  case $port {
    80, 443: { notice('std') }
    /^8(\d+)$/: { $m = $1 }
    default: { fail("bad \u{1F600} port") }
  }
  $text = @("END"/tn)
    Héllo\t${port}
    | $a
    |- END
  $r = $port ? { 1 => 'one', default => undef }
  $list = [1, 2].map |Integer $n| >> String { $n + $port }.filter |$x| { $x =~ /a\/b/ }
  if $a and !$b { $c = 1 } elsif $b in [1] { } else { unless true { } }
  /* block
     comment */
  function_call(type => 1, a => { 'b' => c, d => -1.5e3 })
}
define a::b($x) { notify { $x: } }
function a::f(Hash $h = {}) >> Integer { $h['x'][1, 2].size }
type A::B = Struct[{ a => Integer }]
node 'a.example.com', /b/, default { }
"#;
