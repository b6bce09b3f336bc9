//! Renames in small workspaces: their edits, the round trip to the original sources, and refusals.

use std::collections::BTreeMap;

use syntax::{TextSize, apply_edits};

use super::{RenameEdit, RenameError};
use crate::fixture::Fixture;
use base::FileId;

const MODULE: &str = "\
//- modules/web/manifests/init.pp
# The web.
#
# @param port where
# @param [Array[String]] portal not it
class web (Web::Port $port = 80, $portal = []) inherits web::params {
  notice(\"${port} $root ${web::port} ${web::params::root}\", web::one($port))
  web::site { 'main': port => $port, * => { 'owner' => 1 } }
  include '::web::params'
  [1].each |$each| { notice($port) }
}
//- modules/web/manifests/params.pp
class web::params {
  $root = '/srv'
  $_own = 1
}
//- modules/web/manifests/site.pp
define web::site ($port, $owner = 'x') {
  file { '/srv': content => epp('web/site.epp', { 'port' => $port }) }
  notice($facts['color'], getvar('web::port.x'), defined('web::site', '$web::port'))
}
//- modules/web/templates/site.epp
<%- | $port | -%>
<%= $port %>
//- modules/web/templates/old.erb
<%= @port %> owner <%= @own %>
//- modules/web/functions/one.pp
function web::one(Web::Port $x) >> Web::Port { $x }
//- modules/web/types/port.pp
type Web::Port = Integer
//- manifests/site.pp
";

fn new_path(edit: &RenameEdit, file: FileId, path: &str) -> String {
    let moved = edit.moves.iter().find(|it| it.file == file);
    moved.map_or_else(|| path.to_owned(), |it| path.replace(&it.from, &it.to))
}

/// Returns the start offsets of the edited names after the edit.
fn places_after(edit: &RenameEdit) -> impl Iterator<Item = (FileId, TextSize)> {
    let mut at = (FileId(u32::MAX), 0);
    edit.edits.iter().map(move |(file, it)| {
        if at.0 != *file {
            at = (*file, 0);
        }
        let start = i64::from(u32::from(it.range.start())) + at.1;
        at.1 += it.text.len() as i64 - i64::from(u32::from(it.range.len()));
        (*file, TextSize::new(start as u32))
    })
}

/// Returns the sources by path after an edit.
fn applied(fixture: &Fixture, edit: &RenameEdit) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (file, path, text) in fixture.files() {
        let edits = edit.edits.iter().filter(|it| it.0 == file);
        let edits: Vec<_> = edits.map(|it| it.1.clone()).collect();
        let path = new_path(edit, file, path);
        let text = apply_edits(text, edits.iter()).expect("edits do not overlap");
        texts.insert(path, text);
    }
    texts
}

fn source(texts: &BTreeMap<String, String>) -> String {
    let files = texts
        .iter()
        .map(|(path, text)| format!("//- {path}\n{text}"));
    files.collect()
}

fn rename(code: &str, new: &str) -> Result<(Fixture, RenameEdit), RenameError> {
    let fixture = Fixture::new(&format!("{MODULE}{code}\n"));
    let (file, offset) = fixture.cursor();
    let edit = fixture.analysis().rename(file, offset, new)?;
    Ok((fixture, edit))
}

/// Returns the changed lines and the new paths of moved files. Asserts that renaming back restores
/// the sources and that there are no additional diagnostics.
fn changes(code: &str, new: &str, old: &str) -> Vec<String> {
    let (fixture, edit) = rename(code, new).expect("rename succeeds");
    let before = applied(&fixture, &RenameEdit::default());
    let after = applied(&fixture, &edit);
    let mut changes = Vec::new();
    for (file, path, text) in fixture.files() {
        let now = new_path(&edit, file, path);
        if now != path {
            changes.push(now.clone());
        }
        for (before, after) in text.lines().zip(after[&now].lines()) {
            if before != after {
                changes.push(after.trim().to_owned());
            }
        }
    }
    let again = Fixture::new(&source(&after));
    let messages = |it: &Fixture| it.render_diagnostics().lines().count();
    assert_eq!(
        messages(&fixture),
        messages(&again),
        "{}",
        again.render_diagnostics()
    );
    let back = places_after(&edit).find_map(|(file, offset)| {
        let (_, path, _) = fixture.files().nth(file.0 as usize)?;
        let path = new_path(&edit, file, path);
        let file = FileId(after.keys().position(|it| *it == path)? as u32);
        // Names in comments cannot be renamed from.
        again.analysis().prepare_rename(file, offset).ok()?;
        Some(again.analysis().rename(file, offset, old))
    });
    let back = back.expect("an edited name can be renamed");
    let back = back.expect("renaming back succeeds");
    assert_eq!(applied(&again, &back), before);
    changes
}

