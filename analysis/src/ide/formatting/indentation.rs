//! How far each line is indented.
//!
//! What a bracket holds is a level deeper than the line on which the bracket opens, if the bracket
//! ends that line or holds statements, attributes or options. Any other line goes on with something,
//! and moves by as much as what it goes on with.

use syntax::{SyntaxKind, SyntaxNode};

use super::arrows;
use super::spaces;
use super::spots::{Spot, width};

/// A level.
pub(super) const LEVEL: usize = 2;

/// A bracket that is open.
pub(super) struct Bracket {
    /// The piece that it is.
    pub(super) opener: usize,
    /// What it belongs to.
    node: Option<SyntaxNode>,
    /// The column of the line it is on.
    pub(super) base: usize,
    /// Whether what it holds is indented from that line.
    pub(super) indents: bool,
    /// The last piece that something it holds starts with.
    pub(super) element: Option<usize>,
}

impl Bracket {
    /// The column of what it holds.
    pub(super) fn inner(&self) -> usize {
        self.base + LEVEL
    }
}

/// Follows a file from the start to the end.
pub(super) struct Layout<'a> {
    spots: &'a [Spot],
    text: &'a str,
    /// Where the pieces so far were, in columns.
    old: Vec<usize>,
    /// Where they go.
    new: Vec<usize>,
    /// The first piece of the current line.
    line: usize,
    pub(super) brackets: Vec<Bracket>,
    /// The last piece outside of all brackets that a statement starts with.
    statement: Option<usize>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(spots: &'a [Spot], text: &'a str) -> Layout<'a> {
        Layout {
            spots,
            text,
            old: Vec::with_capacity(spots.len()),
            new: Vec::with_capacity(spots.len()),
            line: 0,
            brackets: Vec::new(),
            statement: None,
        }
    }

    /// The white space before each piece.
    pub(super) fn gaps(mut self) -> Vec<String> {
        let arrows = arrows::gaps(self.spots, self.text);
        let spots = self.spots;
        let gap = |(index, spot): (usize, &Spot)| {
            let old = &self.text[spot.gap];
            let gap = if spot.is_frozen {
                old.to_owned()
            } else if spot.is_first {
                let breaks = spaces::line_breaks(index.checked_sub(1).map(|it| &spots[it]), old);
                format!("{breaks}{}", " ".repeat(self.indentation(index)))
            } else {
                let arrow = arrows.get(&index).copied();
                let behind_arrow = arrows.contains_key(&(index - 1)).then_some(1);
                let before = &spots[index - 1];
                let blanks = arrow
                    .or(behind_arrow)
                    .or_else(|| spaces::between(before, spot));
                blanks.map_or_else(|| old.to_owned(), |it| " ".repeat(it))
            };
            self.pass(index, &gap);
            gap
        };
        spots.iter().enumerate().map(gap).collect()
    }

    /// Follows the pieces as they are up to an offset.
    pub(super) fn follow(&mut self, count: usize) {
        for index in 0..count {
            self.pass(index, &self.text[self.spots[index].gap]);
        }
    }

    /// Goes past a piece that has this white space before it.
    fn pass(&mut self, index: usize, gap: &str) {
        let spot = &self.spots[index];
        let start = match index.checked_sub(1) {
            Some(before) if !spot.is_first => {
                let text = self.spots[before].token.text();
                let old = &self.text[spot.gap];
                (
                    after(self.old[before], text) + width(old),
                    after(self.new[before], text) + width(gap),
                )
            }
            _ => (indent(&self.text[spot.gap]), indent(gap)),
        };
        self.old.push(start.0);
        self.new.push(start.1);
        if spot.is_first {
            self.line = index;
        }
        if !spot.is_frozen {
            self.note(index);
        }
    }

    /// Opens and closes brackets, and notes what starts here.
    fn note(&mut self, index: usize) {
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
        if !is_opener(&self.spots[index]) {
            return;
        }
        let node = self.spots[index].token.parent();
        let kind = node.as_ref().map(SyntaxNode::kind);
        let whole = node.as_ref().and_then(whole);
        let line = whole.and_then(|it| self.column_of_line(&it));
        self.brackets.push(Bracket {
            opener: index,
            base: line.unwrap_or(self.new[self.line]),
            indents: kind.is_some_and(always_indents) || self.ends_line(index),
            element: None,
            node,
        });
    }

    /// Whether a piece is the last of its line but for comments.
    fn ends_line(&self, index: usize) -> bool {
        let next = self.spots[index + 1..].iter();
        let mut next = next.skip_while(|it| it.kind().is_comment() && !it.is_first);
        next.next().is_none_or(|it| it.is_first)
    }

    fn closes(&self, index: usize) -> bool {
        let opened = self.brackets.last();
        opened.is_some_and(|it| {
            is_closer(&self.spots[index]) && it.node == self.spots[index].token.parent()
        })
    }

    /// The column of a piece that is the first of its line.
    fn indentation(&self, index: usize) -> usize {
        if self.spots[index].kind().is_comment() {
            return self.comment(index);
        }
        self.code(index).unwrap_or_else(|| self.moved(index))
    }

    /// A comment is where the code below it is, or above it at the end of a block.
    fn comment(&self, index: usize) -> usize {
        let is_code = |it: &usize| !self.spots[*it].kind().is_comment();
        let next = (index + 1..self.spots.len()).find(is_code);
        let next = next.filter(|it| !self.spots[*it].is_frozen);
        let bracket = self.brackets.last();
        match next {
            Some(next) if self.closes(next) => match bracket {
                Some(bracket) if bracket.indents => {
                    let above = bracket.element.filter(|it| self.spots[*it].is_first);
                    above.map_or(bracket.inner(), |it| self.new[it])
                }
                _ => self.moved(index),
            },
            Some(next) => self.code(next).unwrap_or_else(|| self.moved(index)),
            None if bracket.is_none() => 0,
            None => self.moved(index),
        }
    }

    /// The column of a piece that the layout says; nothing if it goes on with something.
    fn code(&self, index: usize) -> Option<usize> {
        let token = &self.spots[index].token;
        let node = token.parent()?;
        if self.closes(index) {
            let bracket = self.brackets.last().filter(|it| it.indents)?;
            return Some(bracket.base);
        }
        if let Some(whole) = goes_with(&self.spots[index], &node) {
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

    /// The piece that a node starts with, of those that were passed; else the one behind them.
    fn first_of(&self, node: &SyntaxNode) -> usize {
        let start = node.text_range().start();
        let passed = &self.spots[..self.new.len()];
        passed.partition_point(|it| it.token.text_range().start() < start)
    }

    /// The column of the line on which a node starts.
    fn column_of_line(&self, node: &SyntaxNode) -> Option<usize> {
        let first = self.first_of(node);
        let line = (0..=first).rev().find(|it| self.spots[*it].is_first)?;
        self.new.get(line).copied()
    }

    /// The column of an attribute whose title is the first of its line.
    fn below_title(&self, index: usize) -> Option<usize> {
        let token = &self.spots[index].token;
        let body = token.parent()?.ancestors();
        let body = body.take_while(|it| it.text_range().start() >= token.text_range().start());
        let body = body.last()?.parent()?;
        if body.kind() != SyntaxKind::RESOURCE_BODY {
            return None;
        }
        let title = self.first_of(&body);
        let column = self.new.get(title)?;
        self.spots[title].is_first.then_some(column + LEVEL)
    }

    /// The column of what comes next in a bracket, behind so many pieces.
    pub(super) fn column_of_next(&self, bracket: &Bracket, count: usize) -> usize {
        let above = bracket.element.filter(|it| self.spots[*it].is_first);
        let before = count.checked_sub(1).map(|it| &self.spots[it]);
        match (above, before.map(Spot::kind)) {
            // A title on a line of its own.
            (Some(title), Some(SyntaxKind::COLON)) => self.new[title] + LEVEL,
            (_, Some(SyntaxKind::SEMICOLON)) => bracket.inner(),
            (Some(above), _) => self.new[above],
            (None, _) => bracket.inner(),
        }
    }

    /// The column of a line that goes on with something: it moves with that.
    fn moved(&self, index: usize) -> usize {
        let with = match self.brackets.last() {
            Some(bracket) if bracket.indents => bracket.element.unwrap_or(bracket.opener),
            Some(bracket) => bracket.opener,
            None => self.statement.unwrap_or(0),
        };
        let old = indent(&self.text[self.spots[index].gap]);
        match (self.old.get(with), self.new.get(with)) {
            (Some(from), Some(to)) => (old + to).saturating_sub(*from),
            _ => old,
        }
    }

    /// Whether a statement, an attribute, an option, a key or an element starts here.
    fn starts_element(&self, index: usize) -> bool {
        use SyntaxKind::*;
        let token = &self.spots[index].token;
        let holder = self.brackets.last().and_then(|it| it.node.as_ref());
        let is_holder = |node: &SyntaxNode| match holder {
            Some(holder) => holder == node,
            None => matches!(node.kind(), SOURCE_FILE),
        };
        let start = token.text_range().start();
        let mut nodes = token.parent_ancestors();
        nodes.any(|node| {
            let Some(parent) = node.parent() else {
                return false;
            };
            let groups = matches!(parent.kind(), UNBRACED_HASH | RESOURCE_BODY);
            let is_held =
                is_holder(&parent) || groups && parent.parent().is_some_and(|it| is_holder(&it));
            is_held && node.text_range().start() == start
        })
    }
}

/// What a piece stands below the start of, if it is the first of its line: a block below its
/// definition or condition, `else` below `if`.
fn goes_with(spot: &Spot, node: &SyntaxNode) -> Option<SyntaxNode> {
    match spot.kind() {
        SyntaxKind::L_BRACE => whole(node),
        SyntaxKind::ELSE_KW | SyntaxKind::ELSIF_KW => Some(condition(node)),
        _ => None,
    }
}

/// What a block belongs to, if that and not its line says how far it is indented: it may be long
/// before the block begins.
fn whole(block: &SyntaxNode) -> Option<SyntaxNode> {
    let is_block = block.kind() == SyntaxKind::BLOCK;
    let of = block.parent().filter(|_| is_block)?;
    match of.kind() {
        SyntaxKind::LAMBDA => None,
        SyntaxKind::IF_EXPR | SyntaxKind::ELSE_CLAUSE => Some(condition(&of)),
        _ => Some(of),
    }
}

/// The whole of what a part of an `if` belongs to.
fn condition(part: &SyntaxNode) -> SyntaxNode {
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

/// Whether what such a node has in brackets is indented, even if some of it is on the first line.
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

fn is_opener(spot: &Spot) -> bool {
    use SyntaxKind::*;
    match spot.kind() {
        L_BRACE | SELECTOR_BRACE | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START | L_COLLECT
        | LL_COLLECT => true,
        PIPE => is_pipe(spot, |list| list.first_token()),
        _ => false,
    }
}

fn is_closer(spot: &Spot) -> bool {
    use SyntaxKind::*;
    match spot.kind() {
        R_BRACE | R_PAREN | R_BRACK | R_COLLECT | RR_COLLECT => true,
        PIPE => is_pipe(spot, |list| list.last_token()),
        _ => false,
    }
}

/// Whether a `|` is the one that a list of parameters has at one of its ends.
fn is_pipe(spot: &Spot, end: impl Fn(&SyntaxNode) -> Option<syntax::SyntaxToken>) -> bool {
    let list = spot.token.parent();
    let list = list.filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    list.and_then(|it| end(&it)).as_ref() == Some(&spot.token)
}

/// The column behind a text that starts at a column.
fn after(start: usize, text: &str) -> usize {
    match text.rsplit_once('\n') {
        Some((_, last)) => width(last),
        None => start + width(text),
    }
}

/// How far white space before the first piece of a line indents it.
fn indent(gap: &str) -> usize {
    width(gap.rsplit('\n').next().unwrap_or_default())
}
