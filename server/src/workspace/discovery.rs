//! From folders to environments.
//!
//! Each workspace folder is classified ([`plan_folder`]), which names the folders of its modules;
//! then all modules are read at the same time, each once.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::workspace::ModuleOrigin;
use rayon::prelude::*;

use super::exclude::Exclude;
use super::module::{self, FoundModule, Naming, Root, has_module_parts, is_certainly_module};
use super::note::Note;
use super::single::plan_module;
use super::tree::Bounds;
use super::{Request, base, control, loose, manifests, roots};
use crate::config::{Config, FILE_NAME};
use crate::place::{absolute, is_elsewhere};

/// How deep projects are looked for in a folder that is none itself.
const NESTED: usize = 4;

/// What a workspace is, with reasons.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Discovery {
    /// In the order of the workspace folders; those of single files come last.
    pub(crate) environments: Vec<FoundEnvironment>,
    /// What is worth telling, sorted, each once.
    pub(crate) notes: Vec<Note>,
}

/// Code that is compiled together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FoundEnvironment {
    /// Its folder, as the user knows it.
    pub(crate) root: PathBuf,
    /// What it is.
    pub(crate) kind: Kind,
    /// Why it is that.
    pub(crate) why: String,
    /// The folders in which modules were looked for, in their order.
    pub(crate) modulepath: Vec<ModuleFolder>,
    /// Where the main manifest is.
    pub(crate) manifest: Option<MainManifest>,
    /// The files of the main manifest, in the order in which Puppet reads them.
    pub(crate) manifests: Vec<PathBuf>,
    /// The modules; one in front hides those of the same name behind it.
    pub(crate) modules: Vec<Arc<FoundModule>>,
    /// Manifests and templates that belong to none of these, sorted.
    pub(crate) others: Vec<PathBuf>,
    /// Whether all modules that there are can be known.
    pub(crate) complete: bool,
    /// What its project wants.
    pub(crate) config: Arc<Config>,
}

/// What an environment is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A control repository or an environment of a server.
    Environment,
    /// One module and what it needs.
    Module,
    /// Modules side by side.
    Modules,
    /// Files without order.
    Files,
}

impl Kind {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Environment => "environment",
            Kind::Module => "module",
            Kind::Modules => "modules",
            Kind::Files => "files",
        }
    }
}

/// A folder in which modules are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModuleFolder {
    /// The folder.
    pub(crate) path: PathBuf,
    /// Why modules are looked for there.
    pub(crate) why: String,
    /// Whether it exists.
    pub(crate) exists: bool,
    /// Whether the user named it, and not Puppet's configuration.
    pub(crate) by_user: bool,
}

/// Where the main manifest is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MainManifest {
    /// A file or a folder.
    pub(crate) path: PathBuf,
    /// Why it is that one.
    pub(crate) why: String,
}

/// An environment whose modules have not been read yet.
pub(super) struct Plan {
    pub(super) root: PathBuf,
    pub(super) kind: Kind,
    pub(super) why: String,
    pub(super) modulepath: Vec<ModuleFolder>,
    pub(super) manifest: Option<MainManifest>,
    pub(super) roots: Vec<Root>,
    pub(super) complete: bool,
    pub(super) config: Arc<Config>,
}

/// What is the same for all environments.
pub(super) struct Settings<'a> {
    /// The workspace folders.
    pub(super) folders: &'a [PathBuf],
    /// Folders of modules that the user named.
    pub(super) modulepath: &'a [PathBuf],
    /// What `$basemodulepath` stands for.
    pub(super) base: &'a [PathBuf],
    /// What the project wants.
    pub(super) config: &'a Arc<Config>,
}

impl Settings<'_> {
    /// Where what lies at `path` comes from, if no tool put it there.
    pub(super) fn origin(&self, path: &Path) -> ModuleOrigin {
        if self.folders.iter().any(|it| path.starts_with(it)) {
            ModuleOrigin::Workspace
        } else {
            ModuleOrigin::Library
        }
    }

    /// The folders that the user named and the installed ones, as parts of a module path.
    pub(super) fn outside(&self) -> Vec<ModuleFolder> {
        let part = |path: &PathBuf, why: &str, by_user| ModuleFolder {
            path: path.clone(),
            why: why.to_owned(),
            exists: path.is_dir(),
            by_user,
        };
        let named = self
            .modulepath
            .iter()
            .map(|it| part(it, "the user named it", true));
        let base = self
            .base
            .iter()
            .map(|it| part(it, "$basemodulepath", false));
        named.chain(base).collect()
    }
}

