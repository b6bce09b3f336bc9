//! Source text with a line index.
//!
//! All other crates use byte offsets. This module converts between byte offsets and lines and
//! columns, in the unit and with the line breaks that the client uses.

use std::sync::Arc;

use syntax::{TextRange, TextSize};

/// The characters that end a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineBreaks {
    /// `\n` only, as in Puppet's own messages.
    Puppet,
    /// `\n`, `\r\n` and a lone `\r`, as in the LSP.
    Lsp,
}

/// The unit of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PositionEncoding {
    /// UTF-8 bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Unicode code points.
    Utf32,
}

/// A zero-based line and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct LineColumn {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A source text with its line index.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    text: Arc<str>,
    breaks: LineBreaks,
    /// The offset of each line; the first is 0.
    line_starts: Arc<[u32]>,
    /// The length of the text before each [`BLOCK`], so that columns of very long lines need not be
    /// counted from the start. Empty if the text is ASCII, where all units are the same.
    blocks: Arc<[CharCounts]>,
}

/// The number of bytes between two entries of [`Source::blocks`].
const BLOCK: usize = 1024;

/// The lengths of a string in each unit other than bytes.
#[derive(Clone, Copy, Debug, Default)]
struct CharCounts {
    utf16: u32,
    chars: u32,
}

impl CharCounts {
    /// Adds UTF-8 bytes, which may start or end inside a character.
    fn add(mut self, bytes: &[u8]) -> CharCounts {
        for &byte in bytes {
            let line_starts = u32::from(byte & 0xC0 != 0x80);
            self.chars += line_starts;
            self.utf16 += line_starts + u32::from(byte >= 0xF0);
        }
        self
    }

    fn get(self, encoding: PositionEncoding) -> u32 {
        if encoding == PositionEncoding::Utf16 {
            self.utf16
        } else {
            self.chars
        }
    }
}

impl Source {
    /// Creates the line index of `text`, which must be shorter than 4 GiB.
    pub(crate) fn new(text: Arc<str>, breaks: LineBreaks) -> Source {
        let line_starts = line_starts(text.as_bytes(), breaks);
        let blocks = if text.is_ascii() {
            Vec::new()
        } else {
            count_blocks(text.as_bytes())
        };
        Source {
            text,
            breaks,
            line_starts: line_starts.into(),
            blocks: blocks.into(),
        }
    }

    pub(crate) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Converts an offset. Offsets after the end are clamped to the end, and offsets inside a
    /// character to its start.
    pub(crate) fn line_column(&self, offset: TextSize, encoding: PositionEncoding) -> LineColumn {
        let offset = floor_boundary(&self.text, usize::from(offset));
        let line = self
            .line_starts
            .partition_point(|&it| it as usize <= offset)
            - 1;
        let start = self.line_starts[line] as usize;
        let column = self.length_between(start, offset, encoding);
        LineColumn {
            line: to_u32(line),
            column,
        }
    }

    /// Converts a line and column. Columns after the end of a line are clamped to its end, lines
    /// after the last one to the end of the text, and columns inside a character to its start.
    pub(crate) fn offset(&self, at: LineColumn, encoding: PositionEncoding) -> TextSize {
        let Some(line) = self.line_range(at.line) else {
            return TextSize::of(&*self.text);
        };
        let (start, end) = (usize::from(line.start()), usize::from(line.end()));
        let offset = if encoding == PositionEncoding::Utf8 || self.blocks.is_empty() {
            let wanted = start.saturating_add(at.column as usize).min(end);
            floor_boundary(&self.text, wanted)
        } else {
            self.find_column(start, end, at.column, encoding)
        };
        TextSize::from(to_u32(offset))
    }

    /// Returns the range of a zero-based line, without its line break.
    pub(crate) fn line_range(&self, line: u32) -> Option<TextRange> {
        let line = line as usize;
        let start = *self.line_starts.get(line)?;
        let end = match self.line_starts.get(line + 1) {
            None => self.text.len(),
            Some(&next) => self.before_line_break(start as usize, next as usize),
        };
        Some(TextRange::new(start.into(), to_u32(end).into()))
    }

    /// Returns the length of a range in the given unit.
    pub(crate) fn length(&self, range: TextRange, encoding: PositionEncoding) -> u32 {
        self.length_between(range.start().into(), range.end().into(), encoding)
    }

    fn length_between(&self, start: usize, end: usize, encoding: PositionEncoding) -> u32 {
        let slice = &self.text.as_bytes()[start..end];
        // Most lines are ASCII even if the whole text is not, and checking is faster than counting.
        if encoding == PositionEncoding::Utf8 || self.blocks.is_empty() || slice.is_ascii() {
            return to_u32(end - start);
        }
        if slice.len() <= BLOCK {
            return CharCounts::default().add(slice).get(encoding);
        }
        self.counts_before(end).get(encoding) - self.counts_before(start).get(encoding)
    }

    fn before_line_break(&self, start: usize, next: usize) -> usize {
        let line = &self.text.as_bytes()[start..next];
        let line = match self.breaks {
            LineBreaks::Puppet => line.strip_suffix(b"\n").unwrap_or(line),
            LineBreaks::Lsp => line
                .strip_suffix(b"\r\n")
                .or_else(|| line.strip_suffix(b"\n"))
                .or_else(|| line.strip_suffix(b"\r"))
                .unwrap_or(line),
        };
        start + line.len()
    }

