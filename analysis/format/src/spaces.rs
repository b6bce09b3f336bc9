//! White space within lines, and empty lines.

use syntax::{Edit, SyntaxKind, TextRange, TextSize};

use crate::spaced_tokens::SpacedToken;

/// Returns the number of blanks between two tokens of a line, or `None` to keep the white space.
pub(crate) fn between(before: &SpacedToken, spaced: &SpacedToken) -> Option<usize> {
    let gap = usize::from(spaced.gap.len());
    if spaced.kind().is_comment() || before.kind().is_comment() {
        return (gap == 0).then_some(1);
    }
    let is_else = matches!(spaced.kind(), SyntaxKind::ELSE_KW | SyntaxKind::ELSIF_KW);
    ((is_else || is_block_brace(spaced)) && gap == 0).then_some(1)
}

/// Checks whether a token is the `{` before statements, resource bodies or options.
fn is_block_brace(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    let of = spaced.token.parent().map(|it| it.kind());
    match spaced.kind() {
        SELECTOR_BRACE => true,
        L_BRACE => matches!(
            of,
            Some(BLOCK | CASE_EXPR | RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE)
        ),
        _ => false,
    }
}

/// Returns the line breaks before a token that starts a line: at most one empty line, and none at
/// the start of the file.
pub(crate) fn line_breaks(before: Option<&SpacedToken>, gap: &str) -> String {
    let most = match before {
        None => 0,
        Some(before) if ends_line(before) => 1,
        Some(_) => 2,
    };
    line_break(gap).repeat(gap.matches('\n').count().min(most))
}

/// Checks whether a token includes the line break after it, as the end of a heredoc does.
fn ends_line(spaced: &SpacedToken) -> bool {
    spaced.token.text().ends_with('\n')
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the edit that ends a file with exactly one line break.
pub(crate) fn end_of_file(tokens: &[SpacedToken], text: &str) -> Option<Edit> {
    let last = tokens.last()?;
    let start = last.token.text_range().end();
    let rest = &text[usize::from(start)..];
    // A heredoc at the end of the file needs no line break.
    if last.has_significant_gap && rest.is_empty() {
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
