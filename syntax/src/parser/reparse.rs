//! Incremental parsing: after an edit, only the statements around it are parsed again.
//!
//! The result equals that of parsing the whole file: statements are parsed again from the one
//! before the edit to the one after it, which must come out unchanged. Wherever distant text may
//! matter (errors, heredoc bodies elsewhere, a slash that may start a regular expression), the whole
//! file is parsed.

use rowan::{GreenNode, NodeOrToken, TextRange, TextSize};

use super::{Goal, Parse, build, read};
use crate::lexer::{self, Lexed};
use crate::{Diagnostic, Dialect, SyntaxElement, SyntaxKind, SyntaxNode};

/// The maximum number of blocks around an edit that are tried, innermost first.
const MAX_TRIES: usize = 3;

/// The maximum number of tokens examined to find the start of the line.
const MAX_TOKENS_BEFORE: usize = 10_000;

/// The maximum number of parser levels per level of the tree.
const LEVELS_A_NODE: u32 = 8;

impl Parse {
    /// Parses `text`, an edited version of `before`, the text of this tree.
    ///
    /// The result equals that of [`parse`](super::parse), but takes a fraction of the time if the
    /// edit is small and leaves no errors.
    pub fn reparse(&self, before: &str, text: &str, dialect: Dialect) -> Parse {
        self.reparse_with(before, text, dialect, Errors::None)
    }

    /// Like [`Parse::reparse`], for callers that need only the code near the edit.
    ///
    /// Errors are derived from nearby code only, so if the edit leaves errors, the result may
    /// differ from that of [`parse`](super::parse).
    pub fn reparse_near(&self, before: &str, text: &str, dialect: Dialect) -> Parse {
        self.reparse_with(before, text, dialect, Errors::Nearby)
    }

    fn reparse_with(&self, before: &str, text: &str, dialect: Dialect, errors: Errors) -> Parse {
        let is_known = !dialect.epp && self.dialect == dialect && self.errors.is_empty();
        let edited = is_known.then(|| Edited::between(before, text)).flatten();
        edited
            .and_then(|it| self.reparse_around(&it, errors))
            .unwrap_or_else(|| super::parse(text, dialect))
    }

    fn reparse_around(&self, edited: &Edited<'_>, errors: Errors) -> Option<Parse> {
        let blocks = blocks_around(&self.syntax(), edited.old_range());
        for (depth, block) in blocks.into_iter().rev().take(MAX_TRIES) {
            let window = Window::of(&block, edited)?;
            let read = |it: &Window| it.read_again(edited, depth, self.dialect, errors);
            let outcome = match read(&window) {
                Outcome::Swallows => window
                    .without_guard()
                    .map_or(Outcome::Swallows, |it| read(&it)),
                other => other,
            };
            match outcome {
                Outcome::Read(green, errors) => {
                    return Some(Parse {
                        green: block.replace_with(green),
                        errors: errors.into(),
                        dialect: self.dialect,
                    });
                }
                Outcome::Broken => return None,
                Outcome::ReachesFurther | Outcome::Swallows => {}
            }
        }
        None
    }
}

/// The syntax errors that an edit may leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Errors {
    /// None: errors require the analysis of the whole file.
    None,
    /// Errors from which the surrounding statements can recover.
    Nearby,
}

/// The difference between two versions of a file, as one edit.
struct Edited<'t> {
    text: &'t str,
    /// The start in both versions.
    start: usize,
    /// The end in the old and in the new version.
    old_end: usize,
    new_end: usize,
}

impl<'t> Edited<'t> {
    /// Returns `None` if a version is too long for 32-bit offsets.
    fn between(before: &'t str, text: &'t str) -> Option<Edited<'t>> {
        let (old, new) = (before.as_bytes(), text.as_bytes());
        u32::try_from(old.len().max(new.len())).ok()?;
        let start = common_prefix(old, new);
        let end = common_suffix(&old[start..], &new[start..]);
        Some(Edited {
            text,
            start,
            old_end: old.len() - end,
            new_end: new.len() - end,
        })
    }

    fn old_range(&self) -> TextRange {
        TextRange::new(offset(self.start), offset(self.old_end))
    }

    /// Maps an old offset after the edit to the new version.
    fn moved(&self, old: usize) -> usize {
        old - self.old_end + self.new_end
    }
}

/// The number of bytes compared at once.
const PIECE: usize = 1024;

/// Returns the length of the common prefix.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let pieces = a.chunks_exact(PIECE).zip(b.chunks_exact(PIECE));
    let same = pieces.take_while(|it| it.0 == it.1).count() * PIECE;
    let rest = a[same..].iter().zip(&b[same..]);
    same + rest.take_while(|it| it.0 == it.1).count()
}

