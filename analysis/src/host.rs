//! The façade: changes go in, snapshots come out.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;

use syntax::validation::{ModulePlace, PuppetVersion};
use syntax::{Dialect, Edit, Parse, Severity, TextRange, TextSize};

use crate::db::{self, FileInput, RootDatabase};
use crate::ide::{
    self, Diagnostic, DocumentSymbol, ExpressionNote, FoldingRange, HintKind, HintOptions, Hover,
    InferredPlace, InlayHint, NamedReference, SemanticToken, Targets, WorkspaceSymbol,
};
use crate::workspace::WorkspaceLayout;

/// A file, for as long as the host lives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// What a file is besides its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FileSpec {
    /// Its language.
    pub dialect: Dialect,
    /// Where it lies in a module.
    pub place: Option<ModulePlace>,
}

/// One change of the world.
#[derive(Clone, Debug)]
pub enum Change {
    /// A file is new or has a new text.
    SetFile {
        /// Which file.
        file: FileId,
        /// What it is.
        spec: FileSpec,
        /// All of its text.
        text: Arc<str>,
    },
    /// A file that is being edited has a new text. The same as [`Change::SetFile`], which makes an
    /// end of it, but what rests on other files only is not even looked at afterwards.
    EditFile {
        /// Which file.
        file: FileId,
        /// What it is.
        spec: FileSpec,
        /// All of its text.
        text: Arc<str>,
    },
    /// A file is gone.
    RemoveFile(FileId),
    /// The rules of another release apply.
    SetVersion(PuppetVersion),
    /// Which environments and modules there are, and which files lie where.
    SetWorkspace(Arc<WorkspaceLayout>),
}

/// Holds the state of the world.
#[derive(Debug)]
pub struct AnalysisHost {
    db: RootDatabase,
}

impl Default for AnalysisHost {
    fn default() -> Self {
        AnalysisHost {
            db: RootDatabase::new(),
        }
    }
}

impl AnalysisHost {
    /// Applies a change. What is being computed from snapshots taken earlier is cancelled, see
    /// [`cancellable`]; the call waits until they have noticed.
    pub fn apply_change(&mut self, change: Change) {
        match change {
            Change::SetFile { file, spec, text } => self.db.set_file(file, spec, text),
            Change::EditFile { file, spec, text } => self.db.edit_file(file, spec, text),
            Change::RemoveFile(file) => self.db.remove_file(file),
            Change::SetVersion(version) => self.db.set_version(version),
            Change::SetWorkspace(layout) => self.db.set_workspace(layout),
        }
    }

    /// A snapshot of the state.
    pub fn analysis(&self) -> Analysis {
        Analysis {
            db: self.db.clone(),
        }
    }
}

/// What a snapshot knows is out of date, because a change was applied meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

/// Runs work on a snapshot. Questions to a snapshot end by unwinding when a change is applied
/// meanwhile; this is where that ends.
///
/// # Errors
///
/// If a change was applied meanwhile.
///
/// # Panics
///
/// If the work panics, or needs what another thread panicked over: to try again would be in vain.
pub fn cancellable<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    // A snapshot is read only: nothing can be left half done.
    salsa::Cancelled::catch(AssertUnwindSafe(work)).map_err(|cancelled| match cancelled {
        salsa::Cancelled::PropagatedPanic => resume_unwind(Box::new(cancelled)),
        _ => Cancelled,
    })
}

/// A snapshot: cheap to clone, may be sent to another thread. Every question about a file that
/// is not there is answered with nothing. See [`cancellable`].
#[derive(Clone, Debug)]
pub struct Analysis {
    db: RootDatabase,
}

impl Default for Analysis {
    fn default() -> Self {
        AnalysisHost::default().analysis()
    }
}

impl Analysis {
    /// A file that is there.
    fn file(&self, id: FileId) -> Option<FileInput> {
        self.db.file(id).filter(|it| it.text(&self.db).is_some())
    }