#[test]
fn renames_class_parameters() {
    let found = changes(
        "class { 'web': po<^>rt => 1 } notice($::web::port)",
        "p",
        "port",
    );
    assert_eq!(
        found,
        [
            "# @param p where",
            "class web (Web::Port $p = 80, $portal = []) inherits web::params {",
            "notice(\"${p} $root ${web::p} ${web::params::root}\", web::one($p))",
            "web::site { 'main': port => $p, * => { 'owner' => 1 } }",
            "[1].each |$each| { notice($p) }",
            "notice($facts['color'], getvar('web::p.x'), defined('web::site', '$web::p'))",
            "class { 'web': p => 1 } notice($::web::p)",
        ]
    );
}

#[test]
fn renames_parameters_of_defined_types_and_templates() {
    let found = changes(
        "web::site { 'a': port => 1 } Web::Site <| po<^>rt == 1 |> { port => 3 }",
        "listen",
        "port",
    );
    assert_eq!(
        found,
        [
            "web::site { 'main': listen => $port, * => { 'owner' => 1 } }",
            "define web::site ($listen, $owner = 'x') {",
            "file { '/srv': content => epp('web/site.epp', { 'port' => $listen }) }",
            "web::site { 'a': listen => 1 } Web::Site <| listen == 1 |> { listen => 3 }",
        ]
    );
    let found = changes("notice(epp('web/site.epp', { po<^>rt => 1 }))", "p", "port");
    assert_eq!(
        found,
        [
            "file { '/srv': content => epp('web/site.epp', { 'p' => $port }) }",
            "<%- | $p | -%>",
            "<%= $p %>",
            "notice(epp('web/site.epp', { p => 1 }))",
        ]
    );
}

#[test]
fn renames_variables() {
    let found = changes(
        "$a = 1 notice(\"$<^>a ${a} ${a[1]}\") [1].each |$x| { $a }",
        "b",
        "a",
    );
    assert_eq!(
        found,
        ["$b = 1 notice(\"$b ${b} ${b[1]}\") [1].each |$x| { $b }"]
    );
    let found = changes("notice($web::params::ro<^>ot)", "base", "root");
    assert_eq!(
        found,
        [
            "notice(\"${port} $base ${web::port} ${web::params::base}\", web::one($port))",
            "$base = '/srv'",
            "notice($web::params::base)",
        ]
    );
}

#[test]
fn renames_definitions_and_moves_their_files() {
    let found = changes(
        "include web::par<^>ams notice(Class['Web::Params'], Class[web::params])",
        "web::a::b",
        "web::params",
    );
    assert_eq!(
        found,
        [
            "class web (Web::Port $port = 80, $portal = []) inherits web::a::b {",
            "notice(\"${port} $root ${web::port} ${web::a::b::root}\", web::one($port))",
            "include '::web::a::b'",
            "modules/web/manifests/a/b.pp",
            "class web::a::b {",
            "include web::a::b notice(Class['Web::A::B'], Class[web::a::b])",
        ]
    );
    let found = changes(
        "Web::Si<^>te['a'] -> Web::Site['b']",
        "web::page",
        "web::site",
    );
    assert_eq!(
        found,
        [
            "web::page { 'main': port => $port, * => { 'owner' => 1 } }",
            "modules/web/manifests/page.pp",
            "define web::page ($port, $owner = 'x') {",
            "notice($facts['color'], getvar('web::port.x'), defined('web::page', '$web::port'))",
            "Web::Page['a'] -> Web::Page['b']",
        ]
    );
    let found = changes("notice(1.web::o<^>ne)", "web::two", "web::one");
    assert_eq!(
        found,
        [
            "notice(\"${port} $root ${web::port} ${web::params::root}\", web::two($port))",
            "modules/web/functions/two.pp",
            "function web::two(Web::Port $x) >> Web::Port { $x }",
            "notice(1.web::two)",
        ]
    );
    let found = changes("notice(1 =~ ::Web::Po<^>rt)", "Web::TcpPort", "Web::Port");
    assert_eq!(
        found,
        [
            "class web (Web::TcpPort $port = 80, $portal = []) inherits web::params {",
            "function web::one(Web::TcpPort $x) >> Web::TcpPort { $x }",
            "modules/web/types/tcpport.pp",
            "type Web::TcpPort = Integer",
            "notice(1 =~ ::Web::TcpPort)",
        ]
    );
}

