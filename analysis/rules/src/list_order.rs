//! Moves the elements of comma-separated lists, such as attributes and parameters.

use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, tokens_after};

use crate::suppressions::lint_comments::block_change;

/// Returns the edits that move the last of some consecutive elements before the first one. If it has lines of its own,
/// the comments above it and after it on its line move too. Otherwise the other elements keep their lines. Returns
/// `None` if it is uncertain to which element a comment belongs, if an element contains a heredoc, or if the last one
/// would enter or leave a block of suppressed lines.
pub fn moved_to_front(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    if has_heredoc(elements) || !is_in_same_block(elements) {
        return None;
    }
    moved_lines(elements).or_else(|| moved_text(elements))
}

/// Returns the edits that move some of consecutive elements, the last one among them, before the others in their order,
/// in time proportional to their length. Returns `None` where [`moved_to_front`] would, and where a single element has to
/// move in another way than the others.
pub(crate) fn all_moved_to_front(
    elements: &[&SyntaxNode],
    is_moved: impl Fn(usize) -> bool,
) -> Option<Vec<Edit>> {
    if has_heredoc(elements) || contains_block_changes(elements) {
        return None;
    }
    let (moved, others): (Vec<usize>, Vec<usize>) =
        (0..elements.len()).partition(|it| is_moved(*it));
    if let Some(start) = start_of_lines(elements.first()?) {
        let moved = moved.iter().map(|it| Lines::of(elements[*it]));
        if let Some(lines) = moved.collect::<Option<Vec<Lines>>>() {
            let root = elements.first()?.ancestors().last()?;
            let texts = lines.iter().map(|it| it.text(&root));
            let mut edits = vec![inserted(start, texts.collect())];
            edits.extend(lines.iter().map(|it| removed(it.range)));
            return Some(edits);
        }
    }
    if !can_trade_places(elements)? || is_followed_by_comment(elements.last()?) {
        return None;
    }
    let order = moved.into_iter().chain(others);
    Some(reordered(elements, order.map(|it| elements[it])))
}

fn has_heredoc(elements: &[&SyntaxNode]) -> bool {
    let mut nodes = elements.iter().flat_map(|it| it.descendants());
    nodes.any(|it| matches!(it.kind(), SyntaxKind::HEREDOC | SyntaxKind::HEREDOC_BODY))
}

/// Checks whether a block of suppressed lines starts or ends beside or between elements.
fn contains_block_changes(elements: &[&SyntaxNode]) -> bool {
    let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
        return false;
    };
    let end = last.text_range().end();
    let tokens = std::iter::successors(first.first_token(), SyntaxToken::next_token);
    let mut inside = tokens.take_while(|it| it.text_range().end() <= end);
    let mut after = tokens_after(last).take_while(|it| !it.text().contains('\n'));
    let is_change = |it: SyntaxToken| block_change(&it).is_some();
    inside.any(is_change) || after.any(is_change)
}

/// Checks whether the first and the last element are in the same block of suppressed lines, and the last one neither
/// contains nor ends one.
fn is_in_same_block(elements: &[&SyntaxNode]) -> bool {
    let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
        return false;
    };
    let start = last.text_range().start();
    let tokens = std::iter::successors(first.first_token(), SyntaxToken::next_token);
    let between = tokens.take_while(|it| it.text_range().start() < start);
    // The number of open blocks since the first element; `None` once one that was open before it is closed.
    let depth = between
        .filter_map(|it| block_change(&it))
        .try_fold(0, |depth: isize, change| {
            Some(depth + change).filter(|it| *it >= 0)
        });
    let inside = last.descendants_with_tokens();
    let inside = inside.filter_map(|it| it.into_token());
    let after = tokens_after(last).take_while(|it| !it.text().contains('\n'));
    depth == Some(0) && inside.chain(after).all(|it| block_change(&it).is_none())
}

