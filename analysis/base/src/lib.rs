//! The foundation of the analysis: salsa inputs, files, the workspace layout, diagnostics and fixes
//! as data.
//!
//! Nothing here knows what Puppet code means.

mod database;
mod dependencies;
mod diagnostic;
mod file;
mod inputs;
mod layout;
pub mod suggest;

pub use database::RootDatabase;
pub use dependencies::{Dependencies, dependencies};
pub use diagnostic::{Diagnostic, Fix, RelatedInformation};
pub use file::{FileId, FileSpec};
pub use inputs::{
    EnvironmentInput, FileInput, ModuleInput, SettingsInput, parse, parse_variant,
    validation_context,
};
pub use layout::{
    EnvironmentLayout, ModuleLayout, ModuleOrigin, ModulepathKind, OtherVersions, WorkspaceLayout,
};

/// Truncates a string to `most` characters, followed by an ellipsis if it is longer.
pub fn truncated(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Runs a step of a recursion whose depth is determined by user code. Allocates a new stack segment
/// if the current one is nearly full.
pub fn with_growing_stack<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 1024 * 1024, step)
}
