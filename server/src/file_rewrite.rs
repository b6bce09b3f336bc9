//! A pending change of a file, which can be printed as a diff or written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::TextDiff;

use crate::display_path::display_path;

/// The number of context lines in a diff.
const CONTEXT: usize = 3;

/// A file with its old and new text.
pub(crate) struct FileRewrite {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The text that was read.
    pub(crate) before: Arc<str>,
    /// The text to write.
    pub(crate) after: Arc<str>,
}

impl FileRewrite {
    /// Writes the changes as a unified diff.
    pub(crate) fn write_diff(&self, out: &mut impl Write) -> io::Result<()> {
        let path = display_path(&self.path);
        let path = path.trim_start_matches('/');
        let diff = TextDiff::from_lines(&*self.before, &*self.after);
        let mut diff = diff.unified_diff();
        diff.context_radius(CONTEXT);
        diff.header(&format!("a/{path}"), &format!("b/{path}"));
        write!(out, "{diff}")
    }

    /// Replaces the content of the file atomically.
    ///
    /// # Errors
    /// If the file has changed since it was read, or cannot be written.
    pub(crate) fn write(&self) -> Result<(), String> {
        let problem = |it: io::Error| format!("cannot write the file: {it}");
        // The target of a link is replaced, not the link.
        let path = fs::canonicalize(&self.path).map_err(problem)?;
        let metadata = fs::metadata(&path).map_err(problem)?;
        if metadata.permissions().readonly() {
            return Err("the file is read-only".to_owned());
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut new = tempfile::NamedTempFile::new_in(folder).map_err(problem)?;
        new.write_all(self.after.as_bytes()).map_err(problem)?;
        fs::set_permissions(new.path(), metadata.permissions()).map_err(problem)?;
        new.as_file().sync_all().map_err(problem)?;
        if fs::read(&path).map_err(problem)? != self.before.as_bytes() {
            return Err("the file has changed since it was read".to_owned());
        }
        new.persist(&path).map_err(|it| problem(it.error))?;
        Ok(())
    }
}
