//! Finds the files of a main manifest.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::limits::{MAX_DEPTH, MAX_ENTRIES};
use super::module_files::LinkBounds;
use super::note::Note;
use crate::paths::is_manifest;

/// Returns the files of the main manifest at `path`, in the order in which Puppet reads them. For a
/// directory, these are all manifests at any depth in the byte order of their paths, except hidden
/// ones and those reached through symbolic links to directories.
pub(super) fn files(path: &Path, bounds: &LinkBounds, notes: &mut Vec<Note>) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut found = Vec::new();
    let mut left = MAX_ENTRIES;
    search(path, MAX_DEPTH, &mut left, bounds, &mut found, notes);
    if left == 0 {
        let message = format!("too many files: only the first {MAX_ENTRIES} are considered");
        notes.push(Note::new(path, message));
    }
    // Unlike `Path`, which compares components: `a.pp` comes before `a/b.pp`.
    found.sort_unstable_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    found
}

fn search(
    folder: &Path,
    depth: usize,
    left: &mut usize,
    bounds: &LinkBounds,
    found: &mut Vec<PathBuf>,
    notes: &mut Vec<Note>,
) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) if depth > 0 => entries,
        Ok(_) => {
            let message = "skipped: directories are nested too deeply";
            return notes.push(Note::new(folder, message));
        }
        Err(error) => {
            let message = format!("skipped: {}", crate::read_text::ReadError::from(error));
            return notes.push(Note::new(folder, message));
        }
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or(".");
        if name.starts_with('.') || *left == 0 {
            continue;
        }
        *left -= 1;
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            search(&path, depth - 1, left, bounds, found, notes);
        } else if is_manifest(&path) {
            if kind.is_file() {
                found.push(path);
            } else if let Ok(real) = path.canonicalize()
                && real.is_file()
            {
                if bounds.allow(&real) {
                    found.push(path);
                } else {
                    let message = "skipped: this link points outside of the workspace";
                    notes.push(Note::new(path, message));
                }
            }
        }
    }
}
