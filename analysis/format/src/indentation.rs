//! Computes the indentation of each line.
//!
//! The content of a bracket is one level deeper than the line of its opener if the opener ends that
//! line, or if the bracket contains statements, attributes or options. Any other line is a
//! continuation line and shifts by the same amount as the line that it continues.

use syntax::{SyntaxKind, SyntaxNode};

use crate::spaced_tokens::{SpacedToken, width};
use crate::{arrows, spaces};

/// The number of columns per level.
pub(crate) const LEVEL: usize = 2;

/// An open bracket.
pub(crate) struct Bracket {
    /// The token index of the opener.
    pub(crate) opener: usize,
    /// The node that the bracket belongs to.
    node: Option<SyntaxNode>,
    /// The indentation of its line.
    pub(crate) base: usize,
    /// Whether its content is indented relative to that line.
    pub(crate) indents: bool,
    /// The first token of the last element so far.
    pub(crate) element: Option<usize>,
}

impl Bracket {
    /// The column of its content.
    pub(crate) fn inner(&self) -> usize {
        self.base + LEVEL
    }
}

/// Computes the layout of a file in a single pass.
pub(crate) struct IndentationLayout<'a> {
    tokens: &'a [SpacedToken],
    text: &'a str,
    /// The original columns of the processed tokens.
    old: Vec<usize>,
    /// Their new columns.
    new: Vec<usize>,
    /// The first token of the current line.
    line: usize,
    pub(crate) brackets: Vec<Bracket>,
    /// The first token of the last top-level statement.
    statement: Option<usize>,
}

