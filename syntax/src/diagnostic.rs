//! Diagnostics, as plain data.

use std::fmt;

use rowan::{TextRange, TextSize};

use crate::Fix;

/// The code of a check: Puppet's own issue code where Puppet has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Puppet rejects the file.
    Error,
    /// Puppet compiles the file with a warning, or the code is probably wrong.
    Warning,
    /// Informational.
    Info,
    /// A subtle hint, such as faded code.
    Hint,
}

/// A secondary location that explains a diagnostic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Related {
    /// The range, in bytes.
    pub range: TextRange,
    /// The relation to the diagnostic, as a short fragment.
    pub message: String,
}

/// A problem in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The code of the check.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The message: one line, without a final period.
    pub message: String,
    /// The range to underline, in bytes.
    pub range: TextRange,
    /// The offset at which Puppet itself reports the problem, often just an operator or a bracket.
    /// `None` where Puppet reports no position at all ("Syntax error at end of input").
    pub anchor: Option<TextSize>,
    /// The stage in which Puppet finds the problem.
    pub stage: Stage,
    /// Secondary locations that explain the problem.
    pub related: Vec<Related>,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
}

/// The stage in which Puppet finds a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Lexing and parsing; Puppet stops at the first error.
    Parse,
    /// The checks of the finished syntax tree.
    Validate,
    /// Registering the definitions of the file.
    Import,
}

impl Diagnostic {
    /// Creates an error of the given stage, with the anchor at the start of `range`.
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

    /// Adds a secondary location.
    #[must_use]
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related {
            range,
            message: message.into(),
        });
        self
    }
}
