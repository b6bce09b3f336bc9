//! Puppet's grammar, with one function per production.
//!
//! A function that returns `None` has consumed no token and reported no error.

mod blocks;
mod conditionals;
mod definitions;
mod expressions;
mod foreign_keywords;
mod foreign_operators;
mod lists;
mod missing_operand;
mod resources;
mod statements;
mod strings;
mod templates;

use super::brackets::{is_closing, is_opening};
use super::event::{CompletedMarker, Marker};
use super::{MAX_CHAIN, MAX_DEPTH, Parser};
use crate::SyntaxKind::{self, *};
use crate::TextRange;

/// The maximum number of tokens of a line that are looked at.
const MAX_IN_LINE: usize = 1_000;

/// A whole manifest or template.
pub(super) fn source_file(p: &mut Parser<'_>) {
    let file = p.start();
    if p.dialect.epp {
        templates::parameters(p);
    }
    statements::until(p, EOF);
    let kind = if p.dialect.epp { TEMPLATE } else { SOURCE_FILE };
    file.complete(p, kind);
}

/// Statements of a block, without its braces.
pub(super) fn statements_alone(p: &mut Parser<'_>) {
    let block = p.start();
    statements::until(p, EOF);
    block.complete(p, BLOCK);
}

/// The body of a heredoc.
pub(super) fn heredoc_body(p: &mut Parser<'_>) {
    let body = p.start();
    while !p.at_end() {
        strings::segment(p);
    }
    body.complete(p, HEREDOC_BODY);
}

impl Parser<'_> {
    /// Runs `read` one level deeper and grows the stack if required. Returns `None` at the depth
    /// limit, where the rest of the file is skipped.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return None;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(64 * 1024, 1024 * 1024, || read(self));
        self.depth -= 1;
        result
    }

    /// Stops parsing: the rest of the file becomes one error node.
    fn give_up(&mut self) {
        if !self.gave_up {
            self.gave_up = true;
            self.error_at(self.at, "code is nested too deeply".to_owned());
        }
        let error = self.start();
        while !self.at_end() {
            self.bump();
        }
        error.complete(self, ERROR);
    }

    /// Counts one more link of a chain. Returns whether it may continue; at the limit the rest of
    /// the file is skipped.
    fn chain(&mut self, links: &mut u32) -> bool {
        *links += 1;
        let goes_on = *links < MAX_CHAIN;
        if !goes_on {
            self.give_up();
        }
        goes_on
    }

    /// Checks whether the next unmatched closing bracket is of this kind.
    fn next_extra_is(&self, close: SyntaxKind) -> bool {
        let extra = self.brackets.next_extra(self.at);
        extra.and_then(|it| self.kinds.get(it)) == Some(&close)
    }

    /// Takes the next unmatched closing bracket as matched.
    fn use_next_extra(&mut self) {
        if let Some(extra) = self.brackets.next_extra(self.at) {
            self.brackets.use_extra(extra);
        }
    }

    /// Checks whether a token is the first one of its line.
    fn starts_line(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|it| self.range_of(it)) else {
            return true;
        };
        self.text[TextRange::new(before.end(), self.range_of(at).start())].contains('\n')
    }

    /// Returns the tokens from the given one to the end of its line; none if it starts a line. A long line is cut.
    fn line_of(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.kinds.len().min(at + MAX_IN_LINE);
        (at..end).take_while(|it| !self.starts_line(*it))
    }

    /// Wraps the tokens before `end` in an error node.
    fn skip_until(&mut self, end: usize) {
        if self.at >= end {
            return;
        }
        let error = self.start();
        while self.at < end {
            self.bump();
        }
        error.complete(self, ERROR);
    }

    /// Wraps the current token in an error node.
    fn skip(&mut self) {
        let error = self.start();
        self.bump();
        error.complete(self, ERROR);
    }

    /// Checks whether the list inside brackets must end here: at the closing bracket, at the end of
    /// the file, or where an unclosed bracket is assumed to end.
    fn at_list_end(&self, close: SyntaxKind) -> bool {
        self.at_end() || self.at(close) || self.at_repaired_close()
    }

    /// Consumes an opening bracket, for [`Parser::close`].
    fn open(&mut self) -> usize {
        let open = self.at;
        self.opened.push(open);
        self.bump();
        open
    }

    /// Consumes the closing bracket for the token `open`, or reports that it is missing.
    fn close(&mut self, open: usize, close: SyntaxKind) {
        self.opened.pop();
        if self.at_repaired_close() {
            self.unclosed(open, close);
            let at = self.at;
            self.brackets.close_one(at);
        } else if !self.eat(close) {
            self.unclosed(open, close);
            self.skip_to(close);
        }
    }

    /// Recovers from an error inside brackets: skips to the closing bracket and consumes it, unless
    /// a bracket of an outer level comes first.
    fn skip_to(&mut self, close: SyntaxKind) {
        let error = self.start();
        let mut taken = false;
        while !self.at_list_end(close)
            && !self.is_outer_close()
            && !self.starts_block_or_definition()
        {
            self.skip_balanced();
            taken = true;
        }
        if taken {
            error.complete(self, ERROR);
        } else {
            error.abandon(self);
        }
        if self.at_repaired_close() {
            let at = self.at;
            self.brackets.close_one(at);
        } else {
            self.eat(close);
        }
    }

    /// Consumes a token or, if it is an opening bracket, everything up to the closing one.
    fn skip_balanced(&mut self) {
        let mut open = 0usize;
        loop {
            match self.current() {
                INTERPOLATION_OPEN | STRING_OPEN => open += 1,
                INTERPOLATION_CLOSE | STRING_CLOSE => open = open.saturating_sub(1),
                EOF => return,
                kind if is_opening(kind) => open += 1,
                kind if is_closing(kind) => open = open.saturating_sub(1),
                _ => {}
            }
            self.bump();
            if open == 0 || self.at_repaired_close() {
                return;
            }
        }
    }

    fn is_outer_close(&self) -> bool {
        matches!(
            self.current(),
            R_BRACE | R_PAREN | R_BRACK | INTERPOLATION_CLOSE | STRING_CLOSE | EPP_EXPR_CLOSE
        ) && !self.brackets.is_extra(self.at)
    }

    fn starts_block_or_definition(&self) -> bool {
        match self.current() {
            CLASS_KW | DEFINE_KW | FUNCTION_KW | PLAN_KW => matches!(self.nth(1), NAME | WORD),
            NODE_KW => matches!(self.nth(1), SINGLE_QUOTED | DOUBLE_QUOTED | NAME | REGEX),
            L_BRACE => true,
            _ => false,
        }
    }
}
