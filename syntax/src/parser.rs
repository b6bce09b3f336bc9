//! The parser: from text to the syntax tree.
//!
//! The parser consumes tokens and emits events, from which the builder creates the tree. It accepts
//! exactly the language of Puppet's grammar (`egrammar.ra`), and fails at the same token. A file
//! with an error is parsed a second time, with hints from its brackets, quotes and indentation
//! about the location of the mistake; the first pass determines where Puppet stops.

mod brackets;
mod build;
mod character_names;
mod event;
mod grammar;
mod quotes;
mod reparse;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use rowan::{GreenNode, TextRange, TextSize};

use self::brackets::Brackets;
use self::build::Parsed;
use self::event::Event;
use crate::ast::{AstNode, HeredocTag, SourceFile};
use crate::lexer::{self, LexError, Lexed, Quotes, UNCLOSED_HEREDOC};
use crate::{Diagnostic, Fix, Severity, Stage, SyntaxKind, SyntaxNode};

/// Which of Puppet's languages a file is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dialect {
    /// Whether it is an EPP template: text with tags.
    pub epp: bool,
    /// Whether `plan` and `apply` are keywords.
    pub tasks: bool,
}

/// A parsed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parse {
    green: GreenNode,
    errors: Arc<[Diagnostic]>,
    dialect: Dialect,
}

impl Parse {
    /// Returns the root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// Returns the typed view of the root.
    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("the root is a source file")
    }

    /// Returns the root without positions: cheap to keep, compare and send to another thread.
    pub fn green(&self) -> &GreenNode {
        &self.green
    }

    /// Returns the diagnostics of the lexer and the parser: first the error at which Puppet stops,
    /// then the others in source order, warnings last.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    /// Checks whether the code has no syntax errors.
    pub fn is_well_formed(&self) -> bool {
        let mut errors = self.errors.iter();
        !errors.any(|it| it.severity == Severity::Error)
    }

    /// Returns the tag of the last heredoc without an end above the line of an offset. That line is
    /// probably part of its text, although the tree has code there.
    pub fn unclosed_heredoc_above(&self, text: &str, offset: TextSize) -> Option<HeredocTag> {
        let errors = self.errors.iter();
        let unclosed = errors.filter(|it| it.code == UNCLOSED_HEREDOC && it.range.end() <= offset);
        let last = unclosed.max_by_key(|it| it.range.start())?;
        let until = text.get(usize::from(last.range.end())..usize::from(offset))?;
        let tag = until.contains('\n').then(|| &text[last.range])?;
        HeredocTag::parse(tag)
    }
}

/// Parses `text`. The tree covers every byte of it, even if it is not Puppet code at all.
pub fn parse(text: &str, dialect: Dialect) -> Parse {
    let first = Reading::new(text, dialect, Quotes::AsWritten, false);
    let Some(stop) = first.first_error().cloned() else {
        return first.finish(text);
    };
    let is_unclosed = first.errors().any(|it| it.code.0 == "UNCLOSED_QUOTE");
    let multi_line = quotes::multi_line(text, &first.lexed);
    let as_written = Reading::new(text, dialect, Quotes::AsWritten, true);
    if multi_line.is_empty() && !is_unclosed {
        return as_written.finish_as(text, stop);
    }
    // A missing quote swaps code and strings in the rest of the file, up to an apostrophe in a comment.
    let suspects = quotes::suspects(text, &multi_line, is_unclosed).into_iter();
    let others = suspects.map(|it| (Quotes::UnclosedAt(it), true));
    let (mut best, mut least) = (None, as_written.lines_with_errors(text));
    for (quotes, is_suspect) in others.chain([(Quotes::EndWithLine, is_unclosed)]) {
        let reading = Reading::new(text, dialect, quotes, true);
        let count = reading.lines_with_errors(text);
        // The text as written is the least likely one if it swaps code and strings.
        if count < least || is_suspect && best.is_none() && count == least {
            (best, least) = (Some(reading), count);
        }
        if least <= 1 {
            break;
        }
    }
    best.unwrap_or(as_written).finish_as(text, stop)
}