/// Hiera data of the module.
const DATA: &str = "\
//- modules/web/data/common.yaml
# web::port is a comment
web::port: 1
'web::portal': [web::port_]
\"web::site::port\": 2
lookup_options:
  web::port: {merge: first}
  '^web::.*$': {merge: unique}
x: \"%{lookup('web::port.x')} %{::web::port} %{web::portal}\"
//- modules/web/data/other.json
{\"web::port\": {\"x\": 1}}
//- modules/web/files/x.yaml
web::port: 1
";

#[test]
fn renames_hiera_keys() {
    let found = changes(
        &format!("class {{ 'web': po<^>rt => lookup('web::port.x') }}\n{DATA}"),
        "p",
        "port",
    );
    assert_eq!(
        found[found.len() - 5..],
        [
            "class { 'web': p => lookup('web::p.x') }",
            "web::p: 1",
            "web::p: {merge: first}",
            "x: \"%{lookup('web::p.x')} %{::web::p} %{web::portal}\"",
            "{\"web::p\": {\"x\": 1}}",
        ]
    );
    let params = "//- modules/web/data/params.yml\nweb::params::root: /srv\nx: web::params::x::y\n\
        y: '%{web::params::root}'\n";
    let found = changes(
        &format!("include web::par<^>ams notice(lookup('web::params::root'))\n{params}"),
        "web::base",
        "web::params",
    );
    assert!(
        found.contains(&"web::base::root: /srv".to_owned()),
        "{found:?}"
    );
    let interpolated = "y: '%{web::base::root}'".to_owned();
    assert!(found.contains(&interpolated), "{found:?}");
    let last = "include web::base notice(lookup('web::base::root'))".to_owned();
    assert!(found.contains(&last), "{found:?}");
}

#[test]
fn refuses_data_that_cannot_be_renamed() {
    let port = "class { 'web': po<^>rt => 1 }";
    let params = "include web::par<^>ams";
    let site = "Web::Si<^>te['a'] -> Web::Site['b']";
    let cases = [
        (port, "a: lookup('web::port')", "mentions `web::port`"),
        (
            port,
            "a: \"%{lookup(\\\"web::port\\\")}\"",
            "contains `web::port`, which cannot be edited",
        ),
        (port, "web::x: 1", "mentions `web::x`"),
        (port, "web::port: [", "mentions `web` but cannot be parsed"),
        (
            port,
            "\"web::p\\x6frt\": 1",
            "contains `\"web::p\\x6frt\"`, which cannot be edited",
        ),
        (
            port,
            "lookup_options: {'^web::port$': {}}",
            "would match other keys",
        ),
        (params, "x: 'web::params::root'", "mentions `web::params`"),
        (params, "web::x::root: 1", "mentions `web::x`"),
        (site, "resources: {web::site: {}}", "mentions `web::site`"),
    ];
    for (code, data, expected) in cases {
        let new = if code == port { "x" } else { "web::x" };
        let code = format!("{code}\n//- modules/web/data/common.yaml\n{data}");
        let refused = rename(&code, new).map(|it| it.1).expect_err(data);
        assert!(refused.0.contains(expected), "{data}: {}", refused.0);
    }
}

#[test]
fn searches_templates_of_other_items() {
    let child = "//- modules/web/manifests/child.pp\nclass web::child inherits web::params { $x = template('web/T') }\n";
    let cases = [
        ("a.erb", "<%= @root %>", true),
        ("a.erb", "<%= scope['root'] %>", true),
        (
            "a.erb",
            "<%= scope.call_function('get', ['root']) %>",
            false,
        ),
        ("a.erb", "<%= scope[\"r#{x}\"] %>", false),
        ("a.erb", "<%= scope.lookupvar(x) %>", false),
        ("a.erb", "<%= scope.to_hash[x] %>", false),
        ("a.erb", "<%= scope.lookupvar('other') %> root", true),
        (
            "a.erb",
            "<%= scope.function_template(['web/old.erb']) %>",
            true,
        ),
        (
            "a.erb",
            "<%= scope.function_template(['web/read.erb']) %>",
            false,
        ),
        ("a.erb", "<%= scope.function_template([x]) %>", false),
        ("b.erb", "<%= scope['::web::params::root'] %>", true),
        ("b.erb", "<%= ['web::params::root'] %>", false),
        ("b.erb", "<%= scope['::web::params::roots'] %>", true),
    ];
    for (name, template, can) in cases {
        let child = child.replace('T', "a.erb");
        let nested = "//- modules/web/templates/read.erb\n<%= @root %>\n";
        let code = format!(
            "notice($web::params::ro<^>ot)\n{child}{nested}//- modules/web/templates/{name}\n{template}"
        );
        let result = rename(&code, "base").map(|it| it.1);
        assert_eq!(result.is_ok(), can, "{template}: {result:?}");
    }
    let top = "$po<^>rt = 1";
    let refused = rename(top, "x").map(|it| it.1).expect_err(top);
    assert_eq!(
        refused.0,
        "cannot rename: `templates/old.erb` of module `web` may read `port`"
    );
}

#[test]
fn refuses_changes_of_meaning() {
    let cases = [
        ("$a = 1 $<^>b = 2", "a", "`$a` already exists"),
        ("$<^>a = 1 [1].each |$x| { $a }", "x", "`$x` already exists"),
        (
            "$<^>a = 1 notice($osfamily)",
            "osfamily",
            "`$osfamily` already refers to something else",
        ),
        (
            "class { 'web': po<^>rt => 1 }",
            "root",
            "`$root` already refers to something else",
        ),
        (
            "class { 'web': po<^>rt => 1 }",
            "require",
            "`require` is a metaparameter",
        ),
        (
            "class { 'web': po<^>rt => 1 }",
            "_p",
            "`$_p` would be local to its scope because of the leading underscore",
        ),
        (
            "class { 'web': po<^>rt => 1 }",
            "Port",
            "invalid variable name `Port`",
        ),
        (
            "notice($web::params::ro<^>ot)",
            "port",
            "`$port` already exists in `web`, where the variable is used",
        ),
        (
            "include web::par<^>ams",
            "web::site",
            "`web::site` already exists",
        ),
        (
            "include web::par<^>ams",
            "params",
            "names in module `web` must begin with `web::`",
        ),
        (
            "include web::par<^>ams",
            "web::Params",
            "invalid name `web::Params`: each part must be a lowercase word that begins with a letter",
        ),
        (
            "include web::par<^>ams include web::x",
            "web::x",
            "`web::x` is undefined, but already used",
        ),
        ("notice(1.web::o<^>ne)", "notice", "`notice` already exists"),
        ("notice(web::o<^>ne(1))", "if", "`if` is a reserved word"),
        (
            "notice(1 =~ Inte<^>ger)",
            "Float",
            "cannot rename data type `integer`: built into Puppet",
        ),
        (
            "fi<^>le { '/': }",
            "path",
            "cannot rename resource type `file`: built into Puppet",
        ),
        (
            "file { '/': own<^>er => 1 }",
            "x",
            "cannot rename attribute `owner`: resource type `file` is not defined in Puppet code",
        ),
        (
            "file { '<^>/': }",
            "x",
            "cannot rename the title of a resource",
        ),
        (
            "notice($fa<^>cts)",
            "x",
            "cannot rename variable `facts`: built into Puppet",
        ),
        (
            "notice(template('web/old.erb')) $po<^>rt = 1",
            "x",
            "cannot rename: `templates/old.erb` of module `web` may read `port`",
        ),
        (
            "class web::x { $po<^>rt = template('web/old.erb') } class web::y { template('web/old.erb') }",
            "x",
            "cannot rename `$port`: template `web/old.erb` reads it, which `web::y` renders too",
        ),
        (
            "class { 'web': po<^>rt => 1 } class { 'web': * => $x }",
            "x",
            "cannot rename `$port`: a computed hash in top-level code may set it",
        ),
        (
            "web::site { 'a': po<^>rt => 1 } create_resources('web::site', $x)",
            "x",
            "cannot rename `$port`: a computed hash in top-level code may set it",
        ),
        (
            "class web::x { $n = 'a' class { \"web::${n}\": port => 1 } class { 'web': po<^>rt => 1 } }",
            "x",
            "cannot rename `$port`: a class with a computed name in `web::x` may have it",
        ),
        (
            "class { ['web', 'x']: port => 1 } class { 'web': po<^>rt => 1 }",
            "x",
            "cannot rename `$port`: set on several classes at once in top-level code",
        ),
        (
            "class web::x { notice(template($y)) $po<^>rt = 1 }",
            "x",
            "cannot rename `$port`: an unknown template may read it",
        ),
        ("notice(1)<^>", "x", "no symbol to rename at this position"),
    ];
    for (code, new, expected) in cases {
        let refused = rename(code, new).map(|it| it.1).expect_err(code);
        assert_eq!(refused.0, expected, "{code} -> {new}");
    }
    // Template text outside of tags contains no names.
    assert!(rename("notice(template('web/old.erb')) $ow<^>ner = 1", "x").is_ok());
}

#[test]
fn prepares_the_range_of_the_name() {
    let shown = |code: &str| {
        let fixture = Fixture::new(&format!("{MODULE}{code}\n"));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().prepare_rename(file, offset);
        found.map(|it| (fixture.text(file)[it.range].to_owned(), it.name))
    };
    let of = |text: &str| Ok((text.to_owned(), text.to_owned()));
    assert_eq!(shown("notice(\"${we<^>b::port}\")"), of("port"));
    assert_eq!(shown("include '::web::par<^>ams'"), of("web::params"));
    assert_eq!(shown("class { 'web': po<^>rt => 1 }"), of("port"));
    assert!(shown("fi<^>le { '/': }").is_err());
}

#[test]
fn moved_files_rename_their_definitions() {
    let fixture = Fixture::new(&format!(
        "{MODULE}notice(template('web/old.erb'), epp(\"web/site.epp\"))\n"
    ));
    let id = |path: &str| {
        let mut files = fixture.files();
        files
            .find(|it| it.1.ends_with(path))
            .expect("file exists")
            .0
    };
    let after = |path: &str, to: &str| {
        let files = [(id(path), to.to_owned())];
        let edit = fixture.analysis().rename_files(&files)?;
        Ok::<_, RenameError>(source(&applied(&fixture, &edit)))
    };
    let templates = after("site.epp", "templates/new/page.epp").expect("rename succeeds");
    assert!(
        templates.contains("epp(\"web/new/page.epp\")"),
        "{templates}"
    );
    assert!(
        templates.contains("epp('web/new/page.epp', {"),
        "{templates}"
    );
    let erb = after("old.erb", "templates/new.erb").expect("rename succeeds");
    assert!(erb.contains("template('web/new.erb')"), "{erb}");
    let class = after("params.pp", "manifests/other/name.pp").expect("rename succeeds");
    assert!(class.contains("class web::other::name {"), "{class}");
    assert!(class.contains("${web::other::name::root}"), "{class}");
    let alias = after("port.pp", "types/tcp_port.pp").expect("rename succeeds");
    assert!(alias.contains("type Web::Tcp_port = Integer"), "{alias}");
    assert!(after("params.pp", "manifests/site.pp").is_err());
    let same = source(&applied(&fixture, &RenameEdit::default()));
    assert_eq!(after("params.pp", "manifests/params.txt"), Ok(same));
}

/// A `$module_name` before the path is kept.
#[test]
fn renames_paths_after_module_name() {
    let fixture = Fixture::new(
        "//- modules/web/manifests/init.pp\n\
         class web { notice(template(\"${module_name}/a.erb\", \"$module_name/a.erb\", \"web/a.erb\"))\n\
         file { '/x': source => \"puppet:///modules/${module_name}/f\" } }\n\
         //- modules/web/templates/a.erb\n//- modules/web/files/f\n",
    );
    let files = [
        (FileId(1), "templates/sub/b.erb".to_owned()),
        (FileId(2), "files/g".to_owned()),
    ];
    let edit = fixture
        .analysis()
        .rename_files(&files)
        .expect("rename succeeds");
    let changed = source(&applied(&fixture, &edit));
    for text in [
        "\"${module_name}/sub/b.erb\", \"$module_name/sub/b.erb\", \"web/sub/b.erb\"",
        "\"puppet:///modules/${module_name}/g\"",
    ] {
        assert!(changed.contains(text), "{changed}");
    }
}

/// Returns the interpolated names that may be the old name, prefixed with `!` if they certainly are.
fn doubts(code: &str, new: &str) -> Vec<String> {
    let (_, edit) = rename(code, new).expect("rename succeeds");
    let doubts = edit.uncertain_uses.iter().map(|it| match it.is_certain {
        true => format!("!{}", it.text),
        false => it.text.clone(),
    });
    doubts.collect()
}

#[test]
fn reports_interpolated_names() {
    let params = "include web::par<^>ams ";
    let every = [
        "include \"web::${x}\"",
        "contain(['a', \"::web::par${x}\"])",
        "\"${x}::params\".require",
        "class { [\"WEB::${x}\"]: }",
        "notify { 'a': require => Class[\"web::${x}\"] }",
        "create_resources('class', { \"web::${x}\" => {} })",
        "if defined(\"web::${x}\") { }",
        "lookup(\"${x}::params::root\")",
    ];
    for code in every {
        let found = doubts(&format!("$x = $facts['x'] {params}{code}"), "web::x");
        let text = code.split('"').nth(1).expect("code contains a string");
        assert_eq!(found, [format!("\"{text}\"")], "{code}");
    }
    let others = [
        "include \"web::site${x}\"",
        "include \"web::${x}::params\"",
        "include \"${x}\"",
        "include \"${x}::${x}\"",
        "notice(\"web::${x}\")",
        "create_resources(\"web::${x}\", {})",
        "getvar(\"web::${x}\")",
        "notify { \"web::${x}\": }",
    ];
    for code in others {
        let found = doubts(&format!("$x = $facts['x'] {params}{code}"), "web::x");
        assert_eq!(found, [""; 0], "{code}");
    }
    let member = format!("$x = $facts['x'] {params}getvar(\"web::params::${{x}}\")");
    assert_eq!(doubts(&member, "web::x"), ["!\"web::params::${x}\""]);
    // Names are case-insensitive in Puppet.
    let same = doubts("Web::Po<^>rt notice(defined(\"web::${x}\"))", "Web::PORT");
    assert_eq!(same, [""; 0]);
}

#[test]
fn uses_inferred_values_of_interpolated_parts() {
    let of = |parameter: &str, used: &str| {
        let class = format!("class web::user ({parameter}) {{ {used} }}");
        let module = format!("include web::par<^>ams\n//- modules/web/manifests/user.pp\n{class}");
        doubts(&module, "web::x")
    };
    let used = "include \"web::${x}\"";
    assert_eq!(of("Enum['params', 'site'] $x", used), ["\"web::${x}\""]);
    assert_eq!(of("Enum['one', 'site'] $x", used), [""; 0]);
    assert_eq!(of("Integer[1, 1] $x", used), [""; 0]);
    let whole = "include \"${x}\"";
    assert_eq!(of("Enum['web::params', 'a'] $x", whole), ["\"${x}\""]);
    assert_eq!(
        of("", "$y = 'params' include \"web::${y}\""),
        ["!\"web::${y}\""]
    );
    assert_eq!(
        of("", "include \"${module_name}::params\""),
        ["!\"${module_name}::params\""]
    );
}

#[test]
fn finds_functions_and_types_named_by_strings() {
    let found = changes(
        "notice(call('web::one', 1.web::o<^>ne))",
        "web::two",
        "web::one",
    );
    let last = "notice(call('web::two', 1.web::two))";
    assert_eq!(found.last().map(String::as_str), Some(last));
    let called = "notice(1.web::o<^>ne, call(\"web::${facts['x']}\"))";
    assert_eq!(doubts(called, "web::two"), ["\"web::${facts['x']}\""]);
    let created =
        "Web::Si<^>te['a'] -> Web::Site['b'] ensure_resource(\"web::${facts['x']}\", 'a')";
    assert_eq!(doubts(created, "web::page"), ["\"web::${facts['x']}\""]);
    let template =
        "include web::par<^>ams\n//- modules/web/templates/x.epp\n<% include \"web::${x}\" %>";
    assert_eq!(doubts(template, "web::x"), ["\"web::${x}\""]);
    let fixture = Fixture::new(&format!("{MODULE}include \"web::${{facts['x']}}\"\n"));
    let file = fixture.files().find(|it| it.1.ends_with("params.pp"));
    let moved = [(file.expect("file exists").0, "manifests/base.pp".to_owned())];
    let edit = fixture
        .analysis()
        .rename_files(&moved)
        .expect("rename succeeds");
    assert_eq!(edit.uncertain_uses.len(), 1);
    assert_eq!(edit.uncertain_uses[0].name, "web::params");
}
