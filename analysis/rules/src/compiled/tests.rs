//! The problems of whole catalogs, of nodes that definitions, regular expressions and data name.

use syntax::Severity;

use crate::testing::{reported, reported_on_debian, severities};

const DUPLICATE: &str = "duplicate-resource";
const FAILURE: &str = "failing-class";

const HIERA: &str = "//- modules/environment/hiera.yaml\nversion: 5\nhierarchy:\n\
                     - {name: n, path: 'nodes/%{trusted.certname}.yaml'}\n\
                     - {name: c, path: common.yaml}\n";

fn found(rule: &str, main: &str, files: &[(&str, &str)]) -> Vec<String> {
    let files = files
        .iter()
        .map(|(path, text)| format!("//- modules/{path}\n{text}\n"));
    let files: String = files.collect();
    found_in(
        rule,
        &format!("//- manifests/site.pp\n{main}\n{HIERA}{files}"),
    )
}

fn found_in(rule: &str, code: &str) -> Vec<String> {
    let rule = crate::all().find(|it| it.code == rule);
    reported(rule.expect("the rule exists"), code)
}

#[test]
fn compiles_nodes_that_a_regular_expression_matches() {
    let files = [("m/manifests/web.pp", "class m::web { }")];
    // Inference knows the text of a group that always matches the same text.
    let check = |node: &str| {
        let rules = [FAILURE, "unknown-class"];
        rules.map(|it| found(it, node, &files)).concat()
    };
    for (node, expected) in [
        (
            r"/^(web|db)\d+$/",
            "node `db1` fails: unknown class `m::db`",
        ),
        ("/^(db)/", "unknown class `m::db`"),
    ] {
        let all = check(&format!("node {node} {{ include \"m::${{1}}\" }}"));
        assert_eq!(all.len(), 1, "{all:?}");
        assert!(all[0].ends_with(expected), "{all:?}");
    }
    for node in [
        r#"/^(web)\d+$/ { include "m::${1}" }"#,
        r#"/^(web|d.*)$/ { if $1 == 'x' { include m::web } }"#,
        r#"/^([a-z]+)\d+/ { include "m::${1}" }"#,
        r#"/^web/ { $parts = $trusted['certname'].split('-') include "m::${parts[1]}" }"#,
        r#"/^web/ { include "m::${facts['networking']['hostname']}" }"#,
        r#"/^web/ { include "m::${fact('networking.hostname')}" }"#,
        r#"/(db)/ { } node /web|(db)/ { if $1 { include m::web } }"#,
    ] {
        assert_eq!(check(&format!("node {node}")), [""; 0], "{node}");
    }
}

#[test]
fn compiles_nodes_that_data_names() {
    let check = |main: &str, data: &str| {
        let files = [
            ("m/manifests/a.pp", "class m::a { package { 'vim': } }"),
            ("m/manifests/b.pp", "class m::b { package { 'vim': } }"),
            ("environment/data/common.yaml", "classes: []"),
            ("environment/data/nodes/web1.yaml", data),
            ("environment/data/nodes/web2.yaml", "classes: ['m::b']"),
        ];
        found(DUPLICATE, main, &files)
    };
    let list = "lookup('classes').include";
    for main in [
        list,
        &format!("node default {{ {list} }}"),
        &format!("node /web/ {{ {list} }}"),
    ] {
        let all = check(main, "classes: ['m::a', 'm::b']");
        assert_eq!(all.len(), 1, "{main}: {all:?}");
        assert!(all[0].ends_with("on nodes such as `web1`"), "{all:?}");
        assert_eq!(check(main, "classes: ['m::a']"), [""; 0], "{main}");
    }
    let elsewhere = HIERA.replace("nodes/", "");
    let code = format!(
        "//- manifests/site.pp\n{list}\n{elsewhere}\
         //- modules/m/manifests/a.pp\nclass m::a {{ package {{ 'vim': }} }}\n\
         //- modules/m/manifests/b.pp\nclass m::b {{ package {{ 'vim': }} }}\n\
         //- modules/environment/data/users.yaml\nclasses: ['m::a', 'm::b']\n"
    );
    assert_eq!(found_in(DUPLICATE, &code), [""; 0]);
    let of_node = code.replace("users", "web1.example.com");
    assert_eq!(found_in(DUPLICATE, &of_node).len(), 1);
    let other = format!("node 'web1' {{ }} node default {{ {list} }}");
    assert_eq!(check(&other, "classes: ['m::a', 'm::b']"), [""; 0]);
}

