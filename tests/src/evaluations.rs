//! What the real Puppet was recorded to make of sources (`eval/record`), and how our evaluator is
//! held against it.

use std::fmt;
use std::path::PathBuf;

use analysis::eval::{EvalSettings, Evaluation, ReportedError, TypedValue};
use serde::Deserialize;

use crate::corpus;

/// A source and what Puppet 7 makes of it under the settings of 8.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedEvaluation {
    /// The part of the language that it tries.
    pub area: String,
    /// The source.
    pub source: String,
    /// The answer.
    pub answer: RecordedAnswer,
}

/// What Puppet answers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RecordedAnswer {
    /// Whether there is a value.
    pub ok: bool,
    /// Puppet source for the value; none for what has no such form.
    pub value: Option<String>,
    /// The three types of the value.
    pub type_detailed: String,
    /// What `type($value, 'reduced')` gives.
    pub type_reduced: String,
    /// What `type($value, 'generalized')` gives.
    pub type_generalized: String,
    /// The detailed type with the strings that Puppet does not print, if that is different.
    pub type_exact: Option<String>,
    /// Where Puppet fails: `parse`, `validate` or `evaluate`; `crash` if it breaks itself, with an
    /// error of Ruby's that it does not handle: then any failure is as right as another.
    pub stage: Option<String>,
    /// Its issue code; none for most errors of functions.
    pub code: Option<String>,
    /// The line of the error, from 1.
    pub line: Option<u32>,
    /// The column of the error, from 1, in characters.
    pub pos: Option<u32>,
}

impl RecordedAnswer {
    fn crashes(&self) -> bool {
        self.stage.as_deref() == Some("crash")
    }
}

/// How our answer compares with Puppet's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Agreement {
    /// It is the same.
    Equal,
    /// Both fail, for the same reason, at different places.
    Place,
    /// We do not know.
    Null,
    /// Both fail, at another stage or for another reason.
    WrongError,
    /// We fail, Puppet does not.
    FalseError,
    /// Puppet fails, we do not.
    MissedError,
    /// Both have a value, not the same or not of the same type.
    WrongValue,
    /// We broke.
    Panic,
}

impl Agreement {
    /// All of them, the best first.
    pub const ALL: [Agreement; 8] = [
        Agreement::Equal,
        Agreement::Place,
        Agreement::Null,
        Agreement::WrongError,
        Agreement::FalseError,
        Agreement::MissedError,
        Agreement::WrongValue,
        Agreement::Panic,
    ];

    /// Whether the answer is as good as equal: where exactly Puppet reports an error is not asked.
    pub fn is_right(self) -> bool {
        matches!(self, Agreement::Equal | Agreement::Place)
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Equal => "equal",
            Agreement::Place => "place",
            Agreement::Null => "null",
            Agreement::WrongError => "wrong-error",
            Agreement::FalseError => "false-error",
            Agreement::MissedError => "missed-error",
            Agreement::WrongValue => "wrong-value",
            Agreement::Panic => "panic",
        })
    }
}

/// The recording: of the repository, or another one that `PUPIL_EVALUATIONS` names.
pub fn recording() -> PathBuf {
    std::env::var_os("PUPIL_EVALUATIONS").map_or_else(
        || corpus::tests_dir().join("eval/recordings/cases.jsonl.gz"),
        PathBuf::from,
    )
}

/// What our evaluator makes of a source; `None` if it breaks.
pub fn ours(source: &str) -> Option<Evaluation> {
    let evaluate = || analysis::evaluate(source, EvalSettings::default());
    std::panic::catch_unwind(evaluate).ok()
}

/// Holds our answer against Puppet's.
pub fn compare(source: &str, ours: Option<&Evaluation>, theirs: &RecordedAnswer) -> Agreement {
    match ours {
        None => Agreement::Panic,
        Some(Evaluation::Unknown(_)) => Agreement::Null,
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
        Some(Evaluation::Error(_)) => Agreement::Place,
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

/// Puppet has no code for some errors of its grammar; ours all have one.
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

/// The line and column of an error, from 1.
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
