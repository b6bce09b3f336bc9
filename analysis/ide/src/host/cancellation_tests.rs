//! Tests of cancellation: which queries end when a change is applied, and which failures are not
//! cancellations.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::thread;

use salsa::{Database, EventKind};

use super::{Analysis, AnalysisHost, Cancelled, FileId};
use crate::fixture::set_file;
use base::{FileInput, RootDatabase};

const FILE: FileId = FileId(0);

/// A query that runs until it is cancelled.
#[salsa::tracked]
fn until_cancelled(db: &dyn Database, file: FileInput) {
    while file.text(db).is_some() {
        db.unwind_if_revision_cancelled();
    }
}

#[test]
fn waiting_for_a_cancelled_query_is_cancelled() {
    let (sender, waits) = channel();
    let watcher = move |event: salsa::Event| {
        if let EventKind::WillBlockOn { .. } = event.kind {
            sender.send(()).expect("the test waits for it");
        }
    };
    let db = RootDatabase::with_event_handler(Some(Box::new(watcher)));
    let mut host = AnalysisHost { db };
    host.apply_change(set_file(FILE, "a.pp", "$x = 1"));
    let ask = |analysis: Analysis| {
        thread::spawn(move || {
            let file = analysis.db.file(FILE).expect("the file exists");
            analysis.cancellable(|| *until_cancelled(&analysis.db, file))
        })
    };
    let both = [ask(host.analysis()), ask(host.analysis())];
    waits.recv().expect("one waits for the other");
    host.apply_change(set_file(FILE, "a.pp", "$x = 2"));
    for it in both {
        assert_eq!(it.join().expect("it does not panic"), Err(Cancelled));
    }
}

#[test]
fn a_panic_is_not_a_cancellation() {
    let analysis = Analysis::default();
    let work = || analysis.cancellable(|| resume_unwind(Box::new("on purpose")));
    let result: thread::Result<Result<(), Cancelled>> = catch_unwind(AssertUnwindSafe(work));
    assert!(result.is_err());
}