/// One pass over a file.
struct Reading {
    dialect: Dialect,
    lexed: Lexed,
    parsed: Parsed,
    parse_errors: Vec<LexError>,
}

impl Reading {
    fn new(text: &str, dialect: Dialect, quotes: Quotes, repairs: bool) -> Reading {
        let lexed = lexer::lex_with(text, dialect, quotes);
        let mut parse_errors = Vec::new();
        let parsed = read(
            text,
            &lexed,
            dialect,
            Goal::File,
            repairs,
            &mut parse_errors,
        );
        Reading {
            dialect,
            lexed,
            parsed,
            parse_errors,
        }
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all_errors().map(|it| &it.diagnostic)
    }

    fn lines_with_errors(&self, text: &str) -> usize {
        let errors = self.errors().filter(|it| it.severity == Severity::Error);
        let mut starts: Vec<usize> = errors.map(|it| it.range.start().into()).collect();
        starts.sort_unstable();
        let pairs = starts.iter().zip(starts.iter().skip(1));
        let more = pairs.filter(|(a, b)| text[**a..**b].contains('\n')).count();
        more + usize::from(!starts.is_empty())
    }

    fn all_errors(&self) -> impl Iterator<Item = &LexError> {
        self.lexed.errors.iter().chain(&self.parse_errors)
    }

    /// Returns the error at which Puppet stops. If both lexer and parser fail at a token, the lexer
    /// is first.
    fn first_error(&self) -> Option<&Diagnostic> {
        let errors = self
            .all_errors()
            .filter(|it| it.diagnostic.severity == Severity::Error);
        errors.min_by_key(|it| it.met_at).map(|it| &it.diagnostic)
    }

    fn finish(self, text: &str) -> Parse {
        let errors = self.errors().cloned().collect();
        let green = build::build(text, &self.lexed, self.parsed);
        Parse {
            green,
            errors,
            dialect: self.dialect,
        }
    }

    /// Finishes the repaired pass over a file in which Puppet stops at `stop`. The likely cause of
    /// that error, as found by the repairs, replaces it under its code and anchor.
    fn finish_as(self, text: &str, stop: Diagnostic) -> Parse {
        let mut errors: Vec<_> = self.errors().cloned().collect();
        errors.sort_by_key(|it| (it.severity, it.range.start()));
        errors.dedup_by(|a, b| a.range == b.range && a.code == b.code);
        without_consequences(&mut errors, text);
        // A quote may lack its partner after the place where Puppet stops.
        let is_look_alike = character_names::describe(&text[stop.range]).is_some();
        let is_in_line = |it: &Diagnostic| {
            let between = TextRange::new(stop.range.start(), it.range.start());
            is_unclosed(it) && !is_look_alike && !text[between].contains('\n')
        };
        let is_cause = |it: &Diagnostic| {
            let is_before = stop.anchor.is_none() || it.range.start() <= stop.range.start();
            it.severity == Severity::Error && (is_before || is_in_line(it))
        };
        let same = errors
            .iter()
            .position(|it| it.range == stop.range && it.code == stop.code);
        let cause = same.or_else(|| errors.iter().position(is_cause));
        let first = match cause {
            Some(at) => Diagnostic {
                code: stop.code,
                anchor: stop.anchor,
                ..errors.remove(at)
            },
            None => stop,
        };
        errors.insert(0, first);
        let green = build::build(text, &self.lexed, self.parsed);
        Parse {
            green,
            errors: errors.into(),
            dialect: self.dialect,
        }
    }
}

/// Checks whether the end of a string, a comment or the like is missing.
fn is_unclosed(error: &Diagnostic) -> bool {
    error.code.0.starts_with("UNCLOSED")
}

