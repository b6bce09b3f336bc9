//! Large files, and bytes that no manifest should hold.

use syntax::Dialect;

use crate::examine::{DIALECTS, ask, parse, with_stack};

const LARGE: usize = 20_000_000;

/// Pieces that fill a large file, each in another way.
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

#[test]
fn a_20_mb_file_is_parsed() {
    for filler in FILLERS {
        let text = filler.repeat(LARGE / filler.len());
        let name = format!("20 MB of {filler:?}");
        with_stack(&name, move || parse(&text, Dialect::default()));
    }
}

#[test]
fn a_20_mb_line_inside_something_is_parsed() {
    for (before, after) in [
        ("'", "'"),
        ("\"", "\""),
        ("# ", ""),
        ("/*", "*/"),
        ("@(A)\n", "\nA\n"),
        ("/", "/"),
    ] {
        let text = format!("$x = {before}{}{after}", "a ".repeat(LARGE / 2));
        let name = format!("20 MB in {before:?}");
        with_stack(&name, move || parse(&text, Dialect::default()));
    }
    let template = format!("<%= $x %>{}", "text ".repeat(LARGE / 5));
    with_stack("20 MB template", move || parse(&template, DIALECTS[1]));
}

#[test]
fn odd_characters_are_answered() {
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
            parse(text, dialect);
            ask(text, dialect);
        }
    }
}
