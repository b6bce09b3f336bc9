//! Files and their numbers: what the disk holds, as the analysis knows it.
//!
//! A file has a number as soon as anybody speaks of it, and keeps it. The disk is read elsewhere
//! ([`crate::workspace::Loader`]); here what was read becomes files, their specs and the layout.
//! Open documents are the session's business.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::workspace::{Environment, Module, ModuleOrigin, WorkspaceLayout};
use analysis::{Change, FileId, FileSpec};
use rustc_hash::FxHashMap;
use syntax::Dialect;
use syntax::validation::ModulePlace;

use crate::config::Config;
use crate::levels::Levels;
use crate::place::{AUTOLOADED, is_template};
use crate::workspace::{Discovery, FoundEnvironment, FoundModule, Text, Update};

/// The files of the world.
#[derive(Debug, Default)]
pub(crate) struct Vfs {
    ids: FxHashMap<Arc<Path>, FileId>,
    /// By the number of the file; none for what is on no disk.
    paths: Arc<Paths>,
    /// What is on the disk and has a text.
    files: FxHashMap<FileId, DiskFile>,
    layout: Arc<WorkspaceLayout>,
    discovery: Arc<Discovery>,
    levels: Arc<Levels>,
    worked_on: Arc<[FileId]>,
}

/// Where files are, by their numbers.
pub(crate) type Paths = Vec<Option<Arc<Path>>>;

/// A file of the disk that has a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DiskFile {
    /// What it is.
    pub(crate) spec: FileSpec,
    /// What it held when it was read.
    pub(crate) text: Text,
}

/// What is different after an update.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Changes {
    /// Files that have other texts or specs, or no text any more.
    pub(crate) files: BTreeSet<FileId>,
    /// The layout, if it is another one.
    pub(crate) layout: Option<Arc<WorkspaceLayout>>,
}

impl Vfs {
    /// The number of the file at a path from the root.
    pub(crate) fn file_id(&mut self, path: &Path) -> FileId {
        if let Some(id) = self.ids.get(path) {
            return *id;
        }
        let path: Arc<Path> = path.into();
        let id = self.next_id(Some(Arc::clone(&path)));
        self.ids.insert(path, id);
        id
    }

    /// The number of the file at a path, if anybody has spoken of it.
    pub(crate) fn id(&self, path: &Path) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// The number of a file that is on no disk: another one each time.
    pub(crate) fn unnamed_file(&mut self) -> FileId {
        self.next_id(None)
    }

    fn next_id(&mut self, path: Option<Arc<Path>>) -> FileId {
        // Four billion paths do not fit into memory.
        let id = FileId(u32::try_from(self.paths.len()).unwrap_or(u32::MAX));
        Arc::make_mut(&mut self.paths).push(path);
        id
    }

