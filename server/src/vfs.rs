//! The virtual file system: maps paths to [`FileId`]s and holds the files on disk.
//!
//! A path gets an ID when it is first mentioned and keeps it. [`crate::workspace::Loader`] reads
//! the disk; this module turns its updates into files, their specs and the workspace layout. The
//! session manages open documents.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::{EnvironmentLayout, ModuleLayout, ModuleOrigin, WorkspaceLayout};
use analysis::{Change, FileId, FileSpec};
use rustc_hash::FxHashMap;
use syntax::Dialect;
use syntax::validation::ModulePlace;

use crate::config::Config;
use crate::paths::{AUTOLOADED, ModuleLocator, is_template};
use crate::rule_levels::RuleLevels;
use crate::workspace::{
    Discovery, EnvironmentKind, FoundEnvironment, FoundModule, LoadedText, WorkspaceUpdate,
};

/// All files on disk that the analysis knows, with their layout.
#[derive(Debug, Default)]
pub(crate) struct Vfs {
    ids: FxHashMap<Arc<Path>, FileId>,
    /// Indexed by file ID; `None` for files that are not on disk.
    paths: Arc<PathsById>,
    /// The files on disk whose text was read.
    files: FxHashMap<FileId, DiskFile>,
    layout: Arc<WorkspaceLayout>,
    discovery: Arc<Discovery>,
    levels: Arc<RuleLevels>,
    files_to_check: Arc<[FileId]>,
    /// Open documents without a path, which belong to the main environment if there is one.
    untitled: BTreeSet<FileId>,
}

/// The paths of files, indexed by file ID.
pub(crate) type PathsById = Vec<Option<Arc<Path>>>;

/// A file on disk whose text was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DiskFile {
    pub(crate) spec: FileSpec,
    pub(crate) text: LoadedText,
}

/// The effect of an update.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct VfsChanges {
    /// The files whose text or spec changed, or which were removed.
    pub(crate) files: BTreeSet<FileId>,
    /// The new layout, if it changed.
    pub(crate) layout: Option<Arc<WorkspaceLayout>>,
}

impl Vfs {
    /// Returns the ID of the file at an absolute path, and allocates one if necessary.
    pub(crate) fn file_id(&mut self, path: &Path) -> FileId {
        if let Some(id) = self.ids.get(path) {
            return *id;
        }
        let path: Arc<Path> = path.into();
        let id = self.next_id(Some(Arc::clone(&path)));
        self.ids.insert(path, id);
        id
    }

    /// Returns the ID of the file at a path if it already has one.
    pub(crate) fn id(&self, path: &Path) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// Allocates an ID for a file that is not on disk.
    pub(crate) fn unnamed_file(&mut self) -> FileId {
        self.next_id(None)
    }

    fn next_id(&mut self, path: Option<Arc<Path>>) -> FileId {
        // Four billion paths do not fit into memory.
        let id = FileId(u32::try_from(self.paths.len()).unwrap_or(u32::MAX));
        Arc::make_mut(&mut self.paths).push(path);
        id
    }

