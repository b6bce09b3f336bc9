//! Words of the code, which are counted by their hashes.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Returns the word that is counted for each variable with the same form of name: local, of the top
/// scope, or of a class.
pub(super) fn variable_form(name: &str) -> u32 {
    let plain = name.trim_start_matches("::");
    hash(("$form", plain.len() < name.len(), plain.contains("::")))
}

/// A word of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    /// A name, a keyword or a bare word.
    Text(&'a str),
    /// The content of a string.
    String(&'a str),
    /// A variable without the dollar sign.
    Variable(&'a str),
}

impl Word<'_> {
    /// Returns the identity of the word. A string and a bare word are the same, and so is a name with
    /// leading colons.
    pub(super) fn id(self) -> u32 {
        match self {
            Word::Text(text) | Word::String(text) => hash(text.trim_start_matches("::")),
            Word::Variable(name) => hash(("$", name)),
        }
    }
}

/// Hashes a context or a word.
pub(super) fn hash(value: impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}
