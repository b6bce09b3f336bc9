//! The analysis of Puppet code, as one crate for the server: [`AnalysisHost`] takes changes, [`Analysis`] is
//! a snapshot that answers queries with plain data.
//!
//! Each module below is a crate of its own in a folder beside this one. None of them may know LSP types,
//! tokio, the disk or the terminal.
#![warn(missing_docs)]

pub use base::{self, FileId, FileSpec, truncated};
pub use catalog;
pub use eval::{self, EvalSettings, Evaluation, Session, evaluate};
pub use hiera;
pub use ide::{self, Analysis, AnalysisHost, Cancelled, Change};
pub use library::{self, ruby, signatures};
pub use rules::{self, project};
pub use types::{self, values};
