//! The analysis, and how many requests are being answered from it.
//!
//! A change cancels what is computed from older snapshots. Most answers take a millisecond, and a
//! client that types fast should get them all, so changes wait for them a little.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use analysis::{Analysis, AnalysisHost, Change};

/// How long a change waits for answers about the state before it: longer than any of them takes on
/// a machine that is not in trouble. Text is edited meanwhile all the same.
const GRACE: Duration = Duration::from_secs(10);

/// The analysis, which does not change before pending answers are there or [`GRACE`] is over.
#[derive(Debug, Default)]
pub(super) struct PatientHost {
    host: AnalysisHost,
    pending: Pending,
}

impl PatientHost {
    /// Changes the analysis; whether there was anything to change.
    pub(super) fn apply(&mut self, changes: impl IntoIterator<Item = Change>) -> bool {
        let mut changes = changes.into_iter().peekable();
        let any = changes.peek().is_some();
        if any {
            self.pending.wait(GRACE);
        }
        for change in changes {
            self.host.apply_change(change);
        }
        any
    }

    /// The analysis as it is now. The next change cancels what is computed from it.
    pub(super) fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    /// Makes changes wait.
    pub(super) fn guard(&self) -> Guard {
        self.pending.guard()
    }
}

/// Counts its [`Guard`]s.
#[derive(Clone, Debug, Default)]
struct Pending(Arc<(Mutex<usize>, Condvar)>);

/// Counts for as long as it lives.
#[derive(Debug)]
pub(super) struct Guard(Pending);

impl Pending {
    /// One more.
    fn guard(&self) -> Guard {
        self.change(|count| count + 1);
        Guard(self.clone())
    }

    /// Waits until there are none, but no longer than `patience`.
    fn wait(&self, patience: Duration) {
        let (count, changed) = &*self.0;
        let count = count.lock().unwrap_or_else(PoisonError::into_inner);
        // Whether they are done or time is up, there is nothing more to wait for.
        drop(changed.wait_timeout_while(count, patience, |it| *it > 0));
    }

    fn change(&self, change: impl FnOnce(usize) -> usize) {
        let (count, changed) = &*self.0;
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = change(*count);
        changed.notify_all();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.change(|count| count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn changes_wait_and_nothing_else_does() {
        let mut host = PatientHost::default();
        let guard = host.guard();
        let start = Instant::now();
        assert!(!host.apply([]));
        assert!(start.elapsed() < GRACE / 2);
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            drop(guard);
        });
        assert!(host.apply([Change::RemoveFile(analysis::FileId(0))]));
        assert!(start.elapsed() >= Duration::from_millis(20));
        assert!(thread.join().is_ok());
    }

    #[test]
    fn waits_for_all_but_not_for_ever() {
        let pending = Pending::default();
        pending.wait(Duration::from_secs(600));
        let (first, second) = (pending.guard(), pending.guard());
        let start = Instant::now();
        pending.wait(Duration::from_millis(5));
        assert!(start.elapsed() >= Duration::from_millis(5));
        let thread = std::thread::spawn(move || drop((first, second)));
        pending.wait(Duration::from_secs(600));
        assert!(thread.join().is_ok());
    }
}
