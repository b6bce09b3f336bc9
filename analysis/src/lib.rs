//! What Puppet code means: its types, its values, and what an editor shows of them.
//!
//! [`AnalysisHost`] takes changes, [`Analysis`] is a snapshot that answers questions with plain
//! data. This crate must never know LSP types, tokio, the disk or the terminal.

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

/// A text as it is shown where there is only room for so many characters: the start of a longer one,
/// and an ellipsis.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Runs a step of a recursion that is as deep as some code is nested: on a new piece of stack if
/// this one is nearly used up.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 1024 * 1024, step)
}
