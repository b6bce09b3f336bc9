//! Limits for reading a workspace, which may be hostile.

use std::path::Path;

use super::note::Note;
use crate::read_text::{ReadError, read_text_up_to};

/// The maximum size of manifests, templates and Ruby files that are read during discovery, in
/// bytes. The largest known real one has 127 KB. A file that is opened or checked by name may be
/// larger.
pub(crate) const MAX_TEXT: u64 = 4 << 20;

/// The maximum size of configuration files, in bytes.
pub(super) const MAX_CONFIG: u64 = 1 << 20;

/// The maximum number of directory entries visited in one walk.
pub(super) const MAX_ENTRIES: usize = 100_000;

/// The maximum nesting depth of directories.
pub(super) const MAX_DEPTH: usize = 48;

/// The maximum number of children of a directory considered as modules or environments.
pub(super) const MAX_CHILDREN: usize = 5_000;

/// Reads a configuration file. Returns `None` if it does not exist or cannot be read, and adds a
/// note in the latter case.
pub(super) fn read_config(path: &Path, notes: &mut Vec<Note>) -> Option<String> {
    match read_text_up_to(path, MAX_CONFIG) {
        Ok(text) => Some(text),
        Err(ReadError::NotFound) => None,
        Err(problem) => {
            notes.push(Note::new(path, format!("skipped: {problem}")));
            None
        }
    }
}
