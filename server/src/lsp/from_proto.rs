//! Conversion of protocol types to internal types.

use std::path::PathBuf;

use syntax::{TextRange, TextSize};
use tower_lsp::ls_types::{Position, Range, Uri};

use crate::paths::absolute;
use crate::source::{LineColumn, PositionEncoding, Source};

/// Converts a position to an offset, clamped to the text.
pub(super) fn offset(position: Position, source: &Source, encoding: PositionEncoding) -> TextSize {
    let at = LineColumn {
        line: position.line,
        column: position.character,
    };
    source.offset(at, encoding)
}

/// Converts a range to a byte range. Swaps the ends of an inverted range.
pub(super) fn text_range(range: Range, source: &Source, encoding: PositionEncoding) -> TextRange {
    let start = offset(range.start, source, encoding);
    let end = offset(range.end, source, encoding);
    TextRange::new(start.min(end), start.max(end))
}

/// Converts a `file` URI to an absolute path.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    if uri.scheme().as_str() != "file" {
        return None;
    }
    Some(absolute(&uri.to_file_path()?))
}
