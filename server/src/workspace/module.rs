//! Modules: their names, metadata and files.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use analysis::base::ModuleOrigin;
use analysis::hiera::{DataFormat, DataGap, Folders, HieraConfig};
use analysis::project::author;
use analysis::values::VersionRange;
use serde::Deserialize;

use super::absent_paths::AbsentPaths;
use super::limits::read_config;
use super::module_files::{self, LinkBounds, ModuleFiles};
use super::note::Note;
use super::required_version::{self, ModuleSource, RequiredModule, RequiredVersion};
use super::{fixtures, module_layout};
use crate::paths::{is_hidden, is_module_name};
use crate::read_text::read_text;

/// The files and directories of a module that are read.
const MODULE_PARTS: [&str; 13] = [
    "manifests",
    "functions",
    "types",
    "plans",
    "tasks",
    "templates",
    "files",
    "facts.d",
    "lib",
    "data",
    "hieradata",
    "hiera.yaml",
    "metadata.json",
];

/// The conventional directories of Hiera data.
const DATA_DIRECTORIES: [&str; 2] = ["data/", "hieradata/"];

/// The extensions of external facts that are text: data and scripts.
const FACT_EXTENSIONS: [&str; 13] = [
    "txt", "yaml", "yml", "json", "sh", "bash", "ksh", "zsh", "py", "rb", "pl", "ps1", "bat",
];

/// The directories that characterize a module: every module has at least one of them.
const MARKER_DIRECTORIES: [&str; 9] = [
    "manifests",
    "functions",
    "types",
    "plans",
    "tasks",
    "templates",
    "files",
    "facts.d",
    "lib",
];

/// The root directory of a module that has not been read yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ModuleRoot {
    /// The directory, with symbolic links not resolved.
    pub(super) path: PathBuf,
    pub(super) origin: ModuleOrigin,
    pub(super) naming: NameSource,
    /// The reason why it is one of the modules.
    pub(super) why: String,
}

/// The source of a module's name, which matters if the directory and the metadata differ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum NameSource {
    /// The name of the directory, as Puppet has it for modules on its modulepath.
    Modulepath,
    /// Probably the name of the directory.
    Folder,
    /// The name in the metadata, because the directory of a clone can have any name.
    Metadata,
    /// An explicit name.
    Given(String),
    /// The name of a Bolt project, whose data is that of the environment.
    Project(String),
    /// Not a real module, but the functions, types and data of an environment.
    Environment,
}

/// A module that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FoundModule {
    /// The name that its definitions start with.
    pub(crate) name: String,
    /// All names that its definitions may start with, sorted. For own code on the modulepath that is the
    /// name of the directory; else also those of the metadata and of the class in `init.pp`, which differ in
    /// some published packages.
    pub(crate) names: Vec<String>,
    /// The directory, with symbolic links not resolved.
    pub(crate) root: PathBuf,
    /// The directory, with symbolic links resolved.
    pub(crate) real: PathBuf,
    /// The version in its metadata.
    pub(crate) version: Option<String>,
    /// The source, according to its metadata.
    pub(crate) source: ModuleSource,
    pub(crate) origin: ModuleOrigin,
    /// Whether it is not a real module, but the functions, types and data of an environment.
    pub(crate) is_environment: bool,
    /// Whether its data is that of the environment.
    pub(super) has_environment_data: bool,
    /// The reason why it is one of the modules.
    pub(crate) why: String,
    /// The names of the dependencies in its metadata, without authors.
    pub(crate) dependencies: Vec<String>,
    /// The names of the modules that its tests need.
    pub(crate) for_tests: Vec<String>,
    /// The dependencies that its metadata requires, by their names without authors.
    pub(crate) required: Vec<(String, RequiredModule)>,
    /// The files, as paths relative to the root with slashes, sorted.
    pub(crate) files: Vec<String>,
    /// The subset of `files` that must not be read, sorted.
    pub(crate) unreadable: Vec<String>,
    /// The directories of Hiera data, relative to the root; the empty one is the root without directories.
    pub(crate) data_folders: Folders,
    /// The reasons why Hiera data may be elsewhere.
    pub(crate) data_gaps: Vec<DataGap>,
    /// The paths relative to the root that exist elsewhere, but not here.
    pub(crate) absent: BTreeSet<String>,
}

