//! The ranges to delete when code is removed, so that the rest looks as if it had never existed.

use rowan::{TextRange, TextSize};

use crate::{SyntaxKind, SyntaxNode, SyntaxToken};

/// Returns the range to delete for an element of a comma-separated list (an attribute, an entry, an
/// argument): the element and its comma, with their lines if these are otherwise blank.
pub fn element_removal(node: &SyntaxNode) -> TextRange {
    let is_comma = |it: &SyntaxToken| it.kind() == SyntaxKind::COMMA;
    if let Some(comma) = tokens_after(node)
        .find(|it| !it.kind().is_trivia())
        .filter(is_comma)
    {
        return with_blanks(node, Some(&comma));
    }
    // The last element: remove the comma before it if that is on the same line.
    let mut line = tokens_before(node).take_while(|it| !it.text().contains('\n'));
    match line.find(|it| !it.kind().is_trivia()).filter(is_comma) {
        Some(comma) => TextRange::new(comma.text_range().start(), node.text_range().end()),
        None => with_blanks(node, None),
    }
}

/// Returns the range to delete for a statement: with its lines if these are otherwise blank.
pub fn statement_removal(node: &SyntaxNode) -> TextRange {
    with_blanks(node, None)
}

/// Returns the tokens after a node, nearest first.
pub fn tokens_after(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    let first = node.last_token().and_then(|it| it.next_token());
    std::iter::successors(first, SyntaxToken::next_token)
}

/// Returns the tokens before a node, nearest first.
fn tokens_before(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    let first = node.first_token().and_then(|it| it.prev_token());
    std::iter::successors(first, SyntaxToken::prev_token)
}

/// Returns the length of the leading whitespace and, if the line ends after them, the length of the
/// line break (0 at the end of the text).
fn blanks(chars: impl Iterator<Item = char>) -> (usize, Option<usize>) {
    let mut length = 0;
    let mut chars = chars.peekable();
    while chars.next_if(|it| matches!(it, ' ' | '\t')).is_some() {
        length += 1;
    }
    let end = match chars.next() {
        None => Some(0),
        Some('\n') => Some(1),
        Some('\r') if chars.next() == Some('\n') => Some(2),
        Some(_) => None,
    };
    (length, end)
}

/// Extends the range of a node (up to `last`, if given) to its whole lines if the rest of them is
/// blank; otherwise by the whitespace after it, or by that before it at the end of a line.
fn with_blanks(node: &SyntaxNode, last: Option<&SyntaxToken>) -> TextRange {
    let range = node.text_range();
    let range = last.map_or(range, |it| range.cover(it.text_range()));
    let line = tokens_before(node).flat_map(|it| it.text().chars().rev().collect::<Vec<_>>());
    let (indent, starts) = blanks(line);
    let rest = tokens_after(node).skip_while(|it| it.text_range().start() < range.end());
    let (blank, ends) = blanks(rest.flat_map(|it| it.text().chars().collect::<Vec<_>>()));
    match (starts, ends) {
        (Some(_), Some(line_break)) => grown(range, indent, blank + line_break),
        (None, Some(_)) => grown(range, indent, blank),
        (_, None) => grown(range, 0, blank),
    }
}

fn grown(range: TextRange, before: usize, after: usize) -> TextRange {
    // Sources are limited to 4 GiB.
    let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or_default());
    TextRange::new(range.start() - size(before), range.end() + size(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse};

    /// Removes the `n`th node of a kind.
    fn without(text: &str, kind: SyntaxKind, n: usize, statement: bool) -> String {
        let root = parse(text, Dialect::default()).syntax();
        let mut nodes = root.descendants().filter(|it| it.kind() == kind);
        let node = nodes.nth(n).expect("the source has such a node");
        let range = match statement {
            true => statement_removal(&node),
            false => element_removal(&node),
        };
        let mut text = text.to_owned();
        text.replace_range(std::ops::Range::<usize>::from(range), "");
        text
    }

    #[test]
    fn removes_elements_with_their_commas() {
        let entry = |text, n| without(text, SyntaxKind::HASH_ENTRY, n, false);
        assert_eq!(entry("$x = { a => 1, b => 2 }", 0), "$x = { b => 2 }");
        assert_eq!(entry("$x = { a => 1, b => 2 }", 1), "$x = { a => 1 }");
        assert_eq!(entry("$x = { a => 1 }", 0), "$x = { }");
        let lines = "$x = {\n  a => 1, # one\r\n  b => 2,\r\n  c => 3\n}";
        assert_eq!(
            entry(lines, 0),
            "$x = {\n  # one\r\n  b => 2,\r\n  c => 3\n}"
        );
        assert_eq!(entry(lines, 1), "$x = {\n  a => 1, # one\r\n  c => 3\n}");
        assert_eq!(entry(lines, 2), "$x = {\n  a => 1, # one\r\n  b => 2,\r\n}");
    }

    #[test]
    fn removes_statements_with_their_lines() {
        let assignment = |text, n| without(text, SyntaxKind::ASSIGNMENT, n, true);
        assert_eq!(
            assignment("$a = 1\n  $b = 2\n$c = 3\n", 1),
            "$a = 1\n$c = 3\n"
        );
        assert_eq!(assignment("if x { $b = 2 }", 0), "if x { }");
        assert_eq!(assignment("$a = 1", 0), "");
        assert_eq!(assignment("$a = 1 $b = 2\n", 1), "$a = 1\n");
    }

    #[test]
    fn removes_attributes_with_their_commas() {
        let attribute = |text, n| without(text, SyntaxKind::ATTRIBUTE, n, false);
        let line = "file { 'a': b => 1, c => 2 }";
        assert_eq!(attribute(line, 0), "file { 'a': c => 2 }");
        assert_eq!(attribute(line, 1), "file { 'a': b => 1 }");
        let lines = "file { 'a':\n  b => 1,\n  # about c\n  c => 2,\n}\n";
        assert_eq!(
            attribute(lines, 0),
            "file { 'a':\n  # about c\n  c => 2,\n}\n"
        );
        assert_eq!(
            attribute(lines, 1),
            "file { 'a':\n  b => 1,\n  # about c\n}\n"
        );
    }

    #[test]
    fn removes_elements_of_several_lines() {
        let entry = |text, n| without(text, SyntaxKind::HASH_ENTRY, n, false);
        let lines = "$x = {\n  a => [\n    1,\n  ],\n  b => 2,\n}";
        assert_eq!(entry(lines, 0), "$x = {\n  b => 2,\n}");
        // The comma may be on a later line.
        assert_eq!(
            entry("$x = {\n  a => 1\n  , b => 2 }", 0),
            "$x = {\n  b => 2 }"
        );
    }

    #[test]
    fn keeps_comments_beside_a_statement() {
        let assignment = |text, n| without(text, SyntaxKind::ASSIGNMENT, n, true);
        assert_eq!(assignment("$a = 1 # one\n", 0), "# one\n");
        assert_eq!(assignment("/* one */ $a = 1\n", 0), "/* one */\n");
        assert_eq!(assignment("\t$a = 1\t\r\n$b = 2", 0), "$b = 2");
    }
}
