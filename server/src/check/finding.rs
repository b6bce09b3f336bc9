//! Diagnostics with line and column numbers, as the output formats need them.

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::ide::automatic_fix;
use syntax::{Applicability, Severity, TextRange, TextSize};

use crate::read_text::InvalidUtf8;
use crate::source::{LineColumn, PositionEncoding, Source};

/// A diagnostic with line and column numbers.
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) range: TextRange,
    pub(super) span: Span,
    pub(super) related: Vec<Related>,
    pub(super) fixes: Vec<Fix>,
    /// The kind of fix that `--fix` applies, suggested ones only with `--unsafe-fixes`. Files with syntax errors are not
    /// fixed.
    pub(super) automatic_fix: Option<Applicability>,
}

/// A fix of a diagnostic.
pub(super) struct Fix {
    pub(super) label: String,
    /// Whether `--fix` applies it.
    pub(super) is_safe: bool,
    pub(super) edits: Vec<Edit>,
}

/// A replacement of a range of text.
pub(super) struct Edit {
    /// The file, if it differs from that of the diagnostic.
    pub(super) path: Option<String>,
    pub(super) span: Span,
    pub(super) text: String,
}

/// Related information: a secondary location with a message.
pub(super) struct Related {
    /// The file, if it differs from that of the diagnostic.
    pub(super) path: Option<String>,
    pub(super) message: String,
    pub(super) range: TextRange,
    pub(super) span: Span,
}

/// A range of one-based lines and columns; columns count characters.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl Span {
    fn new(range: TextRange, source: &Source) -> Span {
        let line_column = |offset: TextSize| -> LineColumn {
            source.line_column(offset, PositionEncoding::Utf32)
        };
        let (start, end) = (line_column(range.start()), line_column(range.end()));
        Span {
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
        }
    }
}

impl Finding {
    /// Converts a diagnostic of `file`. `other_file` returns the name and source of other files.
    pub(super) fn new(
        diagnostic: &Diagnostic,
        file: FileId,
        source: &Source,
        other_file: &dyn Fn(FileId) -> Option<(String, Source)>,
    ) -> Finding {
        let related = diagnostic.related.iter().filter_map(|it| {
            let other = if it.file == file {
                None
            } else {
                Some(other_file(it.file)?)
            };
            let source = other.as_ref().map_or(source, |it| &it.1);
            Some(Related {
                message: it.message.clone(),
                range: it.range,
                span: Span::new(it.range, source),
                path: other.map(|it| it.0),
            })
        });
        Finding {
            severity: diagnostic.severity,
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            range: diagnostic.range,
            span: Span::new(diagnostic.range, source),
            related: related.collect(),
            fixes: fixes(diagnostic, file, source, other_file),
            automatic_fix: automatic_fix(diagnostic, file, Applicability::Suggested)
                .map(|it| it.applicability),
        }
    }

    /// Creates the error for a file that is not UTF-8. In `source`, U+FFFD replaces invalid bytes.
    pub(super) fn not_utf8(invalid: &InvalidUtf8, source: &Source) -> Finding {
        let start = TextSize::of(invalid.text_before());
        let range = TextRange::at(start, TextSize::of(char::REPLACEMENT_CHARACTER));
        Finding {
            severity: Severity::Error,
            code: "INVALID_UTF8",
            message: invalid.message(),
            range,
            span: Span::new(range, source),
            related: Vec::new(),
            fixes: Vec::new(),
            automatic_fix: None,
        }
    }

    /// Checks whether `--fix` resolves the diagnostic.
    pub(super) fn has_safe_fix(&self) -> bool {
        self.automatic_fix == Some(Applicability::Safe)
    }

    /// Checks whether only `--fix --unsafe-fixes` resolves the diagnostic.
    pub(super) fn has_unsafe_fix(&self) -> bool {
        self.automatic_fix == Some(Applicability::Suggested)
    }

    /// Returns the name of the severity in JSON.
    pub(super) fn severity_name(&self) -> &'static str {
        match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

/// Converts the fixes whose files are all known.
fn fixes(
    diagnostic: &Diagnostic,
    file: FileId,
    source: &Source,
    other_file: &dyn Fn(FileId) -> Option<(String, Source)>,
) -> Vec<Fix> {
    let edit = |(other, edit): &(FileId, syntax::Edit)| {
        let other = match *other == file {
            true => None,
            false => Some(other_file(*other)?),
        };
        let source = other.as_ref().map_or(source, |it| &it.1);
        Some(Edit {
            span: Span::new(edit.range, source),
            text: edit.text.clone(),
            path: other.map(|it| it.0),
        })
    };
    let fixes = diagnostic.fixes.iter().filter_map(|it| {
        Some(Fix {
            label: it.label.clone(),
            is_safe: it.applicability == Applicability::Safe,
            edits: it.edits.iter().map(edit).collect::<Option<_>>()?,
        })
    });
    fixes.collect()
}