impl FoundModule {
    /// Creates a module of the workspace that does not exist on disk yet.
    pub(super) fn unsaved(name: String, root: PathBuf, why: String) -> FoundModule {
        FoundModule {
            names: vec![name.clone()],
            name,
            real: root.clone(),
            root,
            version: None,
            source: ModuleSource::default(),
            origin: ModuleOrigin::Workspace,
            is_environment: false,
            has_environment_data: false,
            why,
            dependencies: Vec::new(),
            for_tests: Vec::new(),
            required: Vec::new(),
            files: Vec::new(),
            unreadable: Vec::new(),
            data_folders: Folders::default(),
            data_gaps: Vec::new(),
            absent: BTreeSet::new(),
        }
    }

    /// Returns the full path of a file, given its path relative to the root.
    pub(crate) fn path_of(&self, path: &str) -> PathBuf {
        let mut full = self.root.clone();
        full.extend(path.split('/'));
        full
    }

    /// Returns the source of its metadata.
    pub(crate) fn metadata_source(&self) -> Option<String> {
        read_config(&self.root.join("metadata.json"), &mut Vec::new())
    }

    /// Checks whether the module has metadata that describes it.
    pub(super) fn has_metadata(&self) -> bool {
        self.version.is_some() || !self.dependencies.is_empty()
    }

    /// Returns the directories whose files belong to the module: its known parts if it is in the
    /// workspace, otherwise the whole directory.
    pub(super) fn claims(&self) -> Vec<PathBuf> {
        if self.origin != ModuleOrigin::Workspace {
            return vec![self.root.clone()];
        }
        let parts = parts(self.is_environment, &self.data_folders);
        parts.iter().map(|it| self.root.join(it)).collect()
    }

    /// Checks whether the text of a file is used, given its path relative to the root.
    pub(crate) fn has_text(&self, path: &str) -> bool {
        self.is_text(path)
            && self
                .unreadable
                .binary_search_by(|it| it.as_str().cmp(path))
                .is_err()
    }

    /// Checks whether the text of a file is used, if it can be read:
    ///
    /// * manifests and EPP templates anywhere
    /// * Ruby below `lib`
    /// * ERB below `templates`, where the templates of the workspace may have any name
    /// * the metadata of the module and of tasks, and plans in YAML
    /// * external facts and the scripts that print them
    /// * the data and configuration of Hiera
    fn is_text(&self, path: &str) -> bool {
        match path.rsplit_once('.') {
            Some((_, "pp" | "epp")) => true,
            _ if path.starts_with("facts.d/") => is_external_fact(path),
            Some((_, "rb")) => path.starts_with("lib/"),
            Some((_, "erb")) if path.starts_with("templates/") => true,
            _ if path.starts_with("templates/") => self.origin == ModuleOrigin::Workspace,
            Some((name, "json")) if name == "metadata" || name.starts_with("tasks/") => true,
            Some((name, "yaml")) if name.starts_with("plans/") => true,
            Some((_, "yaml" | "yml" | "eyaml" | "json")) => self.is_data(path),
            _ => false,
        }
    }

    /// Iterates over the data files of Hiera, as paths relative to the root. Hidden files are not
    /// data, even if the data is next to its configuration.
    pub(crate) fn data_files(&self) -> impl Iterator<Item = &String> {
        let files = self.files.iter().filter(|it| self.has_text(it));
        files.filter(|it| *it != "hiera.yaml" && !is_hidden(it) && self.is_in_data_folder(it))
    }

    /// Iterates over the data files, and over those in the usual directories of data, which `hiera.yaml` may not name.
    pub(crate) fn possible_data_files(&self) -> impl Iterator<Item = &String> {
        let files = self.files.iter().filter(|it| self.has_text(it));
        files.filter(|it| {
            let is_data = DataFormat::of_path(it).is_some() && self.is_data(it);
            is_data && *it != "hiera.yaml" && !is_hidden(it)
        })
    }

    /// Checks whether a file is in a directory of Hiera data, and in a format of data.
    pub(super) fn is_data_file(&self, path: &str) -> bool {
        DataFormat::of_path(path).is_some() && !is_hidden(path) && self.is_data(path)
    }