#[test]
fn reports_unknown_classes_of_data_only_there() {
    let main = "lookup('classes').include";
    let data = [("environment/data/nodes/web1.yaml", "classes: ['m::x']")];
    assert_eq!(found(FAILURE, main, &data), [""; 0]);
}

#[test]
fn reports_values_of_data_that_attributes_refuse() {
    let check = |rule: &str, class: &str, data: &str| {
        let class = format!("class m {{ {class} }}");
        let files = [
            ("m/manifests/init.pp", &*class),
            ("environment/data/common.yaml", data),
        ];
        found(rule, "node 'web1' { include m }", &files).len()
    };
    let file = "file { '/a': mode => lookup('m') }";
    assert_eq!(check("invalid-attribute-value", file, "m: '0999'"), 1);
    assert_eq!(check("invalid-attribute-value", file, "m: '0644'"), 0);
    let exec = "$c = lookup('c') exec { 'a': command => $c }";
    assert_eq!(check("unqualified-command", exec, "c: ls /"), 1);
    assert_eq!(check("unqualified-command", exec, "c: /bin/ls /"), 0);
    assert_eq!(check(FAILURE, "tag(lookup('t'))", "t: a b"), 1);
    assert_eq!(check(FAILURE, "tag(lookup('t'))", "t: a"), 0);
    let reference = "file { '/a': } file { '/b': require => File[\"/${lookup('d')}\"] }";
    assert_eq!(check("unknown-reference", reference, "d: c"), 1);
    assert_eq!(check("unknown-reference", reference, "d: a"), 0);
}

#[test]
fn reports_elements_of_lists_that_all_nodes_read() {
    let check = |common: &str, node: &str| {
        let files = [
            ("environment/data/common.yaml", common),
            ("environment/data/nodes/web1.yaml", node),
        ];
        let main = "$classes = lookup('classes', Array[String], 'unique')";
        found("data-mismatch", main, &files).len()
    };
    assert_eq!(check("classes: [a, 5]", "classes: [b]"), 1);
    assert_eq!(check("classes: [a]", "classes: [b, 5]"), 0);
    assert_eq!(check("classes: [a]", "classes: [b]"), 0);
}

/// Returns the duplicate resources of nodes in the groups that data is for.
fn duplicates_in_groups(main: &str, hierarchy: &str, files: &[(&str, &str)]) -> Vec<String> {
    let rule = crate::all().find(|it| it.code == DUPLICATE);
    let files: String = files
        .iter()
        .map(|(path, text)| format!("//- modules/environment/data/{path}.yaml\n{text}\n"))
        .collect();
    let code = format!(
        "//- manifests/site.pp\n{main}\n\
         //- modules/m/manifests/init.pp\nclass m ($names = []) {{ $names.each |$it| {{ package {{ $it: }} }} }}\n\
         //- modules/environment/hiera.yaml\nversion: 5\nhierarchy:\n{hierarchy}{files}"
    );
    reported_on_debian(rule.expect("the rule exists"), &code)
}

