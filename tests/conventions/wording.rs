//! The wording of comments: words that are avoided because they are used in an unusual sense. Their
//! numbers may only fall, because some uses are fine.

use pupil_tests::ceilings::{Counts, assert_within};
use pupil_tests::repository;

/// The avoided words and phrases. A `^` is the start of a comment.
const AVOIDED: [&str; 33] = [
    "^what",
    "a piece",
    "a room",
    "a text",
    "are no",
    "asks",
    "behind",
    "comes to",
    "come to",
    "gets to",
    "give",
    "gives",
    "goes on",
    "has not",
    "have not",
    "held against",
    "in front of",
    "in vain",
    "is no",
    "is not there",
    "is there",
    "lies",
    "mends",
    "nobody",
    "nothing",
    "one of these",
    "so many",
    "stand",
    "stands",
    "tell",
    "tells",
    "the way of",
    "told",
];

/// The words with which documentation does not start: a hover shows it alone, where a relative pronoun or a preposition
/// lacks the noun it refers to.
const FRAGMENTS: [&str; 12] = [
    "as",
    "by",
    "for",
    "of",
    "that of",
    "that which",
    "their",
    "they",
    "those",
    "whose",
    "with",
    "without",
];

/// Returns the first line of each documentation comment of an item, with its number.
fn documentation(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut continues = false;
    let lines = text.lines().map(str::trim_start).enumerate();
    lines.filter_map(move |(index, line)| {
        let is_first = !continues;
        continues = line.starts_with("///");
        let first = line.strip_prefix("/// ").filter(|_| is_first);
        first.map(|it| (index + 1, it))
    })
}

/// Checks whether documentation starts with a word that refers to an earlier sentence.
fn is_fragment(documentation: &str) -> bool {
    let words = words(documentation);
    FRAGMENTS
        .iter()
        .any(|it| words.starts_with(&format!(" {it} ")))
}

/// Returns the comments of a source, without their markers: consecutive lines are one comment.
fn comments(text: &str) -> Vec<String> {
    let mut comments: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let line = line.trim_start();
        let comment = ["/// ", "//! ", "// "]
            .iter()
            .find_map(|it| line.strip_prefix(it));
        match comment {
            Some(comment) if continues => {
                let last = comments.last_mut().expect("a comment continues");
                last.push(' ');
                last.push_str(comment);
            }
            Some(comment) => comments.push(comment.to_owned()),
            None => {}
        }
        continues = comment.is_some();
    }
    comments
}

/// Returns the words of a comment in lower case without code, separated and enclosed by blanks.
fn words(comment: &str) -> String {
    let prose: String = comment.split('`').step_by(2).collect::<Vec<_>>().join("` ");
    let words =
        prose.split(|it: char| !it.is_alphanumeric() && it != '`' && it != '-' && it != '\'');
    let words: Vec<_> = words.filter(|it| !it.is_empty()).collect();
    format!(" {} ", words.join(" ").to_lowercase())
}

/// Phrases that contain an avoided one in its usual sense.
const FINE: [&str; 7] = [
    "are no longer",
    "gives up",
    "has not been",
    "have not been",
    "is no longer",
    "stand for",
    "stands for",
];

/// Returns how often a comment contains a phrase.
fn occurrences(comment: &str, phrase: &str) -> usize {
    let mut words = words(comment);
    for fine in FINE {
        words = words.replace(&format!(" {fine} "), "  ");
    }
    match phrase.strip_prefix('^') {
        Some(start) => usize::from(words.starts_with(&format!(" {start} "))),
        None => words.matches(&format!(" {phrase} ")).count(),
    }
}

#[test]
fn comments_avoid_unusual_wording() {
    let mut counts = Counts::new();
    for (path, text) in repository::rust_sources() {
        // This file contains the words.
        if path == "tests/conventions/wording.rs" {
            continue;
        }
        // A heading may start with any word.
        for comment in comments(&text).iter().filter(|it| !it.starts_with('#')) {
            for phrase in AVOIDED {
                let found = occurrences(comment, phrase);
                if found > 0 {
                    eprintln!("{path}: {phrase}: {comment:.200}");
                    *counts.entry(phrase.to_owned()).or_default() += found;
                }
            }
        }
    }
    assert_within("conventions/wording.tsv", &counts);
}

#[test]
fn documentation_can_be_read_alone() {
    let mut fragments = Vec::new();
    for (path, text) in repository::rust_sources() {
        let found = documentation(&text).filter(|it| is_fragment(it.1));
        fragments.extend(found.map(|(line, it)| format!("{path}:{line}: {it}")));
    }
    let reason = "documentation starts with a word that refers to a noun before it, which a hover does not show";
    assert!(fragments.is_empty(), "{reason}:\n{}", fragments.join("\n"));
}

#[test]
fn finds_fragments() {
    let source = "/// Those that exist.\n///\n/// As in Puppet.\nx: u8,\n    /// Puppet's.\ny: u8\n/// `With`.";
    let found: Vec<_> = documentation(source).collect();
    assert_eq!(
        found,
        [(1, "Those that exist."), (5, "Puppet's."), (7, "`With`.")]
    );
    let fragments: Vec<_> = found.iter().map(|it| is_fragment(it.1)).collect();
    assert_eq!(fragments, [true, false, false]);
}

#[test]
fn counts_words_in_comments() {
    let source =
        "/// What stands here\n/// stands. `stands`\nlet stands = 1; // no\n// Nothing stands.\n";
    let comments = comments(source);
    assert_eq!(comments.len(), 2);
    let count = |phrase| -> usize { comments.iter().map(|it| occurrences(it, phrase)).sum() };
    assert_eq!(count("stands"), 3);
    assert_eq!(count("^what"), 1);
    assert_eq!(count("nothing"), 1);
    assert_eq!(count("so many"), 0);
}
