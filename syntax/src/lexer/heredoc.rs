//! Heredocs: the tag in the code, and the lines further down.

use super::scan::{MAX_DEPTH, Pending, Scanner};
use super::string::TextEnd;
use super::{Lexed, Token};
use crate::ast::{Escapes, HeredocTag, is_blank};
use crate::{Severity, SyntaxKind};

/// How many heredocs one line may start. Two are seen in real code.
const MAX_PER_LINE: usize = 256;

/// The line that ends a heredoc, taken apart.
struct EndLine<'t> {
    start: usize,
    end: usize,
    /// What `|` takes away from each line; empty without one.
    margin: &'t str,
}

impl<'t> Scanner<'t> {
    /// Reads `@(…)` and finds the lines that belong to it.
    pub(super) fn heredoc(&mut self) {
        let start = self.at;
        let Some(end) = self.behind_paren() else {
            let message = "the tag of this heredoc is never closed: `)` is missing".to_owned();
            self.error("HEREDOC_UNCLOSED_PARENTHESIS", message, start, start + 2);
            return self.push_significant(SyntaxKind::UNKNOWN, start + 2);
        };
        let tag = self.heredoc_tag(start, end);
        if self.origin > 0 {
            let message = "Puppet cannot read a heredoc inside the text of another one".to_owned();
            self.tag_error("HEREDOC_INVALID_SYNTAX", message, start, end);
        }
        if self.depth == 0 {
            self.push_significant(SyntaxKind::HEREDOC_START, end);
        } else {
            self.push(SyntaxKind::HEREDOC_START, end);
        }
        if let Some(tag) = tag {
            let outermost = self.outermost;
            self.outermost = Some(outermost.unwrap_or(start));
            self.heredoc_lines(&tag, start, end);
            self.outermost = outermost;
        }
    }

    fn heredoc_tag(&mut self, start: usize, end: usize) -> Option<HeredocTag> {
        let text = &self.text[start..end];
        let Some(tag) = HeredocTag::parse(text) else {
            let message =
                "the tag of this heredoc must look like `@(TAG:syntax/escapes)`".to_owned();
            self.tag_error("HEREDOC_INVALID_SYNTAX", message, start, end);
            return None;
        };
        if tag.end_text.is_empty() {
            let message = "the tag of this heredoc is empty".to_owned();
            self.tag_error("HEREDOC_EMPTY_ENDTAG", message, start, end);
            return None;
        }
        if let Some((code, message)) = tag.escapes.as_deref().and_then(bad_escapes) {
            self.tag_error(code, message, start, end);
        }
        Some(tag)
    }

    /// An error in a tag, which Puppet reports behind it.
    fn tag_error(&mut self, code: &'static str, message: String, start: usize, end: usize) {
        self.error(code, message, start, end).anchor = Some((end as u32).into());
    }

    fn heredoc_lines(&mut self, tag: &HeredocTag, start: usize, end: usize) {
        if self.pending.len() >= MAX_PER_LINE {
            let message = "there are too many heredocs on this line".to_owned();
            self.error("HEREDOC_INVALID_SYNTAX", message, start, end);
            return;
        }
        let first = match self.heredoc_end {
            Some(behind) => behind,
            None => match self.next_line_feed(end) {
                line_feed if line_feed < self.text.len() => line_feed + 1,
                _ => {
                    let message =
                        "this heredoc has no text: its lines start on the next line".to_owned();
                    self.error("HEREDOC_WITHOUT_TEXT", message, start, end);
                    return;
                }
            },
        };
        let Some(end_line) = self.find_end_line(&tag.end_text, first) else {
            let message = format!(
                "no line ends this heredoc: `{}` is expected on a line below",
                tag.end_text
            );
            let error = self.error("HEREDOC_WITHOUT_END_TAGGED_LINE", message, start, end);
            error.anchor = Some((first as u32).into());
            return;
        };
        let mut body = self.heredoc_text(tag, start, first, &end_line);
        if end_line.end > end_line.start {
            body.tokens.push(Token {
                kind: SyntaxKind::HEREDOC_END,
                start: end_line.start as u32,
            });
        }
        body.end = end_line.end as u32;
        self.heredoc_end = Some(end_line.end);
        self.pending.push(Pending { start: first, body });
    }

