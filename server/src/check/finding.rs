//! One thing that is wrong, with its place as people count.

use std::ops::Range;

use analysis::FileId;
use analysis::ide::Diagnostic;
use syntax::{Applicability, Severity, TextRange, TextSize};

use crate::disk::InvalidUtf8;
use crate::source::{LineColumn, Source, Unit};

/// A diagnostic with lines and columns.
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) range: TextRange,
    pub(super) span: Span,
    /// The line that it begins on, without blanks around it.
    pub(super) line_text: String,
    pub(super) related: Vec<Related>,
    pub(super) fixes: Vec<Fix>,
}

/// What can be done about a finding.
pub(super) struct Fix {
    pub(super) label: String,
    /// Whether `--fix` applies it.
    pub(super) is_certain: bool,
    pub(super) edits: Vec<Edit>,
}

/// A replacement of a piece of text.
pub(super) struct Edit {
    /// The file, if it is another one.
    pub(super) path: Option<String>,
    pub(super) span: Span,
    pub(super) text: String,
}

/// Another place that explains a finding.
pub(super) struct Related {
    /// The file, if it is another one.
    pub(super) path: Option<String>,
    pub(super) message: String,
    pub(super) range: TextRange,
    pub(super) span: Span,
}

/// From one place to another; lines and columns count from 1, columns in characters.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl Span {
    fn new(range: TextRange, source: &Source) -> Span {
        let place = |offset: TextSize| -> LineColumn { source.line_column(offset, Unit::Utf32) };
        let (start, end) = (place(range.start()), place(range.end()));
        Span {
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
        }
    }
}

impl Finding {
    /// `elsewhere` is asked for the names and texts of other files than `file`.
    pub(super) fn new(
        diagnostic: &Diagnostic,
        file: FileId,
        source: &Source,
        elsewhere: &dyn Fn(FileId) -> Option<(String, Source)>,
    ) -> Finding {
        let related = diagnostic.related.iter().filter_map(|it| {
            let other = if it.file == file {
                None
            } else {
                Some(elsewhere(it.file)?)
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
            line_text: line_text(diagnostic.range, source),
            related: related.collect(),
            fixes: fixes(diagnostic, file, source, elsewhere),
        }
    }

    /// The finding about a file that is not text; `source` has U+FFFD in the place of what is
    /// wrong.
    pub(super) fn not_utf8(invalid: &InvalidUtf8, source: &Source) -> Finding {
        let start = TextSize::of(invalid.text_before());
        let range = TextRange::at(start, TextSize::of(char::REPLACEMENT_CHARACTER));
        Finding {
            severity: Severity::Error,
            code: "INVALID_UTF8",
            message: invalid.message(),
            range,
            span: Span::new(range, source),
            line_text: line_text(range, source),
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// The name of the severity in JSON.
    pub(super) fn severity_name(&self) -> &'static str {
        match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

/// The fixes all of whose files are known.
fn fixes(
    diagnostic: &Diagnostic,
    file: FileId,
    source: &Source,
    elsewhere: &dyn Fn(FileId) -> Option<(String, Source)>,
) -> Vec<Fix> {
    let edit = |(other, edit): &(FileId, syntax::Edit)| {
        let other = match *other == file {
            true => None,
            false => Some(elsewhere(*other)?),
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
            is_certain: it.applicability == Applicability::Certain,
            edits: it.edits.iter().map(edit).collect::<Option<_>>()?,
        })
    });
    fixes.collect()
}

fn line_text(range: TextRange, source: &Source) -> String {
    let line = source.line_column(range.start(), Unit::Utf8).line;
    let line = source
        .line_range(line)
        .and_then(|it| source.text().get(Range::<usize>::from(it)));
    line.unwrap_or_default().trim().to_owned()
}
