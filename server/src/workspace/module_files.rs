//! Walks the directories of a module. Follows symbolic links, within limits.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use super::limits::{MAX_DEPTH, MAX_ENTRIES};
use super::note::Note;

/// The directories that the targets of symbolic links must be in, with links resolved.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkBounds {
    folders: Vec<PathBuf>,
}

impl LinkBounds {
    /// Creates bounds from those of `folders` that exist.
    pub(super) fn new<'a>(folders: impl IntoIterator<Item = &'a Path>) -> LinkBounds {
        let folders = folders.into_iter().filter_map(|it| it.canonicalize().ok());
        let mut folders: Vec<PathBuf> = folders.collect();
        folders.sort_unstable();
        folders.dedup();
        LinkBounds { folders }
    }

    /// Checks whether a canonical path may be read.
    pub(super) fn allow(&self, path: &Path) -> bool {
        self.folders.iter().any(|it| path.starts_with(it))
    }
}

/// The result of a walk.
#[derive(Debug, Default)]
pub(super) struct ModuleFiles {
    /// The paths relative to the root with slashes, sorted by bytes.
    pub(super) paths: Vec<String>,
    /// The subset of `paths` that must not be read: links that point outside of the workspace.
    pub(super) unreadable: Vec<String>,
}

/// Walks the files and directories with the names of parts below `root`, whose canonical path is `real`.
pub(super) fn walk(
    root: &Path,
    real: &Path,
    is_part: &dyn Fn(&str) -> bool,
    bounds: &LinkBounds,
    notes: &mut Vec<Note>,
) -> ModuleFiles {
    let mut walk = ModuleWalk {
        bounds,
        notes,
        stack: vec![real.to_owned()],
        left: MAX_ENTRIES,
        files: ModuleFiles::default(),
    };
    if let Ok(entries) = fs::read_dir(root) {
        for entry in entries.filter_map(Result::ok) {
            if let Some(name) = entry.file_name().to_str()
                && is_part(name)
            {
                walk.entry(&entry, "", name);
            }
        }
    } else {
        walk.notes.push(Note::new(root, "cannot read directory"));
    }
    if walk.left == 0 {
        let message = format!("too many files: only the first {MAX_ENTRIES} are considered");
        walk.notes.push(Note::new(root, message));
    }
    walk.files.paths.sort_unstable();
    walk.files.unreadable.sort_unstable();
    walk.files
}

struct ModuleWalk<'a> {
    bounds: &'a LinkBounds,
    notes: &'a mut Vec<Note>,
    /// The canonical paths of the directories that are being walked.
    stack: Vec<PathBuf>,
    /// The number of entries that may still be visited.
    left: usize,
    files: ModuleFiles,
}

impl ModuleWalk<'_> {
    fn entry(&mut self, entry: &DirEntry, parent: &str, name: &str) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        let path = match parent {
            "" => name.to_owned(),
            _ => format!("{parent}/{name}"),
        };
        let Ok(kind) = entry.file_type() else { return };
        if kind.is_file() {
            self.files.paths.push(path);
        } else if kind.is_dir() {
            if name != ".git" {
                let real = self.stack.last().map(|it| it.join(name));
                self.folder(&entry.path(), real.unwrap_or_default(), &path);
            }
        } else if kind.is_symlink() {
            self.link(entry, path);
        }
    }

    /// Visits a symbolic link.
    fn link(&mut self, entry: &DirEntry, path: String) {
        let Ok(real) = entry.path().canonicalize() else {
            // This includes links that form a cycle.
            let message = "skipped: this link is broken";
            return self.notes.push(Note::new(entry.path(), message));
        };
        let allowed = self.bounds.allow(&real);
        if real.is_file() {
            if !allowed {
                let message = "skipped: this link points outside of the workspace";
                self.notes.push(Note::new(entry.path(), message));
                self.files.unreadable.push(path.clone());
            }
            self.files.paths.push(path);
        } else if real.is_dir() {
            if self.stack.iter().any(|it| it.starts_with(&real)) {
                let message = "skipped: this link points to a parent directory";
                self.notes.push(Note::new(entry.path(), message));
            } else if allowed {
                self.folder(&entry.path(), real, &path);
            } else {
                let message = "skipped: this link points outside of the workspace";
                self.notes.push(Note::new(entry.path(), message));
            }
        }
    }

    fn folder(&mut self, folder: &Path, real: PathBuf, path: &str) {
        if self.stack.len() > MAX_DEPTH {
            let message = "skipped: directories are nested too deeply";
            return self.notes.push(Note::new(folder, message));
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("skipped: {}", crate::read_text::ReadError::from(error));
                return self.notes.push(Note::new(folder, message));
            }
        };
        self.stack.push(real);
        for entry in entries.filter_map(Result::ok) {
            match entry.file_name().to_str() {
                Some(name) => self.entry(&entry, path, name),
                None => {
                    let message = "skipped: the name is not valid UTF-8";
                    self.notes.push(Note::new(entry.path(), message));
                }
            }
        }
        self.stack.pop();
    }
}
