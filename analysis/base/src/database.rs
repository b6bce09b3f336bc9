//! The salsa database, and the changes that clients make to its inputs.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::{Database, Durability, Setter};
use syntax::Parse;
use syntax::validation::PuppetVersion;

use crate::inputs::FileContent;
use crate::{
    EnvironmentInput, EnvironmentLayout, FileId, FileInput, FileSpec, ModuleInput, ModuleLayout,
    ModuleOrigin, ModulepathKind, SettingsInput, WorkspaceLayout, parse,
};

/// The database with the registries of its inputs.
#[salsa::db]
#[derive(Clone, Default)]
pub struct RootDatabase {
    storage: salsa::Storage<Self>,
    files: Arc<FxHashMap<FileId, FileInput>>,
    /// The files that are being edited.
    edited_files: Arc<FxHashSet<FileId>>,
    /// The modules by folder.
    modules: Arc<FxHashMap<String, ModuleInput>>,
    environments: Arc<Vec<EnvironmentInput>>,
    layout: Arc<WorkspaceLayout>,
}

#[salsa::db]
impl Database for RootDatabase {}

impl std::fmt::Debug for RootDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RootDatabase").finish_non_exhaustive()
    }
}

impl RootDatabase {
    pub fn new() -> RootDatabase {
        RootDatabase::with_event_handler(None)
    }

    /// Creates a database that reports salsa events to `watcher`.
    pub fn with_event_handler(
        watcher: Option<Box<dyn Fn(salsa::Event) + Send + Sync>>,
    ) -> RootDatabase {
        let db = RootDatabase {
            storage: salsa::Storage::new(watcher),
            ..RootDatabase::default()
        };
        let settings = SettingsInput::builder(PuppetVersion::default(), true);
        let _ = settings.durability(Durability::HIGH).new(&db);
        db
    }

    /// Returns the input of a file, if the file is known.
    pub fn file(&self, id: FileId) -> Option<FileInput> {
        self.files.get(&id).copied()
    }

    /// Returns the environments in the order of the layout.
    pub fn environments(&self) -> &[EnvironmentInput] {
        &self.environments[..self.layout.environments.len()]
    }

    pub fn set_version(&mut self, version: PuppetVersion) {
        let settings = SettingsInput::get(self);
        if settings.version(self) != version {
            settings.set_version(self).to(version);
        }
    }

    pub fn set_compiles_catalogs(&mut self, compiles: bool) {
        let settings = SettingsInput::get(self);
        if settings.compiles_catalogs(self) != compiles {
            settings.set_compiles_catalogs(self).to(compiles);
        }
    }

    pub fn set_file(&mut self, id: FileId, spec: FileSpec, text: Arc<str>) {
        let file = self.file_or_new(id);
        let was_edited = Arc::make_mut(&mut self.edited_files).remove(&id);
        let durability = self.durability(file);
        self.set_text(file, spec, text, durability, was_edited);
    }

    /// Sets the source of a file that is being edited, and so is likely to change again soon.
    pub fn edit_file(&mut self, id: FileId, spec: FileSpec, text: Arc<str>) {
        let file = self.file_or_new(id);
        let is_first = Arc::make_mut(&mut self.edited_files).insert(id);
        self.set_text(file, spec, text, Durability::LOW, is_first);
    }

    /// Updates the changed fields, and always the text if its durability changes. A change of
    /// durability invalidates everything that depends on the file once.
    fn set_text(
        &mut self,
        file: FileInput,
        spec: FileSpec,
        text: Arc<str>,
        durability: Durability,
        is_other_durability: bool,
    ) {
        if *file.spec(self) != spec {
            file.set_spec(self).to(spec);
        }
        if is_other_durability || file.text(self).as_ref() != Some(&text) {
            let is_edited = durability == Durability::LOW && !is_other_durability;
            let content = FileContent {
                last_valid: is_edited.then(|| self.last_valid_source(file)).flatten(),
                text: Some(text),
            };
            file.set_content(self)
                .with_durability(durability)
                .to(content);
        }
    }

