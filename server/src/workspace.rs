//! Workspace discovery: finds environments and modules on disk, with their files, and the reason
//! for each.
//!
//! Discovery is a function of a [`WorkspaceRequest`] and the current state of the disk. It keeps no
//! state, so any change is handled by running it again; [`Loader`] caches only texts. No code is
//! ever executed. Discovery reads only:
//!
//! * files below a workspace folder, a modulepath or a module root, where symbolic links are
//!   followed if their target is inside one of these;
//! * module roots that are links to any target, as in Debian's packages;
//! * the directories next to a module, for the dependencies in its metadata;
//! * `pupil.toml` in parent directories.
//!
//! This module must not depend on the semantics of code: it uses file names, and the contents of
//! Puppet's configuration files only.

mod absent_paths;
mod basemodulepath;
mod control_repository;
mod description;
mod discovery;
mod enclosing_project;
mod environment_files;
mod environment_marker;
mod environment_plan;
mod exclude;
mod files_outside_modules;
mod fixtures;
mod git_index;
mod ignored_files;
mod installers;
mod limits;
mod loader;
mod main_manifest;
mod module;
mod module_collection;
mod module_files;
mod module_layout;
mod module_roots;
mod modulepath;
mod nested;
mod note;
mod opened_files;
mod own_files;
mod project_files;
mod puppetfile;
mod required_version;
mod required_versions;
mod shadowed;
mod single_module;
#[cfg(test)]
mod tests;
mod unchecked;

use std::path::PathBuf;

use crate::rule_selection::Selection;

pub(crate) use description::{Description, run};
pub(crate) use discovery::{Discovery, FoundEnvironment, discover};
pub(crate) use environment_plan::EnvironmentKind;
pub(crate) use exclude::Exclude;
pub(crate) use limits::MAX_TEXT;
pub(crate) use loader::{LoadedText, Loader, WorkspaceUpdate};
pub(crate) use module::{FoundModule, module_names};
pub(crate) use note::Note;
pub(crate) use project_files::project_file;

/// The input of workspace discovery.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WorkspaceRequest {
    /// The workspace folders, absolute.
    pub(crate) folders: Vec<PathBuf>,
    /// Individual files, which may be outside of all workspace folders, absolute.
    pub(crate) files: Vec<PathBuf>,
    /// Directories of modules configured by the user, absolute. They are appended to the modulepath
    /// of each environment.
    pub(crate) modulepath: Vec<PathBuf>,
    /// The value of `$basemodulepath`; by default, the directories of an installed Puppet.
    pub(crate) basemodulepath: Option<Vec<PathBuf>>,
    /// The rules chosen on the command line.
    pub(crate) selection: Selection,
}
