mod declarations;
mod ranking;

use crate::fixture::*;
use crate::{CompletionItem, CompletionKind, DocumentedKind};

const MODULE: &str = r"
//- modules/web/manifests/init.pp
# Serves.
# @param ports The ports to listen on
class web (
  Array[Web::Port] $ports = [80],
  Enum['on', 'off'] $state = 'on',
  Web::Options $options = {},
) inherits web::params { }
//- modules/web/manifests/params.pp
class web::params {
  $root = '/srv'
}
//- modules/web/manifests/site.pp
define web::site (Integer $port, Optional[String] $docroot = undef) { file { '/srv/www': } }
//- modules/web/functions/one.pp
function web::one(Integer $x) >> String { 'a' }
//- modules/web/types/port.pp
type Web::Port = Integer[1, 65535]
//- modules/web/types/options.pp
type Web::Options = Struct[{ 'mode' => Enum['fast', 'slow'], Optional['level'] => Integer }]
//- modules/web/templates/site.epp
<%= 1 %>
//- modules/web/files/a/b.txt
text
//- modules/web/lib/facter/color.rb
Facter.add(:color) { setcode { 'red' } }
";

/// Returns the completions in a file of the workspace [`MODULE`].
pub(super) fn completions_of(path: &str, code: &str) -> Vec<CompletionItem> {
    let fixture = Fixture::new(&format!("{MODULE}//- {path}\n{code}"));
    let (file, offset) = fixture.cursor();
    fixture.analysis().completions(file, offset).items
}