    /// Where a file is.
    pub(crate) fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(file.0 as usize)?.as_deref()
    }

    /// Where all files are, as it is now.
    pub(crate) fn paths(&self) -> Arc<Paths> {
        Arc::clone(&self.paths)
    }

    /// What the disk holds in the place of a file.
    pub(crate) fn on_disk(&self, file: FileId) -> Option<&DiskFile> {
        self.files.get(&file)
    }

    /// What the disk holds in the place of a file, for the analysis.
    pub(crate) fn change(&self, file: FileId) -> Change {
        match self.files.get(&file).cloned() {
            Some(DiskFile { spec, text }) => Change::SetFile {
                file,
                spec,
                text: text.text,
            },
            None => Change::RemoveFile(file),
        }
    }

    /// What is different by now, for the analysis.
    pub(crate) fn changes(&self, different: Changes) -> impl Iterator<Item = Change> {
        // The layout first: it says how often which files change.
        let layout = different.layout.map(Change::SetWorkspace);
        let files = different.files.into_iter().map(|it| self.change(it));
        layout.into_iter().chain(files)
    }

    /// What was found on the disk.
    pub(crate) fn discovery(&self) -> &Discovery {
        &self.discovery
    }

    /// The same, to keep.
    pub(crate) fn discovered(&self) -> Arc<Discovery> {
        Arc::clone(&self.discovery)
    }

    /// The paths of all files of the disk that have a text, and their texts, in no order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        let files = self.files.iter();
        files.filter_map(|(id, file)| Some((self.path(*id)?, &*file.text.text)))
    }

    /// How much the rules matter to the projects of the files.
    pub(crate) fn levels(&self) -> Arc<Levels> {
        Arc::clone(&self.levels)
    }

    /// The Puppet code that is worked on, in which mistakes are looked for, in no order.
    pub(crate) fn worked_on(&self) -> Arc<[FileId]> {
        Arc::clone(&self.worked_on)
    }

    /// What the first project wants.
    pub(crate) fn config(&self) -> Option<&Config> {
        Some(&self.discovery.environments.first()?.config)
    }

    /// The folders of all environments.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.discovery
            .environments
            .iter()
            .map(|it| it.root.as_path())
    }

    /// The path by which the workspace knows a file that is called `path` here: the two differ
    /// if one of them leads over a link.
    pub(crate) fn known_path(&self, path: &Path) -> Option<PathBuf> {
        if self.ids.contains_key(path) {
            return Some(path.to_owned());
        }
        let real = path.canonicalize().ok()?;
        let environments = self.discovery.environments.iter();
        let mut modules = environments.flat_map(|it| &it.modules);
        modules.find_map(|module| {
            let known = module.root.join(real.strip_prefix(&module.real).ok()?);
            self.ids.contains_key(&*known).then_some(known)
        })
    }

    /// Takes in what was read.
    pub(crate) fn apply(&mut self, update: Update) -> Changes {
        let mut changes = Changes::default();
        let mut texts: FxHashMap<FileId, Text> = FxHashMap::default();
        for path in update.removed {
            let id = self.file_id(&path);
            self.remove(id, &mut changes.files);
        }
        for (path, text) in update.texts {
            let id = self.file_id(&path);
            match text {
                Some(text) => drop(texts.insert(id, text)),
                None => self.remove(id, &mut changes.files),
            }
        }
        let same = Arc::ptr_eq(&self.discovery, &update.discovery);
        self.discovery = update.discovery;
        if same {
            self.set_texts(texts, &mut changes.files);
        } else {
            self.set_all(texts, &mut changes.files);
            changes.layout = self.new_layout();
            self.levels = Arc::new(Levels::new(&self.layout, &self.discovery));
            self.worked_on = worked_on(&self.layout);
        }
        changes
    }

    /// Takes in texts where nothing else is new.
    fn set_texts(&mut self, texts: FxHashMap<FileId, Text>, changed: &mut BTreeSet<FileId>) {
        for (id, text) in texts {
            if let Some(file) = self.files.get_mut(&id) {
                file.text = text;
                changed.insert(id);
            } else if let Some(spec) = self.specs().remove(&id) {
                self.set(id, DiskFile { spec, text }, changed);
            }
        }
    }

    /// Takes in texts where files may be other ones than before, or other things.
    fn set_all(&mut self, mut texts: FxHashMap<FileId, Text>, changed: &mut BTreeSet<FileId>) {
        for (id, spec) in self.specs() {
            let before = || Some(self.files.get(&id)?.text.clone());
            if let Some(text) = texts.remove(&id).or_else(before) {
                self.set(id, DiskFile { spec, text }, changed);
            }
        }
    }

    fn remove(&mut self, id: FileId, changed: &mut BTreeSet<FileId>) {
        if self.files.remove(&id).is_some() {
            changed.insert(id);
        }
    }

    fn set(&mut self, id: FileId, file: DiskFile, changed: &mut BTreeSet<FileId>) {
        if self.files.get(&id) != Some(&file) {
            self.files.insert(id, file);
            changed.insert(id);
        }
    }

    /// What each file with a text is; if a file lies in several environments, the first one says.
    fn specs(&mut self) -> FxHashMap<FileId, FileSpec> {
        let mut specs = FxHashMap::default();
        let discovery = Arc::clone(&self.discovery);
        for environment in &discovery.environments {
            for module in &environment.modules {
                for path in module.files.iter().filter(|it| module.has_text(it)) {
                    let id = self.file_id(&module.path_of(path));
                    specs.entry(id).or_insert_with(|| in_module(module, path));
                }
            }
            for path in environment.manifests.iter().chain(&environment.others) {
                let id = self.file_id(path);
                specs.entry(id).or_insert_with(|| alone(path));
            }
        }
        specs
    }

    /// The layout, if it is another one. Modules that are the same stay the same objects.
    fn new_layout(&mut self) -> Option<Arc<WorkspaceLayout>> {
        let discovery = Arc::clone(&self.discovery);
        let before = Arc::clone(&self.layout);
        let before = before.environments.iter().flat_map(|it| &it.modules);
        let mut modules: HashMap<&str, &Arc<Module>> = HashMap::new();
        for module in before {
            modules.entry(&module.folder).or_insert(module);
        }
        let environments = discovery.environments.iter();
        let environments = environments.map(|it| self.environment(it, &modules));
        let layout = WorkspaceLayout {
            environments: environments.collect(),
        };
        if layout == *self.layout {
            return None;
        }
        self.layout = Arc::new(layout);
        Some(Arc::clone(&self.layout))
    }

    fn environment(
        &mut self,
        found: &FoundEnvironment,
        before: &HashMap<&str, &Arc<Module>>,
    ) -> Environment {
        let modules = found.modules.iter().map(|it| {
            let module = self.module(it);
            match before.get(module.folder.as_str()) {
                Some(old) if ***old == module => Arc::clone(old),
                _ => Arc::new(module),
            }
        });
        Environment {
            name: found.root.display().to_string(),
            modules: modules.collect(),
            manifests: found.manifests.iter().map(|it| self.file_id(it)).collect(),
            others: found.others.iter().map(|it| self.file_id(it)).collect(),
            complete: found.complete,
        }
    }

    fn module(&mut self, found: &FoundModule) -> Module {
        let files = found.files.iter();
        let files = files.map(|it| (it.clone(), self.file_id(&found.path_of(it))));
        Module {
            name: found.name.clone(),
            folder: found.root.display().to_string(),
            files: files.collect(),
            origin: found.origin,
            dependencies: found.dependencies.clone(),
        }
    }
}

