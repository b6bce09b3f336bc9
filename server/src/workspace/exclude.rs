//! What a project says is not to be looked at.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::note::Note;
use crate::config::{Config, FILE_NAME};

/// The patterns of a `pupil.toml`.
#[derive(Clone, Debug)]
pub(super) struct Exclude {
    patterns: Gitignore,
}

impl Exclude {
    /// Those of a project, with a note about each that makes no sense.
    pub(super) fn new(config: &Config, notes: &mut Vec<Note>) -> Exclude {
        let mut builder = GitignoreBuilder::new(&config.folder);
        for pattern in &config.workspace.exclude {
            if let Err(error) = builder.add_line(None, pattern) {
                let message = format!("the pattern {pattern} in exclude is left out: {error}");
                notes.push(Note::new(config.folder.join(FILE_NAME), message));
            }
        }
        let patterns = builder.build().unwrap_or_else(|error| {
            let message = format!("exclude is left out: {error}");
            notes.push(Note::new(config.folder.join(FILE_NAME), message));
            Gitignore::empty()
        });
        Exclude { patterns }
    }

    /// Whether a file or folder, or one around it, is not to be looked at.
    pub(super) fn has(&self, path: &Path, is_folder: bool) -> bool {
        !self.patterns.is_empty()
            // Asking about any other is not allowed.
            && path.starts_with(self.patterns.path())
            && self.patterns.matched_path_or_any_parents(path, is_folder).is_ignore()
    }
}
