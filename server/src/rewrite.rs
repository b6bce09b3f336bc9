//! A file whose text becomes another one: shown as a diff, or written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::TextDiff;

use crate::files;

/// So many lines around a change are shown.
const CONTEXT: usize = 3;

/// A file, and what is to stand in it.
pub(crate) struct Rewrite {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its text before.
    pub(crate) before: Arc<str>,
    /// Its text afterwards.
    pub(crate) after: Arc<str>,
}

impl Rewrite {
    /// The changes as a unified diff.
    pub(crate) fn write_diff(&self, out: &mut impl Write) -> io::Result<()> {
        let path = files::shown(&self.path);
        let path = path.trim_start_matches('/');
        let diff = TextDiff::from_lines(&*self.before, &*self.after);
        let mut diff = diff.unified_diff();
        diff.context_radius(CONTEXT);
        diff.header(&format!("a/{path}"), &format!("b/{path}"));
        write!(out, "{diff}")
    }

    /// Puts the new text in the place of the old one, all of it or nothing.
    ///
    /// # Errors
    /// If the file is not what was read any more, or cannot be written.
    pub(crate) fn write(&self) -> Result<(), String> {
        let problem = |it: io::Error| format!("it cannot be written: {it}");
        // A link stays one.
        let path = fs::canonicalize(&self.path).map_err(problem)?;
        let metadata = fs::metadata(&path).map_err(problem)?;
        if metadata.permissions().readonly() {
            return Err("it may not be written".to_owned());
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut new = tempfile::NamedTempFile::new_in(folder).map_err(problem)?;
        new.write_all(self.after.as_bytes()).map_err(problem)?;
        fs::set_permissions(new.path(), metadata.permissions()).map_err(problem)?;
        new.as_file().sync_all().map_err(problem)?;
        if fs::read(&path).map_err(problem)? != self.before.as_bytes() {
            return Err("it has changed meanwhile".to_owned());
        }
        new.persist(&path).map_err(|it| problem(it.error))?;
        Ok(())
    }
}
