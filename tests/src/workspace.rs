//! Workspaces for tests of several files: built in memory, or read from Debian's modules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use analysis::base::Diagnostic;
use analysis::base::{
    EnvironmentLayout, ModuleLayout, ModuleOrigin, ModulepathKind, WorkspaceLayout,
};
use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec, rules};
use serde_json::Value;
use syntax::Severity;
use syntax::validation::{ModulePlace, PuppetVersion};

use crate::corpus::dialect;

/// The directories of a module that are loaded.
const MODULE_DIRECTORIES: [&str; 9] = [
    "manifests",
    "functions",
    "types",
    "plans",
    "templates",
    "files",
    "facts.d",
    "lib",
    "data",
];

/// The name of the module with the files of the environment.
const ENVIRONMENT: &str = "environment";

/// A module and its files.
#[derive(Clone, Debug, Default)]
pub struct TestModule {
    /// The name.
    pub name: String,
    /// The name of its directory.
    pub folder: String,
    /// The prefixes of its definitions.
    pub names: Vec<String>,
    /// The version in its metadata.
    pub version: String,
    /// The names of its dependencies.
    pub dependencies: Vec<String>,
    /// The files by relative path; `None` for those whose content is not loaded.
    pub files: BTreeMap<String, Option<String>>,
}

/// A workspace with one environment whose modulepath is known.
#[derive(Debug)]
pub struct TestWorkspace {
    host: AnalysisHost,
    /// The files by folder and path.
    ids: BTreeMap<String, FileId>,
    specs: BTreeMap<FileId, FileSpec>,
    layout: WorkspaceLayout,
}

/// A diagnostic with its line, counted from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineDiagnostic {
    /// The line of its start.
    pub line: usize,
    /// The severity.
    pub severity: Severity,
    /// The code of the rule.
    pub code: &'static str,
    /// The message.
    pub message: String,
}

impl LineDiagnostic {
    /// Checks whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl TestWorkspace {
    /// Creates a workspace that is a directory of modules. Only rules about style are off.
    pub fn new(modules: &[TestModule]) -> TestWorkspace {
        let mut workspace = TestWorkspace::with_modulepath(modules, ModulepathKind::OfDependencies);
        let style = rules::all().filter(|it| !it.group.is_on_by_default());
        let style: BTreeSet<String> = style.map(|it| it.code.to_owned()).collect();
        for environment in &mut workspace.layout.environments {
            environment.disabled_rules.clone_from(&style);
        }
        workspace.set_layout();
        workspace
    }

    /// Creates a control repository with these modules. The manifests of the module `environment` are the main
    /// manifests. All rules are on.
    pub fn control_repository(modules: &[TestModule]) -> TestWorkspace {
        TestWorkspace::with_modulepath(modules, ModulepathKind::OfEnvironment)
    }

    fn with_modulepath(modules: &[TestModule], modulepath: ModulepathKind) -> TestWorkspace {
        let mut workspace = TestWorkspace {
            host: AnalysisHost::default(),
            ids: BTreeMap::new(),
            specs: BTreeMap::new(),
            layout: WorkspaceLayout::default(),
        };
        let placed = modules.iter().map(|it| workspace.add_module(it));
        let mut placed: Vec<ModuleLayout> = placed.collect();
        let own = placed.iter_mut().find(|it| it.name == ENVIRONMENT);
        let manifests = own.map_or_else(Vec::new, main_manifests);
        let environment = EnvironmentLayout {
            name: "test".to_owned(),
            manifests,
            modules: placed.into_iter().map(Arc::new).collect(),
            modulepath,
            ..EnvironmentLayout::default()
        };
        let layout = WorkspaceLayout {
            environments: vec![environment],
        };
        workspace.layout = layout;
        workspace.set_layout();
        for module in modules {
            for (path, text) in &module.files {
                if let Some(text) = text {
                    workspace.set(&format!("{}/{path}", module.folder), text);
                }
            }
        }
        workspace
    }

