//! The database: what is given from outside (inputs), and the trees made of it. All other queries
//! are in the rooms that they belong to.
//!
//! A query that others depend on returns nothing that moves when text in front of it changes:
//! trees without positions, ranges relative to an item, names. Offsets are read last.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::{Database, Durability, Setter};
use syntax::Parse;
use syntax::validation::PuppetVersion;

use crate::host::{FileId, FileSpec};
use crate::workspace::{Environment, Module, ModuleOrigin, WorkspaceLayout};

/// A file of the world. It is never forgotten: one that is gone has no text.
#[salsa::input(debug)]
pub(crate) struct FileInput {
    /// What it is called outside.
    #[returns(copy)]
    pub(crate) id: FileId,
    /// All of its text; nothing if it is gone, or of a kind that nobody reads.
    content: Content,
    /// What it is besides its text.
    pub(crate) spec: FileSpec,
    /// The environment that it belongs to.
    #[returns(copy)]
    pub(crate) environment: Option<EnvironmentInput>,
    /// The module that it lies in.
    #[returns(copy)]
    pub(crate) module: Option<ModuleInput>,
}

/// The text of a file, with what may help to read it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Content {
    text: Option<Arc<str>>,
    /// Of a file that is being edited: the last text without errors before, and its tree.
    before: Option<(Arc<str>, Parse)>,
}

impl FileInput {
    /// All of its text; nothing if it is gone, or of a kind that nobody reads.
    pub(crate) fn text(self, db: &dyn Database) -> &Option<Arc<str>> {
        &self.content(db).text
    }
}

/// A module.
#[salsa::input(debug)]
pub(crate) struct ModuleInput {
    /// What its definitions begin with.
    pub(crate) name: Arc<str>,
    /// What it is called in messages.
    pub(crate) folder: Arc<str>,
    /// Where it comes from.
    #[returns(copy)]
    pub(crate) origin: ModuleOrigin,
    /// Its files by their paths in it.
    pub(crate) files: Arc<BTreeMap<String, FileInput>>,
    /// The modules that it says it needs.
    pub(crate) dependencies: Arc<[String]>,
}

/// Code that is compiled together.
#[salsa::input(debug)]
pub(crate) struct EnvironmentInput {
    /// Its main manifest.
    pub(crate) manifests: Arc<[FileInput]>,
    /// Its modules by their names, and as they lie on the modulepath.
    pub(crate) modules: Arc<BTreeMap<String, ModuleInput>>,
    /// Whether its modulepath is known.
    #[returns(copy)]
    pub(crate) complete: bool,
}

/// What is the same for all files.
#[salsa::input(singleton, debug)]
pub(crate) struct SettingsInput {
    /// Whose rules apply.
    #[returns(copy)]
    pub(crate) version: PuppetVersion,
}

/// The tree of a file, and what is wrong with its text.
#[salsa::tracked(lru = 256)]
pub(crate) fn parse(db: &dyn Database, file: FileInput) -> Parse {
    let text = file.text(db).as_deref().unwrap_or_default();
    let dialect = file.spec(db).dialect;
    match &file.content(db).before {
        Some((before, tree)) => tree.reparse(before, text, dialect),
        None => syntax::parse(text, dialect),
    }
}

/// A tree of another text that a file might have for a moment, in which a word is being written.
pub(crate) fn parse_near(db: &dyn Database, file: FileInput, text: &str) -> Parse {
    let dialect = file.spec(db).dialect;
    let tree = parse(db, file);
    if tree.errors().is_empty() {
        let own = file.text(db).as_deref().unwrap_or_default();
        return tree.reparse_near(own, text, dialect);
    }
    match &file.content(db).before {
        Some((before, tree)) => tree.reparse_near(before, text, dialect),
        None => syntax::parse(text, dialect),
    }
}

/// All state.
#[salsa::db]
#[derive(Clone, Default)]
pub(crate) struct RootDatabase {
    storage: salsa::Storage<Self>,
    files: Arc<FxHashMap<FileId, FileInput>>,
    /// Those that are being edited.
    edited: Arc<FxHashSet<FileId>>,
    /// By their folders.
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
    /// With nothing in it.
    pub(crate) fn new() -> RootDatabase {
        RootDatabase::with(None)
    }

    /// Tells `watcher` which queries run.
    pub(crate) fn with(watcher: Option<Box<dyn Fn(salsa::Event) + Send + Sync>>) -> RootDatabase {
        let db = RootDatabase {
            storage: salsa::Storage::new(watcher),
            ..RootDatabase::default()
        };
        let settings = SettingsInput::builder(PuppetVersion::default());
        let _ = settings.durability(Durability::HIGH).new(&db);
        db
    }

    /// A file that was named before.
    pub(crate) fn file(&self, id: FileId) -> Option<FileInput> {
        self.files.get(&id).copied()
    }

    /// All environments, in the order of the layout.
    pub(crate) fn environments(&self) -> &[EnvironmentInput] {
        &self.environments[..self.layout.environments.len()]
    }

    pub(crate) fn set_version(&mut self, version: PuppetVersion) {
        let settings = SettingsInput::get(self);
        if settings.version(self) != version {
            settings.set_version(self).to(version);
        }
    }

