//! Formats Puppet code according to the style guide: two spaces per level, aligned arrows in each
//! block, no trailing white space.
//!
//! Only insignificant white space changes: strings, heredocs and comments stay as they are. The
//! source is split into tokens with preceding gaps ([`spots`]); [`indentation`], [`arrows`] and
//! [`spaces`] determine the new gap before each. Choices that the style guide leaves open (line
//! breaks, the indentation of continuation lines) are preserved.

mod arrows;
mod indentation;
mod newline;
mod spaces;
mod spots;

use syntax::{Dialect, Edit, Parse, Severity, SyntaxKind, TextRange, TextSize, apply_edits};

use indentation::Layout;
use spots::{Spot, spots};

pub(crate) use newline::{edits_for_brace, edits_for_line};

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
    let spots = spots(&root);
    let gaps = Layout::new(&spots, text).gaps();
    let edits = edits(&spots, &gaps, text);
    keeps_the_code(&spots, text, &edits, dialect).then_some(edits)
}

/// Like [`format`], limited to the edits that touch the lines of a range.
pub(crate) fn format_range(
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
fn edits(spots: &[Spot], gaps: &[String], text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (spot, gap) in spots.iter().zip(gaps) {
        if &text[spot.gap] != gap {
            edits.push(Edit {
                range: spot.gap,
                text: gap.clone(),
            });
        }
        if let Some(range) = spots::blanks_at_end(spot) {
            let text = String::new();
            edits.push(Edit { range, text });
        }
    }
    edits.extend(spaces::end_of_file(spots, text));
    edits
}

/// Checks that the edits change only white space. This guards against bugs in the formatter, which
/// must never change the meaning of code.
fn keeps_the_code(before: &[Spot], text: &str, edits: &[Edit], dialect: Dialect) -> bool {
    let Some(formatted) = apply_edits(text, edits) else {
        return false;
    };
    let after = spots::spots(&syntax::parse(&formatted, dialect).syntax());
    let same = |a: &Spot, b: &Spot| {
        let (x, y) = (a.token.text(), b.token.text());
        let is_comment = a.kind() == SyntaxKind::LINE_COMMENT;
        let same_text = x == y || is_comment && x.trim_end() == y.trim_end();
        let of = |it: &Spot| it.token.parent().map(|it| it.kind());
        same_text && of(a) == of(b) && without_place(a.kind()) == without_place(b.kind())
    };
    before.len() == after.len() && before.iter().zip(&after).all(|(a, b)| same(a, b))
}

/// Normalizes token kinds that the lexer distinguishes only by the preceding white space.
fn without_place(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        SyntaxKind::WS_L_PAREN => SyntaxKind::L_PAREN,
        SyntaxKind::LIST_START => SyntaxKind::L_BRACK,
        it => it,
    }
}

#[cfg(test)]
mod tests;
