//! Answers to clients that ask for diagnostics: of a document, or of everything that is worked on.
//!
//! A result id is a hash of what was reported, so it says the same in any state that has the same
//! diagnostics, and nothing need be remembered.

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
use crate::disk::read_text;
use crate::source::{LineBreaks, Source};

/// The code of an error that says that the server gave a request up.
const SERVER_CANCELLED: i64 = -32802;

/// All diagnostics of a document, or that they are the same as those the client has.
pub(super) fn of_document(
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
        // Diagnostics always have a JSON form.
        serde_json::to_string(item)
            .unwrap_or_default()
            .hash(&mut hasher);
    }
    format!("{:x}", hasher.finish())
}

/// The diagnostics of everything that is worked on: of files that have any, and of those that had
/// some when the client asked before. Computed away from all other requests, which must not wait
/// for it, and given up when the client cancels.
///
/// # Errors
///
/// If something changed meanwhile; the client is told to ask again.
pub(super) async fn of_workspace(
    mut snapshot: Snapshot,
    previous: Vec<PreviousResultId>,
) -> Result<WorkspaceDiagnosticReport> {
    // This takes longer than any change should wait.
    snapshot.pending = None;
    let (sender, receiver) = oneshot::channel();
    let waiting = Waiting::default();
    let is_given_up = Arc::clone(&waiting.0);
    POOL.spawn(move || {
        let analysis = snapshot.analysis.clone();
        let work = || analysis.cancellable(|| report(snapshot, &previous, &is_given_up));
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
            // A client that cancelled in the meantime needs no answer.
            Ok(result) => drop(sender.send(result)),
            Err(_) => tracing::error!("the diagnostics of the workspace panicked"),
        }
    });
    let result = receiver.await.map_err(|_| pool::panicked())?;
    let result = result.ok().flatten();
    result.ok_or_else(|| Error {
        code: ErrorCode::ServerError(SERVER_CANCELLED),
        message: "something changed meanwhile".into(),
        data: Some(json!({"retriggerRequest": true})),
    })
}

/// Says when it is dropped that nobody waits any more.
#[derive(Default)]
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Threads that nobody else waits for.
static POOL: LazyLock<ThreadPool> = LazyLock::new(|| {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = |threads: usize| {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(crate::STACK_SIZE)
            .thread_name(|it| format!("everything {it}"))
            .build()
    };
    // A machine that cannot start one thread more could not have started the server.
    pool(all.saturating_sub(1).max(1)).expect("threads can be started")
});

/// A file, and its diagnostics.
struct Reported {
    uri: Uri,
    version: Option<i64>,
    items: Vec<Diagnostic>,
}

/// Nothing if it was given up.
fn report(
    snapshot: Snapshot,
    previous: &[PreviousResultId],
    is_given_up: &AtomicBool,
) -> Option<WorkspaceDiagnosticReport> {
    let previous = previous.iter().map(|it| (identity(&it.uri), it));
    let mut previous = BTreeMap::from_iter(previous);
    let open = snapshot.documents.values().map(|it| it.file);
    let mut files: Vec<FileId> = snapshot.worked_on.iter().copied().chain(open).collect();
    files.sort_unstable();
    files.dedup();
    let around = of_project_files(&snapshot);
    let reported = files.into_par_iter().map_with(snapshot, |snapshot, file| {
        if is_given_up.load(Ordering::Relaxed) {
            return Err(());
        }
        Ok(of_file(snapshot, file))
    });
    let reported: Vec<Option<Reported>> = reported.collect::<std::result::Result<_, ()>>().ok()?;
    let reported = reported.into_iter().flatten().chain(around);
    let reported = reported.filter_map(|it| {
        let before = previous.remove(&identity(&it.uri));
        one(it, before)
    });
    let mut items: Vec<_> = reported.collect();
    // What is no more, or no longer worked on, has nothing wrong with it.
    let gone = previous.into_values().filter_map(|it| {
        let nothing = Reported {
            uri: it.uri.clone(),
            version: None,
            items: Vec::new(),
        };
        one(nothing, Some(it))
    });
    items.extend(gone);
    Some(WorkspaceDiagnosticReport { items })
}

/// What a document is, however its name is written: clients escape other characters than we do.
fn identity(uri: &Uri) -> PathBuf {
    from_proto::path(uri).unwrap_or_else(|| uri.as_str().into())
}

fn of_file(snapshot: &Snapshot, file: FileId) -> Option<Reported> {
    let open = snapshot.documents.iter().find(|(_, it)| it.file == file);
    if let Some((uri, document)) = open {
        return Some(Reported {
            uri: uri.clone(),
            version: Some(document.version.into()),
            items: diagnostics(snapshot, uri),
        });
    }
    let path = snapshot.paths.get(file.0 as usize)?.as_deref()?;
    let uri = Uri::from_file_path(path)?;
    Some(Reported {
        items: diagnostics_of_file(snapshot, file, &uri),
        uri,
        version: None,
    })
}

/// The diagnostics of files around Puppet code that are not open.
fn of_project_files(snapshot: &Snapshot) -> Vec<Reported> {
    let files = snapshot.discovery.project_files();
    let reported = files.iter().filter_map(|path| {
        let uri = Uri::from_file_path(path)?;
        if snapshot.documents.contains_key(&uri) {
            return None;
        }
        // What cannot be read is told elsewhere.
        let source = Source::new(read_text(path).ok()?.into(), LineBreaks::Lsp);
        Some(Reported {
            items: project_diagnostics(snapshot, path, &uri, &source),
            uri,
            version: None,
        })
    });
    reported.collect()
}

/// What the client is told of a file: nothing if there is nothing wrong and never was.
fn one(
    reported: Reported,
    previous: Option<&PreviousResultId>,
) -> Option<WorkspaceDocumentDiagnosticReport> {
    let Reported {
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
