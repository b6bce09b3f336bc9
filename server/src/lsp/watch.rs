//! Learning of changes on the disk: from the client if it can, else from the system.

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

/// What happened to a file or folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Happened {
    /// It is there or not there, unlike before.
    Existence,
    /// It was there before and still is.
    Content,
}

/// Files that say what else there is: a change of their text changes more than that.
const SAYING: [&str; 9] = [
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

/// Whether what happened to a path can matter to the workspace.
pub(super) fn matters(path: &Path, happened: Happened) -> bool {
    let is_inside = |name: &str| path.iter().any(|it| it == name);
    if is_inside(".git") || is_inside("node_modules") {
        return false;
    }
    if happened == Happened::Existence {
        return true;
    }
    let name = path
        .file_name()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    let extension = path.extension().and_then(|it| it.to_str());
    SAYING.contains(&name)
        || matches!(extension, Some("pp" | "epp" | "rb" | "erb"))
        // Of a folder it is not said what changed in it.
        || !path.is_file()
}

/// The paths of what a client tells, as far as they matter.
pub(super) fn changed(events: &[FileEvent]) -> Vec<PathBuf> {
    let paths = events.iter().filter_map(|event| {
        let happened = match event.typ {
            FileChangeType::CHANGED => Happened::Content,
            _ => Happened::Existence,
        };
        from_proto::path(&event.uri).filter(|it| matters(it, happened))
    });
    paths.collect()
}

/// Asks a client to tell of changes in the workspace folders: of everything, since a folder has
/// no extension, and the files of a module may have any.
pub(super) fn registration() -> Registration {
    Registration {
        id: "pupil/files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: Some(json!({"watchers": [{"globPattern": "**/*"}]})),
    }
}

/// Watches folders by means of the system, on a thread of its own: to begin with a large folder
/// takes a while.
#[derive(Debug)]
pub(super) struct OwnWatcher {
    folders: BTreeSet<PathBuf>,
    wanted: Sender<BTreeSet<PathBuf>>,
}

impl OwnWatcher {
    /// Nothing is watched yet; what happens goes to the session. Nothing at all if the system
    /// cannot do it.
    pub(super) fn new(events: Sender<Event>) -> Option<OwnWatcher> {
        let told = events.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            match event {
                Ok(event) => {
                    let changed = changed_by(event);
                    if !changed.is_empty() {
                        // The session may be over.
                        let _ = told.send(Event::Watched(changed));
                    }
                }
                Err(error) => warn!("watching files: {error}"),
            }
        });
        let watcher = watcher.inspect_err(|it| warn!("files cannot be watched: {it}"));
        let watcher = watcher.ok()?;
        let (wanted, incoming) = channel();
        let thread = thread::Builder::new().name("watching".to_owned());
        let started = thread.spawn(move || watch(watcher, &incoming, &events));
        started
            .inspect_err(|it| warn!("files cannot be watched: {it}"))
            .ok()?;
        Some(OwnWatcher {
            folders: BTreeSet::new(),
            wanted,
        })
    }

    /// Watches these folders and no others.
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) {
        if self.folders != folders {
            self.folders.clone_from(&folders);
            // The thread ends only with the session.
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
            // It may not be there any more.
            let _ = watcher.unwatch(gone);
        }
        for new in folders.difference(&watched) {
            match watcher.watch(new, RecursiveMode::Recursive) {
                Ok(()) => info!("{} is watched", new.display()),
                Err(error) => warn!("{} cannot be watched: {error}", new.display()),
            }
        }
        watched = folders;
        // What has happened since the disk was read has not been told.
        if events.send(Event::Watched(Vec::new())).is_err() {
            break;
        }
    }
}

/// The paths of what the system tells, as far as they matter.
fn changed_by(event: notify::Event) -> Vec<PathBuf> {
    use notify::event::ModifyKind;
    let happened = match event.kind {
        EventKind::Access(_) => return Vec::new(),
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)) => Happened::Content,
        _ => Happened::Existence,
    };
    let mut paths = event.paths;
    paths.retain(|it| matters(it, happened));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_matter_is_read_again() {
        let here = std::env::current_dir().unwrap_or_default();
        let cases = [
            ("a.pp", Happened::Content, true),
            ("Cargo.toml", Happened::Content, false),
            ("Cargo.toml", Happened::Existence, true),
            ("src", Happened::Content, true),
            ("metadata.json", Happened::Content, true),
            (".git/index", Happened::Existence, false),
        ];
        for (path, happened, expected) in cases {
            assert_eq!(matters(&here.join(path), happened), expected, "{path}");
        }
    }
}