    pub(crate) fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(file.0 as usize)?.as_deref()
    }

    /// Returns a snapshot of the paths of all files.
    pub(crate) fn paths(&self) -> Arc<PathsById> {
        Arc::clone(&self.paths)
    }

    /// Returns the version of a file on disk.
    pub(crate) fn on_disk(&self, file: FileId) -> Option<&DiskFile> {
        self.files.get(&file)
    }

    /// Returns the spec of a file: from the workspace if it is in a module, otherwise from its path.
    pub(crate) fn spec(&self, path: &Path, file: FileId, locator: &ModuleLocator) -> FileSpec {
        let known = self.on_disk(file).map(|it| &it.spec);
        match known.filter(|it| it.place.is_some()) {
            Some(spec) => spec.clone(),
            None => locator.spec(path),
        }
    }

    /// Returns the change that sets a file to its version on disk.
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

    /// Converts the effect of an update into changes of the analysis.
    pub(crate) fn changes(&self, different: VfsChanges) -> impl Iterator<Item = Change> {
        // The layout comes first: it determines the durability of files.
        let layout = different.layout.map(Change::SetWorkspace);
        let files = different.files.into_iter().map(|it| self.change(it));
        layout.into_iter().chain(files)
    }

    pub(crate) fn discovery(&self) -> &Discovery {
        &self.discovery
    }

    /// Returns [`Vfs::discovery`] as a shared pointer.
    pub(crate) fn discovered(&self) -> Arc<Discovery> {
        Arc::clone(&self.discovery)
    }

    /// Iterates over the paths and texts of all files on disk, in arbitrary order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        let files = self.files.iter();
        files.filter_map(|(id, file)| Some((self.path(*id)?, &*file.text.text)))
    }

    /// Returns the levels of the rules in the projects of the files.
    pub(crate) fn levels(&self) -> Arc<RuleLevels> {
        Arc::clone(&self.levels)
    }

    /// Returns the Puppet files of the workspace's own projects, which are the ones to be checked,
    /// in arbitrary order.
    pub(crate) fn files_to_check(&self) -> Arc<[FileId]> {
        Arc::clone(&self.files_to_check)
    }

    /// Returns the configuration of the first project.
    pub(crate) fn config(&self) -> Option<&Config> {
        Some(&self.discovery.environments.first()?.config)
    }

    /// Iterates over the root directories of all environments.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.discovery
            .environments
            .iter()
            .map(|it| it.root.as_path())
    }

    /// Returns the path under which the workspace knows the file at `path`: the two differ if one
    /// of them goes through a symbolic link.
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

    /// Sets the open documents without a path. Returns the changes of the analysis.
    pub(crate) fn set_untitled(&mut self, files: BTreeSet<FileId>) -> Option<Change> {
        if self.untitled == files {
            return None;
        }
        self.untitled = files;
        let layout = self.new_layout().map(Change::SetWorkspace);
        self.levels = Arc::new(self.new_levels());
        layout
    }

    fn new_levels(&self) -> RuleLevels {
        RuleLevels::new(&self.layout, &self.discovery, |it| self.path(it))
    }

    /// Applies an update of the loader.
    pub(crate) fn apply(&mut self, update: WorkspaceUpdate) -> VfsChanges {
        let mut changes = VfsChanges::default();
        let mut texts: FxHashMap<FileId, LoadedText> = FxHashMap::default();
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
            self.levels = Arc::new(self.new_levels());
            let files = files_to_check(&self.layout);
            let paths: Vec<&Path> = files.iter().filter_map(|it| self.path(*it)).collect();
            let paths = self.discovery.without_excluded(paths).into_iter();
            let mut files: BTreeSet<FileId> = paths.filter_map(|it| self.id(it)).collect();
            files.extend(self.data_files());
            self.files_to_check = files.into_iter().collect();
        }
        changes
    }

    /// Applies new texts if nothing else has changed.
    fn set_texts(&mut self, texts: FxHashMap<FileId, LoadedText>, changed: &mut BTreeSet<FileId>) {
        for (id, text) in texts {
            if let Some(file) = self.files.get_mut(&id) {
                file.text = text;
                changed.insert(id);
            } else if let Some(spec) = self.specs().remove(&id) {
                self.set(id, DiskFile { spec, text }, changed);
            }
        }
    }

    /// Applies new texts if the set of files or their specs may have changed.
    fn set_all(
        &mut self,
        mut texts: FxHashMap<FileId, LoadedText>,
        changed: &mut BTreeSet<FileId>,
    ) {
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

    /// Returns the spec of each file with a text. The first environment wins for files that belong
    /// to several.
    fn specs(&mut self) -> FxHashMap<FileId, FileSpec> {
        let mut specs = FxHashMap::default();
        let discovery = Arc::clone(&self.discovery);
        for environment in &discovery.environments {
            for module in &environment.modules {
                for path in module.files.iter().filter(|it| module.has_text(it)) {
                    let id = self.file_id(&module.path_of(path));
                    specs
                        .entry(id)
                        .or_insert_with(|| spec_in_module(module, path));
                }
            }
            for path in environment.manifests.iter().chain(&environment.others) {
                let id = self.file_id(path);
                specs
                    .entry(id)
                    .or_insert_with(|| spec_outside_modules(path));
            }
        }
        specs
    }

    /// Returns the data files of the workspace.
    fn data_files(&self) -> Vec<FileId> {
        let paths = self.discovery.data_files();
        paths.iter().filter_map(|it| self.id(it)).collect()
    }

    /// Returns the layout if it changed. Unchanged modules keep their identity.
    fn new_layout(&mut self) -> Option<Arc<WorkspaceLayout>> {
        let discovery = Arc::clone(&self.discovery);
        let before = Arc::clone(&self.layout);
        let before = before.environments.iter().flat_map(|it| &it.modules);
        let mut modules: HashMap<&str, &Arc<ModuleLayout>> = HashMap::new();
        for module in before {
            modules.entry(&module.folder).or_insert(module);
        }
        let environments = discovery.environments.iter();
        let environments = environments.map(|it| self.environment(it, &modules));
        let mut environments: Vec<EnvironmentLayout> = environments.collect();
        let main = main_environment(&discovery).and_then(|it| environments.get_mut(it));
        if let Some(main) = main {
            main.others.extend(&self.untitled);
        }
        let layout = WorkspaceLayout { environments };
        if layout == *self.layout {
            return None;
        }
        self.layout = Arc::new(layout);
        Some(Arc::clone(&self.layout))
    }

    fn environment(
        &mut self,
        found: &FoundEnvironment,
        before: &HashMap<&str, &Arc<ModuleLayout>>,
    ) -> EnvironmentLayout {
        let modules = found.modules.iter().map(|it| {
            let mut module = self.module(it);
            module.dependencies.extend(found.absent_for_tests(it));
            module.is_project = found.kind == EnvironmentKind::Environment && it.root == found.root;
            match before.get(module.folder.as_str()) {
                Some(old) if ***old == module => Arc::clone(old),
                _ => Arc::new(module),
            }
        });
        EnvironmentLayout {
            name: found.root.display().to_string(),
            modules: modules.collect(),
            manifests: found.manifests.iter().map(|it| self.file_id(it)).collect(),
            others: found.others.iter().map(|it| self.file_id(it)).collect(),
            modulepath: found.modulepath_kind,
            missing: found.missing.clone(),
            required_versions: found.required_versions(),
            other_versions: found.other_versions(),
            disabled_rules: found.config.rules.disabled_rules(),
            indents_continuations: found.config.format.options().indent_continuations,
        }
    }

    fn module(&mut self, found: &FoundModule) -> ModuleLayout {
        let files = found.files.iter();
        let files = files.map(|it| (it.clone(), self.file_id(&found.path_of(it))));
        ModuleLayout {
            name: found.name.clone(),
            folder: found.root.display().to_string(),
            files: files.collect(),
            origin: found.origin,
            dependencies: found.dependencies.clone(),
            absent: found.absent.clone(),
            is_project: false,
        }
    }
}

/// Returns the index of the environment whose directory contains those of all others, apart from files outside of
/// projects.
fn main_environment(discovery: &Discovery) -> Option<usize> {
    let environments = discovery.environments.iter().enumerate();
    let projects: Vec<_> = environments.filter(|it| !it.1.is_single_file()).collect();
    let is_around_all = |root: &Path| projects.iter().all(|it| it.1.root.starts_with(root));
    let main = projects.iter().find(|it| is_around_all(&it.1.root));
    main.map(|it| it.0)
}

/// Returns the Puppet files of a layout, except those of installed modules and libraries.
fn files_to_check(layout: &WorkspaceLayout) -> BTreeSet<FileId> {
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
    found
}

/// Returns the spec of a file of a module. `path` is relative to the root of the module.
fn spec_in_module(module: &FoundModule, path: &str) -> FileSpec {
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

/// Returns the spec of a file outside of all modules.
fn spec_outside_modules(path: &Path) -> FileSpec {
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
