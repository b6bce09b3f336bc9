//! Work for the processor, away from the threads that talk.

use std::panic::{AssertUnwindSafe, catch_unwind};

use analysis::Analysis;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

/// Runs `work` on a snapshot on the pool. If the returned future is dropped before the work begins,
/// as it is when the client cancels, it never begins. A panic becomes an error and harms nothing
/// else; so does a change of the text while the work is done.
pub(super) async fn compute<T: Send + 'static>(
    analysis: Analysis,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    rayon::spawn_fifo(move || {
        if sender.is_closed() {
            return;
        }
        // Work reads a snapshot and writes nothing that could be left half done.
        let result = catch_unwind(AssertUnwindSafe(|| analysis.cancellable(work)));
        // The session may be waiting for it.
        drop(analysis);
        match result {
            // A client that cancelled in the meantime needs no answer.
            Ok(result) => drop(sender.send(result)),
            Err(_) => tracing::error!("a computation panicked"),
        }
    });
    let result = receiver.await.map_err(|_| panicked())?;
    result.map_err(|_| Error::content_modified())
}

/// Has a thread that is idle do work whose results others find in the analysis. Nobody waits for it.
pub(super) fn meanwhile(analysis: Analysis, work: impl FnOnce(&Analysis) + Send + 'static) {
    rayon::spawn(move || {
        let work = || analysis.cancellable(|| work(&analysis));
        // Whoever needs what failed here meets the same, and tells.
        let _ = catch_unwind(AssertUnwindSafe(work));
    });
}

/// The answer to a request whose computation panicked.
pub(super) fn panicked() -> Error {
    let mut error = Error::internal_error();
    error.message = "the server failed on this request; its log says where".into();
    error
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_error_and_harms_no_other() {
        let failed = compute(Analysis::default(), || -> u32 { panic!("on purpose") }).await;
        assert_eq!(failed, Err(panicked()));
        assert_eq!(compute(Analysis::default(), || 1).await, Ok(1));
    }

    #[tokio::test]
    async fn what_is_cancelled_before_it_begins_never_begins() {
        let (hold, held) = channel::<()>();
        // Keeps all threads busy until the other work has been cancelled.
        let held = Arc::new(std::sync::Mutex::new(held));
        for _ in 0..rayon::current_num_threads() {
            let held = Arc::clone(&held);
            rayon::spawn_fifo(move || drop(held.lock().map(|it| it.recv())));
        }
        let begun = Arc::new(AtomicBool::new(false));
        let begins = Arc::clone(&begun);
        let begin = move || begins.store(true, Ordering::SeqCst);
        let cancelled = compute(Analysis::default(), begin);
        let mut cancelled = Box::pin(cancelled);
        tokio::select! {
            biased;
            _ = &mut cancelled => {}
            () = tokio::task::yield_now() => {}
        }
        drop(cancelled);
        drop(hold);
        assert_eq!(compute(Analysis::default(), || 1).await, Ok(1));
        assert!(!begun.load(Ordering::SeqCst));
    }
}
