//! Formats Puppet code according to the style guide: two spaces per level, aligned arrows in each
//! block, blanks around braces and operators, trailing commas, no trailing white space.
//!
//! Strings and comments stay as they are, and the values of heredocs, which [`heredocs`] indents. The source is split
//! into tokens with preceding gaps ([`spaced_tokens`]). [`relationships`] moves arrows, [`suppressions`] moves comments,
//! and [`lines`] decides which tokens start a line; [`columns`], [`spaces`], [`arrows`], [`alignment`] and
//! [`trailing_comments`] determine the white space, [`commas`] the missing commas. [`layout`] combines them, and
//! [`changes`] compares the result with the source. In templates only the blanks inside of tags change, as all else is
//! output.

#![warn(missing_docs)]

mod alignment;
mod arrows;
mod brackets;
mod changes;
mod columns;
mod commas;
mod heredocs;
mod layout;
mod lines;
mod on_type;
mod relationships;
mod spaced_tokens;
mod spaces;
mod suppressions;
mod trailing_comments;

use syntax::{Dialect, Edit, Parse, SyntaxKind, TextRange, TextSize, apply_edits};

use layout::Layout;
use spaced_tokens::{SpacedToken, spaced_tokens};

pub use changes::{LayoutChange, LayoutKind};
pub use on_type::{edits_for_closing_brace, edits_for_new_line, edits_for_semicolon};

/// The choices that projects make about the layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FormatOptions {
    /// Whether to add missing commas after the last elements of lists on several lines.
    pub trailing_commas: bool,
    /// The number of columns above which lists are put on several lines; `None` for no limit.
    pub line_width: Option<usize>,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            trailing_commas: true,
            line_width: None,
        }
    }
}

/// Returns the edits that format a file according to the style guide, in source order.
///
/// Returns `None` for code with syntax errors, whose structure is unreliable.
pub fn format(
    parse: &Parse,
    text: &str,
    dialect: Dialect,
    options: &FormatOptions,
) -> Option<Vec<Edit>> {
    let changes = layout_changes(parse, text, dialect, options)?;
    Some(changes.iter().map(LayoutChange::edit).collect())
}

/// Like [`format`], limited to the edits that touch the lines of a range.
pub fn format_range(
    parse: &Parse,
    text: &str,
    dialect: Dialect,
    options: &FormatOptions,
    range: TextRange,
) -> Option<Vec<Edit>> {
    let start = text[..usize::from(range.start())].rfind('\n');
    let start = TextSize::new(start.map_or(0, |it| it as u32 + 1));
    // A selection of whole lines ends at the start of the line after them.
    let ends_line = !range.is_empty() && text[..usize::from(range.end())].ends_with('\n');
    let rest = text[usize::from(range.end())..].find('\n');
    let rest = rest.filter(|_| !ends_line).unwrap_or_default();
    let end = range.end() + TextSize::new(rest as u32);
    let mut edits = format(parse, text, dialect, options)?;
    edits.retain(|it| start <= it.range.end() && it.range.start() <= end);
    preserves_code(&spaced_tokens(&parse.syntax()), text, &edits, dialect).then_some(edits)
}

/// Returns the differences between a file and its layout by kind, in source order. Their edits do
/// not overlap, and each can be made without the others.
///
/// Returns `None` for code with syntax errors.
pub fn layout_changes(
    parse: &Parse,
    text: &str,
    dialect: Dialect,
    options: &FormatOptions,
) -> Option<Vec<LayoutChange>> {
    let root = parse.syntax();
    if !parse.is_well_formed() {
        return None;
    }
    let layout = match root.kind() {
        SyntaxKind::SOURCE_FILE => Layout::of_manifest(&root, text, options),
        _ => Layout::of_template(&root, text),
    };
    let changes = changes::changes(&layout);
    let edits: Vec<Edit> = changes.iter().map(LayoutChange::edit).collect();
    preserves_code(&spaced_tokens(&root), text, &edits, dialect).then_some(changes)
}

/// Checks that the edits change only white space, the margins of heredocs, trailing commas and the order of comments,
/// arrows and closing brackets. This guards against bugs in the formatter, which must never change the meaning of code.
fn preserves_code(before: &[SpacedToken], text: &str, edits: &[Edit], dialect: Dialect) -> bool {
    let Some(formatted) = apply_edits(text, edits) else {
        return false;
    };
    let parse = syntax::parse(&formatted, dialect);
    let after = spaced_tokens(&parse.syntax());
    let comments = |it: &SpacedToken| it.kind().is_comment();
    let same_comment =
        |a: &SpacedToken, b: &SpacedToken| a.token.text().trim_end() == b.token.text().trim_end();
    let same_code = |a: &SpacedToken, b: &SpacedToken| {
        significant_text(a) == significant_text(b)
            && a.parent_kind() == b.parent_kind()
            && normalized_kind(a.kind()) == normalized_kind(b.kind())
    };
    let (old, new) = (before.iter(), after.iter());
    old.filter(|it| comments(it)).count() == new.filter(|it| comments(it)).count()
        && std::iter::zip(
            before.iter().filter(|it| comments(it)),
            after.iter().filter(|it| comments(it)),
        )
        .all(|(a, b)| same_comment(a, b))
        && {
            let (old, new) = (code(before), code(&after));
            old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| same_code(a, b))
        }
}

/// Returns the text of a token without the margin before the end of a heredoc.
fn significant_text(spaced: &SpacedToken) -> &str {
    let text = spaced.token.text();
    match spaced.kind() {
        SyntaxKind::HEREDOC_END => text.trim_start_matches([' ', '\t']),
        _ => text,
    }
}

/// Returns the tokens of code without trailing commas and the margins of heredocs.
fn code(tokens: &[SpacedToken]) -> Vec<&SpacedToken> {
    let mut found: Vec<&SpacedToken> = Vec::with_capacity(tokens.len());
    // The last token outside of heredocs, whose bodies may be long.
    let mut last: Option<usize> = None;
    let is_code =
        |it: &&SpacedToken| !it.kind().is_comment() && it.kind() != SyntaxKind::HEREDOC_MARGIN;
    for spaced in tokens.iter().filter(is_code) {
        use SyntaxKind::*;
        let closes = matches!(spaced.kind(), R_BRACE | R_BRACK | R_PAREN);
        if let Some(comma) = last.filter(|it| closes && found[*it].kind() == COMMA) {
            found.remove(comma);
            last = found[..comma].iter().rposition(|it| !it.is_in_heredoc);
        }
        if !spaced.is_in_heredoc {
            last = Some(found.len());
        }
        found.push(spaced);
    }
    found
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
