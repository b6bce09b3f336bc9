//! A module that is worked on by itself, and the modules that it needs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::discovery::{Kind, Plan, Settings, outside_roots};
use super::fixtures::{self, FixturesFile};
use super::limits::read_config;
use super::module::{Metadata, Naming, Root, guessed_name, looks_like_module};
use super::note::Note;
use super::roots;
use crate::place::{absolute, is_elsewhere, is_module_name};

/// How many modules that others need are followed.
const MAX_NEEDED: usize = 500;

/// Finds what belongs to the module in `root`.
pub(super) fn plan_module(root: &Path, settings: &Settings<'_>, notes: &mut Vec<Note>) -> Plan {
    let why = if root.join("metadata.json").is_file() {
        "it has a metadata.json"
    } else {
        "it has manifests and other folders of a module"
    };
    let mut found = vec![Root {
        path: root.to_owned(),
        origin: settings.origin(root),
        naming: Naming::Metadata,
        why: "the module itself".to_owned(),
    }];
    let fixtures_path = root.join(".fixtures.yml");
    let fixtures = read_config(&fixtures_path, notes)
        .map(|it| fixtures::parse(&fixtures_path, &it, notes))
        .unwrap_or_default();
    let installed = root.join("spec").join("fixtures").join("modules");
    if installed.is_dir() {
        let why = "spec/fixtures/modules of the module";
        let origin = analysis::workspace::ModuleOrigin::Installed;
        found.extend(roots::on_modulepath(&installed, origin, why, notes));
    }
    found.extend(linked(root, &fixtures_path, &fixtures, settings, notes));
    found.extend(Neighbours::new(root, settings).needed(root, &fixtures));
    let modulepath = settings.outside();
    found.extend(outside_roots(&modulepath, settings, notes));
    Plan {
        root: root.to_owned(),
        kind: Kind::Module,
        why: why.to_owned(),
        modulepath,
        manifest: None,
        roots: found,
        complete: !settings.modulepath.is_empty(),
        config: Arc::clone(settings.config),
    }
}

/// Modules to which `.fixtures.yml` links, as far as they lie in a workspace folder or beside
/// the module.
fn linked(
    root: &Path,
    file: &Path,
    fixtures: &FixturesFile,
    settings: &Settings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<Root> {
    let mut found = Vec::new();
    for (name, path) in &fixtures.paths {
        let path = path.replace("#{source_dir}", ".");
        let folder = absolute(&root.join(&path));
        let is_near = folder.parent() == root.parent()
            || settings.folders.iter().any(|it| folder.starts_with(it));
        if is_elsewhere(&folder, settings.folders) {
            notes.push(Note::elsewhere(file, &path));
            continue;
        }
        if folder == root || !folder.is_dir() {
            continue;
        }
        if !is_near || !is_module_name(name) {
            let message = format!(
                "the link of {name} to {path} is not followed: it leads out of the workspace"
            );
            notes.push(Note::new(file, message));
            continue;
        }
        found.push(Root {
            origin: settings.origin(&folder),
            path: folder,
            naming: Naming::Given(name.clone()),
            why: ".fixtures.yml links to it".to_owned(),
        });
    }
    found
}

/// The other modules that a module may mean: those beside it, and other workspace folders.
struct Neighbours<'a> {
    settings: &'a Settings<'a>,
    folders: HashMap<String, PathBuf>,
}

impl<'a> Neighbours<'a> {
    fn new(root: &Path, settings: &'a Settings<'a>) -> Neighbours<'a> {
        let mut folders = HashMap::new();
        let mut add = |name: &str, path: &Path| {
            if path != root
                && let Some(name) = guessed_name(name)
            {
                folders.entry(name).or_insert_with(|| path.to_owned());
            }
        };
        for folder in settings.folders {
            if let Some(name) = folder.file_name().and_then(|it| it.to_str()) {
                add(name, folder);
            }
        }
        if let Some(parent) = root.parent() {
            // What cannot be read there is nobody's business.
            for (name, path) in roots::children(parent, &mut Vec::new()) {
                add(&name, &path);
            }
        }
        Neighbours { settings, folders }
    }

    /// Those that the module in `root` needs, and those that they need.
    fn needed(&self, root: &Path, fixtures: &FixturesFile) -> Vec<Root> {
        let mut names = Metadata::read(root, &mut Vec::new()).dependencies();
        names.extend(fixtures.names.iter().cloned());
        let mut seen: HashSet<String> = HashSet::new();
        let mut found = Vec::new();
        while let Some(name) = names.pop() {
            if found.len() == MAX_NEEDED || !seen.insert(name.clone()) {
                continue;
            }
            let Some(folder) = self.folders.get(&name).filter(|it| looks_like_module(it)) else {
                continue;
            };
            names.extend(Metadata::read(folder, &mut Vec::new()).dependencies());
            found.push(Root {
                path: folder.clone(),
                origin: self.settings.origin(folder),
                naming: Naming::Metadata,
                why: "a module needs it, and it lies beside".to_owned(),
            });
        }
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found
    }
}
