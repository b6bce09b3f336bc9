//! Finds the environments in workspace folders.
//!
//! Each workspace folder is classified ([`plan_folder`]), which determines the directories of its
//! modules. Then all modules are read in parallel, each once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::{ModuleOrigin, ModulepathKind};
use rayon::prelude::*;

use super::absent_paths::AbsentPaths;
use super::enclosing_project::{project_around, project_of};
use super::environment_marker::EnvironmentMarker;
use super::environment_plan::{
    EnvironmentKind, EnvironmentPlan, MainManifest, ModuleFolder, PlanSettings, outside_roots,
    remove_links,
};
use super::exclude::Exclude;
use super::limits::read_config;
use super::module::{self, FoundModule, ModuleRoot, is_certainly_module};
use super::module_files::LinkBounds;
use super::note::Note;
use super::required_version::RequiredModules;
use super::single_module::plan_module;
use super::{
    WorkspaceRequest, basemodulepath, control_repository, files_outside_modules, ignored_files,
    main_manifest, module_collection, module_roots, puppetfile,
};
use crate::config::{Config, FILE_NAME};
use crate::paths::{absolute, is_untrusted_remote};
use crate::rule_selection::Selection;

/// The maximum depth at which projects are searched in a directory that is not a project itself.
const MAX_PROJECT_DEPTH: usize = 4;

/// The directory of the environments of a server.
const ENVIRONMENTS: &str = "environments";

/// The environments of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Discovery {
    /// The environments in the order of the workspace folders, followed by those of single files.
    pub(crate) environments: Vec<FoundEnvironment>,
    /// The notes about the workspace, sorted, without duplicates.
    pub(crate) notes: Vec<Note>,
}

/// An environment: code that is compiled together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FoundEnvironment {
    /// The root directory, with symbolic links not resolved.
    pub(crate) root: PathBuf,
    pub(crate) kind: EnvironmentKind,
    /// The reason for `kind`.
    pub(crate) why: String,
    /// The directories in which modules were searched, in order.
    pub(crate) modulepath: Vec<ModuleFolder>,
    pub(crate) manifest: Option<MainManifest>,
    /// The files of the main manifest, in the order in which Puppet reads them.
    pub(crate) manifests: Vec<PathBuf>,
    /// The modules in the order of the modulepath; the first one of a name shadows the others.
    pub(crate) modules: Vec<Arc<FoundModule>>,
    /// All other manifests and templates, sorted.
    pub(crate) others: Vec<PathBuf>,
    /// How much is known about modules that were not found.
    pub(crate) modulepath_kind: ModulepathKind,
    /// The modules that the project declares, apart from metadata, but that were not found.
    pub(crate) missing: BTreeSet<String>,
    /// The modules that the tool of the project ships, which it declares too.
    pub(crate) shipped: &'static [&'static str],
    /// The versions that the project requires, apart from metadata.
    pub(crate) required: RequiredModules,
    /// The manifests and templates that Git tracks although its `.gitignore` hides them, sorted. They
    /// are not read.
    pub(crate) ignored: Vec<PathBuf>,
    /// The configuration of the project.
    pub(crate) config: Arc<Config>,
}

impl FoundEnvironment {
    /// Iterates over the files of the main manifest and the modules, and all other files.
    pub(crate) fn all_files(&self) -> impl Iterator<Item = PathBuf> {
        let modules = self.modules.iter();
        let of_modules =
            modules.flat_map(|module| module.files.iter().map(|it| module.path_of(it)));
        let outside = self.manifests.iter().chain(&self.others);
        outside.cloned().chain(of_modules)
    }

    /// Checks whether the environment consists of a file that belongs to no project.
    pub(crate) fn is_single_file(&self) -> bool {
        self.kind == EnvironmentKind::Files && self.others.len() == 1
    }
}

