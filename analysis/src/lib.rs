//! What Puppet code means: its types, its values, and what an editor shows of them.
//!
//! [`AnalysisHost`] takes changes, [`Analysis`] is a snapshot that answers questions with plain
//! data. This crate must never know LSP types, tokio, the disk or the terminal.

pub mod declared;
pub mod eval;
pub mod ide;
pub mod ruby;
pub mod types;
pub mod values;
pub mod workspace;

mod db;
mod host;

pub use eval::{EvalAnswer, EvalSettings, Session, evaluate};
pub use host::{Analysis, AnalysisHost, Cancelled, Change, FileId, FileSpec, cancellable};