/// Moves the lines of the last element.
fn moved_lines(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    let (first, element) = (elements.first()?, elements.last()?);
    let start = start_of_lines(first)?;
    let lines = Lines::of(element)?;
    let root = element.ancestors().last()?;
    Some(vec![
        inserted(start, lines.text(&root)),
        removed(lines.range),
    ])
}

fn inserted(at: TextSize, text: String) -> Edit {
    let range = TextRange::empty(at);
    Edit { range, text }
}

fn removed(range: TextRange) -> Edit {
    let text = String::new();
    Edit { range, text }
}

/// The lines of an element, with the comments above it and after it.
struct Lines {
    range: TextRange,
    /// The end of the element, if it has no comma.
    without_comma: Option<TextSize>,
}

impl Lines {
    /// Returns `None` if the element shares a line with other code.
    fn of(element: &SyntaxNode) -> Option<Lines> {
        let start = start_of_lines(element)?;
        let comma = comma_after(element);
        let last = comma.clone().or_else(|| element.last_token())?;
        let after = trivia(last.next_token(), SyntaxToken::next_token);
        let end = after.iter().find_map(after_line_break)?;
        Some(Lines {
            range: TextRange::new(start, end),
            without_comma: comma.is_none().then(|| element.text_range().end()),
        })
    }

    /// Returns the text, with a comma after the element.
    fn text(&self, root: &SyntaxNode) -> String {
        let offset = root.text_range().start();
        let mut text = root.text().slice(self.range - offset).to_string();
        if let Some(end) = self.without_comma {
            text.insert(usize::from(end - self.range.start()), ',');
        }
        text
    }
}

/// Returns the start of the lines of an element and of the comments above it; `None` if other code precedes it on its
/// line. Comments around suppressed lines belong to no element.
fn start_of_lines(element: &SyntaxNode) -> Option<TextSize> {
    let mut before = trivia_before(element)?;
    if let Some(boundary) = before.iter().position(|it| block_change(it).is_some()) {
        before.truncate(boundary);
    }
    // The comment on the line of the previous element belongs to that.
    before.iter().rev().find_map(after_line_break)
}

/// Returns the comma after an element, which may be on a line of its own.
fn comma_after(element: &SyntaxNode) -> Option<SyntaxToken> {
    let next = tokens_after(element).find(|it| !it.kind().is_trivia());
    next.filter(|it| it.kind() == SyntaxKind::COMMA)
}

/// Returns the whitespace and comments before an element, in reverse.
fn trivia_before(element: &SyntaxNode) -> Option<Vec<SyntaxToken>> {
    let before = element.first_token()?.prev_token();
    Some(trivia(before, SyntaxToken::prev_token))
}

/// Returns the whitespace and comments from a token up to the next other token.
fn trivia(
    first: Option<SyntaxToken>,
    next: impl Fn(&SyntaxToken) -> Option<SyntaxToken>,
) -> Vec<SyntaxToken> {
    let tokens = std::iter::successors(first, next);
    tokens.take_while(|it| it.kind().is_trivia()).collect()
}

/// Returns the position after the first line break in whitespace.
fn after_line_break(token: &SyntaxToken) -> Option<TextSize> {
    let line_break = token.text().find('\n')?;
    let is_blank = token.kind() == SyntaxKind::WHITESPACE;
    let offset = TextSize::try_from(line_break + 1).ok()?;
    is_blank.then(|| token.text_range().start() + offset)
}

/// Moves the text of the last element, unless there is a comment beside it.
fn moved_text(elements: &[&SyntaxNode]) -> Option<Vec<Edit>> {
    let (last, others) = elements.split_last()?;
    let (first, previous) = (others.first()?, others.last()?);
    let before_last = tokens_between(&[previous, last])?;
    if before_last.iter().any(is_comment) || is_followed_by_comment(last) {
        return None;
    }
    if can_trade_places(elements)? {
        let order = std::iter::once(*last).chain(others.iter().copied());
        return Some(reordered(elements, order));
    }
    let text = last.text();
    let moved = match (start_of_lines(first), line_break_before(first)) {
        (Some(start), Some((line_break, indentation))) => {
            inserted(start, format!("{indentation}{text},{line_break}"))
        }
        _ if trivia_before(first)?.iter().any(is_comment) => return None,
        _ => inserted(first.text_range().start(), format!("{text}, ")),
    };
    Some(vec![moved, removed(with_comma(last, previous))])
}

