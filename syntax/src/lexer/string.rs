//! Quoted strings, and the interpolation that heredocs share with them.

use super::Quotes;
use super::scan::{Ended, MAX_DEPTH, Scanner, Until};
use crate::ast::{EscapeProblem, Escapes};
use crate::{Fix, Severity, SyntaxKind, TextRange};

/// The end of a run of text, with its reason.
pub(super) enum TextEnd {
    /// The closing quote, or the end of the text.
    Close(usize),
    /// `${`.
    Expression(usize),
    /// `$name`, with its end.
    Variable(usize, usize),
    /// The closing quote is missing.
    Missing(usize),
}

impl Scanner<'_> {
    /// Lexes the string here.
    pub(super) fn string(&mut self, read: fn(&mut Self)) {
        if self.quotes != Quotes::UnclosedAt(self.at) {
            return read(self);
        }
        self.quotes = Quotes::AsWritten;
        let line_end = self.next_line_break(self.at);
        let (text, ahead) = (self.text, std::mem::take(&mut self.ahead));
        self.text = &text[..line_end];
        read(self);
        self.out.unclosed_end = Some(line_end as u32);
        (self.text, self.ahead) = (text, ahead);
    }

    pub(super) fn single_quoted(&mut self) {
        let start = self.at;
        let limit = self.string_limit(start + 1, '\'');
        let bytes = &self.text.as_bytes()[..limit];
        let mut at = start + 1;
        if is_swallowed_quote(&bytes[at.min(limit)..], b'\'', |b| b == b'\'') {
            at += 1;
        }
        loop {
            match bytes.get(at) {
                Some(b'\'') => return self.push_significant(SyntaxKind::SINGLE_QUOTED, at + 1),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => break,
            }
        }
        self.unclosed(start, start + 1, '\'');
        self.push_significant(SyntaxKind::SINGLE_QUOTED, limit);
    }

    pub(super) fn double_quoted(&mut self) {
        let start = self.at;
        let limit = self.string_limit(start + 1, '"');
        match self.text_end(start + 1, limit, true, true) {
            TextEnd::Close(end) => {
                self.unknown_escapes(start + 1, end);
                self.push_significant(SyntaxKind::DOUBLE_QUOTED, end + 1);
            }
            TextEnd::Missing(end) => {
                self.unclosed(start, start + 1, '"');
                self.push_significant(SyntaxKind::DOUBLE_QUOTED, end);
            }
            _ if self.depth >= MAX_DEPTH => self.too_deep(limit),
            _ => self.interpolated(start, limit),
        }
    }

    fn too_deep(&mut self, limit: usize) {
        let start = self.at;
        self.error(
            "SYNTAX_ERROR",
            "strings are nested too deeply".to_owned(),
            start,
            start + 1,
        );
        self.push_significant(SyntaxKind::UNKNOWN, limit);
    }

    fn interpolated(&mut self, start: usize, limit: usize) {
        let before = self.after;
        let mut read_code = false;
        let outermost = self.outermost;
        self.outermost = Some(outermost.unwrap_or(start));
        self.depth += 1;
        self.push(SyntaxKind::STRING_OPEN, start + 1);
        loop {
            let segment = self.at;
            match self.text_end(segment, limit.max(segment), true, true) {
                TextEnd::Close(end) => {
                    self.unknown_escapes(segment, end);
                    self.push(SyntaxKind::STRING_TEXT, end);
                    self.push(SyntaxKind::STRING_CLOSE, end + 1);
                    break;
                }
                TextEnd::Missing(end) => {
                    self.unclosed(start, segment, '"');
                    self.push(SyntaxKind::STRING_TEXT, end);
                    break;
                }
                TextEnd::Expression(at) => {
                    self.unknown_escapes(segment, at);
                    self.push(SyntaxKind::STRING_TEXT, at);
                    read_code = true;
                    self.interpolation();
                }
                TextEnd::Variable(at, end) => {
                    self.unknown_escapes(segment, at);
                    self.push(SyntaxKind::STRING_TEXT, at);
                    self.push(SyntaxKind::VARIABLE, end);
                }
            }
        }
        self.depth -= 1;
        self.outermost = outermost;
        // Inside an interpolation Puppet's lexer does not notice that a string has ended here.
        self.after = match (self.depth > 0, read_code) {
            (true, true) => Some(SyntaxKind::R_BRACE),
            (true, false) => before,
            (false, _) => Some(SyntaxKind::STRING_CLOSE),
        };
    }

    /// Lexes `${ … }`.
    pub(super) fn interpolation(&mut self) {
        self.push(SyntaxKind::INTERPOLATION_OPEN, self.at + 2);
        let first = self.out.tokens.len();
        if self.code(Until::InterpolationEnd) == Ended::Interpolation {
            self.words_to_variables(first);
        }
    }

    /// Turns a lone word in `${…}` into a variable, and so a first word before `[` or `.`.
    ///
    /// From `interpolation_support.rb`, `transform_to_variable`.
    fn words_to_variables(&mut self, first: usize) {
        let close = self.out.tokens.len() - 1;
        let mut significant = (first..close).filter(|&it| !self.out.tokens[it].kind.is_trivia());
        let Some(word) = significant.next() else {
            return;
        };
        let next = significant.next().map(|it| self.out.tokens[it].kind);
        let kind = self.out.tokens[word].kind;
        // Puppet forgets `plan` and `apply` here.
        let is_word = match kind {
            SyntaxKind::NUMBER | SyntaxKind::NAME | SyntaxKind::WORD => true,
            SyntaxKind::PLAN_KW | SyntaxKind::APPLY_KW => false,
            _ => kind.is_keyword(),
        };
        if is_word && matches!(next, None | Some(SyntaxKind::DOT | SyntaxKind::L_BRACK)) {
            self.out.tokens[word].kind = SyntaxKind::VARIABLE;
        }
    }

    /// Finds the end of the text from `start` on. Unless `quoted`, the text ends at `limit`;
    /// unless `escapes`, a backslash is an ordinary character.
    pub(super) fn text_end(
        &self,
        start: usize,
        limit: usize,
        quoted: bool,
        escapes: bool,
    ) -> TextEnd {
        let bytes = &self.text.as_bytes()[..limit];
        let mut at = start;
        if quoted && is_swallowed_quote(&bytes[at.min(limit)..], b'"', |b| matches!(b, b'"' | b'$'))
        {
            at += 1;
        }
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' if quoted => return TextEnd::Close(at),
                b'\\' if escapes => at += 2,
                b'$' if bytes.get(at + 1) == Some(&b'{') => return TextEnd::Expression(at),
                b'$' => match variable_length(&bytes[at + 1..]) {
                    0 => at += 1,
                    length => return TextEnd::Variable(at, at + 1 + length),
                },
                _ => at += 1,
            }
        }
        if quoted {
            TextEnd::Missing(limit)
        } else {
            TextEnd::Close(limit)
        }
    }

    /// Checks whether the quote here, inside an interpolation, closes the enclosing string: during
    /// repair, if no other quote follows on the line.
    pub(super) fn quote_closes(&mut self) -> bool {
        self.quotes == Quotes::EndWithLine && self.string_limit(self.at + 1, '"') < self.text.len()
    }

    /// Returns the limit of the string that starts at `start`.
    fn string_limit(&mut self, start: usize, quote: char) -> usize {
        match self.quotes {
            Quotes::AsWritten | Quotes::UnclosedAt(_) => self.text.len(),
            Quotes::EndWithLine => {
                let line = self.next_line_break(start);
                if self.text[start..line].contains(quote) {
                    self.text.len()
                } else {
                    line
                }
            }
        }
    }

    fn unclosed(&mut self, start: usize, segment: usize, quote: char) {
        let message = format!("unclosed string: missing `{quote}`");
        // Puppet reports the start of the last run of text.
        self.error("UNCLOSED_QUOTE", message, start, start + 1)
            .anchor = Some((segment as u32).into());
    }

    /// Reports escapes that are unknown in double quotes.
    fn unknown_escapes(&mut self, start: usize, end: usize) {
        self.escape_problems(Escapes::DOUBLE_QUOTED, start, end, Severity::Warning);
    }

    /// Reports invalid escapes. A malformed `\u` gets the severity `malformed`.
    pub(super) fn escape_problems(
        &mut self,
        escapes: Escapes,
        start: usize,
        end: usize,
        malformed: Severity,
    ) {
        let raw = &self.text[start..end];
        if !raw.contains('\\') {
            return;
        }
        for (offset, problem) in escapes.problems(raw) {
            let at = start + offset;
            let (code, severity, message) = match problem {
                EscapeProblem::Unknown(c) => (
                    "UNRECOGNIZED_ESCAPE",
                    Severity::Warning,
                    format!("unrecognized escape sequence `\\{c}`"),
                ),
                EscapeProblem::Malformed => (
                    "ILLEGAL_UNICODE_ESCAPE",
                    malformed,
                    "invalid `\\u` escape: expected four hexadecimal digits, or one to six in braces"
                        .to_owned(),
                ),
                EscapeProblem::NoCharacter => (
                    "ILLEGAL_UNICODE_ESCAPE",
                    Severity::Error,
                    "invalid `\\u` escape: not a Unicode character".to_owned(),
                ),
            };
            let found = self.error(code, message, at, at + 2);
            found.severity = severity;
            // Only where `\\` is itself an escape.
            if matches!(problem, EscapeProblem::Unknown(_)) && escapes.resolve("\\\\") == "\\" {
                let place = TextRange::empty(found.range.start());
                found.fixes = vec![Fix::certain("Escape the backslash", place, "\\")];
            }
        }
    }
}

/// Checks whether the quote at the start of a run of text is part of the text. Puppet's pattern for
/// the end of a run requires a character before the quote, and accepts a first quote as that
/// character if another end directly follows: `'''` is the string `'`.
fn is_swallowed_quote(text: &[u8], quote: u8, is_end: impl Fn(u8) -> bool) -> bool {
    let Some((&first, rest)) = text.split_first() else {
        return false;
    };
    let backslashes = rest.iter().take_while(|&&b| b == b'\\').count();
    first == quote && backslashes % 2 == 0 && rest.get(backslashes).is_some_and(|&b| is_end(b))
}

/// Returns the length of the variable name at the start: `(::)?(\w+::)*\w+`.
fn variable_length(bytes: &[u8]) -> usize {
    let word = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count()
    };
    let start = if bytes.starts_with(b"::") { 2 } else { 0 };
    let mut end = start + word(start);
    if end == start {
        return 0;
    }
    while bytes[end..].starts_with(b"::") {
        let more = word(end + 2);
        if more == 0 {
            break;
        }
        end += 2 + more;
    }
    end
}
