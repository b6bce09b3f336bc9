//! Pull diagnostics of a document or of the whole workspace.
//!
//! A result ID is a hash of the reported diagnostics, so the server need not store earlier results.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use analysis::FileId;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    Diagnostic, DocumentDiagnosticReport, FullDocumentDiagnosticReport, PreviousResultId,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticReport,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::session::{diagnostics, diagnostics_of_file, project_diagnostics};
use super::snapshot::Snapshot;
use super::{from_proto, pool};
use crate::read_text::read_text;
use crate::source::{LineBreaks, Source};

/// The error code for requests that the server has cancelled.
const SERVER_CANCELLED: i64 = -32802;

/// Returns a full report for a document, or an unchanged one if the client has the same
/// diagnostics already.
pub(super) fn document_report(
    items: Vec<Diagnostic>,
    previous: Option<&str>,
) -> DocumentDiagnosticReport {
    let result_id = result_id(&items);
    if previous == Some(&result_id) {
        return RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        }
        .into();
    }
    RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(result_id),
            items,
        },
    }
    .into()
}

fn result_id(items: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    for item in items {
        // Serialization cannot fail.
        serde_json::to_string(item)
            .unwrap_or_default()
            .hash(&mut hasher);
    }
    format!("{:x}", hasher.finish())
}

/// Returns the diagnostics of all checked files: of those that have any, and of those for which the
/// client sent a previous result ID. Runs on a separate pool so that it does not delay other
/// requests, and stops when the client cancels.
///
/// # Errors
///
/// Fails with `ServerCancelled` and `retriggerRequest` if something changed meanwhile.
pub(super) async fn workspace_report(
    mut snapshot: Snapshot,
    previous: Vec<PreviousResultId>,
) -> Result<WorkspaceDiagnosticReport> {
    // Changes must not wait for this long computation.
    snapshot.pending = None;
    let (sender, receiver) = oneshot::channel();
    let cancel_on_drop = CancelOnDrop::default();
    let is_cancelled = Arc::clone(&cancel_on_drop.0);
    POOL.spawn(move || {
        let analysis = snapshot.analysis.clone();
        let work = || {
            analysis.cancellable(|| compute_workspace_report(snapshot, &previous, &is_cancelled))
        };
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
            // The receiver is gone if the client has cancelled in the meantime.
            Ok(result) => drop(sender.send(result)),
            Err(_) => tracing::error!("computing workspace diagnostics panicked"),
        }
    });
    let result = receiver.await.map_err(|_| pool::panicked())?;
    let result = result.ok().flatten();
    result.ok_or_else(|| Error {
        code: ErrorCode::ServerError(SERVER_CANCELLED),
        message: "the workspace changed during the request".into(),
        data: Some(json!({"retriggerRequest": true})),
    })
}

/// Sets its flag when it is dropped, which means that the request was cancelled.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The pool for workspace diagnostics.
static POOL: LazyLock<ThreadPool> = LazyLock::new(|| {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = |threads: usize| {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(crate::STACK_SIZE)
            .thread_name(|it| format!("diagnostics {it}"))
            .build()
    };
    // The server itself has already started several threads.
    pool(all.saturating_sub(1).max(1)).expect("threads can be started")
});

/// A file with its diagnostics.
struct FileDiagnostics {
    uri: Uri,
    version: Option<i64>,
    items: Vec<Diagnostic>,
}

/// Returns `None` if the request was cancelled.
fn compute_workspace_report(
    snapshot: Snapshot,
    previous: &[PreviousResultId],
    is_cancelled: &AtomicBool,
) -> Option<WorkspaceDiagnosticReport> {
    let previous = previous.iter().map(|it| (uri_key(&it.uri), it));
    let mut previous = BTreeMap::from_iter(previous);
    let open = snapshot.documents.values().map(|it| it.file);
    let mut files: Vec<FileId> = snapshot
        .files_to_check
        .iter()
        .copied()
        .chain(open)
        .collect();
    files.sort_unstable();
    files.dedup();
    let project_files = project_file_diagnostics(&snapshot);
    let reported = files.into_par_iter().map_with(snapshot, |snapshot, file| {
        if is_cancelled.load(Ordering::Relaxed) {
            return Err(());
        }
        Ok(file_diagnostics(snapshot, file))
    });
    let reported: Vec<Option<FileDiagnostics>> =
        reported.collect::<std::result::Result<_, ()>>().ok()?;
    let reported = reported.into_iter().flatten().chain(project_files);
    let reported = reported.filter_map(|it| {
        let before = previous.remove(&uri_key(&it.uri));
        file_report(it, before)
    });
    let mut items: Vec<_> = reported.collect();
    // Clear the diagnostics of files that were removed or are no longer checked.
    let gone = previous.into_values().filter_map(|it| {
        let empty = FileDiagnostics {
            uri: it.uri.clone(),
            version: None,
            items: Vec::new(),
        };
        file_report(empty, Some(it))
    });
    items.extend(gone);
    Some(WorkspaceDiagnosticReport { items })
}

/// Returns a key that identifies a document independently of the escapes in its URI, which differ
/// between clients.
fn uri_key(uri: &Uri) -> PathBuf {
    from_proto::path(uri).unwrap_or_else(|| uri.as_str().into())
}

fn file_diagnostics(snapshot: &Snapshot, file: FileId) -> Option<FileDiagnostics> {
    let open = snapshot.documents.iter().find(|(_, it)| it.file == file);
    if let Some((uri, document)) = open {
        return Some(FileDiagnostics {
            uri: uri.clone(),
            version: Some(document.version.into()),
            items: diagnostics(snapshot, uri),
        });
    }
    let path = snapshot.paths.get(file.0 as usize)?.as_deref()?;
    let uri = Uri::from_file_path(path)?;
    Some(FileDiagnostics {
        items: diagnostics_of_file(snapshot, file, &uri),
        uri,
        version: None,
    })
}

/// Returns the diagnostics of project files (such as `metadata.json`) that are not open.
fn project_file_diagnostics(snapshot: &Snapshot) -> Vec<FileDiagnostics> {
    let files = snapshot.discovery.project_files();
    let reported = files.iter().filter_map(|path| {
        let uri = Uri::from_file_path(path)?;
        if snapshot.documents.contains_key(&uri) {
            return None;
        }
        // Read errors are reported by the loader.
        let source = Source::new(read_text(path).ok()?.into(), LineBreaks::Lsp);
        Some(FileDiagnostics {
            items: project_diagnostics(snapshot, path, &uri, &source),
            uri,
            version: None,
        })
    });
    reported.collect()
}

/// Returns the report for a file, or `None` if it has no diagnostics now and had none before.
fn file_report(
    reported: FileDiagnostics,
    previous: Option<&PreviousResultId>,
) -> Option<WorkspaceDocumentDiagnosticReport> {
    let FileDiagnostics {
        uri,
        version,
        items,
    } = reported;
    if previous.is_none() && items.is_empty() {
        return None;
    }
    let result_id = result_id(&items);
    Some(if previous.is_some_and(|it| it.value == result_id) {
        WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        }
        .into()
    } else {
        WorkspaceFullDocumentDiagnosticReport {
            uri,
            version,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items,
            },
        }
        .into()
    })
}