/// The modules of folders outside of a project.
pub(super) fn outside_roots(
    folders: &[ModuleFolder],
    settings: &Settings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<Root> {
    let mut found = Vec::new();
    for folder in folders.iter().filter(|it| it.exists) {
        let origin = settings.origin(&folder.path);
        found.extend(if folder.by_user {
            roots::in_folder(&folder.path, origin, &folder.why, notes)
        } else {
            roots::on_modulepath(&folder.path, origin, &folder.why, notes)
        });
    }
    found
}

/// Finds everything that a request is about. What cannot be read is left out, with a note.
pub(crate) fn discover(request: &Request) -> Discovery {
    let mut planner = Planner {
        request,
        folders: request.folders.clone(),
        plans: Vec::new(),
        notes: Vec::new(),
    };
    for folder in &request.folders {
        planner.add(folder);
    }
    for file in &request.files {
        // Projects that files lie in which no folder holds.
        if planner.folders.iter().all(|it| !file.starts_with(it))
            && !is_planned(file, &planner.plans)
            && let Some(root) = project_of(file)
        {
            planner.add_project_of_file(root);
        }
    }
    let outside = planner.outside();
    let Planner {
        folders,
        mut plans,
        mut notes,
        ..
    } = planner;
    plans.extend(outside);
    let mut reader = Reader::new(&folders, &plans);
    reader.read_modules(&plans, &mut notes);
    let outside = plans.pop_if(|it| it.root.as_os_str().is_empty());
    let outside = outside.map(|it| (reader.modules_of(&it, &mut notes), it));
    let all_roots: Vec<PathBuf> = plans.iter().map(|it| it.root.clone()).collect();
    let environments = plans.into_iter();
    let environments = environments.map(|it| reader.environment(it, &all_roots, &mut notes));
    let mut found = Discovery {
        environments: environments.collect(),
        notes,
    };
    add_files(&request.files, outside.as_ref(), &mut found);
    found.notes.sort_unstable();
    found.notes.dedup();
    found
}

/// Plans one folder after another.
struct Planner<'a> {
    request: &'a Request,
    folders: Vec<PathBuf>,
    plans: Vec<Plan>,
    notes: Vec<Note>,
}

/// So many modules of one folder mean the folder: they are looked at together then.
const MANY_MODULES: usize = 4;

impl Planner<'_> {
    /// Adds what a file lies in; the folder of modules around it, if many others of it are there.
    fn add_project_of_file(&mut self, root: PathBuf) {
        let beside = |it: &Plan| it.kind == Kind::Module && it.root.parent() == root.parent();
        let is_one_of_many = self.plans.iter().filter(|it| beside(it)).count() + 1 >= MANY_MODULES;
        let folder = match root.parent().filter(|_| is_one_of_many) {
            Some(parent) => {
                self.plans.retain(|it| !beside(it));
                parent.to_owned()
            }
            None => root,
        };
        self.folders.push(folder.clone());
        self.add(&folder);
    }

    /// What files see that nothing is around: the folders of modules that the user named. A plan
    /// without a root.
    fn outside(&mut self) -> Option<Plan> {
        if self.request.files.is_empty() || self.request.modulepath.is_empty() {
            return None;
        }
        let settings = Settings {
            folders: &self.folders,
            modulepath: &self.request.modulepath,
            base: self.request.basemodulepath.as_deref().unwrap_or_default(),
            config: &Arc::default(),
        };
        let modulepath = settings.outside();
        Some(Plan {
            root: PathBuf::new(),
            kind: Kind::Files,
            why: String::new(),
            roots: outside_roots(&modulepath, &settings, &mut self.notes),
            modulepath,
            manifest: None,
            complete: true,
            config: Arc::default(),
        })
    }

    fn add(&mut self, folder: &Path) {
        let around = project_around(folder);
        if let Some(root) = &around {
            if self.plans.iter().any(|it| it.root == *root) {
                return;
            }
            self.folders.push(root.clone());
        }
        let folder = around.as_deref().unwrap_or(folder);
        let config = Arc::new(Config::find(folder, &mut self.notes));
        let mut modulepath = self.request.modulepath.clone();
        modulepath.extend(self.folders_of(&config, &config.workspace.modulepath));
        let base = match (
            &self.request.basemodulepath,
            &config.workspace.basemodulepath,
        ) {
            (Some(base), _) => base.clone(),
            (None, Some(base)) => self.folders_of(&config, base),
            (None, None) => base::installed(),
        };
        let settings = Settings {
            folders: &self.folders,
            modulepath: &modulepath,
            base: &base,
            config: &config,
        };
        let mut plans = plan_folder(folder, &settings, &mut self.notes);
        let exclude = Exclude::new(&config, &mut self.notes);
        for plan in &mut plans {
            plan.roots.retain(|it| !exclude.has(&it.path, true));
        }
        plans.retain(|it| !exclude.has(&it.root, true));
        self.plans.extend(plans);
    }

    /// Folders that `pupil.toml` names.
    fn folders_of(&mut self, config: &Config, named: &[PathBuf]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for name in named {
            let folder = absolute(&config.folder.join(name));
            if is_elsewhere(&folder, &self.folders) {
                let name = name.display().to_string();
                self.notes
                    .push(Note::elsewhere(&config.folder.join(FILE_NAME), &name));
            } else {
                found.push(folder);
            }
        }
        found
    }
}