    /// Returns the last source of a file without syntax errors and its tree, before the source is
    /// replaced.
    fn last_valid_source(&self, file: FileInput) -> Option<(Arc<str>, Parse)> {
        let tree = parse(self, file);
        if !tree.errors().is_empty() {
            return file.content(self).last_valid.clone();
        }
        let text = Arc::clone(file.text(self).as_ref()?);
        Some((text, tree.clone()))
    }

    pub fn remove_file(&mut self, id: FileId) {
        let known = self.file(id);
        if let Some(file) = known.filter(|it| it.text(self).is_some()) {
            file.set_content(self).to(FileContent::default());
        }
    }

    /// Returns the durability of a file that is not being edited.
    fn durability(&self, file: FileInput) -> Durability {
        let module = file.module(self);
        module.map_or(WORKSPACE_DURABILITY, |it| durability_of(it.origin(self)))
    }

    fn file_or_new(&mut self, id: FileId) -> FileInput {
        if let Some(file) = self.file(id) {
            return file;
        }
        let file = FileInput::builder(id, FileContent::default(), FileSpec::default(), None, None);
        let file = file.durability(WORKSPACE_DURABILITY).new(self);
        Arc::make_mut(&mut self.files).insert(id, file);
        file
    }

    /// Applies a layout. Unchanged inputs are not written.
    pub fn set_workspace(&mut self, layout: Arc<WorkspaceLayout>) {
        if layout == self.layout {
            return;
        }
        let old = std::mem::replace(&mut self.layout, Arc::clone(&layout));
        let mut assigned = FxHashSet::default();
        for (index, environment) in layout.environments.iter().enumerate() {
            let input = self.environment_or_new(index);
            self.set_environment(input, environment, &mut assigned);
        }
        for file in old.environments.iter().flat_map(files_of) {
            if let Some(file) = self.file(file).filter(|it| !assigned.contains(it)) {
                self.assign_owner(file, None, None);
            }
        }
    }

    fn environment_or_new(&mut self, index: usize) -> EnvironmentInput {
        if let Some(known) = self.environments.get(index) {
            return *known;
        }
        let input = EnvironmentInput::builder(
            Arc::new([]),
            None,
            Arc::default(),
            ModulepathKind::Unknown,
            Arc::default(),
            Arc::default(),
            Arc::default(),
            Arc::default(),
            false,
        );
        let input = input.durability(WORKSPACE_DURABILITY).new(self);
        Arc::make_mut(&mut self.environments).push(input);
        input
    }

    fn set_environment(
        &mut self,
        input: EnvironmentInput,
        environment: &EnvironmentLayout,
        assigned: &mut FxHashSet<FileInput>,
    ) {
        let mut modules = BTreeMap::new();
        for module in &environment.modules {
            let known = self.set_module(module);
            let files = Arc::clone(known.files(self));
            for file in files.values().copied() {
                if assigned.insert(file) {
                    self.assign_owner(file, Some(input), Some(known));
                }
            }
            modules.entry(module.name.clone()).or_insert(known);
        }
        let manifests: Vec<_> = environment
            .manifests
            .iter()
            .map(|it| self.file_or_new(*it))
            .collect();
        let others = environment.others.iter().map(|it| self.file_or_new(*it));
        let loose: Vec<_> = manifests
            .iter()
            .copied()
            .chain(others.collect::<Vec<_>>())
            .collect();
        for file in loose.iter().copied() {
            if assigned.insert(file) {
                self.assign_owner(file, Some(input), None);
            }
        }
        let is_alone = manifests.is_empty()
            && loose.len() == 1
            && environment
                .modules
                .iter()
                .all(|it| it.origin != ModuleOrigin::Workspace);
        let single_file = loose.first().copied().filter(|_| is_alone);
        if input.single_file(self) != single_file {
            input.set_single_file(self).to(single_file);
        }
        if **input.manifests(self) != *manifests {
            input.set_manifests(self).to(manifests.into());
        }
        if **input.modules(self) != modules {
            input.set_modules(self).to(Arc::new(modules));
        }
        if input.modulepath(self) != environment.modulepath {
            input.set_modulepath(self).to(environment.modulepath);
        }
        if **input.missing(self) != environment.missing {
            let missing = Arc::new(environment.missing.clone());
            input.set_missing(self).to(missing);
        }
        if **input.required_versions(self) != environment.required_versions {
            let required_versions = Arc::new(environment.required_versions.clone());
            input.set_required_versions(self).to(required_versions);
        }
        if **input.other_versions(self) != environment.other_versions {
            let other_versions = Arc::new(environment.other_versions.clone());
            input.set_other_versions(self).to(other_versions);
        }
        if **input.disabled_rules(self) != environment.disabled_rules {
            let disabled_rules = Arc::new(environment.disabled_rules.clone());
            input.set_disabled_rules(self).to(disabled_rules);
        }
        let indents_continuations = environment.indents_continuations;
        if input.indents_continuations(self) != indents_continuations {
            input
                .set_indents_continuations(self)
                .to(indents_continuations);
        }
    }

