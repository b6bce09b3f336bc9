//! Finds the files to check or format.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder, WalkState};

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
                Err(error) => Err(error.to_string()),
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
