//! The scanner: the position in the text, the lexer mode and the previous token.

use logos::Logos;
use rowan::{TextRange, TextSize};

use super::code::Word;
use super::{Before, LexError, Lexed, Quotes, Token, number};
use crate::ast::is_blank;
use crate::steps::count_steps;
use crate::{Diagnostic, Dialect, Stage, SyntaxKind, regex};

/// The token that ends the current code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Until {
    /// The end of the text.
    End,
    /// The `}` that matches `${`.
    InterpolationEnd,
    /// `%>`.
    TagEnd {
        /// Whether the tag is `<%=`.
        prints: bool,
    },
}

/// How a run of code ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    Text,
    Interpolation,
    Tag { trims: bool },
}

/// A heredoc body that waits for the end of the line of its tag.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) start: usize,
    pub(super) body: Lexed,
}

/// Splits text into tokens. Offsets refer to the whole file; `text` is a prefix of it, which for
/// the body of a heredoc ends with the body.
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    pub(super) quotes: Quotes,
    pub(super) out: Lexed,
    /// The previous token, as far as Puppet's lexer remembers it.
    pub(super) after: Option<SyntaxKind>,
    /// The start of the text that Puppet passes to its scanner.
    pub(super) origin: usize,
    /// The start of the line of code in the sense of Puppet's lexer: the offset after the last
    /// line break that is in code, not in a string or comment.
    pub(super) line_start: usize,
    pub(super) pending: Vec<Pending>,
    /// The end of the body of the last heredoc of this line.
    pub(super) heredoc_end: Option<usize>,
    /// The number of bytes that may still be searched for the ends of heredocs, so that a file
    /// full of tags without an end does not take quadratic time.
    pub(super) search_budget: usize,
    pub(super) ahead: Ahead,
    /// Whether the first version of a merge conflict started before.
    pub(super) is_in_conflict: bool,
    blank: Blank,
    /// The number of strings, interpolations and heredocs around the current position.
    pub(super) depth: usize,
    /// The start of the outermost of them.
    pub(super) outermost: Option<usize>,
}

/// Cached results of searches in the text ahead, which keep lexing linear.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ahead {
    /// No unescaped `/` follows. A search starts after a `/`, never amid backslashes, so all
    /// searches agree on which `/` are escaped.
    no_regex_end: bool,
    /// No `)` follows.
    no_paren: bool,
    line_feed: Next,
    line_break: Next,
}

/// The cached result of a search for the next occurrence of a character.
#[derive(Clone, Copy, Default, Debug)]
struct Next {
    /// The start of the search.
    from: usize,
    /// The occurrence or the end of the text; `None` before the first search.
    at: Option<usize>,
}

impl Next {
    fn get(&mut self, from: usize, search: impl FnOnce() -> usize) -> usize {
        match self.at {
            Some(at) if (self.from..=at).contains(&from) => at,
            _ => {
                let at = search();
                count_steps(at - from);
                *self = Next { from, at: Some(at) };
                at
            }
        }
    }
}

/// The whitespace at the start of the current line, as far as it is known.
#[derive(Clone, Copy, Default, Debug)]
struct Blank {
    /// The start of the line.
    start: usize,
    /// The end of the part of the line that has been examined.
    end: usize,
    /// Whether that part contains anything but whitespace.
    is_over: bool,
}

