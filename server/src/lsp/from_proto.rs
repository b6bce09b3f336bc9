//! From the protocol's terms to ours.

use std::path::PathBuf;

use syntax::{TextRange, TextSize};
use tower_lsp::ls_types::{Position, Range, Uri};

use crate::place::absolute;
use crate::source::{LineColumn, Source, Unit};

/// A position as an offset; what lies outside is moved inside.
pub(super) fn offset(position: Position, source: &Source, unit: Unit) -> TextSize {
    let at = LineColumn {
        line: position.line,
        column: position.character,
    };
    source.offset(at, unit)
}

/// A range in bytes; one whose end is before its start is taken the other way round.
pub(super) fn text_range(range: Range, source: &Source, unit: Unit) -> TextRange {
    let start = offset(range.start, source, unit);
    let end = offset(range.end, source, unit);
    TextRange::new(start.min(end), start.max(end))
}

/// The path of what lies on a disk.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    if uri.scheme().as_str() != "file" {
        return None;
    }
    Some(absolute(&uri.to_file_path()?))
}
