//! Puppet code in the layout of the style guide: two columns a level, arrows of a block below each
//! other, no blanks at the end of lines.
//!
//! Only white space changes, and only where it has no meaning: strings, heredocs and comments stay
//! as they are. The layout is a list of pieces ([`spots`]); each asks [`indentation`], [`arrows`] or
//! [`spaces`] what white space goes before it. What the style guide leaves open (where a line is
//! broken, how a continued line is indented) stays as it was written.

mod arrows;
mod indentation;
mod newline;
mod spaces;
mod spots;

use syntax::{Dialect, Edit, Parse, Severity, SyntaxKind, TextRange, TextSize, apply_edits};

use indentation::Layout;
use spots::{Spot, spots};

pub(crate) use newline::{edits_for_brace, edits_for_line};

/// The edits after which a manifest has the layout of the style guide, in the order of the text.
/// Nothing for templates, whose white space is what they print, and for code with errors of
/// syntax, of which nobody knows what belongs together.
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

/// Those of [`format`] that touch the lines of a range.
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

/// What is to change so that the gaps before the pieces become others.
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

/// Whether the edits leave all but white space as it is: if not, there is a mistake here, and no
/// layout is worth a changed meaning.
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

/// The kind of a token that the lexer tells from another by the white space before it.
fn without_place(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        SyntaxKind::WS_L_PAREN => SyntaxKind::L_PAREN,
        SyntaxKind::LIST_START => SyntaxKind::L_BRACK,
        it => it,
    }
}

#[cfg(test)]
mod tests;
