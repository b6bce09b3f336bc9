//! White space inside of a line, and empty lines.

use syntax::{Edit, SyntaxKind, TextRange, TextSize};

use super::spots::Spot;

/// What goes between two pieces of a line, in blanks; nothing if it stays as it is.
pub(super) fn between(before: &Spot, spot: &Spot) -> Option<usize> {
    let gap = usize::from(spot.gap.len());
    if spot.kind().is_comment() || before.kind().is_comment() {
        return (gap == 0).then_some(1);
    }
    let is_else = matches!(spot.kind(), SyntaxKind::ELSE_KW | SyntaxKind::ELSIF_KW);
    ((is_else || is_block_brace(spot)) && gap == 0).then_some(1)
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
pub(super) fn line_breaks(before: Option<&Spot>, gap: &str) -> String {
    let most = match before {
        None => 0,
        Some(before) if ends_line(before) => 1,
        Some(_) => 2,
    };
    line_break(gap).repeat(gap.matches('\n').count().min(most))
}

/// Whether a piece has the line break behind it: the end of a heredoc.
fn ends_line(spot: &Spot) -> bool {
    spot.token.text().ends_with('\n')
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A file ends with one line break.
pub(super) fn end_of_file(spots: &[Spot], text: &str) -> Option<Edit> {
    let last = spots.last()?;
    let start = last.token.text_range().end();
    let rest = &text[usize::from(start)..];
    // A heredoc that ends with the file may end without a line break.
    if last.is_frozen && rest.is_empty() {
        return None;
    }
    let wanted = if ends_line(last) {
        ""
    } else {
        line_break(text)
    };
    (rest != wanted).then(|| Edit {
        range: TextRange::new(start, TextSize::of(text)),
        text: wanted.to_owned(),
    })
}
