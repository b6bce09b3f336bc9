//! Changes to the text of a document.

use std::sync::Arc;

use syntax::{TextRange, TextSize};
use tower_lsp::ls_types::TextDocumentContentChangeEvent;
use tracing::error;

use super::client_capabilities::ResolvedClientCapabilities;
use super::{from_proto, to_proto};
use crate::read_text::MAX_FILE_SIZE;
use crate::source::{LineBreaks, Source};

/// Narrows a change of the whole text down to the part that differs. Some editors send the whole text for each key.
pub(super) fn with_range(
    change: TextDocumentContentChangeEvent,
    source: &Source,
    client: &ResolvedClientCapabilities,
) -> TextDocumentContentChangeEvent {
    if change.range.is_some() {
        return change;
    }
    let (old, new) = (source.text(), &change.text);
    let start = common_prefix(old, new);
    let after = common_suffix(&old[start..], &new[start..]);
    let (Ok(first), Ok(last)) = (
        TextSize::try_from(start),
        TextSize::try_from(old.len() - after),
    ) else {
        return change;
    };
    let range = TextRange::new(first, last);
    TextDocumentContentChangeEvent {
        range: Some(to_proto::range(range, source, client.position_encoding)),
        text: new[start..new.len() - after].to_owned(),
        ..change
    }
}

/// Returns the length of the longest common start.
fn common_prefix(a: &str, b: &str) -> usize {
    let mut both = a.bytes().zip(b.bytes());
    let equal = both.position(|(a, b)| a != b);
    let mut length = equal.unwrap_or(a.len().min(b.len()));
    // A line break of two characters stays together.
    while !is_boundary(a, length) || !is_boundary(b, length) {
        length -= 1;
    }
    length
}

/// Returns the length of the longest common end.
fn common_suffix(a: &str, b: &str) -> usize {
    let mut both = a.bytes().rev().zip(b.bytes().rev());
    let equal = both.position(|(a, b)| a != b);
    let mut length = equal.unwrap_or(a.len().min(b.len()));
    while !is_boundary(a, a.len() - length) || !is_boundary(b, b.len() - length) {
        length -= 1;
    }
    length
}

/// Checks whether an offset is between two characters, and not in a line break.
fn is_boundary(text: &str, offset: usize) -> bool {
    let splits_break = text.as_bytes().get(offset) == Some(&b'\n')
        && offset.checked_sub(1).and_then(|it| text.as_bytes().get(it)) == Some(&b'\r');
    text.is_char_boundary(offset) && !splits_break
}

/// Applies one content change. A change without a range replaces the whole text.
pub(super) fn apply(
    source: &mut Arc<Source>,
    change: TextDocumentContentChangeEvent,
    client: &ResolvedClientCapabilities,
) {
    let text = match change.range {
        None => change.text,
        Some(range) => {
            let range = from_proto::text_range(range, source, client.position_encoding);
            let old = source.text();
            let (start, end) = (usize::from(range.start()), usize::from(range.end()));
            let mut text = String::with_capacity(old.len() - (end - start) + change.text.len());
            text.push_str(&old[..start]);
            text.push_str(&change.text);
            text.push_str(&old[end..]);
            text
        }
    };
    if text.len() as u64 > MAX_FILE_SIZE {
        return error!("ignored an edit: the document would be too large");
    }
    *source = Arc::new(Source::new(text.into(), LineBreaks::Lsp));
}

#[cfg(test)]
mod tests {
    use tower_lsp::ls_types::ClientCapabilities;

    use super::*;

    /// Returns the range, as lines and columns, and the text of the narrowed change from one text to another.
    #[track_caller]
    fn narrowed(old: &str, new: &str) -> String {
        let client = ResolvedClientCapabilities::new(&ClientCapabilities::default(), "");
        let mut source = Arc::new(Source::new(old.into(), LineBreaks::Lsp));
        let whole = TextDocumentContentChangeEvent {
            range: None,
            range_length: None,
            text: new.to_owned(),
        };
        let change = with_range(whole, &source, &client);
        let range = change.range.expect("it has a range");
        let found = format!(
            "{}:{}-{}:{} {:?}",
            range.start.line,
            range.start.character,
            range.end.line,
            range.end.character,
            change.text
        );
        apply(&mut source, change, &client);
        assert_eq!(&**source.text(), new);
        found
    }

    #[test]
    fn narrows_whole_texts_to_the_difference() {
        assert_eq!(
            narrowed("class a {\n}\n", "class ab {\n}\n"),
            "0:7-0:7 \"b\""
        );
        assert_eq!(narrowed("aaa", "aaaa"), "0:3-0:3 \"a\"");
        assert_eq!(narrowed("aaa", "a"), "0:1-0:3 \"\"");
        assert_eq!(narrowed("", "a\n"), "0:0-0:0 \"a\\n\"");
        assert_eq!(narrowed("a", "a"), "0:1-0:1 \"\"");
    }

    #[test]
    fn keeps_characters_and_line_breaks_whole() {
        assert_eq!(narrowed("'ä'", "'ö'"), "0:1-0:2 \"ö\"");
        assert_eq!(narrowed("a\r\nb", "a\nb"), "0:1-1:0 \"\\n\"");
        assert_eq!(narrowed("a\r\n", "a\r"), "0:1-1:0 \"\\r\"");
    }
}
