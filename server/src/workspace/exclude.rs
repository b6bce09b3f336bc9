//! Files and directories that a project excludes.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::note::Note;
use crate::config::{Config, FILE_NAME};
use crate::ignore_files::check_count;

/// The `exclude` patterns of a `pupil.toml`.
#[derive(Clone, Debug)]
pub(crate) struct Exclude {
    patterns: Gitignore,
}

impl Exclude {
    /// Compiles the patterns of files that a project excludes. Adds a note about each invalid one.
    pub(super) fn new(config: &Config, notes: &mut Vec<Note>) -> Exclude {
        Exclude::of_patterns(&config.workspace.exclude, &config.folder, notes)
    }

    /// Compiles the patterns of files in which a project does not check style.
    pub(crate) fn from_style(config: &Config, notes: &mut Vec<Note>) -> Exclude {
        Exclude::of_patterns(&config.style.exclude, &config.folder, notes)
    }

    fn of_patterns(patterns: &[String], folder: &Path, notes: &mut Vec<Note>) -> Exclude {
        let mut builder = GitignoreBuilder::new(folder);
        if let Err(problem) = check_count(patterns.len()) {
            let message = format!("invalid patterns in `exclude`: {problem}");
            notes.push(Note::new(folder.join(FILE_NAME), message).error());
            return Exclude {
                patterns: Gitignore::empty(),
            };
        }
        for pattern in patterns {
            if let Err(error) = builder.add_line(None, pattern) {
                let message = format!("invalid pattern `{pattern}` in `exclude`: {error}");
                notes.push(Note::new(folder.join(FILE_NAME), message));
            }
        }
        let patterns = builder.build().unwrap_or_else(|error| {
            let message = format!("invalid patterns in `exclude`: {error}");
            notes.push(Note::new(folder.join(FILE_NAME), message));
            Gitignore::empty()
        });
        Exclude { patterns }
    }

    /// Checks whether a file or directory, or one of its parents, is excluded.
    pub(crate) fn has(&self, path: &Path, is_folder: bool) -> bool {
        !self.patterns.is_empty()
            // `matched_path_or_any_parents` panics for other paths.
            && path.starts_with(self.patterns.path())
            && self.patterns.matched_path_or_any_parents(path, is_folder).is_ignore()
    }
}
