//! Text with lines and columns.
//!
//! Everything below the server counts in bytes. This is the one place where bytes become lines
//! and columns and the other way round, in whatever unit the other side counts.

use std::sync::Arc;

use syntax::{TextRange, TextSize};

/// What ends a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineBreaks {
    /// `\n` only, as Puppet counts.
    Puppet,
    /// `\n`, `\r\n` and a lone `\r`, as the LSP counts.
    Lsp,
}

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
    /// Characters (code points).
    Utf32,
}

/// A line and a column, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct LineColumn {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A text that knows its lines.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    text: Arc<str>,
    breaks: LineBreaks,
    /// Where each line starts; the first is 0.
    starts: Vec<u32>,
    /// How much is in front of each [`BLOCK`], so that a column in a very long line need not be
    /// counted from its start. Empty if the text is ASCII, where all units are the same.
    blocks: Vec<Counts>,
}

/// Bytes between two entries of [`Source::blocks`].
const BLOCK: usize = 1024;

/// Lengths of a piece of text.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    utf16: u32,
    chars: u32,
}

impl Counts {
    /// Adds a piece of UTF-8, which may start or end inside a character.
    fn add(mut self, bytes: &[u8]) -> Counts {
        for &byte in bytes {
            let starts = u32::from(byte & 0xC0 != 0x80);
            self.chars += starts;
            self.utf16 += starts + u32::from(byte >= 0xF0);
        }
        self
    }

    fn get(self, unit: Unit) -> u32 {
        if unit == Unit::Utf16 {
            self.utf16
        } else {
            self.chars
        }
    }
}

impl Source {
    /// Finds the lines of `text`, which is shorter than 4 GiB.
    pub(crate) fn new(text: Arc<str>, breaks: LineBreaks) -> Source {
        let starts = line_starts(text.as_bytes(), breaks);
        let blocks = if text.is_ascii() {
            Vec::new()
        } else {
            blocks(text.as_bytes())
        };
        Source {
            text,
            breaks,
            starts,
            blocks,
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Where an offset lies. What is behind the end lies at the end, what is inside a character
    /// at its start.
    pub(crate) fn line_column(&self, offset: TextSize, unit: Unit) -> LineColumn {
        let offset = floor_boundary(&self.text, usize::from(offset));
        let line = self.starts.partition_point(|&it| it as usize <= offset) - 1;
        let start = self.starts[line] as usize;
        let column = self.length_between(start, offset, unit);
        LineColumn {
            line: to_u32(line),
            column,
        }
    }

    /// The offset of a line and column. What is behind the end of a line lies at its end, what is
    /// behind the last line at the end of the text, what is inside a character at its start.
    pub(crate) fn offset(&self, at: LineColumn, unit: Unit) -> TextSize {
        let Some(line) = self.line_range(at.line) else {
            return TextSize::of(&*self.text);
        };
        let (start, end) = (usize::from(line.start()), usize::from(line.end()));
        let offset = if unit == Unit::Utf8 || self.blocks.is_empty() {
            let wanted = start.saturating_add(at.column as usize).min(end);
            floor_boundary(&self.text, wanted)
        } else {
            self.find_column(start, end, at.column, unit)
        };
        TextSize::from(to_u32(offset))
    }

    /// A line from 0, without what ends it.
    pub(crate) fn line_range(&self, line: u32) -> Option<TextRange> {
        let line = line as usize;
        let start = *self.starts.get(line)?;
        let end = match self.starts.get(line + 1) {
            None => self.text.len(),
            Some(&next) => self.before_line_break(start as usize, next as usize),
        };
        Some(TextRange::new(start.into(), to_u32(end).into()))
    }

    /// How long a piece of the text is, in a unit.
    pub(crate) fn length(&self, range: TextRange, unit: Unit) -> u32 {
        self.length_between(range.start().into(), range.end().into(), unit)
    }

    fn length_between(&self, start: usize, end: usize, unit: Unit) -> u32 {
        let piece = &self.text.as_bytes()[start..end];
        // Most lines of a text are ASCII even if it is not, and that is told faster than counted.
        if unit == Unit::Utf8 || self.blocks.is_empty() || piece.is_ascii() {
            return to_u32(end - start);
        }
        if piece.len() <= BLOCK {
            return Counts::default().add(piece).get(unit);
        }
        self.counts_before(end).get(unit) - self.counts_before(start).get(unit)
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

    fn counts_before(&self, offset: usize) -> Counts {
        let block = offset / BLOCK;
        let counts = self.blocks.get(block).copied().unwrap_or_default();
        counts.add(&self.text.as_bytes()[block * BLOCK..offset])
    }

    /// The last character boundary between `start` and `end` with at most `column` units before it.
    fn find_column(&self, start: usize, end: usize, column: u32, unit: Unit) -> usize {
        let goal = self.counts_before(start).get(unit).saturating_add(column);
        // The last block that starts in front of the goal: the first whole character behind its
        // start is still at or before it.
        let block = self.blocks.partition_point(|it| it.get(unit) < goal);
        let from = block.saturating_sub(1) * BLOCK;
        let from = ceil_boundary(&self.text, from.max(start)).min(end);
        let mut counts = self.counts_before(from).get(unit);
        for (index, char) in self.text[from..end].char_indices() {
            counts += match unit {
                Unit::Utf16 => to_u32(char.len_utf16()),
                Unit::Utf8 | Unit::Utf32 => 1,
            };
            if counts > goal {
                return from + index;
            }
        }
        end
    }
}

fn line_starts(bytes: &[u8], breaks: LineBreaks) -> Vec<u32> {
    let mut starts = vec![0];
    let newlines = memchr::memchr_iter(b'\n', bytes);
    if breaks == LineBreaks::Puppet || memchr::memchr(b'\r', bytes).is_none() {
        starts.extend(newlines.map(|at| to_u32(at + 1)));
        return starts;
    }
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let first_half = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        if !first_half {
            starts.push(to_u32(at + 1));
        }
    }
    starts
}

fn blocks(bytes: &[u8]) -> Vec<Counts> {
    let mut counts = Counts::default();
    bytes
        .chunks(BLOCK)
        .map(|chunk| {
            let before = counts;
            counts = counts.add(chunk);
            before
        })
        .collect()
}

/// The start of the character that `offset` lies in.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The end of the character that `offset` lies in.
fn ceil_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}

/// Offsets fit: no text of 4 GiB is ever read or accepted.
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

