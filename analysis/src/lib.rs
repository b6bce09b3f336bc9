//! Analysis of Puppet code: name resolution, type inference, evaluation, rules and editor features.
//!
//! [`AnalysisHost`] applies changes, and [`Analysis`] is a snapshot that answers queries with plain
//! data. This crate does not depend on LSP types, tokio, the file system or the terminal.

pub mod declared;
pub mod eval;
pub mod ide;
pub mod library;
pub mod project;
pub mod ruby;
pub mod rules;
pub mod types;
pub mod values;
pub mod workspace;

mod db;
mod host;
mod infer;

pub use eval::{EvalAnswer, EvalSettings, Session, evaluate};
pub use host::{Analysis, AnalysisHost, Cancelled, Change, FileId, FileSpec};

/// Truncates a string to `most` characters, followed by an ellipsis if it is longer.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Runs a step of a recursion whose depth is determined by user code. Allocates a new stack segment
/// if the current one is nearly full.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 1024 * 1024, step)
}
