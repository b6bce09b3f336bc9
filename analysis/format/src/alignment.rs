//! Keeps the alignment of parameters and assignments that authors chose.
//!
//! The style guide aligns arrows only. Where the names or `=` of several parameters or assignments
//! of a block are in one column, they stay in one column. In templates, the lines keep their indentation, and the first
//! parameter may follow the tag.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode, TextSize};

use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};
use crate::spaces::is_of_template;

/// A token that authors may align with those of other lines.
struct Cell {
    token: usize,
    /// The first token of its line.
    first: usize,
    /// The node that contains all lines.
    block: SyntaxNode,
    /// The indentation of its line in a template, where it stays; 0 in a manifest.
    indentation: usize,
    /// The column in the source; in a manifest, relative to the first token of the line.
    old: usize,
    /// Whether several blanks precede it in the source.
    is_padded: bool,
}

/// Adjusts the blanks before each token that the source aligns with others.
pub(crate) fn align(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    is_template: bool,
    blanks: &mut [usize],
) {
    for is_wanted in [is_parameter_name, is_assignment] {
        let mut groups: FxHashMap<(SyntaxNode, usize), Vec<Cell>> = FxHashMap::default();
        for cell in cells(tokens, text, lines, is_template, is_wanted) {
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
    is_template: bool,
    is_wanted: impl Fn(&SpacedToken) -> bool,
) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut first = 0;
    for (index, spaced) in tokens.iter().enumerate() {
        if lines.starts(index) || is_output_of_lines(spaced) {
            first = index;
        }
        let starts_line = tokens[first].starts_line || is_output_of_lines(&tokens[first]);
        let is_cell = is_wanted(spaced) && first < index && starts_line;
        let Some(node) = spaced.token.parent().filter(|_| is_cell) else {
            continue;
        };
        let mut of_line = tokens[first..index].iter().skip_while(|it| starts_tag(it));
        let is_first = of_line
            .next()
            .is_some_and(|it| start(it) == node.text_range().start());
        let line = match is_template {
            true => text[..start(spaced).into()]
                .rfind('\n')
                .map_or(0, |it| it + 1),
            false => start(&tokens[first]).into(),
        };
        let key = text.get(line..start(spaced).into());
        let key = key.filter(|it| is_first && !it.contains('\n'));
        let is_prefixed = tokens[index - 1].kind() == SyntaxKind::STAR;
        let (Some(key), Some(block), false) = (key, node.parent(), is_prefixed) else {
            continue;
        };
        found.push(Cell {
            token: index,
            first,
            block,
            indentation: width(
                text.get(line..start(&tokens[first]).into())
                    .unwrap_or_default(),
            ),
            old: width(key),
            is_padded: width(&text[spaced.gap]) > 1,
        });
    }
    found
}

/// Returns the column after the token before a cell; in a manifest, relative to the first token of the line.
fn end_of_key(tokens: &[SpacedToken], blanks: &[usize], cell: &Cell) -> usize {
    let key = cell.first..cell.token;
    let texts: usize = key.map(|it| width(last_line(&tokens[it]))).sum();
    cell.indentation + texts + blanks[cell.first + 1..cell.token].iter().sum::<usize>()
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

/// Checks whether a token is output or a comment of a template.
pub(crate) fn is_output(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    matches!(spaced.kind(), EPP_TEXT | EPP_TRIMMED | EPP_COMMENT)
}

fn is_output_of_lines(spaced: &SpacedToken) -> bool {
    is_output(spaced) && spaced.token.text().contains('\n')
}

/// Checks whether a token may precede the first parameter or assignment of a tag on its line.
fn starts_tag(spaced: &SpacedToken) -> bool {
    spaced.kind() == SyntaxKind::EPP_OPEN || is_output(spaced) || is_of_template(spaced)
}

/// Returns the last line of a token.
fn last_line(spaced: &SpacedToken) -> &str {
    let text = spaced.token.text();
    text.rsplit('\n').next().unwrap_or(text)
}

fn start(spaced: &SpacedToken) -> TextSize {
    spaced.token.text_range().start()
}
