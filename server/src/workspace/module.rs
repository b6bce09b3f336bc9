//! One module: its name, its metadata, its files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use analysis::workspace::ModuleOrigin;
use serde::Deserialize;

use super::limits::read_config;
use super::note::Note;
use super::tree::{self, Bounds, Files};
use crate::disk::read_text;
use crate::place::is_module_name;

/// What is known of a module's files.
const PARTS: [&str; 13] = [
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

/// Folders in which Hiera's data usually is.
const DATA: [&str; 2] = ["data/", "hieradata/"];

/// Folders that only modules have, and at least one of which every module has.
const MARKS: [&str; 9] = [
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

/// A folder that is a module, before it is read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Root {
    /// The folder as the user knows it.
    pub(super) path: PathBuf,
    /// Where it comes from.
    pub(super) origin: ModuleOrigin,
    /// Which name counts.
    pub(super) naming: Naming,
    /// Why it is one of the modules.
    pub(super) why: String,
}

/// Which name counts if a folder and its metadata differ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Naming {
    /// That of the folder, as on Puppet's module path.
    Folder,
    /// That of the metadata: the folder was named by who cloned it.
    Metadata,
    /// This one.
    Given(String),
    /// It is no real module, but what an environment has of its own.
    Environment,
}

/// A module that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FoundModule {
    /// What its definitions begin with.
    pub(crate) name: String,
    /// All names that its definitions may begin with, sorted: those of the metadata, the folder
    /// and the class in `init.pp`, which packages have been seen to mix up.
    pub(crate) names: Vec<String>,
    /// The folder as the user knows it.
    pub(crate) root: PathBuf,
    /// Where that folder really is.
    pub(crate) real: PathBuf,
    /// The version in its metadata.
    pub(crate) version: Option<String>,
    /// Where it comes from.
    pub(crate) origin: ModuleOrigin,
    /// Whether it is no real module, but what an environment has of its own.
    pub(crate) is_environment: bool,
    /// Why it is one of the modules.
    pub(crate) why: String,
    /// The names of the modules that its metadata says it needs, without their authors.
    pub(crate) dependencies: Vec<String>,
    /// Its files, as paths from the root with slashes, sorted.
    pub(crate) files: Vec<String>,
    /// Those of them that are there but must not be read, sorted.
    pub(crate) closed: Vec<String>,
}

impl FoundModule {
    /// Where a file really is, given by its path from the root.
    pub(crate) fn path_of(&self, path: &str) -> PathBuf {
        let mut full = self.root.clone();
        full.extend(path.split('/'));
        full
    }

    /// The folders whose files are the module's own business: of one that is worked on those that
    /// it is made of, of any other everything.
    pub(super) fn claims(&self) -> Vec<PathBuf> {
        if self.origin != ModuleOrigin::Workspace {
            return vec![self.root.clone()];
        }
        let parts = if self.is_environment {
            &ENVIRONMENT_PARTS[..]
        } else {
            &PARTS
        };
        parts.iter().map(|it| self.root.join(it)).collect()
    }

    /// Whether the file at this path from the root has a text that matters.
    pub(crate) fn has_text(&self, path: &str) -> bool {
        is_text(path)
            && self
                .closed
                .binary_search_by(|it| it.as_str().cmp(path))
                .is_err()
    }
}

/// Whether a file at a path from the root of a module has a text that matters: manifests and
/// templates anywhere, Ruby below `lib`, data of Hiera and where it is.
fn is_text(path: &str) -> bool {
    let is_data = path == "hiera.yaml" || DATA.iter().any(|it| path.starts_with(it));
    match path.rsplit_once('.') {
        Some((_, "pp" | "epp")) => true,
        Some((_, "rb")) => path.starts_with("lib/"),
        Some((_, "erb")) => path.starts_with("templates/"),
        Some((_, "yaml" | "yml" | "eyaml" | "json")) => is_data,
        _ => false,
    }
}

/// What matters of `metadata.json`.
#[derive(Deserialize, Default)]
pub(super) struct Metadata {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
}