#[test]
fn compiles_the_groups_of_nodes_that_data_is_for() {
    let list = "lookup('classes', Array, 'first', []).include";
    let wrong = "classes: [m]\nm::names: [a, a]";
    for variable in ["facts.role", "role", "trusted.extensions.pp_role"] {
        let levels = format!("- {{name: r, path: 'role/%{{{variable}}}.yaml'}}\n");
        let files = [("role/db", "classes: []"), ("role/web", wrong)];
        let found = duplicates_in_groups(list, &levels, &files);
        assert_eq!(found.len(), 1, "{variable}: {found:?}");
        assert!(found[0].ends_with("role=web`"), "{found:?}");
        let node = format!("node default {{ {list} }}");
        assert_eq!(
            duplicates_in_groups(&node, &levels, &files).len(),
            1,
            "{variable}"
        );
    }
    let extension = "- {name: r, path: 'role/%{trusted.extensions.pp_role}.yaml'}\n";
    let computed = "include $trusted['extensions']['pp_role']";
    let files = [("role/m", "m::names: [a, a]")];
    assert_eq!(duplicates_in_groups(computed, extension, &files).len(), 1);
    let other = "include $trusted['extensions']['pp_service']";
    assert_eq!(duplicates_in_groups(other, extension, &files), [""; 0]);
    for level in [
        "facts.os.name",
        "facts.hostname",
        "environment",
        "::operatingsystem",
    ] {
        let levels = format!("- {{name: r, path: 'role/%{{{level}}}.yaml'}}\n");
        assert_eq!(
            duplicates_in_groups(list, &levels, &[("role/x", wrong)]),
            [""; 0],
            "{level}"
        );
    }
}

#[test]
fn problems_of_groups_are_those_of_all_nodes_in_them() {
    let list = "lookup('classes', Array, 'first', []).include";
    let levels = "- {name: n, path: 'nodes/%{trusted.certname}.yaml'}\n\
                  - {name: s, path: 'site/%{facts.site}.yaml'}\n\
                  - {name: r, path: 'role/%{facts.role}.yaml'}\n";
    let check = |others: &[(&str, &str)]| {
        let mut files = vec![
            ("role/web", "classes: [m]\nm::names: [a, a]"),
            ("role/db", "classes: []"),
        ];
        files.extend_from_slice(others);
        duplicates_in_groups(list, levels, &files).len()
    };
    assert_eq!(check(&[]), 1);
    assert_eq!(check(&[("nodes/web1.x.org", "x: y")]), 1);
    assert_eq!(check(&[("nodes/web1.x.org", "m::names: [a, b]")]), 0);
    assert_eq!(check(&[("site/a", "m::names: [a, b]")]), 0);
    let assigned = format!("$role = 'x'\n{list}");
    let plain = "- {name: r, path: 'role/%{role}.yaml'}\n";
    let files = [("role/web", "classes: [m]\nm::names: [a, a]")];
    assert_eq!(duplicates_in_groups(list, plain, &files).len(), 1);
    assert_eq!(duplicates_in_groups(&assigned, plain, &files), [""; 0]);
}

#[test]
fn nodes_that_data_names_are_in_the_only_group() {
    let list = "lookup('classes', Array, 'first', []).include";
    let levels = "- {name: n, path: 'nodes/%{trusted.certname}.yaml'}\n\
                  - {name: r, path: 'role/%{facts.role}.yaml'}\n";
    let check = |others: &[(&str, &str)]| {
        let mut files = vec![
            ("role/web", "classes: [m]"),
            ("nodes/web1.x.org", "m::names: [a, a]"),
        ];
        files.extend_from_slice(others);
        duplicates_in_groups(list, levels, &files)
    };
    let found = check(&[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("`web1.x.org`"), "{found:?}");
    assert_eq!(check(&[("role/db", "classes: []")]), [""; 0]);
}

#[test]
fn classes_that_data_includes_twice_are_wrong_in_the_code() {
    let files = [
        ("m/manifests/init.pp", "class m { class { 'm::a': } }"),
        ("m/manifests/a.pp", "class m::a { }"),
        ("environment/data/common.yaml", "classes: ['m::a', m]"),
    ];
    let all = found(DUPLICATE, "include(lookup('classes'))", &files);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("'m::a'"), "{all:?}");
    let literal = found(DUPLICATE, "include m::a, m", &files);
    assert_eq!(literal.len(), 1, "{literal:?}");
    assert!(
        literal[0].starts_with("`include m::a, m`") || literal[0].starts_with("`m::a`"),
        "{literal:?}"
    );
}

