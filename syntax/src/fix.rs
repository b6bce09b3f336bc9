//! Fixes of diagnostics, as plain data.

use rowan::TextRange;

/// Whether a fix may be applied automatically.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Applicability {
    /// The fix preserves behavior, or Puppet rejects the code and it can only mean the result.
    Safe,
    /// The fix is probably intended, but only the author can decide.
    Suggested,
}

/// The replacement of a range of text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// The replaced range, in bytes; empty for an insertion.
    pub range: TextRange,
    /// The new text.
    pub text: String,
}

/// A change that resolves a diagnostic. Ranges refer to the file of the diagnostic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// The title: imperative, without a final period.
    pub label: String,
    /// Whether the fix may be applied automatically.
    pub applicability: Applicability,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Creates a fix with one edit that may be applied automatically.
    pub fn certain(label: impl Into<String>, range: TextRange, text: impl Into<String>) -> Fix {
        Fix {
            label: label.into(),
            applicability: Applicability::Safe,
            edits: vec![Edit {
                range,
                text: text.into(),
            }],
        }
    }

    /// Creates a fix with one edit that needs the consent of the author.
    pub fn suggested(label: impl Into<String>, range: TextRange, text: impl Into<String>) -> Fix {
        Fix {
            applicability: Applicability::Suggested,
            ..Fix::certain(label, range, text)
        }
    }

    /// Returns the fix with the given applicability.
    #[must_use]
    pub fn with(mut self, applicability: Applicability) -> Fix {
        self.applicability = applicability;
        self
    }
}

/// Applies edits to a string.
///
/// Returns `None` if an edit is out of bounds or splits a character, or if two edits overlap.
/// Insertions at the same offset keep the order of `edits`.
pub fn apply<'a>(text: &str, edits: impl IntoIterator<Item = &'a Edit>) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|it| (it.range.start(), it.range.end()));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (
            usize::from(edit.range.start()),
            usize::from(edit.range.end()),
        );
        out.push_str(text.get(at..start)?);
        text.get(start..end)?;
        out.push_str(&edit.text);
        at = end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            range: TextRange::new(start.into(), end.into()),
            text: text.to_owned(),
        }
    }

    #[test]
    fn applies_edits_in_any_order() {
        let edits = [edit(4, 4, "!"), edit(0, 2, "x"), edit(4, 4, "?")];
        assert_eq!(apply("abcd", &edits).as_deref(), Some("xcd!?"));
    }

    #[test]
    fn rejects_overlapping_and_out_of_bounds_edits() {
        assert_eq!(apply("abcd", &[edit(0, 2, ""), edit(1, 3, "")]), None);
        assert_eq!(apply("ab", &[edit(1, 3, "")]), None);
        assert_eq!(apply("ä", &[edit(1, 2, "")]), None);
    }
}
