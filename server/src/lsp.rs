//! `pupil server`: the language server, over standard input and output.
//!
//! The path of a message: a thread reads and frames it ([`transport`]). [`ordered_service`]
//! forwards every notification about documents to the single thread that owns the state
//! ([`session`]), in the order of arrival, and queues a request for the snapshot of each client
//! request in the same order. [`backend`] computes the response from that snapshot on a pool of
//! worker threads. A response therefore reflects exactly the edits that arrived before its request.
//! The disk is read on a separate thread ([`loading`]), which reports to the session with an event
//! of its own.

mod backend;
mod catalog;
mod client_capabilities;
mod client_process;
mod code_actions;
mod code_lens;
mod content_change;
mod file_watching;
mod formatting;
mod from_proto;
mod large_classes;
mod loading;
mod logging;
mod main_loop;
mod navigation;
mod ordered_service;
mod outgoing;
mod patient_host;
mod pool;
mod pull_diagnostics;
mod rename;
mod semantic_tokens;
mod server_capabilities;
mod session;
mod settings;
mod snapshot;
mod stubs;
mod to_proto;
mod trace;
mod transport;
mod triggers;
mod typing;

use std::process::ExitCode;

use crate::args::ServerArgs;
use crate::terminal::Failure;

/// Serves one client until it sends `exit` or disappears.
pub(crate) fn run(arguments: &ServerArgs) -> Result<ExitCode, Failure> {
    logging::start(arguments.log.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .map_err(|error| Failure::Message(format!("cannot start the server: {error}")))?;
    let code = runtime.block_on(main_loop::serve(&arguments.puppet))?;
    // Do not wait for responses that no client will read.
    runtime.shutdown_background();
    Ok(code)
}
