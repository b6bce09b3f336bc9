//! What is wrong with a file, as plain data.

use std::fmt;

use rowan::{TextRange, TextSize};

use crate::Fix;

/// A code that names the rule: Puppet's own issue code where Puppet has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Puppet refuses the file.
    Error,
    /// Puppet compiles the file and complains.
    Warning,
    /// Worth knowing.
    Info,
    /// Worth a dimmed mark.
    Hint,
}

/// Another place that explains a diagnostic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Related {
    /// The place, in bytes.
    pub range: TextRange,
    /// What it has to do with the diagnostic.
    pub message: String,
}

/// One finding in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The rule.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to underline, in bytes.
    pub range: TextRange,
    /// Where Puppet itself would report it, in bytes; often just an operator or a bracket.
    /// `None` where Puppet gives no position at all ("Syntax error at end of input").
    pub anchor: Option<TextSize>,
    /// Whether Puppet finds it while it still reads the file (the first such error ends its work).
    pub stage: Stage,
    /// Places that explain it.
    pub related: Vec<Related>,
    /// What can be done about it, the best first.
    pub fixes: Vec<Fix>,
}

/// When Puppet finds a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Lexing and parsing.
    Parse,
    /// The checks on the finished tree.
    Validate,
    /// Defining what the file defines.
    Import,
}

impl Diagnostic {
    /// An error of the given stage, placed for Puppet at the start of `range`.
    pub fn error(
        stage: Stage,
        code: &'static str,
        message: impl Into<String>,
        range: TextRange,
    ) -> Self {
        Diagnostic {
            code: Code(code),
            severity: Severity::Error,
            message: message.into(),
            range,
            anchor: Some(range.start()),
            stage,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// The same with another place that explains it.
    #[must_use]
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related {
            range,
            message: message.into(),
        });
        self
    }
}
