//! Computes the indentation of each line.
//!
//! All brackets that open on one line and close on another are one level. The attributes below a
//! title on a line of its own are one level deeper, and so is a line that continues after `=`, or if the options say so,
//! each line that continues an expression.

use rustc_hash::FxHashSet;
use syntax::{SyntaxKind, SyntaxNode};

use crate::FormatOptions;
use crate::brackets::Brackets;
use crate::continuations;
use crate::lines::Lines;
use crate::spaced_tokens::SpacedToken;

/// The number of columns per level.
pub(crate) const LEVEL: usize = 2;

/// Returns the column of each line, by line number.
pub(crate) fn columns(
    tokens: &[SpacedToken],
    brackets: &Brackets,
    lines: &Lines<'_>,
    options: &FormatOptions,
) -> Vec<usize> {
    let numbers = lines.numbers();
    let count = numbers.last().map_or(0, |it| it + 2);
    // The difference in levels to the line before.
    let mut changes = vec![0_isize; count + 1];
    let mut deepen = |from: usize, to: usize| {
        if from < to {
            changes[from] += 1;
            changes[to] -= 1;
        }
    };
    for (opened, closed) in groups(brackets, &numbers) {
        deepen(opened + 1, closed);
    }
    for (index, spaced) in tokens.iter().enumerate() {
        match spaced.kind() {
            _ if spaced.has_significant_gap => {}
            SyntaxKind::COLON => {
                if let Some((from, to)) = attribute_lines(tokens, brackets, &numbers, index) {
                    deepen(from, to);
                }
            }
            SyntaxKind::EQ | SyntaxKind::FAT_ARROW if !options.indent_continuations => {
                let next = next_code(tokens, index);
                if next.is_some_and(|it| numbers[it] > numbers[index]) {
                    deepen(numbers[index] + 1, numbers[index] + 2);
                }
            }
            _ => {}
        }
    }
    if options.indent_continuations {
        for (from, to) in continuations::continued_lines(tokens, lines) {
            deepen(from, to);
        }
    }
    let mut level = 0;
    let column = |change: &isize| {
        level += change;
        usize::try_from(level).unwrap_or_default() * LEVEL
    };
    changes.iter().map(column).collect()
}

/// Returns the distinct pairs of lines on which brackets open and close.
fn groups(brackets: &Brackets, numbers: &[usize]) -> FxHashSet<(usize, usize)> {
    let lines = |(opener, closer): (usize, usize)| (numbers[opener], numbers[closer]);
    let groups = brackets.pairs().map(lines);
    groups.filter(|(opened, closed)| opened < closed).collect()
}

/// Returns the lines of the attributes after the colon of a title, if they are one level deeper
/// than the title: the colon ends a line that opens no bracket.
fn attribute_lines(
    tokens: &[SpacedToken],
    brackets: &Brackets,
    numbers: &[usize],
    colon: usize,
) -> Option<(usize, usize)> {
    let body = tokens[colon].token.parent();
    let body = body.filter(|it| it.kind() == SyntaxKind::RESOURCE_BODY)?;
    let line = numbers[colon];
    let next = next_code(tokens, colon)?;
    let opens_bracket = |it: &usize| {
        let closer = brackets.closer_of(*it);
        closer.is_none_or(|it| numbers[it] > line)
    };
    let openers = brackets.openers();
    let on_line = openers.partition_point(|it| numbers[*it] < line);
    let mut on_line = openers[on_line..]
        .iter()
        .take_while(|it| numbers[**it] == line);
    if numbers[next] == line || on_line.any(opens_bracket) {
        return None;
    }
    let end = token_after(tokens, &body);
    let to = match tokens.get(end) {
        None => numbers.last()? + 1,
        // A comma or semicolon that follows the last attribute.
        Some(after)
            if after.kind() == SyntaxKind::SEMICOLON && numbers[end] == numbers[end - 1] =>
        {
            numbers[end] + 1
        }
        Some(_) => numbers[end],
    };
    Some((line + 1, to))
}

/// Returns the first token of code after a node.
fn token_after(tokens: &[SpacedToken], node: &SyntaxNode) -> usize {
    let end = node.text_range().end();
    let mut after = tokens.partition_point(|it| it.token.text_range().start() < end);
    while tokens
        .get(after)
        .is_some_and(|it| it.kind().is_comment() || it.is_in_heredoc)
    {
        after += 1;
    }
    after
}

/// Returns the next token that is not a comment.
fn next_code(tokens: &[SpacedToken], index: usize) -> Option<usize> {
    (index + 1..tokens.len()).find(|it| !tokens[*it].kind().is_comment())
}
