//! What is worth telling about a workspace.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something about a file or a folder that its owner may want to know: what could not be read,
/// what was left out, what is not there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Note {
    /// The file or folder.
    pub(crate) path: PathBuf,
    /// Line and column in it, both from 1, if it is about a place in a text.
    pub(crate) place: Option<(u32, u32)>,
    /// What is to be said, without the path.
    pub(crate) message: String,
}

impl Note {
    /// A note about all of a file or folder.
    pub(crate) fn new(path: impl Into<PathBuf>, message: impl Into<String>) -> Note {
        Note {
            path: path.into(),
            place: None,
            message: message.into(),
        }
    }

    /// A note about a folder that a file names on another machine; see [`crate::place::is_elsewhere`].
    pub(crate) fn elsewhere(path: &Path, folder: &str) -> Note {
        let message = format!("{folder} is not looked for: it lies on another machine");
        Note::new(path, message)
    }

    /// A note about a place in a file.
    pub(crate) fn at(path: &Path, line: u32, column: u32, message: impl Into<String>) -> Note {
        Note {
            path: path.to_owned(),
            place: Some((line, column)),
            message: message.into(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}
