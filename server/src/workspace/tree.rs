//! Walking the folders of a module, with links, within limits.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use super::limits::{MAX_DEPTH, MAX_ENTRIES};
use super::note::Note;

/// The folders that links may lead into, as they really are.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    folders: Vec<PathBuf>,
}

impl Bounds {
    /// Those of `folders` that exist.
    pub(super) fn new<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Bounds {
        let folders = folders.into_iter().filter_map(|it| it.canonicalize().ok());
        let mut folders: Vec<PathBuf> = folders.collect();
        folders.sort_unstable();
        folders.dedup();
        Bounds { folders }
    }

    /// Whether what really is at `path` may be read.
    pub(super) fn allow(&self, path: &Path) -> bool {
        self.folders.iter().any(|it| path.starts_with(it))
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Paths from the root with slashes, sorted by their bytes.
    pub(super) paths: Vec<String>,
    /// Those of them that are there, but must not be read: links that lead out.
    pub(super) closed: Vec<String>,
}

/// Walks the files and folders called `parts` below `root`, which really is at `real`.
pub(super) fn walk(
    root: &Path,
    real: &Path,
    parts: &[&str],
    bounds: &Bounds,
    notes: &mut Vec<Note>,
) -> Files {
    let mut walk = Walk {
        bounds,
        notes,
        stack: vec![real.to_owned()],
        left: MAX_ENTRIES,
        files: Files::default(),
    };
    if let Ok(entries) = fs::read_dir(root) {
        for entry in entries.filter_map(Result::ok) {
            if let Some(name) = entry.file_name().to_str()
                && parts.contains(&name)
            {
                walk.entry(&entry, "", name);
            }
        }
    } else {
        walk.notes.push(Note::new(root, "cannot be read"));
    }
    if walk.left == 0 {
        let message = format!("has too many files: after {MAX_ENTRIES} the rest is left out");
        walk.notes.push(Note::new(root, message));
    }
    walk.files.paths.sort_unstable();
    walk.files.closed.sort_unstable();
    walk.files
}

struct Walk<'a> {
    bounds: &'a Bounds,
    notes: &'a mut Vec<Note>,
    /// The folders that are being walked, as they really are.
    stack: Vec<PathBuf>,
    /// How many entries may still be looked at.
    left: usize,
    files: Files,
}

impl Walk<'_> {
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

    /// A link that leads nowhere is nothing.
    fn link(&mut self, entry: &DirEntry, path: String) {
        let Ok(real) = entry.path().canonicalize() else {
            // A loop of links that name each other ends here too.
            let message = "is left out: this link leads nowhere";
            return self.notes.push(Note::new(entry.path(), message));
        };
        let allowed = self.bounds.allow(&real);
        if real.is_file() {
            if !allowed {
                let message = "is not read: this link leads out of the workspace";
                self.notes.push(Note::new(entry.path(), message));
                self.files.closed.push(path.clone());
            }
            self.files.paths.push(path);
        } else if real.is_dir() {
            if self.stack.iter().any(|it| it.starts_with(&real)) {
                let message = "is left out: this link leads back to a folder that holds it";
                self.notes.push(Note::new(entry.path(), message));
            } else if allowed {
                self.folder(&entry.path(), real, &path);
            } else {
                let message = "is left out: this link leads out of the workspace";
                self.notes.push(Note::new(entry.path(), message));
            }
        }
    }

    fn folder(&mut self, folder: &Path, real: PathBuf, path: &str) {
        if self.stack.len() > MAX_DEPTH {
            let message = "is left out: folders are nested too deep";
            return self.notes.push(Note::new(folder, message));
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("is left out: {}", crate::disk::ReadError::from(error));
                return self.notes.push(Note::new(folder, message));
            }
        };
        self.stack.push(real);
        for entry in entries.filter_map(Result::ok) {
            match entry.file_name().to_str() {
                Some(name) => self.entry(&entry, path, name),
                None => {
                    let message = "is left out: its name is not UTF-8";
                    self.notes.push(Note::new(entry.path(), message));
                }
            }
        }
        self.stack.pop();
    }
}
