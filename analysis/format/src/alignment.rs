//! Keeps the alignment of parameters and assignments that authors chose.
//!
//! The style guide aligns arrows only. Where the names or `=` of several parameters or assignments
//! of a block are in one column, they stay in one column.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode};

use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};

/// A token that authors may align with those of other lines.
struct Cell {
    token: usize,
    /// The first token of its line.
    first: usize,
    /// The node that contains all lines.
    block: SyntaxNode,
    /// The column in the source, relative to the first token of the line.
    old: usize,
    /// Whether several blanks precede it in the source.
    is_padded: bool,
}

/// Adjusts the blanks before each token that the source aligns with others.
pub(crate) fn align(tokens: &[SpacedToken], text: &str, lines: &Lines<'_>, blanks: &mut [usize]) {
    for is_wanted in [is_parameter_name, is_assignment] {
        let mut groups: FxHashMap<(SyntaxNode, usize), Vec<Cell>> = FxHashMap::default();
        for cell in cells(tokens, text, lines, is_wanted) {
            let key = (cell.block.clone(), cell.old);
            groups.entry(key).or_default().push(cell);
        }
        for ((_, old), group) in groups {
            if group.len() < 2 || !group.iter().any(|it| it.is_padded) {
                continue;
            }
            let ends = group.iter().map(|it| end_of_key(tokens, blanks, it));
            let ends: Vec<usize> = ends.collect();
            let column = ends.iter().max().map_or(old, |it| old.max(it + 1));
            for (cell, end) in group.iter().zip(ends) {
                blanks[cell.token] = column - end;
            }
        }
    }
}

fn cells(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    is_wanted: impl Fn(&SpacedToken) -> bool,
) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut first = 0;
    for (index, spaced) in tokens.iter().enumerate() {
        if lines.starts(index) {
            first = index;
        }
        let is_cell = is_wanted(spaced) && first < index && tokens[first].starts_line;
        let Some(node) = spaced.token.parent().filter(|_| is_cell) else {
            continue;
        };
        let start = tokens[first].token.text_range().start();
        let key = text.get(start.into()..spaced.token.text_range().start().into());
        let key = key.filter(|it| !it.contains('\n') && node.text_range().start() == start);
        let is_prefixed = tokens[index - 1].kind() == SyntaxKind::STAR;
        let (Some(key), Some(block), false) = (key, node.parent(), is_prefixed) else {
            continue;
        };
        found.push(Cell {
            token: index,
            first,
            block,
            old: width(key),
            is_padded: width(&text[spaced.gap]) > 1,
        });
    }
    found
}

/// Returns the column after the token before a cell, relative to the first of the line.
fn end_of_key(tokens: &[SpacedToken], blanks: &[usize], cell: &Cell) -> usize {
    let key = cell.first..cell.token;
    let texts: usize = key.map(|it| width(tokens[it].token.text())).sum();
    texts + blanks[cell.first + 1..cell.token].iter().sum::<usize>()
}

fn is_parameter_name(spaced: &SpacedToken) -> bool {
    let is_name = matches!(spaced.kind(), SyntaxKind::VARIABLE | SyntaxKind::STAR);
    is_name && spaced.parent_kind() == Some(SyntaxKind::PARAMETER)
}

fn is_assignment(spaced: &SpacedToken) -> bool {
    let of = spaced.parent_kind();
    let of = matches!(of, Some(SyntaxKind::PARAMETER | SyntaxKind::ASSIGNMENT));
    of && matches!(spaced.kind(), SyntaxKind::EQ | SyntaxKind::PLUS_EQ)
}