/// The maximum nesting of strings in interpolations in strings.
pub(super) const MAX_DEPTH: usize = 64;

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect, quotes: Quotes) -> Self {
        let limit = u32::MAX as usize - 1;
        let text = if text.len() < limit {
            text
        } else {
            &text[..text.floor_char_boundary(limit)]
        };
        Scanner {
            text,
            at: 0,
            dialect,
            quotes,
            out: Lexed::default(),
            after: None,
            origin: 0,
            line_start: 0,
            pending: Vec::new(),
            heredoc_end: None,
            search_budget: 16 * text.len() + (1 << 20),
            ahead: Ahead::default(),
            is_in_conflict: false,
            blank: Blank::default(),
            depth: 0,
            outermost: None,
        }
    }

    /// Creates a scanner for the body of a heredoc, from `start` to the end of `text`.
    pub(super) fn for_heredoc(&self, text: &'t str, start: usize, tag: usize) -> Self {
        Scanner {
            outermost: Some(self.outermost.unwrap_or(tag)),
            text,
            at: start,
            origin: start,
            line_start: start,
            depth: self.depth + 1,
            search_budget: self.search_budget,
            ..Scanner::new(
                "",
                Dialect {
                    epp: false,
                    ..self.dialect
                },
                self.quotes,
            )
        }
    }

    /// Lexes a whole file.
    pub(super) fn file(mut self) -> Lexed {
        // Real modules have one token per 4 bytes on average.
        self.out.tokens.reserve(self.text.len() / 4 + 8);
        self.byte_order_mark();
        if self.dialect.epp {
            self.template();
        } else {
            self.code(Until::End);
        }
        self.finish()
    }

    /// Lexes code from the middle of a file; see [`super::lex_part`].
    pub(super) fn part(mut self, before: Before) -> Option<Lexed> {
        self.at = before.at;
        self.after = before.after;
        self.line_start = before.line_start;
        self.code(Until::End);
        if !self.pending.is_empty() {
            return None;
        }
        let found = self.finish();
        // The `/` that turns this one into a regular expression may follow later.
        let mut after = before.after;
        let is_uncertain = |it: &Token| {
            let is_slash = it.kind == SyntaxKind::SLASH && may_be_regex(after);
            if !it.kind.is_trivia() {
                after = Some(it.kind);
            }
            is_slash
        };
        let is_certain = !found.tokens.iter().any(is_uncertain);
        (is_certain && found.errors.is_empty()).then_some(found)
    }

    pub(super) fn finish(mut self) -> Lexed {
        // Bodies of heredocs on a line without a line break in code: only the body can follow.
        self.flush_heredocs();
        if self.at < self.text.len() {
            self.push(SyntaxKind::UNKNOWN, self.text.len());
        }
        self.out.end = self.at as u32;
        self.out
    }

    pub(super) fn byte_order_mark(&mut self) {
        let mark = '\u{feff}';
        if self.rest().starts_with(mark) {
            let message = "byte order mark (UTF-8: EF BB BF) is not allowed";
            let end = self.at + mark.len_utf8();
            self.error("ILLEGAL_BOM", message.to_owned(), self.at, end)
                .anchor = None;
            self.push(SyntaxKind::WHITESPACE, self.at + mark.len_utf8());
        }
    }

    // ---- helpers -------------------------------------------------------------

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn range(&self, start: usize, end: usize) -> TextRange {
        TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
    }

    /// Emits a token up to `end`, unless it would be empty.
    pub(super) fn push(&mut self, kind: SyntaxKind, end: usize) {
        if end > self.at {
            count_steps(1);
            self.out.tokens.push(Token {
                kind,
                start: self.at as u32,
            });
            self.at = end;
        }
    }

    /// Emits a token that Puppet's parser sees.
    pub(super) fn push_significant(&mut self, kind: SyntaxKind, end: usize) {
        self.push(kind, end);
        self.after = Some(kind);
    }

    /// Reports an error between two offsets and returns it for adjustments.
    pub(super) fn error(
        &mut self,
        code: &'static str,
        message: String,
        start: usize,
        end: usize,
    ) -> &mut Diagnostic {
        let end = self.floor(end).max(start);
        let diagnostic = Diagnostic::error(Stage::Parse, code, message, self.range(start, end));
        let met_at = self.outermost.unwrap_or(self.at) as u32;
        self.out.errors.push(LexError { diagnostic, met_at });
        let last = self.out.errors.len() - 1;
        &mut self.out.errors[last].diagnostic
    }

    pub(super) fn floor(&self, at: usize) -> usize {
        self.text.floor_char_boundary(at.min(self.text.len()))
    }

    // ---- lookahead -----------------------------------------------------------

    /// Returns the offset after the next `)`.
    pub(super) fn behind_paren(&mut self) -> Option<usize> {
        if self.ahead.no_paren {
            return None;
        }
        let length = self.rest().find(')');
        count_steps(length.unwrap_or(self.rest().len()));
        self.ahead.no_paren = length.is_none();
        length.map(|it| self.at + it + 1)
    }

    /// Returns the next LF from `from` on, or the end of the text.
    pub(super) fn next_line_feed(&mut self, from: usize) -> usize {
        let text = self.text;
        let search = || text[from..].find('\n').map_or(text.len(), |it| from + it);
        self.ahead.line_feed.get(from, search)
    }

    /// Returns the next CR or LF from `from` on, or the end of the text.
    pub(super) fn next_line_break(&mut self, from: usize) -> usize {
        let text = self.text;
        let length = || text[from..].find(['\r', '\n']);
        self.ahead
            .line_break
            .get(from, || length().map_or(text.len(), |it| from + it))
    }

    // ---- code ----------------------------------------------------------------

    /// Lexes code up to and including the token that `until` describes.
    pub(super) fn code(&mut self, until: Until) -> Ended {
        let mut braces = 0usize;
        let mut words = self.words();
        while let Some(word) = words.next() {
            let start = self.at;
            let end = start + words.slice().len();
            match word {
                Ok(Word::Whitespace) => self.whitespace(start, end),
                Ok(Word::LineComment) => self.push(SyntaxKind::LINE_COMMENT, end),
                Ok(Word::BlockCommentStart) => self.block_comment(),
                Ok(Word::LBrace) => {
                    braces += 1;
                    let after_question = self.after == Some(SyntaxKind::QUESTION);
                    let kind = if after_question {
                        SyntaxKind::SELECTOR_BRACE
                    } else {
                        SyntaxKind::L_BRACE
                    };
                    self.push_significant(kind, end);
                }
                Ok(Word::RBrace) => {
                    if braces == 0 && until == Until::InterpolationEnd {
                        self.push(SyntaxKind::INTERPOLATION_CLOSE, end);
                        self.after = Some(SyntaxKind::R_BRACE);
                        return Ended::Interpolation;
                    }
                    braces = braces.saturating_sub(1);
                    self.push_significant(SyntaxKind::R_BRACE, end);
                }
                Ok(Word::EppClose | Word::EppCloseTrim) => {
                    if let Until::TagEnd { prints } = until {
                        return self.tag_end(prints, end);
                    }
                    self.not_a_tag();
                }
                Ok(Word::DoubleQuote)
                    if until == Until::InterpolationEnd && self.quote_closes() =>
                {
                    return Ended::Text;
                }
                Ok(word) => self.word(word, end),
                Err(()) => {
                    let end =
                        self.floor(start + self.rest().chars().next().map_or(1, char::len_utf8));
                    self.push_significant(SyntaxKind::UNKNOWN, end);
                }
            }
            let read = start + words.slice().len();
            if self.at > read {
                words.bump(self.at - read);
            } else if self.at < read {
                words = self.words();
            }
        }
        Ended::Text
    }

    fn words(&self) -> logos::Lexer<'t, Word> {
        let mut words = Word::lexer(self.text);
        words.bump(self.at);
        words
    }

    fn tag_end(&mut self, prints: bool, end: usize) -> Ended {
        let trims = self.rest().starts_with('-');
        if prints {
            self.push_significant(SyntaxKind::EPP_EXPR_CLOSE, end);
        } else {
            self.push(SyntaxKind::EPP_CLOSE, end);
        }
        Ended::Tag { trims }
    }

    /// Lexes `%>` or `-%>` outside of a tag, where they are operators.
    fn not_a_tag(&mut self) {
        let kind = if self.rest().starts_with('-') {
            SyntaxKind::MINUS
        } else {
            SyntaxKind::PERCENT
        };
        self.push_significant(kind, self.at + 1);
    }

    fn whitespace(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        let Some(first_break) = text.find('\n') else {
            return self.push(SyntaxKind::WHITESPACE, end);
        };
        if self.heredoc_end.is_none() {
            self.line_start = start + text.rfind('\n').map_or(0, |it| it + 1);
            return self.push(SyntaxKind::WHITESPACE, end);
        }
        self.push(SyntaxKind::WHITESPACE, start + first_break + 1);
        self.flush_heredocs();
        self.line_start = self.at;
    }

    /// Emits the pending heredoc bodies that start here.
    fn flush_heredocs(&mut self) {
        self.heredoc_end = None;
        for pending in std::mem::take(&mut self.pending) {
            // A string across the line break may have consumed these lines already.
            if pending.start == self.at {
                let end = pending.body.end as usize;
                self.out.errors.extend_from_slice(&pending.body.errors);
                self.push(SyntaxKind::HEREDOC_BODY, end);
                self.out.bodies.push(pending.body);
            }
        }
    }

    fn block_comment(&mut self) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.push(SyntaxKind::BLOCK_COMMENT, self.at + 2 + length + 2),
            None => {
                let start = self.at;
                self.error(
                    "UNCLOSED_MLCOMMENT",
                    "unclosed comment".to_owned(),
                    start,
                    start + 2,
                );
                self.push(SyntaxKind::BLOCK_COMMENT, self.text.len());
            }
        }
    }

    fn word(&mut self, word: Word, end: usize) {
        match word {
            Word::Name => {
                let keyword =
                    SyntaxKind::from_keyword(&self.text[self.at..end], self.dialect.tasks);
                self.push_significant(keyword.unwrap_or(SyntaxKind::NAME), end);
            }
            Word::Bare => self.push_significant(SyntaxKind::WORD, end),
            Word::Classref => self.classref(end),
            Word::DoubleColon => self.double_colon(end),
            Word::Variable | Word::Dollar => self.push_significant(SyntaxKind::VARIABLE, end),
            Word::Digit => self.number(),
            Word::SingleQuote => self.string(Self::single_quoted),
            Word::DoubleQuote => self.string(Self::double_quoted),
            Word::HeredocStart => self.heredoc(),
            Word::Slash => self.slash(end),
            Word::SevenSigns => self.seven_signs(),
            Word::LBrack => {
                let kind = if self.is_behind_blank() {
                    SyntaxKind::LIST_START
                } else {
                    SyntaxKind::L_BRACK
                };
                self.push_significant(kind, end);
            }
            Word::LParen => {
                let kind = if self.is_first_on_line() {
                    SyntaxKind::WS_L_PAREN
                } else {
                    SyntaxKind::L_PAREN
                };
                self.push_significant(kind, end);
            }
            other => self.push_significant(punctuation(other), end),
        }
    }

    fn is_behind_blank(&self) -> bool {
        self.at == self.origin
            || self.text[self.origin..self.at]
                .ends_with(|c: char| is_blank(c) || c == '\r' || c == '\n')
    }

    fn is_first_on_line(&mut self) -> bool {
        let mut blank = self.blank;
        if blank.start != self.line_start {
            blank = Blank {
                start: self.line_start,
                end: self.line_start,
                is_over: false,
            };
        }
        if !blank.is_over {
            let line = self.text.get(blank.end..self.at).unwrap_or("x");
            blank.is_over = !line.chars().all(|c| is_blank(c) || c == '\r');
            blank.end = self.at;
        }
        self.blank = blank;
        !blank.is_over
    }

    fn classref(&mut self, end: usize) {
        if self.text[end..].starts_with("::") {
            let is_qualified = self.rest().starts_with("::");
            let (code, what, behind) = if is_qualified {
                (
                    "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE",
                    "fully qualified type name",
                    3,
                )
            } else {
                ("ILLEGAL_CLASS_REFERENCE", "type name", 1)
            };
            let message = format!("invalid {what}: expected an uppercase letter after `::`");
            let anchor = self.floor(end + behind) as u32;
            self.error(code, message, self.at, end + 2).anchor = Some(anchor.into());
        }
        self.push_significant(SyntaxKind::CLASSREF, end);
    }

    fn double_colon(&mut self, end: usize) {
        let rest = &self.text[end..];
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let part = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        // A digit would be a number of its own, with a second error.
        let (message, whole) = match rest.starts_with(|it: char| it.is_ascii_digit()) {
            true => ("invalid name: expected a letter after `::`", end + part),
            false => ("expected a name after `::`", end),
        };
        let error = self.error(
            "ILLEGAL_FULLY_QUALIFIED_NAME",
            message.to_owned(),
            self.at,
            whole,
        );
        error.anchor = Some((end as u32).into());
        self.push_significant(SyntaxKind::UNKNOWN, whole);
    }

    fn number(&mut self) {
        let start = self.at;
        match number::scan(self.rest()) {
            Ok(length) => {
                if let Some((code, message)) = number::problem(&self.text[start..start + length]) {
                    self.error(code, message, start, start + length);
                }
                self.push_significant(SyntaxKind::NUMBER, start + length);
            }
            Err(length) => {
                let end = start + length;
                let from = self.start_of_fraction().unwrap_or(start);
                let written = &self.text[from..end];
                let (code, message) = number::problem(written)
                    .unwrap_or_else(|| ("ILLEGAL_NUMBER", format!("invalid number `{written}`")));
                self.error(code, message, from, end);
                self.push_significant(SyntaxKind::NUMBER, end);
            }
        }
    }

    /// Returns the start of the number `1.` directly before the current position.
    fn start_of_fraction(&self) -> Option<usize> {
        let before = self.text[self.origin..self.at].strip_suffix('.')?;
        let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| self.at - 1 - digits)
    }

    fn slash(&mut self, end: usize) {
        if self.quotes == Quotes::UnclosedAt(self.at) {
            return self.unclosed_regex();
        }
        let length = may_be_regex(self.after)
            .then(|| self.regex_length())
            .flatten();
        let Some(length) = length else {
            return self.push_significant(SyntaxKind::SLASH, end);
        };
        self.regex_syntax(self.at + length);
        self.push_significant(SyntaxKind::REGEX, self.at + length);
    }

    fn unclosed_regex(&mut self) {
        let message = "unclosed regular expression: missing `/`".to_owned();
        self.error("SYNTAX_ERROR", message, self.at, self.at + 1);
        let end = self.next_line_break(self.at);
        self.push_significant(SyntaxKind::REGEX, end);
    }

    /// Checks a regular expression: Puppet's lexer compiles it, and crashes if Ruby rejects it.
    fn regex_syntax(&mut self, end: usize) {
        let source = self.text[self.at + 1..end - 1].replace("\\/", "/");
        if let Err(problem) = regex::parse(&source) {
            let message = format!("invalid regular expression: {}", problem.message);
            self.error("INVALID_REGEXP", message, self.at, end);
        }
    }

    /// Returns the length up to and including the next unescaped `/`, across line breaks too.
    fn regex_length(&mut self) -> Option<usize> {
        if self.ahead.no_regex_end {
            return None;
        }
        let bytes = self.rest().as_bytes();
        let mut at = 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'/' => return Some(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        self.ahead.no_regex_end = true;
        None
    }
}

