//! The types and the scope of match variables.

use crate::test_support::revealed;

#[test]
fn match_variables() {
    let cases = [
        (
            "if $x =~ /^(foo|bar)(\\d)?$/ { notice($1) notice($2) notice($3) }",
            "Enum['bar', 'foo'] | Optional[String[1, 1]] | Undef",
        ),
        (
            "if $x =~ /^(foo)$/ { notice($0) notice($1) }",
            "String['foo'] | String['foo']",
        ),
        (
            "if $x !~ /(a)/ { notice($1) } else { notice($1) }",
            "Optional[String] | String['a']",
        ),
        // A failed match leaves the match variables unchanged.
        (
            "if $x =~ /(a)/ { if $x =~ /(b)/ { notice($1) } else { notice($1) } notice($1) }",
            "String['b'] | String['a'] | String['a']",
        ),
        ("if $x =~ /(a)/ { } notice($1)", "Optional[String]"),
        (
            "if $x =~ /(a)/ and $x =~ /(b)(c)/ { notice($1) notice($2) }",
            "String['b'] | String['c']",
        ),
        (
            "if $x =~ /(a)/ and $x !~ /(b)/ { notice($1) }",
            "String['a']",
        ),
        (
            "if $x =~ /(a)/ or $x =~ /(b)(c)/ { notice($1) notice($2) }",
            "Enum['a', 'b'] | Optional['c']",
        ),
        ("if $x =~ String { notice($1) }", "Optional[String]"),
        (
            "if $x =~ /(a)/ and $x =~ String { notice($1) }",
            "String['a']",
        ),
        ("if $x =~ $y { notice($1) }", "Optional[String]"),
        ("if $x =~ '(a)' { notice($1) }", "String['a']"),
        (
            "case $x { /(a)/: { notice($1) } /(b)/, /(c)/: { notice($1) } default: { notice($1) } }",
            "String['a'] | Enum['b', 'c'] | Optional[String]",
        ),
        (
            "notice($x ? { /(a)/ => $1, /(b)/ => $1, default => 'c' })",
            "Enum['a', 'b', 'c']",
        ),
        (
            "if $x =~ /(a)/ { case $x { /(b)/: { } default: { notice($1) } } notice($1) }",
            "String['a'] | String['a']",
        ),
        (
            "if $x =~ /(a)/ { case $x { [/b/]: { } default: { notice($1) } } }",
            "Optional[String]",
        ),
        (
            "if $x =~ /(a)/ { case $x { String: { notice($1) } default: { notice($1) } } }",
            "String['a'] | -",
        ),
        ("if /(a)/ in $x { notice($1) }", "String['a']"),
        (
            "if $x =~ /(a)/ { if $x in [/b/] { notice($1) } else { notice($1) } }",
            "Optional[String] | String['a']",
        ),
        (
            "if $x =~ /(a)/ { if $x in ['b'] { notice($1) } }",
            "String['a']",
        ),
        ("if 'xab' =~ /(a)(b)/ { notice($2) }", "String['b']"),
        ("$m = $x =~ /(a)/ notice($1)", "Optional[String]"),
        (
            "if $x =~ /(a)/ { [1].each |$i| { if $x =~ /(b)/ { notice($1) } notice($1) } notice($1) }",
            "String['b'] | String['a'] | String['a']",
        ),
        (
            "unless $x =~ /(a)/ { notice($1) } else { notice($1) }",
            "Optional[String] | String['a']",
        ),
        ("if $x =~ /(?i)(a)/ { notice($1) }", "String[1]"),
        ("if $x =~ /(a)/ { notice(\"${1}-$1\") }", "String['a-a']"),
    ];
    let mut wrong = Vec::new();
    for (code, expected) in cases {
        let found = revealed(&format!("class m(String $x, String $y) {{ {code} }}")).join(" | ");
        if found != expected {
            wrong.push(format!(
                "{code}:\n  found    {found}\n  expected {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn node_definitions_have_the_groups_of_their_regular_expression() {
    for (node, expected) in [
        (r"/^(web|db)(\d+)$/", "Enum['db', 'web'] | String[1]"),
        (r"/^(web)(\d+)?$/", "String['web'] | Optional[String[1]]"),
        ("'web1'", "Optional[String] | Optional[String]"),
        ("/^(a)(b)/, 'web1'", "Optional[String] | Optional[String]"),
    ] {
        let found = revealed(&format!("node {node} {{ notice($1) notice($2) }}")).join(" | ");
        assert_eq!(found, expected, "{node}");
    }
}