    fn counts_before(&self, offset: usize) -> CharCounts {
        let block = offset / BLOCK;
        let counts = self.blocks.get(block).copied().unwrap_or_default();
        counts.add(&self.text.as_bytes()[block * BLOCK..offset])
    }

    /// Returns the last character boundary from `start` to `end` with at most `column` units before
    /// it.
    fn find_column(
        &self,
        start: usize,
        end: usize,
        column: u32,
        encoding: PositionEncoding,
    ) -> usize {
        let goal = self
            .counts_before(start)
            .get(encoding)
            .saturating_add(column);
        // The last block that starts before the goal: the first whole character after the start of
        // the block is still at or before the goal.
        let block = self.blocks.partition_point(|it| it.get(encoding) < goal);
        let from = block.saturating_sub(1) * BLOCK;
        let from = ceil_boundary(&self.text, from.max(start)).min(end);
        let mut counts = self.counts_before(from).get(encoding);
        for (index, char) in self.text[from..end].char_indices() {
            counts += match encoding {
                PositionEncoding::Utf16 => to_u32(char.len_utf16()),
                PositionEncoding::Utf8 | PositionEncoding::Utf32 => 1,
            };
            if counts > goal {
                return from + index;
            }
        }
        end
    }
}

fn line_starts(bytes: &[u8], breaks: LineBreaks) -> Vec<u32> {
    let mut line_starts = vec![0];
    let newlines = memchr::memchr_iter(b'\n', bytes);
    if breaks == LineBreaks::Puppet || memchr::memchr(b'\r', bytes).is_none() {
        line_starts.extend(newlines.map(|at| to_u32(at + 1)));
        return line_starts;
    }
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let first_half = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        if !first_half {
            line_starts.push(to_u32(at + 1));
        }
    }
    line_starts
}

fn count_blocks(bytes: &[u8]) -> Vec<CharCounts> {
    let mut counts = CharCounts::default();
    bytes
        .chunks(BLOCK)
        .map(|chunk| {
            let before = counts;
            counts = counts.add(chunk);
            before
        })
        .collect()
}

/// Rounds an offset down to a character boundary.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Rounds an offset up to a character boundary.
fn ceil_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}

/// Converts an offset, which always fits: texts of 4 GiB are never accepted.
fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, breaks: LineBreaks) -> Source {
        Source::new(text.into(), breaks)
    }

    fn at(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }

    const UNITS: [PositionEncoding; 3] = [
        PositionEncoding::Utf8,
        PositionEncoding::Utf16,
        PositionEncoding::Utf32,
    ];

    #[test]
    fn units_differ_after_wide_characters() {
        let source = source("a😀é = 1", LineBreaks::Lsp);
        let offset = TextSize::of("a😀é");
        assert_eq!(source.line_column(offset, PositionEncoding::Utf8), at(0, 7));
        assert_eq!(
            source.line_column(offset, PositionEncoding::Utf16),
            at(0, 4)
        );
        assert_eq!(
            source.line_column(offset, PositionEncoding::Utf32),
            at(0, 3)
        );
    }

    #[test]
    fn offsets_round_trip() {
        let slice = "é😀x\r\n\n漢字\ry\n";
        let text = slice.repeat(300) + &"😀é".repeat(2000);
        for breaks in [LineBreaks::Puppet, LineBreaks::Lsp] {
            let source = source(&text, breaks);
            for encoding in UNITS {
                for (index, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    let offset = TextSize::from(to_u32(index));
                    let place = source.line_column(offset, encoding);
                    let in_line_break = source
                        .line_range(place.line)
                        .is_some_and(|it| it.end() < offset);
                    if !in_line_break {
                        assert_eq!(
                            source.offset(place, encoding),
                            offset,
                            "{encoding:?} {place:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn lone_carriage_return_ends_a_line_only_in_the_lsp() {
        let text = "a\rb\r\nc\n";
        assert_eq!(*source(text, LineBreaks::Lsp).line_starts, [0, 2, 5, 7]);
        assert_eq!(*source(text, LineBreaks::Puppet).line_starts, [0, 5, 7]);
    }

    #[test]
    fn positions_outside_are_clamped() {
        let source = source("ab\r\n😀\n", LineBreaks::Lsp);
        for encoding in UNITS {
            assert_eq!(source.offset(at(0, 99), encoding), TextSize::from(2));
            assert_eq!(source.offset(at(1, 99), encoding), TextSize::from(8));
            assert_eq!(source.offset(at(2, 0), encoding), TextSize::from(9));
            assert_eq!(source.offset(at(99, 99), encoding), TextSize::from(9));
            assert_eq!(
                source.offset(at(u32::MAX, u32::MAX), encoding),
                TextSize::from(9)
            );
            assert_eq!(source.line_column(TextSize::from(99), encoding), at(2, 0));
        }
        // The middle of a surrogate pair, the middle of a character.
        assert_eq!(
            source.offset(at(1, 1), PositionEncoding::Utf16),
            TextSize::from(4)
        );
        assert_eq!(
            source.offset(at(1, 2), PositionEncoding::Utf8),
            TextSize::from(4)
        );
        assert_eq!(
            source.line_column(TextSize::from(6), PositionEncoding::Utf16),
            at(1, 0)
        );
    }
}