    /// The first line from `from` on that holds the tag at its end. What stands before the tag
    /// on that line is lost in Puppet too.
    fn find_end_line(&mut self, tag: &str, from: usize) -> Option<EndLine<'t>> {
        let mut start = from;
        while start < self.text.len() && self.search_budget > 0 {
            let rest = &self.text[start..];
            let end = start + rest.find('\n').map_or(rest.len(), |it| it + 1);
            let line = &self.text[start..end];
            self.search_budget = self.search_budget.saturating_sub(line.len());
            let body = line.strip_suffix('\n').unwrap_or(line);
            let body = body
                .strip_suffix('\r')
                .unwrap_or(body)
                .trim_end_matches(is_blank);
            if let Some(before) = body.strip_suffix(tag) {
                return Some(EndLine {
                    start,
                    end,
                    margin: margin(before),
                });
            }
            start = end;
        }
        None
    }

    fn heredoc_text(
        &mut self,
        tag: &HeredocTag,
        start: usize,
        first: usize,
        end_line: &EndLine<'t>,
    ) -> Lexed {
        let mut lines = self.for_heredoc(&self.text[..end_line.start], first, start);
        lines.byte_order_mark();
        if tag.escapes.is_some() {
            // Unknown escapes are fine in a heredoc, but Puppet breaks down over a malformed `\u`.
            lines.escape_problems(
                Escapes::heredoc(tag),
                first,
                end_line.start,
                Severity::Error,
            );
            lines
                .out
                .errors
                .retain(|it| it.diagnostic.severity == Severity::Error);
        }
        let interpolates = tag.interpolates && lines.depth < MAX_DEPTH;
        let escapes = tag.escapes.as_deref().is_some_and(|it| it.contains('$'));
        while lines.at < lines.text.len() {
            lines.heredoc_margin(end_line.margin);
            lines.heredoc_line(interpolates, escapes);
        }
        self.search_budget = lines.search_budget;
        lines.finish()
    }

    fn heredoc_margin(&mut self, margin: &str) {
        if !margin.is_empty() && self.rest().starts_with(margin) {
            self.push(SyntaxKind::HEREDOC_MARGIN, self.at + margin.len());
        }
    }

    /// Reads up to the end of the line; further, if an interpolation reaches further.
    fn heredoc_line(&mut self, interpolates: bool, escapes: bool) {
        let rest = self.rest();
        let line_end = self.at + rest.find('\n').map_or(rest.len(), |it| it + 1);
        while interpolates && self.at < line_end {
            match self.text_end(self.at, line_end, false, escapes) {
                TextEnd::Expression(at) => {
                    self.push(SyntaxKind::HEREDOC_TEXT, at);
                    self.interpolation();
                    if self.at >= line_end {
                        return;
                    }
                }
                TextEnd::Variable(at, end) => {
                    self.push(SyntaxKind::HEREDOC_TEXT, at);
                    self.push(SyntaxKind::VARIABLE, end);
                }
                TextEnd::Close(_) | TextEnd::Missing(_) => break,
            }
        }
        self.push(SyntaxKind::HEREDOC_TEXT, line_end);
    }
}

/// The blanks before `|` in what stands before the tag.
fn margin(before: &str) -> &str {
    let before = before.trim_end_matches(is_blank);
    let before = before
        .strip_suffix('-')
        .unwrap_or(before)
        .trim_end_matches(is_blank);
    let Some(before) = before.strip_suffix('|') else {
        return "";
    };
    &before[before.trim_end_matches(is_blank).len()..]
}

fn bad_escapes(letters: &str) -> Option<(&'static str, String)> {
    let repeated = letters
        .char_indices()
        .find(|&(at, c)| letters[..at].contains(c));
    if let Some((_, c)) = repeated {
        return Some((
            "HEREDOC_MULTIPLE_AT_ESCAPES",
            format!("the escape `{c}` is given twice"),
        ));
    }
    let unknown = letters.chars().find(|&c| !"trnsuL$".contains(c))?;
    let message = format!("`{unknown}` is no escape of heredocs: t, r, n, s, u, L and $ are");
    Some(("HEREDOC_INVALID_ESCAPE", message))
}
