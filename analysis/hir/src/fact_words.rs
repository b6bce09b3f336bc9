//! The words in the sources of facts. Programs print facts, and Ruby code computes names of facts, so that a word there
//! may be the name of one.

use rustc_hash::FxHashSet;
use salsa::Database;

use crate::autoload::fact_files;
use crate::ruby_symbols::external_fact_files;
use base::EnvironmentInput;

/// The length of a word that may be the name of a fact, in bytes.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=64;

/// The words in the sources of facts, in lower case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FactWords {
    all: FxHashSet<Box<str>>,
    /// Those that are a whole string in a program.
    quoted: FxHashSet<Box<str>>,
}

/// Checks whether the source of a fact contains a word, in any case.
pub fn is_in_fact_source(db: &dyn Database, environment: EnvironmentInput, word: &str) -> bool {
    let words = &fact_words(db, environment).all;
    words.contains(&*word.to_ascii_lowercase())
}

/// Checks whether a program in `facts.d` contains a word as a string, in any case: less likely by chance.
pub fn is_string_in_fact_program(
    db: &dyn Database,
    environment: EnvironmentInput,
    word: &str,
) -> bool {
    let words = &fact_words(db, environment).quoted;
    words.contains(&*word.to_ascii_lowercase())
}

#[salsa::tracked]
fn fact_words(db: &dyn Database, environment: EnvironmentInput) -> FactWords {
    let mut found = FactWords::default();
    for file in fact_files(db, environment) {
        found
            .all
            .extend(file.text(db).iter().flat_map(|it| words(it)));
    }
    for (_, file) in external_fact_files(db, environment) {
        let Some(text) = file.text(db).as_deref() else {
            continue;
        };
        found.all.extend(words(text));
        let strings = text.split(['"', '\'']).filter(|it| is_word(it));
        found.quoted.extend(strings.map(lower));
    }
    found
}

/// Iterates over the words of a source in lower case.
pub fn words(text: &str) -> impl Iterator<Item = Box<str>> {
    let words = text.split(|it: char| !is_word_character(it));
    words.filter(|it| is_word(it)).map(lower)
}

fn is_word(text: &str) -> bool {
    LENGTH.contains(&text.len()) && text.chars().all(is_word_character)
}

fn is_word_character(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

fn lower(word: &str) -> Box<str> {
    word.to_ascii_lowercase().into()
}
