//! The lexer: from text to tokens, with every byte in exactly one token.
//!
//! Puppet resolves its ambiguities in the lexer, based on the previous token: division or regular
//! expression, index or list, call or parenthesis. This lexer does the same. It must not look
//! ahead to find a meaning: that is the task of the parser.
//!
//! The rules follow `lexer2.rb`, `interpolation_support.rb`, `slurp_support.rb`,
//! `heredoc_support.rb` and `epp_support.rb`.

mod code;
mod conflict;
mod epp;
mod heredoc;
mod number;
mod scan;
mod string;
#[cfg(test)]
mod tests;

pub(crate) use heredoc::UNCLOSED_HEREDOC;

use crate::{Diagnostic, Dialect, SyntaxKind};

/// A token, which extends from `start` to the start of the next token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: SyntaxKind,
    /// The offset of the first byte in the file.
    pub start: u32,
}

/// The tokens of a file, or of the body of one heredoc.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// All tokens, without gaps. Each HEREDOC_BODY stands for the next element of `bodies`.
    pub tokens: Vec<Token>,
    /// The end offset of the last token.
    pub end: u32,
    /// The bodies of the heredocs, in source order.
    pub bodies: Vec<Lexed>,
    /// The errors, in the order in which Puppet's lexer finds them.
    pub errors: Vec<LexError>,
    /// The end of the string that ends with its line ([`Quotes::UnclosedAt`]).
    pub(crate) unclosed_end: Option<u32>,
}

/// A diagnostic with the position at which Puppet finds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LexError {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// The offset of the token at which Puppet's lexer finds the problem: it reads strings and
    /// heredocs as a whole before the parser sees their first token.
    pub met_at: u32,
}

impl Lexed {
    /// Returns the end offset of the token at `index`.
    pub fn token_end(&self, index: usize) -> u32 {
        self.tokens.get(index + 1).map_or(self.end, |it| it.start)
    }
}

/// How to lex strings in text with unbalanced quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Quotes {
    /// Like Puppet: a string ends at the next quote, however far away.
    #[default]
    AsWritten,
    /// A string without a closing quote on its first line ends with that line.
    EndWithLine,
    /// The string or regular expression that starts at this offset is unclosed, and ends with its line.
    UnclosedAt(usize),
}

/// Splits `text` into tokens.
///
/// Offsets have 32 bits: everything after the first 4 GiB becomes one UNKNOWN token.
pub fn lex(text: &str, dialect: Dialect) -> Lexed {
    lex_with(text, dialect, Quotes::AsWritten)
}

pub(crate) fn lex_with(text: &str, dialect: Dialect, quotes: Quotes) -> Lexed {
    scan::Scanner::new(text, dialect, quotes).file()
}

/// The state of the lexer at the start of a part of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// The start of the part.
    pub(crate) at: usize,
    /// The last token before it that is neither whitespace nor a comment.
    pub(crate) after: Option<SyntaxKind>,
    /// The offset after the last line break in code.
    pub(crate) line_start: usize,
}

/// Splits the code between `before` and the end of `text`, a prefix of a file, into tokens. Returns
/// `None` if there are errors, or if later text may change the tokens.
pub(crate) fn lex_part(text: &str, before: Before, dialect: Dialect) -> Option<Lexed> {
    scan::Scanner::new(text, dialect, Quotes::AsWritten).part(before)
}
