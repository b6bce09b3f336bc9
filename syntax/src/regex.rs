//! The parser of regular expressions, which accepts those that Ruby compiles.
//!
//! Puppet passes every regex literal to Ruby's `Regexp.new` and crashes on an invalid one, so this
//! module follows Ruby 3.1: the Onigmo engine with the Ruby syntax. The stages are those of Ruby:
//! escapes of code points are resolved first ([`unescape`]), then the pattern is parsed into a
//! [`Tree`] ([`parser`]), then the rules that need the whole pattern are checked on that tree
//! ([`rules`]). The analysis translates the tree to the syntax of another engine.
//!
//! Where Ruby itself is erratic, the pattern counts as valid: a false negative costs less than a
//! false positive. Known false negatives: look-behinds whose length varies only because case is
//! ignored (`(?i)(?<=xss)é`); non-ASCII characters that Ruby treats as digits; "never ending
//! recursion" that Ruby reports only because it assumes the length 0 before it has computed one, or
//! in patterns with an extreme number of recursive groups.
//!
//! This module is independent of Puppet's syntax, and it never matches strings.

mod class;
mod parser;
mod properties;
mod reference;
mod rules;
mod shapes;
#[cfg(test)]
mod tests;
mod tree;
mod unescape;

use std::fmt;

pub use shapes::GroupShape;
pub use tree::{
    Anchor, Backref, CharSet, CharSetKind, Children, Class, ClassItem, Name, Node, NodeId, Options,
    Tree, UnicodeMode,
};

/// An error for which Ruby rejects a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// The offset of the error in the source, in bytes.
    pub offset: usize,
    /// The message: one line, without a final period.
    pub message: String,
}

impl RegexError {
    fn new(offset: usize, message: impl Into<String>) -> RegexError {
        RegexError {
            offset,
            message: message.into(),
        }
    }
}

/// Formats a name for a message: on one line, and truncated if it is very long.
fn shown(name: impl Iterator<Item = char>) -> String {
    const LONGEST: usize = 40;
    let mut name = name.fuse();
    let mut shown: String = name
        .by_ref()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if name.next().is_some() {
        shown.push('…');
    }
    shown
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for RegexError {}

/// Parses and checks `source` like Ruby's `Regexp.new`: the text between the slashes of a regex
/// literal, with `/` for `\/`.
///
/// # Errors
///
/// The first error in Ruby's order of checks. The time is nearly linear in the length of `source`,
/// and deep nesting does not exhaust the stack.
pub fn parse(source: &str) -> Result<Tree, RegexError> {
    let tree = parse_unchecked(source)?;
    rules::check(&tree)?;
    Ok(tree)
}

/// Parses `source` without the rules that need the whole pattern.
fn parse_unchecked(source: &str) -> Result<Tree, RegexError> {
    let pattern = unescape::unescape(source)?;
    parser::parse(&pattern)
}

/// Returns the shapes of the captures of `source`: first the whole match, then each group by number.
/// Empty for an invalid pattern.
pub fn groups(source: &str) -> Vec<GroupShape> {
    let Ok(tree) = parse_unchecked(source) else {
        return Vec::new();
    };
    if !tree.calls.is_empty() {
        return shapes::unknown(tree.capture_count() + 1);
    }
    shapes::shapes(&tree)
}