impl<'a> IndentationLayout<'a> {
    pub(crate) fn new(tokens: &'a [SpacedToken], text: &'a str) -> IndentationLayout<'a> {
        IndentationLayout {
            tokens,
            text,
            old: Vec::with_capacity(tokens.len()),
            new: Vec::with_capacity(tokens.len()),
            line: 0,
            brackets: Vec::new(),
            statement: None,
        }
    }

    /// Returns the new white space before each token.
    pub(crate) fn gaps(mut self) -> Vec<String> {
        let arrows = arrows::gaps(self.tokens, self.text);
        let tokens = self.tokens;
        let gap = |(index, spaced): (usize, &SpacedToken)| {
            let old = &self.text[spaced.gap];
            let gap = if spaced.has_significant_gap {
                old.to_owned()
            } else if spaced.starts_line {
                let breaks = spaces::line_breaks(index.checked_sub(1).map(|it| &tokens[it]), old);
                format!("{breaks}{}", " ".repeat(self.indentation(index)))
            } else {
                let arrow = arrows.get(&index).copied();
                let after_arrow = arrows.contains_key(&(index - 1)).then_some(1);
                let before = &tokens[index - 1];
                let blanks = arrow
                    .or(after_arrow)
                    .or_else(|| spaces::between(before, spaced));
                blanks.map_or_else(|| old.to_owned(), |it| " ".repeat(it))
            };
            self.advance(index, &gap);
            gap
        };
        tokens.iter().enumerate().map(gap).collect()
    }

    /// Processes the first `count` tokens without changing their layout.
    pub(crate) fn advance_to(&mut self, count: usize) {
        for index in 0..count {
            self.advance(index, &self.text[self.tokens[index].gap]);
        }
    }

    /// Processes a token with this preceding white space.
    fn advance(&mut self, index: usize, gap: &str) {
        let spaced = &self.tokens[index];
        let start = match index.checked_sub(1) {
            Some(before) if !spaced.starts_line => {
                let text = self.tokens[before].token.text();
                let old = &self.text[spaced.gap];
                (
                    after(self.old[before], text) + width(old),
                    after(self.new[before], text) + width(gap),
                )
            }
            _ => (indent(&self.text[spaced.gap]), indent(gap)),
        };
        self.old.push(start.0);
        self.new.push(start.1);
        if spaced.starts_line {
            self.line = index;
        }
        if !spaced.has_significant_gap {
            self.track_brackets(index);
        }
    }

    /// Opens and closes brackets, and records the start of an element.
    fn track_brackets(&mut self, index: usize) {
        if self.closes(index) {
            self.brackets.pop();
            return;
        }
        if self.starts_element(index) {
            match self.brackets.last_mut() {
                Some(bracket) => bracket.element = Some(index),
                None => self.statement = Some(index),
            }
        }
        if !is_opener(&self.tokens[index]) {
            return;
        }
        let node = self.tokens[index].token.parent();
        let kind = node.as_ref().map(SyntaxNode::kind);
        let whole = node.as_ref().and_then(block_owner);
        let line = whole.and_then(|it| self.column_of_line(&it));
        self.brackets.push(Bracket {
            opener: index,
            base: line.unwrap_or(self.new[self.line]),
            indents: kind.is_some_and(always_indents) || self.ends_line(index),
            element: None,
            node,
        });
    }

    /// Checks whether only comments follow a token on its line.
    fn ends_line(&self, index: usize) -> bool {
        let next = self.tokens[index + 1..].iter();
        let mut next = next.skip_while(|it| it.kind().is_comment() && !it.starts_line);
        next.next().is_none_or(|it| it.starts_line)
    }

    fn closes(&self, index: usize) -> bool {
        let opened = self.brackets.last();
        opened.is_some_and(|it| {
            is_closer(&self.tokens[index]) && it.node == self.tokens[index].token.parent()
        })
    }

    /// Returns the column of a token that starts a line.
    fn indentation(&self, index: usize) -> usize {
        if self.tokens[index].kind().is_comment() {
            return self.comment_column(index);
        }
        self.prescribed_column(index)
            .unwrap_or_else(|| self.continuation_column(index))
    }

    /// Returns the column of a comment: that of the code below it or, at the end of a block, above it.
    fn comment_column(&self, index: usize) -> usize {
        let is_code = |it: &usize| !self.tokens[*it].kind().is_comment();
        let next = (index + 1..self.tokens.len()).find(is_code);
        let next = next.filter(|it| !self.tokens[*it].has_significant_gap);
        let bracket = self.brackets.last();
        match next {
            Some(next) if self.closes(next) => match bracket {
                Some(bracket) if bracket.indents => {
                    let above = bracket.element.filter(|it| self.tokens[*it].starts_line);
                    above.map_or(bracket.inner(), |it| self.new[it])
                }
                _ => self.continuation_column(index),
            },
            Some(next) => self
                .prescribed_column(next)
                .unwrap_or_else(|| self.continuation_column(index)),
            None if bracket.is_none() => 0,
            None => self.continuation_column(index),
        }
    }

    /// Returns the column that the layout prescribes for a token, or `None` on a continuation line.
    fn prescribed_column(&self, index: usize) -> Option<usize> {
        let token = &self.tokens[index].token;
        let node = token.parent()?;
        if self.closes(index) {
            let bracket = self.brackets.last().filter(|it| it.indents)?;
            return Some(bracket.base);
        }
        if let Some(whole) = alignment_node(&self.tokens[index], &node) {
            return self.column_of_line(&whole);
        }
        if !self.starts_element(index) {
            return None;
        }
        match self.brackets.last() {
            None => Some(0),
            Some(bracket) if !bracket.indents => None,
            Some(bracket) => Some(self.below_title(index).unwrap_or(bracket.inner())),
        }
    }

    /// Returns the first token of a node among the processed tokens, or else the token after them.
    fn first_of(&self, node: &SyntaxNode) -> usize {
        let start = node.text_range().start();
        let processed = &self.tokens[..self.new.len()];
        processed.partition_point(|it| it.token.text_range().start() < start)
    }

    /// Returns the indentation of the line on which a node starts.
    fn column_of_line(&self, node: &SyntaxNode) -> Option<usize> {
        let first = self.first_of(node);
        let line = (0..=first).rev().find(|it| self.tokens[*it].starts_line)?;
        self.new.get(line).copied()
    }

    /// Returns the column of an attribute whose title starts a line.
    fn below_title(&self, index: usize) -> Option<usize> {
        let token = &self.tokens[index].token;
        let body = token.parent()?.ancestors();
        let body = body.take_while(|it| it.text_range().start() >= token.text_range().start());
        let body = body.last()?.parent()?;
        if body.kind() != SyntaxKind::RESOURCE_BODY {
            return None;
        }
        let title = self.first_of(&body);
        let column = self.new.get(title)?;
        self.tokens[title].starts_line.then_some(column + LEVEL)
    }

    /// Returns the column of a new element in a bracket after the first `count` tokens.
    pub(crate) fn column_of_next(&self, bracket: &Bracket, count: usize) -> usize {
        let above = bracket.element.filter(|it| self.tokens[*it].starts_line);
        let before = count.checked_sub(1).map(|it| &self.tokens[it]);
        match (above, before.map(SpacedToken::kind)) {
            // A title on a separate line.
            (Some(title), Some(SyntaxKind::COLON)) => self.new[title] + LEVEL,
            (_, Some(SyntaxKind::SEMICOLON)) => bracket.inner(),
            (Some(above), _) => self.new[above],
            (None, _) => bracket.inner(),
        }
    }

    /// Returns the column of a continuation line, which shifts with the line that it continues.
    fn continuation_column(&self, index: usize) -> usize {
        let with = match self.brackets.last() {
            Some(bracket) if bracket.indents => bracket.element.unwrap_or(bracket.opener),
            Some(bracket) => bracket.opener,
            None => self.statement.unwrap_or(0),
        };
        let old = indent(&self.text[self.tokens[index].gap]);
        match (self.old.get(with), self.new.get(with)) {
            (Some(from), Some(to)) => (old + to).saturating_sub(*from),
            _ => old,
        }
    }

    /// Checks whether a statement, attribute, option, key or element starts at a token.
    fn starts_element(&self, index: usize) -> bool {
        use SyntaxKind::*;
        let token = &self.tokens[index].token;
        let container = self.brackets.last().and_then(|it| it.node.as_ref());
        let is_container = |node: &SyntaxNode| match container {
            Some(container) => container == node,
            None => matches!(node.kind(), SOURCE_FILE),
        };
        let start = token.text_range().start();
        let mut nodes = token.parent_ancestors();
        nodes.any(|node| {
            let Some(parent) = node.parent() else {
                return false;
            };
            let groups = matches!(parent.kind(), UNBRACED_HASH | RESOURCE_BODY);
            let is_contained = is_container(&parent)
                || groups && parent.parent().is_some_and(|it| is_container(&it));
            is_contained && node.text_range().start() == start
        })
    }
}

