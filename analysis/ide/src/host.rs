//! The façade of the crate: an [`AnalysisHost`] applies changes, and an [`Analysis`] is a snapshot.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;

use salsa::Database;
use syntax::validation::PuppetVersion;
use syntax::{Edit, Parse, Severity, TextRange, TextSize};

use crate::{
    Assist, CodeLens, CodeLensKind, Completions, DocumentLink, DocumentSymbol, DocumentationKey,
    ExpressionNote, FoldingRange, HierarchyCall, HierarchyItem, HintKind, HintOptions, Hover,
    InlayHint, NavigationTargets, ReferenceLocation, Renamable, RenameEdit, RenameError,
    ResolvedReference, SemanticToken, SignatureHelp, WorkspaceSymbol,
};
use base::{Diagnostic, FileId, FileInput, FileSpec, RootDatabase, WorkspaceLayout};
use infer::InferredType;

/// A change of the inputs.
#[derive(Clone, Debug)]
pub enum Change {
    /// Adds a file or replaces its source.
    SetFile {
        /// The file.
        file: FileId,
        /// The properties of the file.
        spec: FileSpec,
        /// The complete source.
        text: Arc<str>,
    },
    /// Replaces the source of a file that is being edited, until the next [`Change::SetFile`].
    /// Queries that only depend on other files are not revalidated afterwards.
    EditFile {
        /// The file.
        file: FileId,
        /// The properties of the file.
        spec: FileSpec,
        /// The complete source.
        text: Arc<str>,
    },
    /// Deletes a file.
    RemoveFile(FileId),
    /// Sets the Puppet version whose semantics apply.
    SetVersion(PuppetVersion),
    /// Replaces the environments and modules, and the files that they contain.
    SetWorkspace(Arc<WorkspaceLayout>),
}

/// The mutable state of the analysis.
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
    /// Applies a change. Computations on earlier snapshots are cancelled (see
    /// [`Analysis::cancellable`]); the call blocks until these snapshots are dropped.
    pub fn apply_change(&mut self, change: Change) {
        match change {
            Change::SetFile { file, spec, text } => self.db.set_file(file, spec, text),
            Change::EditFile { file, spec, text } => self.db.edit_file(file, spec, text),
            Change::RemoveFile(file) => self.db.remove_file(file),
            Change::SetVersion(version) => self.db.set_version(version),
            Change::SetWorkspace(layout) => self.db.set_workspace(layout),
        }
    }

    /// Returns a snapshot of the current state.
    pub fn analysis(&self) -> Analysis {
        Analysis {
            db: self.db.clone(),
        }
    }
}

/// The error of a query on a snapshot that is outdated because a change was applied meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