/// Runs workspace discovery. Skips files and directories that cannot be read, with a note.
pub(crate) fn discover(request: &WorkspaceRequest) -> Discovery {
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
        // Find the projects of files outside of all workspace folders.
        if planner.folders.iter().all(|it| !file.starts_with(it))
            && !is_planned(file, &planner.plans)
            && let Some(root) = project_of(file)
        {
            planner.add_project_of_file(root);
        }
    }
    let outside_modules = planner.outside_modules();
    let Planner {
        folders,
        mut plans,
        mut notes,
        ..
    } = planner;
    plans.extend(outside_modules);
    let mut reader = ModuleReader::new(&folders, &plans);
    reader.read_modules(&plans, &mut notes);
    let outside_modules = plans.pop_if(|it| it.root.as_os_str().is_empty());
    let outside_modules = outside_modules.map(|it| (reader.modules_of(&it, &mut notes), it));
    let all_roots: Vec<PathBuf> = plans.iter().map(|it| it.root.clone()).collect();
    let environments = plans.into_iter();
    let environments = environments.map(|it| reader.environment(it, &all_roots, &mut notes));
    let mut found = Discovery {
        environments: environments.collect(),
        notes,
    };
    found.add_opened(&request.files, outside_modules.as_ref());
    found.split_shadowed();
    find_ignored(&mut found.environments);
    let nested: Vec<_> = found
        .environments
        .iter_mut()
        .filter_map(FoundEnvironment::split_nested)
        .collect();
    found.environments.extend(nested);
    if request.selection != Selection::default() {
        select_rules(&mut found.environments, &request.selection);
    }
    for environment in &found.environments {
        let reasons = environment.unchecked().into_iter();
        found
            .notes
            .extend(reasons.map(|it| Note::new(&environment.root, it)));
    }
    found.notes.sort_unstable();
    found.notes.dedup();
    found
}

/// Sets the files that Git tracks, but that its `.gitignore` hides.
fn find_ignored(environments: &mut [FoundEnvironment]) {
    let mut known: HashSet<PathBuf> = HashSet::new();
    let mut foreign: HashSet<PathBuf> = HashSet::new();
    for environment in &*environments {
        known.extend(environment.all_files());
        let modules = environment.modules.iter();
        foreign.extend(modules.flat_map(|it| it.claims()));
        foreign.insert(environment.root.clone());
    }
    let mut roots = HashSet::new();
    for environment in environments {
        if !environment.is_single_file() && roots.insert(environment.root.clone()) {
            let exclude = Exclude::new(&environment.config, &mut Vec::new());
            environment.ignored =
                ignored_files::find(&environment.root, &exclude, &known, &foreign);
        }
    }
}

/// Collects the plans of all environments.
struct Planner<'a> {
    request: &'a WorkspaceRequest,
    folders: Vec<PathBuf>,
    plans: Vec<EnvironmentPlan>,
    notes: Vec<Note>,
}

/// Applies the rules chosen on the command line to the configuration of each project.
fn select_rules(environments: &mut [FoundEnvironment], selection: &Selection) {
    for environment in environments {
        let mut config = Config::clone(&environment.config);
        config.rules.select(selection);
        environment.config = Arc::new(config);
    }
}

/// The number of modules in the same directory from which the directory is treated as a whole.
const MIN_COLLECTION: usize = 4;

