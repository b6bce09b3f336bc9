//! Error recovery for brackets: finds missing and unmatched brackets by indentation.
//!
//! Only files with an error are analyzed, so the layout of a valid file never matters. The result
//! states where the parser has to assume a closing bracket, and which closing brackets are
//! unmatched. The analysis uses only tokens and the indentation of lines. In a template, the column of a tag that starts
//! a line is the indentation of its code. Many templates do not indent nested tags, so only a closing brace that is
//! indented less than a block ends that block.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::SyntaxKind::{self, R_BRACE, R_BRACK, R_PAREN};
use crate::lexer::Lexed;

/// The bracket errors of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Brackets {
    /// The number of unclosed brackets that end before a token.
    closes: BTreeMap<usize, usize>,
    /// Unmatched closing brackets.
    extra: BTreeSet<usize>,
}

/// The maximum number of open brackets: beyond it the parser gives up as well.
const MAX_OPEN: usize = super::MAX_DEPTH as usize;

struct Open {
    /// The index of the bracket among the tokens.
    at: usize,
    kind: SyntaxKind,
    /// The indentation of the line of the bracket.
    indent: usize,
    /// Whether it is the last token of its line: a block, not an inline hash or list.
    ends_line: bool,
}

/// A token with its layout.
struct Seen {
    kind: SyntaxKind,
    /// The column, if the token is the first of its line.
    line_start: Option<usize>,
    /// The indentation of the line.
    indent: usize,
}

impl Brackets {
    pub(super) fn closes_before(&self, token: usize) -> bool {
        self.closes.contains_key(&token)
    }

    pub(super) fn is_extra(&self, token: usize) -> bool {
        self.extra.contains(&token)
    }

    /// Returns the next unmatched closing bracket from `token` on.
    pub(super) fn next_extra(&self, token: usize) -> Option<usize> {
        self.extra.range(token..).next().copied()
    }

    /// Consumes one bracket that ends before `token`.
    pub(super) fn close_one(&mut self, token: usize) {
        if let Entry::Occupied(mut count) = self.closes.entry(token) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }

    /// Marks the closing bracket at `token` as matched.
    pub(super) fn use_extra(&mut self, token: usize) {
        self.extra.remove(&token);
    }

    /// Analyzes `tokens` (indices into `lexed`).
    pub(super) fn repair(text: &str, lexed: &Lexed, tokens: &[u32]) -> Brackets {
        let seen = see(text, lexed, tokens);
        let missing = |kind| count_openings(&seen, kind) - count(&seen, kind);
        let mut mender = Mender {
            is_template: seen.iter().any(|it| is_template_text(it.kind)),
            surplus: -missing(R_BRACE),
            missing: [R_BRACE, R_PAREN, R_BRACK].map(|it| (it, missing(it))),
            open: Vec::new(),
            found: Brackets::default(),
        };
        for at in 0..seen.len() {
            mender.token(at, &seen);
            if mender.open.len() > MAX_OPEN {
                return Brackets::default();
            }
        }
        mender.end(seen.len());
        mender.found
    }
}

fn count(seen: &[Seen], kind: SyntaxKind) -> isize {
    seen.iter().filter(|it| it.kind == kind).count() as isize
}

fn see(text: &str, lexed: &Lexed, tokens: &[u32]) -> Vec<Seen> {
    let mut indent = 0;
    let mut end_of_last = 0;
    let mut last = None;
    tokens
        .iter()
        .map(|&index| {
            let token = lexed.tokens[index as usize];
            let start = token.start as usize;
            let between = &text[end_of_last..start];
            end_of_last = lexed.token_end(index as usize) as usize;
            let line_start = match (between.rfind('\n'), between.rfind("<%")) {
                _ if is_template_text(token.kind) => None,
                (line_break, Some(tag)) if line_break.is_none_or(|it| it < tag) => {
                    tag_column(text, start - between.len() + tag)
                }
                (Some(line_break), _) => Some(between.len() - line_break - 1),
                (None, _) if start == between.len() => Some(start),
                (None, _) => None,
            };
            // The line that a condition begins on counts, not one that continues it.
            if let Some(column) = line_start
                && !is_operator(token.kind)
                && !last.is_some_and(is_operator)
            {
                indent = column;
            }
            last = Some(token.kind);
            Seen {
                kind: token.kind,
                line_start,
                indent,
            }
        })
        .collect()
}