/// A snapshot: cheap to clone, and can be sent to another thread. Queries about a file that does
/// not exist return an empty result. See [`Analysis::cancellable`].
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
    /// Runs queries on this snapshot or on clones of it. If a change is applied meanwhile, queries
    /// unwind up to here.
    ///
    /// # Errors
    ///
    /// If a change was applied meanwhile.
    ///
    /// # Panics
    ///
    /// If `work` panics, or depends on a query that panicked in another thread: retrying would not
    /// help.
    pub fn cancellable<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        // A snapshot is read-only, so unwinding cannot leave it in an inconsistent state.
        salsa::Cancelled::catch(AssertUnwindSafe(work)).map_err(|cancelled| match cancelled {
            // The other thread may itself have been cancelled, which salsa does not distinguish
            // from a panic. In that case, the change is waiting for this snapshot too.
            salsa::Cancelled::PropagatedPanic if !self.is_outdated() => {
                resume_unwind(Box::new(cancelled))
            }
            _ => Cancelled,
        })
    }

    /// Checks whether a change is waiting for this snapshot to be dropped.
    fn is_outdated(&self) -> bool {
        let check = || self.db.unwind_if_revision_cancelled();
        salsa::Cancelled::catch(AssertUnwindSafe(check)).is_err()
    }

    /// Returns the input of a file that exists.
    fn file(&self, id: FileId) -> Option<FileInput> {
        self.db.file(id).filter(|it| it.text(&self.db).is_some())
    }

    fn parsed(&self, id: FileId) -> Option<&Parse> {
        self.file(id).map(|it| base::parse(&self.db, it))
    }

    /// Returns the source of a file.
    pub fn text(&self, file: FileId) -> Option<Arc<str>> {
        self.file(file)?.text(&self.db).clone()
    }

    /// Returns the syntax tree of a file.
    pub fn parse(&self, file: FileId) -> Option<Parse> {
        self.parsed(file).cloned()
    }

    /// Returns all diagnostics of a file, ordered by position.
    pub fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::file_diagnostics(&self.db, it))
    }

    /// Computes the largest part of [`Analysis::diagnostics`] in advance, so that another thread
    /// can do it in parallel.
    pub fn prepare_diagnostics(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            crate::prepare_diagnostics(&self.db, file);
        }
    }

    /// Returns the edit that suppresses a diagnostic with a comment, if it can be suppressed.
    pub fn suppression_edit(&self, file: FileId, diagnostic: &Diagnostic) -> Option<Edit> {
        let file = self.file(file)?;
        let text = file.text(&self.db).as_deref()?;
        crate::suppression_edit(text, file.spec(&self.db).dialect, diagnostic)
    }

    /// Returns the assists for a selection, or for the cursor if it is empty. Fixes of diagnostics
    /// are not included.
    pub fn assists(&self, file: FileId, range: TextRange) -> Vec<Assist> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::assists(&self.db, it, range))
    }

    /// Returns the edits of one of the [`Analysis::assists`] by id and title, ordered by position;
    /// `None` if it is no longer available.
    pub fn assist_edits(
        &self,
        file: FileId,
        range: TextRange,
        id: &str,
        title: &str,
    ) -> Option<Vec<Edit>> {
        crate::assist_edits(&self.db, self.file(file)?, range, id, title)
    }

    /// Checks whether a file has no syntax errors.
    pub fn is_well_formed(&self, file: FileId) -> bool {
        let mut errors = self.parsed(file).into_iter().flat_map(Parse::errors);
        !errors.any(|it| it.severity == Severity::Error)
    }

    /// Computes what queries about other files need from this one, so that several threads can do
    /// it for many files before the first query about the whole workspace.
    pub fn prime(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            rules::prime(&self.db, file);
        }
    }

    /// Returns the definitions of the name at an offset.
    pub fn goto_definition(&self, file: FileId, offset: TextSize) -> Option<NavigationTargets> {
        crate::goto_definition(&self.db, self.file(file)?, offset)
    }

    /// Returns the definitions of the type of the symbol at an offset.
    pub fn goto_type_definition(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Option<NavigationTargets> {
        crate::goto_type_definition(&self.db, self.file(file)?, offset)
    }

    /// Returns the implementations of the symbol at an offset: the providers of a resource type,
    /// the types that an alias refers to, the classes that inherit from a class.
    pub fn goto_implementation(&self, file: FileId, offset: TextSize) -> Option<NavigationTargets> {
        crate::goto_implementation(&self.db, self.file(file)?, offset)
    }

    /// Returns all references to the symbol at an offset, optionally with its declarations; `None`
    /// if there is no symbol.
    pub fn references(
        &self,
        file: FileId,
        offset: TextSize,
        with_declarations: bool,
    ) -> Option<Vec<ReferenceLocation>> {
        crate::references(&self.db, self.file(file)?, offset, with_declarations)
    }

    /// Returns the references in a file to the symbol at an offset.
    pub fn document_highlights(&self, file: FileId, offset: TextSize) -> Vec<ReferenceLocation> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| {
            crate::document_highlights(&self.db, it, offset)
        })
    }

    /// Returns the callable symbol at an offset: a function, plan, class or defined type.
    pub fn prepare_call_hierarchy(&self, file: FileId, offset: TextSize) -> Option<HierarchyItem> {
        crate::prepare_call_hierarchy(&self.db, self.file(file)?, offset)
    }

    /// Returns the callers of the symbol at an offset: the code that calls, includes or declares
    /// it.
    pub fn incoming_calls(&self, file: FileId, offset: TextSize) -> Vec<HierarchyCall> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::incoming_calls(&self.db, it, offset))
    }

    /// Returns the callees of the definition at an offset: the symbols that it calls, includes or
    /// declares.
    pub fn outgoing_calls(&self, file: FileId, offset: TextSize) -> Vec<HierarchyCall> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::outgoing_calls(&self.db, it, offset))
    }

    /// Returns the class or type alias at an offset.
    pub fn prepare_type_hierarchy(&self, file: FileId, offset: TextSize) -> Option<HierarchyItem> {
        crate::prepare_type_hierarchy(&self.db, self.file(file)?, offset)
    }

    /// Returns the classes that the class at an offset inherits from, or the type aliases that are
    /// supertypes of the one there.
    pub fn supertypes(&self, file: FileId, offset: TextSize) -> Vec<HierarchyItem> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::supertypes(&self.db, it, offset))
    }

    /// Returns the classes that inherit from the class at an offset, or the type aliases that are
    /// subtypes of the one there.
    pub fn subtypes(&self, file: FileId, offset: TextSize) -> Vec<HierarchyItem> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::subtypes(&self.db, it, offset))
    }

    /// Returns the links to files of modules and to URLs, in source order.
    pub fn document_links(&self, file: FileId) -> Vec<DocumentLink> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::document_links(&self.db, it))
    }

    /// Returns the code lenses above the definitions of a file, in source order.
    pub fn code_lenses(&self, file: FileId) -> Vec<CodeLens> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::code_lenses(&self.db, it))
    }

    /// Returns the references that a code lens counts, by the start of its range; `None` if the
    /// definition no longer exists.
    pub fn code_lens_references(
        &self,
        file: FileId,
        offset: TextSize,
        kind: CodeLensKind,
    ) -> Option<Vec<ReferenceLocation>> {
        crate::code_lens_references(&self.db, self.file(file)?, offset, kind)
    }

    /// Returns the range and the name that a rename at an offset would replace.
    ///
    /// # Errors
    ///
    /// If the symbol cannot be renamed, with the reason.
    pub fn prepare_rename(&self, file: FileId, offset: TextSize) -> Result<Renamable, RenameError> {
        let file = self.file(file).ok_or_else(RenameError::no_symbol)?;
        crate::prepare_rename(&self.db, file, offset)
    }

    /// Renames the symbol at an offset in the whole workspace.
    ///
    /// # Errors
    ///
    /// If that is not possible or would change the meaning of the code, with the reason.
    pub fn rename(
        &self,
        file: FileId,
        offset: TextSize,
        new_name: &str,
    ) -> Result<RenameEdit, RenameError> {
        let file = self.file(file).ok_or_else(RenameError::no_symbol)?;
        crate::rename(&self.db, file, offset, new_name)
    }

    /// Returns the edits that preserve the meaning of the code when files are moved within their
    /// modules. The moves themselves are not included. Files whose paths have no meaning need no
    /// edits.
    ///
    /// # Errors
    ///
    /// If that is not possible, with the reason.
    pub fn rename_files(&self, files: &[(FileId, String)]) -> Result<RenameEdit, RenameError> {
        // Files without a source, such as images, have paths too.
        let files = files.iter();
        let known = files.filter_map(|it| Some((self.db.file(it.0)?, it.1.as_str())));
        crate::rename_files(&self.db, &known.collect::<Vec<_>>())
    }

    /// Returns the module that contains a file, and the path of the file relative to it.
    pub fn module_path(&self, file: FileId) -> Option<(String, String)> {
        crate::module_path(&self.db, self.db.file(file)?)
    }

    /// Returns the references in a file with their resolutions, in source order.
    pub fn resolved_references(&self, file: FileId) -> Vec<ResolvedReference> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::resolved_references(&self.db, it))
    }

    /// Returns the inferred types of the expressions in a file, in source order.
    pub fn inferred_types(&self, file: FileId) -> Vec<InferredType> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| infer::inferred_types(&self.db, it))
    }

    /// Returns the definitions in the workspace whose names match `query` as a subsequence.
    pub fn workspace_symbols(&self, query: &str) -> Vec<WorkspaceSymbol> {
        crate::workspace_symbols(&self.db, self.db.environments(), query)
    }

    /// Returns the outline of a file.
    pub fn document_symbols(&self, file: FileId) -> Vec<DocumentSymbol> {
        let parse = self.parsed(file);
        parse.map_or_else(Vec::new, |it| crate::document_symbols(&it.syntax()))
    }

    /// Formats a manifest, or a range of it, according to the style guide; `None` for templates and
    /// for code with syntax errors.
    pub fn format(&self, file: FileId, range: Option<TextRange>) -> Option<Vec<Edit>> {
        let (parse, text) = (self.parsed(file)?, self.text(file)?);
        let dialect = self.file(file)?.spec(&self.db).dialect;
        match range {
            None => crate::format(parse, &text, dialect),
            Some(range) => crate::format_range(parse, &text, dialect, range),
        }
    }

    /// Returns the edits that indent the line at an offset after `typed`, a line break or `}`, was
    /// typed before it.
    pub fn format_on_type(&self, file: FileId, offset: TextSize, typed: char) -> Option<Vec<Edit>> {
        let (parse, text) = (self.parsed(file)?, self.text(file)?);
        match typed {
            '\n' => crate::edits_for_new_line(parse, &text, offset),
            '}' => crate::edits_for_closing_brace(parse, &text, offset),
            _ => None,
        }
    }

    /// Returns the foldable ranges, outer before inner.
    pub fn folding_ranges(&self, file: FileId) -> Vec<FoldingRange> {
        let (Some(parse), Some(text)) = (self.parsed(file), self.text(file)) else {
            return Vec::new();
        };
        crate::folding_ranges(&parse.syntax(), &text)
    }

    /// Returns the enclosing ranges of an offset, innermost first; empty for an offset past the
    /// end.
    pub fn selection_ranges(&self, file: FileId, offset: TextSize) -> Vec<TextRange> {
        let parse = self.parsed(file);
        parse.map_or_else(Vec::new, |it| crate::selection_ranges(&it.syntax(), offset))
    }

    /// Returns the semantic tokens in source order, of those that intersect `range` if it is given.
    pub fn semantic_tokens(&self, file: FileId, range: Option<TextRange>) -> Vec<SemanticToken> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::semantic_tokens(&self.db, it, range))
    }

    /// Returns the hover at an offset.
    pub fn hover(&self, file: FileId, offset: TextSize) -> Option<Hover> {
        crate::hover(&self.db, self.file(file)?, offset)
    }

    /// Returns the completions at an offset, ordered by relevance.
    pub fn completions(&self, file: FileId, offset: TextSize) -> Completions {
        let file = self.file(file);
        file.map_or_else(Completions::default, |it| {
            crate::completions(&self.db, it, offset)
        })
    }

    /// Returns the signature help at an offset.
    pub fn signature_help(&self, file: FileId, offset: TextSize) -> Option<SignatureHelp> {
        crate::signature_help(&self.db, self.file(file)?, offset)
    }

    /// Returns the documentation of a completion item as Markdown.
    pub fn completion_documentation(
        &self,
        file: FileId,
        documentation_key: &DocumentationKey,
    ) -> Option<String> {
        crate::documentation(&self.db, self.file(file)?, documentation_key)
    }

    /// Returns the inlay hints in a range of a file, in source order.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
        options: HintOptions,
    ) -> Vec<InlayHint> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| {
            crate::inlay_hints(&self.db, it, range, options)
        })
    }

    /// Returns the tooltip of one of the [`Analysis::inlay_hints`] as Markdown.
    pub fn hint_tooltip(
        &self,
        file: FileId,
        offset: TextSize,
        kind: HintKind,
        options: HintOptions,
    ) -> Option<String> {
        crate::hint_tooltip(&self.db, self.file(file)?, offset, kind, options)
    }

    /// Returns the types and values of assigned values, attributes and statements where they are
    /// known, in source order.
    pub fn expression_notes(&self, file: FileId) -> Vec<ExpressionNote> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| crate::expression_notes(&self.db, it))
    }
}

#[cfg(test)]
mod cancellation_tests;
#[cfg(test)]
mod tests;
