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
            found.likely.extend(names_in_ruby(text));
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

/// Iterates over the strings of a single word in a line, in lower case.
fn strings(line: &str) -> impl Iterator<Item = Box<str>> {
    let quoted = line.split(['"', '\'']).skip(1).step_by(2);
    quoted.filter(|it| is_word(it)).map(lower)
}

/// Iterates over the words in Ruby code that may become the name of a fact, in lower case: strings, symbols, the keys of
/// hashes and lists of words. Local variables and comments are none.
fn names_in_ruby(text: &str) -> impl Iterator<Item = Box<str>> {
    let code = text.lines().filter(|it| !it.trim_start().starts_with('#'));
    code.flat_map(|line| {
        let list = line.split_once("%w").or_else(|| line.split_once("%i"));
        let listed = list.into_iter().flat_map(|it| words(it.1));
        strings(line).chain(listed).chain(symbols(line))
    })
}

/// Iterates over the words with a colon on one side, in lower case.
fn symbols(line: &str) -> impl Iterator<Item = Box<str>> {
    let has_colon = |before: &str, after: &str| {
        let is_symbol = before.ends_with(':') && !before.ends_with("::");
        is_symbol || after.starts_with(':') && !after.starts_with("::")
    };
    let starts = line.match_indices(is_word_character).map(|it| it.0);
    let starts = starts.filter(|it| !line[..*it].ends_with(is_word_character));
    starts.filter_map(move |start| {
        let (before, rest) = line.split_at(start);
        let end = rest.find(|it| !is_word_character(it)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        (is_word(word) && has_colon(before, after)).then(|| lower(word))
    })
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

#[cfg(test)]
mod tests {
    use super::names_in_ruby;

    #[test]
    fn finds_names_of_facts_in_ruby() {
        let code = "# the value of each key\ndata.each_pair do |name, value|\n  Facter.add(name)\nend\n\
                    NAMES = %w[alpha beta]\nadd(:gamma, delta: 1)\nFacter::Util.add('epsilon')\n";
        let mut found: Vec<_> = names_in_ruby(code).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(
            found,
            ["alpha", "beta", "delta", "epsilon", "gamma"].map(Box::from)
        );
    }
}
