//! White space inside of a line, and empty lines.

use syntax::{Edit, SyntaxKind, TextRange, TextSize};

use super::spots::Spot;

/// What goes between two pieces of a line, in blanks; nothing if it stays as it is.
pub(super) fn between(before: &Spot, spot: &Spot) -> Option<usize> {
    let gap = usize::from(spot.gap.len());
    if spot.kind().is_comment() || before.kind().is_comment() {
        return (gap == 0).then_some(1);
    }
    let is_separator = matches!(spot.kind(), SyntaxKind::COMMA | SyntaxKind::SEMICOLON);
    if is_separator {
        // `{ 'a': ; }` has nothing that it could follow.
        return (before.kind() != SyntaxKind::COLON).then_some(0);
    }
    let wants_blank = before.kind() == SyntaxKind::COMMA
        || is_block_brace(spot)
        || spot.kind() == SyntaxKind::ELSE_KW
        || spot.kind() == SyntaxKind::ELSIF_KW;
    (wants_blank && gap == 0).then_some(1)
}

/// `{` before statements, bodies of resources, options.
fn is_block_brace(spot: &Spot) -> bool {
    use SyntaxKind::*;
    let of = spot.token.parent().map(|it| it.kind());
    match spot.kind() {
        SELECTOR_BRACE => true,
        L_BRACE => matches!(
            of,
            Some(BLOCK | CASE_EXPR | RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE)
        ),
        _ => false,
    }
}

/// The line breaks before a piece that is the first of its line: of several empty lines one is
/// left, none at the start of a file.
pub(super) fn line_breaks(gap: &str, is_start: bool) -> String {
    if is_start {
        return String::new();
    }
    let line_break = if gap.contains("\r\n") { "\r\n" } else { "\n" };
    let count = gap.matches('\n').count();
    line_break.repeat(count.min(2))
}

/// A file ends with one line break.
pub(super) fn end_of_file(spots: &[Spot], text: &str) -> Option<Edit> {
    let last = spots.last()?;
    let start = last.token.text_range().end();
    let rest = &text[usize::from(start)..];
    // The end of a heredoc has the line break.
    if last.token.text().ends_with('\n') && rest.is_empty() || last.is_frozen && rest.is_empty() {
        return None;
    }
    let line_break = if rest.contains("\r\n") { "\r\n" } else { "\n" };
    let wanted = if last.token.text().ends_with('\n') {
        ""
    } else {
        line_break
    };
    (rest != wanted).then(|| Edit {
        range: TextRange::new(start, TextSize::of(text)),
        text: wanted.to_owned(),
    })
}