    /// Sets the version of Puppet whose semantics apply; by default, the latest.
    pub fn set_version(&mut self, version: PuppetVersion) {
        self.host.apply_change(Change::SetVersion(version));
    }

    fn set_layout(&mut self) {
        let layout = Arc::new(self.layout.clone());
        self.host.apply_change(Change::SetWorkspace(layout));
    }

    /// Returns the path of a file, starting with the folder of its module.
    pub fn path(&self, file: FileId) -> Option<&str> {
        let mut ids = self.ids.iter();
        ids.find(|it| *it.1 == file).map(|it| it.0.as_str())
    }

    /// Moves a file within its module.
    pub fn move_file(&mut self, file: FileId, from: &str, to: &str) {
        let Some(old) = self.path(file).map(str::to_owned) else {
            return;
        };
        let text = self.text(&old);
        let new = old.replace(from, to);
        self.ids.remove(&old);
        self.ids.insert(new.clone(), file);
        if let Some(place) = self.specs.get_mut(&file).and_then(|it| it.place.as_mut()) {
            to.clone_into(&mut place.path);
        }
        for environment in &mut self.layout.environments {
            for module in &mut environment.modules {
                if module.files.get(from) == Some(&file) {
                    let files = &mut Arc::make_mut(module).files;
                    files.remove(from);
                    files.insert(to.to_owned(), file);
                }
            }
        }
        self.set_layout();
        if let Some(text) = text {
            self.set(&new, &text);
        }
    }

    fn add_module(&mut self, module: &TestModule) -> ModuleLayout {
        let mut files = BTreeMap::new();
        for path in module.files.keys() {
            let id = FileId(u32::try_from(self.ids.len()).unwrap_or(u32::MAX));
            let place = ModulePlace {
                module_names: module.names.clone(),
                path: path.clone(),
            };
            let full = format!("{}/{path}", module.folder);
            let autoloaded = ["manifests/", "functions/", "types/", "plans/"];
            let spec = FileSpec {
                dialect: dialect(&full),
                place: (autoloaded.iter().any(|it| path.starts_with(it))
                    && !is_main_manifest(&module.name, path))
                .then_some(place),
            };
            self.specs.insert(id, spec);
            self.ids.insert(full, id);
            files.insert(path.clone(), id);
        }
        ModuleLayout {
            name: module.name.clone(),
            folder: module.folder.clone(),
            files,
            origin: ModuleOrigin::Workspace,
            dependencies: module.dependencies.clone(),
            absent: BTreeSet::new(),
            is_project: false,
        }
    }

    /// Returns the paths of all files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }

    /// Returns the file at a path.
    pub fn id(&self, path: &str) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// Replaces the text of the file at a path. Ignores unknown paths.
    pub fn set(&mut self, path: &str, text: &str) {
        let Some(file) = self.id(path) else { return };
        let spec = self.specs.get(&file).cloned().unwrap_or_default();
        let text = text.into();
        self.host.apply_change(Change::SetFile { file, spec, text });
    }

    /// Returns a snapshot of the current state.
    pub fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    /// Returns the diagnostics of the file at a path.
    pub fn diagnostics(&self, path: &str) -> Vec<Diagnostic> {
        let file = self.id(path);
        file.map(|it| self.analysis().diagnostics(it))
            .unwrap_or_default()
    }

    /// Returns the text of the file at a path.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        self.analysis().text(self.id(path)?)
    }

    /// Returns the diagnostics of the file at a path with their lines, ordered by position.
    pub fn found(&self, path: &str) -> Vec<LineDiagnostic> {
        let analysis = self.analysis();
        let file = self.id(path);
        let text = file.and_then(|it| analysis.text(it)).unwrap_or_default();
        let line = |it: &Diagnostic| {
            let before = &text.as_bytes()[..usize::from(it.range.start())];
            before.iter().filter(|it| **it == b'\n').count() + 1
        };
        let found = file.map(|it| analysis.diagnostics(it));
        let found = found.into_iter().flatten();
        found
            .map(|it| LineDiagnostic {
                line: line(&it),
                severity: it.severity,
                code: it.code,
                message: it.message,
            })
            .collect()
    }
}

