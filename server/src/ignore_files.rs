//! Ignore files, such as `.gitignore`, that apply to searches.
//!
//! They are read here and not by a library, which would wait for the writer of a pipe, read all of
//! a device, follow links, and open the user's Git configuration. Only the files of the repository
//! are used, as they are on disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, Match};

use crate::display_path::display_path;
use crate::read_text::{ReadError, read_bytes};

/// The ignore files of a directory, relative to it. The first one with a pattern for a path decides, in the
/// nearest directory that has one.
const NAMES: [&[&str]; 3] = [
    &[".ignore"],
    &[".gitignore"],
    // If `.git` is a file, it names a directory that may be anywhere.
    &[".git", "info", "exclude"],
];

/// The maximum size in bytes. Each pattern needs several kilobytes of memory.
const MAX_SIZE: u64 = 256 << 10;

/// The maximum number of patterns.
pub(crate) const MAX_PATTERNS: usize = 5_000;

/// The ignore files that apply to the entries of searches.
#[derive(Debug, Default)]
pub(crate) struct IgnoreFiles {
    /// The real path of each directory that is searched.
    roots: HashMap<PathBuf, PathBuf>,
    /// The given directories, or the repositories that contain them.
    bounds: Vec<PathBuf>,
    folders: Mutex<HashMap<PathBuf, FolderPatterns>>,
}

/// The patterns that apply to the children of a directory, or why they are not known.
type FolderPatterns = Result<Option<Arc<Patterns>>, String>;

/// The patterns of a directory with an ignore file.
#[derive(Debug)]
struct Patterns {
    /// The patterns of each ignore file, in the order of [`NAMES`].
    own: [Gitignore; 3],
    /// The patterns of the nearest parent directory with an ignore file.
    outer: Option<Arc<Patterns>>,
}

impl IgnoreFiles {
    /// Adds a directory that is searched.
    ///
    /// # Errors
    ///
    /// If an ignore file of it or its parents cannot be read, with its path and the reason.
    pub(crate) fn add_root(&mut self, root: &Path) -> Result<(), String> {
        // The search reports a directory that does not exist.
        let Ok(real) = root.canonicalize() else {
            return Ok(());
        };
        let patterns = self.patterns(&real);
        let repository = real.ancestors().find(|it| it.join(".git").exists());
        self.bounds.push(repository.unwrap_or(&real).to_owned());
        self.roots.insert(root.to_owned(), real);
        patterns.map(drop)
    }

    /// Checks whether a link leads to a file in a directory that is searched, or in its repository.
    pub(crate) fn allow_link(&self, link: &Path) -> bool {
        let target = link.canonicalize().ok().filter(|it| it.is_file());
        target.is_some_and(|it| self.bounds.iter().any(|bound| it.starts_with(bound)))
    }

    /// Checks whether an entry of a search is neither ignored nor hidden.
    ///
    /// # Errors
    ///
    /// If it is a directory whose ignore files cannot be read, with the path of one and the reason.
    pub(crate) fn allow(&self, entry: &DirEntry) -> Result<bool, String> {
        let path = entry.path();
        let mut ancestors = path.ancestors();
        let root = ancestors.nth(entry.depth());
        let Some((root, real)) = root.and_then(|it| Some((it, self.roots.get(it)?))) else {
            return Ok(true);
        };
        if entry.depth() == 0 {
            return Ok(true);
        }
        let real = real.join(path.strip_prefix(root).unwrap_or(path));
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        let patterns = self.patterns(real.parent().unwrap_or(&real))?;
        let is_allowed = match patterns.and_then(|it| it.is_ignored(&real, is_folder)) {
            Some(is_ignored) => !is_ignored,
            None => !entry.file_name().as_encoded_bytes().starts_with(b"."),
        };
        if is_allowed && is_folder {
            self.patterns(&real)?;
        }
        Ok(is_allowed)
    }

    /// Returns the patterns that apply to the children of a directory.
    fn patterns(&self, folder: &Path) -> FolderPatterns {
        let known = self.folders.lock().ok();
        if let Some(known) = known.and_then(|it| it.get(folder).cloned()) {
            return known;
        }
        let found = self.read_patterns(folder);
        if let Ok(mut folders) = self.folders.lock() {
            folders.insert(folder.to_owned(), found.clone());
        }
        found
    }

    fn read_patterns(&self, folder: &Path) -> FolderPatterns {
        let is_repository = folder.join(".git").exists();
        let outer = match folder.parent().filter(|_| !is_repository) {
            Some(parent) => self.patterns(parent)?,
            None => None,
        };
        let [ignore, git, exclude] = NAMES.map(|it| read(folder, it));
        let own = [ignore?, git?, exclude?];
        if own.iter().all(Gitignore::is_empty) {
            return Ok(outer);
        }
        Ok(Some(Arc::new(Patterns { own, outer })))
    }
}

impl Patterns {
    /// Checks whether a path is ignored; `None` if no pattern matches it.
    fn is_ignored(&self, path: &Path, is_folder: bool) -> Option<bool> {
        (0..NAMES.len()).find_map(|index| {
            let chain = std::iter::successors(Some(self), |it| it.outer.as_deref());
            let mut matches = chain.map(|it| it.own[index].matched(path, is_folder));
            match matches.find(|it| !it.is_none())? {
                Match::Ignore(_) => Some(true),
                _ => Some(false),
            }
        })
    }
}

