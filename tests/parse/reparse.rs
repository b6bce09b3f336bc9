//! Incremental reparsing returns the same tree as parsing the whole file.

use pupil_tests::cases::read_all;
use pupil_tests::corpus::{dialect, tests_dir};
use syntax::{Dialect, parse};

use crate::modules::texts;

/// The strings that are typed or pasted, besides parts of the source itself.
const TYPED: [&str; 20] = [
    "a",
    "x1",
    " ",
    "\n",
    "{",
    "}",
    "(",
    "[",
    "]",
    "'",
    "\"",
    "$v",
    "::",
    ",",
    "#",
    "/",
    " => ",
    "@(E)\n",
    "if $a { b }\n",
    "$q = 1\n",
];

/// The seed of the edits.
const SEED: u64 = 20;

/// Makes a random edit.
fn edited(text: &str, random: &mut fastrand::Rng) -> String {
    let at = text.floor_char_boundary(random.usize(..=text.len()));
    let length = random.choice([0, 0, 0, 1, 1, 3, 30]).unwrap_or(0);
    let end = text.floor_char_boundary((at + length).min(text.len()));
    let piece = match random.u8(..4) {
        0 => "",
        1 => {
            let from = text.floor_char_boundary(random.usize(..=text.len()));
            let to = text.floor_char_boundary((from + random.usize(..40)).min(text.len()));
            &text[from..to]
        }
        _ => random.choice(TYPED).unwrap_or(""),
    };
    format!("{}{piece}{}", &text[..at], &text[end..])
}

/// Makes a series of edits, starting from the original again when the source is broken.
fn edit_repeatedly(original: &str, dialect: Dialect, edits: usize, random: &mut fastrand::Rng) {
    let sound = parse(original, dialect);
    let (mut text, mut tree) = (original.to_owned(), sound.clone());
    for _ in 0..edits {
        let new = edited(&text, random);
        let part = tree.reparse(&text, &new, dialect);
        assert_eq!(part, parse(&new, dialect), "from:\n{text}\nto:\n{new}");
        (text, tree) = if part.errors().is_empty() {
            (new, part)
        } else {
            (original.to_owned(), sound.clone())
        };
    }
}

#[test]
fn snippets() {
    let cases = read_all(&tests_dir().join("parse/cases")).expect("the snippets can be read");
    let mut random = fastrand::Rng::with_seed(SEED);
    for case in cases {
        edit_repeatedly(&case.source.text, case.source.dialect, 20, &mut random);
    }
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn modules() {
    let mut random = fastrand::Rng::with_seed(SEED);
    for (path, text) in texts() {
        edit_repeatedly(&text, dialect(&path), 2, &mut random);
    }
}
