//! The part of the session that deals with files on disk: requests to load them, and updates.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use analysis::ide::{FormatOptions, HintOptions};
use analysis::{Change, FileId, FileSpec};
use tower_lsp::ls_types::Registration;
use tracing::{info, warn};

use super::super::file_watching::{self, NativeWatcher};
use super::super::formatting;
use super::super::from_proto::path as path_of;
use super::super::loading::LoadJob;
use super::super::logging;
use super::super::outgoing::OutgoingMessage;
use super::super::settings::{self, ClientSettings};
use super::super::typing;
use super::{SessionState, Uri};
use crate::config::FILE_NAME;
use crate::paths::{ModuleLocator, absolute};
use crate::sample_nodes;
use crate::workspace::WorkspaceUpdate;

impl SessionState {
    /// Registers for changes and loads the workspace, once the client is ready.
    pub(super) fn on_ready(&mut self) {
        self.is_ready = true;
        let registrations = self.registrations();
        if !registrations.is_empty() {
            self.send(OutgoingMessage::Register(registrations));
        }
        if self.client.get().is_some_and(|it| it.requests_settings) {
            self.send(OutgoingMessage::RequestSettings);
        }
        self.watch();
        if self.reads_disk() {
            self.read_disk(Vec::new(), false);
        }
    }

    /// Returns the dynamic registrations that the client supports.
    fn registrations(&self) -> Vec<Registration> {
        let Some(client) = self.client.get() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        found.extend(client.watches_files.then(file_watching::registration));
        found.extend(client.registers_settings.then(settings::registration));
        if client.registers_formatters {
            found.extend(formatting::registrations());
        }
        found
    }

    /// Watches the directories that the client does not: those outside of the workspace, and the
    /// workspace folders if the client does not support it.
    fn watch(&mut self) {
        let folders = &self.request.folders;
        let mut wanted = BTreeSet::from_iter(self.request.modulepath.iter().cloned());
        wanted.extend(self.vfs.roots().map(Path::to_owned));
        wanted.retain(|it| !folders.iter().any(|folder| it.starts_with(folder)));
        if !self.client.get().is_some_and(|it| it.watches_files) {
            wanted.extend(folders.iter().cloned());
        }
        wanted.retain(|it| it.is_dir());
        if self.watcher.is_none() && !wanted.is_empty() {
            self.watcher = NativeWatcher::new(self.events.clone());
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.watch(wanted);
        }
    }

