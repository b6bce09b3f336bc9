//! What files there are, as Puppet sees them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::host::FileId;

/// All environments. A file may lie in several; the first one that has it counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkspaceLayout {
    /// In the order of the workspace folders.
    pub environments: Vec<Environment>,
}

/// Code that is compiled together: a main manifest and the modules it can use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environment {
    /// What it is called in messages: its folder, as the user knows it.
    pub name: String,
    /// The files of the main manifest, in the order in which Puppet reads them.
    pub manifests: Vec<FileId>,
    /// The modules, those in front hide those of the same name behind them.
    pub modules: Vec<Arc<Module>>,
    /// Files that belong to it but to no module and not to the main manifest.
    pub others: Vec<FileId>,
    /// Whether its modulepath is known. If it is not (a file opened with nothing around it),
    /// nothing can be said about modules that are not there.
    pub complete: bool,
}

/// A module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// Its name: what its definitions begin with.
    pub name: String,
    /// What it is called in messages: its folder, as the user knows it.
    pub folder: String,
    /// Its files by their paths from its folder, with slashes: `manifests/init.pp`. All of
    /// `manifests`, `functions`, `types`, `plans`, `tasks`, `templates`, `files`, `facts.d` and
    /// `lib`, and `metadata.json`.
    pub files: BTreeMap<String, FileId>,
    /// Where it comes from.
    pub origin: ModuleOrigin,
    /// The names of the modules that its `metadata.json` says it needs, without their authors.
    pub dependencies: Vec<String>,
}

/// Where a [`Module`] comes from, which decides how often it changes and who may be told of
/// mistakes in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModuleOrigin {
    /// It lies in a workspace folder and is worked on.
    Workspace,
    /// It lies in a workspace folder, but was put there by a tool (`modules` of a control repo
    /// with a `Puppetfile`, `spec/fixtures/modules`).
    Installed,
    /// It lies outside, on a module path.
    Library,
}
