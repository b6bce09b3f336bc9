//! Names that facts may have although no definition says so: programs print facts, and Ruby code computes their names.

use std::collections::BTreeSet;

use library::ruby::ComputedName;
use rustc_hash::FxHashSet;
use salsa::Database;

use crate::autoload::fact_files;
use crate::ruby_symbols::{external_fact_files, ruby_facts};
use base::EnvironmentInput;

/// The range of lengths, in bytes, of words that may be the name of a fact.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=64;

/// The words in the sources of facts, in lower case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FactWords {
    all: FxHashSet<Box<str>>,
    /// The words that are a whole string in a program, or in Ruby code that computes names of facts.
    likely: FxHashSet<Box<str>>,
    /// Names that Ruby code computes, of which a part is known.
    computed: BTreeSet<ComputedName>,
}

impl FactWords {
    fn may_compute(&self, name: &str) -> bool {
        self.computed.iter().any(|it| it.may_be(name))
    }
}

/// Checks whether a name that is read as a fact may be that of a custom or external fact.
pub fn may_be_fact(db: &dyn Database, environment: EnvironmentInput, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = fact_words(db, environment);
    words.all.contains(name.as_str()) || words.may_compute(&name)
}

/// Checks whether a name that is more likely one of a variable may be that of a custom or external fact.
pub fn is_likely_fact(db: &dyn Database, environment: EnvironmentInput, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = fact_words(db, environment);
    words.likely.contains(name.as_str())
        || words.may_compute(&name)
        || library::may_be_interface_fact(&name)
}

#[salsa::tracked]
fn fact_words(db: &dyn Database, environment: EnvironmentInput) -> FactWords {
    let mut found = FactWords::default();
    for file in fact_files(db, environment) {
        let Some(text) = file.text(db).as_deref() else {
            continue;
        };
        found.all.extend(words(text));
        let computed = &ruby_facts(db, *file).computed;
        if !computed.is_empty() {
            found.likely.extend(words(text));
        }
        let known = computed.iter().filter(|it| !it.is_any());
        found.computed.extend(known.cloned());
    }
    for (_, file) in external_fact_files(db, environment) {
        let Some(text) = file.text(db).as_deref() else {
            continue;
        };
        found.all.extend(words(text));
        let strings = text.split(['"', '\'']).filter(|it| is_word(it));
        found.likely.extend(strings.map(lower));
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
