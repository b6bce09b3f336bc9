//! Diagnostics and fixes as plain data.

use syntax::{Applicability, Edit, Severity, TextRange};

use crate::FileId;

/// A problem in a file, as reported to the user.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The rule: Puppet's issue code if Puppet has one, otherwise the name of a rule in
    /// [`rules::RULES`].
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The message, on one line without a final period.
    pub message: String,
    /// The range to underline.
    pub range: TextRange,
    /// Related information: secondary locations, possibly in other files.
    pub related: Vec<RelatedInformation>,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
}

/// A change that resolves a [`Diagnostic`]. It preserves the meaning of the code, or the intended
/// meaning if Puppet rejects the code.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// The label, in the imperative without a final period.
    pub label: String,
    /// Whether the fix is safe to apply without review.
    pub applicability: Applicability,
    /// The edits with their files, in any order. They do not overlap.
    pub edits: Vec<(FileId, Edit)>,
}

impl Fix {
    /// Creates a fix from one whose ranges refer to a file.
    pub fn in_file(file: FileId, fix: syntax::Fix) -> Fix {
        Fix {
            label: fix.label,
            applicability: fix.applicability,
            edits: fix.edits.into_iter().map(|it| (file, it)).collect(),
        }
    }
}

/// A secondary location of a [`Diagnostic`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RelatedInformation {
    /// The file.
    pub file: FileId,
    /// The range in the file.
    pub range: TextRange,
    /// How the location relates to the diagnostic.
    pub message: String,
}
