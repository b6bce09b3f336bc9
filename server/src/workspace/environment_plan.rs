//! The plan of an environment: which directories have its modules, before any module is read.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::{ModuleOrigin, ModulepathKind};

use super::module::ModuleRoot;
use super::note::Note;
use super::required_version::RequiredModules;
use super::{basemodulepath, module_roots};
use crate::config::Config;

/// The kind of directory that an environment was found in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnvironmentKind {
    /// A control repository, or an environment of a Puppet server.
    Environment,
    /// A single module with its dependencies.
    Module,
    /// A directory of modules.
    Modules,
    /// Files without a project.
    Files,
    /// Modules and environments inside of others, such as those of a virtual machine.
    Nested,
}

impl EnvironmentKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            EnvironmentKind::Environment => "environment",
            EnvironmentKind::Module => "module",
            EnvironmentKind::Modules => "modules",
            EnvironmentKind::Files => "files",
            EnvironmentKind::Nested => "nested",
        }
    }

    /// Returns the word for its root directory in messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            EnvironmentKind::Environment => "environment",
            EnvironmentKind::Module => "module",
            EnvironmentKind::Modules | EnvironmentKind::Files | EnvironmentKind::Nested => {
                "directory"
            }
        }
    }
}

/// A directory in which modules are searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModuleFolder {
    pub(crate) path: PathBuf,
    /// The reason why modules are searched there.
    pub(crate) why: String,
    pub(crate) exists: bool,
    /// Whether the user configured it for Pupil, as opposed to Puppet's own configuration.
    pub(crate) by_user: bool,
    /// Whether it belongs to the Puppet that is installed on this machine.
    pub(crate) of_machine: bool,
}

/// The location of the main manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MainManifest {
    /// The path of a file or directory.
    pub(crate) path: PathBuf,
    /// The reason for `path`.
    pub(crate) why: String,
}

/// An environment whose modules have not been read yet.
pub(super) struct EnvironmentPlan {
    pub(super) root: PathBuf,
    pub(super) kind: EnvironmentKind,
    pub(super) why: String,
    pub(super) modulepath: Vec<ModuleFolder>,
    pub(super) manifest: Option<MainManifest>,
    pub(super) roots: Vec<ModuleRoot>,
    pub(super) modulepath_kind: ModulepathKind,
    /// The names of modules that the project declares, apart from metadata.
    pub(super) declared: BTreeSet<String>,
    /// The modules that the tool of the project ships, which it declares too.
    pub(super) shipped: &'static [&'static str],
    /// The versions that the project requires, apart from metadata.
    pub(super) required: RequiredModules,
    pub(super) config: Arc<Config>,
}

/// The settings that all environments of a workspace folder share.
pub(super) struct PlanSettings<'a> {
    /// The workspace folders.
    pub(super) folders: &'a [PathBuf],
    /// The directories of modules configured by the user.
    pub(super) modulepath: &'a [PathBuf],
    /// The value of `$basemodulepath`.
    pub(super) base: &'a [PathBuf],
    /// The configuration of the project.
    pub(super) config: &'a Arc<Config>,
}

impl PlanSettings<'_> {
    /// Returns the origin of the modules at `path`, unless they were installed by a tool.
    pub(super) fn origin(&self, path: &Path) -> ModuleOrigin {
        if self.folders.iter().any(|it| path.starts_with(it)) {
            ModuleOrigin::Workspace
        } else {
            ModuleOrigin::Library
        }
    }

    /// Checks whether a directory of modules belongs to an installed Puppet.
    pub(super) fn is_of_machine(&self, folder: &Path) -> bool {
        self.base.iter().any(|it| it == folder) || basemodulepath::is_installed(folder)
    }

    /// Returns the directories of modules configured by the user, and those of `$basemodulepath`.
    pub(super) fn outside(&self) -> Vec<ModuleFolder> {
        let part = |path: &PathBuf, why: &str, by_user| ModuleFolder {
            path: path.clone(),
            why: why.to_owned(),
            exists: path.is_dir(),
            by_user,
            of_machine: self.is_of_machine(path),
        };
        let named = self
            .modulepath
            .iter()
            .map(|it| part(it, "configured by the user", true));
        let base = self
            .base
            .iter()
            .map(|it| part(it, "$basemodulepath", false));
        named.chain(base).collect()
    }
}

/// Returns the modules in directories outside of a project.
pub(super) fn outside_roots(
    folders: &[ModuleFolder],
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<ModuleRoot> {
    let mut found = Vec::new();
    for folder in folders.iter().filter(|it| it.exists) {
        let origin = settings.origin(&folder.path);
        found.extend(if folder.by_user {
            module_roots::in_folder(&folder.path, origin, &folder.why, notes)
        } else {
            module_roots::on_modulepath(&folder.path, origin, &folder.why, notes)
        });
    }
    found
}

/// Removes the plans of symbolic links to the directories of other plans, whose files would be checked twice.
pub(super) fn remove_links(plans: &mut Vec<EnvironmentPlan>) {
    let planned = plans.iter().filter(|it| !it.root.is_symlink());
    let planned: HashSet<PathBuf> = planned
        .filter_map(|it| it.root.canonicalize().ok())
        .collect();
    plans.retain(|it| {
        let target = || it.root.canonicalize();
        !it.root.is_symlink() || target().is_ok_and(|it| !planned.contains(&it))
    });
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use crate::workspace::discover;
    use crate::workspace::tests::{request, tree};

    #[test]
    fn links_to_environments_are_checked_once() {
        let root = tree(&[
            ("environments/production/manifests/site.pp", ""),
            ("environments/production/environment.conf", ""),
            ("elsewhere/environment.conf", ""),
        ]);
        let environments = root.path().join("environments");
        symlink("production", environments.join("test")).expect("a link");
        symlink("../elsewhere", environments.join("other")).expect("a link");
        let found = discover(&request(root.path()));
        let mut names: Vec<String> = found
            .environments
            .iter()
            .filter_map(|it| Some(it.root.file_name()?.to_str()?.to_owned()))
            .filter(|it| ["production", "test", "other"].contains(&it.as_str()))
            .collect();
        names.sort();
        assert_eq!(names, ["other", "production"]);
    }
}
