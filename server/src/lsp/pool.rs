//! Runs CPU-bound work outside of the asynchronous runtime.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use analysis::Analysis;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

/// The result of work, of a type that only the request handler knows. The code between the handler
/// and its work is compiled once, not once per request.
pub(super) type ErasedResult = Box<dyn Any + Send>;

/// Restores the type of an erased result.
///
/// # Panics
///
/// If the work had a result of another type.
pub(super) fn restore<T: 'static>(result: ErasedResult) -> T {
    *result
        .downcast()
        .expect("work returns what its handler asked for")
}

/// Runs `work` on a snapshot on the pool. The work never starts if the returned future is dropped
/// first, which happens when the client cancels the request.
///
/// # Errors
///
/// If `work` panics, or with `ContentModified` if a change cancels it.
pub(super) async fn compute(
    analysis: Analysis,
    work: Box<dyn FnOnce() -> ErasedResult + Send>,
) -> Result<ErasedResult> {
    let (sender, receiver) = oneshot::channel();
    rayon::spawn_fifo(move || {
        if sender.is_closed() {
            return;
        }
        // Unwind safety: `work` only reads a snapshot.
        let result = catch_unwind(AssertUnwindSafe(|| analysis.cancellable(work)));
        // The session may be waiting for this snapshot.
        drop(analysis);
        match result {
            // The receiver is gone if the client has cancelled in the meantime.
            Ok(result) => drop(sender.send(result)),
            Err(_) => tracing::error!("request handler panicked"),
        }
    });
    let result = receiver.await.map_err(|_| panicked())?;
    result.map_err(|_| Error::content_modified())
}

/// Runs work in the background for its effect on the caches of the analysis.
pub(super) fn spawn_background(analysis: Analysis, work: impl FnOnce(&Analysis) + Send + 'static) {
    rayon::spawn(move || {
        let work = || analysis.cancellable(|| work(&analysis));
        // The request that needs the result will fail in the same way, and report it.
        let _ = catch_unwind(AssertUnwindSafe(work));
    });
}

/// Returns the error for a request whose handler panicked.
pub(super) fn panicked() -> Error {
    let mut error = Error::internal_error();
    error.message = "internal error: the request handler panicked; see the server log".into();
    error
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    async fn one() -> Result<i32> {
        let result = compute(Analysis::default(), Box::new(|| Box::new(1))).await;
        result.map(restore)
    }

    #[tokio::test]
    async fn panic_fails_only_its_own_request() {
        let failed = compute(Analysis::default(), Box::new(|| panic!("on purpose"))).await;
        assert_eq!(failed.err(), Some(panicked()));
        assert_eq!(one().await, Ok(1));
    }

    #[tokio::test]
    async fn work_cancelled_early_never_starts() {
        let (hold, held) = channel::<()>();
        // Keeps all threads busy until the other work has been cancelled.
        let held = Arc::new(std::sync::Mutex::new(held));
        for _ in 0..rayon::current_num_threads() {
            let held = Arc::clone(&held);
            rayon::spawn_fifo(move || drop(held.lock().map(|it| it.recv())));
        }
        let begun = Arc::new(AtomicBool::new(false));
        let begins = Arc::clone(&begun);
        let begin = move || -> ErasedResult {
            begins.store(true, Ordering::SeqCst);
            Box::new(())
        };
        let cancelled = compute(Analysis::default(), Box::new(begin));
        let mut cancelled = Box::pin(cancelled);
        tokio::select! {
            biased;
            _ = &mut cancelled => {}
            () = tokio::task::yield_now() => {}
        }
        drop(cancelled);
        drop(hold);
        assert_eq!(one().await, Ok(1));
        assert!(!begun.load(Ordering::SeqCst));
    }
}
