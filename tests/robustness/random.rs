//! Random sources.

use proptest::prelude::*;
use pupil_tests::{cases, corpus};

use crate::invariants::{DIALECTS, check_parse, run_editor_queries};

/// Tokens and parts of tokens.
const PIECES: &[&str] = &[
    "class",
    "define",
    "function",
    "node",
    "type",
    "plan",
    "apply",
    "if",
    "elsif",
    "else",
    "unless",
    "case",
    "default",
    "inherits",
    "and",
    "or",
    "in",
    "undef",
    "true",
    "private",
    "name",
    "a::b",
    "::a",
    "w-w",
    "A",
    "A::B",
    "::A",
    "$a",
    "$a::b",
    "$::a",
    "$",
    "1",
    "1.5",
    "0x1f",
    "017",
    "08",
    "1e5",
    "9223372036854775808",
    "'s'",
    "'",
    "\"",
    "\"s\"",
    "\"a${b}c\"",
    "${",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    "|",
    "||",
    "<|",
    "|>",
    "<<|",
    "|>>",
    "=>",
    "+>",
    "->",
    "~>",
    "<-",
    "<~",
    "=",
    "+=",
    "-=",
    "==",
    "!=",
    "=~",
    "!~",
    "<",
    ">",
    "<=",
    ">=",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "?",
    ".",
    ",",
    ";",
    ":",
    "::",
    "@",
    "@@",
    "@(A)",
    "@(\"A\"/L)",
    "@(A:json)",
    "\nA\n",
    "\n  | A\n",
    "\n|- A",
    "/r/",
    "/r",
    "\\/",
    "# c\n",
    "#",
    "/* c */",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "<%",
    "<%=",
    "<%-",
    "%>",
    "-%>",
    "<%#",
    "<%%",
    "%%>",
    "\\",
    "\\n",
    "\\u{41}",
    "é",
    "\u{feff}",
    "\0",
    "notice",
    "file",
    "include",
    "&",
    "^",
    "~",
    "`",
];

fn random_tokens(separators: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = (
        prop::sample::select(PIECES),
        prop::sample::select(separators),
    );
    prop::collection::vec(piece, 0..60).prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(piece, gap)| [piece, gap])
            .collect()
    })
}

/// A snippet of the cases with a part of another one inserted.
fn spliced_snippets() -> impl Strategy<Value = String> {
    let cases =
        cases::read_all(&corpus::tests_dir().join("parse/cases")).expect("the cases can be read");
    let texts: Vec<String> = cases.into_iter().map(|case| case.source.text).collect();
    let text = prop::sample::select(texts);
    (
        text.clone(),
        text,
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(a, b, at, from)| {
            let (head, tail) = a.split_at(boundary(&a, at));
            let (_, insert) = b.split_at(boundary(&b, from));
            format!("{head}{insert}{tail}")
        })
}

fn boundary(text: &str, index: prop::sample::Index) -> usize {
    let at = index.index(text.len() + 1);
    (at..=text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

fn check(text: &str) {
    for dialect in DIALECTS {
        check_parse(text, dialect);
        run_editor_queries(text, dialect);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_ascii(text in "[ -~\\n\\r\\t]{0,200}") {
        check(&text);
    }

    #[test]
    fn random_characters(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn tokens_apart(text in random_tokens(&[" ", "\n"])) {
        check(&text);
    }

    #[test]
    fn tokens_together(text in random_tokens(&["", "", "", " ", "\n"])) {
        check(&text);
    }

    #[test]
    fn snippets_in_snippets(text in spliced_snippets()) {
        check(&text);
    }
}
