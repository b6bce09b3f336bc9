//! Environments and control repositories: their modules and main manifests.

use std::path::Path;
use std::sync::Arc;

use analysis::base::{ModuleOrigin, ModulepathKind};
use analysis::library::products::MODULES_OF_BOLT;
use analysis::project::environment_conf::EnvironmentConf;

use super::environment_files::EnvironmentFiles;
use super::environment_plan::{
    EnvironmentKind, EnvironmentPlan, MainManifest, ModuleFolder, PlanSettings,
};
use super::installers::installs_dependencies;
use super::module::{ModuleRoot, NameSource, has_environment_parts};
use super::modulepath::Modulepath;
use super::note::Note;
use super::puppetfile::{self, Puppetfile};
use super::required_version::{RequiredModule, RequiredVersion};
use super::{absent_paths, ignored_files, module_roots};
use crate::paths::{absolute, is_module_name};

/// Plans the environment in `root`.
pub(super) fn plan(
    root: &Path,
    why: String,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> EnvironmentPlan {
    let files = EnvironmentFiles::read(root, notes);
    let modulepath = Modulepath::find(root, &files, settings, notes);
    let mut roots = Vec::from_iter(own_module(root, &files));
    for folder in modulepath.folders.iter().filter(|it| it.exists) {
        roots.extend(modules_in(folder, root, &files, settings, notes));
    }
    let absent = absent_modules(root, &modulepath.folders);
    let of_bolt = files.bolt.iter().flat_map(|it| it.modules.iter().cloned());
    let declared = files.puppetfile_modules().map(|it| it.name.clone());
    let shipped: &[&str] = match files.bolt {
        Some(_) => &MODULES_OF_BOLT,
        None => &[],
    };
    let declared = declared
        .chain(of_bolt)
        .chain(shipped.iter().map(|it| (*it).to_owned()));
    let declared = declared.chain(absent.iter().map(|it| it.0.clone()));
    let declared = declared.collect();
    // The last requirement of a module takes precedence.
    let installed = files.puppetfile_modules().filter(|it| !it.local);
    let installed = installed.map(|it| (it.name.clone(), it.required.clone()));
    EnvironmentPlan {
        root: root.to_owned(),
        kind: EnvironmentKind::Environment,
        why,
        manifest: main_manifest(root, &files.conf, settings, notes),
        modulepath_kind: match modulepath.is_known {
            true => ModulepathKind::OfEnvironment,
            false => ModulepathKind::Unknown,
        },
        modulepath: modulepath.folders,
        roots,
        declared,
        shipped,
        required: absent.into_iter().chain(installed).collect(),
        config: Arc::clone(settings.config),
    }
}

/// Returns the module that the directory of the environment itself is, if it has code of its own.
fn own_module(root: &Path, files: &EnvironmentFiles) -> Option<ModuleRoot> {
    // With a main manifest, it is an environment first: Bolt only shares its modules.
    let project = files.bolt.as_ref().and_then(|it| it.name.clone());
    let project = project.filter(|_| !root.join("manifests/site.pp").is_file());
    let (naming, why) = match project {
        Some(name) => (NameSource::Project(name), "the Bolt project itself"),
        None if has_environment_parts(root) => {
            let why = "functions, types and data of the environment";
            (NameSource::Environment, why)
        }
        None => return None,
    };
    Some(ModuleRoot {
        path: root.to_owned(),
        origin: ModuleOrigin::Workspace,
        naming,
        why: why.to_owned(),
    })
}

/// Returns the modules in a directory of the modulepath.
fn modules_in(
    folder: &ModuleFolder,
    root: &Path,
    files: &EnvironmentFiles,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<ModuleRoot> {
    let origin = match files.is_installed(root, &folder.path) {
        true => ModuleOrigin::Installed,
        false => settings.origin(&folder.path),
    };
    let mut modules = if folder.by_user {
        module_roots::in_folder(&folder.path, origin, &folder.why, notes)
    } else {
        module_roots::on_modulepath(&folder.path, origin, &folder.why, notes)
    };
    if let (ModuleOrigin::Installed, Some(file)) = (origin, &files.puppetfile) {
        retain_local(&mut modules, file);
        let removes_others = !installs_dependencies(root);
        ignored_files::mark_unlisted(&folder.path, &mut modules, removes_others, |name| {
            files.lists(name)
        });
        note_unlisted(&folder.path, &modules, file, notes);
    }
    let ignored = ignored_files::mark_installed(&folder.path, &mut modules);
    let names = ignored
        .iter()
        .filter_map(|it| own_name(it, |name| files.lists(name)));
    note_unchecked(&folder.path, "`.gitignore` hides", names.collect(), notes);
    let has_install_path = |it: &&mut ModuleRoot| files.installers.modules.contains(&it.path);
    for module in modules.iter_mut().filter(has_install_path) {
        module.origin = ModuleOrigin::Installed;
    }
    modules
}

/// Returns the modules that are submodules of Git, but not checked out.
fn absent_modules(root: &Path, folders: &[ModuleFolder]) -> Vec<(String, RequiredModule)> {
    let submodules = absent_paths::submodules_around(root).into_iter();
    let modules = submodules.filter_map(|it| {
        let (name, parent) = (it.path.file_name()?.to_str()?, it.path.parent()?);
        let is_module = is_module_name(name) && folders.iter().any(|it| it.path == parent);
        let required = RequiredModule {
            repository: it.url.clone(),
            ..RequiredModule::of_version(RequiredVersion::Unknown)
        };
        is_module.then(|| (name.to_owned(), required))
    });
    modules.collect()
}

/// Notes the modules that no tool has installed, and that are not known to be part of the repository.
fn note_unlisted(folder: &Path, roots: &[ModuleRoot], file: &Puppetfile, notes: &mut Vec<Note>) {
    let installed = roots
        .iter()
        .filter(|it| it.origin == ModuleOrigin::Installed);
    let unlisted = installed.filter_map(|it| own_name(&it.path, |name| file.lists(name)));
    let why = "neither the Puppetfile lists nor Git tracks";
    note_unchecked(folder, why, unlisted.collect(), notes);
}

/// Returns the name of a module, unless a tool lists it or it is a package of the Forge.
fn own_name(module: &Path, is_listed: impl Fn(&str) -> bool) -> Option<String> {
    let name = module.file_name()?.to_str()?;
    let is_packaged = module.join("metadata.json").is_file();
    (!is_listed(name) && !is_packaged).then(|| format!("`{name}`"))
}

/// Notes that modules are not checked; `why` follows “modules that”.
fn note_unchecked(folder: &Path, why: &str, names: Vec<String>, notes: &mut Vec<Note>) {
    if !names.is_empty() {
        let names = names.join(", ");
        let message = format!("modules that {why} are not checked: {names}");
        notes.push(Note::new(folder, message));
    }
}

/// Marks modules that are local according to the `Puppetfile` as part of the workspace.
fn retain_local(roots: &mut [ModuleRoot], file: &Puppetfile) {
    for root in roots {
        let name = root.path.file_name();
        let is_local =
            |it: &&puppetfile::PuppetfileModule| name.is_some_and(|name| name == it.name.as_str());
        if file
            .modules
            .iter()
            .find(is_local)
            .is_some_and(|it| it.local)
        {
            root.origin = ModuleOrigin::Workspace;
        }
    }
}

/// Finds the main manifest.
fn main_manifest(
    root: &Path,
    conf: &EnvironmentConf,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Option<MainManifest> {
    let conf_path = root.join("environment.conf");
    match &conf.manifest {
        Some(value) if value.contains('$') => {
            let message = format!("cannot resolve `{value}` in `manifest`");
            notes.push(Note::new(conf_path, message));
            None
        }
        Some(value) => {
            let path = absolute(&root.join(value));
            if settings.origin(&path) != ModuleOrigin::Workspace {
                let message =
                    format!("main manifest `{value}` is ignored: it is outside of the workspace");
                notes.push(Note::new(conf_path, message));
                return None;
            }
            if !path.exists() {
                let message = format!("main manifest `{}` does not exist", path.display());
                notes.push(Note::new(conf_path, message));
                return None;
            }
            let why = format!("manifest = {value} in environment.conf");
            Some(MainManifest { path, why })
        }
        None => {
            let path = root.join("manifests");
            let why = "default main manifest".to_owned();
            path.is_dir().then_some(MainManifest { path, why })
        }
    }
}
