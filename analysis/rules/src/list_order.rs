//! Moves the elements of comma-separated lists, such as attributes and parameters.

use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken};

/// Returns the edits that move the last of some consecutive elements before the first one. The commas, blanks
/// and lines around the elements keep their places. Returns `None` if there is a comment between the elements,
/// whose element is uncertain, or a heredoc in one of them.
pub(crate) fn moved_to_front(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    let (last, others) = elements.split_last()?;
    let first = others.first()?;
    let between = std::iter::successors(first.last_token()?.next_token(), SyntaxToken::next_token)
        .take_while(|it| it.text_range().end() <= last.text_range().end());
    let is_outside = |it: &SyntaxToken| {
        let mut elements = elements.iter();
        !elements.any(|element| element.text_range().contains_range(it.text_range()))
    };
    let is_comment = |it: &SyntaxToken| {
        let kind = it.kind();
        kind.is_trivia() && kind != SyntaxKind::WHITESPACE
    };
    if between.filter(is_outside).any(|it| is_comment(&it)) || is_followed_by_comment(last) {
        return None;
    }
    let mut nodes = elements.iter().flat_map(|it| it.descendants());
    if nodes.any(|it| matches!(it.kind(), SyntaxKind::HEREDOC | SyntaxKind::HEREDOC_BODY)) {
        return None;
    }
    let moved = std::iter::once(last).chain(others);
    let edits = elements.iter().zip(moved).map(|(slot, element)| Edit {
        range: slot.text_range(),
        text: element.text().to_string(),
    });
    Some(edits.collect())
}

/// Checks whether there is a comment after an element on its line.
fn is_followed_by_comment(element: &SyntaxNode) -> bool {
    let next = element.last_token().and_then(|it| it.next_token());
    let line = std::iter::successors(next, SyntaxToken::next_token)
        .take_while(|it| !it.text().contains('\n'));
    let mut rest =
        line.skip_while(|it| matches!(it.kind(), SyntaxKind::WHITESPACE | SyntaxKind::COMMA));
    rest.next().is_some_and(|it| it.kind().is_trivia())
}