/// Checks whether elements are on one line or on one line each, without comments beside them.
fn can_trade_places(elements: &[&SyntaxNode]) -> Option<bool> {
    let between = tokens_between(elements)?;
    let above = trivia_before(elements.first()?)?;
    let has_comments = between.iter().chain(&above).any(is_comment);
    let is_on_one_line = !between.iter().any(|it| it.text().contains('\n'));
    Some(!has_comments && (is_on_one_line || is_one_each_line(elements)))
}

fn is_comment(token: &SyntaxToken) -> bool {
    token.kind().is_trivia() && token.kind() != SyntaxKind::WHITESPACE
}

/// Returns the tokens between consecutive elements.
fn tokens_between(elements: &[&SyntaxNode]) -> Option<Vec<SyntaxToken>> {
    let mut found = Vec::new();
    for (before, after) in elements.iter().zip(elements.get(1..)?) {
        let end = after.text_range().start();
        found.extend(tokens_after(before).take_while(|it| it.text_range().end() <= end));
    }
    Some(found)
}

/// Checks whether each element ends its line.
fn is_one_each_line(elements: &[&SyntaxNode]) -> bool {
    elements.iter().all(|it| next_on_line(it).is_none())
}

/// Returns the token after an element and its comma, if it is on the same line and does not close the list.
fn next_on_line(element: &SyntaxNode) -> Option<SyntaxToken> {
    use SyntaxKind::{COMMA, PIPE, R_BRACE, R_PAREN, SEMICOLON, WHITESPACE};
    let line = tokens_after(element).take_while(|it| !it.text().contains('\n'));
    let mut rest = line.skip_while(|it| matches!(it.kind(), WHITESPACE | COMMA));
    let next = rest.next();
    next.filter(|it| !matches!(it.kind(), R_PAREN | R_BRACE | PIPE | SEMICOLON))
}

/// Puts elements in another order. Commas and whitespace keep their places.
fn reordered<'a>(
    elements: &[&SyntaxNode],
    order: impl Iterator<Item = &'a SyntaxNode>,
) -> Vec<Edit> {
    let slots = elements.iter().zip(order);
    let edits = slots.map(|(slot, it)| Edit {
        range: slot.text_range(),
        text: it.text().to_string(),
    });
    edits.collect()
}

/// Returns the line break and the indentation before an element that starts a line.
fn line_break_before(element: &SyntaxNode) -> Option<(&'static str, String)> {
    let before = element.first_token()?.prev_token()?;
    let (lines, indentation) = before.text().rsplit_once('\n')?;
    let line_break = if lines.ends_with('\r') { "\r\n" } else { "\n" };
    Some((line_break, indentation.to_owned()))
}

/// Returns the range of an element with a comma beside it. Code after it on a line that it starts moves to the start.
fn with_comma(element: &SyntaxNode, previous: &SyntaxNode) -> TextRange {
    let range = element.text_range();
    match next_on_line(element).filter(|_| line_break_before(element).is_some()) {
        Some(next) => TextRange::new(range.start(), next.text_range().start()),
        None => TextRange::new(previous.text_range().end(), range.end()),
    }
}

/// Checks whether there is a comment after an element on its line.
fn is_followed_by_comment(element: &SyntaxNode) -> bool {
    let line = tokens_after(element).take_while(|it| !it.text().contains('\n'));
    let mut rest =
        line.skip_while(|it| matches!(it.kind(), SyntaxKind::WHITESPACE | SyntaxKind::COMMA));
    rest.next().is_some_and(|it| it.kind().is_trivia())
}