    const UNITS: [Unit; 3] = [Unit::Utf8, Unit::Utf16, Unit::Utf32];

    #[test]
    fn units_differ_behind_wide_characters() {
        let source = source("a😀é = 1", LineBreaks::Lsp);
        let offset = TextSize::of("a😀é");
        assert_eq!(source.line_column(offset, Unit::Utf8), at(0, 7));
        assert_eq!(source.line_column(offset, Unit::Utf16), at(0, 4));
        assert_eq!(source.line_column(offset, Unit::Utf32), at(0, 3));
    }

    #[test]
    fn every_offset_comes_back() {
        let piece = "é😀x\r\n\n漢字\ry\n";
        let text = piece.repeat(300) + &"😀é".repeat(2000);
        for breaks in [LineBreaks::Puppet, LineBreaks::Lsp] {
            let source = source(&text, breaks);
            for unit in UNITS {
                for (index, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    let offset = TextSize::from(to_u32(index));
                    let place = source.line_column(offset, unit);
                    let in_line_break = source
                        .line_range(place.line)
                        .is_some_and(|it| it.end() < offset);
                    if !in_line_break {
                        assert_eq!(source.offset(place, unit), offset, "{unit:?} {place:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_lone_carriage_return_ends_a_line_for_editors_only() {
        let text = "a\rb\r\nc\n";
        assert_eq!(source(text, LineBreaks::Lsp).starts, [0, 2, 5, 7]);
        assert_eq!(source(text, LineBreaks::Puppet).starts, [0, 5, 7]);
    }

    #[test]
    fn places_outside_are_moved_inside() {
        let source = source("ab\r\n😀\n", LineBreaks::Lsp);
        for unit in UNITS {
            assert_eq!(source.offset(at(0, 99), unit), TextSize::from(2));
            assert_eq!(source.offset(at(1, 99), unit), TextSize::from(8));
            assert_eq!(source.offset(at(2, 0), unit), TextSize::from(9));
            assert_eq!(source.offset(at(99, 99), unit), TextSize::from(9));
            assert_eq!(
                source.offset(at(u32::MAX, u32::MAX), unit),
                TextSize::from(9)
            );
            assert_eq!(source.line_column(TextSize::from(99), unit), at(2, 0));
        }
        // The middle of a surrogate pair, the middle of a character.
        assert_eq!(source.offset(at(1, 1), Unit::Utf16), TextSize::from(4));
        assert_eq!(source.offset(at(1, 2), Unit::Utf8), TextSize::from(4));
        assert_eq!(source.line_column(TextSize::from(6), Unit::Utf16), at(1, 0));
    }
}
