//! From text to tokens: every byte lands in exactly one token.
//!
//! Puppet settles its ambiguities in its lexer, from the token before: division or regular
//! expression, index or list, call or parenthesis. So does this one. What it must not do is
//! look ahead for a meaning: that is the parser's work.
//!
//! The rules are those of `lexer2.rb`, `interpolation_support.rb`, `slurp_support.rb`,
//! `heredoc_support.rb` and `epp_support.rb`.

mod code;
mod epp;
mod heredoc;
mod number;
mod scan;
mod string;

use crate::{Diagnostic, Dialect, SyntaxKind};

/// A token: its text reaches from `start` to the start of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: SyntaxKind,
    /// Its first byte in the file.
    pub start: u32,
}

/// The tokens of a file, or of the lines of one heredoc.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// All tokens without gaps. A HEREDOC_BODY among them stands for the next of `bodies`.
    pub tokens: Vec<Token>,
    /// Where the last token ends.
    pub end: u32,
    /// The lines of the heredocs, in the order of the file.
    pub bodies: Vec<Lexed>,
    /// What is wrong, in the order in which Puppet's lexer meets it.
    pub errors: Vec<LexError>,
}

/// What is wrong with a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LexError {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The token at which Puppet's lexer meets it: strings and heredocs are read as a whole
    /// before the parser sees their first token.
    pub met_at: u32,
}

impl Lexed {
    /// Where the token at `index` ends.
    pub fn token_end(&self, index: usize) -> u32 {
        self.tokens.get(index + 1).map_or(self.end, |it| it.start)
    }
}

/// How to read text whose quotes do not match up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Quotes {
    /// As Puppet does: a string ends at the next quote, however far that is.
    #[default]
    AsWritten,
    /// A string whose first line holds no closing quote ends with that line.
    EndWithLine,
}

/// The tokens of `text`.
///
/// Offsets are 32 bits wide: of a text of 4 GiB or more, the rest is one UNKNOWN token.
pub fn lex(text: &str, dialect: Dialect) -> Lexed {
    lex_with(text, dialect, Quotes::AsWritten)
}

pub(crate) fn lex_with(text: &str, dialect: Dialect, quotes: Quotes) -> Lexed {
    scan::Scanner::new(text, dialect, quotes).file()
}

/// What stands in front of a part of a file, as far as the lexer asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// Where the part starts.
    pub(crate) at: usize,
    /// The token before that is neither white space nor a comment.
    pub(crate) after: Option<SyntaxKind>,
    /// Behind the last line break in code.
    pub(crate) line_start: usize,
}

/// The tokens of the code between `before` and the end of `text`, which is the start of a file.
/// Nothing if something is wrong with them, or if what stands behind them may change them.
pub(crate) fn lex_part(text: &str, before: Before, dialect: Dialect) -> Option<Lexed> {
    scan::Scanner::new(text, dialect, Quotes::AsWritten).part(before)
}
