//! Diagnostics about the parameters of templates.

use crate::testing::findings;

/// Returns the problems reported for the parameters: the rule and the underlined source.
fn wrong(template: &str, call: &str) -> Vec<String> {
    let found = findings(&format!(
        "//- modules/m/manifests/init.pp\n\
         class m(Optional[String] $o, Hash $h, Struct[{{ Optional[a] => String }}] $s) \
         {{ $e = {call} }}\n\
         //- modules/m/templates/a.epp\n{template}"
    ));
    let told = found.lines().filter_map(|it| {
        let (place, message) = it.split_once(": ")?.1.rsplit_once(": ")?;
        let certain = !place.starts_with("possible-mismatch");
        let about = certain
            && ["parameter `", "missing required parameter"]
                .iter()
                .any(|it| message.contains(it));
        about.then(|| place.to_owned())
    });
    told.collect()
}

#[test]
fn parameters_of_templates() {
    let template = "<%- | String $a, Optional[Integer] $b, Integer $c = 3, $d = undef | -%>";
    for (call, expected) in [
        ("epp('m/a.epp', { a => 'x', b => 1 })", vec![]),
        (
            "epp('m/a.epp')",
            vec!["missing-parameter `epp`", "missing-parameter `epp`"],
        ),
        (
            "epp('m/a.epp', { 'a' => 'x' })",
            vec!["missing-parameter `epp`"],
        ),
        (
            "'m/a.epp'.epp({ a => 'x' })",
            vec!["missing-parameter `epp`"],
        ),
        (
            "epp('m/a.epp', { a => 'x', b => undef, c => undef })",
            vec![],
        ),
        (
            "epp('m/a.epp', { a => 'x', b => undef, c => 'x' })",
            vec!["type-mismatch `'x'`"],
        ),
        (
            "epp('m/a.epp', { a => undef, b => 1 })",
            vec!["type-mismatch `undef`"],
        ),
        ("epp('m/a.epp', { a => $o, b => 1, c => $o })", vec![]),
        (
            "epp('m/a.epp', { a => [$o], b => 1 })",
            vec!["type-mismatch `[$o]`"],
        ),
        (
            "epp('m/a.epp', { a => $o, b => 1, 'cc' => $o })",
            vec!["unknown-parameter `'cc'`"],
        ),
        ("epp('m/a.epp', $h)", vec![]),
        ("epp('m/a.epp', $h + { zz => 1 })", vec![]),
        ("epp('m/a.epp', $s)", vec!["missing-parameter `epp`"]),
        ("epp('m/a.epp', { \"${o}\" => 1 })", vec![]),
        ("epp('m/nowhere.epp', { zz => 1 })", vec![]),
        ("epp($o, { zz => 1 })", vec![]),
        (
            "epp(*['m/a.epp', { a => 'x' }])",
            vec!["missing-parameter `epp`"],
        ),
        ("epp(*$h)", vec![]),
    ] {
        assert_eq!(wrong(template, call), expected, "{call}");
    }
}

#[test]
fn variables_that_a_hash_in_a_variable_passes() {
    let found = |before: &str, template: &str| {
        findings(&format!(
            "//- modules/m/manifests/init.pp\nclass m($x) {{ {before} $e = epp('m/a', $params) }}\n\
             //- modules/m/templates/a.epp\n{template}\n"
        ))
    };
    let once = "$params = { 'port' => 1, host => 'a' }";
    let told = found(once, "<%= $port %><%= $host %><%= $prot %>");
    assert!(told.contains("unknown variable `$prot`"), "{told}");
    assert!(
        !told.contains("`$port`:") && !told.contains("`$host`:"),
        "{told}"
    );
    let told = found(once, "<%= $port %><% $port = 2 -%>");
    assert!(
        told.contains("cannot reassign variable `$port`: `epp` passes it")
            && !told.contains("before it"),
        "{told}"
    );
    let twice = "if $x { $params = { 'port' => 1 } } else { $params = $x }";
    for (before, template) in [
        (twice, "<%= $prot %>"),
        (twice, "<%= $prot %><% $prot = 1 %>"),
        (once, "<% $own = 2 -%><%= $own %>"),
        (once, "<%= $port %><% if $facts['a'] { $port = 2 } -%>"),
    ] {
        let told = found(before, template);
        assert!(!told.contains("a.epp: "), "{before}: {told}");
    }
}

#[test]
fn templates_without_a_parameter_list() {
    for (template, call, expected) in [
        ("<%= $a %>", "epp('m/a.epp', { zz => 1 })", vec![]),
        ("<%= $a %>", "epp('m/a.epp')", vec![]),
        ("<%- || -%>", "epp('m/a.epp')", vec![]),
        (
            "<%- || -%>",
            "epp('m/a.epp', { zz => 1 })",
            vec!["unknown-parameter `zz`"],
        ),
        ("<%- | $a, -%>", "epp('m/a.epp', { zz => 1 })", vec![]),
        (
            "<%- | $a, *$b | -%>",
            "epp('m/a.epp', { zz => 1 })",
            vec!["failing-class `epp('m/a.epp', { zz => 1 })`: class `m` fails"],
        ),
        (
            "<%- | M::Nowhere $a | -%>",
            "epp('m/a.epp', { a => 1 })",
            vec![],
        ),
    ] {
        assert_eq!(wrong(template, call), expected, "{template} {call}");
    }
}

#[test]
fn inline_templates() {
    for (call, expected) in [
        ("inline_epp('<%- | Integer $a | -%>', { a => 1 })", vec![]),
        (
            "inline_epp('<%- | Integer $a | -%>', { a => 'x' })",
            vec!["type-mismatch `'x'`"],
        ),
        (
            "inline_epp('<%- | Integer $a | -%>')",
            vec!["missing-parameter `inline_epp`"],
        ),
        ("inline_epp('<%= $a %>', { a => 'x' })", vec![]),
        ("inline_epp($o, { a => 'x' })", vec![]),
    ] {
        assert_eq!(wrong("", call), expected, "{call}");
    }
}
