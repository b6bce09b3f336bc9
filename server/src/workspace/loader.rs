//! Reads the files of a workspace, and incrementally those that have changed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use rayon::prelude::*;

use super::limits::MAX_TEXT;
use super::note::Note;
use super::{Discovery, WorkspaceRequest, discover};
use crate::read_text::{ReadError, is_binary, read_text_up_to};

/// The result of loading: the workspace, and the changes since the last time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WorkspaceUpdate {
    pub(crate) discovery: Arc<Discovery>,
    /// The new and changed files; `None` for files that cannot be read.
    pub(crate) texts: Vec<(PathBuf, Option<LoadedText>)>,
    /// The files that no longer exist.
    pub(crate) removed: Vec<PathBuf>,
    /// All notes about the workspace and its files, sorted.
    pub(crate) notes: Vec<Note>,
}

/// The text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LoadedText {
    pub(crate) text: Arc<str>,
    /// Whether the file is valid UTF-8; otherwise `text` contains U+FFFD for invalid bytes.
    pub(crate) is_exact: bool,
}

/// Loads a workspace, and remembers the state of the files it has read.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    request: Option<WorkspaceRequest>,
    discovery: Arc<Discovery>,
    known: HashMap<PathBuf, LoadedFile>,
}

/// A file that has been read.
#[derive(Debug)]
struct LoadedFile {
    stamp: Option<FileStamp>,
    note: Option<Note>,
}

/// Metadata that nearly always changes together with the contents of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileStamp {
    modified: Option<SystemTime>,
    size: u64,
}

impl FileStamp {
    fn of(path: &Path) -> Option<FileStamp> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileStamp {
            modified: metadata.modified().ok(),
            size: metadata.len(),
        })
    }
}

/// A file that has just been read.
struct ReadResult {
    path: PathBuf,
    stamp: Option<FileStamp>,
    text: Option<LoadedText>,
    note: Option<Note>,
}

impl Loader {
    /// Loads the current state of the disk. Rereads the files and directories in `changed`, which
    /// were reported as created, changed or removed, and all files whose size or modification time
    /// has changed. Calls `progress` with the number of processed files and the total.
    pub(crate) fn load(
        &mut self,
        request: &WorkspaceRequest,
        changed: &[PathBuf],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> WorkspaceUpdate {
        let changed: HashSet<&Path> = changed.iter().map(PathBuf::as_path).collect();
        if self.are_known_files(&changed) && self.adopt(request) {
            let paths = changed.iter().map(|it| it.to_path_buf()).collect();
            let texts = self.read(paths, &changed, progress);
            return self.update(texts, Vec::new());
        }
        self.discovery = Arc::new(discover(request));
        self.request = Some(request.clone());
        let paths = text_files(&self.discovery);
        let removed: Vec<PathBuf> = {
            let current: HashSet<&Path> = paths.iter().map(PathBuf::as_path).collect();
            let known = self.known.keys();
            known
                .filter(|it| !current.contains(it.as_path()))
                .cloned()
                .collect()
        };
        for path in &removed {
            self.known.remove(path);
        }
        let texts = self.read(paths, &changed, progress);
        self.update(texts, removed)
    }

    /// Checks whether a request finds the same workspace as the last one, apart from new files in modules, which are added.
    fn adopt(&mut self, request: &WorkspaceRequest) -> bool {
        let Some(known) = &mut self.request else {
            return false;
        };
        let files = &request.files;
        let Some(new) = files.strip_prefix(known.files.as_slice()) else {
            return false;
        };
        let same = WorkspaceRequest {
            files: files.clone(),
            ..known.clone()
        };
        if same != *request {
            return false;
        }
        let mut discovery = Arc::clone(&self.discovery);
        for file in new {
            let Some(found) = discovery.with_opened_file(file) else {
                return false;
            };
            discovery = Arc::new(found);
        }
        self.discovery = discovery;
        *known = same;
        true
    }

    /// Checks whether only texts can have changed, so that discovery need not run again.
    fn are_known_files(&self, changed: &HashSet<&Path>) -> bool {
        // An empty set means that anything may have changed.
        !changed.is_empty()
            && changed.iter().all(|path| {
                self.known.contains_key(*path)
                // The name of the main class and the metadata determine the names of a module.
                && !path.ends_with("manifests/init.pp")
                && !path.ends_with("metadata.json")
                && fs::symlink_metadata(path).is_ok_and(|it| it.is_file())
            })
    }

    /// Reads those of `paths` that may have changed, in parallel.
    fn read(
        &mut self,
        paths: Vec<PathBuf>,
        changed: &HashSet<&Path>,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(PathBuf, Option<LoadedText>)> {
        let (total, done) = (paths.len(), AtomicUsize::new(0));
        let known = &self.known;
        let read: Vec<ReadResult> = paths
            .into_par_iter()
            .filter_map(|path| {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                let stamp = FileStamp::of(&path);
                let before = known.get(&path).map(|it| it.stamp);
                let is_changed =
                    || !changed.is_empty() && path.ancestors().any(|it| changed.contains(it));
                if before == Some(stamp) && !is_changed() {
                    return None;
                }
                let (text, note) = read_text(&path);
                Some(ReadResult {
                    path,
                    stamp,
                    text,
                    note,
                })
            })
            .collect();
        let read = read.into_iter().map(|it| {
            let known = LoadedFile {
                stamp: it.stamp,
                note: it.note,
            };
            self.known.insert(it.path.clone(), known);
            (it.path, it.text)
        });
        read.collect()
    }

    fn update(
        &self,
        texts: Vec<(PathBuf, Option<LoadedText>)>,
        removed: Vec<PathBuf>,
    ) -> WorkspaceUpdate {
        let file_notes = self.known.values().filter_map(|it| it.note.clone());
        let mut notes: Vec<Note> = self.discovery.notes.clone();
        notes.extend(file_notes);
        notes.sort_unstable();
        WorkspaceUpdate {
            discovery: Arc::clone(&self.discovery),
            texts,
            removed,
            notes,
        }
    }
}

/// Reads a file. Returns its text and a note about problems. Replaces invalid UTF-8, so that the
/// declarations of the file are still known.
fn read_text(path: &Path) -> (Option<LoadedText>, Option<Note>) {
    let note = |message: String| Some(Note::new(path, message));
    match read_text_up_to(path, MAX_TEXT) {
        Ok(text) if is_binary(&text) => (None, note("skipped: binary file".to_owned())),
        Ok(text) => {
            let text = LoadedText {
                text: text.into(),
                is_exact: true,
            };
            (Some(text), None)
        }
        // A document that was never saved, or a file that was just removed.
        Err(ReadError::NotFound) => (None, None),
        Err(ReadError::NotUtf8(invalid)) => {
            let text = invalid.lossy();
            if is_binary(&text) {
                return (None, note("skipped: binary file".to_owned()));
            }
            let text = LoadedText {
                text: text.into(),
                is_exact: false,
            };
            (Some(text), note(invalid.message()))
        }
        Err(problem) => (None, note(format!("skipped: {problem}"))),
    }
}

/// Returns all files whose texts are used, each once.
fn text_files(discovery: &Discovery) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let mut modules = HashSet::new();
    let mut paths = Vec::new();
    for environment in &discovery.environments {
        let loose = environment.manifests.iter().chain(&environment.others);
        paths.extend(loose.filter(|it| seen.insert((*it).clone())).cloned());
        for module in &environment.modules {
            if modules.insert(&module.root) || module.is_environment {
                let texts = module.files.iter().filter(|it| module.has_text(it));
                paths.extend(texts.map(|it| module.path_of(it)));
            }
        }
    }
    paths
}
