//! Work for the processor, away from the threads that talk.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

/// Runs `work` on the pool. If the returned future is dropped before the work begins, as it is
/// when the client cancels, it never begins. A panic becomes an error and harms nothing else.
pub(super) async fn compute<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    rayon::spawn_fifo(move || {
        if sender.is_closed() {
            return;
        }
        // Work reads a snapshot and writes nothing that could be left half done.
        match catch_unwind(AssertUnwindSafe(work)) {
            // A client that cancelled in the meantime needs no answer.
            Ok(result) => drop(sender.send(result)),
            Err(_) => tracing::error!("a computation panicked"),
        }
    });
    receiver.await.map_err(|_| panicked())
}

/// The answer to a request whose computation panicked.
pub(super) fn panicked() -> Error {
    let mut error = Error::internal_error();
    error.message = "the server failed on this request; its log says where".into();
    error
}
