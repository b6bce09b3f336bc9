//! Files and directories that a project excludes.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::note::Note;
use crate::config::{Config, FILE_NAME};

/// The `exclude` patterns of a `pupil.toml`.
#[derive(Clone, Debug)]
pub(super) struct Exclude {
    patterns: Gitignore,
}

impl Exclude {
    /// Compiles the patterns of a project. Adds a note about each invalid one.
    pub(super) fn new(config: &Config, notes: &mut Vec<Note>) -> Exclude {
        let mut builder = GitignoreBuilder::new(&config.folder);
        for pattern in &config.workspace.exclude {
            if let Err(error) = builder.add_line(None, pattern) {
                let message = format!("invalid pattern `{pattern}` in `exclude`: {error}");
                notes.push(Note::new(config.folder.join(FILE_NAME), message));
            }
        }
        let patterns = builder.build().unwrap_or_else(|error| {
            let message = format!("invalid patterns in `exclude`: {error}");
            notes.push(Note::new(config.folder.join(FILE_NAME), message));
            Gitignore::empty()
        });
        Exclude { patterns }
    }

    /// Checks whether a file or directory, or one of its parents, is excluded.
    pub(super) fn has(&self, path: &Path, is_folder: bool) -> bool {
        !self.patterns.is_empty()
            // `matched_path_or_any_parents` panics for other paths.
            && path.starts_with(self.patterns.path())
            && self.patterns.matched_path_or_any_parents(path, is_folder).is_ignore()
    }
}