/// Checks whether a `/` after this token may start a regular expression.
///
/// From `lexer2.rb`, `regexp_acceptable?`: not after a token that may end an operand. After `}` it
/// may, for the sake of `case`.
fn may_be_regex(after: Option<SyntaxKind>) -> bool {
    use SyntaxKind::*;
    !matches!(
        after,
        Some(
            R_PAREN
                | R_BRACK
                | R_COLLECT
                | RR_COLLECT
                | NAME
                | CLASSREF
                | NUMBER
                | SINGLE_QUOTED
                | DOUBLE_QUOTED
                | STRING_CLOSE
                | HEREDOC_START
                | TRUE_KW
                | FALSE_KW
                | REGEX
                | VARIABLE
                | WORD
        )
    )
}

fn punctuation(word: Word) -> SyntaxKind {
    match word {
        Word::RBrack => SyntaxKind::R_BRACK,
        Word::RParen => SyntaxKind::R_PAREN,
        Word::Eq => SyntaxKind::EQ,
        Word::PlusEq => SyntaxKind::PLUS_EQ,
        Word::MinusEq => SyntaxKind::MINUS_EQ,
        Word::EqEq => SyntaxKind::EQ_EQ,
        Word::NotEq => SyntaxKind::NOT_EQ,
        Word::Match => SyntaxKind::MATCH,
        Word::NotMatch => SyntaxKind::NOT_MATCH,
        Word::GtEq => SyntaxKind::GT_EQ,
        Word::Gt => SyntaxKind::GT,
        Word::LtEq => SyntaxKind::LT_EQ,
        Word::Lt => SyntaxKind::LT,
        Word::FatArrow => SyntaxKind::FAT_ARROW,
        Word::PlusArrow => SyntaxKind::PLUS_ARROW,
        Word::Shl => SyntaxKind::SHL,
        Word::Shr => SyntaxKind::SHR,
        Word::LlCollect => SyntaxKind::LL_COLLECT,
        Word::LCollect => SyntaxKind::L_COLLECT,
        Word::RrCollect => SyntaxKind::RR_COLLECT,
        Word::RCollect => SyntaxKind::R_COLLECT,
        Word::Plus => SyntaxKind::PLUS,
        Word::Minus => SyntaxKind::MINUS,
        Word::Star => SyntaxKind::STAR,
        Word::Percent => SyntaxKind::PERCENT,
        Word::Bang => SyntaxKind::BANG,
        Word::Dot => SyntaxKind::DOT,
        Word::Pipe => SyntaxKind::PIPE,
        Word::At => SyntaxKind::AT,
        Word::AtAt => SyntaxKind::AT_AT,
        Word::Colon => SyntaxKind::COLON,
        Word::Comma => SyntaxKind::COMMA,
        Word::Semicolon => SyntaxKind::SEMICOLON,
        Word::Question => SyntaxKind::QUESTION,
        Word::Tilde => SyntaxKind::TILDE,
        Word::InEdge => SyntaxKind::IN_EDGE,
        Word::InEdgeSub => SyntaxKind::IN_EDGE_SUB,
        Word::OutEdge => SyntaxKind::OUT_EDGE,
        Word::OutEdgeSub => SyntaxKind::OUT_EDGE_SUB,
        _ => SyntaxKind::UNKNOWN,
    }
}
