//! The narrowed subject in each option of a case or selector.

use crate::test_support::{problems, revealed};

fn check(cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (parameters, code, expected) in cases {
        let found = revealed(&format!("class m({parameters}) {{ {code} }}")).join(" | ");
        if found != *expected {
            wrong.push(format!(
                "{parameters}; {code}:\n  found    {found}\n  expected {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns a case with these options, each of which reveals the subject.
fn case(options: &[&str]) -> String {
    let options: Vec<String> = options
        .iter()
        .map(|it| format!("{it}: {{ notice($x) }}"))
        .collect();
    format!("case $x {{ {} }}", options.join(" "))
}

#[test]
fn options() {
    let cases: [(&str, &[&str], &str); 19] = [
        (
            "Enum['a', 'B', 'c'] $x",
            &["'A'", "'b'", "default"],
            "String['a'] | String['B'] | String['c']",
        ),
        ("Any $x", &["'a'", "default"], "Enum['a', true] | Any"),
        (
            "Any $x",
            &["/a/", "String", "default"],
            "Pattern[/a/] | String | Any",
        ),
        (
            "Variant[String, Integer] $x",
            &["/a/", "default"],
            "Pattern[/a/] | Variant[String, Integer]",
        ),
        (
            "Variant[String, Integer, Undef] $x",
            &["String", "Integer", "default"],
            "String | Integer | Undef",
        ),
        (
            "Numeric $x",
            &["5", "default"],
            "Variant[Integer[5, 5], Float[5.0, 5.0]] | Numeric",
        ),
        (
            "Variant[String, Integer] $x",
            &["5", "default"],
            "Integer[5, 5] | Variant[String, Integer[default, 4], Integer[6]]",
        ),
        (
            "Optional[Boolean] $x",
            &["true", "undef", "default"],
            "Boolean[true] | Undef | Boolean[false]",
        ),
        // The default applies last, regardless of its position.
        (
            "Enum['a', 'b'] $x",
            &["default", "'a'"],
            "String['b'] | String['a']",
        ),
        (
            "Enum['a', 'b', 'c'] $x",
            &["'a', default", "'b'"],
            "Enum['a', 'c'] | String['b']",
        ),
        (
            "Enum['a', 'b', 'c'] $x",
            &["'a', 'b'", "default"],
            "Enum['a', 'b'] | String['c']",
        ),
        (
            "Enum['a', 'b', 'c'] $x",
            &["*['a', 'b']", "default"],
            "Enum['a', 'b'] | String['c']",
        ),
        (
            "Enum['a', 'b'] $x, Array $l",
            &["*$l", "default"],
            "Enum['a', 'b'] | Enum['a', 'b']",
        ),
        (
            "Variant[Array[String], String] $x",
            &["['a', /b/]", "default"],
            "Tuple[Enum['a', true], Pattern[/b/]] | Variant[Array[String], String]",
        ),
        (
            "Variant[Array[String, 2, 2], String] $x",
            &["[String, String]", "default"],
            "Tuple[String, String] | String",
        ),
        (
            "Variant[Struct[{'a' => Integer}], Struct[{'a' => String}], String] $x",
            &["{'a' => String}", "default"],
            "Struct[{'a' => String}] | Variant[Struct[{'a' => Integer}], Struct[{'a' => String}], String]",
        ),
        (
            "Variant[String, Integer] $x, Type $t",
            &["$t", "default"],
            "Variant[String, Integer] | Variant[String, Integer]",
        ),
        (
            "Variant[String, Integer] $x, String $t",
            &["$t", "default"],
            "String | Variant[String, Integer]",
        ),
        (
            "Optional[Enum['a', 'b']] $x",
            &["'a'", "'b'"],
            "String['a'] | String['b']",
        ),
    ];
    let cases: Vec<(&str, String, &str)> = cases
        .iter()
        .map(|(parameters, options, expected)| (*parameters, case(options), *expected))
        .collect();
    let cases: Vec<(&str, &str, &str)> =
        cases.iter().map(|it| (it.0, it.1.as_str(), it.2)).collect();
    check(&cases);
}

#[test]
fn selectors() {
    check(&[
        (
            "Enum['a', 'b'] $x",
            "notice($x ? { 'a' => 1, default => 2 })",
            "Integer[1, 2]",
        ),
        (
            "Enum['a', 'b'] $x",
            "notice($x ? { 'a' => 1, 'B' => 2, default => 'x' })",
            "Integer[1, 2]",
        ),
        (
            "Any $x",
            "notice($x ? { String => $x, Integer => $x })",
            "Variant[String, Integer]",
        ),
        // After a selector without a default, one of the options has matched.
        (
            "Any $x",
            "$y = $x ? { String => 1, Integer => 2 } notice($x)",
            "Variant[String, Integer]",
        ),
        (
            "Any $x",
            "notice($x ? { undef => 1, default => $x })",
            "NotUndef",
        ),
    ]);
}

#[test]
fn subjects() {
    check(&[
        (
            "Array[String] $x",
            "case $x.length { 0: { notice($x) } default: { notice($x) } }",
            "Array[0, 0] | Array[String, 1]",
        ),
        (
            "Hash $x",
            "case $x['a'] { String: { notice($x['a']) } default: { notice($x['a']) } }",
            "String | Any",
        ),
        (
            "Any $x",
            "case true { $x =~ String: { notice($x) } $x =~ Integer: { notice($x) } default: { notice($x) } }",
            "String | Integer | Any",
        ),
        (
            "Variant[String, Integer] $x",
            "case true { $x =~ String: { } default: { notice($x) } }",
            "Integer",
        ),
        (
            "Variant[String, Integer] $x",
            "case false { $x =~ String: { notice($x) } default: { notice($x) } }",
            "Integer | String",
        ),
        (
            "Any $x",
            "case $x { String: { } default: { fail('no') } } notice($x)",
            "String",
        ),
        (
            "Any $x",
            "case $x { String: { $y = 1 } default: { $y = 2 } } notice($y)",
            "Integer[1, 2]",
        ),
    ]);
}

#[test]
fn problems_of_options() {
    let cases = [
        (
            "Enum['a', 'b'] $x",
            "case $x { 'c': { } default: { } }",
            "option 'c'",
        ),
        (
            "Enum['a', 'b'] $x",
            "case $x { 'a': { } 'b': { } 'x': { } }",
            "option 'x'",
        ),
        (
            "Enum['a', 'b'] $x",
            "case $x { 'a': { } 'b': { } default: { fail('no') } }",
            "",
        ),
        (
            "Enum['a', 'b'] $x",
            "case $x { 'A': { } }",
            "missing String['b']",
        ),
        (
            "Enum['a', 'b'] $x",
            "$x ? { 'A' => 1 }",
            "missing String['b']",
        ),
        ("String $x", "case $x { 'A': { } }", ""),
        // Flags are constant on purpose.
        ("", "$x = 'a' case $x { 'b': { } default: { } }", ""),
        ("", "$x = true if $x { }", ""),
        ("", "$x = true if !$x { }", ""),
        ("", "if true { }", ""),
        ("String $x", "if $x { }", "always true $x"),
        (
            "String $x",
            "if $x =~ Integer { }",
            "always false $x =~ Integer",
        ),
        ("Integer[1] $x", "unless $x > 0 { }", "always true $x > 0"),
        (
            "String $x",
            "if $x { notice($3) }",
            "always true $x; NothingMatched { number: 3 }",
        ),
        (
            "String $x",
            "if $x =~ /(a)/ { notice($2) }",
            "no group 2 of 1",
        ),
        ("String $x", "if $x =~ /(a)/ { notice($1) }", ""),
    ];
    for (parameters, code, expected) in cases {
        let found = problems(&format!("class m({parameters}) {{ {code} }}")).join("; ");
        assert_eq!(found, expected, "{parameters}; {code}");
    }
}