impl Metadata {
    /// Reads that of a module; empty if there is none, with a note if it makes no sense.
    pub(super) fn read(root: &Path, notes: &mut Vec<Note>) -> Metadata {
        let path = root.join("metadata.json");
        let Some(text) = read_config(&path, notes) else {
            return Metadata::default();
        };
        // An array would be read as well, by the order of the fields.
        if text.trim_start().starts_with('[') {
            notes.push(Note::at(&path, 1, 1, "is not used: it is no object"));
            return Metadata::default();
        }
        serde_json::from_str(&text).unwrap_or_else(|error| {
            let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX).max(1);
            let (line, column) = (number(error.line()), number(error.column()));
            let message = error.to_string();
            // The place is told beside it.
            let message = message
                .rsplit_once(" at line ")
                .map_or(&*message, |(it, _)| it);
            notes.push(Note::at(
                &path,
                line,
                column,
                format!("is not used: {message}"),
            ));
            Metadata::default()
        })
    }

    /// The name of the module, without its author.
    pub(super) fn module_name(&self) -> Option<String> {
        without_author(self.name.as_deref()?)
    }

    /// The names of the modules that it needs, without authors, sorted. What can be no name is
    /// left out.
    pub(super) fn dependencies(&self) -> Vec<String> {
        let names = self.dependencies.iter();
        let mut names: Vec<String> = names.filter_map(|it| without_author(&it.name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Whether a folder looks like a module: it has metadata, or a folder that modules have.
pub(super) fn looks_like_module(folder: &Path) -> bool {
    folder.join("metadata.json").is_file() || has_module_parts(folder)
}

/// Whether a folder has one that modules have.
pub(super) fn has_module_parts(folder: &Path) -> bool {
    MARKS.iter().any(|it| folder.join(it).is_dir())
}

/// Whether a folder certainly is a module, wherever it lies.
pub(super) fn is_certainly_module(folder: &Path) -> bool {
    folder.join("metadata.json").is_file()
        || (folder.join("manifests").is_dir()
            && (folder.join("manifests/init.pp").is_file()
                || ["lib", "templates", "functions", "types"]
                    .iter()
                    .any(|it| folder.join(it).is_dir())))
}

/// The name that a folder may stand for, if its own is none: what is behind the author.
pub(super) fn guessed_name(folder: &str) -> Option<String> {
    without_author(folder).or_else(|| {
        let last = folder.rsplit('-').next()?;
        is_module_name(last).then(|| last.to_owned())
    })
}

/// The names that definitions of the module in a folder may begin with, sorted.
pub(crate) fn module_names(root: &Path) -> Vec<String> {
    Names::read(root, &Metadata::read(root, &mut Vec::new())).all()
}

/// What a module may be called.
struct Names {
    folder: Option<String>,
    metadata: Option<String>,
    class: Option<String>,
}

impl Names {
    fn read(root: &Path, metadata: &Metadata) -> Names {
        let folder = root.file_name().and_then(OsStr::to_str);
        Names {
            folder: folder.filter(|it| is_module_name(it)).map(str::to_owned),
            metadata: metadata.module_name(),
            class: main_class(root),
        }
    }

    /// All of them, sorted.
    fn all(&self) -> Vec<String> {
        let names = [&self.folder, &self.metadata, &self.class];
        let mut names: Vec<String> = names.into_iter().flatten().cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The class that the `init.pp` of a module defines, which has the name of the module. Packages
/// have been seen that hold the files of one module beside the metadata of another.
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

/// The name of a module in a full name like `author-name`; `None` if it can be none.
fn without_author(full: &str) -> Option<String> {
    let (author, name) = full.split_once(['-', '/']).unwrap_or(("", full));
    let is_author = author
        .chars()
        .all(|it| it.is_ascii_alphanumeric() || it == '_');
    let name = name.replace('-', "_");
    (is_author && is_module_name(&name)).then_some(name)
}

/// Reads a module; `None`, with a note, if it has no name.
pub(super) fn read(root: &Root, bounds: &Bounds, notes: &mut Vec<Note>) -> Option<FoundModule> {
    let real = root.path.canonicalize().ok()?;
    let mut of_metadata = Vec::new();
    let metadata = Metadata::read(&root.path, &mut of_metadata);
    // Of a folder in which nothing can be read, only that is told.
    if !of_metadata.is_empty() && std::fs::read_dir(&root.path).is_ok() {
        notes.append(&mut of_metadata);
    }
    let found = Names::read(&root.path, &metadata);
    let mut names = found.all();
    let name = match &root.naming {
        Naming::Given(name) => Some(name.clone()),
        Naming::Environment => Some("environment".to_owned()),
        Naming::Folder => found.folder.or(found.metadata).or(found.class),
        Naming::Metadata => found.metadata.or(found.folder).or(found.class),
    };
    let folder = root.path.file_name().and_then(OsStr::to_str);
    let Some(name) = name.or_else(|| guessed_name(folder?)) else {
        let message = "is left out: neither it nor its metadata has the name of a module";
        notes.push(Note::new(&root.path, message));
        return None;
    };
    if names.is_empty() {
        names.push(name.clone());
    }
    let is_environment = root.naming == Naming::Environment;
    let parts = if is_environment {
        &ENVIRONMENT_PARTS[..]
    } else {
        &PARTS
    };
    let Files { paths, closed } = tree::walk(&root.path, &real, parts, bounds, notes);
    Some(FoundModule {
        name,
        names,
        root: root.path.clone(),
        real,
        version: metadata.version.clone(),
        origin: root.origin,
        is_environment,
        why: root.why.clone(),
        dependencies: metadata.dependencies(),
        files: paths,
        closed,
    })
}

/// What an environment has of its own, as if it were the module `environment`.
const ENVIRONMENT_PARTS: [&str; 7] = [
    "functions",
    "types",
    "plans",
    "lib",
    "data",
    "hieradata",
    "hiera.yaml",
];

/// Whether an environment has anything of its own.
pub(super) fn has_environment_parts(folder: &Path) -> bool {
    let mut parts = ENVIRONMENT_PARTS.iter();
    parts.any(|it| folder.join(it).is_dir())
}
