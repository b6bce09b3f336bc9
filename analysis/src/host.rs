//! The façade: changes go in, snapshots come out.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use syntax::validation::{ModulePlace, PuppetVersion, ValidationContext};
use syntax::{Diagnostic, Dialect, Parse, TextRange, TextSize};

use crate::ide::{self, DocumentSymbol, ExpressionNote, FoldingRange, Hover, SemanticToken};
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
    /// A file is gone.
    RemoveFile(FileId),
    /// The rules of another release apply.
    SetVersion(PuppetVersion),
    /// Which environments and modules there are, and which files lie where.
    SetWorkspace(Arc<WorkspaceLayout>),
}

/// A file of the world. It is parsed when somebody first asks about it, on whatever thread that
/// is: states that nobody looks at are never parsed, and taking in changes costs next to nothing.
#[derive(Debug)]
struct FileData {
    spec: FileSpec,
    text: Arc<str>,
    parse: OnceLock<Parse>,
}

impl FileData {
    fn parse(&self) -> &Parse {
        self.parse
            .get_or_init(|| syntax::parse(&self.text, self.spec.dialect))
    }
}

/// Holds the state of the world.
#[derive(Clone, Debug, Default)]
pub struct AnalysisHost {
    files: Arc<HashMap<FileId, Arc<FileData>>>,
    version: PuppetVersion,
    workspace: Arc<WorkspaceLayout>,
}

impl AnalysisHost {
    /// Applies a change. Snapshots taken earlier keep what they had.
    pub fn apply_change(&mut self, change: Change) {
        match change {
            Change::SetFile { file, spec, text } => {
                let data = Arc::new(FileData {
                    spec,
                    text,
                    parse: OnceLock::new(),
                });
                Arc::make_mut(&mut self.files).insert(file, data);
            }
            Change::RemoveFile(file) => {
                Arc::make_mut(&mut self.files).remove(&file);
            }
            Change::SetVersion(version) => self.version = version,
            Change::SetWorkspace(layout) => self.workspace = layout,
        }
    }

    /// A snapshot of the state.
    pub fn analysis(&self) -> Analysis {
        Analysis {
            files: Arc::clone(&self.files),
            version: self.version,
        }
    }
}

/// A snapshot: cheap to clone, may be sent to another thread. Every question about a file that
/// is not there is answered with nothing.
#[derive(Clone, Debug)]
pub struct Analysis {
    files: Arc<HashMap<FileId, Arc<FileData>>>,
    version: PuppetVersion,
}

impl Analysis {
    /// The text of a file.
    pub fn text(&self, file: FileId) -> Option<Arc<str>> {
        Some(Arc::clone(&self.files.get(&file)?.text))
    }

    /// The tree of a file.
    pub fn parse(&self, file: FileId) -> Option<Parse> {
        Some(self.files.get(&file)?.parse().clone())
    }

    /// All that is wrong with a file, in the order of its text.
    pub fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        let Some(data) = self.files.get(&file) else {
            return Vec::new();
        };
        let context = ValidationContext {
            version: self.version,
            tasks: data.spec.dialect.tasks,
            place: data.spec.place.clone(),
        };
        ide::diagnostics(data.parse(), &context)
    }

    /// The outline of a file.
    pub fn document_symbols(&self, file: FileId) -> Vec<DocumentSymbol> {
        let data = self.files.get(&file);
        data.map_or_else(Vec::new, |it| ide::document_symbols(&it.parse().syntax()))
    }

    /// What can be folded, outer before inner.
    pub fn folding_ranges(&self, file: FileId) -> Vec<FoldingRange> {
        let data = self.files.get(&file);
        data.map_or_else(Vec::new, |it| {
            ide::folding_ranges(&it.parse().syntax(), &it.text)
        })
    }

    /// Ever wider ranges around an offset, the narrowest first; nothing for an offset behind
    /// the end.
    pub fn selection_ranges(&self, file: FileId, offset: TextSize) -> Vec<TextRange> {
        let data = self.files.get(&file);
        data.map_or_else(Vec::new, |it| {
            ide::selection_ranges(&it.parse().syntax(), offset)
        })
    }

    /// The meaning of every token in order, of those that touch `range` if it is given.
    pub fn semantic_tokens(&self, file: FileId, range: Option<TextRange>) -> Vec<SemanticToken> {
        let data = self.files.get(&file);
        data.map_or_else(Vec::new, |it| {
            ide::semantic_tokens(&it.parse().syntax(), range)
        })
    }

    /// What the pointer shows at an offset.
    pub fn hover(&self, file: FileId, offset: TextSize) -> Option<Hover> {
        ide::hover(self.files.get(&file)?.parse(), offset, self.version)
    }

    /// The type and the value of what the file computes, where that is constant: of assigned
    /// values, attributes and statements, in the order of the text.
    pub fn expression_notes(&self, file: FileId) -> Vec<ExpressionNote> {
        let data = self.files.get(&file);
        data.map_or_else(Vec::new, |it| {
            ide::expression_notes(it.parse(), self.version)
        })
    }
}