    pub(crate) fn set_file(&mut self, id: FileId, spec: FileSpec, text: Arc<str>) {
        let file = self.file_or_new(id);
        let was_edited = Arc::make_mut(&mut self.edited).remove(&id);
        let durability = self.durability(file);
        self.set_text(file, spec, text, durability, was_edited);
    }

    /// The same for a file that is being edited: its text is going to change again soon.
    pub(crate) fn edit_file(&mut self, id: FileId, spec: FileSpec, text: Arc<str>) {
        let file = self.file_or_new(id);
        let is_first = Arc::make_mut(&mut self.edited).insert(id);
        self.set_text(file, spec, text, Durability::LOW, is_first);
    }

    /// Sets what is different, and the text in any case if its `durability` is another one: that
    /// it is has its price once, when all that rests on the file is computed again.
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
            let content = Content {
                before: is_edited.then(|| self.read_before(file)).flatten(),
                text: Some(text),
            };
            file.set_content(self)
                .with_durability(durability)
                .to(content);
        }
    }

    /// The last text of a file without errors with its tree, before it becomes another one.
    fn read_before(&self, file: FileInput) -> Option<(Arc<str>, Parse)> {
        let tree = parse(self, file);
        if !tree.errors().is_empty() {
            return file.content(self).before.clone();
        }
        let text = Arc::clone(file.text(self).as_ref()?);
        Some((text, tree.clone()))
    }

    pub(crate) fn remove_file(&mut self, id: FileId) {
        let known = self.file(id);
        if let Some(file) = known.filter(|it| it.text(self).is_some()) {
            file.set_content(self).to(Content::default());
        }
    }

    /// How durable the text of a file is that nobody edits.
    fn durability(&self, file: FileInput) -> Durability {
        let module = file.module(self);
        module.map_or(OFTEN_READ, |it| durability_of(it.origin(self)))
    }

    fn file_or_new(&mut self, id: FileId) -> FileInput {
        if let Some(file) = self.file(id) {
            return file;
        }
        let file = FileInput::builder(id, Content::default(), FileSpec::default(), None, None);
        let file = file.durability(OFTEN_READ).new(self);
        Arc::make_mut(&mut self.files).insert(id, file);
        file
    }

    /// Takes in a layout; inputs that stay as they are are not touched.
    pub(crate) fn set_workspace(&mut self, layout: Arc<WorkspaceLayout>) {
        if layout == self.layout {
            return;
        }
        let old = std::mem::replace(&mut self.layout, Arc::clone(&layout));
        let mut placed = FxHashSet::default();
        for (index, environment) in layout.environments.iter().enumerate() {
            let input = self.environment_or_new(index);
            self.set_environment(input, environment, &mut placed);
        }
        for file in old.environments.iter().flat_map(files_of) {
            if let Some(file) = self.file(file).filter(|it| !placed.contains(it)) {
                self.place(file, None, None);
            }
        }
    }

    fn environment_or_new(&mut self, index: usize) -> EnvironmentInput {
        if let Some(known) = self.environments.get(index) {
            return *known;
        }
        let input = EnvironmentInput::builder(Arc::new([]), Arc::default(), false);
        let input = input.durability(OFTEN_READ).new(self);
        Arc::make_mut(&mut self.environments).push(input);
        input
    }

    fn set_environment(
        &mut self,
        input: EnvironmentInput,
        environment: &Environment,
        placed: &mut FxHashSet<FileInput>,
    ) {
        let mut modules = BTreeMap::new();
        for module in &environment.modules {
            let known = self.set_module(module);
            let files = Arc::clone(known.files(self));
            for file in files.values().copied() {
                if placed.insert(file) {
                    self.place(file, Some(input), Some(known));
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
        for file in loose {
            if placed.insert(file) {
                self.place(file, Some(input), None);
            }
        }
        if **input.manifests(self) != *manifests {
            input.set_manifests(self).to(manifests.into());
        }
        if **input.modules(self) != modules {
            input.set_modules(self).to(Arc::new(modules));
        }
        if input.complete(self) != environment.complete {
            input.set_complete(self).to(environment.complete);
        }
    }

    fn set_module(&mut self, module: &Module) -> ModuleInput {
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
        known
    }

    fn place(
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

/// How durable what is read all the time and seldom changes is: the layout, and the files of the
/// workspace. What depends on nothing else is not looked at when a file is edited: only the texts of
/// files that are being edited have the lowest durability.
const OFTEN_READ: Durability = Durability::MEDIUM;

fn durability_of(origin: ModuleOrigin) -> Durability {
    match origin {
        ModuleOrigin::Workspace => OFTEN_READ,
        ModuleOrigin::Installed | ModuleOrigin::Library => Durability::HIGH,
    }
}

fn files_of(environment: &Environment) -> impl Iterator<Item = FileId> {
    let modules = environment.modules.iter();
    let of_modules = modules.flat_map(|it| it.files.values().copied());
    let manifests = environment.manifests.iter().copied();
    let others = environment.others.iter().copied();
    of_modules.chain(manifests).chain(others)
}
