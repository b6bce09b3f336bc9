//! The one thread that owns the state: it takes in changes in the order of their arrival, gives
//! out snapshots, and sees to it that diagnostics reach clients that do not ask for them.
//!
//! Text is edited at once, but the analysis learns of it only when somebody needs an answer: of a
//! burst of edits the states between are never parsed.

mod disk;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use analysis::{Change, FileId, FileSpec, ide};
use syntax::validation::PuppetVersion;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, TextDocumentContentChangeEvent, TextDocumentItem, Uri,
};
use tracing::{error, warn};

use super::client::Negotiated;
use super::loading::{self, Job};
use super::outgoing::{self, Outgoing};
use super::pending::PatientHost;
use super::settings::ClientSettings;
use super::snapshot::{DocumentView, Documents, Snapshot};
use super::tokens::SentTokens;
use super::watch::OwnWatcher;
use super::{from_proto, pool, to_proto};
use crate::config::HintConfig;
use crate::disk::MAX_FILE_SIZE;
use crate::place::{Layout, absolute};
use crate::source::{LineBreaks, Source};
use crate::vfs::Vfs;
use crate::workspace::{Description, Note, Request, Update, project_file};

/// Diagnostics are sent when no change has come for this long,
const QUIET: Duration = Duration::from_millis(1);

/// or when the first unanswered change is this old.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the session is told.
#[derive(Debug)]
pub(super) enum Event {
    /// The client said hello: its workspace folders, and what its user wants.
    Start(Vec<PathBuf>, ClientSettings),
    /// The client is ready.
    Ready,
    /// Files and folders are said to have changed on the disk.
    Watched(Vec<PathBuf>),
    /// Workspace folders are gone, others are new.
    Folders {
        /// Those that are gone.
        removed: Vec<PathBuf>,
        /// Those that are new.
        added: Vec<PathBuf>,
    },
    /// What the client's user wants; what was said at the start if nothing is said.
    Configure(Option<ClientSettings>),
    /// That is something else now.
    AskSettings,
    /// Somebody wants to know what the workspace is, for people.
    Describe(oneshot::Sender<Description>),
    /// The disk has been read.
    Loaded(Update),
    /// A document is open.
    Open(DidOpenTextDocumentParams),
    /// It has changed; when the message arrived.
    Edit(DidChangeTextDocumentParams, Instant),
    /// It is closed.
    Close(DidCloseTextDocumentParams),
    /// Somebody wants to know the state.
    Snapshot(oneshot::Sender<Snapshot>),
    /// Diagnostics that the session asked for.
    Computed(FileId, i32, Computed),
}

/// How the computation of diagnostics ended.
#[derive(Debug)]
pub(super) enum Computed {
    /// They are there.
    Done(Vec<Diagnostic>),
    /// Something changed meanwhile.
    Cancelled,
    /// They cannot be computed.
    Failed,
}

/// How the server was started.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The release that was named, if any was.
    pub(super) version: Option<PuppetVersion>,
    pub(super) modulepath: Vec<PathBuf>,
}

/// The way to the session's thread.
#[derive(Clone, Debug)]
pub(super) struct Session {
    events: Sender<Event>,
    client: Arc<OnceLock<Arc<Negotiated>>>,
}

impl Session {
    /// Starts the thread. What the client is to be told goes to `outgoing`.
    pub(super) fn start(
        settings: &Settings,
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
        let request = Request {
            modulepath: settings.modulepath.clone(),
            ..Request::default()
        };
        thread::Builder::new()
            .name("session".to_owned())
            .stack_size(crate::STACK_SIZE)
            .spawn(move || {
                let mut host = PatientHost::default();
                let version = settings.version.unwrap_or_default();
                host.apply([Change::SetVersion(version)]);
                let state = State {
                    host,
                    version,
                    wanted_version: None,
                    places: Layout::new(&request.modulepath),
                    vfs: Vfs::default(),
                    request,
                    is_ready: false,
                    settings,
                    first_settings: ClientSettings::default(),
                    wanted_hints: HintConfig::default(),
                    told: Vec::new(),
                    watcher: None,
                    notes: Vec::new(),
                    client,
                    documents: HashMap::new(),
                    view: Arc::default(),
                    waiting: None,
                    events,
                    jobs,
                    outgoing,
                };
                state.run(&incoming);
            })?;
        Ok(session)
    }

    /// Agrees; the first time counts.
    pub(super) fn agree(&self, client: Negotiated) -> Arc<Negotiated> {
        Arc::clone(self.client.get_or_init(|| Arc::new(client)))
    }

