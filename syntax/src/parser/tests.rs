//! Tests of error messages and error recovery. The agreement with the real Puppet is tested with
//! recordings, in the `tests` crate.

use expect_test::{Expect, expect};

use crate::ast::{AstNode, Definition, HasName};
use crate::{Dialect, SyntaxNode, parse};

/// Renders each error on a line: the underlined text, the message, and the related information.
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

/// Returns the names of all classes in the tree.
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
fn finds_an_unclosed_brace_by_indentation() {
    errors(
        "class a {\n  if $x {\n    notice('a')\n}\nclass b {\n}\n",
        &expect![[r#"
            "{" unclosed `{`
                "}" expected `}` here
        "#]],
    );
}

#[test]
fn finds_an_unmatched_brace_by_indentation() {
    errors(
        "class a {\n  notice('a')\n  }\n}\nclass b {\n}\n",
        &expect![[r#"
            "}" unmatched `}`
        "#]],
    );
}

#[test]
fn an_unclosed_string_ends_with_its_line() {
    errors(
        "class a {\n  $s = \"never closed\n  $t = 'x'\n}\nclass b { }\n",
        &expect![[r#"
            "\"" unclosed string: missing `"`
        "#]],
    );
}

#[test]
fn an_unclosed_interpolation_ends_with_its_string() {
    errors(
        "notify { \"hello ${x\": }\nclass c { }\n",
        &expect![[r#"
            "\"" expected `}`, found end of string
        "#]],
    );
}

#[test]
fn a_missing_comma_is_related_to_the_open_bracket() {
    errors(
        "file { '/x':\n  ensure => file\n  mode => '0644',\n}\n$y = [1 2]\n",
        &expect![[r#"
            "mode" expected `,`, found `mode`
            "2" expected `,` or `]`, found `2`
                "[" `[` opened here
        "#]],
    );
}

#[test]
fn reports_one_error_per_line() {
    errors(
        "$x = ) ) )\n$y = 1\n",
        &expect![[r#"
            ")" expected an expression after `=`, found `)`
        "#]],
    );
}

#[test]
fn definitions_survive_errors_around_them() {
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
fn deep_nesting_is_an_error_but_not_a_crash() {
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
