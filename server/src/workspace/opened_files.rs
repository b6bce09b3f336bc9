//! Places the files that an editor has open although discovery did not find them: new files that were never saved, and
//! files outside of all projects.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::ModulepathKind;

use super::environment_plan::{EnvironmentKind, EnvironmentPlan};
use super::module::FoundModule;
use super::note::Note;
use super::required_version::RequiredModules;
use super::{Discovery, FoundEnvironment};
use crate::config::Config;
use crate::paths::{AUTOLOADED, is_data_or_ruby, is_module_name, with_slashes};

impl Discovery {
    /// Adds files without an environment to their module, to the enclosing environment, or to an environment of their own,
    /// which sees the modules of `outside_modules`.
    pub(super) fn add_opened(
        &mut self,
        files: &[PathBuf],
        outside_modules: Option<&(Vec<Arc<FoundModule>>, EnvironmentPlan)>,
    ) {
        if files.is_empty() {
            return;
        }
        let Discovery {
            environments,
            notes,
        } = self;
        let mut known: HashSet<PathBuf> = HashSet::new();
        for environment in &*environments {
            known.extend(environment.all_files());
        }
        for file in files {
            if !known.insert(file.clone())
                || add_to_module(file, environments)
                || add_module_around(file, environments)
            {
                continue;
            }
            let enclosing = environments
                .iter_mut()
                .filter(|it| file.starts_with(&it.root));
            match enclosing.max_by_key(|it| it.root.components().count()) {
                Some(environment) => {
                    let others = &mut environment.others;
                    let at = others.binary_search(file).unwrap_or_else(|at| at);
                    others.insert(at, file.clone());
                }
                // Such a file is only read as part of a module, such as the settings of an editor in `data`.
                None if is_data_or_ruby(file) => {}
                None => {
                    let mut single_file_environment = single_file_environment(file, notes);
                    if let Some((modules, plan)) = outside_modules {
                        single_file_environment.modules.clone_from(modules);
                        single_file_environment
                            .modulepath
                            .clone_from(&plan.modulepath);
                        single_file_environment.modulepath_kind = plan.modulepath_kind;
                    }
                    environments.push(single_file_environment);
                }
            }
        }
    }

    /// Returns the workspace with a file that was opened after discovery, if it belongs to a module, so that discovery need
    /// not run again. Returns `None` if the file is known already, or if it may change more than the files of a module.
    pub(crate) fn with_opened_file(&self, file: &Path) -> Option<Discovery> {
        // The name of the main class and the metadata determine the names of a module.
        if file.ends_with("manifests/init.pp") && file.parent()?.is_dir() {
            return None;
        }
        let environments = self.environments.iter();
        let mut outside = environments.flat_map(|it| it.manifests.iter().chain(&it.others));
        if outside.any(|it| it == file) || self.has_in_module(file) {
            return None;
        }
        let mut found = self.clone();
        let environments = &mut found.environments;
        let is_added = add_to_module(file, environments) || add_module_around(file, environments);
        is_added.then_some(found)
    }

    /// Checks whether a file is one of those of a module.
    fn has_in_module(&self, file: &Path) -> bool {
        let mut modules = self.environments.iter().flat_map(|it| &it.modules);
        modules.any(|module| {
            path_in(module, file).is_some_and(|it| module.files.binary_search(&it).is_ok())
        })
    }
}

/// Adds the module of a file in a directory of modules of the project, if the module does not exist on disk.
/// Returns whether there is one.
fn add_module_around(file: &Path, environments: &mut [FoundEnvironment]) -> bool {
    let mut is_added = false;
    for environment in environments {
        let own = environment.modulepath.iter();
        let mut own = own.filter(|it| !it.of_machine && it.path.starts_with(&environment.root));
        let Some(module) = own.find_map(|it| unsaved_module(file, &it.path, &it.why)) else {
            continue;
        };
        let mut known = environment.modules.iter();
        if known.any(|it| it.root == module.root || it.name == module.name) {
            continue;
        }
        environment.missing.remove(&module.name);
        environment.modules.push(Arc::new(module));
        is_added = true;
    }
    is_added
}

/// Returns the module of a file in a directory of modules, if the module does not exist on disk.
fn unsaved_module(file: &Path, modules: &Path, why: &str) -> Option<FoundModule> {
    let path = file.strip_prefix(modules).ok()?;
    let name = path.components().next()?.as_os_str().to_str()?;
    let root = modules.join(name);
    if !is_module_name(name) || root.exists() {
        return None;
    }
    let mut module = FoundModule::unsaved(name.to_owned(), root, why.to_owned());
    module.files.push(path_in(&module, file)?);
    Some(module)
}

/// Adds a file to the innermost module around it, in all environments with that module. Returns whether there is one.
fn add_to_module(file: &Path, environments: &mut [FoundEnvironment]) -> bool {
    let modules = environments.iter().flat_map(|it| &it.modules);
    let around = modules.filter(|it| path_in(it, file).is_some());
    let innermost = around.max_by_key(|it| it.root.components().count());
    let Some(root) = innermost.map(|it| it.root.clone()) else {
        return false;
    };
    let modules = environments.iter_mut().flat_map(|it| &mut it.modules);
    for module in modules.filter(|it| it.root == root) {
        if let Some(path) = path_in(module, file)
            && let Err(at) = module.files.binary_search(&path)
        {
            Arc::make_mut(module).files.insert(at, path);
        }
    }
    true
}

