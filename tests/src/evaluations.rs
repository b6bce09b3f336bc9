//! Recorded evaluations (`eval/record`), and their comparison with our evaluator.

use std::fmt;
use std::path::PathBuf;

use analysis::eval::{EvalSettings, Evaluation, ReportedError, TypedValue};
use serde::Deserialize;

use crate::corpus;

/// A source and the answer of Puppet 7 with the settings of 8.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedEvaluation {
    /// The area of the language that is tested.
    pub area: String,
    /// The source.
    pub source: String,
    /// The answer.
    pub answer: RecordedAnswer,
}

/// An answer of Puppet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RecordedAnswer {
    /// Whether the evaluation succeeded.
    pub ok: bool,
    /// The value as Puppet source; `None` if it has no source form.
    pub value: Option<String>,
    /// The detailed type of the value.
    pub type_detailed: String,
    /// The result of `type($value, 'reduced')`.
    pub type_reduced: String,
    /// The result of `type($value, 'generalized')`.
    pub type_generalized: String,
    /// The detailed type with the strings that Puppet does not print, if it differs.
    pub type_exact: Option<String>,
    /// The stage of the error: `parse`, `validate` or `evaluate`; `crash` for an unhandled Ruby
    /// exception, which any failure of ours matches.
    pub stage: Option<String>,
    /// The issue code; most errors of functions have none.
    pub code: Option<String>,
    /// The line of the error, counted from 1.
    pub line: Option<u32>,
    /// The column of the error, counted from 1, in characters.
    pub pos: Option<u32>,
}

impl RecordedAnswer {
    fn crashes(&self) -> bool {
        self.stage.as_deref() == Some("crash")
    }
}

/// The agreement of an answer with Puppet's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Agreement {
    /// The same answer.
    Equal,
    /// Both fail for the same reason, in different positions.
    Position,
    /// Our value is unknown.
    Unknown,
    /// Both fail, in different stages or for different reasons.
    WrongError,
    /// We fail, Puppet does not.
    FalseError,
    /// Puppet fails, we do not.
    MissedError,
    /// Both have a value, but not the same, or not with the same type.
    WrongValue,
    /// We panicked.
    Panic,
}

impl Agreement {
    /// All of them, from best to worst.
    pub const ALL: [Agreement; 8] = [
        Agreement::Equal,
        Agreement::Position,
        Agreement::Unknown,
        Agreement::WrongError,
        Agreement::FalseError,
        Agreement::MissedError,
        Agreement::WrongValue,
        Agreement::Panic,
    ];

    /// Checks whether the answer counts as correct. The exact position of an error does not matter.
    pub fn is_right(self) -> bool {
        matches!(self, Agreement::Equal | Agreement::Position)
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Equal => "equal",
            Agreement::Position => "place",
            Agreement::Unknown => "null",
            Agreement::WrongError => "wrong-error",
            Agreement::FalseError => "false-error",
            Agreement::MissedError => "missed-error",
            Agreement::WrongValue => "wrong-value",
            Agreement::Panic => "panic",
        })
    }
}

/// Returns the path of the recording: the one in the repository, or `$PUPIL_EVALUATIONS`.
pub fn recording() -> PathBuf {
    crate::env::evaluations()
        .unwrap_or_else(|| corpus::tests_dir().join("eval/recordings/cases.jsonl.gz"))
}

/// Evaluates a source; returns `None` if that panics.
pub fn evaluate_with_pupil(source: &str) -> Option<Evaluation> {
    let evaluate = || analysis::evaluate(source, EvalSettings::default());
    std::panic::catch_unwind(evaluate).ok()
}

/// Compares our answer with Puppet's.
pub fn compare(source: &str, ours: Option<&Evaluation>, theirs: &RecordedAnswer) -> Agreement {
    match ours {
        None => Agreement::Panic,
        Some(Evaluation::Unknown(_)) => Agreement::Unknown,
        Some(Evaluation::Value(_)) if !theirs.ok => Agreement::MissedError,
        Some(Evaluation::Value(value)) if same_value(value, theirs) => Agreement::Equal,
        Some(Evaluation::Value(_)) => Agreement::WrongValue,
        Some(Evaluation::Error(_)) if theirs.ok => Agreement::FalseError,
        Some(Evaluation::Error(it)) if !same_error(it, theirs) => Agreement::WrongError,
        Some(Evaluation::Error(it))
            if theirs.crashes() || place(source, it) == (theirs.line, theirs.pos) =>
        {
            Agreement::Equal
        }
        Some(Evaluation::Error(_)) => Agreement::Position,
    }
}

fn same_value(ours: &TypedValue, theirs: &RecordedAnswer) -> bool {
    let exact = theirs.type_exact.as_ref().unwrap_or(&theirs.type_detailed);
    ours.value == theirs.value
        && ours.type_detailed == theirs.type_detailed
        && ours.type_reduced == theirs.type_reduced
        && ours.type_generalized == theirs.type_generalized
        && ours.type_exact == *exact
}

/// Some errors of Puppet's grammar lack a code; ours never do.
fn same_error(ours: &ReportedError, theirs: &RecordedAnswer) -> bool {
    if theirs.crashes() {
        return true;
    }
    let same_code = match &theirs.code {
        Some(code) => ours.code == Some(code),
        None => ours.code.is_none() || ours.stage == "parse",
    };
    same_code && theirs.stage.as_deref() == Some(ours.stage)
}

/// Returns the line and column of an error, counted from 1.
pub fn place(source: &str, failure: &ReportedError) -> (Option<u32>, Option<u32>) {
    let Some(at) = failure.at else {
        return (None, None);
    };
    let before = &source[..usize::from(at).min(source.len())];
    let line = before.matches('\n').count();
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |it| it.chars().count());
    let number = |it: usize| u32::try_from(it + 1).ok();
    (number(line), number(column))
}
