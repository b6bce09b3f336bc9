//! A whole workspace, read once and analysed together, for the commands of the terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;

use crate::levels::Levels;
use crate::place::absolute;
use crate::vfs::Vfs;
use crate::workspace::{Discovery, Loader, Request};

/// A workspace and what is known about it; by default there is nothing in it.
#[derive(Default)]
pub(crate) struct World {
    /// Takes changes, while there is no snapshot.
    pub(crate) host: AnalysisHost,
    /// The state of it.
    pub(crate) analysis: Analysis,
    /// Its files.
    pub(crate) files: Files,
}

/// Which file is which.
#[derive(Default)]
pub(crate) struct Files {
    vfs: Vfs,
}

impl World {
    /// Reads the workspace around `paths`.
    pub(crate) fn load(paths: &[PathBuf], modulepath: &[PathBuf], version: PuppetVersion) -> World {
        let request = Request::of_paths(paths, modulepath);
        let update = Loader::default().load(&request, &[], &|_, _| {});
        let mut vfs = Vfs::default();
        let changes = vfs.apply(update);
        let mut host = AnalysisHost::default();
        host.apply_change(Change::SetVersion(version));
        for change in vfs.changes(changes) {
            host.apply_change(change);
        }
        World {
            analysis: host.analysis(),
            host,
            files: Files { vfs },
        }
    }
}

impl Files {
    /// The file at a path, if the workspace has it and all of its text is UTF-8.
    pub(crate) fn id(&self, path: &Path) -> Option<FileId> {
        let path = self.vfs.known_path(&absolute(path))?;
        let file = self.vfs.id(&path)?;
        let found = self.vfs.on_disk(file)?;
        found.text.is_exact.then_some(file)
    }

    /// What a file of the disk is besides its text.
    pub(crate) fn spec(&self, file: FileId) -> Option<FileSpec> {
        Some(self.vfs.on_disk(file)?.spec.clone())
    }

    /// How much the rules matter to the projects of the files.
    pub(crate) fn levels(&self) -> Arc<Levels> {
        self.vfs.levels()
    }

    /// What was found on the disk.
    pub(crate) fn discovery(&self) -> &Discovery {
        self.vfs.discovery()
    }

    /// Where a file is.
    pub(crate) fn path(&self, file: FileId) -> Option<&Path> {
        self.vfs.path(file)
    }
}