/// Returns the path of a file relative to a module, if Puppet or Hiera reads that directory of the module.
fn path_in(module: &FoundModule, file: &Path) -> Option<String> {
    let path = with_slashes(file.strip_prefix(&module.root).ok()?)?;
    let (folder, _) = path.split_once('/')?;
    let is_read = match folder {
        // In an environment, this directory contains the main manifests.
        "manifests" => !module.is_environment,
        "templates" | "files" | "lib" => true,
        _ => AUTOLOADED.contains(&folder) || module.is_data_file(&path),
    };
    is_read.then_some(path)
}

/// Creates an environment for a file that does not belong to a project.
fn single_file_environment(file: &Path, notes: &mut Vec<Note>) -> FoundEnvironment {
    FoundEnvironment {
        root: file.parent().unwrap_or(file).to_owned(),
        kind: EnvironmentKind::Files,
        why: "not in a module or environment".to_owned(),
        modulepath: Vec::new(),
        manifest: None,
        manifests: Vec::new(),
        modules: Vec::new(),
        others: vec![file.to_owned()],
        modulepath_kind: ModulepathKind::Unknown,
        missing: BTreeSet::new(),
        shipped: &[],
        required: RequiredModules::new(),
        ignored: Vec::new(),
        config: Arc::new(Config::find(file.parent().unwrap_or(file), notes)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::workspace::tests::tree;
    use crate::workspace::{WorkspaceRequest, discover};

    /// Returns the environment's root and the module's name and path of an opened file.
    fn placed(root: &Path, file: &str) -> Vec<String> {
        let request = WorkspaceRequest {
            folders: vec![root.to_owned()],
            files: vec![root.join(file)],
            basemodulepath: Some(Vec::new()),
            ..WorkspaceRequest::default()
        };
        let mut places = Vec::new();
        for environment in &discover(&request).environments {
            if environment.others.contains(&root.join(file)) {
                places.push(format!("{}: {file}", environment.why));
            }
            for module in &environment.modules {
                let files = module.files.iter();
                let here = files.filter(|it| module.path_of(it) == root.join(file));
                places.extend(here.map(|it| format!("{}: {it}", module.name)));
            }
        }
        places
    }

    #[test]
    fn new_files_belong_to_the_module_around_them() {
        let root = tree(&[
            ("environment.conf", "modulepath = site\n"),
            ("manifests/site.pp", ""),
            ("hiera.yaml", "version: 5\ndefaults: {datadir: hieradata}\n"),
            ("hieradata/common.yaml", "a: 1\n"),
            ("types/name.pp", "type Environment::Name = String\n"),
            ("site/web/manifests/init.pp", "class web { }\n"),
        ]);
        for (file, expected) in [
            ("site/web/manifests/new.pp", "web: manifests/new.pp"),
            ("site/web/templates/new.epp", "web: templates/new.epp"),
            ("site/web/manifests/init.pp", "web: manifests/init.pp"),
            ("functions/new.pp", "environment: functions/new.pp"),
            (
                "hieradata/nodes/a.yaml",
                "environment: hieradata/nodes/a.yaml",
            ),
            ("site/web/data/os/a.yaml", "web: data/os/a.yaml"),
            (
                "manifests/new.pp",
                "contains environment.conf: manifests/new.pp",
            ),
        ] {
            assert_eq!(placed(root.path(), file), [expected], "{file}");
        }
        // The module does not exist on disk.
        let unsaved = "site/new/manifests/init.pp";
        assert_eq!(placed(root.path(), unsaved), ["new: manifests/init.pp"]);
        let nested = "site/web/spec/fixtures/modules/a/manifests/new.pp";
        let expected = format!("contains environment.conf: {nested}");
        assert_eq!(placed(root.path(), nested), [expected]);
    }

    #[test]
    fn files_that_are_opened_later_need_no_discovery() {
        let root = tree(&[
            ("environment.conf", "modulepath = site\n"),
            ("manifests/site.pp", ""),
            ("site/web/manifests/init.pp", "class web { }\n"),
        ]);
        let request = |files: &[&str]| WorkspaceRequest {
            folders: vec![root.path().to_owned()],
            files: files.iter().map(|it| root.path().join(it)).collect(),
            basemodulepath: Some(Vec::new()),
            ..WorkspaceRequest::default()
        };
        let before = discover(&request(&[]));
        for file in [
            "site/web/manifests/new.pp",
            "site/web/templates/new.epp",
            "site/new/manifests/init.pp",
            "site/new/types/port.pp",
        ] {
            let found = before.with_opened_file(&root.path().join(file));
            let found = found.expect("it belongs to a module");
            assert_eq!(found, discover(&request(&[file])), "{file}");
            assert_eq!(found.with_opened_file(&root.path().join(file)), None);
        }
        for file in [
            "site/web/manifests/init.pp",
            "manifests/site.pp",
            "manifests/new.pp",
            "site/web/README.md",
            "site/web/data/README.md",
            ".gitlab-ci.yml",
            "site/9x/manifests/init.pp",
            "other/manifests/init.pp",
        ] {
            let found = before.with_opened_file(&root.path().join(file));
            assert_eq!(found, None, "{file}");
        }
    }

    #[test]
    fn only_manifests_and_templates_are_checked_outside_of_projects() {
        let project = tree(&[("environment.conf", "")]);
        let home = tree(&[("data/User/settings.json", "{}"), ("new.pp", "")]);
        let file = |name| vec![home.path().join(name)];
        let roots = |files| {
            let request = WorkspaceRequest {
                folders: vec![project.path().to_owned()],
                files,
                basemodulepath: Some(Vec::new()),
                ..WorkspaceRequest::default()
            };
            let environments = discover(&request).environments.into_iter();
            environments.map(|it| it.root).collect::<Vec<_>>()
        };
        assert_eq!(roots(file("data/User/settings.json")), [project.path()]);
        assert_eq!(roots(file("new.pp")), [project.path(), home.path()]);
    }
}
