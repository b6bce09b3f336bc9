//! Whether a regular expression is one that Ruby can compile.
//!
//! Puppet hands every regex literal to Ruby's `Regexp.new` and dies on what Ruby refuses, so the
//! verdict here is Ruby's own: version 3.1, the engine Onigmo with the Ruby syntax. The work goes
//! in the order Ruby has it: escapes of code points are resolved first ([`unescape`]), then the
//! pattern is parsed into a small tree ([`parser`]), then the rules that need the whole pattern
//! are checked on that tree ([`rules`]).
//!
//! Where Ruby itself is erratic, the answer leans to "valid": a missed error costs less than a
//! false one. What is knowingly let through: look-behinds whose length varies only because case
//! is ignored (`(?i)(?<=xss)é`); characters outside ASCII that Ruby takes for digits; "never
//! ending recursion" that Ruby sees only because it took a length for 0 that it had not worked out
//! yet, or in patterns with an extreme number of recursive groups.
//!
//! This room knows Ruby's regex syntax and nothing of Puppet; it never matches anything.

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

/// Why Ruby would refuse a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// Where the trouble lies: bytes from the start of the source, at most its length.
    pub offset: usize,
    /// What is wrong, in one sentence without a full stop.
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

/// A name as a message shows it: on one line, and not all of it if it is very long.
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

/// Checks `source`, the text between the slashes of a regex literal with `\/` already turned into
/// `/`, as Ruby's `Regexp.new` would.
///
/// The first error in Ruby's order of checking is the one reported. The time taken is nearly
/// linear in the length of `source`, and no nesting, however deep, exhausts the stack.
pub fn check(source: &str) -> Result<(), RegexError> {
    let pattern = unescape::unescape(source)?;
    let tree = parser::parse(&pattern)?;
    rules::check(&tree)
}

/// How many groups a match of `source` captures, as Ruby counts them: as soon as one group has a
/// name, the groups without a name capture nothing. 0 for what cannot be parsed.
pub fn group_count(source: &str) -> usize {
    unescape::unescape(source)
        .and_then(|pattern| parser::parse(&pattern))
        .map_or(0, |tree| tree.capture_count())
}

/// What a match of `source` captures: the whole of it first, then each group, as Ruby numbers them.
/// Empty for what cannot be parsed.
pub fn groups(source: &str) -> Vec<GroupShape> {
    let tree = unescape::unescape(source).and_then(|pattern| parser::parse(&pattern));
    let Ok(tree) = tree else {
        return Vec::new();
    };
    if !tree.calls.is_empty() {
        return shapes::unknown(tree.capture_count() + 1);
    }
    // `\K` puts the start of the match somewhere else.
    shapes::shapes(&tree, !source.contains("\\K"))
}