/// Removes errors of the parser that only follow from another one in the same line: from one before, or from a missing
/// quote anywhere in it.
fn without_consequences(errors: &mut Vec<Diagnostic>, text: &str) {
    let is_error = |it: &Diagnostic| it.severity == Severity::Error;
    let is_parsers = |it: &Diagnostic| it.code.0 == "SYNTAX_ERROR";
    let breaks: Vec<usize> = text.match_indices('\n').map(|it| it.0).collect();
    let line = |it: &Diagnostic| {
        let start = usize::from(it.range.start());
        breaks.partition_point(|it| *it < start)
    };
    let mut causes: BTreeMap<usize, TextSize> = BTreeMap::new();
    for error in errors.iter().filter(|it| is_error(it) && !is_parsers(it)) {
        let start = match is_unclosed(error) {
            true => TextSize::default(),
            false => error.range.start(),
        };
        let cause = causes.entry(line(error)).or_insert(start);
        *cause = start.min(*cause);
    }
    errors.retain(|it| {
        let is_consequence = |cause: &TextSize| *cause <= it.range.start();
        if !is_parsers(it) {
            return true;
        }
        let line = line(it);
        if causes.get(&line).is_some_and(is_consequence) {
            return false;
        }
        causes.insert(line, it.range.start());
        true
    });
}

/// The production that a run of tokens is parsed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    File,
    HeredocBody,
    /// Statements of a block at the given nesting depth.
    Statements {
        depth: u32,
    },
}

fn read(
    text: &str,
    lexed: &Lexed,
    dialect: Dialect,
    goal: Goal,
    repairs: bool,
    errors: &mut Vec<LexError>,
) -> Parsed {
    let mut parser = Parser::new(text, lexed, dialect);
    if repairs {
        parser.repairs = true;
        parser.brackets = Brackets::repair(text, lexed, &parser.tokens);
    }
    match goal {
        Goal::File => grammar::source_file(&mut parser),
        Goal::HeredocBody => grammar::heredoc_body(&mut parser),
        Goal::Statements { depth } => {
            parser.depth = depth;
            grammar::statements_alone(&mut parser);
        }
    }
    let events = parser.events;
    errors.extend(parser.errors);
    let bodies = lexed
        .bodies
        .iter()
        .map(|it| read(text, it, dialect, Goal::HeredocBody, repairs, errors))
        .collect();
    Parsed { events, bodies }
}

/// The maximum nesting of brackets, and the maximum length of a chain of operators. Puppet itself
/// runs out of stack at some hundreds to thousands; real code is nowhere near.
const MAX_DEPTH: u32 = 1_000;
const MAX_CHAIN: u32 = 1_000;

