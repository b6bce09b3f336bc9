//! Finds the files to check or format.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, Error, WalkBuilder, WalkState};
use rustc_hash::FxHashSet;

use crate::display_path::display_path;
use crate::ignore_files::IgnoreFiles;
use crate::paths::{is_bolt_task, is_manifest, is_template};
use crate::read_text::reason;

/// The result of a search.
#[derive(Debug, Default)]
pub(crate) struct FoundFiles {
    /// The files, sorted and without duplicates.
    pub(crate) files: Vec<PathBuf>,
    /// Messages about paths that could not be searched.
    pub(crate) problems: Vec<String>,
}

impl FoundFiles {
    /// Returns a single file.
    pub(crate) fn of(path: &Path) -> FoundFiles {
        FoundFiles {
            files: vec![path.to_owned()],
            problems: Vec::new(),
        }
    }
}

/// Finds the manifests and templates at `paths`.
///
/// Files are returned as they are, except Bolt's tasks, which are not manifests. Directories are searched in parallel, except hidden files and
/// those that `.gitignore` and similar files exclude. Symbolic links to directories are not
/// followed: the fixtures of modules often contain a link to the module itself. Links to files count if these are in
/// the directories or their repositories.
pub(crate) fn find(paths: &[PathBuf]) -> FoundFiles {
    let mut found = FoundFiles::default();
    let mut folders = Vec::new();
    let mut ignore_files = IgnoreFiles::default();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(kind) if kind.is_dir() => match ignore_files.add_root(path) {
                Ok(()) => folders.push(path),
                Err(problem) => found.problems.push(not_searched(path, &problem)),
            },
            // Reading the file later reports whether that is possible.
            Ok(_) if is_bolt_task(path) => {}
            Ok(_) => found.files.push(path.clone()),
            Err(error) => {
                let reason = reason(error);
                let path = path.display();
                found.problems.push(format!("cannot read {path}: {reason}"));
            }
        }
    }
    if let Some((first, rest)) = folders.split_first() {
        let mut walk = WalkBuilder::new(first);
        for folder in rest {
            walk.add(folder);
        }
        search(&mut walk, ignore_files, &mut found);
    }
    found.files.sort_unstable();
    found.files.dedup();
    found.problems.sort_unstable();
    found
}

/// Keeps one path of each file to change: not that of a symbolic link, if there is another.
pub(crate) fn retain_one_path_each(files: &mut Vec<PathBuf>) {
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let all = std::mem::take(files).into_iter();
    let (links, others): (Vec<PathBuf>, Vec<PathBuf>) = all.partition(|it| it.is_symlink());
    let mut known = FxHashSet::default();
    files.extend(others.into_iter().chain(links));
    files.retain(|it| known.insert(real(it)));
    files.sort_unstable();
}

/// Returns the warning about paths without manifests and templates. They may have some that are excluded.
pub(crate) fn nothing_found(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths
        .iter()
        .map(|it| format!("`{}`", it.display()))
        .collect();
    let names = names.join(", ");
    match count_excluded(paths) {
        0 => format!("no manifests or templates found in {names}"),
        1 => format!("the only manifest or template in {names} is excluded by {EXCLUDED_BY}"),
        count => {
            format!("all {count} manifests and templates in {names} are excluded by {EXCLUDED_BY}")
        }
    }
}

/// The files that can exclude others.
const EXCLUDED_BY: &str = "`.gitignore` or `pupil.toml`";

/// The limit of entries that are searched to explain an empty result.
const MAX_EXPLAINED: usize = 100_000;

/// Counts the manifests and templates in directories that are not hidden, whether they are excluded or not.
fn count_excluded(paths: &[PathBuf]) -> usize {
    let is_code = |path: &Path| (is_manifest(path) || is_template(path)) && !is_bolt_task(path);
    let walks = paths.iter().filter(|it| it.is_dir()).map(|it| {
        let mut walk = WalkBuilder::new(it);
        walk.standard_filters(false).hidden(true).build()
    });
    let entries = walks.flatten().filter_map(Result::ok).take(MAX_EXPLAINED);
    let files = entries.filter(|it| it.file_type().is_some_and(|it| it.is_file()));
    files.filter(|it| is_code(it.path())).count()
}

fn search(walk: &mut WalkBuilder, ignore_files: IgnoreFiles, found: &mut FoundFiles) {
    let unreadable = Arc::new(Mutex::new(Vec::new()));
    let problems = Arc::clone(&unreadable);
    let ignore_files = Arc::new(ignore_files);
    let filter = Arc::clone(&ignore_files);
    walk.filter_entry(move |entry| {
        let allowed = filter.allow(entry);
        if let (Err(problem), Ok(mut problems)) = (&allowed, problems.lock()) {
            problems.push(not_searched(entry.path(), problem));
        }
        allowed.unwrap_or(false)
    });
    let shared = Mutex::new(&mut *found);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    walk.standard_filters(false).threads(threads);
    walk.build_parallel().run(|| {
        Box::new(|entry| {
            let wanted = match entry {
                Ok(entry) if is_puppet_file(&entry, &ignore_files) => Ok(entry.into_path()),
                Ok(_) => return WalkState::Continue,
                Err(error) => Err(unreadable_entry(&error)),
            };
            if let Ok(mut found) = shared.lock() {
                match wanted {
                    Ok(path) => found.files.push(path),
                    Err(problem) => found.problems.push(problem),
                }
            }
            WalkState::Continue
        })
    });
    if let Ok(mut problems) = unreadable.lock() {
        found.problems.append(&mut problems);
    }
}

fn not_searched(folder: &Path, problem: &str) -> String {
    format!("cannot search {}: {problem}", display_path(folder))
}

/// Returns a message about an entry that cannot be searched, in the words of other messages.
fn unreadable_entry(error: &Error) -> String {
    let reason = match error.io_error() {
        Some(it) => reason(it.kind().into()),
        None => return error.to_string(),
    };
    match path_of(error) {
        Some(path) => not_searched(path, &reason),
        None => reason,
    }
}

/// Returns the path that an error refers to.
fn path_of(error: &Error) -> Option<&Path> {
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::WithDepth { err, .. } => path_of(err),
        _ => None,
    }
}

fn is_puppet_file(entry: &DirEntry, ignore_files: &IgnoreFiles) -> bool {
    let path = entry.path();
    if (!is_manifest(path) && !is_template(path)) || is_bolt_task(path) {
        return false;
    }
    entry.file_type().is_some_and(|kind| {
        // A dangling link does not count, nor does one to a file elsewhere.
        kind.is_file() || (kind.is_symlink() && ignore_files.allow_link(path))
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_one_path() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("m.pp"), "").expect("the file can be written");
        std::fs::write(at("other.pp"), "").expect("the file can be written");
        for (link, target) in [("a.pp", "m.pp"), ("z.pp", "a.pp"), ("lost.pp", "none")] {
            std::os::unix::fs::symlink(target, at(link)).expect("links are supported");
        }
        let all = ["a.pp", "lost.pp", "m.pp", "other.pp", "z.pp"];
        let mut files: Vec<PathBuf> = all.into_iter().map(at).collect();
        retain_one_path_each(&mut files);
        assert_eq!(files, ["lost.pp", "m.pp", "other.pp"].map(at));

        let mut links = vec![at("a.pp"), at("z.pp")];
        retain_one_path_each(&mut links);
        assert_eq!(links, [at("a.pp")]);
    }
}