fn is_main_manifest(module: &str, path: &str) -> bool {
    module == ENVIRONMENT && path.starts_with("manifests/")
}

/// Removes the main manifests from the files of the environment and returns them.
fn main_manifests(environment: &mut ModuleLayout) -> Vec<FileId> {
    let all = std::mem::take(&mut environment.files);
    let (manifests, others) = all
        .into_iter()
        .partition(|it| is_main_manifest(ENVIRONMENT, &it.0));
    environment.files = others;
    let manifests: BTreeMap<String, FileId> = manifests;
    manifests.into_values().collect()
}

/// Reads all modules in a directory.
///
/// # Errors
/// If a directory or file cannot be read.
pub fn read_modules(dir: &Path) -> io::Result<Vec<TestModule>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(read_module(&path)?);
        }
    }
    found.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(found)
}

/// Reads the module in a directory.
///
/// # Errors
/// If a directory or file cannot be read.
pub fn read_module(dir: &Path) -> io::Result<TestModule> {
    let folder = dir.file_name().unwrap_or_default();
    let folder = folder.to_string_lossy().into_owned();
    let metadata = fs::read_to_string(dir.join("metadata.json")).unwrap_or_default();
    let metadata = parse_metadata(&metadata);
    let name = metadata["name"].as_str().map(without_author);
    let name = name.unwrap_or_else(|| without_author(&folder));
    let mut files = BTreeMap::new();
    for part in MODULE_DIRECTORIES {
        let below = dir.join(part);
        if below.is_dir() {
            read_files(&below, part, &mut files)?;
        }
    }
    if !metadata.is_null() {
        files.insert("metadata.json".to_owned(), None);
    }
    let main = files.get("manifests/init.pp").and_then(Option::as_deref);
    let mut names = vec![name.clone()];
    names.extend(main.and_then(main_class));
    names.sort();
    names.dedup();
    Ok(TestModule {
        name,
        folder,
        names,
        version: metadata["version"].as_str().unwrap_or_default().to_owned(),
        dependencies: dependencies(&metadata),
        files,
    })
}

/// Parses the text of a `metadata.json`; `null` if it is invalid.
pub fn parse_metadata(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns the names of the dependencies in the metadata of a module.
pub fn dependencies(metadata: &Value) -> Vec<String> {
    let dependencies = metadata["dependencies"].as_array();
    let dependencies = dependencies.into_iter().flatten();
    dependencies
        .filter_map(|it| it["name"].as_str().map(without_author))
        .collect()
}

fn without_author(full: &str) -> String {
    let name = full.split_once(['-', '/']).map_or(full, |it| it.1);
    name.replace('-', "_")
}

/// Returns the name of the class in `init.pp`: in Debian's packages, some directories have the
/// metadata of another module.
fn main_class(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let rest = lines.find_map(|it| it.trim_start().strip_prefix("class "))?;
    let rest = rest.trim_start().trim_start_matches("::");
    let word = rest.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    word.into_iter()
        .next()
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
}

fn read_files(
    dir: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, Option<String>>,
) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let inside = format!("{prefix}/{name}");
        if path.is_dir() {
            read_files(&path, &inside, files)?;
            continue;
        }
        let is_text = inside.ends_with(".pp")
            || inside.ends_with(".epp")
            || (inside.starts_with("lib/") && inside.ends_with(".rb"))
            || inside.starts_with("templates/")
            || (inside.starts_with("data/") && inside.ends_with(".yaml"));
        let text = is_text.then(|| fs::read(&path)).transpose()?;
        let text = text.map(|it| String::from_utf8_lossy(&it).into_owned());
        files.insert(inside, text);
    }
    Ok(())
}