/// The state of the parser.
struct Parser<'t> {
    text: &'t str,
    lexed: &'t Lexed,
    dialect: Dialect,
    /// The kinds of the tokens that are not trivia.
    kinds: Vec<SyntaxKind>,
    /// The index of each of them among all tokens.
    tokens: Vec<u32>,
    at: usize,
    events: Vec<Event>,
    errors: Vec<LexError>,
    last_error_line: Option<TextRange>,
    /// Whether the file has an error, so that its layout states what is likely missing.
    repairs: bool,
    /// The token where the last operand was found to be missing.
    missing_operand: Option<usize>,
    brackets: Brackets,
    /// The tokens of the open brackets.
    opened: Vec<usize>,
    depth: u32,
    gave_up: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, lexed: &'t Lexed, dialect: Dialect) -> Self {
        let mut kinds = Vec::with_capacity(lexed.tokens.len() * 2 / 3);
        let mut tokens = Vec::with_capacity(lexed.tokens.len() * 2 / 3);
        for (index, token) in lexed.tokens.iter().enumerate() {
            if !token.kind.is_trivia() {
                kinds.push(token.kind);
                tokens.push(index as u32);
            }
        }
        let events = Vec::with_capacity(tokens.len() * 3);
        Parser {
            text,
            lexed,
            dialect,
            kinds,
            tokens,
            at: 0,
            events,
            errors: Vec::new(),
            last_error_line: None,
            repairs: false,
            missing_operand: None,
            brackets: Brackets::default(),
            opened: Vec::new(),
            depth: 0,
            gave_up: false,
        }
    }

    // ---- lookahead -----------------------------------------------------------

    fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    fn nth(&self, n: usize) -> SyntaxKind {
        crate::steps::count_steps(1);
        self.kinds
            .get(self.at + n)
            .copied()
            .unwrap_or(SyntaxKind::EOF)
    }

    fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    fn at_end(&self) -> bool {
        self.at >= self.kinds.len()
    }

    /// Checks whether the current token directly follows the previous one.
    fn is_adjacent(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|it| self.tokens.get(it));
        let here = self.tokens.get(self.at);
        before.zip(here).is_some_and(|(a, b)| a + 1 == *b)
    }

    /// Checks whether an unclosed bracket is assumed to end here.
    fn at_repaired_close(&self) -> bool {
        self.brackets.closes_before(self.at)
    }

    /// Returns the number of bytes before an offset in its line.
    fn column(&self, at: TextSize) -> usize {
        usize::from(at - self.line_around(at).start())
    }

    /// Returns the number of spaces at the start of the line of an offset.
    fn indent(&self, at: TextSize) -> usize {
        let line = &self.text[self.line_around(at)];
        line.len() - line.trim_start().len()
    }

    /// Returns the range of a token; at the end, the empty range after the last token.
    fn range_of(&self, at: usize) -> TextRange {
        match self.tokens.get(at) {
            Some(&index) => {
                let start = self.lexed.tokens[index as usize].start;
                TextRange::new(start.into(), self.lexed.token_end(index as usize).into())
            }
            None => {
                let end = self
                    .tokens
                    .last()
                    .map_or(0, |&it| self.lexed.token_end(it as usize));
                TextRange::empty(end.into())
            }
        }
    }

    fn text_of(&self, at: usize) -> &'t str {
        &self.text[self.range_of(at)]
    }

    // ---- consuming -----------------------------------------------------------

    fn bump(&mut self) {
        if !self.at_end() {
            self.at += 1;
            self.events.push(Event::Token);
        }
    }

    fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes a token of the given kind, or reports that it is expected.
    fn expect(&mut self, kind: SyntaxKind) -> bool {
        self.eat(kind) || {
            self.expected(spelling(kind));
            false
        }
    }

    // ---- errors --------------------------------------------------------------

    /// Reports that `what` is expected here, but another token is found.
    fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.error_here(message);
    }

    /// Reports that a punctuation mark is expected, with a fix that inserts it after the previous token.
    fn expected_mark(&mut self, mark: &str, place: &str) {
        let name = mark.trim_start();
        let what = format!("`{name}`{place}");
        let Some(previous) = self.at.checked_sub(1) else {
            return self.expected(&what);
        };
        let end = TextRange::empty(self.range_of(previous).end());
        self.expected_or_fix(&what, Fix::certain(format!("Insert `{name}`"), end, mark));
    }

    /// Reports an error in the range that a fix replaces.
    fn error_with_fix(&mut self, message: String, fix: Fix) {
        let reported = self.errors.len();
        let range = fix
            .edits
            .first()
            .map_or(self.range_of(self.at), |it| it.range);
        self.error_in(range, message);
        if let Some(error) = self.errors.get_mut(reported) {
            error.diagnostic.fixes.push(fix);
        }
    }

    /// Reports that `instead` is expected in place of the text of a range, with a fix that replaces it.
    fn expected_instead(&mut self, range: TextRange, instead: &str) {
        let message = format!("expected `{instead}`, found `{}`", &self.text[range]);
        let label = format!("Replace with `{instead}`");
        self.error_with_fix(message, Fix::certain(label, range, instead));
    }

    /// Like [`Parser::expected`], with a fix.
    fn expected_or_fix(&mut self, what: &str, fix: Fix) {
        let reported = self.errors.len();
        self.expected(what);
        if let Some(error) = self.errors.get_mut(reported) {
            error.diagnostic.fixes.push(fix);
        }
    }

    /// Reports that `what` is expected after the token `before`, but another token is found.
    fn expected_after(&mut self, what: &str, before: usize) {
        let before = self.text_of(before);
        self.expected(&format!("{what} after `{before}`"));
    }

    /// Like [`Parser::expected`] inside brackets, which may be the cause of the error.
    fn expected_in_brackets(&mut self, what: &str) {
        let reported = self.errors.len();
        self.expected(what);
        let Some(&open) = self.opened.last() else {
            return;
        };
        let range = self.range_of(open);
        let message = format!("{} opened here", self.quoted(open));
        if let Some(error) = self.errors.get_mut(reported) {
            error
                .diagnostic
                .related
                .push(crate::Related { range, message });
        }
    }

    /// Describes the current token for a message.
    fn found(&self) -> String {
        use SyntaxKind::*;
        match self.current() {
            EOF => "end of file".to_owned(),
            STRING_OPEN => "a string".to_owned(),
            SINGLE_QUOTED | DOUBLE_QUOTED if !is_short(self.text_of(self.at)) => {
                "a string".to_owned()
            }
            EPP_TEXT => "template text".to_owned(),
            STRING_CLOSE => "end of string".to_owned(),
            _ => {
                let text = self.text_of(self.at);
                let line = || text.lines().next().unwrap_or_default().trim_end();
                character_names::describe(text).unwrap_or_else(|| format!("`{}`", line()))
            }
        }
    }

    /// Reports a syntax error where the code breaks, but at most one per line. After a comma, that is the next item.
    fn error_here(&mut self, message: String) {
        let is_item = !self.is_closing() && self.follows_comma();
        let range = match is_item {
            true => self.range_of(self.at),
            false => self.broken_range(),
        };
        self.error_in(range, message);
    }

    /// Reports that the current token is an error by itself, but at most one per line.
    fn error_at_token(&mut self, message: String) {
        self.error_in(self.range_of(self.at), message);
    }

    fn error_in(&mut self, range: TextRange, message: String) {
        if self.is_near_last_error(self.range_of(self.at)) {
            return;
        }
        let mut error = Diagnostic::error(Stage::Parse, "SYNTAX_ERROR", message, range);
        error.anchor = self.anchor();
        self.push_error(error);
    }

    fn is_closing(&self) -> bool {
        matches!(
            self.current(),
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK | SyntaxKind::R_BRACE | SyntaxKind::EOF
        )
    }

    fn follows_comma(&self) -> bool {
        let before = self.at.checked_sub(1).map(|it| self.range_of(it));
        before.is_some_and(|it| &self.text[it] == ",")
    }

    /// Returns the range where the code breaks: the current token or, if that starts a line, the end of
    /// the last token before it, which is the place to continue.
    fn broken_range(&self) -> TextRange {
        let here = self.range_of(self.at);
        let Some(before) = self.at.checked_sub(1).map(|it| self.range_of(it)) else {
            return here;
        };
        let between = &self.text[TextRange::new(before.end(), here.start())];
        match between.contains('\n') {
            true => self.last_character(before),
            false => here,
        }
    }

    fn last_character(&self, range: TextRange) -> TextRange {
        let last = self.text[range]
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        TextRange::new(range.end() - TextSize::new(last as u32), range.end())
    }

    /// Returns the offset at which Puppet reports an error at the current token: none at the end of
    /// the file; the start of the preceding text at a template tag that prints a value; the end of
    /// the token at the `}` of an interpolation.
    fn anchor(&self) -> Option<TextSize> {
        use SyntaxKind::{EPP_COMMENT, EPP_EXPR_OPEN, EPP_TEXT, EPP_TRIMMED, INTERPOLATION_CLOSE};
        let index = *self.tokens.get(self.at)? as usize;
        let is_text = |kind| matches!(kind, EPP_TEXT | EPP_TRIMMED | EPP_COMMENT);
        let before = self.lexed.tokens[..index].iter().rev();
        let start = match self.current() {
            EPP_TEXT | EPP_EXPR_OPEN => index - before.take_while(|it| is_text(it.kind)).count(),
            INTERPOLATION_CLOSE => return Some(self.range_of(self.at).end()),
            _ => index,
        };
        Some(self.lexed.tokens[start].start.into())
    }

    fn push_error(&mut self, diagnostic: Diagnostic) {
        let met_at = if self.at_end() {
            u32::MAX
        } else {
            self.range_of(self.at).start().into()
        };
        let start = diagnostic.range.start();
        let at = diagnostic.anchor.unwrap_or(start);
        if !self.is_near_last_error(TextRange::empty(at)) {
            // Both lines, if the range is before the token.
            let start = self.line_around(start.min(at)).start();
            self.last_error_line = Some(TextRange::new(start, self.line_around(at).end()));
        }
        self.errors.push(LexError { diagnostic, met_at });
    }

    /// Marks errors as found by Puppet at the current token.
    fn meet_here(&mut self, errors: Vec<usize>) {
        let met_at = if self.at_end() {
            u32::MAX
        } else {
            self.range_of(self.at).start().into()
        };
        for index in errors {
            self.errors[index].met_at = met_at;
        }
    }

    fn error_at(&mut self, at: usize, message: String) {
        let range = self.range_of(at);
        self.push_error(Diagnostic::error(
            Stage::Parse,
            "SYNTAX_ERROR",
            message,
            range,
        ));
    }

    /// Reports that the bracket at token `open` is not closed here.
    fn unclosed(&mut self, open: usize, close: SyntaxKind) {
        let opener = self.range_of(open);
        let here = self.range_of(self.at);
        if self.is_near_last_error(here) {
            return;
        }
        let is_repaired = self.at_repaired_close();
        let close = spelling(close);
        let message = if self.at_end() || is_repaired {
            format!("unclosed {}: missing {close}", self.quoted(open))
        } else {
            format!("expected {close}, found {}", self.found())
        };
        // The end of a template is far from its blocks.
        let is_at_opener = self.dialect.epp && self.at_end();
        let range = match is_at_opener {
            true => opener,
            false => self.broken_range(),
        };
        let mut error = Diagnostic::error(Stage::Parse, "SYNTAX_ERROR", message, range);
        if !is_at_opener {
            error = error.with_related(opener, format!("{} opened here", self.quoted(open)));
        }
        error.anchor = self.anchor();
        self.push_error(error);
    }

    fn quoted(&self, at: usize) -> String {
        format!("`{}`", self.text_of(at))
    }

    /// Checks whether the last error is on the same line.
    fn is_near_last_error(&self, range: TextRange) -> bool {
        self.last_error_line
            .is_some_and(|it| it.contains_inclusive(range.start()))
    }

    /// Returns the line around an offset, without its line break.
    fn line_around(&self, at: TextSize) -> TextRange {
        let at = usize::from(at);
        let start = self.text[..at].rfind('\n').map_or(0, |it| it + 1);
        let end = self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |it| at + it);
        TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
    }
}

/// Checks whether a message can quote a string in full.
fn is_short(text: &str) -> bool {
    text.len() <= 40 && !text.contains('\n')
}

/// Returns the name of a token in messages.
fn spelling(kind: SyntaxKind) -> &'static str {
    use SyntaxKind::*;
    match kind {
        L_BRACE => "`{`",
        R_BRACE => "`}`",
        L_PAREN => "`(`",
        R_PAREN => "`)`",
        R_BRACK => "`]`",
        COLON => "`:`",
        COMMA => "`,`",
        FAT_ARROW => "`=>`",
        EQ => "`=`",
        PIPE => "`|`",
        R_COLLECT => "`|>`",
        RR_COLLECT => "`|>>`",
        VARIABLE => "a variable",
        CLASSREF => "a type",
        NAME => "a name",
        INTERPOLATION_CLOSE => "`}`",
        EPP_EXPR_CLOSE => "`%>`",
        _ => "another token",
    }
}
