//! A pending change of a file, which can be printed as a diff or written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use similar::TextDiff;
use tempfile::NamedTempFile;

use crate::display_path::display_path;
use crate::read_text::{self, reason};

/// The number of context lines in a diff.
const CONTEXT: usize = 3;

/// The number of lines that only one of two texts has, above which a diff shows all lines from the first to the last
/// change as changed: the time of the search for common lines is quadratic in it.
const MAX_CHANGED: usize = 8_000;

/// The time after which the search for common lines ends, for texts with the same lines in another order.
const MAX_TIME: Duration = Duration::from_secs(2);

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
        let time = match count_changed(&self.before, &self.after) > MAX_CHANGED {
            true => Duration::ZERO,
            false => MAX_TIME,
        };
        let mut diff = TextDiff::configure();
        let diff = diff.timeout(time).diff_lines(&*self.before, &*self.after);
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
        // The target of a link is replaced, not the link.
        let path = fs::canonicalize(&self.path).map_err(reason)?;
        let old = fs::metadata(&path).map_err(reason)?;
        let confirm = || match fs::read(&path).map_err(reason)? == self.before.as_bytes() {
            true => Ok(()),
            false => Err("the file has changed since it was read".to_owned()),
        };
        replace(&path, self.after.as_bytes(), Some(&old), confirm)
    }
}

/// Returns the number of lines that only one of two texts has.
fn count_changed(before: &str, after: &str) -> usize {
    let mut surplus: FxHashMap<&str, isize> = FxHashMap::default();
    for line in before.lines() {
        *surplus.entry(line).or_default() += 1;
    }
    for line in after.lines() {
        *surplus.entry(line).or_default() -= 1;
    }
    surplus.values().map(|it| it.unsigned_abs()).sum()
}

/// Writes a file, which may exist, in one step: if that fails, an old file stays, and no new one is left.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(_) => {
            read_text::check_size(path, u64::MAX).map_err(|it| it.to_string())?;
            let path = fs::canonicalize(path).map_err(reason)?;
            let old = fs::metadata(&path).map_err(reason)?;
            replace(&path, text, Some(&old), || Ok(()))
        }
        Err(_) => replace(path, text, None, || Ok(())),
    }
}

/// Replaces a file by a new one with the text, whose owner and permissions are those of the old one, if there is one.
/// `confirm` is called before the last step.
fn replace(
    path: &Path,
    text: &[u8],
    old: Option<&fs::Metadata>,
    confirm: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    if old.is_some_and(|it| it.permissions().readonly()) {
        return Err("the file is read-only".to_owned());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Errors of the temporary file would name it.
    fs::metadata(folder).map_err(reason)?;
    let mut new = new_file(folder).map_err(reason)?;
    new.write_all(text).map_err(reason)?;
    if let Some(old) = old {
        keep_owner(new.path(), old);
        fs::set_permissions(new.path(), old.permissions()).map_err(reason)?;
    }
    new.as_file().sync_all().map_err(reason)?;
    confirm()?;
    new.persist(path).map_err(|it| reason(it.error))?;
    Ok(())
}

/// Creates a temporary file with the permissions of any new file.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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

    fn diff(before: &str, after: &str) -> String {
        let rewrite = FileRewrite {
            path: "a.pp".into(),
            before: before.into(),
            after: after.into(),
        };
        let mut out = Vec::new();
        rewrite.write_diff(&mut out).expect("a vector has room");
        String::from_utf8(out).expect("the texts are UTF-8")
    }

    #[test]
    fn diffs_of_many_changes_are_one_hunk() {
        let lines = |indent: &str, count: usize| -> String {
            let lines = (0..count).map(|it| format!("{indent}notice({it})\n"));
            lines.collect()
        };
        let few = diff(&format!("a\n{}b\n", lines("", 20)), &lines("", 20));
        assert_eq!(few.matches("\n@@ ").count(), 2, "{few}");
        let count = 200_000;
        let (before, after) = (lines("", count), lines("  ", count));
        let many = diff(&format!("a\n{before}z\n"), &format!("a\n{after}z\n"));
        let header = format!("@@ -1,{0} +1,{0} @@\n a\n-notice(0)\n", count + 2);
        assert!(many.contains(&header));
        assert_eq!(many.lines().count(), 2 * count + 5);
    }

    #[test]
    fn whole_files_are_replaced_in_one_step() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("a.json");
        for text in ["one", "two"] {
            assert_eq!(write_whole(&path, text.as_bytes()), Ok(()));
            assert_eq!(fs::read(&path).expect("the file is there"), text.as_bytes());
        }
        let below = path.join("b");
        let answer = write_whole(&below, b"");
        assert_eq!(answer, Err("no such file or directory".to_owned()));
        let answer = write_whole(folder.path(), b"");
        assert_eq!(answer, Err("expected a file, found a directory".to_owned()));
        let left = fs::read_dir(folder.path()).expect("the directory is there");
        assert_eq!(left.count(), 1, "no temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn written_files_keep_links_and_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a temporary directory");
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, "old").expect("the file can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
        std::os::unix::fs::symlink("a", &link).expect("links are supported");
        assert_eq!(write_whole(&link, b"new"), Ok(()));
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).expect("the file is there"), b"new");
        let mode = fs::metadata(&path)
            .expect("the file is there")
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o640);

        // Opening a pipe would wait for a reader.
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|it| it.success()) {
            let answer = write_whole(&pipe, b"new");
            assert_eq!(
                answer,
                Err("expected a file, found a device or pipe".to_owned())
            );
        }
    }
}
