//! How many requests are being answered, for whoever wants to wait until they are.
//!
//! A change cancels what is computed from older snapshots. Most answers take a millisecond, and a
//! client that types fast should get them all, so the session waits for them a little.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Counts its [`Guard`]s.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending(Arc<(Mutex<usize>, Condvar)>);

/// Counts for as long as it lives.
#[derive(Debug)]
pub(super) struct Guard(Pending);

impl Pending {
    /// One more.
    pub(super) fn guard(&self) -> Guard {
        self.change(|count| count + 1);
        Guard(self.clone())
    }

    /// Waits until there are none, but no longer than `patience`.
    pub(super) fn wait(&self, patience: Duration) {
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
