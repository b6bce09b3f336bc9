//! The problems of whole catalogs, of nodes that definitions, regular expressions and data name.

use crate::testing::reported;

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
    // Inference knows the text of a group that always has the same.
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