/// Returns the node with whose start a token aligns at the start of a line: a block aligns with its
/// definition or condition, `else` with `if`.
fn alignment_node(spaced: &SpacedToken, node: &SyntaxNode) -> Option<SyntaxNode> {
    match spaced.kind() {
        SyntaxKind::L_BRACE => block_owner(node),
        SyntaxKind::ELSE_KW | SyntaxKind::ELSIF_KW => Some(outermost_if(node)),
        _ => None,
    }
}

/// Returns the node that determines the indentation of a block, if not the line of its brace: the
/// node may begin several lines above.
fn block_owner(block: &SyntaxNode) -> Option<SyntaxNode> {
    let is_block = block.kind() == SyntaxKind::BLOCK;
    let of = block.parent().filter(|_| is_block)?;
    match of.kind() {
        SyntaxKind::LAMBDA => None,
        SyntaxKind::IF_EXPR | SyntaxKind::ELSE_CLAUSE => Some(outermost_if(&of)),
        _ => Some(of),
    }
}

/// Returns the outermost `if` of an `else` or `elsif`.
fn outermost_if(part: &SyntaxNode) -> SyntaxNode {
    let is_part = |it: &SyntaxNode| {
        let of = it.parent().map(|it| it.kind());
        it.kind() == SyntaxKind::ELSE_CLAUSE || of == Some(SyntaxKind::ELSE_CLAUSE)
    };
    let mut whole = part.clone();
    while is_part(&whole) {
        let Some(parent) = whole.parent() else { break };
        whole = parent;
    }
    whole
}

/// Checks whether the bracketed content of a node is always indented, even if it begins on the line
/// of the opener.
fn always_indents(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        BLOCK
            | CASE_EXPR
            | SELECTOR_EXPR
            | RESOURCE_EXPR
            | RESOURCE_DEFAULTS
            | RESOURCE_OVERRIDE
            | COLLECT_EXPR
    )
}

fn is_opener(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    match spaced.kind() {
        L_BRACE | SELECTOR_BRACE | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START | L_COLLECT
        | LL_COLLECT => true,
        PIPE => is_pipe(spaced, |list| list.first_token()),
        _ => false,
    }
}

fn is_closer(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    match spaced.kind() {
        R_BRACE | R_PAREN | R_BRACK | R_COLLECT | RR_COLLECT => true,
        PIPE => is_pipe(spaced, |list| list.last_token()),
        _ => false,
    }
}

/// Checks whether a `|` delimits a parameter list.
fn is_pipe(spaced: &SpacedToken, end: impl Fn(&SyntaxNode) -> Option<syntax::SyntaxToken>) -> bool {
    let list = spaced.token.parent();
    let list = list.filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    list.and_then(|it| end(&it)).as_ref() == Some(&spaced.token)
}

/// Returns the column after a token that starts at a column.
fn after(start: usize, text: &str) -> usize {
    match text.rsplit_once('\n') {
        Some((_, last)) => width(last),
        None => start + width(text),
    }
}

/// Returns the indentation of a line by the white space before its first token.
fn indent(gap: &str) -> usize {
    width(gap.rsplit('\n').next().unwrap_or_default())
}
