//! Standard input as the file to check, for editors and hooks that have the text but no file.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::read_text::{MAX_FILE_SIZE, reason};

/// The path that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// A path that does not exist.
const NOWHERE: &str = "/-/standard-input.pp";

/// The text on standard input, and the path of the file that it belongs to.
pub(crate) struct StandardInput {
    /// The path given with `--stdin-filename`, or `-`.
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<str>,
}

impl StandardInput {
    /// Returns the path by which the file is found in the workspace. Without a name, the file belongs to
    /// no project.
    pub(crate) fn location(&self) -> &Path {
        match self.path.as_os_str() == STANDARD_INPUT {
            true => Path::new(NOWHERE),
            false => &self.path,
        }
    }

    /// Reads standard input if it is among `paths`; `name` is the path of its file.
    ///
    /// # Errors
    ///
    /// If the arguments contradict each other, or the text cannot be read.
    pub(crate) fn read(
        paths: &[PathBuf],
        name: Option<&Path>,
    ) -> Result<Option<StandardInput>, String> {
        if !paths.iter().any(|it| it.as_os_str() == STANDARD_INPUT) {
            return match name {
                Some(_) => {
                    Err("`--stdin-filename` is only for standard input: use `-` as the path".into())
                }
                None => Ok(None),
            };
        }
        if paths.len() > 1 {
            return Err("standard input cannot be checked together with files".into());
        }
        let mut bytes = Vec::new();
        let mut input = std::io::stdin().lock().take(MAX_FILE_SIZE + 1);
        let read = input.read_to_end(&mut bytes);
        read.map_err(|it| format!("cannot read standard input: {}", reason(it)))?;
        if bytes.len() as u64 > MAX_FILE_SIZE {
            let limit = MAX_FILE_SIZE >> 20;
            return Err(format!(
                "standard input is too large: the limit is {limit} MiB"
            ));
        }
        let text = String::from_utf8(bytes).map_err(|_| "standard input is not valid UTF-8")?;
        Ok(Some(StandardInput {
            path: name.unwrap_or(Path::new(STANDARD_INPUT)).to_owned(),
            text: text.into(),
        }))
    }
}
