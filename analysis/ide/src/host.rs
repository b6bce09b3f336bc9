//! The façade of the crate: an [`AnalysisHost`] applies changes, and an [`Analysis`] is a snapshot.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;

use catalog::SampleNode;
use salsa::Database;
use syntax::Parse;
use syntax::validation::PuppetVersion;

use base::{FileId, FileInput, FileSpec, RootDatabase, WorkspaceLayout};

use crate::data_files::{FileKind, file_kind};

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
    /// Sets whether catalogs are compiled for the rules that need them. Those rules are off without.
    SetCompilesCatalogs(bool),
    /// Sets the nodes for which classes are compiled to find their problems.
    SetSampleNodes(Vec<SampleNode>),
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
            Change::SetCompilesCatalogs(compiles) => self.db.set_compiles_catalogs(compiles),
            Change::SetSampleNodes(nodes) => catalog::set_sample_nodes(&mut self.db, nodes),
            Change::SetWorkspace(layout) => self.db.set_workspace(layout),
        }
    }

    /// Drops results that were not used lately, as each change does. Like a change, cancels computations.
    pub fn evict(&mut self) {
        self.db.trigger_lru_eviction();
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
    pub(crate) db: RootDatabase,
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
    pub(crate) fn file(&self, id: FileId) -> Option<FileInput> {
        self.db.file(id).filter(|it| it.text(&self.db).is_some())
    }

    pub(crate) fn parsed(&self, id: FileId) -> Option<&Parse> {
        self.file(id).map(|it| base::parse(&self.db, it))
    }

    /// Checks whether a file is a template of a module that is not in the Puppet language.
    pub fn is_erb(&self, file: FileId) -> bool {
        let file = self.file(file);
        file.is_some_and(|it| file_kind(&self.db, it) == FileKind::Erb)
    }

    /// Returns the source of a file.
    pub fn text(&self, file: FileId) -> Option<Arc<str>> {
        self.file(file)?.text(&self.db).clone()
    }

    /// Returns the syntax tree of a file.
    pub fn parse(&self, file: FileId) -> Option<Parse> {
        self.parsed(file).cloned()
    }
}

#[cfg(test)]
mod cancellation_tests;
#[cfg(test)]
mod tests;
