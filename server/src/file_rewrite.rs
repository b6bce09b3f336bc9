//! A pending change of a file, which can be printed as a diff or written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::TextDiff;

use crate::display_path::display_path;
use crate::read_text::reason;

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
        let problem = |it: io::Error| format!("cannot write the file: {}", reason(it));
        // The target of a link is replaced, not the link.
        let path = fs::canonicalize(&self.path).map_err(problem)?;
        let metadata = fs::metadata(&path).map_err(problem)?;
        if metadata.permissions().readonly() {
            return Err("the file is read-only".to_owned());
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut new = tempfile::NamedTempFile::new_in(folder).map_err(problem)?;
        new.write_all(self.after.as_bytes()).map_err(problem)?;
        keep_owner(new.path(), &metadata);
        fs::set_permissions(new.path(), metadata.permissions()).map_err(problem)?;
        new.as_file().sync_all().map_err(problem)?;
        if fs::read(&path).map_err(problem)? != self.before.as_bytes() {
            return Err("the file has changed since it was read".to_owned());
        }
        new.persist(&path).map_err(|it| problem(it.error))?;
        Ok(())
    }
}

/// Sets the owner and the group of a new file to those of the replaced one, where the user may do that.
fn keep_owner(path: &Path, replaced: &fs::Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let _ = chown(path, None, Some(replaced.gid()));
        let _ = chown(path, Some(replaced.uid()), None);
    }
    #[cfg(not(unix))]
    let _ = (path, replaced);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_kept() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("a.pp");
        let rewrite = FileRewrite {
            path: path.clone(),
            before: "$a=1\n".into(),
            after: "$a = 1\n".into(),
        };
        fs::write(&path, "$a=2\n").expect("the file can be written");
        let answer = rewrite.write();
        assert_eq!(
            answer,
            Err("the file has changed since it was read".to_owned())
        );
        assert_eq!(fs::read(&path).expect("the file is there"), b"$a=2\n");

        fs::remove_file(&path).expect("the file can be removed");
        assert!(rewrite.write().is_err());
        let left = fs::read_dir(folder.path()).expect("the directory is there");
        assert_eq!(left.count(), 0, "no file is created");
    }
}
