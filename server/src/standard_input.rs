//! Standard input as the file to check, for editors and hooks that have the text but no file.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::args::CheckArgs;
use crate::read_text::MAX_FILE_SIZE;
use crate::terminal::Failure;

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

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

    /// Reads standard input if the arguments ask for it.
    pub(crate) fn read(arguments: &CheckArgs) -> Result<Option<StandardInput>, Failure> {
        let error = |it: &str| Err(Failure::Message(it.to_owned()));
        let is_wanted = |it: &PathBuf| it.as_os_str() == STANDARD_INPUT;
        if !arguments.paths.iter().any(is_wanted) {
            return match arguments.stdin_filename {
                Some(_) => {
                    error("`--stdin-filename` is only for standard input: use `-` as the path")
                }
                None => Ok(None),
            };
        }
        if arguments.paths.len() > 1 {
            return error("standard input cannot be checked together with files");
        }
        if arguments.fix {
            return error(
                "`--fix` cannot change standard input; use `pupil format -` to format it",
            );
        }
        let mut bytes = Vec::new();
        let mut input = std::io::stdin().lock().take(MAX_FILE_SIZE + 1);
        let read = input.read_to_end(&mut bytes);
        read.map_err(|it| Failure::Message(format!("cannot read standard input: {it}")))?;
        if bytes.len() as u64 > MAX_FILE_SIZE {
            let limit = MAX_FILE_SIZE >> 20;
            return error(&format!(
                "standard input is too large: the limit is {limit} MiB"
            ));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::Message("standard input is not valid UTF-8".to_owned()))?;
        let path = arguments.stdin_filename.clone();
        Ok(Some(StandardInput {
            path: path.unwrap_or_else(|| STANDARD_INPUT.into()),
            text: text.into(),
        }))
    }
}
