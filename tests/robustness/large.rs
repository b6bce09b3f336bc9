//! Large files, and unusual bytes.

use syntax::Dialect;

use crate::invariants::{DIALECTS, assert_parse_is_linear, check_parse, run_editor_queries};

const LARGE: usize = 20_000_000;
const REPEATED: usize = 3_000_000;

/// The strings that files are filled with; the first is ordinary code.
const FILLERS: &[&str] = &[
    "class a($x = 1) {\n  file { \"/tmp/${x}\": ensure => present, mode => '0644' }\n}\n",
    "$x = [1, 2, {a => 'b'}] # comment\n",
    "a",
    " ",
    "\n",
    "\r",
    "}",
    "'",
    "\"",
    "x ${",
    "@(A)\nA\n",
    "/",
    "\u{1F600}",
];

fn parse_repeated(filler: &str, length: usize) {
    let text = filler.repeat(length / filler.len());
    let name = format!("{length} bytes of {filler:?}");
    assert_parse_is_linear(&name, text, Dialect::default());
}

#[test]
fn parses_a_20_mb_file() {
    parse_repeated(FILLERS[0], LARGE);
}

#[test]
fn parses_repetitive_files() {
    for filler in FILLERS {
        parse_repeated(filler, REPEATED);
    }
}

#[test]
fn parses_long_lines() {
    let long = "a ".repeat(REPEATED / 2);
    let around = [
        ("'", "'"),
        ("\"", "\""),
        ("# ", ""),
        ("/*", "*/"),
        ("@(A)\n", "\nA\n"),
        ("/", "/"),
    ];
    for (before, after) in around {
        let text = format!("$x = {before}{long}{after}");
        assert_parse_is_linear(before, text, Dialect::default());
    }
    let template = format!("<%= $x %>{long}");
    assert_parse_is_linear("template", template, DIALECTS[1]);
}

#[test]
fn parses_unusual_characters() {
    let odd = [
        "\0",
        "a\0b",
        "'\0'",
        "\"\0${\0}\"",
        "#\0\n$x = 1",
        "\r",
        "$a = 1\r$b = 2",
        "'\r'",
        "# c\r$x",
        "\r\r\n",
        "\u{feff}",
        "\u{feff}class a { }",
        "class a { \u{feff} }",
        "\u{fffe}",
        "\u{fffd}",
        "\u{2028}",
        "\u{a0}",
        "\u{200b}",
        "\u{10ffff}",
        "é",
        "$é",
        "class é { }",
        "\"${é}\"",
        "@(é)\né\n",
        "\\",
        "\"\\",
        "'\\",
        "\"$",
        "\"${",
        "@",
        "@(",
        "@(\"",
        "@(A",
        "@(A)",
        "@(A)\n",
        "/",
        "/\\",
        "/*",
        "<",
        "<%",
        "<%=",
        "<%#",
        "%>",
        "-%>",
        "$",
        "::",
        ":",
        "&",
        "^",
        "`",
        "~",
        "\u{1b}[0m",
        "\u{7f}",
        "\u{8}",
    ];
    for text in odd {
        for dialect in DIALECTS {
            check_parse(text, dialect);
            run_editor_queries(text, dialect);
        }
    }
}
