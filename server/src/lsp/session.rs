//! The session: a single thread that owns the state, applies changes in the order of their arrival,
//! hands out snapshots, and publishes diagnostics to clients that do not pull them.
//!
//! Documents are edited immediately, but the analysis is updated only when a snapshot is needed:
//! the intermediate states of a burst of edits are never parsed.

mod disk;
mod warm_up;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use analysis::project::ProjectFile;
use analysis::{Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, Range, TextDocumentItem, Uri,
};
use tracing::{error, warn};

use self::warm_up::{WarmUp, WarmUpOutcome};
use super::client_capabilities::ResolvedClientCapabilities;
use super::file_watching::NativeWatcher;
use super::large_classes::LargeClasses;
use super::loading::{self, LoadJob};
use super::outgoing::{self, OutgoingMessage};
use super::patient_host::PatientHost;
use super::semantic_tokens::SentTokens;
use super::settings::ClientSettings;
use super::snapshot::{DocumentView, Documents, Snapshot};
use super::stubs::{self, StubDirectory};
use super::typing::{self, ShownDiagnostics};
use super::{content_change, from_proto, pool, to_proto};
use crate::config::HintConfig;
use crate::fact_sets::FactSet;
use crate::paths::{ModuleLocator, absolute};
use crate::read_text::MAX_FILE_SIZE;
use crate::sample_nodes;
use crate::source::{LineBreaks, Source};
use crate::vfs::Vfs;
use crate::workspace::{Description, Note, WorkspaceRequest, WorkspaceUpdate, project_file};

/// How long to wait for further changes before publishing diagnostics.
const DEBOUNCE: Duration = Duration::from_millis(1);

/// The maximum delay between the first change and publishing diagnostics.
const MAX_DEBOUNCE: Duration = Duration::from_millis(100);

/// An event that the session handles.
#[derive(Debug)]
pub(super) enum Event {
    /// `initialize` was received: the workspace folders and the initial settings.
    Start(Vec<PathBuf>, ClientSettings),
    /// `initialized` was received.
    Ready,
    /// Files and folders were reported as changed on disk.
    Watched(Vec<PathBuf>),
    /// The workspace folders changed.
    Folders {
        removed: Vec<PathBuf>,
        added: Vec<PathBuf>,
    },
    /// New settings of the client; `None` restores the initial ones.
    Configure(Option<ClientSettings>),
    /// The settings changed and have to be requested from the client.
    RequestSettings,
    /// A request for a description of the workspace.
    Describe(oneshot::Sender<Description>),
    /// The loader has read the disk.
    Loaded(WorkspaceUpdate),
    /// A document was opened.
    Open(DidOpenTextDocumentParams),
    /// A document was edited; with the time when the message arrived.
    Edit(DidChangeTextDocumentParams, Instant),
    /// A document was closed.
    Close(DidCloseTextDocumentParams),
    /// A request for a snapshot.
    Snapshot(oneshot::Sender<Snapshot>),
    /// The result of computing the diagnostics of a version of a file.
    Computed(FileId, i32, Computed),
    /// A request to count the resources of large classes in the background.
    CountLargeClasses,
    /// The end of the work in the background.
    WarmedUp(WarmUpOutcome),
}

/// The outcome of computing diagnostics.
#[derive(Debug)]
pub(super) enum Computed {
    Done(Vec<Diagnostic>),
    /// A change cancelled the computation.
    Cancelled,
    /// The computation panicked.
    Failed,
}

/// The settings from the command line.
#[derive(Clone, Debug)]
pub(super) struct CommandLineSettings {
    /// The Puppet version, if one was given.
    pub(super) version: Option<PuppetVersion>,
    pub(super) modulepath: Vec<PathBuf>,
}

/// A handle to the session thread.
#[derive(Clone, Debug)]
pub(super) struct Session {
    events: Sender<Event>,
    client: Arc<OnceLock<Arc<ResolvedClientCapabilities>>>,
}

