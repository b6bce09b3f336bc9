//! The files of a workspace, by environment and module.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::FileId;

/// The environments of a workspace. A file may be in several of them; the first one takes
/// precedence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkspaceLayout {
    /// The environments in the order of the workspace folders.
    pub environments: Vec<EnvironmentLayout>,
}

/// Code that is compiled together: a main manifest and the modules that it can use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnvironmentLayout {
    /// The folder of the environment as displayed to the user.
    pub name: String,
    /// The files of the main manifest, in the order in which Puppet reads them.
    pub manifests: Vec<FileId>,
    /// The modules in the order of the modulepath: earlier ones hide later ones of the same name.
    pub modules: Vec<Arc<ModuleLayout>>,
    /// Files that belong to the environment, but neither to a module nor to the main manifest.
    pub others: Vec<FileId>,
    /// How much is known about modules that were not found.
    pub modulepath: ModulepathKind,
    /// The names of modules that the project declares, but that were not found. The dependencies in
    /// the metadata of modules are not among them.
    pub missing: BTreeSet<String>,
    /// The versions or ranges of modules that the project requires, as written in its `Puppetfile` or `.fixtures.yml`.
    pub required_versions: BTreeMap<String, String>,
    /// The modules that are installed in a version other than the required one.
    pub other_versions: OtherVersions,
    /// The codes of the rules that are off. Only expensive rules read them: the findings of all others are computed,
    /// and dropped later.
    pub disabled_rules: BTreeSet<String>,
    /// Whether lines that continue an expression are one level deeper than its first line.
    pub indents_continuations: bool,
}

/// The names of installed modules whose version is not the required one, or that come from the
/// machine although the project declares modules of its own. Their definitions may differ from those
/// that the code is written for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OtherVersions {
    /// According to the project: its `Puppetfile` or `.fixtures.yml`.
    pub of_project: BTreeSet<String>,
    /// According to the metadata of a module and of its dependencies, by the name of the module.
    pub of_modules: BTreeMap<String, BTreeSet<String>>,
    /// Modules of the machine that a project with dependencies does not declare: it cannot rely on them.
    pub undeclared: BTreeSet<String>,
    /// The modules without metadata, whose code may rely on any version.
    pub without_metadata: BTreeSet<String>,
    /// The modules of the machine whose version differs from the one that a module of the project requires.
    pub of_machine: BTreeSet<String>,
}

impl OtherVersions {
    /// Checks whether the code of `module`, or code outside of modules, is written for another version
    /// of the module `name`.
    pub fn contains(&self, module: Option<&str>, name: &str) -> bool {
        let is_bare = |it: &str| self.without_metadata.contains(it);
        let is_other = || {
            self.undeclared.contains(name)
                || self.required(module).any(|it| it == name)
                || module.is_some_and(is_bare) && self.of_machine.contains(name)
        };
        module != Some(name) && is_other()
    }

    /// Returns the modules whose version differs from the one that the code of `module` requires.
    pub fn required(&self, module: Option<&str>) -> impl Iterator<Item = &str> {
        let of_module = module.and_then(|it| self.of_modules.get(it));
        let all = self
            .of_project
            .iter()
            .chain(of_module.into_iter().flatten());
        all.map(String::as_str)
    }
}

/// How much is known about modules that were not found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ModulepathKind {
    /// The modulepath is unknown, as for a single open file: any module may exist.
    #[default]
    Unknown,
    /// A module with its dependencies: an installation may have further modules, which the code
    /// uses optionally.
    OfDependencies,
    /// A control repository, which declares all modules.
    OfEnvironment,
}

/// A module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleLayout {
    /// The name of the module, which is the prefix of its definitions.
    pub name: String,
    /// The folder of the module as displayed to the user.
    pub folder: String,
    /// The files by their paths relative to the folder, with slashes: `manifests/init.pp`. Contains
    /// all of `manifests`, `functions`, `types`, `plans`, `tasks`, `templates`, `files`, `facts.d`
    /// and `lib`, and `metadata.json`.
    pub files: BTreeMap<String, FileId>,
    /// The origin of the module.
    pub origin: ModuleOrigin,
    /// The names of the dependencies in its `metadata.json`, without their authors.
    pub dependencies: Vec<String>,
    /// The files and directories that exist elsewhere, but not here, by their paths relative to the folder:
    /// submodules that are not checked out, and what version control ignores.
    pub absent: BTreeSet<String>,
    /// Whether the folder is also that of its environment, as in a Bolt project: Hiera then reads its data
    /// for all modules.
    pub is_project: bool,
}

/// The origin of a [`ModuleLayout`], which determines how often it changes and whether diagnostics
/// are reported for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModuleOrigin {
    /// A module in a workspace folder that is being developed.
    Workspace,
    /// A module in a workspace folder that was installed by a tool (`modules` of a control
    /// repository with a `Puppetfile`, `spec/fixtures/modules`).
    Installed,
    /// A module outside of the workspace, on the modulepath.
    Library,
}