/// Renders up to `most` completions in a file: `label`, or `label as text` if the inserted text
/// differs.
pub(super) fn offered_in(path: &str, code: &str, most: usize) -> String {
    let fixture = Fixture::new(&format!("{MODULE}//- {path}\n{code}"));
    let (file, offset) = fixture.cursor();
    let found = fixture.analysis().completions(file, offset);
    let shown = found.items.iter().take(most).map(|it| {
        assert!(it.range.contains_inclusive(offset));
        match it.insert == it.label {
            true => it.label.clone(),
            false => format!("{} as {}", it.label, it.insert),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

pub(super) fn offered(code: &str, most: usize) -> String {
    offered_in("manifests/site.pp", code, most)
}

pub(super) fn is_offered(code: &str, label: &str) -> bool {
    let all = offered(code, usize::MAX);
    all.split(", ").any(|it| it == label)
}

#[test]
fn variables_in_scope() {
    let code = "class a(Integer $size, $other) {\n  $sum = 1\n  [1].each |$item| { notice($<^>) }\n  $late = 1\n}";
    let found = offered(code, 4);
    assert_eq!(found, "item, sum, other, size");
    assert!(!is_offered(code, "late"));
    assert!(is_offered(code, "facts"));
    // Of two equally near variables, the one named like the attribute comes first.
    let code = "class a($mode, $owner) { file { '/x': mode => $<^> } }";
    assert_eq!(offered(code, 2), "mode, owner");
    assert_eq!(offered("class a($x) { $y = \"a ${<^>", 1), "x");
    assert_eq!(offered("class a($x) { $y = \"a $<^> b\" }", 1), "x");
    assert_eq!(offered("$x = 1\n$y = $<^>", 1), "x");
}

#[test]
fn variables_of_classes() {
    assert_eq!(offered("$a = $web::pa<^>", 1), "web::params::root");
    assert_eq!(offered("$a = $::web::por<^>", 1), "::web::ports");
    let inherited = "class web::b inherits web::params { notice($ro<^>) }";
    assert_eq!(offered(inherited, 1), "root");
}

#[test]
fn attributes_that_are_not_set() {
    let code = "web::site { 'x': <^> }";
    assert_eq!(offered(code, 2), "port as port => , docroot as docroot => ");
    let code = "web::site { 'x': port => 1, <^> => 2 }";
    assert_eq!(offered(code, 1), "docroot");
    assert!(!is_offered(code, "port"));
    assert_eq!(offered("class { 'web': sta<^>", 1), "state as state => ");
    assert_eq!(offered("File { own<^> }", 1), "owner as owner => ");
    assert_eq!(
        offered("file { '/x': subs<^> }", 1),
        "subscribe as subscribe => "
    );
}

#[test]
fn words_after_an_open_brace() {
    // Without its bracket, the parser ends the resource before a line that is not indented.
    for code in [
        "class a {\n  service {\n  d<^>\n}",
        "class a {\n  service {\n    d<^>\n  }\n}",
        "service { def<^>",
    ] {
        assert_eq!(offered(code, usize::MAX), "default", "{code}");
    }
    let code = "class a($names) {\n  service {\n  <^>\n}";
    assert!(is_offered(code, "default") && is_offered(code, "$names"));
    assert!(!is_offered(code, "include") && !is_offered(code, "web::site"));
    // Options are neither calls nor resources.
    for code in [
        "class a($x) {\n  case $x {\n  de<^>\n}",
        "class a($x) {\n  case $x {\n    de<^>\n  }\n}",
        "class a($x) { $b = $x ? { de<^> } }",
    ] {
        assert_eq!(offered(code, 1), "default", "{code}");
        assert!(!is_offered(code, "defined"));
    }
    let option = "class a($x) { case $x { Web<^> } }";
    assert!(is_offered(option, "Web::Port") && !is_offered(option, "Web::Site"));
    assert_eq!(
        offered("class a {\n  File {\n  own<^>\n}", 1),
        "owner as owner => "
    );
}

#[test]
fn values_of_the_expected_type() {
    assert_eq!(
        offered("class { 'web': state => <^> }", 2),
        "off as 'off', on as 'on'"
    );
    assert_eq!(offered("class { 'web': state => 'o<^>' }", 2), "off, on");
    assert_eq!(offered("file { '/x': ensure => dir<^> }", 1), "directory");
    let code = "class a(Enum['x y', 'z'] $e) { if $e == <^> { } }";
    assert_eq!(offered(code, 2), "x y as 'x y', z as 'z'");
    let code = "class a(Enum['x y', 'z'] $e) { case $e { <^> } }";
    assert_eq!(offered(code, 2), "x y as 'x y', z as 'z'");
    let code = "class a(Enum['v', 'z'] $e) { $b = $e ? { <^> => 1 } }";
    assert_eq!(offered(code, 2), "v as 'v', z as 'z'");
    assert_eq!(offered("class a(Enum['v', 'z'] $e = '<^>') { }", 2), "v, z");
    assert_eq!(
        offered("class { 'web': options => { mode => '<^>' } }", 2),
        "fast, slow"
    );
    assert_eq!(
        offered("class { 'web': options => { <^> } }", 2),
        "mode as 'mode' => , level as 'level' => "
    );
}

#[test]
fn names_of_definitions() {
    assert_eq!(offered("include web::p<^>", 1), "web::params");
    assert_eq!(offered("include <^>", 2), "web::params, web");
    assert_eq!(offered("class { 'web::p<^>", 1), "web::params");
    assert_eq!(offered("class b inherits web::p<^> { }", 1), "web::params");
    assert_eq!(
        offered("class b inherits web::p<^> { include web::params }", 1),
        "web::params"
    );
    assert_eq!(offered("class a(::Web::P<^> $x) { }", 1), "::Web::Port");
    assert_eq!(offered("$a = Class['web::p<^>']", 1), "web::params");
    assert_eq!(offered("$a = web::o<^>", 1), "web::one");
    assert_eq!(offered("web::s<^>", 1), "web::site");
    assert_eq!(
        offered("class a(Web::<^> $x) { }", 2),
        "Web::Options, Web::Port"
    );
    assert_eq!(
        offered("class a(<^> $x) { }", usize::MAX)
            .matches("Integer")
            .count(),
        1
    );
    assert!(is_offered("class a($y, <^>) { }", "Web::Port"));
    assert!(is_offered("if $x =~ <^> { }", "Web::Port"));
}

#[test]
fn methods_that_accept_the_receiver() {
    assert!(is_offered("$a = [1].<^>", "each"));
    assert!(is_offered("$a = 'x'.<^>", "upcase"));
    assert!(!is_offered("$a = 5.<^>", "split"));
    assert!(is_offered("$a = 5.<^>", "web::one"));
    assert!(!is_offered("$a = 'x'.<^>", "web::one"));
}

#[test]
fn keys() {
    assert!(is_offered("$a = $facts['<^>']", "color"));
    assert!(is_offered("$a = $facts[<^>]", "os as 'os'"));
    assert_eq!(offered("$a = $facts['os']['fam<^>']", 1), "family");
    assert_eq!(offered("$a = \"${facts['os']['fam<^>']}\"", 1), "family");
    assert_eq!(
        offered("$h = { 'one' => 1, 'two' => 2 }\n$a = $h['<^>']", 2),
        "one, two"
    );
    let code = "class a(Web::Options $o) { $o[<^>] }";
    assert_eq!(offered(code, 2), "level as 'level', mode as 'mode'");
}

#[test]
fn titles_and_paths() {
    let code = "class web::x { file { '/etc/a': } -> File['<^>'] }";
    let found = offered_in("modules/web/manifests/x.pp", code, 2);
    assert_eq!(found, "/etc/a, /srv/www");
    assert_eq!(offered("$a = epp('<^>')", 1), "web/site.epp");
    assert_eq!(offered("$a = file('w<^>')", 1), "web/a/b.txt");
    let code = "file { '/x': source => 'puppet:///modules/w<^>' }";
    assert_eq!(offered(code, 1), "puppet:///modules/web/a/b.txt");
}

#[test]
fn titles_of_other_modules() {
    assert_eq!(offered("$a = File['<^>']", 1), "/srv/www");
    let code = "file { '/b': } $a = File['<^>']";
    assert_eq!(offered(code, 2), "/b, /srv/www");
}

#[test]
fn sources_in_modules() {
    let path = "puppet:///modules/web/a/b.txt";
    for code in [
        "file { '/x': source => '<^>' }",
        "file { '/x': source => 'pup<^>' }",
        "file { '/x': source => ['puppet:///mod<^>'] }",
        "package { 'x': source => 'puppet:///modules/<^>' }",
    ] {
        assert_eq!(offered(code, 1), path, "{code}");
    }
    for code in [
        "file { '/x': source => '/etc<^>' }",
        "file { '/x': source => \"${x}<^>\" }",
        "package { 'x': source => '<^>' }",
    ] {
        assert!(!is_offered(code, path), "{code}");
    }
}

#[test]
fn recovers_from_a_missing_comma() {
    for code in [
        "file { '/x':\n  ensure => present\n  own<^>\n}",
        "file { '/x': ensure => present own<^> }",
        "file { '/x':\n  ensure => present\n  own<^>\n  mode => '1',\n}",
    ] {
        assert_eq!(offered(code, 1), "owner as owner => ", "{code}");
    }
    assert!(!is_offered(
        "file { '/x': ensure => present; own<^> }",
        "owner"
    ));
    assert!(is_offered("class a(String $x\n  <^>) { }", "Web::Port"));
    let code = "class { 'web': options => { mode => 'fast' <^> } }";
    assert_eq!(offered(code, 1), "level as 'level' => ");
}

#[test]
fn names_of_new_definitions_follow_the_path() {
    for (path, code, expected) in [
        ("manifests/a/b.pp", "class <^>", "web::a::b"),
        ("manifests/new.pp", "# x\ndefine web::n<^> { }", "web::new"),
        ("functions/two.pp", "function <^>", "web::two"),
        ("types/new_one.pp", "type <^>", "Web::New_one"),
        ("types/new.pp", "type Web::<^> = Integer", "Web::New"),
        ("manifests/a.pp", "class web::a { }\nclass <^>", ""),
        ("manifests/a.pp", "class x { class <^> }", ""),
        ("manifests/A-b.pp", "class <^>", ""),
        ("functions/two.pp", "class <^>", ""),
    ] {
        let path = format!("modules/web/{path}");
        assert_eq!(offered_in(&path, code, 2), expected, "{path}: {code}");
    }
    let fixture = Fixture::new(&format!("{MODULE}//- modules/web/manifests/a/b.pp\ncl<^>"));
    let (file, offset) = fixture.cursor();
    let found = fixture.analysis().completions(file, offset).items;
    let snippets = found.iter().filter(|it| it.label == "class");
    let snippets: Vec<_> = snippets.filter_map(|it| it.snippet.as_deref()).collect();
    assert!(
        snippets
            .iter()
            .any(|it| it.contains("class web::a::b (") && it.contains("${2:A short summary}")),
        "{snippets:?}"
    );
}

#[test]
fn statements() {
    for (code, expected) in [
        ("class a { inc<^> }", "include"),
        ("class a {\n  fi<^>\n  user { 'x': }\n}", "file"),
        ("cl<^>", "class"),
        ("class a { un<^> }", "unless"),
    ] {
        let found = offered(code, 5);
        assert!(
            found.split(", ").any(|it| it == expected),
            "{code}: {found}"
        );
    }
}

#[test]
fn only_statement_functions_are_called_without_parentheses() {
    let snippet = |name: &str| {
        let fixture = Fixture::new(&format!("//- manifests/site.pp\n{name}<^>"));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().completions(file, offset).items;
        let mut functions = found.into_iter();
        let function = functions.find(|it| it.kind == CompletionKind::Function && it.label == name);
        function.expect("the function is offered").snippet
    };
    for name in ["notice", "err", "fail", "include", "realize", "tag"] {
        assert_eq!(snippet(name), None, "{name}");
    }
    for name in ["alert", "crit", "emerg", "lookup"] {
        assert_eq!(snippet(name), Some(format!("{name}($0)")), "{name}");
    }
}

#[test]
fn nothing_at_new_names_and_in_free_text() {
    for code in [
        "# a <^>",
        "$a = @(END)\n  Some text.<^>",
        "$a = @(END)\n  Some te<^>",
        "$a = @(END)\n  A line.\n\n  | E<^>\nnotice(1)\n",
        "class a($<^>) { }",
        "class <^>",
        "$a = 'x <^>'",
        "$a = /<^>/",
        "$<^> = 1",
        "define a<^> { }",
    ] {
        let found = offered(code, 3);
        assert!(found.is_empty(), "{code}: {found}");
    }
}

#[test]
fn interpolations_in_a_heredoc_without_its_end() {
    let code = "class a($size) {\n  $a = @(\"END\")\n    It is ${si<^>\n\n  notice(1)\n}\n";
    assert_eq!(offered(code, 1), "size");
    let code = "class a($size) {\n  $a = @(\"END\")\n    It is ${si<^>}.\n\n  notice(1)\n}\n";
    assert_eq!(offered(code, 1), "size");
}

#[test]
fn templates() {
    let code = "<%- | String $name, $size | -%>\n<%= $na<^> %>";
    assert_eq!(offered_in("modules/web/templates/x.epp", code, 1), "name");
}

#[test]
fn documentation_by_key() {
    let fixture = Fixture::new(&format!(
        "{MODULE}//- manifests/site.pp\nclass {{ 'web': po<^> }}"
    ));
    let (file, offset) = fixture.cursor();
    let analysis = fixture.analysis();
    let found = analysis.completions(file, offset);
    let item = found.items.first().expect("an item is offered");
    assert_eq!(item.kind, CompletionKind::Attribute);
    assert!(
        item.snippet
            .as_ref()
            .is_some_and(|it| it.starts_with("ports => ${1"))
    );
    let key = item
        .documentation_key
        .clone()
        .expect("the item has a documentation key");
    let page = analysis.completion_documentation(file, &key);
    assert!(
        page.expect("the attribute is documented")
            .contains("The ports to listen on")
    );
    let keys = [
        (DocumentedKind::Class, "web", "Serves."),
        (DocumentedKind::Function, "web::one", "web::one(Integer $x)"),
        (DocumentedKind::Function, "each", "each("),
        (DocumentedKind::DataType, "web::port", "Integer[1, 65535]"),
        (DocumentedKind::ResourceType, "file", "file"),
        (DocumentedKind::Attribute, "file mode", "mode"),
        (DocumentedKind::Variable, "web::params::root", "'/srv'"),
        (DocumentedKind::Fact, "os family", "family"),
        (DocumentedKind::Fact, "color", "color"),
    ];
    for (kind, name, expected) in keys {
        assert_eq!(DocumentedKind::from_name(kind.name()), Some(kind));
        let key = crate::DocumentationKey {
            kind,
            name: name.to_owned(),
        };
        let page = analysis.completion_documentation(file, &key);
        assert!(page.is_some_and(|it| it.contains(expected)), "{name}");
    }
}

#[test]
fn any_position_of_any_file() {
    for source in broken_variants(EVERYTHING).step_by(41) {
        let fixture = Fixture::new(&format!("//- manifests/site.pp\n{source}"));
        let analysis = fixture.analysis();
        for (at, _) in source.char_indices().step_by(29) {
            let offset = syntax::TextSize::new(at as u32);
            let found = analysis.completions(base::FileId(0), offset);
            for item in found.items {
                assert!(item.range.end() == offset, "{item:?} at {at}");
                assert!(!item.label.contains("upilcursorword"), "{item:?} at {at}");
            }
            analysis.signature_help(base::FileId(0), offset);
        }
    }
}

#[test]
fn names_with_leading_colons() {
    let code = "class a($x) {\n  $y = 1\n  ::<^>\n}";
    let found = offered(code, usize::MAX);
    for name in [
        "::class",
        "::include",
        "::notify",
        "::fail",
        "::x",
        "::a::x",
    ] {
        let mut all = found.split(", ").map(|it| it.split(' ').next());
        assert!(!all.any(|it| it == Some(name)), "{name} in {found}");
    }
    assert!(
        found.contains("::web::site") && found.contains("::web::one"),
        "{found}"
    );
    let path = "modules/web/manifests/x.pp";
    let code = "class web::x {\n  $own = 1\n  notice($::<^>)\n}";
    let found = offered_in(path, code, usize::MAX);
    assert!(!found.contains("::web::x::own"), "{found}");
    assert!(found.contains("::web::params::root"), "{found}");
    let code = "class web::x {\n  $own = 1\n  notice($::web::x<^>)\n}";
    assert_eq!(offered_in(path, code, 1), "::web::x::own");
}
