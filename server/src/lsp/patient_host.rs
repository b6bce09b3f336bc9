//! The analysis host, with a grace period for pending requests.
//!
//! A change cancels all computations on older snapshots. Most responses take a millisecond, and a
//! client that sends edits quickly should get all of them, so changes wait for them briefly.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use analysis::{Analysis, AnalysisHost, Change};

/// How long a change waits for responses about the state before it: longer than any of them should
/// take. Documents are still edited in the meantime.
const GRACE: Duration = Duration::from_secs(10);

/// An analysis host whose changes wait for pending responses, for at most [`GRACE`].
#[derive(Debug, Default)]
pub(super) struct PatientHost {
    host: AnalysisHost,
    pending: PendingRequests,
}

impl PatientHost {
    /// Applies changes. Returns whether there were any.
    pub(super) fn apply(&mut self, changes: impl IntoIterator<Item = Change>) -> bool {
        let mut changes = changes.into_iter().peekable();
        let has_changes = changes.peek().is_some();
        if has_changes {
            self.pending.wait(GRACE);
        }
        for change in changes {
            self.host.apply_change(change);
        }
        has_changes
    }

    /// Drops results that were not used lately, as the next change would.
    pub(super) fn evict(&mut self) {
        self.pending.wait(GRACE);
        self.host.evict();
    }

    /// Returns a snapshot of the analysis. The next change cancels computations on it.
    pub(super) fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    /// Returns a guard that delays changes until it is dropped.
    pub(super) fn guard(&self) -> PendingGuard {
        self.pending.guard()
    }
}

/// A counter of live [`PendingGuard`]s.
#[derive(Clone, Debug, Default)]
struct PendingRequests(Arc<(Mutex<usize>, Condvar)>);

/// Delays changes for as long as it lives.
#[derive(Debug)]
pub(super) struct PendingGuard(PendingRequests);

impl PendingRequests {
    fn guard(&self) -> PendingGuard {
        self.change(|count| count + 1);
        PendingGuard(self.clone())
    }

    /// Waits until no guard is left, for at most `patience`.
    fn wait(&self, patience: Duration) {
        let (count, changed) = &*self.0;
        let count = count.lock().unwrap_or_else(PoisonError::into_inner);
        // A timeout is not an error.
        drop(changed.wait_timeout_while(count, patience, |it| *it > 0));
    }

    fn change(&self, change: impl FnOnce(usize) -> usize) {
        let (count, changed) = &*self.0;
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = change(*count);
        changed.notify_all();
    }
}

impl Drop for PendingGuard {
    fn drop(&mut self) {
        self.0.change(|count| count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn only_changes_wait_for_guards() {
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
    fn waits_for_all_guards_until_timeout() {
        let pending = PendingRequests::default();
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