#[test]
fn mistakes_outside_of_nodes_are_reported_there() {
    let main = "stage { 'pre': before => Stage['mian'] }\nnode a { notify { 'a': } }\nnode b { notify { 'b': } }";
    assert_eq!(
        found("unknown-reference", main, &[]),
        ["`'mian'`: unknown resource `Stage['mian']`"]
    );
}

#[test]
fn unknown_answers_of_hiera_include_may_name_any_class() {
    let files = [
        (
            "m/manifests/p.pp",
            "class m::p { package { 'systemd-sysv': } }",
        ),
        (
            "m/manifests/s.pp",
            "class m::s { exec { '/bin/true': require => Package['systemd-sysv'] } }",
        ),
        ("environment/data/common.yaml", "classes: ['m::p']"),
    ];
    let main = "include m::s\nhiera_include('classes')";
    assert_eq!(found("unknown-reference", main, &files), [""; 0]);
}

#[test]
fn templates_that_call_pure_functions_declare_nothing() {
    let check = |function: &str| {
        let files = [
            (
                "m/templates/x.erb",
                "<%= scope.call_function('m::f', [1]) %>",
            ),
            ("m/lib/puppet/functions/m/f.rb", function),
        ];
        let main = "node a {\nfile { '/a': content => template('m/x.erb') }\n\
                    file { '/b': require => File['/none'] }\n}";
        found("unknown-reference", main, &files).len()
    };
    let code = |body: &str| {
        format!(
            "Puppet::Functions.create_function(:'m::f') do\n  def f(x)\n    {body}\n  end\nend\n"
        )
    };
    assert_eq!(check(&code("x.to_s")), 1);
    for body in [
        "call_function('include', 'm')",
        "call_function('create_resources', type, all)",
        "closure_scope.compiler",
        "call_function(x)",
        "call_function('m::unknown')",
    ] {
        assert_eq!(check(&code(body)), 0, "{body}");
    }
}

#[test]
fn known_titles_beside_unknown_ones_are_declared() {
    let declared = |titles: &str| {
        let class = format!(
            "class m {{ $v = generate('/bin/v') package {{ [{titles}]: }} package {{ 'q1': }} }}"
        );
        found(DUPLICATE, "include m", &[("m/manifests/init.pp", &class)]).len()
    };
    assert_eq!(declared("'q1', \"q${v}\""), 1);
    assert_eq!(declared("'q2', \"q${v}\""), 0);
}

/// Counts the duplicate declarations of `vim` by a class, where `VIM` stands for another class that declares it.
fn duplicates_of_vim(class: &str) -> usize {
    let class = class.replace("VIM", "include m::vim");
    let class = format!(
        "class m($given = undef, String $text = 'x') {{\n\
         $c = generate('/bin/x')\n$s = \"x ${{c}}\"\n$l = [$c, 'x']\n{class}\npackage {{ 'vim': }}\n}}"
    );
    let vim = "class m::vim { package { 'vim': } }";
    let files = [
        ("m/manifests/init.pp", &*class),
        ("m/manifests/vim.pp", vim),
    ];
    found(DUPLICATE, "include m", &files).len()
}

#[track_caller]
fn assert_duplicates_of_vim(expected: usize, bodies: &[&str]) {
    for body in bodies {
        assert_eq!(duplicates_of_vim(body), expected, "{body}");
    }
}

