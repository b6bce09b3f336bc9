//! The diagnostics that the checks of a file report.

use base::Diagnostic;
use syntax::Severity;

#[derive(Default)]
pub(crate) struct FileDiagnostics {
    found: Vec<Diagnostic>,
    /// Whether diagnostics are only hints, whatever the severity of their rule.
    is_uncertain: bool,
}

impl FileDiagnostics {
    /// Adds a diagnostic.
    pub(crate) fn add(&mut self, mut diagnostic: Diagnostic) -> &mut Diagnostic {
        if self.is_uncertain {
            diagnostic.severity = Severity::Hint;
        }
        let index = self.found.len();
        self.found.push(diagnostic);
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

    /// Returns the diagnostics that are not suppressed, sorted by range and code.
    pub(crate) fn finish(mut self, is_suppressed: impl Fn(&Diagnostic) -> bool) -> Vec<Diagnostic> {
        self.found.retain(|it| !is_suppressed(it));
        self.found
            .sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
        self.found
    }
}