/// What a folder is.
fn plan_folder(folder: &Path, settings: &Settings<'_>, notes: &mut Vec<Note>) -> Vec<Plan> {
    let environments = folder.join("environments");
    if environments.is_dir() && !folder.join("environment.conf").is_file() {
        let base = Vec::from_iter(
            [folder.join("modules")]
                .into_iter()
                .filter(|it| it.is_dir()),
        );
        let base: Vec<PathBuf> = base
            .into_iter()
            .chain(settings.base.iter().cloned())
            .collect();
        let settings = Settings {
            base: &base,
            ..*settings
        };
        let plans = plan_environments(&environments, &settings, notes);
        if !plans.is_empty() {
            return plans;
        }
    }
    if let Some(why) = control::why_environment(folder) {
        return vec![control::plan(folder, why.to_owned(), settings, notes)];
    }
    if is_certainly_module(folder) {
        return vec![plan_module(folder, settings, notes)];
    }
    let mut plans = plan_environments(folder, settings, notes);
    plans.extend(plan_modules(folder, settings, notes));
    if plans.is_empty() {
        plans = plan_nested(folder, settings, notes);
    }
    plans
}

/// The children of a folder that are environments.
fn plan_environments(folder: &Path, settings: &Settings<'_>, notes: &mut Vec<Note>) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (_, child) in roots::children(folder, notes) {
        if let Some(why) = control::why_environment(&child) {
            plans.push(control::plan(&child, why.to_owned(), settings, notes));
        }
    }
    plans
}

/// The children of a folder that are modules.
fn plan_modules(folder: &Path, settings: &Settings<'_>, notes: &mut Vec<Note>) -> Option<Plan> {
    let children = roots::children(folder, &mut Vec::new());
    let modules = children.into_iter().map(|(_, path)| path);
    let modules =
        modules.filter(|it| is_certainly_module(it) && control::why_environment(it).is_none());
    let mut found: Vec<Root> = modules
        .map(|path| Root {
            path,
            origin: settings.origin(folder),
            naming: Naming::Metadata,
            why: "a module in a folder of modules".to_owned(),
        })
        .collect();
    if found.is_empty() {
        return None;
    }
    let modulepath = settings.outside();
    found.extend(outside_roots(&modulepath, settings, notes));
    Some(Plan {
        root: folder.to_owned(),
        kind: Kind::Modules,
        why: "its folders are modules".to_owned(),
        modulepath,
        manifest: None,
        roots: found,
        complete: !settings.modulepath.is_empty(),
        config: Arc::clone(settings.config),
    })
}

