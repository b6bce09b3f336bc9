//! What the parser says about damage, and what it saves of the file around it. That it agrees with
//! the real Puppet is tested with recordings, in the `tests` crate.

use expect_test::{Expect, expect};

use crate::ast::{AstNode, Definition, HasName};
use crate::{Dialect, SyntaxNode, parse};

/// A line an error: what is underlined, what is said, and the places that explain it.
fn errors(text: &str, expected: &Expect) {
    let parse = parse(text, Dialect::default());
    assert_eq!(parse.syntax().text().to_string(), text);
    let mut out = String::new();
    for error in parse.errors() {
        out.push_str(&format!("{:?} {}\n", &text[error.range], error.message));
        for related in &error.related {
            out.push_str(&format!(
                "    {:?} {}\n",
                &text[related.range], related.message
            ));
        }
    }
    expected.assert_eq(&out);
}

/// The names of all classes that are found.
fn classes(root: &SyntaxNode) -> Vec<String> {
    root.descendants()
        .filter_map(Definition::cast)
        .filter_map(|it| match it {
            Definition::ClassDefinition(it) => it.name().map(|it| it.text()),
            _ => None,
        })
        .collect()
}

#[test]
fn a_forgotten_brace_is_found_by_indentation() {
    errors(
        "class a {\n  if $x {\n    notice('a')\n}\nclass b {\n}\n",
        &expect![[r#"
            "{" this `{` is never closed: `}` is missing
                "}" `}` is missing before this
        "#]],
    );
}

#[test]
fn a_brace_too_many_is_named() {
    errors(
        "class a {\n  notice('a')\n  }\n}\nclass b {\n}\n",
        &expect![[r#"
            "}" this `}` closes nothing
        "#]],
    );
}

#[test]
fn a_string_without_its_quote_ends_with_the_line() {
    errors(
        "class a {\n  $s = \"never closed\n  $t = 'x'\n}\nclass b { }\n",
        &expect![[r#"
            "\"" this string is never closed: `"` is missing
        "#]],
    );
}

#[test]
fn an_interpolation_without_its_brace_ends_with_the_string() {
    errors(
        "notify { \"hello ${x\": }\nclass c { }\n",
        &expect![[r#"
            "\"" `}` is expected, but the end of the string is found
        "#]],
    );
}

#[test]
fn a_missing_comma_tells_what_is_open() {
    errors(
        "file { '/x':\n  ensure => file\n  mode => '0644',\n}\n$y = [1 2]\n",
        &expect![[r#"
            "mode" `,` is expected, but `mode` is found
            "2" `,` or `]` is expected, but `2` is found
                "[" this `[` is still open
        "#]],
    );
}

#[test]
fn one_error_a_line_is_enough() {
    errors(
        "$x = ) ) )\n$y = 1\n",
        &expect![[r#"
            ")" a value is expected, but `)` is found
        "#]],
    );
}

#[test]
fn definitions_around_damage_are_still_there() {
    let damaged = [
        "class a { $x = [1, 2 }\nclass b { }\nclass c { }\n",
        "class a { file { 'x' ensure => } }\nclass b { }\nclass c { }\n",
        "class a (\n  $x,\n{\n  notice($x)\n}\nclass b { }\nclass c { }\n",
        "class a {\n  $s = 'oops\n}\nclass b { }\nclass c { }\n",
        "class a\n  notice(1)\n}\nclass b { }\nclass c { }\n",
        "class a { case $x { } }\nclass b { if { } }\nclass c { }\n",
    ];
    for text in damaged {
        let parse = parse(text, Dialect::default());
        assert!(!parse.errors().is_empty(), "{text}");
        assert_eq!(classes(&parse.syntax()), ["a", "b", "c"], "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for (open, close) in [
        ("[", "]"),
        ("(", ")"),
        ("{ a => ", "}"),
        ("if $x { ", "}"),
        ("!", ""),
        ("$x = ", ""),
    ] {
        let text = format!("$y = {}1{}", open.repeat(20_000), close.repeat(20_000));
        let parse = parse(&text, Dialect::default());
        assert_eq!(u32::from(parse.syntax().text().len()) as usize, text.len());
        assert!(!parse.errors().is_empty());
    }
    let chain = format!("$y = 1{}", " + 1".repeat(20_000));
    assert!(!parse(&chain, Dialect::default()).errors().is_empty());
}
