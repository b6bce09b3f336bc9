//! Tests of requests that edits overtake.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc;
use tower_lsp::ls_types::ClientCapabilities;

use super::super::session::CommandLineSettings;
use super::*;

const REQUESTED: &str = "file:///nowhere/asked.pp";
const OTHER: &str = "file:///nowhere/other.pp";

fn backend() -> Backend {
    let settings = CommandLineSettings {
        version: None,
        modulepath: Vec::new(),
    };
    let session = Session::start(&settings, mpsc::unbounded_channel().0);
    let session = session.expect("threads can be started");
    session.set_client(ResolvedClientCapabilities::new(
        &ClientCapabilities::default(),
        "",
    ));
    for uri in [REQUESTED, OTHER] {
        let document = json!({"textDocument": {
            "uri": uri, "languageId": "puppet", "version": 1, "text": "$a = 1\n",
        }});
        session.send(Event::Open(
            serde_json::from_value(document).expect("valid parameters"),
        ));
    }
    Backend::new(session, Arc::default(), watch::channel(false).0)
}

/// Edits the document `of` while a request is being handled. Returns the response, and the
/// number of times its computation was started. The edit does not wait for the response, as if
/// the grace period were over.
async fn overtaken_by_an_edit(of: &str) -> (Result<Option<String>>, usize) {
    let backend = backend();
    let mut state = backend
        .session
        .snapshot()
        .await
        .expect("the session responds");
    state.pending = None;
    let times = Arc::new(AtomicUsize::new(0));
    let (counter, begun) = (Arc::clone(&times), Arc::new(tokio::sync::Notify::new()));
    let begins = Arc::clone(&begun);
    let response = backend.compute_for_document(
        REQUESTED.parse().expect("a URI"),
        move |snapshot, document, _| {
            if counter.fetch_add(1, Ordering::SeqCst) == 0 {
                begins.notify_one();
                // Runs until the change cancels it.
                let start = Instant::now();
                while start.elapsed() < Duration::from_secs(60) {
                    snapshot.analysis.parse(document.file);
                    thread::sleep(Duration::from_millis(1));
                }
            }
            Some(document.source.text().to_string())
        },
    );
    let response = ordered_service::with_snapshot(state, response);
    let edit = json!({
        "textDocument": {"uri": of, "version": 2}, "contentChanges": [{"text": "$a = 2\n"}],
    });
    let edited = async {
        begun.notified().await;
        let edit = serde_json::from_value(edit).expect("valid parameters");
        backend.session.send(Event::Edit(edit, Instant::now()));
        drop(backend.session.snapshot().await);
    };
    let (answer, ()) = tokio::join!(response, edited);
    (answer, times.load(Ordering::SeqCst))
}

#[tokio::test]
async fn edit_of_the_same_document_invalidates_a_request() {
    let (answer, times) = overtaken_by_an_edit(REQUESTED).await;
    let code = answer.expect_err("the document has changed").code;
    assert_eq!((code, times), (ErrorCode::ContentModified, 1));
}

#[tokio::test]
async fn edit_of_another_document_retries_a_request() {
    let (answer, times) = overtaken_by_an_edit(OTHER).await;
    assert_eq!(answer, Ok(Some("$a = 1\n".to_owned())));
    assert!(times > 1);
}