/// Returns the length of the common suffix.
fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let pieces = a.rchunks_exact(PIECE).zip(b.rchunks_exact(PIECE));
    let same = pieces.take_while(|it| it.0 == it.1).count() * PIECE;
    let rest = a[..a.len() - same].iter().rev();
    let rest = rest.zip(b[..b.len() - same].iter().rev());
    same + rest.take_while(|it| it.0 == it.1).count()
}

fn offset(at: usize) -> TextSize {
    TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
}

/// Returns the file and the blocks that enclose an edit, innermost last, with their levels in the
/// tree. Code in strings is excluded, because it depends on its surroundings.
fn blocks_around(root: &SyntaxNode, edited: TextRange) -> Vec<(u32, SyntaxNode)> {
    let mut found = Vec::new();
    let mut depth = 0;
    let mut node = Some(root.clone());
    while let Some(here) = node {
        if matches!(here.kind(), SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE) {
            found.push((depth, here.clone()));
        }
        let is_inside = |it: &SyntaxNode| {
            let range = it.text_range();
            range.start() < edited.start() && edited.end() < range.end()
        };
        node = here.children().find(is_inside);
        node = node.filter(|it| !is_string(it.kind()));
        depth += 1;
    }
    found
}

fn is_string(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(kind, INTERPOLATED_STRING | HEREDOC | HEREDOC_BODY)
}

/// The part of a file that is parsed again: statements of a block, with the trivia between them.
struct Window {
    block: SyntaxNode,
    /// The children of the block that are replaced.
    children: std::ops::Range<usize>,
    /// The range of the children in the old version.
    range: TextRange,
    /// The statement after the edit, which must come out unchanged; `None` at the end of the block.
    guard: Option<GreenNode>,
    /// Whether the window must contain the errors: otherwise they come from the code after it.
    must_fail: bool,
    /// The state of the lexer at the start of the window.
    line_start: usize,
    after: Option<SyntaxKind>,
}

/// The outcome of parsing a [`Window`].
enum Outcome {
    /// The new block and its errors.
    Read(GreenNode, Vec<Diagnostic>),
    /// There is an error, or distant text may matter.
    Broken,
    /// The edit affects the code after the window.
    ReachesFurther,
    /// The edit affects the code after the window because of an error, such as an unclosed bracket
    /// that swallows the next statement.
    Swallows,
}

impl Window {
    /// Creates the window from the statement before the edited ones to the statement after them.
    /// Returns `None` if the braces of the block are edited, or if the state of the lexer at the
    /// start is unknown.
    fn of(block: &SyntaxNode, edited: &Edited<'_>) -> Option<Window> {
        let old = edited.old_range();
        let elements: Vec<SyntaxElement> = block.children_with_tokens().collect();
        let inner = match (block.kind(), elements.as_slice()) {
            (SyntaxKind::BLOCK, [open, _, .., close])
                if open.kind() == SyntaxKind::L_BRACE && close.kind() == SyntaxKind::R_BRACE =>
            {
                1..elements.len() - 1
            }
            (SyntaxKind::BLOCK, _) => return None,
            _ => 0..elements.len(),
        };
        let is_statement = |at: &usize| {
            let node = elements[*at].as_node();
            node.is_some_and(|it| it.kind() != SyntaxKind::HEREDOC_BODY)
        };
        let is_before = |at: &usize| elements[*at].text_range().end() < old.start();
        let is_behind = |at: &usize| elements[*at].text_range().start() > old.end();
        let mut before = inner.clone().filter(is_statement).filter(is_before);
        let mut behind = inner.clone().filter(is_statement).filter(is_behind);
        let first = before.next_back().unwrap_or(inner.start);
        let guard = behind.next();
        let children = first..guard.map_or(inner.end, |it| it + 1);
        let start = elements
            .get(children.start)
            .map_or(block.text_range().end(), |it| it.text_range().start());
        let end = match children.end.checked_sub(1).and_then(|it| elements.get(it)) {
            Some(last) if !children.is_empty() => last.text_range().end(),
            _ => start,
        };
        if !holds_its_heredocs(elements.get(children.clone())?) {
            return None;
        }
        let guard = guard.and_then(|it| elements[it].as_node().cloned());
        let (line_start, after) = what_is_before(&elements, children.start, block)?;
        Some(Window {
            block: block.clone(),
            children,
            range: TextRange::new(start, end),
            guard: guard.map(|it| it.green().into_owned()),
            must_fail: false,
            line_start,
            after,
        })
    }

    /// Excludes the statement after the edit, which is kept as it is.
    fn without_guard(self) -> Option<Window> {
        let guard = self.guard?;
        Some(Window {
            children: self.children.start..self.children.end - 1,
            range: TextRange::new(self.range.start(), self.range.end() - guard.text_len()),
            guard: None,
            must_fail: true,
            ..self
        })
    }

