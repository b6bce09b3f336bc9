//! The workspace on the disk: which environments and modules there are, which files they have,
//! and why.
//!
//! Finding is a function of a [`Request`] and of what the disk holds at that moment: nothing is
//! remembered, so that a change of anything is handled by finding again ([`Loader`] remembers
//! only texts). Nothing is ever run. What may be read:
//!
//! * everything below a workspace folder, a module path or a module root, where links are
//!   followed as long as they lead to a place inside one of them;
//! * a module root may itself be a link to anywhere, as Debian's are;
//! * the folder beside a module, for the modules that its metadata names;
//! * `pupil.toml` in the folders above.
//!
//! What code means must never enter: this room knows names of files, and of the contents of
//! files only those of Puppet's configuration.

mod base;
mod control;
mod discovery;
mod exclude;
mod fixtures;
mod limits;
mod loader;
mod loose;
mod manifests;
mod module;
mod note;
mod print;
mod project;
mod puppetfile;
mod roots;
mod single;
#[cfg(test)]
mod tests;
mod tree;

use std::path::PathBuf;

pub(crate) use discovery::{Discovery, FoundEnvironment, discover};
pub(crate) use loader::{Loader, Text, Update};
pub(crate) use module::{FoundModule, module_names};
pub(crate) use note::Note;
pub(crate) use print::{Description, run};
pub(crate) use project::project_file;

/// What to look for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Request {
    /// The workspace folders, absolute.
    pub(crate) folders: Vec<PathBuf>,
    /// Files that are looked at though they may lie outside of all folders, absolute.
    pub(crate) files: Vec<PathBuf>,
    /// Folders that hold modules, named by the user, absolute. They stand behind the module
    /// path that is found.
    pub(crate) modulepath: Vec<PathBuf>,
    /// What `$basemodulepath` stands for; if nobody says, the folders of an installed Puppet.
    pub(crate) basemodulepath: Option<Vec<PathBuf>>,
}
