//! File watching: by the client if it supports it, otherwise by the operating system.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use serde_json::json;
use tower_lsp::ls_types::{FileChangeType, FileEvent, Registration};
use tracing::{info, warn};

use super::from_proto;
use super::session::Event;

/// The kind of a change of a file or directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChangeKind {
    /// It was created, removed or renamed.
    Existence,
    /// Its contents changed.
    Content,
}

/// The files whose contents determine which other files belong to the workspace.
const DISCOVERY_FILES: [&str; 9] = [
    "hiera.yaml",
    "metadata.json",
    "environment.conf",
    "Puppetfile",
    ".fixtures.yml",
    "pupil.toml",
    ".gitignore",
    ".ignore",
    "init.pp",
];

/// Checks whether a change can affect the workspace.
pub(super) fn is_relevant(path: &Path, kind: ChangeKind) -> bool {
    let is_inside = |name: &str| path.iter().any(|it| it == name);
    if is_inside(".git") || is_inside("node_modules") {
        return false;
    }
    if kind == ChangeKind::Existence {
        return true;
    }
    let name = path
        .file_name()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    let extension = path.extension().and_then(|it| it.to_str());
    DISCOVERY_FILES.contains(&name)
        || matches!(extension, Some("pp" | "epp" | "rb" | "erb"))
        // Data of Hiera, the metadata of tasks, and external facts.
        || matches!(extension, Some("yaml" | "yml" | "eyaml" | "json"))
        || is_inside("facts.d")
        // A change of a directory may be a change of anything in it.
        || !path.is_file()
}

/// Returns the relevant paths of the events reported by the client.
pub(super) fn changed(events: &[FileEvent]) -> Vec<PathBuf> {
    let paths = events.iter().filter_map(|event| {
        let kind = match event.typ {
            FileChangeType::CHANGED => ChangeKind::Content,
            _ => ChangeKind::Existence,
        };
        from_proto::path(&event.uri).filter(|it| is_relevant(it, kind))
    });
    paths.collect()
}

/// Returns the registration for changes in the workspace folders. It includes all files, because
/// directories have no extension, and files of a module can have any.
pub(super) fn registration() -> Registration {
    Registration {
        id: "pupil/files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: Some(json!({"watchers": [{"globPattern": "**/*"}]})),
    }
}

/// Watches directories with the facilities of the operating system. Runs on a separate thread
/// because starting to watch a large directory takes a while.
#[derive(Debug)]
pub(super) struct NativeWatcher {
    folders: BTreeSet<PathBuf>,
    wanted: Sender<BTreeSet<PathBuf>>,
}

impl NativeWatcher {
    /// Creates a watcher without directories, which reports changes to the session. Returns `None`
    /// if the system does not support it.
    pub(super) fn new(events: Sender<Event>) -> Option<NativeWatcher> {
        let event_sender = events.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            match event {
                Ok(event) => {
                    let changed = changed_by(event);
                    if !changed.is_empty() {
                        // The session may have ended.
                        let _ = event_sender.send(Event::Watched(changed));
                    }
                }
                Err(error) => warn!("file watcher failed: {error}"),
            }
        });
        let watcher = watcher.inspect_err(|it| warn!("cannot watch files: {it}"));
        let watcher = watcher.ok()?;
        let (wanted, incoming) = channel();
        let thread = thread::Builder::new().name("watching".to_owned());
        let started = thread.spawn(move || watch(watcher, &incoming, &events));
        started
            .inspect_err(|it| warn!("cannot watch files: {it}"))
            .ok()?;
        Some(NativeWatcher {
            folders: BTreeSet::new(),
            wanted,
        })
    }

    /// Sets the directories to watch.
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) {
        if self.folders != folders {
            self.folders.clone_from(&folders);
            // The thread lives as long as the session.
            let _ = self.wanted.send(folders);
        }
    }
}

fn watch(
    mut watcher: RecommendedWatcher,
    incoming: &Receiver<BTreeSet<PathBuf>>,
    events: &Sender<Event>,
) {
    let mut watched = BTreeSet::new();
    while let Ok(folders) = incoming.recv() {
        for gone in watched.difference(&folders) {
            // The directory may no longer exist.
            let _ = watcher.unwatch(gone);
        }
        for new in folders.difference(&watched) {
            match watcher.watch(new, RecursiveMode::Recursive) {
                Ok(()) => info!("watching {}", new.display()),
                Err(error) => warn!("cannot watch {}: {error}", new.display()),
            }
        }
        watched = folders;
        // Changes between loading and watching were not reported.
        if events.send(Event::Watched(Vec::new())).is_err() {
            break;
        }
    }
}

/// Returns the relevant paths of an event reported by the operating system.
fn changed_by(event: notify::Event) -> Vec<PathBuf> {
    use notify::event::ModifyKind;
    let kind = match event.kind {
        EventKind::Access(_) => return Vec::new(),
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)) => ChangeKind::Content,
        _ => ChangeKind::Existence,
    };
    let mut paths = event.paths;
    paths.retain(|it| is_relevant(it, kind));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_irrelevant_changes() {
        let here = std::env::current_dir().unwrap_or_default();
        let cases = [
            ("a.pp", ChangeKind::Content, true),
            ("Cargo.toml", ChangeKind::Content, false),
            ("Cargo.toml", ChangeKind::Existence, true),
            ("src", ChangeKind::Content, true),
            ("data/common.yaml", ChangeKind::Content, true),
            ("metadata.json", ChangeKind::Content, true),
            (".git/index", ChangeKind::Existence, false),
        ];
        for (path, kind, expected) in cases {
            assert_eq!(is_relevant(&here.join(path), kind), expected, "{path}");
        }
    }
}
