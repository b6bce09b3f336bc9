//! Indentation of code that assists move.

use syntax::{SyntaxKind, SyntaxNode};

/// Returns the source of a node that moves from a line with one indentation to a line with another one, with all its
/// lines moved. The source is unchanged if a line is indented less than `from`, or if a string or comment spans several
/// lines.
pub(super) fn reindented(node: &SyntaxNode, from: &str, to: &str) -> String {
    let text = node.text().to_string();
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    let is_movable = |it: &str| it.starts_with(from) || it.trim().is_empty();
    if !lines.clone().all(is_movable) || has_multiline_token(node) {
        return text;
    }
    let moved = lines.map(|it| match it.strip_prefix(from) {
        Some(rest) if !rest.trim().is_empty() => format!("\n{to}{rest}"),
        _ => format!("\n{}", it.trim_start_matches([' ', '\t'])),
    });
    first.to_owned() + &moved.collect::<String>()
}

fn has_multiline_token(node: &SyntaxNode) -> bool {
    let tokens = node.descendants_with_tokens();
    let mut tokens = tokens.filter_map(|it| it.into_token());
    tokens.any(|it| it.kind() != SyntaxKind::WHITESPACE && it.text().contains('\n'))
}

/// Checks whether the source of a node spans several lines.
pub(super) fn is_multiline(node: &SyntaxNode) -> bool {
    node.text().contains_char('\n')
}