impl Session {
    /// Starts the thread, which sends its messages to the client over `outgoing`.
    pub(super) fn start(
        settings: &CommandLineSettings,
        outgoing: outgoing::Sender,
    ) -> std::io::Result<Session> {
        let (events, incoming) = channel();
        let client = Arc::new(OnceLock::new());
        let session = Session {
            events: events.clone(),
            client: Arc::clone(&client),
        };
        let jobs = loading::start(events.clone(), outgoing.clone())?;
        let mut settings = settings.clone();
        for folder in &mut settings.modulepath {
            *folder = absolute(folder);
        }
        let request = WorkspaceRequest {
            modulepath: settings.modulepath.clone(),
            ..WorkspaceRequest::default()
        };
        thread::Builder::new()
            .name("session".to_owned())
            .stack_size(crate::STACK_SIZE)
            .spawn(move || {
                let mut host = PatientHost::default();
                let version = settings.version.unwrap_or_default();
                let nodes = Change::SetSampleNodes(sample_nodes::built_in());
                host.apply([Change::SetVersion(version), nodes]);
                let state = SessionState {
                    host,
                    version,
                    client_version: None,
                    locator: ModuleLocator::new(&request.modulepath),
                    vfs: Vfs::default(),
                    request,
                    is_ready: false,
                    is_loaded: false,
                    cache: dirs::cache_dir(),
                    settings,
                    initial_settings: ClientSettings::default(),
                    client_hints: HintConfig::default(),
                    reported_problems: Vec::new(),
                    watcher: None,
                    notes: Vec::new(),
                    sample_sets: Vec::new(),
                    client,
                    documents: HashMap::new(),
                    view: Arc::default(),
                    debounce: None,
                    typing_pause: typing::PAUSE,
                    pause: None,
                    rest: None,
                    warm_up: WarmUp::default(),
                    large_classes: Arc::default(),
                    events,
                    jobs,
                    outgoing,
                };
                state.run(&incoming);
            })?;
        Ok(session)
    }

    /// Stores the features negotiated with the client. Only the first call has an effect.
    pub(super) fn set_client(
        &self,
        client: ResolvedClientCapabilities,
    ) -> Arc<ResolvedClientCapabilities> {
        Arc::clone(self.client.get_or_init(|| Arc::new(client)))
    }

    /// Checks whether `initialize` has been received.
    pub(super) fn is_initialized(&self) -> bool {
        self.client.get().is_some()
    }

    /// Returns a snapshot of the state after all events queued so far.
    pub(super) async fn snapshot(&self) -> tower_lsp::jsonrpc::Result<Snapshot> {
        let (reply, answer) = oneshot::channel();
        self.send(Event::Snapshot(reply));
        let changed = tower_lsp::jsonrpc::Error::content_modified;
        answer.await.map_err(|_| changed())
    }

    /// Queues an event.
    pub(super) fn send(&self, event: Event) {
        if self.events.send(event).is_err() {
            error!("the session has ended");
        }
    }
}

/// The state of an open document.
struct OpenDocument {
    file: FileId,
    spec: FileSpec,
    /// Whether it is a project file such as `metadata.json`, by its name.
    is_project_file: bool,
    /// Whether the analysis needs its text: that of most project files is only checked by itself.
    is_analyzed: bool,
    /// Whether its language ID is that of EPP templates.
    is_template: bool,
    version: i32,
    source: Arc<Source>,
    tokens: Arc<SentTokens>,
    shown: Arc<ShownDiagnostics>,
    /// Whether the analysis does not have the current text yet.
    changed: bool,
    /// Whether the diagnostics of the current text have not been published yet.
    unpublished: bool,
    /// Whether its diagnostics are being computed.
    computing: bool,
    /// The diagnostics published last, and the version that they belong to.
    published: Option<(i32, Vec<Diagnostic>)>,
}

