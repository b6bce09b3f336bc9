//! A workspace that is loaded once, for the commands of the terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;

use crate::paths::{ModuleLocator, absolute};
use crate::rule_levels::RuleLevels;
use crate::rule_selection::Selection;
use crate::sample_nodes;
use crate::standard_input::StandardInput;
use crate::vfs::{PathsById, Vfs};
use crate::workspace::{Discovery, Loader, Note, WorkspaceRequest};

/// A loaded workspace; empty by default.
#[derive(Default)]
pub(crate) struct LoadedWorkspace {
    /// The host. It accepts changes only while no snapshot exists.
    pub(crate) host: AnalysisHost,
    /// A snapshot of the host.
    pub(crate) analysis: Analysis,
    /// The files of the workspace.
    pub(crate) files: WorkspaceFiles,
    /// The notes about the workspace and its files.
    pub(crate) notes: Vec<Note>,
}

/// Maps paths to file ids, and back.
#[derive(Default)]
pub(crate) struct WorkspaceFiles {
    vfs: Vfs,
    /// The file whose text was set, by its path.
    unsaved: Option<(PathBuf, FileId)>,
}

impl LoadedWorkspace {
    /// Loads the workspace that contains `paths`.
    pub(crate) fn load(
        paths: &[PathBuf],
        modulepath: &[PathBuf],
        version: PuppetVersion,
    ) -> LoadedWorkspace {
        LoadedWorkspace::load_with(paths, modulepath, version, Selection::default())
    }

    /// Loads the workspace that contains `paths`, with a selection of rules.
    pub(crate) fn load_with(
        paths: &[PathBuf],
        modulepath: &[PathBuf],
        version: PuppetVersion,
        selection: Selection,
    ) -> LoadedWorkspace {
        let mut request = WorkspaceRequest::of_paths(paths, modulepath);
        request.selection = selection;
        let update = Loader::default().load(&request, &[], &|_, _| {});
        let mut vfs = Vfs::default();
        let notes = update.notes.clone();
        let changes = vfs.apply(update);
        let mut host = AnalysisHost::default();
        host.apply_change(Change::SetVersion(version));
        let sets = sample_nodes::sets_of_projects(vfs.discovery(), version);
        let nodes = sample_nodes::with_sets(&sets);
        host.apply_change(Change::SetSampleNodes(nodes));
        for change in vfs.changes(changes) {
            host.apply_change(change);
        }
        LoadedWorkspace {
            analysis: host.analysis(),
            host,
            files: WorkspaceFiles { vfs, unsaved: None },
            notes,
        }
    }

    /// Sets the text of the file on standard input, which need not exist on disk.
    pub(crate) fn set_text(&mut self, input: &StandardInput, locator: &ModuleLocator) {
        let vfs = &mut self.files.vfs;
        let location = absolute(input.location());
        let location = vfs.known_path(&location).unwrap_or(location);
        let file = vfs.file_id(&location);
        let spec = vfs.spec(&location, file, locator);
        let text = Arc::clone(&input.text);
        // The host accepts changes only while no snapshot exists.
        self.analysis = Analysis::default();
        self.host
            .apply_change(Change::EditFile { file, spec, text });
        self.analysis = self.host.analysis();
        self.files.unsaved = Some((absolute(&input.path), file));
    }
}

impl WorkspaceFiles {
    /// Returns the id of the file at a path, if the workspace contains it and it is valid UTF-8.
    pub(crate) fn id(&self, path: &Path) -> Option<FileId> {
        let path = absolute(path);
        if let Some((unsaved, file)) = &self.unsaved
            && *unsaved == path
        {
            return Some(*file);
        }
        let path = self.vfs.known_path(&path)?;
        let file = self.vfs.id(&path)?;
        let found = self.vfs.on_disk(file)?;
        found.text.is_exact.then_some(file)
    }

    /// Returns the id of the file at a path, if a module contains it, even if its text is not read.
    pub(crate) fn id_without_text(&self, path: &Path) -> Option<FileId> {
        self.vfs.id(&self.vfs.known_path(&absolute(path))?)
    }

    /// Iterates over the paths and texts of all files, in arbitrary order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.vfs.texts()
    }

    /// Returns the dialect and place of a file.
    pub(crate) fn spec(&self, file: FileId) -> Option<FileSpec> {
        Some(self.vfs.on_disk(file)?.spec.clone())
    }

    /// Returns the rule levels of the projects.
    pub(crate) fn levels(&self) -> Arc<RuleLevels> {
        self.vfs.levels()
    }

    /// Returns the result of the discovery.
    pub(crate) fn discovery(&self) -> &Discovery {
        self.vfs.discovery()
    }

    /// Returns a snapshot of the result of the discovery.
    pub(crate) fn discovered(&self) -> Arc<Discovery> {
        self.vfs.discovered()
    }

    /// Returns a snapshot of the paths of all files.
    pub(crate) fn paths(&self) -> Arc<PathsById> {
        self.vfs.paths()
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, file: FileId) -> Option<&Path> {
        self.vfs.path(file)
    }
}