/// Projects further below, and the files that belong to none.
fn plan_nested(folder: &Path, settings: &Settings<'_>, notes: &mut Vec<Note>) -> Vec<Plan> {
    let is_project =
        |it: &Path| it.join("metadata.json").is_file() || control::why_environment(it).is_some();
    let mut plans = Vec::new();
    for project in loose::folders(folder, NESTED, is_project) {
        plans.push(match control::why_environment(&project) {
            Some(why) => control::plan(&project, why.to_owned(), settings, notes),
            None => plan_module(&project, settings, notes),
        });
    }
    let modulepath = settings.outside();
    plans.push(Plan {
        root: folder.to_owned(),
        kind: Kind::Files,
        why: match plans.is_empty() {
            true => "nothing in it is a module or an environment",
            false => "files beside what lies in it",
        }
        .to_owned(),
        roots: outside_roots(&modulepath, settings, notes),
        modulepath,
        manifest: None,
        complete: false,
        config: Arc::clone(settings.config),
    });
    plans
}

/// Whether a file lies in one of the modules or environments.
fn is_planned(file: &Path, plans: &[Plan]) -> bool {
    plans.iter().any(|it| {
        file.starts_with(&it.root) || it.roots.iter().any(|root| file.starts_with(&root.path))
    })
}

/// The nearest folder around a file that is a module or an environment. A module that lies in an
/// environment belongs to that.
fn project_of(file: &Path) -> Option<PathBuf> {
    let mut module = None;
    for folder in file.ancestors().skip(1).take(super::limits::MAX_DEPTH) {
        if folder.join("environment.conf").is_file() {
            return Some(folder.to_owned());
        }
        // Other tools have a file of this name too.
        if module.is_none() && folder.join("metadata.json").is_file() && has_module_parts(folder) {
            module = Some(folder.to_owned());
        }
    }
    module
}

/// The project that a folder is only a part of: an environment around it, or a module around it
/// if it is no project itself.
fn project_around(folder: &Path) -> Option<PathBuf> {
    let found = project_of(folder)?;
    let is_whole = found.join("environment.conf").is_file()
        || control::why_environment(folder).is_none() && !is_certainly_module(folder);
    let is_itself = folder.join("environment.conf").is_file();
    (is_whole && !is_itself).then_some(found)
}

/// Reads what the plans name.
struct Reader {
    bounds: Bounds,
    modules: HashMap<Root, Option<Arc<FoundModule>>>,
}

impl Reader {
    fn new(folders: &[PathBuf], plans: &[Plan]) -> Reader {
        let planned = plans.iter().flat_map(|it| {
            let folders = it.modulepath.iter().map(|it| &it.path);
            let roots = it.roots.iter().map(|it| &it.path);
            folders.chain(roots)
        });
        let bounds = Bounds::new(folders.iter().chain(planned).map(PathBuf::as_path));
        Reader {
            bounds,
            modules: HashMap::new(),
        }
    }

    /// Reads all modules, on all cores.
    fn read_modules(&mut self, plans: &[Plan], notes: &mut Vec<Note>) {
        let unique: HashSet<&Root> = plans.iter().flat_map(|it| &it.roots).collect();
        let unique = Vec::from_iter(unique);
        let read: Vec<_> = unique
            .into_par_iter()
            .map(|root| {
                let mut notes = Vec::new();
                let module = module::read(root, &self.bounds, &mut notes);
                if root.origin == ModuleOrigin::Library {
                    // Nobody here can do anything about it.
                    notes.clear();
                }
                (root.clone(), module.map(Arc::new), notes)
            })
            .collect();
        for (root, module, new) in read {
            self.modules.insert(root, module);
            notes.extend(new);
        }
    }

    fn environment(
        &self,
        plan: Plan,
        all_roots: &[PathBuf],
        notes: &mut Vec<Note>,
    ) -> FoundEnvironment {
        let modules = self.modules_of(&plan, notes);
        tell_missing(&modules, notes);
        let exclude = Exclude::new(&plan.config, &mut Vec::new());
        let mut manifests = plan.manifest.as_ref().map_or_else(Vec::new, |it| {
            manifests::files(&it.path, &self.bounds, notes)
        });
        manifests.retain(|it| !exclude.has(it, false));
        let mut without: HashSet<PathBuf> = modules.iter().flat_map(|it| it.claims()).collect();
        let inner = all_roots.iter();
        without.extend(inner.filter(|it| **it != plan.root).cloned());
        let mut others = loose::find(&plan.root, without, exclude, &self.bounds, notes);
        let main: HashSet<&PathBuf> = manifests.iter().collect();
        others.retain(|it| !main.contains(it));
        FoundEnvironment {
            root: plan.root,
            kind: plan.kind,
            why: plan.why,
            modulepath: plan.modulepath,
            manifest: plan.manifest,
            manifests,
            modules,
            others,
            complete: plan.complete,
            config: plan.config,
        }
    }