/// When to compute diagnostics.
#[derive(Clone, Copy)]
struct Debounce {
    until: Instant,
    at_most_until: Instant,
}

impl Debounce {
    fn due(self) -> Instant {
        self.until.min(self.at_most_until)
    }
}

struct SessionState {
    host: PatientHost,
    /// The effective Puppet version.
    version: PuppetVersion,
    /// The Puppet version in the client's settings.
    client_version: Option<PuppetVersion>,
    /// Determines the specs of files outside of the workspace.
    locator: ModuleLocator,
    vfs: Vfs,
    /// The request for the loader.
    request: WorkspaceRequest,
    /// The settings from the command line.
    settings: CommandLineSettings,
    /// The client's initial settings.
    initial_settings: ClientSettings,
    /// The inlay hints in the client's settings.
    client_hints: HintConfig,
    /// The problems of the settings that the user has already been shown.
    reported_problems: Vec<String>,
    /// Watches folders that the client does not.
    watcher: Option<NativeWatcher>,
    /// Whether `initialized` was received, so that the disk can be read.
    is_ready: bool,
    /// Whether the workspace has been read once.
    is_loaded: bool,
    /// The directory of the user's caches.
    cache: Option<PathBuf>,
    /// The notes about the workspace that were already reported, sorted.
    notes: Vec<Note>,
    /// The fact sets of the project for which rules compile classes.
    sample_sets: Vec<FactSet>,
    client: Arc<OnceLock<Arc<ResolvedClientCapabilities>>>,
    documents: HashMap<Uri, OpenDocument>,
    /// The view of `documents` for snapshots.
    view: Arc<Documents>,
    debounce: Option<Debounce>,
    /// How long a user who types pauses before all diagnostics are shown.
    typing_pause: Duration,
    /// When the user has paused, unless there is another edit.
    pause: Option<Instant>,
    /// When the user has paused for long, unless there is another edit.
    rest: Option<Instant>,
    warm_up: WarmUp,
    large_classes: Arc<LargeClasses>,
    events: Sender<Event>,
    jobs: Sender<LoadJob>,
    outgoing: outgoing::Sender,
}

impl SessionState {
    fn run(mut self, incoming: &Receiver<Event>) {
        while let Some(event) = self.next(incoming) {
            // No message may end the session.
            let outcome = catch_unwind(AssertUnwindSafe(|| match event {
                Some(event) => self.handle(event),
                None => self.on_time(),
            }));
            if outcome.is_err() {
                error!("session panicked; continuing");
            }
        }
    }

