//! After an edit, reading what is around it gives what reading all of the file gives.

use pupil_tests::cases::read_all;
use pupil_tests::corpus::{dialect, tests_dir};
use syntax::{Dialect, parse};

use crate::modules::texts;

/// What is typed and pasted, besides pieces of the text itself.
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

/// The same edits each time.
const SEED: u64 = 20;

/// What a text becomes by one edit.
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

/// Edits a text some times, going back to it when it is broken.
fn follow(original: &str, dialect: Dialect, edits: usize, random: &mut fastrand::Rng) {
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
    let cases = read_all(&tests_dir().join("parse/cases")).expect("the snippets are there");
    let mut random = fastrand::Rng::with_seed(SEED);
    for case in cases {
        follow(&case.source.text, case.source.dialect, 20, &mut random);
    }
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn modules() {
    let mut random = fastrand::Rng::with_seed(SEED);
    for (path, text) in texts() {
        follow(&text, dialect(&path), 2, &mut random);
    }
}
