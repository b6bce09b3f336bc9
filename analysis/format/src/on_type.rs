//! On-type formatting: indents a new line, a closing brace, and a semicolon on a line of its own.

use rustc_hash::FxHashSet;
use syntax::{Edit, Parse, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::brackets::Brackets;
use crate::columns::LEVEL;
use crate::continuations;
use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, spaced_tokens, width};
use crate::spaces::is_operator;

/// Returns the edits that indent a newly started line, or `None` if the line is not empty or is
/// inside a string. `indents_continuations` is the option [`crate::FormatOptions::indent_continuations`].
pub fn edits_for_new_line(
    parse: &Parse,
    text: &str,
    offset: TextSize,
    indents_continuations: bool,
) -> Option<Vec<Edit>> {
    let (line, blanks) = line_start(text, offset)?;
    if parse.unclosed_heredoc_above(text, line).is_some() {
        return None;
    }
    let rest = text[usize::from(blanks.end())..].chars().next();
    if rest.is_some_and(|it| it != '\n' && it != '\r') {
        return None;
    }
    let tokens = manifest_tokens(parse)?;
    let count = tokens.partition_point(|it| it.token.text_range().start() < line);
    let is_inside = count
        .checked_sub(1)
        .is_some_and(|it| tokens[it].token.text_range().end() > line);
    if is_inside || tokens.get(count).is_some_and(|it| it.has_significant_gap) {
        return None;
    }
    let column = SourceLines::new(&tokens, text).column_of_new_line(count, indents_continuations);
    Some(edit(text, blanks, column).into_iter().collect())
}

/// Returns the edits that indent a line that starts with the closing brace before an offset.
pub fn edits_for_closing_brace(parse: &Parse, text: &str, offset: TextSize) -> Option<Vec<Edit>> {
    edits_for_first_token(parse, text, offset, SyntaxKind::R_BRACE)
}

/// Returns the edits that indent a line that starts with the semicolon before an offset.
pub fn edits_for_semicolon(parse: &Parse, text: &str, offset: TextSize) -> Option<Vec<Edit>> {
    edits_for_first_token(parse, text, offset, SyntaxKind::SEMICOLON)
}

/// Returns the edits that indent a line that starts with the token of a kind before an offset.
fn edits_for_first_token(
    parse: &Parse,
    text: &str,
    offset: TextSize,
    kind: SyntaxKind,
) -> Option<Vec<Edit>> {
    let (line, blanks) = line_start(text, offset)?;
    if parse.unclosed_heredoc_above(text, line).is_some() {
        return None;
    }
    let tokens = manifest_tokens(parse)?;
    let index = tokens.partition_point(|it| it.token.text_range().end() < offset);
    let spaced = tokens.get(index)?;
    let is_first = spaced.kind() == kind && spaced.starts_line && !spaced.has_significant_gap;
    if !is_first || spaced.token.text_range().end() != offset {
        return None;
    }
    let lines = SourceLines::new(&tokens, text);
    let column = match kind {
        SyntaxKind::R_BRACE => lines.column_of_closer(index),
        _ => lines.column_of_semicolon(index),
    };
    Some(edit(text, blanks, column?).into_iter().collect())
}

/// The lines of the source with their indentation.
struct SourceLines<'a> {
    tokens: &'a [SpacedToken],
    text: &'a str,
    brackets: Brackets,
    /// The number of the line of each token.
    numbers: Vec<usize>,
}

