//! Ignore files, such as `.gitignore`, that apply to searches.

use std::path::Path;

use ignore::DirEntry;

use crate::display_path::display_path;
use crate::read_text::{ReadError, check_size};

/// The ignore files that apply to a directory, relative to it.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// The maximum size in bytes. Each pattern needs several kilobytes of memory.
const MAX_SIZE: u64 = 256 << 10;

/// Checks that the ignore files of a directory and its parents can be read, before a search reads
/// them: it would wait for the writer of a pipe, and read all of a device.
///
/// # Errors
///
/// If one cannot be read, with its path and the reason.
pub(crate) fn check_all(folder: &Path) -> Result<(), String> {
    let Ok(folder) = std::path::absolute(folder) else {
        return Ok(());
    };
    folder.ancestors().try_for_each(check)
}

/// Like [`check_all`], for an entry of a search that has entered the parents already. Files have no
/// ignore files.
pub(crate) fn check_entry(entry: &DirEntry) -> Result<(), String> {
    let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
    if !is_folder || entry.depth() == 0 {
        return Ok(());
    }
    check(entry.path())
}

/// Checks the ignore files of a directory, like [`check_all`].
pub(crate) fn check(folder: &Path) -> Result<(), String> {
    NAMES.iter().try_for_each(|name| {
        let path = folder.join(name);
        match check_size(&path, MAX_SIZE) {
            // The search reports a directory that it may not enter.
            Ok(_) | Err(ReadError::NotFound | ReadError::Denied) => Ok(()),
            Err(error) => Err(format!("cannot read {}: {error}", display_path(&path))),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn rejects_large_files_and_directories() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).expect("the directory can be created");
        let ignore = folder.path().join(".gitignore");
        fs::write(&ignore, "*.bak\n").expect("the file can be written");
        assert_eq!(check_all(&inner), Ok(()));
        fs::write(&ignore, "*.bak\n".repeat(100_000)).expect("the file can be written");
        let error = check_all(&inner).expect_err("the file is too large");
        assert!(error.ends_with("file is too large: 585 KiB (the limit is 256 KiB)"));
        fs::remove_file(&ignore).expect("the file can be removed");
        fs::create_dir(&ignore).expect("the directory can be created");
        let error = check_all(&inner).expect_err("a directory has no patterns");
        assert!(error.ends_with(".gitignore: expected a file, found a directory"));
    }
}
