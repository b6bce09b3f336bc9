//! Formats Puppet code according to the style guide: two spaces per level, aligned arrows in each
//! block, blanks around braces and operators, trailing commas, no trailing white space.
//!
//! Strings and comments stay as they are, and the values of heredocs, which [`heredocs`] indents. The source is split
//! into tokens with preceding gaps ([`spaced_tokens`]). [`relationships`] moves arrows, [`suppressions`] moves comments,
//! and [`lines`] decides which tokens start a line; [`columns`], [`spaces`], [`arrows`], [`alignment`] and
//! [`trailing_comments`] determine the white space, [`commas`] the missing commas. [`layout`] combines them,
//! [`changes`] compares the result with the source, and [`line_ends`] makes line ends consistent. [`wrapping`] breaks lines that
//! are too wide, if the options say so. In templates only the white space inside of tags changes, as all else is output;
//! [`template_columns`] indents their lines.

#![warn(missing_docs)]

mod alignment;
mod arrows;
mod brackets;
mod changes;
mod columns;
mod commas;
mod continuations;
mod heredocs;
mod kept_regions;
mod layout;
mod line_ends;
mod lines;
mod on_type;
mod preservation;
mod relationships;
mod spaced_tokens;
mod spaces;
mod suppressions;
mod tables;
mod template_columns;
mod trailing_comments;
mod wrapping;

use syntax::{Dialect, Edit, Parse, SyntaxKind, TextRange, TextSize};

use layout::Layout;
use preservation::preserves_code;

pub use changes::{LayoutChange, LayoutKind};
pub use on_type::{edits_for_closing_brace, edits_for_new_line, edits_for_semicolon};

/// The choices that projects make about the layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FormatOptions {
    /// Whether to add missing commas after the last elements of lists on several lines.
    pub trailing_commas: bool,
    /// The number of columns above which lines are broken; `None` for no limit.
    pub line_width: Option<usize>,
    /// Whether lines that continue an expression are one level deeper than its first line.
    pub indent_continuations: bool,
    /// Whether arrows are aligned as if lines kept their indentation, for rules that only report arrows.
    pub keeps_indentation: bool,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            trailing_commas: true,
            line_width: None,
            indent_continuations: false,
            keeps_indentation: false,
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
    let changes = changes_of(parse, text, dialect, options, LineBreaks::Added)?;
    let edits = changes.iter().map(LayoutChange::edit).collect();
    Some(line_ends::make_consistent(parse, text, edits, dialect))
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
    preserves_code(parse, text, &edits, dialect).then_some(edits)
}

/// Returns the differences between a file and its layout by kind, in source order. Their edits do
/// not overlap, and each can be made without the others.
///
/// The layout is that of the lines of the source: brackets and entries that [`format`] puts on lines of their own stay
/// where they are, as the indentation of the lines that it adds would be wrong without them.
///
/// Returns `None` for code with syntax errors.
pub fn layout_changes(
    parse: &Parse,
    text: &str,
    dialect: Dialect,
    options: &FormatOptions,
) -> Option<Vec<LayoutChange>> {
    changes_of(parse, text, dialect, options, LineBreaks::Kept)
}

/// Whether the layout breaks lines around brackets and entries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    Added,
    Kept,
}

fn changes_of(
    parse: &Parse,
    text: &str,
    dialect: Dialect,
    options: &FormatOptions,
    line_breaks: LineBreaks,
) -> Option<Vec<LayoutChange>> {
    let root = parse.syntax();
    if !parse.is_well_formed() {
        return None;
    }
    let layout = match root.kind() {
        SyntaxKind::SOURCE_FILE => Layout::of_manifest(&root, text, options, line_breaks),
        _ => Layout::of_template(&root, text),
    };
    let mut changes = changes::changes(&layout);
    kept_regions::remove_kept(&root, text, &mut changes);
    let edits: Vec<Edit> = changes.iter().map(LayoutChange::edit).collect();
    preserves_code(parse, text, &edits, dialect).then_some(changes)
}

#[cfg(test)]
mod tests;
