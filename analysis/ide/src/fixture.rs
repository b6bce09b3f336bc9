//! Workspaces for the tests of features, and readable results.

pub(crate) use fixture::{
    EVERYTHING, Log, MANIFEST, PLAN, TEMPLATE, cursor, damaged, file_spec, layout, parse, shown,
    watched,
};

use std::sync::Arc;

use base::FileId;
use fixture::Sources;
use syntax::{TextRange, TextSize};

use crate::{Analysis, AnalysisHost, Change, Target};

/// A host with the files of one string, see [`Sources::parse`].
pub(crate) struct World {
    pub(crate) host: AnalysisHost,
    sources: Sources,
}

impl World {
    pub(crate) fn new(text: &str) -> World {
        let mut world = World {
            host: AnalysisHost::default(),
            sources: Sources::parse(text),
        };
        let layout = Arc::new(world.sources.layout());
        world.host.apply_change(Change::SetWorkspace(layout));
        for (file, path, text) in world.sources.iter() {
            world.host.apply_change(set_file(file, path, text));
        }
        world
    }

    pub(crate) fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    pub(crate) fn text(&self, file: FileId) -> &str {
        self.sources.text(file)
    }

    pub(crate) fn path(&self, file: FileId) -> &str {
        self.sources.path(file)
    }

    pub(crate) fn cursor(&self) -> (FileId, TextSize) {
        self.sources.cursor()
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (FileId, &str, &str)> {
        self.sources.iter()
    }

    /// The diagnostics of all files: `path: code "underlined": message`, one per line.
    pub(crate) fn findings(&self) -> String {
        let analysis = self.analysis();
        let mut lines = Vec::new();
        for (file, path, text) in self.files() {
            for found in analysis.diagnostics(file) {
                let place = shown(text, found.range);
                lines.push(format!(
                    "{path}: {} `{place}`: {}",
                    found.code, found.message
                ));
            }
        }
        lines.join("\n")
    }

    /// A definition as `path "name"`.
    pub(crate) fn target(&self, target: &Target) -> String {
        let name: TextRange = target.name_range;
        let place = shown(self.text(target.file), name);
        format!("{} `{place}`", self.path(target.file))
    }
}

/// Sets a file; its path decides its language.
pub(crate) fn set_file(file: FileId, path: &str, text: &str) -> Change {
    let spec = file_spec(path);
    let text = text.into();
    Change::SetFile { file, spec, text }
}
