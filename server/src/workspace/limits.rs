//! How much is read of a workspace, whoever made it.

use std::path::Path;

use super::note::Note;
use crate::disk::{self, ReadError};

/// The largest manifest, template or Ruby file that is read unasked, in bytes; the largest known
/// real one has 127 KB. A file that is opened or checked by name may be larger.
pub(crate) const MAX_TEXT: u64 = 4 << 20;

/// The largest file of configuration that is read, in bytes.
pub(super) const MAX_CONFIG: u64 = 1 << 20;

/// How many entries one walk looks at.
pub(super) const MAX_ENTRIES: usize = 100_000;

/// How deep folders are entered.
pub(super) const MAX_DEPTH: usize = 48;

/// How many children of a folder are considered as modules or environments.
pub(super) const MAX_CHILDREN: usize = 5_000;

/// The text of a file of configuration; `None` if there is none, and a note if there is one that
/// cannot be read.
pub(super) fn read_config(path: &Path, notes: &mut Vec<Note>) -> Option<String> {
    match disk::read_text_up_to(path, MAX_CONFIG) {
        Ok(text) => Some(text),
        Err(ReadError::NotFound) => None,
        Err(problem) => {
            notes.push(Note::new(path, format!("is not used: {problem}")));
            None
        }
    }
}
