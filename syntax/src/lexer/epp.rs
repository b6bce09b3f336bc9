//! EPP templates: text with tags.

use super::Token;
use super::scan::{Ended, Scanner, Until};
use crate::SyntaxKind;

/// The tag that ends a run of text.
enum Tag {
    /// `<%`, or `<%-`, which trims the whitespace before it.
    Code { trims: bool },
    /// `<%=`.
    Value,
}

impl Scanner<'_> {
    /// Lexes a whole template.
    pub(super) fn template(&mut self) {
        let mut trims_next = false;
        while let Some(tag) = self.template_text(trims_next) {
            let open = self.at;
            let prints = matches!(tag, Tag::Value);
            match tag {
                Tag::Code { trims } => {
                    self.push(SyntaxKind::EPP_OPEN, open + 2 + usize::from(trims))
                }
                Tag::Value => self.push_significant(SyntaxKind::EPP_EXPR_OPEN, open + 3),
            }
            match self.code(Until::TagEnd { prints }) {
                Ended::Tag { trims } => trims_next = trims,
                Ended::Text | Ended::Interpolation => return self.unclosed_tag(open),
            }
        }
    }

    fn unclosed_tag(&mut self, open: usize) {
        let is_value = self.text[open..].starts_with("<%=");
        let message = format!("unclosed `{}`", if is_value { "<%=" } else { "<%" });
        let end = self.text.len() as u32;
        self.error("EPP_UNBALANCED_TAG", message, open, open + 2)
            .anchor = Some(end.into());
    }

    /// Lexes text up to the next tag that contains code; returns `None` at the end of the file.
    fn template_text(&mut self, trims_first: bool) -> Option<Tag> {
        let first_token = self.out.tokens.len();
        if trims_first {
            self.trim_line_start();
        }
        loop {
            if self.at == self.text.len() {
                self.drop_text_before_last_comment(first_token);
                return None;
            }
            let Some(length) = self.rest().find("<%") else {
                self.push(SyntaxKind::EPP_TEXT, self.text.len());
                self.end_of_text(first_token);
                return None;
            };
            let tag = self.at + length;
            match self.text[tag + 2..].chars().next() {
                None => {
                    self.push(SyntaxKind::EPP_TEXT, tag);
                    let message = "unclosed `<%`".to_owned();
                    self.error("EPP_UNBALANCED_EXPRESSION", message, tag, tag + 2);
                    self.push(SyntaxKind::EPP_OPEN, tag + 2);
                    return None;
                }
                // `<%%` is an escaped `<%`.
                Some('%') => self.push(SyntaxKind::EPP_TEXT, tag + 3),
                Some('#') => {
                    self.push(SyntaxKind::EPP_TEXT, tag);
                    self.template_comment(first_token);
                }
                Some('-') => {
                    self.push(SyntaxKind::EPP_TEXT, tag);
                    self.trim_before(first_token);
                    self.end_of_text(first_token);
                    return Some(Tag::Code { trims: true });
                }
                Some('=') => {
                    self.push(SyntaxKind::EPP_TEXT, tag);
                    self.end_of_text(first_token);
                    return Some(Tag::Value);
                }
                Some(_) => {
                    self.push(SyntaxKind::EPP_TEXT, tag);
                    self.end_of_text(first_token);
                    return Some(Tag::Code { trims: false });
                }
            }
        }
    }

    /// Records the text as the previous token, if it is not empty.
    fn end_of_text(&mut self, first_token: usize) {
        if self.out.tokens[first_token..]
            .iter()
            .any(|it| it.kind == SyntaxKind::EPP_TEXT)
        {
            self.after = Some(SyntaxKind::EPP_TEXT);
        }
    }

    /// Lexes `<%# … %>`, up to the first `%>` without a `%` before it.
    fn template_comment(&mut self, first_token: usize) {
        let start = self.at;
        let body = &self.text[start + 2..];
        let end = body
            .match_indices("%>")
            .map(|(at, _)| at)
            .find(|&at| at > 0 && body.as_bytes()[at - 1] != b'%');
        let Some(end) = end else {
            let message = "unclosed comment".to_owned();
            self.error("EPP_UNBALANCED_COMMENT", message, start, start + 3);
            return self.push(SyntaxKind::EPP_COMMENT, self.text.len());
        };
        if body[1..].starts_with('-') {
            self.trim_before(first_token);
        }
        let trims = body[..end].ends_with('-');
        self.push(SyntaxKind::EPP_COMMENT, start + 2 + end + 2);
        if trims {
            self.trim_line_start();
        }
    }

    /// Drops the text before a comment that ends the file, as Puppet does.
    fn drop_text_before_last_comment(&mut self, first_token: usize) {
        if self
            .out
            .tokens
            .last()
            .is_some_and(|it| it.kind == SyntaxKind::EPP_COMMENT)
        {
            for token in &mut self.out.tokens[first_token..] {
                if token.kind == SyntaxKind::EPP_TEXT {
                    token.kind = SyntaxKind::EPP_COMMENT;
                }
            }
        }
    }

    /// Trims whitespace and the line break after it.
    fn trim_line_start(&mut self) {
        let rest = self.rest();
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let behind = &rest[blanks..];
        let line_break = if behind.starts_with("\r\n") {
            2
        } else {
            usize::from(behind.starts_with('\n') || behind.starts_with('\r'))
        };
        self.push(SyntaxKind::EPP_TRIMMED, self.at + blanks + line_break);
    }

    /// Trims the whitespace at the end of the preceding text, even before comments, which are not part of it.
    fn trim_before(&mut self, first_token: usize) {
        let mut end = self.at;
        for index in (first_token..self.out.tokens.len()).rev() {
            let Token { kind, start } = self.out.tokens[index];
            let start = start as usize;
            match kind {
                SyntaxKind::EPP_TEXT => {
                    let kept = self.text[start..end].trim_end_matches([' ', '\t']).len();
                    self.trim_token(index, start + kept, end);
                    if kept > 0 {
                        return;
                    }
                }
                SyntaxKind::EPP_COMMENT | SyntaxKind::EPP_TRIMMED => {}
                _ => return,
            }
            end = start;
        }
    }

    /// Trims a token from an offset on; it ends at `end`.
    fn trim_token(&mut self, index: usize, from: usize, end: usize) {
        let token = &mut self.out.tokens[index];
        if token.start as usize == from {
            token.kind = SyntaxKind::EPP_TRIMMED;
        } else if from < end {
            let trimmed = Token {
                kind: SyntaxKind::EPP_TRIMMED,
                start: from as u32,
            };
            self.out.tokens.insert(index + 1, trimmed);
        }
    }
}