impl Planner<'_> {
    /// Adds the project that contains a file, or its parent directory if many of its modules were
    /// added already.
    fn add_project_of_file(&mut self, root: PathBuf) {
        let is_sibling = |it: &EnvironmentPlan| {
            it.kind == EnvironmentKind::Module && it.root.parent() == root.parent()
        };
        let is_one_of_many =
            self.plans.iter().filter(|it| is_sibling(it)).count() + 1 >= MIN_COLLECTION;
        let folder = match root.parent().filter(|_| is_one_of_many) {
            Some(parent) => {
                self.plans.retain(|it| !is_sibling(it));
                parent.to_owned()
            }
            None => root,
        };
        self.folders.push(folder.clone());
        self.add(&folder);
    }

    /// Returns a plan without a root for files that belong to no project: they see the modules in
    /// the directories configured by the user.
    fn outside_modules(&mut self) -> Option<EnvironmentPlan> {
        if self.request.files.is_empty() || self.request.modulepath.is_empty() {
            return None;
        }
        let settings = PlanSettings {
            folders: &self.folders,
            modulepath: &self.request.modulepath,
            base: self.request.basemodulepath.as_deref().unwrap_or_default(),
            config: &Arc::default(),
        };
        let modulepath = settings.outside();
        Some(EnvironmentPlan {
            root: PathBuf::new(),
            kind: EnvironmentKind::Files,
            why: String::new(),
            roots: outside_roots(&modulepath, &settings, &mut self.notes),
            modulepath,
            manifest: None,
            modulepath_kind: ModulepathKind::OfDependencies,
            declared: BTreeSet::new(),
            shipped: &[],
            required: RequiredModules::new(),
            config: Arc::default(),
        })
    }

    fn add(&mut self, folder: &Path) {
        let enclosing = project_around(folder);
        if let Some(root) = &enclosing {
            if self.plans.iter().any(|it| it.root == *root) {
                return;
            }
            self.folders.push(root.clone());
        }
        let folder = enclosing.as_deref().unwrap_or(folder);
        let config = Arc::new(Config::find(folder, &mut self.notes));
        let mut modulepath = self.request.modulepath.clone();
        modulepath.extend(self.folders_of(&config, &config.workspace.modulepath));
        let base = match (
            &self.request.basemodulepath,
            &config.workspace.basemodulepath,
        ) {
            (Some(base), _) => base.clone(),
            (None, Some(base)) => self.folders_of(&config, base),
            (None, None) => basemodulepath::installed(),
        };
        let around = root_of_environments(folder);
        let base = match around {
            Some(around) => base_with(&around.join("modules"), &base),
            None => base,
        };
        let settings = PlanSettings {
            folders: &self.folders,
            modulepath: &modulepath,
            base: &base,
            config: &config,
        };
        let mut plans = plan_folder(folder, &settings, &mut self.notes);
        if let Some(around) = around {
            declare_installed(around, &mut plans, &mut self.notes);
        }
        let exclude = Exclude::new(&config, &mut self.notes);
        for plan in &mut plans {
            plan.roots.retain(|it| !exclude.has(&it.path, true));
        }
        plans.retain(|it| !exclude.has(&it.root, true));
        remove_links(&mut plans);
        self.plans.extend(plans);
    }

    /// Resolves directories configured in `pupil.toml`. Skips those on other machines, with a note.
    fn folders_of(&mut self, config: &Config, named: &[PathBuf]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for name in named {
            let folder = absolute(&config.folder.join(name));
            if is_untrusted_remote(&folder, &self.folders) {
                let name = name.display().to_string();
                self.notes
                    .push(Note::remote(&config.folder.join(FILE_NAME), &name));
            } else {
                found.push(folder);
            }
        }
        found
    }
}

