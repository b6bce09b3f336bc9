//! Runs the checks of whole files: layout, line lengths, comments.

use std::cell::OnceCell;
use std::rc::Rc;

use base::{Diagnostic, FileInput, Fix};
use format::LayoutChange;
use salsa::Database;
use syntax::{Applicability, Edit, SyntaxNode, TextRange};

use crate::enabled_checks::enabled_checks;
use crate::rule::Rule;

/// The context of the checks of a file, and the diagnostics reported so far.
pub(crate) struct FileChecker<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) file: FileInput,
    pub(crate) text: &'db str,
    /// The differences between the file and its layout, once a rule has asked for them.
    pub(crate) layout: OnceCell<Rc<[LayoutChange]>>,
    found: Vec<Diagnostic>,
}

impl FileChecker<'_> {
    /// Reports a diagnostic.
    pub(crate) fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) {
        self.found
            .push(rule.diagnostic(rule.severity, range, message));
    }

    /// Adds a fix to the last diagnostic.
    pub(crate) fn fix(&mut self, label: &str, applicability: Applicability, edits: Vec<Edit>) {
        let file = self.file.id(self.db);
        if let Some(last) = self.found.last_mut() {
            last.fixes.push(Fix {
                label: label.to_owned(),
                applicability,
                edits: edits.into_iter().map(|it| (file, it)).collect(),
            });
        }
    }

    /// Returns the syntax tree of the file.
    pub(crate) fn root(&self) -> SyntaxNode {
        base::parse(self.db, self.file).syntax()
    }
}

/// Returns the diagnostics of the rules that examine a file as a whole, in no particular order.
pub fn whole_file_findings(db: &dyn Database, file: FileInput) -> Vec<Diagnostic> {
    let Some(environment) = file.environment(db) else {
        return Vec::new();
    };
    let checks = &enabled_checks(db, environment).files;
    if checks.is_empty() {
        return Vec::new();
    }
    let mut checker = FileChecker {
        db,
        file,
        text: file.text(db).as_deref().unwrap_or_default(),
        layout: OnceCell::new(),
        found: Vec::new(),
    };
    for check in checks {
        check(&mut checker);
    }
    checker.found
}