/// The Puppet code of a layout that no tool put there and that lies not outside.
fn worked_on(layout: &WorkspaceLayout) -> Arc<[FileId]> {
    let is_code = |path: &str| path.ends_with(".pp") || path.ends_with(".epp");
    let mut found = BTreeSet::new();
    for environment in &layout.environments {
        found.extend(environment.manifests.iter().chain(&environment.others));
        let modules = environment.modules.iter();
        for module in modules.filter(|it| it.origin == ModuleOrigin::Workspace) {
            let code = module.files.iter().filter(|it| is_code(it.0));
            found.extend(code.map(|it| *it.1));
        }
    }
    found.into_iter().collect()
}

/// What a file at a path from the root of a module is.
fn in_module(module: &FoundModule, path: &str) -> FileSpec {
    let first = path.split('/').next().unwrap_or_default();
    let is_autoloaded = path.len() > first.len() && AUTOLOADED.contains(&first);
    let is_placed = is_autoloaded && !module.is_environment;
    FileSpec {
        dialect: Dialect {
            epp: path.ends_with(".epp"),
            tasks: first == "plans" && is_autoloaded,
        },
        place: is_placed.then(|| ModulePlace {
            module_names: module.names.clone(),
            path: path.to_owned(),
        }),
    }
}

/// What a file is that lies in no module.
fn alone(path: &Path) -> FileSpec {
    FileSpec {
        dialect: Dialect {
            epp: is_template(path),
            tasks: path.iter().any(|it| it == "plans"),
        },
        place: None,
    }
}

#[cfg(test)]
mod tests;
