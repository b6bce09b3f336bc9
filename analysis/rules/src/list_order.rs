//! Moves the elements of comma-separated lists, such as attributes and parameters.

use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, tokens_after};

/// Returns the edits that move the last of some consecutive elements before the first one. If each has lines of its
/// own, the comments above it and after it on its line move too. Otherwise the commas and blanks around the elements
/// keep their places. Returns `None` if it is uncertain to which element a comment belongs, or if an element contains
/// a heredoc.
pub fn moved_to_front(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    let mut nodes = elements.iter().flat_map(|it| it.descendants());
    if nodes.any(|it| matches!(it.kind(), SyntaxKind::HEREDOC | SyntaxKind::HEREDOC_BODY)) {
        return None;
    }
    moved_lines(elements).or_else(|| moved_texts(elements))
}

/// Moves the lines of the last element.
fn moved_lines(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    let lines: Option<Vec<_>> = elements.iter().map(|it| Lines::of(it)).collect();
    let lines = lines?;
    let (first, last) = (lines.first()?, lines.last()?);
    let element = elements.last()?;
    let root = element.ancestors().last()?;
    let start = root.text_range().start();
    let mut text = root.text().slice(last.range - start).to_string();
    if !last.has_comma {
        let end = element.text_range().end() - last.range.start();
        text.insert(usize::from(end), ',');
    }
    let at = TextRange::empty(first.range.start());
    let removed = Edit {
        range: last.range,
        text: String::new(),
    };
    Some(vec![Edit { range: at, text }, removed])
}

/// The lines of an element, with the comments above it and after it.
struct Lines {
    range: TextRange,
    /// Whether there is a comma after the element.
    has_comma: bool,
}

impl Lines {
    /// Returns `None` if the element shares a line with other code.
    fn of(element: &SyntaxNode) -> Option<Lines> {
        let before: Vec<_> = trivia(element.first_token()?.prev_token(), SyntaxToken::prev_token);
        // The comment on the line of the previous element belongs to that.
        let start = before.iter().rev().find_map(after_line_break)?;
        let mut next = element.last_token()?.next_token();
        let comma = next.clone().filter(|it| it.kind() == SyntaxKind::COMMA);
        if let Some(comma) = &comma {
            next = comma.next_token();
        }
        let after = trivia(next, SyntaxToken::next_token);
        let end = after.iter().find_map(after_line_break)?;
        Some(Lines {
            range: TextRange::new(start, end),
            has_comma: comma.is_some(),
        })
    }
}

/// Returns the blanks and comments from a token up to the next other token.
fn trivia(
    first: Option<SyntaxToken>,
    next: impl Fn(&SyntaxToken) -> Option<SyntaxToken>,
) -> Vec<SyntaxToken> {
    let tokens = std::iter::successors(first, next);
    tokens.take_while(|it| it.kind().is_trivia()).collect()
}

/// Returns the position after the first line break in blanks.
fn after_line_break(token: &SyntaxToken) -> Option<TextSize> {
    let line_break = token.text().find('\n')?;
    let is_blank = token.kind() == SyntaxKind::WHITESPACE;
    let offset = TextSize::try_from(line_break + 1).ok()?;
    is_blank.then(|| token.text_range().start() + offset)
}

/// Moves the text of the last element, unless there is a comment between the elements.
fn moved_texts(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    let (last, others) = elements.split_last()?;
    let first = others.first()?;
    let between = std::iter::successors(first.last_token()?.next_token(), SyntaxToken::next_token)
        .take_while(|it| it.text_range().end() <= last.text_range().end());
    let is_outside = |it: &SyntaxToken| {
        let mut elements = elements.iter();
        !elements.any(|element| element.text_range().contains_range(it.text_range()))
    };
    let is_comment =
        |it: &SyntaxToken| it.kind().is_trivia() && it.kind() != SyntaxKind::WHITESPACE;
    if between.filter(is_outside).any(|it| is_comment(&it)) || is_followed_by_comment(last) {
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
    let line = tokens_after(element).take_while(|it| !it.text().contains('\n'));
    let mut rest =
        line.skip_while(|it| matches!(it.kind(), SyntaxKind::WHITESPACE | SyntaxKind::COMMA));
    rest.next().is_some_and(|it| it.kind().is_trivia())
}