    /// Checks whether a file is in a directory of Hiera data, or configures Hiera.
    fn is_data(&self, path: &str) -> bool {
        path == "hiera.yaml"
            || DATA_DIRECTORIES.iter().any(|it| path.starts_with(it))
            || self.is_in_data_folder(path)
    }

    /// Checks whether a file is in a directory of data that `hiera.yaml` names.
    fn is_in_data_folder(&self, path: &str) -> bool {
        DataFormat::of_path(path).is_some() && self.data_folders.contain(path)
    }
}

/// Checks whether a file in `facts.d` is data or a script, judged by its extension. Scripts may have none.
fn is_external_fact(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((_, extension)) => FACT_EXTENSIONS.contains(&extension),
        None => true,
    }
}

/// Reads the `hiera.yaml` in a directory. Returns `None` if it is missing or invalid.
fn hiera_config(root: &Path, in_module: bool, notes: &mut Vec<Note>) -> Option<HieraConfig> {
    let path = root.join("hiera.yaml");
    let text = path.is_file().then(|| read_config(&path, notes)).flatten();
    HieraConfig::read(&text?, in_module).ok()
}

/// Returns the files and directories of a module or an environment that are read.
fn parts(is_environment: bool, data_folders: &Folders) -> Vec<&str> {
    let mut parts = match is_environment {
        true => ENVIRONMENT_PARTS.to_vec(),
        false => MODULE_PARTS.to_vec(),
    };
    for folder in data_folders.iter() {
        let first = folder.split('/').next().unwrap_or(folder);
        if !first.is_empty() && !parts.contains(&first) {
            parts.push(first);
        }
    }
    parts
}

/// The contents of `metadata.json`, as far as they are used.
#[derive(Deserialize, Default)]
pub(super) struct Metadata {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    source: Option<serde_json::Value>,
    #[serde(default)]
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    #[serde(default)]
    version_requirement: Option<serde_json::Value>,
}