    /// Whether the client has said hello.
    pub(super) fn has_agreed(&self) -> bool {
        self.client.get().is_some()
    }

    /// The state after all events that are queued by now.
    pub(super) async fn snapshot(&self) -> tower_lsp::jsonrpc::Result<Snapshot> {
        let (reply, answer) = oneshot::channel();
        self.send(Event::Snapshot(reply));
        let changed = tower_lsp::jsonrpc::Error::content_modified;
        answer.await.map_err(|_| changed())
    }

    /// Queues an event behind all earlier ones.
    pub(super) fn send(&self, event: Event) {
        if self.events.send(event).is_err() {
            error!("the session is over");
        }
    }
}

/// An open document, as the session keeps it.
struct Document {
    file: FileId,
    spec: FileSpec,
    /// Whether it is a file around Puppet code, by its name.
    is_project_file: bool,
    /// Whether the client calls it a template.
    is_template: bool,
    version: i32,
    source: Arc<Source>,
    tokens: Arc<SentTokens>,
    /// Whether the analysis has yet to learn of the text.
    changed: bool,
    /// Whether the client has yet to learn what is wrong with the text.
    unpublished: bool,
    /// Whether its diagnostics are being computed.
    computing: bool,
    /// The diagnostics that the client has, and of which version.
    published: Option<(i32, Vec<Diagnostic>)>,
}

/// When to send diagnostics.
#[derive(Clone, Copy)]
struct Waiting {
    until: Instant,
    at_most_until: Instant,
}

struct State {
    host: PatientHost,
    /// The release whose rules apply.
    version: PuppetVersion,
    /// The release that the client's user wants, if any.
    wanted_version: Option<PuppetVersion>,
    /// Tells of files that the workspace does not know what they are.
    places: Layout,
    vfs: Vfs,
    /// What to find on the disk.
    request: Request,
    /// How the server was started.
    settings: Settings,
    /// What the client's user wanted at the start.
    first_settings: ClientSettings,
    /// Which hints the client's user wants.
    wanted_hints: HintConfig,
    /// What makes no sense in the settings and has been told.
    told: Vec<String>,
    /// Watches what the client does not.
    watcher: Option<OwnWatcher>,
    /// Whether the client is ready, so that the disk may be read.
    is_ready: bool,
    /// What has been told about the workspace, sorted.
    notes: Vec<Note>,
    client: Arc<OnceLock<Arc<Negotiated>>>,
    documents: HashMap<Uri, Document>,
    /// The same for snapshots.
    view: Arc<Documents>,
    waiting: Option<Waiting>,
    events: Sender<Event>,
    jobs: Sender<Job>,
    outgoing: outgoing::Sender,
}

impl State {
    fn run(mut self, incoming: &Receiver<Event>) {
        while let Some(event) = self.next(incoming) {
            // Nothing that a message holds may end the session.
            let outcome = catch_unwind(AssertUnwindSafe(|| match event {
                Some(event) => self.handle(event),
                None => self.compute_diagnostics(),
            }));
            if outcome.is_err() {
                error!("the session panicked and goes on");
            }
        }
    }