    fn read_again(
        &self,
        edited: &Edited<'_>,
        depth: u32,
        dialect: Dialect,
        errors: Errors,
    ) -> Outcome {
        let (start, old_end) = (self.range.start().into(), self.range.end().into());
        let end = edited.moved(old_end);
        // Heredoc bodies may be located between the statements; and with an inserted slash, any
        // later slash may change its meaning. If errors are accepted, the latter is ignored.
        let line = &edited.text[self.line_start..start];
        let inserted = &edited.text.as_bytes()[edited.start..edited.new_end];
        let has_slash = inserted.contains(&b'/');
        if line.contains("@(") || has_slash && errors == Errors::None {
            return Outcome::Broken;
        }
        let text = &edited.text[..end];
        let before = lexer::Before {
            at: start,
            after: self.after,
            line_start: self.line_start,
        };
        let Some(lexed) = lexer::lex_part(text, before, dialect) else {
            return Outcome::Broken;
        };
        if self.guard.is_none() && ends_with_line(&lexed) && self.block.kind() == SyntaxKind::BLOCK
        {
            // The comment would extend over the closing brace.
            return Outcome::Broken;
        }
        let depth = depth * LEVELS_A_NODE;
        let Some((green, errors)) = statements(text, &lexed, depth, dialect, errors) else {
            return Outcome::Broken;
        };
        if errors.is_empty() && (has_slash || self.must_fail) {
            return Outcome::Broken;
        }
        let comes_out = |guard: &GreenNode| {
            let last = green.children().next_back();
            last.and_then(NodeOrToken::into_node)
                .is_some_and(|it| *it == **guard)
        };
        if !self.guard.as_ref().is_none_or(comes_out) {
            return match errors.is_empty() {
                true => Outcome::ReachesFurther,
                false => Outcome::Swallows,
            };
        }
        let children = green.children().map(|it| it.to_owned());
        let block = self.block.green();
        Outcome::Read(
            block.splice_children(self.children.clone(), children),
            errors,
        )
    }
}

/// Checks whether these elements contain the body of each heredoc whose tag they contain.
fn holds_its_heredocs(elements: &[SyntaxElement]) -> bool {
    let nodes = elements.iter().filter_map(NodeOrToken::as_node);
    let mut open = 0_isize;
    for node in nodes.flat_map(SyntaxNode::descendants) {
        match node.kind() {
            SyntaxKind::HEREDOC => open += 1,
            SyntaxKind::HEREDOC_BODY => open -= 1,
            _ => {}
        }
    }
    open == 0
}

/// Returns the start of the line of a child of a block in the sense of the lexer, and the last token
/// before that child. Returns `None` if the tokens nearby do not determine them.
fn what_is_before(
    elements: &[SyntaxElement],
    child: usize,
    block: &SyntaxNode,
) -> Option<(usize, Option<SyntaxKind>)> {
    let mut token = match child.checked_sub(1).and_then(|it| elements.get(it)) {
        Some(before) => match before {
            NodeOrToken::Node(it) => it.last_token(),
            NodeOrToken::Token(it) => Some(it.clone()),
        },
        None => block.first_token().and_then(|it| it.prev_token()),
    };
    let (mut line_start, mut after) = (None, None);
    for _ in 0..MAX_TOKENS_BEFORE {
        let Some(here) = token else {
            return Some((line_start.unwrap_or(0), after));
        };
        match here.kind() {
            SyntaxKind::WHITESPACE => {
                let line_break = here.text().rfind('\n');
                let start = usize::from(here.text_range().start());
                line_start = line_start.or(line_break.map(|it| start + it + 1));
            }
            SyntaxKind::LINE_COMMENT | SyntaxKind::BLOCK_COMMENT | SyntaxKind::CONFLICT => {}
            SyntaxKind::HEREDOC_TEXT | SyntaxKind::HEREDOC_MARGIN | SyntaxKind::HEREDOC_END => {
                return None;
            }
            kind => after = after.or(Some(kind)),
        }
        if let (Some(start), Some(_)) = (line_start, after) {
            return Some((start, after));
        }
        token = here.prev_token();
    }
    None
}

/// Checks whether the last token extends to the end of its line.
fn ends_with_line(lexed: &Lexed) -> bool {
    let last = lexed.tokens.last();
    last.is_some_and(|it| it.kind == SyntaxKind::LINE_COMMENT)
}

/// Parses tokens as statements. Returns a block without braces and its errors, or `None` if errors
/// are not accepted.
fn statements(
    text: &str,
    lexed: &Lexed,
    depth: u32,
    dialect: Dialect,
    errors: Errors,
) -> Option<(GreenNode, Vec<Diagnostic>)> {
    let goal = Goal::Statements { depth };
    let mut found = Vec::new();
    let mut parsed = read(text, lexed, dialect, goal, false, &mut found);
    if !found.is_empty() {
        if errors == Errors::None {
            return None;
        }
        found.clear();
        parsed = read(text, lexed, dialect, goal, true, &mut found);
    }
    let found = found.into_iter().map(|it| it.diagnostic).collect();
    Some((build::build(text, lexed, parsed), found))
}

#[cfg(test)]
mod tests;