/// Returns the column of a tag of a template that is the first code of its line.
fn tag_column(text: &str, tag: usize) -> Option<usize> {
    let is_blank = |it: char| it != '\n' && it.is_whitespace();
    let before = text[..tag].trim_end_matches(is_blank);
    (before.is_empty() || before.ends_with('\n')).then_some(tag - before.len())
}

/// Checks for the text of a template or the start of an expression in it.
fn is_template_text(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::EPP_TEXT | SyntaxKind::EPP_EXPR_OPEN | SyntaxKind::EPP_EXPR_CLOSE
    )
}

struct Mender {
    is_template: bool,
    /// The number of surplus `}`.
    surplus: isize,
    /// The number of missing brackets, by kind; negative if there are too many.
    missing: [(SyntaxKind, isize); 3],
    open: Vec<Open>,
    found: Brackets,
}

impl Mender {
    fn token(&mut self, at: usize, seen: &[Seen]) {
        let token = &seen[at];
        let dedents = !self.is_template && !continues(token.kind);
        if let Some(column) = token.line_start.filter(|_| dedents) {
            self.dedent(at, column);
        }
        if token.kind == SyntaxKind::L_BRACE && self.is_missing(SyntaxKind::R_PAREN) {
            self.condition_end(at, seen);
        }
        match token.kind {
            kind if is_opening(kind) => {
                let ends_line = seen
                    .get(at + 1)
                    .is_none_or(|it| it.line_start.is_some() || is_template_text(it.kind));
                self.open.push(Open {
                    at,
                    kind: closing(token.kind),
                    indent: token.indent,
                    ends_line,
                });
            }
            SyntaxKind::R_BRACE => self.brace(at, token),
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACK => self.paren(at, token.kind),
            _ if starts_definition(at, seen) => self.definition(at, token),
            _ => {}
        }
    }

    /// Closes every bracket that is indented at least as far as a definition that starts a line.
    fn definition(&mut self, at: usize, token: &Seen) {
        while self.open.last().is_some_and(|it| it.indent >= token.indent) {
            self.close_before(at);
        }
    }

    /// Closes the brackets whose lines are indented at least as far as a line that starts here, as long
    /// as closing ones are missing.
    fn dedent(&mut self, at: usize, column: usize) {
        while let Some(open) = self.open.last() {
            if open.indent < column || !self.is_missing(open.kind) {
                return;
            }
            self.close_before(at);
        }
    }

    /// Closes the parentheses of a condition before the brace that starts its block, which ends its line.
    fn condition_end(&mut self, at: usize, seen: &[Seen]) {
        let ends_line = seen.get(at + 1).is_none_or(|it| it.line_start.is_some());
        let Some(start) = condition_start(at, seen).filter(|_| ends_line) else {
            return;
        };
        while let Some(open) = self.open.last()
            && open.kind == SyntaxKind::R_PAREN
            && open.at > start
            && self.is_missing(SyntaxKind::R_PAREN)
        {
            self.close_before(at);
        }
    }

    /// Checks whether the file has fewer closing brackets of a kind than opening ones.
    fn is_missing(&self, kind: SyntaxKind) -> bool {
        self.missing.iter().any(|it| it.0 == kind && it.1 > 0)
    }

    fn brace(&mut self, at: usize, token: &Seen) {
        if let Some(column) = token.line_start {
            if self.closes_nothing_here(column) {
                self.surplus -= 1;
                self.found.extra.insert(at);
                return;
            }
            // Blocks that are indented further should have ended before this brace.
            let is_missing = self.is_missing(SyntaxKind::R_BRACE);
            while self.open.len() > 1
                && self
                    .open
                    .last()
                    .is_some_and(|it| (it.ends_line || is_missing) && it.indent > column)
                && self
                    .open
                    .iter()
                    .any(|it| it.kind == SyntaxKind::R_BRACE && it.indent <= column)
            {
                self.close_before(at);
            }
        }
        let Some(match_at) = self
            .open
            .iter()
            .rposition(|it| it.kind == SyntaxKind::R_BRACE)
        else {
            self.found.extra.insert(at);
            return;
        };
        while self.open.len() > match_at + 1 {
            self.close_before(at);
        }
        self.open.pop();
    }

    /// Checks whether a brace in this column is unmatched: it would close a block that is indented
    /// less, and the file has surplus braces.
    fn closes_nothing_here(&self, column: usize) -> bool {
        let innermost = self
            .open
            .iter()
            .rev()
            .find(|it| it.kind == SyntaxKind::R_BRACE);
        self.surplus > 0 && innermost.is_none_or(|it| it.indent < column)
    }

