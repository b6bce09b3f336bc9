//! Helpers for displaying source: line lookup and one-line excerpts.

use syntax::{SyntaxKind, SyntaxNode, TextRange, TextSize};

/// The line index of a source text. As in the LSP, a line ends with LF, CRLF or a lone CR.
#[derive(Debug)]
pub(crate) struct LineIndex {
    starts: Vec<TextSize>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let is_end = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let line_starts = (0..bytes.len()).filter(|&at| is_end(at)).map(|at| at + 1);
        let starts = std::iter::once(0).chain(line_starts);
        LineIndex {
            starts: starts.map(|it| TextSize::new(it as u32)).collect(),
        }
    }

    /// Returns the zero-based line of an offset.
    pub(crate) fn line(&self, offset: TextSize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Returns the first and the last line of a range.
    pub(crate) fn lines(&self, range: TextRange) -> (usize, usize) {
        (self.line(range.start()), self.line(range.end()))
    }
}

/// The maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 80;

/// Renders the source of a node on one line. Whitespace and comments collapse to a single space;
/// long text is truncated.
pub(crate) fn excerpt(node: &SyntaxNode) -> String {
    excerpt_up_to(node, MAX_EXCERPT)
}

/// Renders the source of a node on one line, however long. Whitespace and comments collapse to a
/// single space.
pub(crate) fn uncut_excerpt(node: &SyntaxNode) -> String {
    excerpt_up_to(node, usize::MAX)
}

fn excerpt_up_to(node: &SyntaxNode, max_length: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut blank = false;
    let tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    for token in tokens {
        let kind = token.kind();
        if kind == SyntaxKind::WHITESPACE || kind.is_comment() {
            blank = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
            length += 1;
        }
        for c in token.text().chars() {
            if length >= max_length {
                out.push('…');
                return out;
            }
            out.push(if c.is_control() { ' ' } else { c });
            length += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::Dialect;

    #[test]
    fn supports_all_line_endings() {
        let lines = LineIndex::new("a\nb\r\nc\rd");
        let of = |at: u32| lines.line(at.into());
        assert_eq!([of(0), of(1), of(2), of(4)], [0, 0, 1, 1]);
        assert_eq!([of(5), of(6), of(7), of(99)], [2, 2, 3, 3]);
    }

    #[test]
    fn excerpt_is_one_line() {
        let source = "[1, # one\n   'ä\u{7}b']";
        let root = syntax::parse(source, Dialect::default()).syntax();
        assert_eq!(excerpt(&root), "[1, 'ä b']");
        let long = format!("'{}'", "x".repeat(200));
        let root = syntax::parse(&long, Dialect::default()).syntax();
        assert_eq!(excerpt(&root).chars().count(), MAX_EXCERPT + 1);
    }
}