    /// The next event, or nothing if it is time to send diagnostics; nothing at all at the end.
    fn next(&self, incoming: &Receiver<Event>) -> Option<Option<Event>> {
        let Some(waiting) = self.waiting else {
            return incoming.recv().ok().map(Some);
        };
        let due = waiting.until.min(waiting.at_most_until);
        match incoming.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(Some(event)),
            Err(RecvTimeoutError::Timeout) => Some(None),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn handle(&mut self, event: Event) {
        let Some(client) = self.client.get().cloned() else {
            return warn!("a message before the handshake is ignored");
        };
        match event {
            Event::Start(folders, settings) => {
                self.request.folders = folders;
                self.first_settings = settings.clone();
                self.configure(settings);
            }
            Event::Describe(reply) => {
                // Whoever asked may be gone.
                let _ = reply.send(Description::new(&self.vfs, &self.notes));
            }
            Event::Watched(paths) => self.read_disk(paths, true),
            Event::Folders { removed, added } => self.change_folders(&removed, added),
            Event::Configure(settings) => {
                let settings = settings.unwrap_or_else(|| self.first_settings.clone());
                self.configure(settings);
            }
            Event::AskSettings if client.tells_settings => self.tell(Outgoing::AskSettings),
            Event::AskSettings => {}
            Event::Ready => self.begin(),
            Event::Loaded(update) => self.loaded(update),
            Event::Open(params) => self.open(params.text_document),
            Event::Edit(params, arrived) => self.edit(params, arrived, &client),
            Event::Close(params) => self.close(&params.text_document.uri, &client),
            // Whoever cancelled needs no answer, and the analysis need not keep up.
            Event::Snapshot(reply) if reply.is_closed() => {}
            Event::Snapshot(reply) => {
                let mut snapshot = self.snapshot(client);
                snapshot.pending = Some(Arc::new(self.host.guard()));
                drop(reply.send(snapshot));
            }
            Event::Computed(file, version, diagnostics) => {
                self.publish(file, version, diagnostics);
            }
        }
        self.compute_if_due();
    }

    fn open(&mut self, item: TextDocumentItem) {
        if item.text.len() as u64 > MAX_FILE_SIZE {
            return error!("{} is too large", item.uri.as_str());
        }
        // Vim calls templates "epuppet".
        let is_template = matches!(item.language_id.as_str(), "epp" | "epuppet");
        // A client that opens a document twice means the second text.
        if let Some(before) = self.documents.remove(&item.uri) {
            self.back_to_disk(before.file);
        }
        let (file, mut spec) = self.identify(&item.uri);
        spec.dialect.epp |= is_template;
        let document = Document {
            file,
            spec,
            is_project_file: project_path(&item.uri).is_some(),
            is_template,
            version: item.version,
            source: Arc::new(Source::new(item.text.into(), LineBreaks::Lsp)),
            tokens: Arc::default(),
            changed: true,
            unpublished: true,
            computing: false,
            published: None,
        };
        self.documents.insert(item.uri, document);
        self.wait(Instant::now());
    }

    fn edit(&mut self, params: DidChangeTextDocumentParams, arrived: Instant, client: &Negotiated) {
        let uri = params.text_document.uri;
        let Some(document) = self.documents.get_mut(&uri) else {
            return warn!("{} changed without being open", uri.as_str());
        };
        for change in params.content_changes {
            apply(&mut document.source, change, client);
        }
        document.version = params.text_document.version;
        document.changed = true;
        document.unpublished = true;
        self.wait(arrived);
    }

    fn close(&mut self, uri: &Uri, client: &Negotiated) {
        let Some(document) = self.documents.remove(uri) else {
            return warn!("{} closed without being open", uri.as_str());
        };
        self.back_to_disk(document.file);
        Arc::make_mut(&mut self.view).remove(uri);
        if !client.pulls_diagnostics {
            let params = PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
            self.tell(Outgoing::Diagnostics(params));
        }
    }

    fn snapshot(&mut self, client: Arc<Negotiated>) -> Snapshot {
        self.tell_analysis();
        Snapshot {
            analysis: self.host.analysis(),
            documents: Arc::clone(&self.view),
            paths: self.vfs.paths(),
            client,
            levels: self.vfs.levels(),
            worked_on: self.vfs.worked_on(),
            discovery: self.vfs.discovered(),
            hints: self.hints(),
            pending: None,
        }
    }

    /// Brings the analysis up to date.
    fn tell_analysis(&mut self) {
        let changed = self.documents.iter_mut().filter(|(_, it)| it.changed);
        let changes = changed.filter_map(|(uri, document)| {
            document.changed = false;
            let view = DocumentView {
                file: document.file,
                version: document.version,
                source: Arc::clone(&document.source),
                tokens: Arc::clone(&document.tokens),
            };
            Arc::make_mut(&mut self.view).insert(uri.clone(), view);
            // What is no Puppet code is nothing to the analysis.
            (!document.is_project_file).then(|| Change::EditFile {
                file: document.file,
                spec: document.spec.clone(),
                text: Arc::clone(document.source.text()),
            })
        });
        self.host.apply(changes);
    }

    /// Has diagnostics computed soon, if the client does not ask for them itself.
    fn wait(&mut self, arrived: Instant) {
        if self.client.get().is_some_and(|it| it.pulls_diagnostics) {
            return;
        }
        let at_most_until = match self.waiting {
            Some(waiting) => waiting.at_most_until,
            None => arrived + PATIENCE,
        };
        self.waiting = Some(Waiting {
            until: arrived + QUIET,
            at_most_until,
        });
    }

    /// A stream of messages without a pause must not put diagnostics off for ever.
    fn compute_if_due(&mut self) {
        if self
            .waiting
            .is_some_and(|it| it.at_most_until <= Instant::now())
        {
            self.compute_diagnostics();
        }
    }

    /// Starts to compute what the client has yet to learn: one computation a document at a time.
    fn compute_diagnostics(&mut self) {
        self.waiting = None;
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
                        error!("the diagnostics of {} panicked", uri.as_str());
                        Computed::Failed
                    }
                };
                // The session may be waiting for this snapshot.
                drop(snapshot);
                // The session may be over.
                let _ = events.send(Event::Computed(file, version, computed));
            });
        }
    }

    /// Sends diagnostics that have been computed, unless the document was closed meanwhile.
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
        if document.unpublished && self.waiting.is_none() {
            self.wait(Instant::now());
        }
        if let Some(params) = params {
            self.tell(Outgoing::Diagnostics(params));
        }
    }

    fn tell(&self, outgoing: Outgoing) {
        // Nobody listens any more only at the very end.
        let _ = self.outgoing.send(outgoing);
    }
}