    /// The modules of a plan in its order, each folder once. One that is hidden by another is
    /// kept if it is worked on.
    fn modules_of(&self, plan: &Plan, notes: &mut Vec<Note>) -> Vec<Arc<FoundModule>> {
        let mut modules: Vec<Arc<FoundModule>> = Vec::new();
        let mut places = HashSet::new();
        let mut names: HashMap<String, PathBuf> = HashMap::new();
        for root in &plan.roots {
            let Some(Some(module)) = self.modules.get(root) else {
                continue;
            };
            if !module.is_environment && !places.insert(module.real.clone()) {
                continue;
            }
            if let Some(first) = names.get(&module.name) {
                let message = format!(
                    "is hidden by the module of the same name in {}",
                    first.display()
                );
                notes.push(Note::new(&module.root, message));
                if module.origin == ModuleOrigin::Library {
                    continue;
                }
            } else {
                names.insert(module.name.clone(), module.root.clone());
            }
            modules.push(Arc::clone(module));
        }
        modules
    }
}

/// Notes about modules that those that are worked on need and that are not there.
fn tell_missing(modules: &[Arc<FoundModule>], notes: &mut Vec<Note>) {
    let names: HashSet<&str> = modules.iter().map(|it| it.name.as_str()).collect();
    for module in modules
        .iter()
        .filter(|it| it.origin == ModuleOrigin::Workspace)
    {
        let needed = module.dependencies.iter().map(String::as_str);
        let missing: Vec<&str> = needed.filter(|it| !names.contains(it)).collect();
        if !missing.is_empty() {
            let message = format!("needs modules that are not there: {}", missing.join(", "));
            notes.push(Note::new(module.root.join("metadata.json"), message));
        }
    }
}

/// Gives files that are in no environment to the one around them, or to one of their own.
/// `outside` is what the latter can use.
fn add_files(
    files: &[PathBuf],
    outside: Option<&(Vec<Arc<FoundModule>>, Plan)>,
    found: &mut Discovery,
) {
    if files.is_empty() {
        return;
    }
    let Discovery {
        environments,
        notes,
    } = found;
    let mut known: HashSet<PathBuf> = HashSet::new();
    for environment in &*environments {
        known.extend(environment.manifests.iter().cloned());
        known.extend(environment.others.iter().cloned());
        for module in &environment.modules {
            known.extend(module.files.iter().map(|it| module.path_of(it)));
        }
    }
    for file in files {
        if !known.insert(file.clone()) {
            continue;
        }
        let around = environments
            .iter_mut()
            .filter(|it| file.starts_with(&it.root));
        match around.max_by_key(|it| it.root.components().count()) {
            Some(environment) => {
                let others = &mut environment.others;
                let at = others.binary_search(file).unwrap_or_else(|at| at);
                others.insert(at, file.clone());
            }
            None => {
                let mut alone = alone(file, notes);
                if let Some((modules, plan)) = outside {
                    alone.modules.clone_from(modules);
                    alone.modulepath.clone_from(&plan.modulepath);
                    alone.complete = plan.complete;
                }
                environments.push(alone);
            }
        }
    }
}

/// The environment of a file with nothing around it.
fn alone(file: &Path, notes: &mut Vec<Note>) -> FoundEnvironment {
    FoundEnvironment {
        root: file.parent().unwrap_or(file).to_owned(),
        kind: Kind::Files,
        why: "no folder around the file is a module or an environment".to_owned(),
        modulepath: Vec::new(),
        manifest: None,
        manifests: Vec::new(),
        modules: Vec::new(),
        others: vec![file.to_owned()],
        complete: false,
        config: Arc::new(Config::find(file.parent().unwrap_or(file), notes)),
    }
}
