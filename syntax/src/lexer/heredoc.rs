//! Heredocs: the tag in the code and the body on the following lines.

use super::scan::{MAX_DEPTH, Pending, Scanner};
use super::string::TextEnd;
use super::{Lexed, Token};
use crate::ast::{Escapes, HeredocTag, is_blank};
use crate::{Code, Severity, SyntaxKind};

/// The code of the error of a heredoc without an end tag.
pub(crate) const UNCLOSED_HEREDOC: Code = Code("HEREDOC_WITHOUT_END_TAGGED_LINE");

/// The maximum number of heredocs that start on one line. Real code has at most two.
const MAX_PER_LINE: usize = 256;

/// The line that ends a heredoc.
struct EndLine<'t> {
    start: usize,
    end: usize,
    /// The indentation that `|` removes from each line; empty without `|`.
    margin: &'t str,
}

impl<'t> Scanner<'t> {
    /// Lexes `@(…)` and the lines that belong to it.
    pub(super) fn heredoc(&mut self) {
        let start = self.at;
        let Some(end) = self.behind_paren() else {
            let message = "unclosed `@(`".to_owned();
            self.error("HEREDOC_UNCLOSED_PARENTHESIS", message, start, start + 2);
            return self.push_significant(SyntaxKind::UNKNOWN, start + 2);
        };
        let tag = self.heredoc_tag(start, end);
        if self.origin > 0 {
            let message = "heredoc is not allowed inside the text of another heredoc".to_owned();
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
            let message = "invalid heredoc tag: expected `@(TAG:syntax/escapes)`".to_owned();
            self.tag_error("HEREDOC_INVALID_SYNTAX", message, start, end);
            return None;
        };
        if tag.end_text.is_empty() {
            let message = "empty heredoc tag".to_owned();
            self.tag_error("HEREDOC_EMPTY_ENDTAG", message, start, end);
            return None;
        }
        if let Some((code, message)) = tag.escapes.as_deref().and_then(bad_escapes) {
            self.tag_error(code, message, start, end);
        }
        Some(tag)
    }

    /// Reports an error in a tag; Puppet reports it at the end of the tag.
    fn tag_error(&mut self, code: &'static str, message: String, start: usize, end: usize) {
        self.error(code, message, start, end).anchor = Some((end as u32).into());
    }

    fn heredoc_lines(&mut self, tag: &HeredocTag, start: usize, end: usize) {
        if self.pending.len() >= MAX_PER_LINE {
            let message = "too many heredocs on one line".to_owned();
            self.error("HEREDOC_INVALID_SYNTAX", message, start, end);
            return;
        }
        let first = match self.heredoc_end {
            Some(behind) => behind,
            None => match self.next_line_feed(end) {
                line_feed if line_feed < self.text.len() => line_feed + 1,
                _ => {
                    let message = "heredoc without any following lines of text".to_owned();
                    self.error("HEREDOC_WITHOUT_TEXT", message, start, end);
                    return;
                }
            },
        };
        let Some(end_line) = self.find_end_line(&tag.end_text, first) else {
            let message = format!("unclosed heredoc: missing end tag `{}`", tag.end_text);
            let error = self.error(UNCLOSED_HEREDOC.0, message, start, end);
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

    /// Finds the first line from `from` on that ends with the tag. Other text before the tag on
    /// that line is lost, as in Puppet.
    fn find_end_line(&mut self, tag: &str, from: usize) -> Option<EndLine<'t>> {
        let mut start = from;
        while start < self.text.len() && self.search_budget > 0 {
            let rest = &self.text[start..];
            let end = start + rest.find('\n').map_or(rest.len(), |it| it + 1);
            let line = &self.text[start..end];
            self.search_budget = self.search_budget.saturating_sub(line.len());
            crate::steps::count_steps(line.len());
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
            // Heredocs may have unknown escapes, but Puppet crashes on a malformed `\u`.
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

    /// Lexes up to the end of the line, or further if an interpolation extends beyond it.
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

/// Returns the whitespace before `|` in the text before the tag.
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
            format!("duplicate heredoc escape `{c}`"),
        ));
    }
    let unknown = letters.chars().find(|&c| !"trnsuL$".contains(c))?;
    let message =
        format!("unknown heredoc escape `{unknown}`: expected `t`, `r`, `n`, `s`, `u`, `L` or `$`");
    Some(("HEREDOC_INVALID_ESCAPE", message))
}