/// One edit of a text; without a range it is a new text.
fn apply(source: &mut Arc<Source>, change: TextDocumentContentChangeEvent, client: &Negotiated) {
    let text = match change.range {
        None => change.text,
        Some(range) => {
            let range = from_proto::text_range(range, source, client.unit);
            let old = source.text();
            let (start, end) = (usize::from(range.start()), usize::from(range.end()));
            let mut text = String::with_capacity(old.len() - (end - start) + change.text.len());
            text.push_str(&old[..start]);
            text.push_str(&change.text);
            text.push_str(&old[end..]);
            text
        }
    };
    if text.len() as u64 > MAX_FILE_SIZE {
        return error!("an edit that makes a document too large is ignored");
    }
    *source = Arc::new(Source::new(text.into(), LineBreaks::Lsp));
}

/// What is wrong with an open document, as the project wants it.
pub(super) fn findings(snapshot: &Snapshot, document: &DocumentView) -> Vec<ide::Diagnostic> {
    let file = document.file;
    pool::meanwhile(snapshot.analysis.clone(), move |it| {
        it.prepare_diagnostics(file);
    });
    findings_of(snapshot, document.file)
}

fn findings_of(snapshot: &Snapshot, file: FileId) -> Vec<ide::Diagnostic> {
    let found = snapshot.analysis.diagnostics(file);
    snapshot.levels.apply(file, found)
}

/// The same for the client.
pub(super) fn diagnostics(snapshot: &Snapshot, uri: &Uri) -> Vec<Diagnostic> {
    let Some(document) = snapshot.document(uri) else {
        return Vec::new();
    };
    if let Some(path) = project_path(uri) {
        return project_diagnostics(snapshot, &path, uri, &document.source);
    }
    if is_foreign(uri) {
        return Vec::new();
    }
    let found = findings(snapshot, document);
    for_client(snapshot, &found, uri, &document.source)
}

/// What is wrong with a file that is not open, for the client.
pub(super) fn diagnostics_of_file(snapshot: &Snapshot, file: FileId, uri: &Uri) -> Vec<Diagnostic> {
    let found = findings_of(snapshot, file);
    let Some(text) = snapshot.analysis.text(file).filter(|_| !found.is_empty()) else {
        return Vec::new();
    };
    for_client(snapshot, &found, uri, &Source::new(text, LineBreaks::Lsp))
}

/// What is wrong with a file around Puppet code, for the client.
pub(super) fn project_diagnostics(
    snapshot: &Snapshot,
    path: &Path,
    uri: &Uri,
    source: &Source,
) -> Vec<Diagnostic> {
    let found = snapshot.discovery.project_findings(path, source.text());
    for_client(snapshot, &found, uri, source)
}

/// The path of a file around Puppet code.
pub(super) fn project_path(uri: &Uri) -> Option<PathBuf> {
    from_proto::path(uri).filter(|it| project_file(it).is_some())
}

/// Whether a document is in another language by its name: data and Ruby, of which only the text
/// matters.
pub(super) fn is_foreign(uri: &Uri) -> bool {
    let Some(path) = from_proto::path(uri).filter(|it| project_file(it).is_none()) else {
        return false;
    };
    let ending = path.extension().and_then(|it| it.to_str());
    matches!(
        ending,
        Some("yaml" | "yml" | "eyaml" | "json" | "rb" | "erb")
    )
}

fn for_client(
    snapshot: &Snapshot,
    found: &[ide::Diagnostic],
    uri: &Uri,
    source: &Source,
) -> Vec<Diagnostic> {
    let place = |file, range| snapshot.location(file, range);
    let found = found.iter();
    found
        .map(|it| to_proto::diagnostic(it, uri, source, &snapshot.client, &place))
        .collect()
}
