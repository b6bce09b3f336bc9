//! `pupil server`: the language server, over standard input and output.
//!
//! How a message travels: a thread reads and frames it ([`transport`]); [`ordered`] hands every
//! notification about documents to the one thread that owns the state ([`session`]), in the order
//! of arrival, and asks it for the snapshot that each request is to be answered from, in the same
//! order; [`backend`] computes the answer from that snapshot on the pool of worker threads. So
//! an answer has seen exactly the edits that came before the question. The disk is read on a
//! thread of its own ([`loading`]), and what was read is one more message to the session.

mod actions;
mod backend;
mod capabilities;
mod client;
mod from_proto;
mod lenses;
mod loading;
mod logging;
mod navigation;
mod ordered;
mod outgoing;
mod parent;
mod pending;
mod pool;
mod renames;
mod reports;
mod serve;
mod session;
mod settings;
mod snapshot;
mod to_proto;
mod tokens;
mod trace;
mod transport;
mod watch;

use std::process::ExitCode;

use crate::args::ServerArgs;
use crate::terminal::Failure;

/// Serves one client until it says goodbye or goes away.
pub(crate) fn run(arguments: &ServerArgs) -> Result<ExitCode, Failure> {
    logging::start(arguments.log.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .map_err(|error| Failure::Message(format!("cannot start the server: {error}")))?;
    let code = runtime.block_on(serve::serve(&arguments.puppet))?;
    // Not waiting for answers that nobody will read.
    runtime.shutdown_background();
    Ok(code)
}