#[test]
fn types_of_unknown_values_decide_conditions() {
    assert_duplicates_of_vim(
        1,
        &[
            "if $c { VIM }",
            "if $s and $c { VIM }",
            "if $given or $s { VIM }",
            "if $l { VIM }",
            "unless !$s { VIM }",
            "if $c =~ String and $c !~ Undef { VIM }",
            "if $c != undef and undef != $s { VIM }",
            "case $c { undef: { } default: { VIM } }",
            "case $s { Integer, true: { } String: { VIM } }",
            "$p = $c ? { undef => 'm', default => 'm::vim' } include $p",
            "if $text { VIM }",
            "unless generate('/bin/y') { } else { VIM }",
        ],
    );
    assert_duplicates_of_vim(
        0,
        &[
            "unless $c { VIM }",
            "if $c =~ Undef { VIM }",
            "if $s == undef { VIM }",
            "if $c == 'x' { VIM }",
            "if $c =~ String[1] { VIM }",
            "case $c { 'x': { VIM } default: { } }",
            "case $c { undef: { VIM } default: { } }",
            "if $c =~ /x/ { VIM }",
            "if $l[0] == 'x' { VIM }",
            "if $given { VIM }",
            "if $c == 'x' { return() } VIM",
            "if $c == 'x' { if $s { return() } } VIM",
            "['a'].each |$x| { if $c == 'x' { next() } VIM }",
        ],
    );
    assert_duplicates_of_vim(
        1,
        &[
            "['a'].each |$x| { if $c == 'x' { next() } } VIM",
            "if $c == 'x' { ['a'].each |$x| { next() } } VIM",
        ],
    );
}

#[test]
fn lists_keep_their_known_elements() {
    assert_duplicates_of_vim(
        1,
        &[
            "package { ['a', \"x${c}\", 'vim']: }",
            "['vim', $c].each |$p| { package { $p: } }",
            "each([$c, 'vim']) |$i, $p| { package { $p: } }",
            "$h = { 'vim' => $c } $h.each |$k, $x| { package { $k: } }",
            "$h = { 'a' => { 'b' => $c } } $h.each |$x| { package { 'vim': } }",
            "[$c].each |$p| { VIM }",
            "include [$c, 'm::vim']",
            "include \"m::${c}\", 'm::vim'",
        ],
    );
    assert_duplicates_of_vim(
        0,
        &[
            "['a', $c].each |$p| { if $p == 'b' { VIM } }",
            "[$c, 'a'].each |$p| { if $p == 'b' { break() } VIM }",
            "['m::vim', $c].filter |$p| { $p == 'b' }.each |$p| { include $p }",
            "['a', *$c].each |$p| { VIM }",
            "package { ['a', $c]: }",
            "notify { [$c, 'vim']: }",
        ],
    );
    let references = |second: &str| {
        let class = format!(
            "class m {{ $v = generate('/bin/x') exec {{ '/a': require => [Package[\"p${{v}}\"], {second}] }} }}"
        );
        found(
            "unknown-reference",
            "include m",
            &[("m/manifests/init.pp", &*class)],
        )
        .len()
    };
    assert_eq!(references("Exec['/b']"), 1);
    assert_eq!(references("Exec[\"/b${v}\"]"), 0);
}

#[test]
fn reads_templates_without_tags() {
    assert_duplicates_of_vim(
        1,
        &[
            "package { inline_template('vim'): }",
            "package { inline_template('v', 'im'): }",
        ],
    );
    assert_duplicates_of_vim(
        0,
        &[
            "package { inline_template('<%= 1 %>vim'): }",
            "package { inline_template('vim%>'): }",
            "package { inline_template($c): }",
            "package { template('m/vim'): }",
        ],
    );
    let template = |text: &str| {
        let class = "class m { package { template('m/x.erb'): } package { 'vim': } }";
        let files = [("m/manifests/init.pp", class), ("m/templates/x.erb", text)];
        found("failing-class", "include m", &files).len()
            + found(DUPLICATE, "include m", &files).len()
    };
    assert_eq!(template("<% a %>vim"), 0);
}

#[test]
fn modules_that_are_missing_may_declare_titles_with_their_names() {
    let rule = crate::all().find(|it| it.code == "unknown-reference");
    let severities = |title: &str| {
        let code = format!(
            "//- modules/m/manifests/init.pp\nclass m {{ exec {{ '/bin/m': require => File['{title}'] }} }}\n\
             //- manifests/site.pp\nnode a {{ }}\n{HIERA}//- Puppetfile\nmod 'jupyter'\n"
        );
        severities(rule.expect("the rule exists"), &code)
    };
    assert_eq!(severities("/etc/jupyter/x"), [Severity::Hint]);
    assert_eq!(severities("/etc/other/x"), [Severity::Warning]);
}
