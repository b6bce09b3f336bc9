//! Tokens of strings and heredocs, split at escape sequences.

use std::collections::VecDeque;

use syntax::ast::{AstNode, Escapes, Heredoc, HeredocTag};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::{TokenSink, names};
use crate::SemanticKind;

/// Adds the tokens of a string without interpolation, including its quotes.
pub(super) fn quoted(token: &SyntaxToken, out: &mut TokenSink) {
    let text = token.text();
    let range = token.text_range();
    let quote = &text[..1];
    let is_closed = text.len() > 1 && text.ends_with(quote);
    let inner = &text[1..text.len() - usize::from(is_closed)];
    let inner_range = TextRange::at(
        range.start() + TextSize::new(1),
        TextSize::new(inner.len() as u32),
    );
    let parent = token.parent();
    if is_closed && is_name(inner) && parent.as_ref().is_some_and(names::is_class_name) {
        out.add(
            TextRange::new(range.start(), inner_range.start()),
            SemanticKind::String,
        );
        names::qualified_text(inner, inner_range, SemanticKind::Class, false, out);
        out.add(
            TextRange::new(inner_range.end(), range.end()),
            SemanticKind::String,
        );
    } else if token.kind() == SyntaxKind::SINGLE_QUOTED {
        add_with_escapes(range.start(), text, 1, single_quoted_escapes(inner), out);
    } else {
        add_with_escapes(
            range.start(),
            text,
            1,
            escapes(inner, Escapes::DOUBLE_QUOTED),
            out,
        );
    }
}

/// Checks whether a string is a valid class name.
fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_lowercase() || c == ':');
    starts_well
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
}

/// Adds the tokens of the text between interpolations.
pub(super) fn segment(token: &SyntaxToken, out: &mut TokenSink) {
    let text = token.text();
    let escapes = escapes(text, Escapes::DOUBLE_QUOTED);
    add_with_escapes(token.text_range().start(), text, 0, escapes, out);
}

/// `@("TAG":syntax/escapes)`.
pub(super) fn heredoc_tag(token: &SyntaxToken, out: &mut TokenSink) {
    out.add_lines(
        token.text_range().start(),
        token.text(),
        SemanticKind::Keyword,
    );
}

/// Adds text split at its escape sequences, whose offsets are relative to `skipped`.
fn add_with_escapes(
    start: TextSize,
    text: &str,
    skipped: usize,
    escapes: impl Iterator<Item = (usize, usize)>,
    out: &mut TokenSink,
) {
    let mut done = 0;
    let offset = |at: usize| start + TextSize::new(at as u32);
    for (at, length) in escapes {
        let at = at + skipped;
        out.add_lines(offset(done), &text[done..at], SemanticKind::String);
        done = at + length;
        out.add_lines(offset(at), &text[at..done], SemanticKind::EscapeSequence);
    }
    out.add_lines(offset(done), &text[done..], SemanticKind::String);
}

fn single_quoted_escapes(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut end = 0;
    text.match_indices('\\').filter_map(move |(at, _)| {
        let is_escape = at >= end && text[at + 1..].starts_with(['\\', '\'']);
        if is_escape {
            end = at + 2;
        }
        is_escape.then_some((at, 2))
    })
}

/// Returns the offsets and lengths of the valid escape sequences in `text`.
fn escapes(text: &str, known: Escapes) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut unknown = known
        .problems(text)
        .into_iter()
        .map(|(at, _)| at)
        .peekable();
    let mut end = 0;
    text.match_indices('\\').filter_map(move |(at, _)| {
        if at < end {
            return None;
        }
        let after = &text[at + 1..];
        let c = after.chars().next()?;
        if unknown.next_if_eq(&at).is_some() {
            end = at + 1 + c.len_utf8();
            return None;
        }
        let length = escape_length(after, c);
        end = at + length;
        Some((at, length))
    })
}

/// Returns the length of a valid escape sequence, including the backslash.
fn escape_length(after: &str, c: char) -> usize {
    match c {
        'u' if after[1..].starts_with('{') => after.find('}').map_or(2, |it| it + 2),
        'u' => 6.min(after.len() + 1),
        '\r' => 3.min(after.len() + 1),
        _ => 1 + c.len_utf8(),
    }
}

/// Matches heredoc bodies with their tags.
#[derive(Default)]
pub(super) struct HeredocTags {
    /// The tags that await their bodies: those of the file, then those of each enclosing body.
    waiting: Vec<VecDeque<HeredocTag>>,
    /// The tags of the enclosing bodies.
    open: Vec<Option<HeredocTag>>,
}

impl HeredocTags {
    /// Registers a tag in the code.
    pub(super) fn start(&mut self, heredoc: &SyntaxNode) {
        let tag = Heredoc::cast(heredoc.clone()).and_then(|it| it.tag());
        if self.waiting.len() <= self.open.len() {
            self.waiting.resize_with(self.open.len() + 1, VecDeque::new);
        }
        self.waiting[self.open.len()].extend(tag);
    }

    pub(super) fn enter_body(&mut self, body: &SyntaxNode) {
        let end = body
            .last_token()
            .filter(|it| it.kind() == SyntaxKind::HEREDOC_END);
        let end = end.as_ref().map_or("", |it| it.text().trim_end());
        let depth = self.open.len();
        // Drop tags whose bodies are missing.
        let tag = self.waiting.get_mut(depth).and_then(|queue| {
            let at = queue.iter().position(|it| end.ends_with(&it.end_text))?;
            queue.drain(..=at).next_back()
        });
        self.open.push(tag);
        self.waiting.truncate(depth + 1);
    }

    pub(super) fn leave_body(&mut self) {
        self.open.pop();
        self.waiting.truncate(self.open.len() + 1);
    }

    /// Adds the tokens of the text of the innermost heredoc.
    pub(super) fn text(&self, token: &SyntaxToken, out: &mut TokenSink) {
        let start = token.text_range().start();
        match self.open.last() {
            Some(Some(tag)) if tag.escapes.is_some() => {
                let escapes = escapes(token.text(), Escapes::heredoc(tag));
                add_with_escapes(start, token.text(), 0, escapes, out);
            }
            _ => out.add_lines(start, token.text(), SemanticKind::String),
        }
    }

    /// Adds the tokens of an end line: `| - TAG`.
    pub(super) fn end_line(&self, token: &SyntaxToken, out: &mut TokenSink) {
        let text = token.text().trim_end();
        let length = match self.open.last() {
            Some(Some(tag)) => tag.end_text.len(),
            _ => text.len(),
        };
        let start = token.text_range().start();
        let offset = |at: usize| start + TextSize::new(at as u32);
        let before = text.len().saturating_sub(length);
        for (at, sign) in text[..before].match_indices(['|', '-']) {
            out.add(
                TextRange::at(offset(at), TextSize::of(sign)),
                SemanticKind::Operator,
            );
        }
        out.add(
            TextRange::new(offset(before), offset(text.len())),
            SemanticKind::Keyword,
        );
    }
}
