//! On-type formatting: indents a new line and a closing brace.

use syntax::{Edit, Parse, SyntaxKind, TextRange, TextSize};

use crate::indentation::IndentationLayout;
use crate::spaced_tokens::{SpacedToken, spaced_tokens};

/// Returns the edits that indent a newly started line, or `None` if the line is not empty, is inside
/// a string or has no prescribed indentation.
pub fn edits_for_new_line(parse: &Parse, text: &str, offset: TextSize) -> Option<Vec<Edit>> {
    let (line, blanks) = line_start(text, offset)?;
    let rest = text[usize::from(blanks.end())..].chars().next();
    if rest.is_some_and(|it| it != '\n' && it != '\r') {
        return None;
    }
    let tokens = manifest_tokens(parse)?;
    let count = tokens.partition_point(|it| it.token.text_range().start() < line);
    let is_inside = count
        .checked_sub(1)
        .is_some_and(|it| tokens[it].token.text_range().end() > line);
    if is_inside || tokens.get(count).is_some_and(|it| it.has_significant_gap) {
        return None;
    }
    let mut layout = IndentationLayout::new(&tokens, text);
    layout.advance_to(count);
    let column = match layout.brackets.last() {
        None => 0,
        Some(bracket) if !bracket.indents => return None,
        Some(bracket) => layout.column_of_next(bracket, count),
    };
    Some(edit(text, blanks, column).into_iter().collect())
}

/// Returns the edits that indent a line that starts with the closing brace before an offset.
pub fn edits_for_closing_brace(parse: &Parse, text: &str, offset: TextSize) -> Option<Vec<Edit>> {
    let (_, blanks) = line_start(text, offset)?;
    let tokens = manifest_tokens(parse)?;
    let brace = tokens.partition_point(|it| it.token.text_range().end() < offset);
    let spaced = tokens.get(brace)?;
    let is_brace =
        spaced.kind() == SyntaxKind::R_BRACE && spaced.starts_line && !spaced.has_significant_gap;
    if !is_brace || spaced.token.text_range().end() != offset {
        return None;
    }
    let mut layout = IndentationLayout::new(&tokens, text);
    layout.advance_to(brace);
    let bracket = layout.brackets.last()?;
    let is_pair = tokens[bracket.opener].token.parent() == spaced.token.parent();
    let column = (is_pair && bracket.indents).then_some(bracket.base)?;
    Some(edit(text, blanks, column).into_iter().collect())
}

fn manifest_tokens(parse: &Parse) -> Option<Vec<SpacedToken>> {
    let root = parse.syntax();
    (root.kind() == SyntaxKind::SOURCE_FILE).then(|| spaced_tokens(&root))
}

/// Returns the start of the line that contains an offset, and the range of its leading blanks.
fn line_start(text: &str, offset: TextSize) -> Option<(TextSize, TextRange)> {
    let before = text.get(..usize::from(offset))?;
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let rest = &text[start..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let start = TextSize::new(start as u32);
    Some((start, TextRange::at(start, TextSize::new(blanks as u32))))
}

fn edit(text: &str, blanks: TextRange, column: usize) -> Option<Edit> {
    let wanted = " ".repeat(column);
    (text[blanks] != wanted).then_some(Edit {
        range: blanks,
        text: wanted,
    })
}
