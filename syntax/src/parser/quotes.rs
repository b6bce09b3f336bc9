//! Error recovery for quotes: finds strings and regular expressions that may be unclosed.
//!
//! Such a string ends with the opening quote of the next one, and from there on code and strings are
//! swapped.

use std::ops::Range;

use crate::SyntaxKind::{
    DOUBLE_QUOTED, INTERPOLATION_CLOSE, INTERPOLATION_OPEN, REGEX, SINGLE_QUOTED, STRING_CLOSE,
    STRING_OPEN,
};
use crate::lexer::Lexed;

/// The maximum number of suspects: each costs a pass over the file.
const MAX_SUSPECTS: usize = 2;

/// A string or regular expression with line breaks.
pub(super) struct MultiLine {
    range: Range<usize>,
    /// Whether code rarely looks like this: a regular expression, or an interpolation with line breaks.
    is_rare: bool,
}

/// Returns the strings and regular expressions with line breaks. Strings in interpolations are part of another one.
pub(super) fn multi_line(text: &str, lexed: &Lexed) -> Vec<MultiLine> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut interpolation = 0;
    let mut is_rare = false;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let mut start = token.start as usize;
        let end = lexed.token_end(index) as usize;
        match token.kind {
            STRING_OPEN => {
                open.push(start);
                continue;
            }
            INTERPOLATION_OPEN if open.len() == 1 => {
                interpolation = start;
                continue;
            }
            INTERPOLATION_CLOSE if open.len() == 1 => {
                is_rare |= text[interpolation..end].contains('\n');
                continue;
            }
            STRING_CLOSE => start = open.pop().unwrap_or(start),
            REGEX => is_rare = true,
            SINGLE_QUOTED | DOUBLE_QUOTED => {}
            _ => continue,
        }
        if open.is_empty() {
            let range = start..end;
            found.push(MultiLine { range, is_rare });
            is_rare = false;
        }
    }
    let unclosed = open.first().map(|&it| it..lexed.end as usize);
    found.extend(unclosed.map(|range| MultiLine { range, is_rare }));
    found.retain(|it| text[it.range.clone()].contains('\n'));
    found
}

/// Returns the starts of the strings and regular expressions that are most likely unclosed. `is_unclosed` states whether
/// the last string of the file is.
pub(super) fn suspects(text: &str, found: &[MultiLine], is_unclosed: bool) -> Vec<usize> {
    let is_suspect = |it: &&MultiLine| it.is_rare || !follows_string(text[it.range.end..].bytes());
    let suspects = found.iter().filter(is_suspect).take(MAX_SUSPECTS);
    let mut suspects: Vec<usize> = suspects.map(|it| it.range.start).collect();
    if suspects.is_empty() && is_unclosed {
        suspects.extend(found.first().map(|it| it.range.start));
    }
    suspects
}

/// Checks whether code may continue like this directly after a string.
fn follows_string(mut rest: impl Iterator<Item = u8>) -> bool {
    let Some(first) = rest.next() else {
        return false;
    };
    match first {
        b'-' | b'~' | b'=' => rest.next() == Some(b'>'),
        _ => first.is_ascii_whitespace() || b",;:)]}.|[?".contains(&first),
    }
}