/// Classifies a directory.
fn plan_folder(
    folder: &Path,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<EnvironmentPlan> {
    let environments = folder.join(ENVIRONMENTS);
    if environments.is_dir() && !folder.join("environment.conf").is_file() {
        let base = base_with(&folder.join("modules"), settings.base);
        let settings = PlanSettings {
            base: &base,
            ..*settings
        };
        let mut plans =
            plan_environments(&environments, control_repository::plan, &settings, notes);
        if !plans.is_empty() {
            declare_installed(folder, &mut plans, notes);
            // Code at the top may be a control repository of its own. `modules` alone belongs to
            // the environments.
            let marker = EnvironmentMarker::of(folder);
            if let Some(marker) = marker.filter(|it| *it != EnvironmentMarker::Modules) {
                let why = marker.reason().to_owned();
                plans.push(control_repository::plan(folder, why, &settings, notes));
            } else if files_outside_modules::has_manifests(folder) {
                let why = "files outside of the environments in this directory";
                plans.push(plan_files(folder, why, &settings, notes));
            }
            return plans;
        }
    }
    if let Some(marker) = EnvironmentMarker::of(folder) {
        let why = marker.reason().to_owned();
        return vec![control_repository::plan(folder, why, settings, notes)];
    }
    if is_certainly_module(folder) {
        return vec![plan_module(folder, settings, notes)];
    }
    let mut plans = plan_environments(folder, plan_nested_environment, settings, notes);
    plans.extend(module_collection::plan_modules(folder, settings, notes));
    if plans.is_empty() {
        plans = plan_nested(folder, settings, notes);
    }
    plans
}

/// Returns the directories of `$basemodulepath` in environments with a common directory of modules.
fn base_with(common: &Path, base: &[PathBuf]) -> Vec<PathBuf> {
    let common = common.is_dir().then(|| common.to_owned());
    common.into_iter().chain(base.iter().cloned()).collect()
}

/// Returns the directory whose `environments` a directory is, or contains it.
fn root_of_environments(folder: &Path) -> Option<&Path> {
    let mut folders = folder.ancestors().take(2);
    let root = folders.find(|it| it.ends_with(ENVIRONMENTS))?.parent()?;
    (!root.join("environment.conf").is_file()).then_some(root)
}

/// Declares the modules that the `Puppetfile` of a directory installs into environments in it.
fn declare_installed(folder: &Path, plans: &mut [EnvironmentPlan], notes: &mut Vec<Note>) {
    let Some(file) =
        read_config(&folder.join("Puppetfile"), notes).map(|it| puppetfile::parse(&it))
    else {
        return;
    };
    let common = file.moduledir.as_deref();
    for module in &file.modules {
        let Some(target) = module.install_path.as_deref().or(common) else {
            continue;
        };
        let target = absolute(&folder.join(target));
        for plan in plans.iter_mut().filter(|it| target.starts_with(&it.root)) {
            if plan.declared.insert(module.name.clone()) && !module.local {
                let required = module.required.clone();
                plan.required.insert(module.name.clone(), required);
            }
        }
    }
}

/// Plans an environment, whose reason is given.
type Plan = fn(&Path, String, &PlanSettings<'_>, &mut Vec<Note>) -> EnvironmentPlan;

/// Plans the children of a directory that are environments.
fn plan_environments(
    folder: &Path,
    plan: Plan,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<EnvironmentPlan> {
    let mut plans = Vec::new();
    for (_, child) in module_roots::children(folder, notes) {
        if let Some(marker) = EnvironmentMarker::of(&child) {
            plans.push(plan(&child, marker.reason().to_owned(), settings, notes));
        }
    }
    plans
}

/// Plans the projects nested in a directory, and the files that belong to none of them.
fn plan_nested(
    folder: &Path,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<EnvironmentPlan> {
    let is_project = |it: &Path| {
        it.join("metadata.json").is_file()
            || it.join("Puppetfile").is_file()
            || EnvironmentMarker::of(it).is_some()
    };
    let mut plans = Vec::new();
    for project in files_outside_modules::folders(folder, MAX_PROJECT_DEPTH, is_project) {
        plans.push(match EnvironmentMarker::of(&project) {
            Some(marker) => {
                let why = marker.reason().to_owned();
                plan_nested_environment(&project, why, settings, notes)
            }
            None => plan_module(&project, settings, notes),
        });
    }
    let why = match plans.is_empty() {
        true => "contains no module or environment",
        false => "files outside of the projects in this directory",
    };
    plans.push(plan_files(folder, why, settings, notes));
    plans
}

/// Plans the files in a directory that belong to no module or environment.
fn plan_files(
    folder: &Path,
    why: &str,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> EnvironmentPlan {
    let modulepath = settings.outside();
    EnvironmentPlan {
        root: folder.to_owned(),
        kind: EnvironmentKind::Files,
        why: why.to_owned(),
        roots: outside_roots(&modulepath, settings, notes),
        modulepath,
        manifest: None,
        modulepath_kind: ModulepathKind::Unknown,
        declared: BTreeSet::new(),
        shipped: &[],
        required: RequiredModules::new(),
        config: Arc::clone(settings.config),
    }
}

/// Plans an environment inside of a directory that is not an environment. If it has no modules of its own, their
/// location is unknown: for example, the configuration of a virtual machine names it.
fn plan_nested_environment(
    root: &Path,
    why: String,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> EnvironmentPlan {
    let mut plan = control_repository::plan(root, why, settings, notes);
    let has_own = plan.modulepath.iter().any(|it| it.exists && !it.of_machine);
    let is_declared = ["environment.conf", "Puppetfile"]
        .iter()
        .any(|it| root.join(it).is_file());
    if !has_own && !is_declared {
        plan.modulepath_kind = ModulepathKind::Unknown;
    }
    plan
}

/// Checks whether a file belongs to one of the planned modules or environments.
fn is_planned(file: &Path, plans: &[EnvironmentPlan]) -> bool {
    plans.iter().any(|it| {
        file.starts_with(&it.root) || it.roots.iter().any(|root| file.starts_with(&root.path))
    })
}

/// Reads the modules and files of the plans.
struct ModuleReader {
    bounds: LinkBounds,
    modules: HashMap<ModuleRoot, Option<Arc<FoundModule>>>,
}

impl ModuleReader {
    fn new(folders: &[PathBuf], plans: &[EnvironmentPlan]) -> ModuleReader {
        let planned = plans.iter().flat_map(|it| {
            let folders = it.modulepath.iter().map(|it| &it.path);
            let roots = it.roots.iter().map(|it| &it.path);
            folders.chain(roots)
        });
        let bounds = LinkBounds::new(folders.iter().chain(planned).map(PathBuf::as_path));
        ModuleReader {
            bounds,
            modules: HashMap::new(),
        }
    }

    /// Reads all modules in parallel.
    fn read_modules(&mut self, plans: &[EnvironmentPlan], notes: &mut Vec<Note>) {
        let unique: HashSet<&ModuleRoot> = plans.iter().flat_map(|it| &it.roots).collect();
        let unique = Vec::from_iter(unique);
        let own = unique
            .iter()
            .filter(|it| it.origin == ModuleOrigin::Workspace);
        let absent = AbsentPaths::around(own.map(|it| it.path.as_path()));
        let read: Vec<_> = unique
            .into_par_iter()
            .map(|root| {
                let mut notes = Vec::new();
                let module = module::read(root, &self.bounds, &absent, &mut notes);
                if root.origin == ModuleOrigin::Library {
                    // The user cannot fix problems of library modules.
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
        plan: EnvironmentPlan,
        all_roots: &[PathBuf],
        notes: &mut Vec<Note>,
    ) -> FoundEnvironment {
        let modules = self.modules_of(&plan, notes);
        let exclude = Exclude::new(&plan.config, &mut Vec::new());
        let mut manifests = plan.manifest.as_ref().map_or_else(Vec::new, |it| {
            main_manifest::files(&it.path, &self.bounds, notes)
        });
        manifests.retain(|it| !exclude.has(it, false));
        let mut excluded: HashSet<PathBuf> = modules.iter().flat_map(|it| it.claims()).collect();
        if plan.kind == EnvironmentKind::Files {
            let of_others = self.modules.values().flatten();
            excluded.extend(of_others.flat_map(|it| it.claims()));
        }
        let nested_roots = all_roots.iter();
        excluded.extend(nested_roots.filter(|it| **it != plan.root).cloned());
        let mut others =
            files_outside_modules::find(&plan.root, excluded, exclude, &self.bounds, notes);
        let main: HashSet<&PathBuf> = manifests.iter().collect();
        others.retain(|it| !main.contains(it));
        let is_found = |it: &String| modules.iter().any(|module| module.name == *it);
        let missing = plan.declared.into_iter().filter(|it| !is_found(it));
        let missing = missing.collect();
        FoundEnvironment {
            root: plan.root,
            kind: plan.kind,
            why: plan.why,
            modulepath: plan.modulepath,
            manifest: plan.manifest,
            manifests,
            modules,
            others,
            modulepath_kind: plan.modulepath_kind,
            missing,
            shipped: plan.shipped,
            required: plan.required,
            ignored: Vec::new(),
            config: plan.config,
        }
    }

    /// Returns the modules of a plan in order, each directory once. Drops shadowed modules, except
    /// those of the workspace.
    fn modules_of(&self, plan: &EnvironmentPlan, notes: &mut Vec<Note>) -> Vec<Arc<FoundModule>> {
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
                    "module `{}` is shadowed by {}",
                    module.name,
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