impl Metadata {
    /// Reads the metadata of a module. Returns the default if the file is missing or invalid, and
    /// adds a note in the latter case.
    pub(super) fn read(root: &Path, notes: &mut Vec<Note>) -> Metadata {
        let path = root.join("metadata.json");
        let Some(text) = read_config(&path, notes) else {
            return Metadata::default();
        };
        // Serde would deserialize an array as well, by the order of the fields.
        if text.trim_start().starts_with('[') {
            let message = "invalid metadata: expected an object, found an array";
            notes.push(Note::at(&path, 1, 1, message));
            return Metadata::default();
        }
        serde_json::from_str(&text).unwrap_or_else(|error| {
            let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX).max(1);
            let (line, column) = (number(error.line()), number(error.column()));
            let message = error.to_string();
            // The note has the position already.
            let message = message
                .rsplit_once(" at line ")
                .map_or(&*message, |(it, _)| it);
            notes.push(Note::at(
                &path,
                line,
                column,
                format!("invalid metadata: {message}"),
            ));
            Metadata::default()
        })
    }

    /// Returns the name of the module without the author.
    pub(super) fn module_name(&self) -> Option<String> {
        without_author(self.name.as_deref()?)
    }

    /// Returns the source of the module in `root`.
    fn source(&self, root: &Path) -> ModuleSource {
        let repository = self.source.as_ref().and_then(|it| it.as_str());
        ModuleSource {
            author: self.name.as_deref().and_then(author),
            repository: repository.map(str::to_owned),
            remotes: required_version::remotes(root),
        }
    }

    /// Returns the names of the dependencies without authors, sorted. Skips invalid names.
    pub(super) fn dependencies(&self) -> Vec<String> {
        let names = self.dependencies.iter();
        let mut names: Vec<String> = names.filter_map(|it| without_author(&it.name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Metadata {
    /// Returns the dependencies with their authors and versions.
    fn required(&self) -> Vec<(String, RequiredModule)> {
        let dependencies = self.dependencies.iter();
        let required = dependencies.filter_map(|it| {
            let range = it.version_requirement.as_ref().and_then(|it| it.as_str());
            let range = range.filter(|it| VersionRange::parse(it).is_some());
            let range = range.map(|it| RequiredVersion::Range(it.to_owned()));
            let required = RequiredModule {
                author: author(&it.name),
                ..RequiredModule::of_version(range.unwrap_or(RequiredVersion::Unknown))
            };
            Some((without_author(&it.name)?, required))
        });
        required.collect()
    }
}

/// Checks whether a directory looks like a module: it has metadata or one of the directories of
/// modules.
pub(super) fn looks_like_module(folder: &Path) -> bool {
    folder.join("metadata.json").is_file() || has_module_parts(folder)
}

/// Checks whether a directory has one of the directories of modules.
pub(super) fn has_module_parts(folder: &Path) -> bool {
    MARKER_DIRECTORIES.iter().any(|it| folder.join(it).is_dir())
}

/// Checks whether a file or directory of this name is one of those of a module that are read.
pub(super) fn is_module_part(name: &str) -> bool {
    MODULE_PARTS.contains(&name)
}

/// Checks whether a directory is certainly a module, independently of its location.
pub(super) fn is_certainly_module(folder: &Path) -> bool {
    folder.join("metadata.json").is_file()
        || (folder.join("manifests").is_dir()
            && (folder.join("manifests/init.pp").is_file()
                || ["files", "functions", "lib", "templates", "types"]
                    .iter()
                    .any(|it| folder.join(it).is_dir())))
        || module_layout::module_name(folder).is_some()
}

/// Returns the module name in the name of a directory, which may start with an author.
pub(super) fn guessed_name(folder: &str) -> Option<String> {
    without_author(folder).or_else(|| {
        let last = folder.rsplit('-').next()?;
        is_module_name(last).then(|| last.to_owned())
    })
}

/// Returns the names that definitions of the module in a directory may start with, sorted.
pub(crate) fn module_names(root: &Path) -> Vec<String> {
    ModuleNames::read(root, &Metadata::read(root, &mut Vec::new())).all()
}

/// The possible names of a module, by their source.
struct ModuleNames {
    folder: Option<String>,
    metadata: Option<String>,
    class: Option<String>,
}

impl ModuleNames {
    fn read(root: &Path, metadata: &Metadata) -> ModuleNames {
        let folder = root.file_name().and_then(OsStr::to_str);
        ModuleNames {
            folder: folder.filter(|it| is_module_name(it)).map(str::to_owned),
            metadata: metadata.module_name(),
            class: main_class(root).or_else(|| module_layout::module_name(root)),
        }
    }

    /// Removes all other names if the directory has a valid one.
    fn keep_folder(&mut self) {
        if self.folder.is_some() {
            (self.metadata, self.class) = (None, None);
        }
    }

    /// Returns all names, sorted, without duplicates.
    fn all(&self) -> Vec<String> {
        let names = [&self.folder, &self.metadata, &self.class];
        let mut names: Vec<String> = names.into_iter().flatten().cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Returns the name of the class in the `init.pp` of a module, which is the name of the module.
/// Some published packages contain the files of one module and the metadata of another.
fn main_class(root: &Path) -> Option<String> {
    let text = read_text(&root.join("manifests").join("init.pp")).ok()?;
    let name = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("class "))?;
    let name = name.trim_start().trim_start_matches("::");
    let end = name
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(name.len());
    is_module_name(&name[..end]).then(|| name[..end].to_owned())
}

/// Returns the module name in a full name such as `author-name`, or `None` if it is invalid.
fn without_author(full: &str) -> Option<String> {
    let (author, name) = full.split_once(['-', '/']).unwrap_or(("", full));
    let is_author = author
        .chars()
        .all(|it| it.is_ascii_alphanumeric() || it == '_');
    let name = name.replace('-', "_");
    (is_author && is_module_name(&name)).then_some(name)
}

/// Reads a module. Returns `None` with a note if it has no valid name.
pub(super) fn read(
    root: &ModuleRoot,
    bounds: &LinkBounds,
    absent: &AbsentPaths,
    notes: &mut Vec<Note>,
) -> Option<FoundModule> {
    let real = root.path.canonicalize().ok()?;
    let mut metadata_notes = Vec::new();
    let metadata = Metadata::read(&root.path, &mut metadata_notes);
    // If the directory itself is unreadable, only that is reported.
    if !metadata_notes.is_empty() && std::fs::read_dir(&root.path).is_ok() {
        notes.append(&mut metadata_notes);
    }
    let mut found = ModuleNames::read(&root.path, &metadata);
    if root.naming == NameSource::Modulepath && root.origin == ModuleOrigin::Workspace {
        // Definitions of a module that is copied or renamed are found by no other name.
        found.keep_folder();
    }
    let mut names = found.all();
    if let NameSource::Given(name) | NameSource::Project(name) = &root.naming
        && let Err(at) = names.binary_search(name)
    {
        names.insert(at, name.clone());
    }
    let name = match &root.naming {
        NameSource::Given(name) | NameSource::Project(name) => Some(name.clone()),
        NameSource::Environment => Some("environment".to_owned()),
        NameSource::Modulepath | NameSource::Folder => {
            found.folder.or(found.metadata).or(found.class)
        }
        NameSource::Metadata => found.metadata.or(found.folder).or(found.class),
    };
    let folder = root.path.file_name().and_then(OsStr::to_str);
    let Some(name) = name.or_else(|| guessed_name(folder?)) else {
        let message = "skipped: neither the directory nor its metadata has a valid module name";
        notes.push(Note::new(&root.path, message));
        return None;
    };
    if names.is_empty() {
        names.push(name.clone());
    }
    let is_environment = root.naming == NameSource::Environment;
    let has_environment_data = is_environment || matches!(root.naming, NameSource::Project(_));
    let config = hiera_config(&root.path, !has_environment_data, notes);
    let data_folders = config
        .as_ref()
        .map_or_else(Folders::default, HieraConfig::folders);
    let parts = parts(is_environment, &data_folders);
    let has_data = data_folders.iter().any(str::is_empty);
    let is_part = |it: &str| parts.contains(&it) || has_data && DataFormat::of_path(it).is_some();
    let ModuleFiles { paths, unreadable } =
        module_files::walk(&root.path, &real, &is_part, bounds, notes);
    let files = paths.iter().map(String::as_str);
    let data_gaps = config.map_or_else(Vec::new, |it| it.gaps(!has_environment_data, files));
    Some(FoundModule {
        name,
        names,
        root: root.path.clone(),
        real,
        version: metadata.version.clone(),
        source: metadata.source(&root.path),
        origin: root.origin,
        is_environment,
        has_environment_data,
        why: root.why.clone(),
        dependencies: metadata.dependencies(),
        for_tests: modules_for_tests(root, &metadata),
        required: metadata.required(),
        files: paths,
        unreadable,
        data_folders,
        data_gaps,
        absent: match root.origin {
            ModuleOrigin::Workspace => absent.in_module(&root.path),
            _ => BTreeSet::new(),
        },
    })
}

/// Returns the modules that the tests of a module need, if it is developed here.
fn modules_for_tests(root: &ModuleRoot, metadata: &Metadata) -> Vec<String> {
    if root.origin != ModuleOrigin::Workspace || root.naming != NameSource::Metadata {
        return Vec::new();
    }
    let path = root.path.join(".fixtures.yml");
    let text = read_config(&path, &mut Vec::new()).unwrap_or_default();
    let names = fixtures::parse(&path, &text, &mut Vec::new()).names;
    let own = metadata.module_name();
    let others = names.into_iter().filter(|it| Some(it) != own.as_ref());
    others.filter(|it| is_module_name(it)).collect()
}

/// The files and directories of an environment that are treated as the module `environment`.
const ENVIRONMENT_PARTS: [&str; 7] = [
    "functions",
    "types",
    "plans",
    "lib",
    "data",
    "hieradata",
    "hiera.yaml",
];

/// Checks whether a file or directory of this name is one of those of an environment that are read.
pub(super) fn is_environment_part(name: &str) -> bool {
    ENVIRONMENT_PARTS.contains(&name)
}

/// Checks whether an environment has functions, types or data of its own.
pub(super) fn has_environment_parts(folder: &Path) -> bool {
    let mut parts = ENVIRONMENT_PARTS.iter();
    parts.any(|it| folder.join(it).is_dir()) || folder.join("hiera.yaml").is_file()
}