    /// Returns the next event, `Some(None)` if it is time to compute diagnostics, to show those that
    /// were withheld or to work in the background, or `None` when all senders are gone.
    fn next(&self, incoming: &Receiver<Event>) -> Option<Option<Event>> {
        let computation = self.debounce.map(Debounce::due);
        let times = [computation, self.pause, self.rest, self.warm_up.due()];
        let Some(due) = times.into_iter().flatten().min() else {
            return incoming.recv().ok().map(Some);
        };
        match incoming.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(Some(event)),
            Err(RecvTimeoutError::Timeout) => Some(None),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn handle(&mut self, event: Event) {
        let Some(client) = self.client.get().cloned() else {
            return warn!("ignored a message before `initialize`");
        };
        match event {
            Event::Start(folders, settings) => {
                self.request.folders = folders;
                self.initial_settings = settings.clone();
                self.configure(settings);
            }
            Event::Describe(reply) => {
                // The request may have been cancelled.
                let _ = reply.send(Description::new(&self.vfs, &self.notes));
            }
            Event::Watched(paths) => self.read_disk(paths, true),
            Event::Folders { removed, added } => self.change_folders(&removed, added),
            Event::Configure(settings) => {
                let settings = settings.unwrap_or_else(|| self.initial_settings.clone());
                self.configure(settings);
            }
            Event::RequestSettings if client.requests_settings => {
                self.send(OutgoingMessage::RequestSettings)
            }
            Event::RequestSettings => {}
            Event::Ready => self.on_ready(),
            Event::Loaded(update) => self.apply_update(update),
            Event::Open(params) => self.open(params.text_document),
            Event::Edit(params, arrived) => self.edit(params, arrived, &client),
            Event::Close(params) => self.close(&params.text_document.uri, &client),
            // Cancelled requests need no snapshot, and no update of the analysis.
            Event::Snapshot(reply) if reply.is_closed() => {}
            Event::Snapshot(reply) => {
                let mut snapshot = self.snapshot(client);
                snapshot.pending = Some(Arc::new(self.host.guard()));
                drop(reply.send(snapshot));
            }
            Event::Computed(file, version, diagnostics) => {
                self.publish(file, version, diagnostics);
            }
            Event::CountLargeClasses => self.warm_up.request(),
            Event::WarmedUp(outcome) => {
                self.warm_up.finish(outcome.is_complete);
                if outcome.is_complete {
                    // The first edit would drop the syntax trees of all files that were loaded.
                    self.host.evict();
                }
                if outcome.has_new_counts && client.refreshes_lenses {
                    self.send(OutgoingMessage::RefreshLenses);
                }
            }
        }
        self.compute_if_due();
    }

    fn open(&mut self, item: TextDocumentItem) {
        if item.text.len() as u64 > MAX_FILE_SIZE {
            return error!("document too large: {}", item.uri.as_str());
        }
        // "epuppet" is Vim's file type for templates.
        let is_template = matches!(item.language_id.as_str(), "epp" | "epuppet");
        // If a client opens a document twice, the second text wins.
        if let Some(before) = self.documents.remove(&item.uri) {
            self.revert_to_disk(before.file);
        }
        let (file, mut spec) = self.identify(&item.uri);
        spec.dialect.epp |= is_template;
        let document = OpenDocument {
            file,
            spec,
            is_project_file: project_path(&item.uri).is_some(),
            is_analyzed: is_hiera_config(&item.uri) || project_path(&item.uri).is_none(),
            is_template,
            version: item.version,
            source: Arc::new(Source::new(item.text.into(), LineBreaks::Lsp)),
            tokens: Arc::default(),
            shown: Arc::new(ShownDiagnostics::of_version(item.version)),
            changed: true,
            unpublished: true,
            computing: false,
            published: None,
        };
        self.documents.insert(item.uri, document);
        self.update_untitled();
        self.schedule_diagnostics(Instant::now());
    }

    fn edit(
        &mut self,
        params: DidChangeTextDocumentParams,
        arrived: Instant,
        client: &ResolvedClientCapabilities,
    ) {
        let uri = params.text_document.uri;
        let Some(document) = self.documents.get_mut(&uri) else {
            return warn!("changed a document that is not open: {}", uri.as_str());
        };
        let pause = arrived + self.typing_pause;
        document.version = params.text_document.version;
        let rest = arrived + self.typing_pause * typing::REST;
        self.pause = Some(pause);
        self.rest = Some(rest);
        self.warm_up.postpone();
        for change in params.content_changes {
            let change = content_change::with_range(change, &document.source, client);
            document
                .shown
                .edit(document.version, &change, (pause, rest));
            content_change::apply(&mut document.source, change, client);
        }
        document.changed = true;
        document.unpublished = true;
        self.schedule_diagnostics(arrived);
    }

    fn close(&mut self, uri: &Uri, client: &ResolvedClientCapabilities) {
        let Some(document) = self.documents.remove(uri) else {
            return warn!("closed a document that is not open: {}", uri.as_str());
        };
        self.revert_to_disk(document.file);
        self.update_untitled();
        Arc::make_mut(&mut self.view).remove(uri);
        if !client.pulls_diagnostics {
            let params = PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
            self.send(OutgoingMessage::Diagnostics(params));
        }
    }

    fn snapshot(&mut self, client: Arc<ResolvedClientCapabilities>) -> Snapshot {
        self.update_analysis();
        Snapshot {
            analysis: self.host.analysis(),
            documents: Arc::clone(&self.view),
            paths: self.vfs.paths(),
            client,
            levels: self.vfs.levels(),
            files_to_check: self.vfs.files_to_check(),
            discovery: self.vfs.discovered(),
            version: self.version,
            hints: self.hints(),
            format: self.format_options(),
            large_classes: Arc::clone(&self.large_classes),
            is_loaded: self.is_loaded || !self.reads_disk(),
            stubs: self.stubs(),
            pending: None,
        }
    }

    /// Checks whether there is anything to load.
    fn reads_disk(&self) -> bool {
        !self.request.folders.is_empty() || !self.request.files.is_empty()
    }

    /// Returns the directory for stubs: in the user's caches, but never in the workspace.
    fn stubs(&self) -> Option<StubDirectory> {
        let cache = self.cache.as_deref()?;
        let is_in_workspace = self.request.folders.iter().any(|it| cache.starts_with(it));
        (!is_in_workspace).then(|| StubDirectory::new(cache))
    }

    /// Updates the analysis with all edited documents.
    fn update_analysis(&mut self) {
        let changed = self.documents.iter_mut().filter(|(_, it)| it.changed);
        let changes = changed.filter_map(|(uri, document)| {
            document.changed = false;
            let view = DocumentView {
                file: document.file,
                version: document.version,
                source: Arc::clone(&document.source),
                tokens: Arc::clone(&document.tokens),
                shown: Arc::clone(&document.shown),
            };
            Arc::make_mut(&mut self.view).insert(uri.clone(), view);
            document.is_analyzed.then(|| Change::EditFile {
                file: document.file,
                spec: document.spec.clone(),
                text: Arc::clone(document.source.text()),
            })
        });
        self.host.apply(changes);
    }

    /// Schedules the computation of diagnostics, unless the client pulls them.
    fn schedule_diagnostics(&mut self, arrived: Instant) {
        if self.client.get().is_some_and(|it| it.pulls_diagnostics) {
            return;
        }
        let at_most_until = match self.debounce {
            Some(debounce) => debounce.at_most_until,
            None => arrived + MAX_DEBOUNCE,
        };
        self.debounce = Some(Debounce {
            until: arrived + DEBOUNCE,
            at_most_until,
        });
    }

    /// Computes overdue diagnostics, so that a continuous stream of messages cannot starve them.
    fn compute_if_due(&mut self) {
        if self
            .debounce
            .is_some_and(|it| it.at_most_until <= Instant::now())
        {
            self.compute_diagnostics();
        }
    }

    /// Does what is due.
    fn on_time(&mut self) {
        let now = Instant::now();
        if self.pause.is_some_and(|it| it <= now) {
            self.pause = None;
            self.show_withheld();
        }
        if self.rest.is_some_and(|it| it <= now) {
            self.rest = None;
            if self.has_withheld() {
                self.invalidate_diagnostics_and_tokens();
            }
        }
        if self.debounce.is_some_and(|it| it.due() <= now) {
            self.compute_diagnostics();
        }
        self.warm_up_if_due();
    }

    /// Shows the diagnostics that were withheld while the user typed, and those of other documents that
    /// depend on the edited one.
    fn show_withheld(&mut self) {
        let pulls = self.client.get().is_some_and(|it| it.pulls_diagnostics);
        if !pulls || self.has_withheld() {
            self.invalidate_diagnostics_and_tokens();
        }
    }

    /// Checks whether the client shows diagnostics of a document other than the current ones.
    fn has_withheld(&self) -> bool {
        self.documents.values().any(|it| it.shown.differs())
    }

    /// Starts computing the unpublished diagnostics, with at most one computation per document at a
    /// time.
    fn compute_diagnostics(&mut self) {
        self.debounce = None;
        let Some(client) = self.client.get().cloned() else {
            return;
        };
        let snapshot = self.snapshot(client);
        for (uri, document) in &mut self.documents {
            if !document.unpublished || document.computing {
                continue;
            }
            document.unpublished = false;
            document.computing = true;
            let (file, version) = (document.file, document.version);
            let (uri, snapshot) = (uri.clone(), snapshot.clone());
            let events = self.events.clone();
            rayon::spawn_fifo(move || {
                let analysis = &snapshot.analysis;
                let work = || analysis.cancellable(|| diagnostics(&snapshot, &uri));
                let computed = match catch_unwind(AssertUnwindSafe(work)) {
                    Ok(Ok(found)) => Computed::Done(found),
                    Ok(Err(_)) => Computed::Cancelled,
                    Err(_) => {
                        error!("computing the diagnostics of {} panicked", uri.as_str());
                        Computed::Failed
                    }
                };
                // The session may be waiting for this snapshot.
                drop(snapshot);
                // The session may have ended.
                let _ = events.send(Event::Computed(file, version, computed));
            });
        }
    }

    /// Publishes computed diagnostics, unless the document was closed meanwhile.
    fn publish(&mut self, file: FileId, version: i32, computed: Computed) {
        let open = self.documents.iter_mut().find(|(_, it)| it.file == file);
        let Some((uri, document)) = open else { return };
        document.computing = false;
        document.unpublished |= matches!(computed, Computed::Cancelled);
        let found = match computed {
            Computed::Done(found) => Some((version, found)),
            Computed::Cancelled | Computed::Failed => None,
        };
        let is_new = found.is_some() && found != document.published;
        let params = found.as_ref().filter(|_| is_new).map(|(version, found)| {
            PublishDiagnosticsParams::new(uri.clone(), found.clone(), Some(*version))
        });
        if is_new {
            document.published = found;
        }
        if document.unpublished && self.debounce.is_none() {
            self.schedule_diagnostics(Instant::now());
        }
        if let Some(params) = params {
            self.send(OutgoingMessage::Diagnostics(params));
        }
    }

    fn send(&self, outgoing: OutgoingMessage) {
        // The receiver is dropped only at shutdown.
        let _ = self.outgoing.send(outgoing);
    }
}

/// Returns the diagnostics of an open document, with the levels of its project applied.
pub(super) fn findings(
    snapshot: &Snapshot,
    document: &DocumentView,
) -> Vec<analysis::base::Diagnostic> {
    let file = document.file;
    pool::spawn_background(snapshot.analysis.clone(), move |it| {
        it.prepare_diagnostics(file);
    });
    file_findings(snapshot, document.file)
}

fn file_findings(snapshot: &Snapshot, file: FileId) -> Vec<analysis::base::Diagnostic> {
    let found = snapshot.analysis.diagnostics(file);
    let text = snapshot.analysis.text(file).unwrap_or_default();
    snapshot.levels.apply(file, found, &text)
}

/// Returns the diagnostics of an open document in the types of the protocol.
pub(super) fn diagnostics(snapshot: &Snapshot, uri: &Uri) -> Vec<Diagnostic> {
    let Some(document) = snapshot.document(uri) else {
        return Vec::new();
    };
    if let Some(path) = project_path(uri) {
        return project_diagnostics(snapshot, &path, uri, &document.source);
    }
    let is_data = snapshot.analysis.is_data(document.file);
    let is_erb = snapshot.analysis.is_erb(document.file);
    if is_data_or_ruby(uri) && !is_data && !is_erb || is_task(uri) || is_stub(uri) {
        return Vec::new();
    }
    let found = findings(snapshot, document);
    let found = to_protocol(snapshot, &found, uri, &document.source);
    let is_code = !is_data && !is_erb;
    let statement = |it: &Diagnostic| match is_code {
        true => statement(snapshot, document, it),
        false => it.range,
    };
    let definition = |it: &Diagnostic| match is_code {
        true => definition(snapshot, document, it),
        false => it.range,
    };
    let now = Instant::now();
    document
        .shown
        .select(document.version, found, now, &statement, &definition)
}

/// Returns the range of the statement at the top of a file that contains a diagnostic.
fn definition(snapshot: &Snapshot, document: &DocumentView, diagnostic: &Diagnostic) -> Range {
    let encoding = snapshot.client.position_encoding;
    let start = from_proto::offset(diagnostic.range.start, &document.source, encoding);
    let around = snapshot.analysis.selection_ranges(document.file, start);
    // The last one is the file.
    match around.iter().rev().nth(1) {
        Some(range) => to_proto::range(*range, &document.source, encoding),
        None => diagnostic.range,
    }
}

/// Returns the range of the statement that contains a diagnostic.
fn statement(snapshot: &Snapshot, document: &DocumentView, diagnostic: &Diagnostic) -> Range {
    let encoding = snapshot.client.position_encoding;
    let range = from_proto::text_range(diagnostic.range, &document.source, encoding);
    match snapshot.analysis.statement(document.file, range) {
        Some(range) => to_proto::range(range, &document.source, encoding),
        None => diagnostic.range,
    }
}

/// Returns the diagnostics of a file that is not open, in the types of the protocol.
pub(super) fn diagnostics_of_file(snapshot: &Snapshot, file: FileId, uri: &Uri) -> Vec<Diagnostic> {
    if is_task(uri) {
        return Vec::new();
    }
    let found = file_findings(snapshot, file);
    let Some(text) = snapshot.analysis.text(file).filter(|_| !found.is_empty()) else {
        return Vec::new();
    };
    to_protocol(snapshot, &found, uri, &Source::new(text, LineBreaks::Lsp))
}

/// Returns the diagnostics of a project file such as `metadata.json`, in the types of the protocol.
pub(super) fn project_diagnostics(
    snapshot: &Snapshot,
    path: &Path,
    uri: &Uri,
    source: &Source,
) -> Vec<Diagnostic> {
    let found = snapshot.discovery.project_findings(path, source.text());
    to_protocol(snapshot, &found, uri, source)
}

/// Returns the path of a document if it is a project file such as `metadata.json`.
pub(super) fn project_path(uri: &Uri) -> Option<PathBuf> {
    from_proto::path(uri).filter(|it| project_file(it).is_some())
}

/// Checks whether a document is the configuration of Hiera, by its name.
pub(super) fn is_hiera_config(uri: &Uri) -> bool {
    let file = from_proto::path(uri).and_then(|it| project_file(&it));
    file == Some(ProjectFile::Hiera)
}

/// Checks whether a document is a task of Bolt, which is not a manifest whatever its name.
fn is_task(uri: &Uri) -> bool {
    from_proto::path(uri).is_some_and(|it| crate::paths::is_bolt_task(&it))
}

/// Checks whether a document is a stub of built-in names, which declares what no manifest may.
fn is_stub(uri: &Uri) -> bool {
    from_proto::path(uri).is_some_and(|it| stubs::is_stub(&it))
}

/// Checks whether a document is data or Ruby, by its file extension. Only the text of such
/// documents is used.
pub(super) fn is_data_or_ruby(uri: &Uri) -> bool {
    from_proto::path(uri)
        .is_some_and(|it| project_file(&it).is_none() && crate::paths::is_data_or_ruby(&it))
}

fn to_protocol(
    snapshot: &Snapshot,
    found: &[analysis::base::Diagnostic],
    uri: &Uri,
    source: &Source,
) -> Vec<Diagnostic> {
    let to_location = |file, range| snapshot.location(file, range);
    let found = found.iter();
    found
        .map(|it| to_proto::diagnostic(it, uri, source, &snapshot.client, &to_location))
        .collect()
}