    /// Updates the workspace folders.
    pub(super) fn change_folders(&mut self, removed: &[PathBuf], added: Vec<PathBuf>) {
        let folders = &mut self.request.folders;
        folders.retain(|it| !removed.contains(it));
        for folder in added {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        self.read_disk(Vec::new(), false);
    }

    /// Applies the settings of the client. The command line takes precedence.
    pub(super) fn configure(&mut self, wanted: ClientSettings) {
        let relative = |it: &PathBuf| match self.request.folders.first() {
            Some(folder) => absolute(&folder.join(it)),
            None => absolute(it),
        };
        let mut modulepath = self.settings.modulepath.clone();
        modulepath.extend(wanted.modulepath.iter().map(relative));
        let basemodulepath = wanted
            .basemodulepath
            .map(|it| it.iter().map(relative).collect());
        let finds_others =
            modulepath != self.request.modulepath || basemodulepath != self.request.basemodulepath;
        self.request.basemodulepath = basemodulepath;
        self.request.modulepath = modulepath;
        if let Some(level) = wanted.trace {
            logging::set_level(level);
        }
        self.client_version = wanted.version;
        self.typing_pause = wanted.diagnostics_delay.unwrap_or(typing::PAUSE);
        if self.client_hints != wanted.hints {
            self.client_hints = wanted.hints;
            self.invalidate_hints();
        }
        for problem in &wanted.problems {
            // Each problem is shown once until it is fixed.
            if !self.reported_problems.contains(problem) {
                self.send(OutgoingMessage::Warning(problem.clone()));
            }
        }
        for unknown in &wanted.unknown {
            if !self.reported_problems.contains(unknown) {
                warn!("{unknown}");
            }
        }
        self.reported_problems = [wanted.problems, wanted.unknown].concat();
        self.set_version();
        if finds_others {
            self.read_disk(Vec::new(), false);
        }
    }

    /// Sets the Puppet version from the command line, the client or the project, in this order.
    fn set_version(&mut self) {
        let project = self.vfs.config().and_then(|it| it.puppet.version);
        let version = self.settings.version.or(self.client_version);
        let version = version.or(project.map(Into::into)).unwrap_or_default();
        if version != self.version {
            self.version = version;
            self.host.apply([Change::SetVersion(version)]);
            self.invalidate_results();
        }
    }

    /// Loads the workspace again. `changed` are the paths reported as changed.
    pub(super) fn read_disk(&self, changed: Vec<PathBuf>, is_debounced: bool) {
        if !self.is_ready {
            return;
        }
        let job = LoadJob {
            request: self.request.clone(),
            changed,
            is_debounced,
            shows_progress: self.client.get().is_some_and(|it| it.shows_progress),
        };
        // The loader thread lives as long as the session.
        let _ = self.jobs.send(job);
    }

    /// Applies an update of the loader. Open documents are not affected.
    pub(super) fn apply_update(&mut self, mut update: WorkspaceUpdate) {
        // Files may have been opened while the disk was read.
        for file in &self.request.files {
            if let Some(discovery) = update.discovery.with_opened_file(file) {
                update.discovery = Arc::new(discovery);
            }
        }
        for note in &update.notes {
            if self.notes.binary_search(note).is_err() {
                info!("{note}");
                // The user should know if the configuration is not used.
                if note.path.ends_with(FILE_NAME) {
                    self.send(OutgoingMessage::Warning(note.to_string()));
                }
            }
        }
        let is_first = !std::mem::replace(&mut self.is_loaded, true);
        self.notes.clone_from(&update.notes);
        self.locator = ModuleLocator::new(&self.request.modulepath);
        let before = self.vfs.discovered();
        let mut changes = self.vfs.apply(update);
        for document in self.documents.values() {
            changes.files.remove(&document.file);
        }
        let mut has_changed = self.host.apply(self.vfs.changes(changes));
        self.set_version();
        self.watch();
        if !Arc::ptr_eq(&before, &self.vfs.discovered()) {
            self.update_sample_nodes();
            // The diagnostics of project files depend on the discovery.
            has_changed = true;
        }
        has_changed |= self.update_specs();
        if has_changed || is_first {
            self.warm_up.request();
            self.invalidate_results();
        }
    }

    /// Lets rules compile classes for nodes with the fact sets of the project.
    fn update_sample_nodes(&mut self) {
        let sets = sample_nodes::sets_of_projects(self.vfs.discovery(), self.version);
        if !sample_nodes::are_same(&sets, &self.sample_sets) {
            let nodes = sample_nodes::with_sets(&sets);
            self.host.apply([Change::SetSampleNodes(nodes)]);
            self.sample_sets = sets;
        }
    }

    /// Updates the specs of open documents. Returns whether any of them changed.
    fn update_specs(&mut self) -> bool {
        let mut has_changed = false;
        for (uri, document) in &mut self.documents {
            let Some(path) = path_of(uri) else { continue };
            let mut spec = self.vfs.spec(&path, document.file, &self.locator);
            spec.dialect.epp |= document.is_template;
            if spec != document.spec {
                document.spec = spec;
                document.changed = true;
                has_changed = true;
            }
        }
        has_changed
    }

    /// Returns the options of inlay hints. The client's settings take precedence over the
    /// project's.
    pub(super) fn hints(&self) -> HintOptions {
        let project = self.vfs.config().map(|it| it.hints).unwrap_or_default();
        self.client_hints.or(project).options()
    }

    /// Returns the options of the formatter.
    pub(super) fn format_options(&self) -> FormatOptions {
        let project = self.vfs.config().map(|it| it.format).unwrap_or_default();
        project.options()
    }

    /// Invalidates the inlay hints that the client has.
    fn invalidate_hints(&self) {
        let refreshes = self.client.get().is_some_and(|it| it.refreshes_hints);
        if refreshes && !self.documents.is_empty() {
            self.send(OutgoingMessage::RefreshHints);
        }
    }

    /// Invalidates what the client has and what depends on the workspace: diagnostics, inlay hints,
    /// code lenses and semantic tokens.
    fn invalidate_results(&mut self) {
        self.invalidate_hints();
        self.invalidate_diagnostics_and_tokens();
    }

    /// Invalidates the diagnostics, code lenses and semantic tokens that the client has.
    pub(super) fn invalidate_diagnostics_and_tokens(&mut self) {
        let Some(client) = self.client.get().cloned() else {
            return;
        };
        if client.refreshes_lenses && !self.documents.is_empty() {
            self.send(OutgoingMessage::RefreshLenses);
        }
        if client.refreshes_tokens && !self.documents.is_empty() {
            self.send(OutgoingMessage::RefreshTokens);
        }
        if client.pulls_diagnostics {
            return self.send(OutgoingMessage::RefreshDiagnostics);
        }
        for document in self.documents.values_mut() {
            document.unpublished = true;
        }
        self.schedule_diagnostics(Instant::now());
    }

    /// Returns the file ID and spec for a document that is being opened.
    pub(super) fn identify(&mut self, uri: &Uri) -> (FileId, FileSpec) {
        let Some(path) = path_of(uri) else {
            return (self.vfs.unnamed_file(), FileSpec::default());
        };
        let path = self.vfs.known_path(&path).unwrap_or(path);
        let mut file = self.vfs.file_id(&path);
        if self.documents.values().any(|it| it.file == file) {
            // The file is already open under another URI: treat this document as a separate file.
            file = self.vfs.unnamed_file();
        } else if self.vfs.on_disk(file).is_none() && !self.request.files.contains(&path) {
            self.request.files.push(path.clone());
            if !self.add_to_workspace(&path) {
                self.read_disk(Vec::new(), false);
            }
        }
        let spec = self.vfs.spec(&path, file, &self.locator);
        (file, spec)
    }

    /// Adds a new file to its module without reading the disk again. Returns whether it belongs to one that is known.
    fn add_to_workspace(&mut self, path: &Path) -> bool {
        let Some(discovery) = self.vfs.discovery().with_opened_file(path) else {
            return false;
        };
        let changes = self.vfs.apply(WorkspaceUpdate {
            discovery: Arc::new(discovery),
            texts: Vec::new(),
            removed: Vec::new(),
            notes: Vec::new(),
        });
        if self.host.apply(self.vfs.changes(changes)) {
            self.invalidate_results();
        }
        true
    }

    /// Lets documents that were never saved see the names of the workspace.
    pub(super) fn update_untitled(&mut self) {
        let documents = self.documents.iter();
        let untitled = documents.filter(|(uri, it)| is_untitled(uri) && !it.is_project_file);
        let files = untitled.map(|(_, it)| it.file).collect();
        self.host.apply(self.vfs.set_untitled(files));
    }

    /// Resets a file that is no longer open to its version on disk.
    pub(super) fn revert_to_disk(&mut self, file: FileId) {
        self.host.apply([self.vfs.change(file)]);
        let path = self.vfs.path(file);
        let files = &mut self.request.files;
        if let Some(at) = files.iter().position(|it| Some(it.as_path()) == path) {
            files.remove(at);
            self.read_disk(Vec::new(), false);
        }
    }
}

/// Checks whether a document was never saved: VS Code calls it `untitled:`, Neovim `file://` without
/// a path. Other documents without a path are earlier versions of files.
fn is_untitled(uri: &Uri) -> bool {
    let scheme = uri.scheme().as_str();
    scheme == "untitled" || scheme == "file" && uri.path().as_str().is_empty()
}