impl<'a> SourceLines<'a> {
    fn new(tokens: &'a [SpacedToken], text: &'a str) -> SourceLines<'a> {
        let brackets = Brackets::new(tokens);
        let numbers = Lines::of_source(tokens, &brackets).numbers();
        SourceLines {
            tokens,
            text,
            brackets,
            numbers,
        }
    }

    /// Returns the column of a new line after the first `count` tokens.
    fn column_of_new_line(&self, count: usize, indents_continuations: bool) -> usize {
        let open = self.open_brackets(count);
        let continues = match indents_continuations {
            true => self.continues_expression(count, open.last().copied()),
            false => {
                let last = self.last_code(count);
                last.is_some_and(|it| matches!(it.kind(), SyntaxKind::EQ | SyntaxKind::FAT_ARROW))
            }
        };
        let innermost = open.last();
        let is_below_title = innermost.is_some_and(|it| self.is_below_title(*it, count));
        let column = self.column_inside(&open).unwrap_or(0);
        column + LEVEL * usize::from(continues || is_below_title)
    }

    /// Returns the last of the first `count` tokens that is not a comment.
    fn last_code(&self, count: usize) -> Option<&SpacedToken> {
        let mut before = self.tokens[..count].iter().rev();
        before.find(|it| !it.kind().is_comment())
    }

    /// Checks whether a line after the first `count` tokens, inside a bracket, continues an expression: an operator
    /// precedes it, or the code after it does so.
    fn continues_expression(&self, count: usize, opener: Option<usize>) -> bool {
        use SyntaxKind::{DOT, IN_EDGE, IN_EDGE_SUB, OUT_EDGE, OUT_EDGE_SUB, PAREN_EXPR};
        let lines = Lines::of_source(self.tokens, &self.brackets);
        let is_edge =
            |it: &SpacedToken| matches!(it.kind(), IN_EDGE | IN_EDGE_SUB | OUT_EDGE | OUT_EDGE_SUB);
        let is_aligned = opener.is_some_and(|it| {
            self.tokens[it].parent_kind() == Some(PAREN_EXPR) && lines.starts(it + 1)
        });
        let follows_operator = self
            .last_code(count)
            .is_some_and(|it| (is_operator(it) || it.kind() == DOT) && !is_edge(it) && !is_aligned);
        let next = (count..self.tokens.len()).find(|it| !self.tokens[*it].kind().is_comment());
        let precedes_rest = next.filter(|it| self.tokens[*it].starts_line);
        let precedes_rest =
            precedes_rest.and_then(|it| continuations::continued(self.tokens, &lines, it));
        follows_operator || precedes_rest.is_some()
    }

    /// Returns the column of a closing bracket at the start of a line.
    fn column_of_closer(&self, closer: usize) -> Option<usize> {
        let opener = self.brackets.opener_of(closer)?;
        let line = self.numbers[closer];
        let mut open = self.open_brackets(closer);
        open.retain(|it| {
            self.brackets
                .closer_of(*it)
                .is_none_or(|it| self.numbers[it] > line)
        });
        let levels = self.levels(&open, self.numbers[opener]);
        Some(self.indentation(opener) + LEVEL * levels)
    }

    /// Returns the column of a semicolon at the start of a line: that of the titles.
    fn column_of_semicolon(&self, semicolon: usize) -> Option<usize> {
        self.column_inside(&self.open_brackets(semicolon))
    }

    /// Returns the column of a line inside the innermost of the open brackets.
    fn column_inside(&self, open: &[usize]) -> Option<usize> {
        let innermost = *open.last()?;
        let levels = self.levels(open, self.numbers[innermost]);
        Some(self.indentation(innermost) + LEVEL * levels)
    }

    /// Returns the brackets that are open after the first `count` tokens, outermost first.
    fn open_brackets(&self, count: usize) -> Vec<usize> {
        let openers = self.brackets.openers().iter().copied();
        let openers = openers.take_while(|it| *it < count);
        let is_open = |it: &usize| self.brackets.closer_of(*it).is_none_or(|it| it >= count);
        openers.filter(is_open).collect()
    }

    /// Returns the number of levels that a line opens: one for all brackets that close together.
    fn levels(&self, open: &[usize], line: usize) -> usize {
        let on_line = open.iter().filter(|it| self.numbers[**it] == line);
        let closed = on_line.map(|it| self.brackets.closer_of(*it).map(|it| self.numbers[it]));
        closed.collect::<FxHashSet<_>>().len()
    }

    /// Returns the indentation of the line that determines that of the content of a bracket.
    fn indentation(&self, opener: usize) -> usize {
        let owner = self.tokens[opener].token.parent();
        let owner = owner.and_then(|it| block_owner(&it));
        let start = owner.map(|it| it.text_range().start());
        let first = start.map_or(opener, |start| {
            let before = |it: &SpacedToken| it.token.text_range().start() < start;
            self.tokens.partition_point(before).min(opener)
        });
        let line = (0..=first).rev().find(|it| self.tokens[*it].starts_line);
        line.map_or(0, |it| {
            let gap = &self.text[self.tokens[it].gap];
            width(gap.rsplit('\n').next().unwrap_or_default())
        })
    }

    /// Checks whether the tokens before a new line end inside the attributes of a title on a line
    /// of its own.
    fn is_below_title(&self, opener: usize, count: usize) -> bool {
        let inside = (opener + 1..count).rev();
        let mut separators = inside.filter(|it| {
            self.brackets.around(*it) == Some(opener)
                && matches!(
                    self.tokens[*it].kind(),
                    SyntaxKind::COLON | SyntaxKind::SEMICOLON
                )
        });
        let is_resource = self.tokens[opener].parent_kind() == Some(SyntaxKind::RESOURCE_EXPR);
        let last = separators.next().filter(|_| is_resource);
        last.is_some_and(|it| {
            let is_title = self.tokens[it].kind() == SyntaxKind::COLON;
            is_title && self.numbers[it] > self.numbers[opener]
        })
    }
}

/// Returns the node whose line determines the indentation of a block, if not that of its brace: the
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

fn manifest_tokens(parse: &Parse) -> Option<Vec<SpacedToken>> {
    let root = parse.syntax();
    (root.kind() == SyntaxKind::SOURCE_FILE).then(|| spaced_tokens(&root))
}

/// Returns the start of the line that contains an offset, and the range of its leading blanks.
fn line_start(text: &str, offset: TextSize) -> Option<(TextSize, TextRange)> {
    let before = text.get(..usize::from(offset))?;
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let rest = &text[start..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let start = TextSize::new(start as u32);
    Some((start, TextRange::at(start, TextSize::new(blanks as u32))))
}

fn edit(text: &str, blanks: TextRange, column: usize) -> Option<Edit> {
    let wanted = " ".repeat(column);
    (text[blanks] != wanted).then_some(Edit {
        range: blanks,
        text: wanted,
    })
}
