//! What the session knows of the disk: it asks for it to be read, and takes in what was read.

use std::path::{Path, PathBuf};
use std::time::Instant;

use analysis::{Change, FileId, FileSpec};
use tracing::info;

use super::super::from_proto::path as path_of;
use super::super::loading::Job;
use super::super::outgoing::Outgoing;
use super::{GRACE, State, Uri};
use crate::place::Layout;
use crate::vfs::DiskFile;
use crate::workspace::Update;

impl State {
    /// Has the disk read, now that the client is ready.
    pub(super) fn begin(&mut self) {
        self.is_ready = true;
        if !self.request.folders.is_empty() || !self.request.files.is_empty() {
            self.read_disk(Vec::new(), false);
        }
    }

    /// Has the disk read again. `changed` are said to have changed.
    pub(super) fn read_disk(&self, changed: Vec<PathBuf>, in_bulk: bool) {
        if !self.is_ready {
            return;
        }
        let job = Job {
            request: self.request.clone(),
            changed,
            in_bulk,
            shows_progress: self.client.get().is_some_and(|it| it.shows_progress),
        };
        // The thread ends only with the session.
        let _ = self.jobs.send(job);
    }

    /// Takes in what was read. Open documents stay as they are.
    pub(super) fn loaded(&mut self, update: Update) {
        for note in &update.notes {
            if self.notes.binary_search(note).is_err() {
                info!("{note}");
            }
        }
        self.notes.clone_from(&update.notes);
        self.places = Layout::new(&self.request.modulepath);
        let changes = self.vfs.apply(update);
        let mut is_different = changes.layout.is_some();
        if is_different || !changes.files.is_empty() {
            self.pending.wait(GRACE);
        }
        for (file, on_disk) in changes.files {
            if self.documents.values().any(|it| it.file == file) {
                continue;
            }
            is_different = true;
            self.host.apply_change(disk_change(file, on_disk));
        }
        if let Some(layout) = changes.layout {
            self.host.apply_change(Change::SetWorkspace(layout));
        }
        is_different |= self.respecify();
        if is_different {
            self.outdate();
        }
    }

    /// What open documents are may be something else by now; whether it is for any.
    fn respecify(&mut self) -> bool {
        let mut is_different = false;
        for (uri, document) in &mut self.documents {
            let Some(path) = path_of(uri) else { continue };
            let mut spec = specify(&self.vfs, &self.places, &path, document.file);
            spec.dialect.epp |= document.is_template;
            if spec != document.spec {
                document.spec = spec;
                document.changed = true;
                is_different = true;
            }
        }
        is_different
    }

    /// Diagnostics of any document may be others by now.
    fn outdate(&mut self) {
        let Some(client) = self.client.get().cloned() else {
            return;
        };
        if self.documents.is_empty() {
            return;
        }
        if client.pulls_diagnostics {
            if client.refreshes_diagnostics {
                self.tell(Outgoing::RefreshDiagnostics);
            }
            return;
        }
        for document in self.documents.values_mut() {
            document.unpublished = true;
        }
        self.wait(Instant::now());
    }

    /// The number of the file that a document is, and what it is.
    pub(super) fn identify(&mut self, uri: &Uri) -> (FileId, FileSpec) {
        let Some(path) = path_of(uri) else {
            return (self.vfs.unnamed_file(), FileSpec::default());
        };
        let path = self.vfs.known_path(&path).unwrap_or(path);
        let mut file = self.vfs.file_id(&path);
        if self.documents.values().any(|it| it.file == file) {
            // The same file under two names: the second document is one of its own.
            file = self.vfs.unnamed_file();
        } else if self.vfs.on_disk(file).is_none() && !self.request.files.contains(&path) {
            self.request.files.push(path.clone());
            self.read_disk(Vec::new(), false);
        }
        let spec = specify(&self.vfs, &self.places, &path, file);
        (file, spec)
    }

    /// A file that is no longer open is what the disk holds.
    pub(super) fn back_to_disk(&mut self, file: FileId) {
        let on_disk = self.vfs.on_disk(file).cloned();
        self.host.apply_change(disk_change(file, on_disk));
        let path = self.vfs.path(file);
        let files = &mut self.request.files;
        if let Some(at) = files.iter().position(|it| Some(it.as_path()) == path) {
            files.remove(at);
            self.read_disk(Vec::new(), false);
        }
    }
}

/// What the file at a path is, as the workspace knows it, else as its path tells.
fn specify(vfs: &crate::vfs::Vfs, places: &Layout, path: &Path, file: FileId) -> FileSpec {
    let known = vfs.on_disk(file).map(|it| &it.spec);
    match known.filter(|it| it.place.is_some()) {
        Some(spec) => spec.clone(),
        None => places.spec(path),
    }
}

fn disk_change(file: FileId, on_disk: Option<DiskFile>) -> Change {
    match on_disk {
        Some(DiskFile { spec, text }) => Change::SetFile { file, spec, text },
        None => Change::RemoveFile(file),
    }
}
