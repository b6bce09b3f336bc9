//! 100,000 levels or links of everything that nests or chains.

use syntax::Dialect;

use crate::invariants::{assert_parse_is_linear, assert_queries_are_linear};

const DEPTH: usize = 100_000;

/// The opening, the middle and the closing part.
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{a => ", "1", "}"),
    ("{", "", "}"),
    ("f(", "1", ")"),
    ("$a[", "1", "]"),
    ("A[", "1", "]"),
    ("$a.f(", "1", ")"),
    ("f() |$x| {", "1", "}"),
    ("$a.f |$x| {", "1", "}"),
    ("if true {", "1", "}"),
    ("if (", "true", ") { }"),
    ("if true { } else {", "1", "}"),
    ("unless true {", "1", "}"),
    ("case 1 { 1: {", "1", "}}"),
    ("$a ? { 1 => ", "1", "}"),
    ("$a ? 1 => ", "1", ""),
    ("class a {", "", "}"),
    ("define a() {", "", "}"),
    ("function a() {", "", "}"),
    ("node a {", "", "}"),
    ("file { a: b => ", "1", "}"),
    ("file { ", "a", ": }"),
    ("File <| ", "a", " |>"),
    ("File <| (", "a == 1", ") |>"),
    ("\"${", "a", "}\""),
    ("\"a${\"b${", "a", "}c\"}d\""),
    ("<% if true { %>", "x", "<% } %>"),
    ("<%= f(", "1", ") %>"),
    ("type A = A[", "A", "]"),
    ("define a(A[", "B", "] $x) { }"),
    ("f() |$x = f() |$y = ", "1", "| { }| { }"),
    ("apply(1) {", "1", "}"),
    ("@(A)\n", "1", "A\n"),
    ("@(\"A\")\n${", "1", "}\nA\n"),
    ("!", "$a", ""),
    ("-", "$a", ""),
    ("*", "$a", ""),
    ("- !", "$a", ""),
    ("@", "file { a: }", ""),
    ("$a = ", "1", ""),
    ("$a += ", "1", ""),
    ("", "$a", ".f"),
    ("", "$a", ".f()"),
    ("", "$a", "[1]"),
    ("", "f", "(1)"),
    ("", "$a", " ? { 1 => 2 }"),
    ("", "1", " + 1"),
    ("", "1", " - 1 * 2"),
    ("", "1", " == 1"),
    ("", "1", " and 1"),
    ("", "1", " or 1"),
    ("", "1", " in 1"),
    ("", "1", " =~ 1"),
    ("", "a", " -> b"),
    ("", "a", " <~ b"),
    ("", "if true { }", " elsif true { }"),
    ("", "File <| |>", " { a => 1 }"),
    ("", "file { a: }", " { b: }"),
    ("", "1", ", 1"),
    ("", "1", " 1"),
    ("", "notice", " notice"),
    ("", "class a", "::b"),
    ("", "\"", "${a}"),
    ("", "'", "\\'"),
    ("", "/", "\\/"),
    ("", "/*", "/*"),
    ("", "$", "$"),
    ("", "@(A)", "@(A)"),
    ("", "node a", ".b"),
    ("", "<%", "<%"),
    ("", "x", "<%# c %>"),
    ("", "", "@("),
    ("", "'", "${\"'"),
];

/// Lists of many names: the text before, an item in which `#` is its index, and the text after.
const LISTS: &[(&str, &str, &str)] = &[
    ("", "$a# = $a\n", ""),
    ("", "class a# { $x = 1 $y = $x }\n", ""),
    ("define a(", "$a# = $b, ", ") { }"),
    ("file { ", "'a#': ensure => present; ", "}"),
    ("file { 'a': ", "a# => 1, ", "}"),
    ("$x = [", "'a#', ", "]"),
    ("$x = {", "# => 1, ", "}"),
    ("$x = {", "a# => #, ", "}"),
    ("$x = {", "#.5 => 1, ", "}"),
    ("$x = Variant[", "String[#], ", "]"),
    ("$x = Enum[", "'a#', ", "]"),
    ("$x = Pattern[", "/a#/, ", "]"),
    ("$x = 1 ? { ", "# => 2, ", "}"),
    ("if 'a' =~ /(a)/ { ", "$y# = $1\n", "}"),
    ("f(", "@(A#)\nx\nA#\n, ", "1)"),
    ("$x = @(A:json)\n", "/*\n", "A\n"),
    ("if true ", "}\n", ""),
];

/// Returns the complete text, the text without the closing parts, and that without the opening
/// parts.
fn texts(open: &str, middle: &str, close: &str) -> Vec<String> {
    let (opened, closed) = (open.repeat(DEPTH), close.repeat(DEPTH));
    let mut texts = vec![format!("{opened}{middle}{closed}")];
    if !open.is_empty() && !close.is_empty() {
        texts.push(format!("{opened}{middle}"));
        texts.push(format!("{middle}{closed}"));
    }
    texts
}

fn dialects(open: &str, middle: &str, close: &str) -> Dialect {
    let all = [open, middle, close].concat();
    Dialect {
        epp: all.contains("<%"),
        tasks: all.contains("apply"),
    }
}

#[test]
fn parses_deep_nesting_and_long_chains() {
    for &(open, middle, close) in NESTS {
        let dialect = dialects(open, middle, close);
        for text in texts(open, middle, close) {
            assert_parse_is_linear(&format!("{open}{middle}{close}"), text, dialect);
        }
    }
}

#[test]
fn answers_editor_queries_in_deep_nesting() {
    for &(open, middle, close) in NESTS {
        let dialect = dialects(open, middle, close);
        for text in texts(open, middle, close) {
            assert_queries_are_linear(&format!("{open}{middle}{close}"), text, dialect);
        }
    }
}

#[test]
fn answers_editor_queries_in_long_lists() {
    for &(before, item, after) in LISTS {
        let items: String = (0..DEPTH / 4)
            .map(|it| item.replace('#', &it.to_string()))
            .collect();
        let text = format!("{before}{items}{after}");
        let name = format!("{before}{item}{after}");
        assert_parse_is_linear(&name, text.clone(), Dialect::default());
        assert_queries_are_linear(&name, text, Dialect::default());
    }
}

#[test]
fn parses_alternating_brackets() {
    for (open, close) in [
        ("([{", "}])"),
        ("f([", "])"),
        ("{a => [", "]}"),
        ("(\"${", "}\")"),
    ] {
        for text in texts(open, "1", close) {
            assert_parse_is_linear(open, text, Dialect::default());
        }
    }
    // No bracket matches.
    let confused = "([{)]}<|(|>".repeat(DEPTH / 10);
    assert_parse_is_linear("confused", confused, Dialect::default());
}
