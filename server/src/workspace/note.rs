//! Notes about a workspace.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::display_path::one_line;

/// A note for the user about a file or directory, for example that it is unreadable, skipped or
/// missing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Note {
    /// The file or directory.
    pub(crate) path: PathBuf,
    /// The line and column in the file, both starting at 1.
    pub(crate) position: Option<(u32, u32)>,
    /// The message, without the path.
    pub(crate) message: String,
    /// Whether the settings in the file were rejected, so that a command cannot do what was asked for.
    pub(crate) is_error: bool,
}

impl Note {
    /// Creates a note about a file or directory as a whole.
    pub(crate) fn new(path: impl Into<PathBuf>, message: impl Into<String>) -> Note {
        Note {
            path: path.into(),
            position: None,
            message: message.into(),
            is_error: false,
        }
    }

    /// Creates a note about a directory on another machine that a file refers to; see
    /// [`crate::paths::is_untrusted_remote`].
    pub(crate) fn remote(path: &Path, folder: &str) -> Note {
        let message = format!("`{folder}` is ignored: it is on another machine");
        Note::new(path, message)
    }

    /// Creates a note about a position in a file.
    pub(crate) fn at(path: &Path, line: u32, column: u32, message: impl Into<String>) -> Note {
        Note {
            path: path.to_owned(),
            position: Some((line, column)),
            message: message.into(),
            is_error: false,
        }
    }

    /// Makes the note an error.
    pub(crate) fn error(self) -> Note {
        Note {
            is_error: true,
            ..self
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", one_line(&self.path.display().to_string()))?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}
