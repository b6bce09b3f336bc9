//! Finds manifests and templates outside of modules, except files ignored by version control.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, io};

use ignore::{DirEntry, Error, WalkBuilder};

use super::exclude::Exclude;
use super::limits::{MAX_CHILDREN, MAX_DEPTH, MAX_ENTRIES};
use super::module_files::LinkBounds;
use super::note::Note;
use crate::ignore_files::IgnoreFiles;
use crate::paths::{is_bolt_task, is_manifest, is_template};
use crate::read_text::ReadError;

/// Returns the manifests and templates below `root`, sorted. Skips hidden files, files ignored by
/// `.gitignore` and similar files, and the contents of the directories `without`.
pub(super) fn find(
    root: &Path,
    without: HashSet<PathBuf>,
    exclude: Exclude,
    bounds: &LinkBounds,
    notes: &mut Vec<Note>,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = MAX_ENTRIES;
    let unreadable = Arc::new(Mutex::new(Vec::new()));
    let search = Search {
        without,
        exclude: Some(exclude),
        unreadable: Arc::clone(&unreadable),
    };
    for entry in search.walk(root, MAX_DEPTH) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                note_error(&error, root, notes);
                continue;
            }
        };
        left -= 1;
        if left == 0 {
            let message = format!("too many files: only the first {MAX_ENTRIES} are considered");
            notes.push(Note::new(root, message));
            break;
        }
        if is_wanted(&entry, bounds) {
            found.push(entry.into_path());
        }
    }
    if let Ok(problems) = unreadable.lock() {
        let new = |(folder, problem): &(PathBuf, String)| {
            Note::new(folder, format!("cannot search: {problem}"))
        };
        notes.extend(problems.iter().map(new));
    }
    found.sort_unstable();
    found
}

/// Adds a note about a path that cannot be searched, unless it has one already as part of a module.
fn note_error(error: &Error, root: &Path, notes: &mut Vec<Note>) {
    let path = path_of_error(error).unwrap_or(root);
    if notes.iter().any(|it| it.path == path) {
        return;
    }
    let reason = match error.io_error() {
        Some(it) => ReadError::from(io::Error::from(it.kind())).to_string(),
        None => error.to_string(),
    };
    notes.push(Note::new(path, format!("cannot search: {reason}")));
}

/// Returns the path that an error refers to.
fn path_of_error(error: &Error) -> Option<&Path> {
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => path_of_error(err),
        _ => None,
    }
}

/// Returns the directories below `root` that satisfy `is`, but not those nested in another one.
pub(super) fn folders(root: &Path, depth: usize, is: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let walk = Search::default().walk(root, depth);
    for entry in walk.filter_map(Result::ok).take(MAX_ENTRIES) {
        let path = entry.path();
        if entry.depth() > 0
            && entry.file_type().is_some_and(|it| it.is_dir())
            && !found.iter().any(|it| path.starts_with(it))
            && is(path)
        {
            found.push(path.to_owned());
        }
    }
    found
}

/// The exclusions of a search, and the directories that it cannot search.
#[derive(Default)]
struct Search {
    without: HashSet<PathBuf>,
    exclude: Option<Exclude>,
    /// The directories whose ignore files cannot be read, with the reasons.
    unreadable: Arc<Mutex<Vec<(PathBuf, String)>>>,
}

impl Search {
    fn walk(self, root: &Path, depth: usize) -> impl Iterator<Item = Result<DirEntry, Error>> {
        let mut ignore_files = IgnoreFiles::default();
        let added = ignore_files.add_root(root);
        let is_readable = self.or_noted(root, added.map(|()| true));
        let walk = is_readable.then(|| {
            WalkBuilder::new(root)
                .standard_filters(false)
                .max_depth(Some(depth))
                .sort_by_file_name(Ord::cmp)
                .filter_entry(move |it| self.has(it, &ignore_files))
                .build()
        });
        walk.into_iter().flatten()
    }

    fn has(&self, entry: &DirEntry, ignore_files: &IgnoreFiles) -> bool {
        let path = entry.path();
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        let is_excluded = |it: &Exclude| it.has(path, is_folder);
        entry.depth() == 0
            || !self.without.contains(path)
                && !self.exclude.as_ref().is_some_and(is_excluded)
                && self.or_noted(path, ignore_files.allow(entry))
    }

    /// Returns whether an entry is allowed, or notes that the ignore files of a directory cannot be read.
    fn or_noted(&self, folder: &Path, allowed: Result<bool, String>) -> bool {
        allowed.unwrap_or_else(|problem| {
            if let Ok(mut unreadable) = self.unreadable.lock() {
                unreadable.push((folder.to_owned(), problem));
            }
            false
        })
    }
}

fn is_wanted(entry: &DirEntry, bounds: &LinkBounds) -> bool {
    let path = entry.path();
    if (!is_manifest(path) && !is_template(path)) || is_bolt_task(path) {
        return false;
    }
    entry.file_type().is_some_and(|kind| {
        kind.is_file()
            || (kind.is_symlink()
                && path
                    .canonicalize()
                    .is_ok_and(|it| it.is_file() && bounds.allow(&it)))
    })
}

/// Checks whether a directory itself contains manifests.
pub(super) fn has_manifests(folder: &Path) -> bool {
    let children = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .take(MAX_CHILDREN);
    let mut files = children.filter_map(Result::ok).map(|it| it.path());
    files.any(|it| is_manifest(&it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::discover;
    use crate::workspace::tests::{names, relative, request, tree};

    #[test]
    fn finds_files_beside_environments() {
        let root = tree(&[
            ("environments/production/modules/m/manifests/init.pp", ""),
            ("modules/n/manifests/init.pp", ""),
            ("site.pp", ""),
            ("scripts/a.pp", ""),
        ]);
        let found = discover(&request(root.path()));
        let [production, files] = &found.environments[..] else {
            panic!("two: {found:#?}")
        };
        assert_eq!(names(production), ["m", "n"]);
        assert_eq!(
            relative(root.path(), &files.others),
            ["scripts/a.pp", "site.pp"]
        );
        assert!(!files.unchecked().is_empty());
    }

    #[test]
    fn reports_each_folder_once() {
        let denied = Error::Io(io::ErrorKind::PermissionDenied.into());
        let error = Error::WithDepth {
            depth: 1,
            err: Box::new(Error::WithPath {
                path: "a/closed".into(),
                err: Box::new(denied),
            }),
        };
        let mut notes = Vec::new();
        note_error(&error, Path::new("a"), &mut notes);
        let expected = Note::new("a/closed", "cannot search: permission denied");
        assert_eq!(notes, [expected]);
        let expected = vec![Note::new("a/closed", "cannot read directory")];
        let mut notes = expected.clone();
        note_error(&error, Path::new("a"), &mut notes);
        assert_eq!(notes, expected);
    }
}
