//! The diagnostics that the checks of a file report.

use base::Diagnostic;
use syntax::{Severity, TextRange};

use crate::rule::Rule;
use crate::suppressions::Suppressions;

#[derive(Default)]
pub(crate) struct FileDiagnostics {
    found: Vec<Diagnostic>,
    /// Whether diagnostics are only hints, whatever the severity of their rule.
    is_uncertain: bool,
}

impl FileDiagnostics {
    /// Adds a diagnostic with the default severity of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report_as(rule, rule.severity, range, message)
    }

    /// Adds a diagnostic.
    pub(crate) fn report_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let severity = match self.is_uncertain {
            true => Severity::Hint,
            false => severity,
        };
        let index = self.found.len();
        self.found.push(rule.diagnostic(severity, range, message));
        &mut self.found[index]
    }

    /// Sets whether diagnostics are only hints from now on, and returns whether they were until now.
    pub(crate) fn set_uncertain(&mut self, is_uncertain: bool) -> bool {
        std::mem::replace(&mut self.is_uncertain, is_uncertain)
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.found.last_mut()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns the diagnostics that no comment suppresses, sorted by range and code.
    pub(crate) fn finish(mut self, suppressions: Option<&Suppressions>) -> Vec<Diagnostic> {
        if let Some(suppressions) = suppressions {
            self.found
                .retain(|it| !suppressions.covers(it.code, it.range));
        }
        self.found
            .sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
        self.found
    }
}
