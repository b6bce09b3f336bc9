//! Formats Puppet code according to the style guide: two spaces per level, aligned arrows in each
//! block, no trailing white space.
//!
//! Only insignificant white space changes: strings, heredocs and comments stay as they are. The
//! source is split into tokens with preceding gaps ([`spaced_tokens`]); [`indentation`], [`arrows`] and
//! [`spaces`] determine the new gap before each. Choices that the style guide leaves open (line
//! breaks, the indentation of continuation lines) are preserved.

#![warn(missing_docs)]

mod arrows;
mod indentation;
mod on_type;
mod spaced_tokens;
mod spaces;

use syntax::{Dialect, Edit, Parse, Severity, SyntaxKind, TextRange, TextSize, apply_edits};

use indentation::IndentationLayout;
use spaced_tokens::{SpacedToken, spaced_tokens};

pub use on_type::{edits_for_closing_brace, edits_for_new_line};

/// Returns the edits that format a manifest according to the style guide, in source order.
///
/// Returns `None` for templates, where white space is output, and for code with syntax errors,
/// whose structure is unreliable.
pub fn format(parse: &Parse, text: &str, dialect: Dialect) -> Option<Vec<Edit>> {
    let root = parse.syntax();
    let is_error = |it: &syntax::Diagnostic| it.severity == Severity::Error;
    if root.kind() != SyntaxKind::SOURCE_FILE || parse.errors().iter().any(is_error) {
        return None;
    }
    let tokens = spaced_tokens(&root);
    let gaps = IndentationLayout::new(&tokens, text).gaps();
    let edits = edits(&tokens, &gaps, text);
    preserves_code(&tokens, text, &edits, dialect).then_some(edits)
}

/// Like [`format`], limited to the edits that touch the lines of a range.
pub fn format_range(
    parse: &Parse,
    text: &str,
    dialect: Dialect,
    range: TextRange,
) -> Option<Vec<Edit>> {
    let start = text[..usize::from(range.start())].rfind('\n');
    let start = TextSize::new(start.map_or(0, |it| it as u32 + 1));
    let mut edits = format(parse, text, dialect)?;
    edits.retain(|it| start <= it.range.end() && it.range.start() <= range.end());
    Some(edits)
}

/// Returns the edits that replace the gaps before the tokens.
fn edits(tokens: &[SpacedToken], gaps: &[String], text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (spaced, gap) in tokens.iter().zip(gaps) {
        if &text[spaced.gap] != gap {
            edits.push(Edit {
                range: spaced.gap,
                text: gap.clone(),
            });
        }
        if let Some(range) = spaced_tokens::trailing_blanks(spaced) {
            let text = String::new();
            edits.push(Edit { range, text });
        }
    }
    edits.extend(spaces::end_of_file(tokens, text));
    edits
}

/// Checks that the edits change only white space. This guards against bugs in the formatter, which
/// must never change the meaning of code.
fn preserves_code(before: &[SpacedToken], text: &str, edits: &[Edit], dialect: Dialect) -> bool {
    let Some(formatted) = apply_edits(text, edits) else {
        return false;
    };
    let after = spaced_tokens::spaced_tokens(&syntax::parse(&formatted, dialect).syntax());
    let same = |a: &SpacedToken, b: &SpacedToken| {
        let (x, y) = (a.token.text(), b.token.text());
        let is_comment = a.kind() == SyntaxKind::LINE_COMMENT;
        let same_text = x == y || is_comment && x.trim_end() == y.trim_end();
        let of = |it: &SpacedToken| it.token.parent().map(|it| it.kind());
        same_text && of(a) == of(b) && normalized_kind(a.kind()) == normalized_kind(b.kind())
    };
    before.len() == after.len() && before.iter().zip(&after).all(|(a, b)| same(a, b))
}

/// Normalizes token kinds that the lexer distinguishes only by the preceding white space.
fn normalized_kind(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        SyntaxKind::WS_L_PAREN => SyntaxKind::L_PAREN,
        SyntaxKind::LIST_START => SyntaxKind::L_BRACK,
        it => it,
    }
}

#[cfg(test)]
mod tests;
