//! Computes indexes of the workspace in the background, so that the first request need not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use analysis::{Analysis, FileId};
use tracing::{debug, error};

use super::{Event, SessionState};
use crate::lsp::large_classes::LargeClasses;

/// How long to wait for a pause in the messages before the work starts or continues.
const PAUSE: Duration = Duration::from_millis(100);

/// The outcome of the work in the background.
#[derive(Clone, Copy, Debug)]
pub(in crate::lsp) struct WarmUpOutcome {
    /// Whether no change cancelled it.
    pub(super) is_complete: bool,
    /// Whether the resources of large classes were counted, and are others than before.
    pub(super) has_new_counts: bool,
}

/// The state of the work in the background.
#[derive(Debug, Default)]
pub(super) struct WarmUp {
    /// When to start, unless a change comes first.
    due: Option<Instant>,
    is_running: bool,
}

impl WarmUp {
    /// Requests the work, after a pause.
    pub(super) fn request(&mut self) {
        self.due = Some(Instant::now() + PAUSE);
    }

    /// Postpones requested work until the user pauses.
    pub(super) fn postpone(&mut self) {
        if self.due.is_some() {
            self.request();
        }
    }

    /// Returns when to start.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due.filter(|_| !self.is_running)
    }

    /// Notes the end of the work, and requests it again if a change cancelled it.
    pub(super) fn finish(&mut self, is_complete: bool) {
        self.is_running = false;
        if !is_complete {
            self.request();
        }
    }
}

impl SessionState {
    /// Starts the work if it is due. The next change cancels it.
    pub(super) fn warm_up_if_due(&mut self) {
        if self.warm_up.due().is_none_or(|it| it > Instant::now()) {
            return;
        }
        self.warm_up.due = None;
        self.update_analysis();
        let (analysis, events) = (self.host.analysis(), self.events.clone());
        let classes = Arc::clone(&self.large_classes);
        let open: Vec<FileId> = self.documents.values().map(|it| it.file).collect();
        // A thread of its own: on the pool, requests would wait for it.
        let thread = thread::Builder::new()
            .name("warm-up".to_owned())
            .stack_size(crate::STACK_SIZE)
            .spawn(move || warm_up(analysis, &open, &classes, &events));
        self.warm_up.is_running = thread.is_ok();
    }
}

fn warm_up(analysis: Analysis, open: &[FileId], classes: &LargeClasses, events: &Sender<Event>) {
    let start = Instant::now();
    let work = || {
        analysis.cancellable(|| {
            analysis.prime_data();
            for file in open {
                analysis.prime_completions(*file);
            }
            classes.count(&analysis, open)
        })
    };
    let (is_complete, has_new_counts) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(has_new_counts)) => (true, has_new_counts),
        Ok(Err(_)) => (false, false),
        Err(_) => {
            error!("computing indexes in the background panicked");
            (true, false)
        }
    };
    // The session may be waiting for this snapshot.
    drop(analysis);
    debug!(
        "indexed the workspace in {:?}, complete: {is_complete}",
        start.elapsed()
    );
    // The session may have ended.
    let outcome = WarmUpOutcome {
        is_complete,
        has_new_counts,
    };
    let _ = events.send(Event::WarmedUp(outcome));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelled_work_is_requested_again() {
        let mut state = WarmUp::default();
        state.postpone();
        assert_eq!(state.due(), None);
        state.request();
        assert!(state.due().is_some());
        state.is_running = true;
        assert_eq!(state.due(), None);
        state.due = None;
        state.finish(false);
        assert!(state.due().is_some());
        state.due = None;
        state.finish(true);
        assert_eq!(state.due(), None);
    }

    #[test]
    fn changes_postpone_the_start() {
        let mut state = WarmUp::default();
        state.request();
        let first = state.due();
        thread::sleep(Duration::from_millis(2));
        state.postpone();
        assert!(state.due() > first);
    }
}