    fn set_module(&mut self, module: &ModuleLayout) -> ModuleInput {
        let durability = durability_of(module.origin);
        let files = module.files.iter();
        let files: BTreeMap<_, _> = files
            .map(|(path, file)| (path.clone(), self.file_or_new(*file)))
            .collect();
        let Some(known) = self.modules.get(&module.folder).copied() else {
            let new = ModuleInput::builder(
                module.name.as_str().into(),
                module.folder.as_str().into(),
                module.origin,
                Arc::new(files),
                module.dependencies.as_slice().into(),
                Arc::new(module.absent.clone()),
                module.is_project,
            );
            let new = new.durability(durability).new(self);
            Arc::make_mut(&mut self.modules).insert(module.folder.clone(), new);
            return new;
        };
        if **known.name(self) != *module.name {
            known.set_name(self).to(module.name.as_str().into());
        }
        if known.origin(self) != module.origin {
            known.set_origin(self).to(module.origin);
        }
        if **known.files(self) != files {
            let setter = known.set_files(self).with_durability(durability);
            setter.to(Arc::new(files));
        }
        if **known.dependencies(self) != *module.dependencies {
            let dependencies = module.dependencies.as_slice().into();
            known.set_dependencies(self).to(dependencies);
        }
        if **known.absent(self) != module.absent {
            known.set_absent(self).to(Arc::new(module.absent.clone()));
        }
        if known.is_project(self) != module.is_project {
            known.set_is_project(self).to(module.is_project);
        }
        known
    }

    fn assign_owner(
        &mut self,
        file: FileInput,
        environment: Option<EnvironmentInput>,
        module: Option<ModuleInput>,
    ) {
        if file.environment(self) != environment {
            file.set_environment(self).to(environment);
        }
        if file.module(self) != module {
            file.set_module(self).to(module);
        }
    }
}

/// The durability of inputs that are read often and rarely change: the layout, and the files of the
/// workspace. Only the sources of files that are being edited have a lower durability, so an edit
/// does not revalidate queries that depend on none of these.
const WORKSPACE_DURABILITY: Durability = Durability::MEDIUM;

fn durability_of(origin: ModuleOrigin) -> Durability {
    match origin {
        ModuleOrigin::Workspace => WORKSPACE_DURABILITY,
        ModuleOrigin::Installed | ModuleOrigin::Library => Durability::HIGH,
    }
}

fn files_of(environment: &EnvironmentLayout) -> impl Iterator<Item = FileId> {
    let modules = environment.modules.iter();
    let of_modules = modules.flat_map(|it| it.files.values().copied());
    let manifests = environment.manifests.iter().copied();
    let others = environment.others.iter().copied();
    of_modules.chain(manifests).chain(others)
}
