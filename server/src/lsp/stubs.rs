//! Stubs of built-in names as files that any editor can open.
//!
//! They are written to the user's cache directory when an editor requests a declaration, read-only,
//! into a directory named after their contents: a new release never changes a file that is open.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use analysis::library::{self, Source};
use sha2::{Digest, Sha256};
use tracing::warn;

/// The directory of all stubs, in the user's cache directory.
const DIRECTORY: [&str; 2] = ["pupil", "stubs"];

/// The directory of the user's caches, in which stubs are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StubDirectory(PathBuf);

impl StubDirectory {
    /// Returns the directory in a cache directory.
    pub(super) fn new(cache: &Path) -> StubDirectory {
        StubDirectory(cache.to_owned())
    }

    /// Returns the path of a stub, which is written unless it exists.
    pub(super) fn materialize(&self, source: &Source) -> Option<PathBuf> {
        static FINGERPRINT: LazyLock<String> = LazyLock::new(fingerprint);
        let path = all_stubs(&self.0).join(&*FINGERPRINT).join(source.name);
        let is_there = fs::read(&path).is_ok_and(|it| it == source.text.as_bytes());
        if !is_there && let Err(error) = write(&path, source.text) {
            warn!("cannot write {}: {error}", path.display());
            return None;
        }
        Some(path)
    }
}

/// Checks whether a file is a stub of this or another release.
pub(super) fn is_stub(path: &Path) -> bool {
    dirs::cache_dir().is_some_and(|it| path.starts_with(all_stubs(&it)))
}

fn all_stubs(cache: &Path) -> PathBuf {
    let [program, stubs] = DIRECTORY;
    cache.join(program).join(stubs)
}

/// Writes a read-only file. Others see either no file or the whole one.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let directory = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(directory)?;
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut file = fs::File::create(&temporary)?;
    file.write_all(text.as_bytes())?;
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)?;
    drop(file);
    let moved = fs::rename(&temporary, path);
    if moved.is_err() {
        // The error of the rename is the one that matters.
        let _ = fs::remove_file(&temporary);
    }
    moved
}

/// Returns a name for the contents of all stubs: the release and a hash.
fn fingerprint() -> String {
    let mut hasher = Sha256::new();
    for source in library::sources() {
        hasher.update(source.name);
        hasher.update([0]);
        hasher.update(source.text);
        hasher.update([0]);
    }
    let digest = hasher.finalize();
    let hash = digest.iter().take(8).map(|it| format!("{it:02x}"));
    format!("{}-{}", env!("CARGO_PKG_VERSION"), hash.collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn writes_read_only_files_once() {
        let cache = env::temp_dir().join(format!("pupil-stubs-{}", std::process::id()));
        let stubs = StubDirectory::new(&cache);
        let mut sources = library::sources();
        let source = sources
            .find(|it| it.name == "types/file.pp")
            .expect("the stub exists");
        let path = stubs.materialize(source).expect("the file can be written");
        assert!(
            path.starts_with(cache.join("pupil/stubs")),
            "{}",
            path.display()
        );
        let text = fs::read_to_string(&path).expect("the file can be read");
        assert_eq!(text, source.text);
        let metadata = fs::metadata(&path).expect("the file exists");
        assert!(metadata.permissions().readonly());
        assert_eq!(stubs.materialize(source), Some(path.clone()));
        let unchanged = fs::metadata(&path).expect("the file exists");
        assert_eq!(unchanged.modified().ok(), metadata.modified().ok());
        fs::remove_dir_all(&cache).expect("the directory can be removed");
    }

    #[test]
    fn no_path_if_it_cannot_be_written() {
        let file = env::temp_dir().join(format!("pupil-no-directory-{}", std::process::id()));
        fs::write(&file, "").expect("the file can be written");
        let source = library::sources().next().expect("there are stubs");
        assert_eq!(StubDirectory::new(&file).materialize(source), None);
        fs::remove_file(&file).expect("the file can be removed");
    }
}