    fn parsed(&self, id: FileId) -> Option<&Parse> {
        self.file(id).map(|it| db::parse(&self.db, it))
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> Option<Arc<str>> {
        self.file(file)?.text(&self.db).clone()
    }

    /// The tree of a file.
    pub fn parse(&self, file: FileId) -> Option<Parse> {
        self.parsed(file).cloned()
    }

    /// All that is wrong with a file, in the order of its text.
    pub fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::workspace_diagnostics(&self.db, it))
    }

    /// The edit that silences a finding in a file with a comment, if a comment can do that.
    pub fn ignore(&self, file: FileId, finding: &Diagnostic) -> Option<Edit> {
        let file = self.file(file)?;
        let text = file.text(&self.db).as_deref()?;
        ide::ignore(text, file.spec(&self.db).dialect, finding)
    }

    /// Whether a file has no errors of syntax.
    pub fn is_sound(&self, file: FileId) -> bool {
        let mut errors = self.parsed(file).into_iter().flat_map(Parse::errors);
        !errors.any(|it| it.severity == Severity::Error)
    }

    /// Computes what questions about other files need of this one, so that several threads can do
    /// it for many files at once before the first question about all of them is asked.
    pub fn prime(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            crate::rules::prime(&self.db, file);
        }
    }

    /// Where the name at an offset leads.
    pub fn definition(&self, file: FileId, offset: TextSize) -> Option<Targets> {
        ide::definition(&self.db, self.file(file)?, offset)
    }

    /// The names that a file uses, in the order of its text, and what became of each.
    pub fn references(&self, file: FileId) -> Vec<NamedReference> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::named_references(&self.db, it))
    }

    /// What is inferred of the expressions of a file, in the order of its text.
    pub fn inferred_places(&self, file: FileId) -> Vec<InferredPlace> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::inferred_places(&self.db, it))
    }

    /// Definitions of the whole workspace whose names hold the characters of `query` in order.
    pub fn workspace_symbols(&self, query: &str) -> Vec<WorkspaceSymbol> {
        ide::workspace_symbols(&self.db, self.db.environments(), query)
    }

    /// The outline of a file.
    pub fn document_symbols(&self, file: FileId) -> Vec<DocumentSymbol> {
        let parse = self.parsed(file);
        parse.map_or_else(Vec::new, |it| ide::document_symbols(&it.syntax()))
    }

    /// What can be folded, outer before inner.
    pub fn folding_ranges(&self, file: FileId) -> Vec<FoldingRange> {
        let (Some(parse), Some(text)) = (self.parsed(file), self.text(file)) else {
            return Vec::new();
        };
        ide::folding_ranges(&parse.syntax(), &text)
    }

    /// Ever wider ranges around an offset, the narrowest first; nothing for an offset behind
    /// the end.
    pub fn selection_ranges(&self, file: FileId, offset: TextSize) -> Vec<TextRange> {
        let parse = self.parsed(file);
        parse.map_or_else(Vec::new, |it| ide::selection_ranges(&it.syntax(), offset))
    }

    /// The meaning of every token in order, of those that touch `range` if it is given.
    pub fn semantic_tokens(&self, file: FileId, range: Option<TextRange>) -> Vec<SemanticToken> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::semantic_tokens(&self.db, it, range))
    }

    /// What the pointer shows at an offset.
    pub fn hover(&self, file: FileId, offset: TextSize) -> Option<Hover> {
        ide::hover(&self.db, self.file(file)?, offset)
    }

    /// The hints in a range of a file, in the order of the text.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
        options: HintOptions,
    ) -> Vec<InlayHint> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| {
            ide::inlay_hints(&self.db, it, range, options)
        })
    }

    /// What a pointer on one of the [`Analysis::inlay_hints`] shows, as Markdown.
    pub fn hint_tooltip(
        &self,
        file: FileId,
        offset: TextSize,
        kind: HintKind,
        options: HintOptions,
    ) -> Option<String> {
        ide::hint_tooltip(&self.db, self.file(file)?, offset, kind, options)
    }

    /// The type and the value of what the file computes, where something is known of it: of
    /// assigned values, attributes and statements, in the order of the text.
    pub fn expression_notes(&self, file: FileId) -> Vec<ExpressionNote> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::expression_notes(&self.db, it))
    }
}

#[cfg(test)]
mod tests;