/// Returns the patterns of the `.gitignore` of a directory, or none if it cannot be read.
pub(crate) fn git_patterns(folder: &Path) -> Option<Gitignore> {
    read(folder, NAMES[1]).ok().filter(|it| !it.is_empty())
}

/// Reads an ignore file. It is empty if there is none, if it is reached through a link, which Git does not
/// follow either, and if it is in a directory that may not be entered, which the search reports.
fn read(folder: &Path, name: &[&str]) -> Result<Gitignore, String> {
    let mut path = folder.to_owned();
    for part in name {
        path.push(part);
        let is_real = path.symlink_metadata().is_ok_and(|it| !it.is_symlink());
        if !is_real {
            return Ok(Gitignore::empty());
        }
    }
    let problem = |it: &dyn std::fmt::Display| format!("cannot read {}: {it}", display_path(&path));
    let bytes = match read_bytes(&path, MAX_SIZE) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound | ReadError::Denied) => return Ok(Gitignore::empty()),
        Err(error) => return Err(problem(&error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.trim_start_matches('\u{feff}').lines();
    let is_pattern = |it: &&str| !it.trim().is_empty() && !it.starts_with('#');
    let patterns: Vec<&str> = lines.filter(is_pattern).collect();
    check_count(patterns.len()).map_err(|it| problem(&it))?;
    let mut builder = GitignoreBuilder::new(folder);
    for pattern in patterns {
        // Git skips an invalid pattern.
        let _ = builder.add_line(None, pattern);
    }
    builder.build().map_err(|it| problem(&it))
}

/// Checks that there are not more patterns than can be compiled within reasonable memory.
pub(crate) fn check_count(count: usize) -> Result<(), String> {
    match count > MAX_PATTERNS {
        true => Err(format!(
            "too many patterns: {count} (the limit is {MAX_PATTERNS})"
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ignore::WalkBuilder;

    use super::*;

    /// Returns the files that a search of a directory finds, relative to it.
    fn found(root: &Path) -> Vec<String> {
        let mut ignore_files = IgnoreFiles::default();
        ignore_files.add_root(root).expect("the patterns are read");
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(false);
        walk.filter_entry(move |it| ignore_files.allow(it).is_ok_and(|it| it));
        let entries = walk.build().filter_map(Result::ok);
        let files = entries.filter(|it| it.path().is_file());
        let names = files.map(|it| {
            let path = it.path().strip_prefix(root).expect("below the root");
            path.to_string_lossy().into_owned()
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }

    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(path, text).expect("a file");
        }
    }

    #[test]
    fn nearest_patterns_decide() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let root = folder.path().join("outer/repository");
        write(
            &root,
            &[
                ("../.gitignore", "kept.pp\n"),
                (".git/info/exclude", "private.pp\nshared.pp\n"),
                (
                    ".gitignore",
                    "*.bak.pp\n!shared.pp\n/built/\n!.hidden.pp\n[\n",
                ),
                ("inner/.gitignore", "!good.bak.pp\n"),
                ("inner/.ignore", "local.pp\n"),
                ("kept.pp", ""),
                ("private.pp", ""),
                ("shared.pp", ""),
                ("a.bak.pp", ""),
                (".hidden.pp", ""),
                (".other.pp", ""),
                ("built/a.pp", ""),
                ("inner/built/a.pp", ""),
                ("inner/good.bak.pp", ""),
                ("inner/bad.bak.pp", ""),
                ("inner/local.pp", ""),
            ],
        );
        let expected = [
            ".hidden.pp",
            "inner/built/a.pp",
            "inner/good.bak.pp",
            "kept.pp",
            "shared.pp",
        ];
        assert_eq!(found(&root), expected);
        assert_eq!(found(&root.join("inner")), ["built/a.pp", "good.bak.pp"]);
    }

    #[test]
    fn rejects_large_files_and_directories() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).expect("the directory can be created");
        let ignore = folder.path().join(".gitignore");
        let add = || IgnoreFiles::default().add_root(&inner);
        fs::write(&ignore, "*.bak\n").expect("the file can be written");
        assert_eq!(add(), Ok(()));
        fs::write(&ignore, "*.bak\n".repeat(100_000)).expect("the file can be written");
        let error = add().expect_err("the file is too large");
        assert!(error.ends_with("file is too large: 585 KiB (the limit is 256 KiB)"));
        fs::write(&ignore, "*.bak\n".repeat(6_000)).expect("the file can be written");
        let error = add().expect_err("the file has too many patterns");
        assert!(error.ends_with("too many patterns: 6000 (the limit is 5000)"));
        fs::remove_file(&ignore).expect("the file can be removed");
        fs::create_dir(&ignore).expect("the directory can be created");
        let error = add().expect_err("a directory has no patterns");
        assert!(error.ends_with(".gitignore: expected a file, found a directory"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_other_directories_are_not_read() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let root = folder.path().join("repository");
        write(
            folder.path(),
            &[
                ("patterns", "*.pp\n"),
                ("other/info/exclude", "*.pp\n"),
                ("other/commondir", ".\n"),
                ("repository/a.pp", ""),
            ],
        );
        let other = folder.path().join("other");
        fs::write(root.join(".git"), format!("gitdir: {}\n", other.display())).expect("a file");
        std::os::unix::fs::symlink("../patterns", root.join(".gitignore")).expect("a link");
        assert_eq!(found(&root), ["a.pp"]);
        fs::remove_file(root.join(".git")).expect("the file can be removed");
        std::os::unix::fs::symlink("../other", root.join(".git")).expect("a link");
        assert_eq!(found(&root), ["a.pp"]);
    }
}