    fn paren(&mut self, at: usize, kind: SyntaxKind) {
        let inside = self
            .open
            .iter()
            .rposition(|it| it.kind == SyntaxKind::R_BRACE)
            .map_or(0, |it| it + 1);
        let Some(match_at) = self.open[inside..].iter().rposition(|it| it.kind == kind) else {
            self.found.extra.insert(at);
            return;
        };
        while self.open.len() > inside + match_at + 1 {
            self.close_before(at);
        }
        self.open.pop();
    }

    fn end(&mut self, end: usize) {
        if !self.open.is_empty() {
            *self.found.closes.entry(end).or_default() += self.open.len();
        }
    }

    /// Closes the innermost bracket before the token `at`.
    fn close_before(&mut self, at: usize) {
        let closed = self.open.pop();
        for (kind, missing) in &mut self.missing {
            if closed.as_ref().is_some_and(|it| it.kind == *kind) {
                *missing -= 1;
            }
        }
        *self.found.closes.entry(at).or_default() += 1;
    }
}

/// Returns the keyword of the condition or control expression that ends right before the brace at a token.
fn condition_start(brace: usize, seen: &[Seen]) -> Option<usize> {
    use SyntaxKind::*;
    let is_operand = |kind| {
        !is_operator(kind) && !matches!(kind, PIPE | COMMA | L_PAREN | WS_L_PAREN | FAT_ARROW)
    };
    let last = brace.checked_sub(1)?;
    if !is_operand(seen[last].kind) {
        return None;
    }
    let condition = seen[..brace].iter().rposition(|it| {
        matches!(
            it.kind,
            IF_KW | ELSIF_KW | UNLESS_KW | CASE_KW | L_BRACE | R_BRACE | SELECTOR_BRACE
        )
    })?;
    matches!(seen[condition].kind, IF_KW | ELSIF_KW | UNLESS_KW | CASE_KW).then_some(condition)
}

/// Checks whether a token at the start of a line belongs to the line before it.
fn continues(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    let is_separator = matches!(
        kind,
        COMMA | SEMICOLON | FAT_ARROW | PLUS_ARROW | DOT | PIPE
    );
    let is_edge = matches!(kind, IN_EDGE | OUT_EDGE | IN_EDGE_SUB | OUT_EDGE_SUB);
    is_separator || is_closing(kind) || is_edge || is_operator(kind)
}

/// Checks whether a token is an operator between two operands.
fn is_operator(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    let is_logical = matches!(kind, AND_KW | OR_KW | IN_KW | QUESTION);
    let is_comparison = matches!(
        kind,
        EQ_EQ | NOT_EQ | MATCH | NOT_MATCH | LT | LT_EQ | GT | GT_EQ
    );
    let is_arithmetic = matches!(kind, PLUS | MINUS | STAR | SLASH | PERCENT | SHL | SHR);
    is_logical || is_comparison || is_arithmetic
}

fn count_openings(seen: &[Seen], closing_kind: SyntaxKind) -> isize {
    let openings = seen.iter().filter(|it| is_opening(it.kind));
    openings
        .filter(|it| closing(it.kind) == closing_kind)
        .count() as isize
}

/// Checks whether a token opens a bracket.
pub(super) fn is_opening(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        L_BRACE | SELECTOR_BRACE | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START
    )
}

/// Checks whether a token closes a bracket.
pub(super) fn is_closing(kind: SyntaxKind) -> bool {
    matches!(kind, R_BRACE | R_PAREN | R_BRACK)
}

/// Returns the kind of the matching closing bracket.
fn closing(open: SyntaxKind) -> SyntaxKind {
    match open {
        SyntaxKind::L_BRACE | SyntaxKind::SELECTOR_BRACE => SyntaxKind::R_BRACE,
        SyntaxKind::L_PAREN | SyntaxKind::WS_L_PAREN => SyntaxKind::R_PAREN,
        _ => SyntaxKind::R_BRACK,
    }
}

/// Checks whether a definition with a name starts a line here.
fn starts_definition(at: usize, seen: &[Seen]) -> bool {
    use SyntaxKind::*;
    let Some(next) = seen.get(at + 1).map(|it| it.kind) else {
        return false;
    };
    seen[at].line_start.is_some()
        && match seen[at].kind {
            CLASS_KW | DEFINE_KW | FUNCTION_KW | PLAN_KW => matches!(next, NAME | WORD | CLASSREF),
            NODE_KW => matches!(
                next,
                NAME | WORD | SINGLE_QUOTED | DOUBLE_QUOTED | DEFAULT_KW | REGEX
            ),
            TYPE_KW => next == CLASSREF,
            _ => false,
        }
}
