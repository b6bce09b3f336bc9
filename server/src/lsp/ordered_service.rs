//! Keeps messages in the order of their arrival.
//!
//! Requests are handled concurrently, so a handler may start only after a later message has taken
//! effect. `Service::call`, however, is invoked in the order of arrival. Here it queues every
//! change for the session, and for every request an event that takes its snapshot: the snapshot
//! contains all changes before the request and none after it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::Instant;

use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Request, Response};
use tower_lsp::ls_types::{
    DidChangeConfigurationParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    LSPAny, RenameFilesParams, WorkspaceFolder,
};
use tower_service::Service;
use tracing::warn;

use super::server_capabilities::with_type_hierarchy;
use super::session::{Event, Session};
use super::settings::ClientSettings;
use super::snapshot::Snapshot;
use super::{file_watching, from_proto};

/// The error code for requests before `initialize`.
const SERVER_NOT_INITIALIZED: i64 = -32002;

tokio::task_local! {
    /// Receives the snapshot of the current request.
    static RESERVED_SNAPSHOT: Mutex<Option<oneshot::Receiver<Snapshot>>>;
}

/// Returns the snapshot taken when the current request arrived. Returns `None` when called a second
/// time, or after the session has ended.
pub(super) async fn snapshot() -> Option<Snapshot> {
    let reserved = RESERVED_SNAPSHOT
        .try_with(|it| it.lock().ok()?.take())
        .ok()??;
    reserved.await.ok()
}

/// Runs a handler with the given snapshot.
#[cfg(test)]
pub(super) fn with_snapshot<F: Future>(
    state: Snapshot,
    handler: F,
) -> impl Future<Output = F::Output> {
    let (reply, reserved) = oneshot::channel();
    drop(reply.send(state));
    RESERVED_SNAPSHOT.scope(Mutex::new(Some(reserved)), handler)
}

/// A service that wraps another one and keeps messages in order.
#[derive(Debug)]
pub(super) struct OrderedService<S> {
    inner: S,
    session: Session,
    /// Whether the client has sent `shutdown`.
    is_shut_down: bool,
}

impl<S> OrderedService<S> {
    pub(super) fn new(inner: S, session: Session) -> Self {
        OrderedService {
            inner,
            session,
            is_shut_down: false,
        }
    }
}

type ResponseFuture<E> = Pin<Box<dyn Future<Output = Result<Option<Response>, E>> + Send>>;

impl<S> Service<Request> for OrderedService<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = ResponseFuture<S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let is_request = request.id().is_some();
        if request.method() == "initialized" {
            self.session.send(Event::Ready);
        }
        if !is_request && is_about_documents(request.method()) {
            let (method, _, params) = request.into_parts();
            // Notifications before `initialize` are dropped.
            if let Some(event) = event(&method, params).filter(|_| self.session.is_initialized()) {
                self.session.send(event);
            }
            return Box::pin(std::future::ready(Ok(None)));
        }
        if request.method() == "initialize" && !self.is_shut_down {
            let answer = self.inner.call(request);
            return Box::pin(async move { Ok(answer.await?.map(with_type_hierarchy)) });
        }
        let error = match (self.session.is_initialized(), self.is_shut_down) {
            (false, _) => Some(not_initialized()),
            (true, true) => Some(shut_down()),
            (true, false) => None,
        };
        if let Some(error) = error.filter(|_| is_request) {
            let id = request.id().cloned();
            let answer = id.map(|it| Response::from_error(it, error));
            return Box::pin(std::future::ready(Ok(answer)));
        }
        self.is_shut_down |= is_request && request.method() == "shutdown";
        let needs_snapshot = is_request && needs_snapshot(request.method());
        let answer = self.inner.call(request);
        if !needs_snapshot {
            return Box::pin(answer);
        }
        let (reply, reserved) = oneshot::channel();
        self.session.send(Event::Snapshot(reply));
        Box::pin(RESERVED_SNAPSHOT.scope(Mutex::new(Some(reserved)), answer))
    }
}

/// Returns the error for any request before `initialize`, even an unknown one.
fn not_initialized() -> Error {
    Error {
        code: ErrorCode::ServerError(SERVER_NOT_INITIALIZED),
        message: "server not initialized: expected `initialize` as the first request".into(),
        data: None,
    }
}

/// Returns the error for any request after `shutdown`, even an unknown one.
fn shut_down() -> Error {
    Error {
        code: ErrorCode::InvalidRequest,
        message: "expected `exit` after `shutdown`".into(),
        data: None,
    }
}

fn needs_snapshot(method: &str) -> bool {
    let others = [
        "workspace/symbol",
        "workspace/diagnostic",
        "workspace/willRenameFiles",
        "codeAction/resolve",
        "codeLens/resolve",
        "completionItem/resolve",
        "inlayHint/resolve",
        "pupil/catalog",
        "pupil/catalogChoices",
    ];
    let families = ["textDocument/", "callHierarchy/", "typeHierarchy/"];
    families.iter().any(|it| method.starts_with(it)) || others.contains(&method)
}

fn is_about_documents(method: &str) -> bool {
    method.starts_with("textDocument/did") || method.starts_with("workspace/did")
}

/// Converts a notification to an event. Returns `None` if it is irrelevant or invalid.
fn event(method: &str, params: Option<LSPAny>) -> Option<Event> {
    match method {
        "textDocument/didOpen" => read(method, params).map(Event::Open),
        "textDocument/didChange" => read(method, params).map(|it| Event::Edit(it, Instant::now())),
        "textDocument/didClose" => read(method, params).map(Event::Close),
        "workspace/didChangeWatchedFiles" => {
            let params: DidChangeWatchedFilesParams = read(method, params)?;
            let changed = file_watching::changed(&params.changes);
            (!changed.is_empty()).then_some(Event::Watched(changed))
        }
        "workspace/didRenameFiles" => {
            let params: RenameFilesParams = read(method, params)?;
            let uris = params
                .files
                .iter()
                .flat_map(|it| [&it.old_uri, &it.new_uri]);
            let paths = uris.filter_map(|it| from_proto::path(&it.parse().ok()?));
            Some(Event::Watched(paths.collect()))
        }
        "workspace/didChangeWorkspaceFolders" => {
            let params: DidChangeWorkspaceFoldersParams = read(method, params)?;
            let paths = |it: &[WorkspaceFolder]| {
                let paths = it.iter().filter_map(|it| from_proto::path(&it.uri));
                paths.collect()
            };
            Some(Event::Folders {
                removed: paths(&params.event.removed),
                added: paths(&params.event.added),
            })
        }
        "workspace/didChangeConfiguration" => {
            let params: DidChangeConfigurationParams = read(method, params)?;
            Some(match ClientSettings::read(params.settings) {
                Some(settings) => Event::Configure(Some(settings)),
                // The notification has no settings: pull them.
                None => Event::RequestSettings,
            })
        }
        _ => None,
    }
}

fn read<T: DeserializeOwned>(method: &str, params: Option<LSPAny>) -> Option<T> {
    serde_json::from_value(params.unwrap_or_default())
        .inspect_err(|error| warn!("ignored `{method}`: invalid parameters: {error}"))
        .ok()
}
