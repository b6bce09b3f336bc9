//! The façade: changes go in, snapshots come out.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;

use salsa::Database;
use syntax::validation::{ModulePlace, PuppetVersion};
use syntax::{Dialect, Edit, Parse, Severity, TextRange, TextSize};

use crate::db::{self, FileInput, RootDatabase};
use crate::ide::{
    self, Assist, Call, Completions, Diagnostic, DocumentSymbol, ExpressionNote, FoldingRange,
    HierarchyItem, HintKind, HintOptions, Hover, InferredPlace, InlayHint, Lens, LensKind, Link,
    NamedReference, Renamable, RenameEdit, RenameRefused, SemanticToken, SignatureHelp, Subject,
    Targets, UsePlace, WorkspaceSymbol,
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
    /// [`Analysis::cancellable`]; the call waits until they have noticed.
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

/// A snapshot: cheap to clone, may be sent to another thread. Every question about a file that
/// is not there is answered with nothing. See [`Analysis::cancellable`].
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
    /// Runs work on this snapshot or clones of it. Questions to a snapshot end by unwinding when a
    /// change is applied meanwhile; this is where that ends.
    ///
    /// # Errors
    ///
    /// If a change was applied meanwhile.
    ///
    /// # Panics
    ///
    /// If the work panics, or needs what another thread panicked over: to try again would be in vain.
    pub fn cancellable<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        // A snapshot is read only: nothing can be left half done.
        salsa::Cancelled::catch(AssertUnwindSafe(work)).map_err(|cancelled| match cancelled {
            // The other thread may have been cancelled itself, which salsa does not tell apart. The
            // change then waits for this snapshot too.
            salsa::Cancelled::PropagatedPanic if !self.is_overtaken() => {
                resume_unwind(Box::new(cancelled))
            }
            _ => Cancelled,
        })
    }

    /// Whether a change waits until this snapshot is dropped.
    fn is_overtaken(&self) -> bool {
        let ask = || self.db.unwind_if_revision_cancelled();
        salsa::Cancelled::catch(AssertUnwindSafe(ask)).is_err()
    }

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

    /// Computes the largest part of what [`Analysis::diagnostics`] needs, so that another thread can
    /// do it meanwhile.
    pub fn prepare_diagnostics(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            ide::prepare_diagnostics(&self.db, file);
        }
    }

    /// The edit that silences a finding in a file with a comment, if a comment can do that.
    pub fn ignore(&self, file: FileId, finding: &Diagnostic) -> Option<Edit> {
        let file = self.file(file)?;
        let text = file.text(&self.db).as_deref()?;
        ide::ignore(text, file.spec(&self.db).dialect, finding)
    }

    /// What can be done to the code under a selection, an empty one being a cursor, besides the
    /// fixes of findings.
    pub fn assists(&self, file: FileId, range: TextRange) -> Vec<Assist> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::assists(&self.db, it, range))
    }

    /// The edits of one of the [`Analysis::assists`], by its name and title, in the order of the
    /// text; nothing if it is not offered there, or cannot be done.
    pub fn assist_edits(
        &self,
        file: FileId,
        range: TextRange,
        id: &str,
        title: &str,
    ) -> Option<Vec<Edit>> {
        ide::assist_edits(&self.db, self.file(file)?, range, id, title)
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

    /// Where the type of the thing at an offset is defined.
    pub fn type_definition(&self, file: FileId, offset: TextSize) -> Option<Targets> {
        ide::type_definition(&self.db, self.file(file)?, offset)
    }

    /// What implements the thing at an offset: providers, the types behind an alias, heirs.
    pub fn implementation(&self, file: FileId, offset: TextSize) -> Option<Targets> {
        ide::implementation(&self.db, self.file(file)?, offset)
    }

    /// All uses of what the name at an offset stands for, with its declarations if they are
    /// wanted; nothing if there is no such name.
    pub fn references(
        &self,
        file: FileId,
        offset: TextSize,
        with_declarations: bool,
    ) -> Option<Vec<UsePlace>> {
        ide::references(&self.db, self.file(file)?, offset, with_declarations)
    }

    /// The names in a file that stand for the same as the one at an offset.
    pub fn highlights(&self, file: FileId, offset: TextSize) -> Vec<UsePlace> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::highlights(&self.db, it, offset))
    }

    /// What can be called at an offset: a function, a plan, a class, a defined type.
    pub fn call_item(&self, file: FileId, offset: TextSize) -> Option<HierarchyItem> {
        ide::call_item(&self.db, self.file(file)?, offset)
    }

    /// Who calls, includes or declares what is at an offset.
    pub fn incoming_calls(&self, file: FileId, offset: TextSize) -> Vec<Call> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::incoming_calls(&self.db, it, offset))
    }

    /// What the definition at an offset calls, includes and declares.
    pub fn outgoing_calls(&self, file: FileId, offset: TextSize) -> Vec<Call> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::outgoing_calls(&self.db, it, offset))
    }

    /// The class or the type alias at an offset.
    pub fn type_item(&self, file: FileId, offset: TextSize) -> Option<HierarchyItem> {
        ide::type_item(&self.db, self.file(file)?, offset)
    }

    /// What the class or type alias at an offset inherits from or is a part of.
    pub fn supertypes(&self, file: FileId, offset: TextSize) -> Vec<HierarchyItem> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::supertypes(&self.db, it, offset))
    }

    /// What inherits from the class at an offset, or is a part of the type alias there.
    pub fn subtypes(&self, file: FileId, offset: TextSize) -> Vec<HierarchyItem> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::subtypes(&self.db, it, offset))
    }

    /// Links to files of modules and to addresses, in the order of the text.
    pub fn links(&self, file: FileId) -> Vec<Link> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::links(&self.db, it))
    }

    /// The counts above the definitions of a file, in the order of its text.
    pub fn lenses(&self, file: FileId) -> Vec<Lens> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| ide::lenses(&self.db, it))
    }

    /// What a lens counts, by the start of its range; nothing if the definition is gone.
    pub fn lens_places(
        &self,
        file: FileId,
        offset: TextSize,
        kind: LensKind,
    ) -> Option<Vec<UsePlace>> {
        ide::counted(&self.db, self.file(file)?, offset, kind)
    }

    /// What would be renamed at an offset.
    ///
    /// # Errors
    ///
    /// If nothing can be renamed there, with the reason.
    pub fn prepare_rename(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Result<Renamable, RenameRefused> {
        let file = self.file(file).ok_or_else(RenameRefused::nothing)?;
        ide::prepare_rename(&self.db, file, offset)
    }

    /// What gives the thing at an offset another name, everywhere.
    ///
    /// # Errors
    ///
    /// If that cannot be done, or would change what the code means, with the reason.
    pub fn rename(
        &self,
        file: FileId,
        offset: TextSize,
        new_name: &str,
    ) -> Result<RenameEdit, RenameRefused> {
        let file = self.file(file).ok_or_else(RenameRefused::nothing)?;
        ide::rename(&self.db, file, offset, new_name)
    }

    /// What has to change before files of modules get other paths in the same module, so that
    /// everything keeps its meaning; it moves no file. Files whose names mean nothing need nothing.
    ///
    /// # Errors
    ///
    /// If that is not possible, with the reason.
    pub fn rename_files(&self, files: &[(FileId, String)]) -> Result<RenameEdit, RenameRefused> {
        // A file without a text, such as a picture, has a name all the same.
        let files = files.iter();
        let known = files.filter_map(|it| Some((self.db.file(it.0)?, it.1.as_str())));
        ide::rename_files(&self.db, &known.collect::<Vec<_>>())
    }

    /// The module that a file lies in, and its path from the folder of the module.
    pub fn module_path(&self, file: FileId) -> Option<(String, String)> {
        ide::module_path(&self.db, self.db.file(file)?)
    }

    /// The names that a file uses, in the order of its text, and what became of each.
    pub fn named_references(&self, file: FileId) -> Vec<NamedReference> {
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

    /// The edits after which a range of a manifest, or all of it, has the layout of the style guide;
    /// nothing for templates and for code with errors of syntax.
    pub fn format(&self, file: FileId, range: Option<TextRange>) -> Option<Vec<Edit>> {
        let (parse, text) = (self.parsed(file)?, self.text(file)?);
        let dialect = self.file(file)?.spec(&self.db).dialect;
        match range {
            None => ide::format(parse, &text, dialect),
            Some(range) => ide::format_range(parse, &text, dialect, range),
        }
    }

    /// The edits after which the line of an offset has its indentation, when `typed` has just been
    /// typed before it: a line break or `}`.
    pub fn format_typed(&self, file: FileId, offset: TextSize, typed: char) -> Option<Vec<Edit>> {
        let (parse, text) = (self.parsed(file)?, self.text(file)?);
        match typed {
            '\n' => ide::edits_for_line(parse, &text, offset),
            '}' => ide::edits_for_brace(parse, &text, offset),
            _ => None,
        }
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

    /// What may stand at an offset, the likeliest first.
    pub fn completions(&self, file: FileId, offset: TextSize) -> Completions {
        let file = self.file(file);
        file.map_or_else(Completions::default, |it| {
            ide::completions(&self.db, it, offset)
        })
    }

    /// What can be called at an offset.
    pub fn signature_help(&self, file: FileId, offset: TextSize) -> Option<SignatureHelp> {
        ide::signature_help(&self.db, self.file(file)?, offset)
    }

    /// Markdown about a candidate that was offered in a file.
    pub fn completion_documentation(&self, file: FileId, subject: &Subject) -> Option<String> {
        ide::documentation(&self.db, self.file(file)?, subject)
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
mod cancellation_tests;
#[cfg(test)]
mod tests;
