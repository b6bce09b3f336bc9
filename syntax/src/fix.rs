//! What can be done about a finding, as plain data.

use rowan::TextRange;

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Applicability {
    /// The code does the same as before, or Puppet refuses it and it can be meant in no other way.
    Certain,
    /// It is likely what is meant; whoever wrote the code must say.
    Suggested,
}

/// A piece of text that takes the place of another one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// What is replaced, in bytes; empty for an insertion.
    pub range: TextRange,
    /// What stands there afterwards.
    pub text: String,
}

/// A change of a text after which a finding is gone. Ranges are those of the finding's text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// What it does, in the imperative, without a full stop.
    pub label: String,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The edits, none of which overlaps another.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// One edit that may be applied without asking.
    pub fn certain(label: impl Into<String>, range: TextRange, text: impl Into<String>) -> Fix {
        Fix {
            label: label.into(),
            applicability: Applicability::Certain,
            edits: vec![Edit {
                range,
                text: text.into(),
            }],
        }
    }

    /// One edit that whoever wrote the code must want.
    pub fn suggested(label: impl Into<String>, range: TextRange, text: impl Into<String>) -> Fix {
        Fix {
            applicability: Applicability::Suggested,
            ..Fix::certain(label, range, text)
        }
    }

    /// The same with another applicability.
    #[must_use]
    pub fn with(mut self, applicability: Applicability) -> Fix {
        self.applicability = applicability;
        self
    }
}

/// A text after edits. `None` if one is outside of the text or in the middle of a character, or if
/// two overlap; insertions at one place come in the order of `edits`.
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
    fn edits_are_applied_from_any_order() {
        let edits = [edit(4, 4, "!"), edit(0, 2, "x"), edit(4, 4, "?")];
        assert_eq!(apply("abcd", &edits).as_deref(), Some("xcd!?"));
    }

    #[test]
    fn edits_that_do_not_fit_change_nothing() {
        assert_eq!(apply("abcd", &[edit(0, 2, ""), edit(1, 3, "")]), None);
        assert_eq!(apply("ab", &[edit(1, 3, "")]), None);
        assert_eq!(apply("ä", &[edit(1, 2, "")]), None);
    }
}
