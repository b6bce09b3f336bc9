//! A single module as a workspace folder, with its dependencies.

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

/// The maximum number of dependencies that are followed.
const MAX_NEEDED: usize = 500;

/// Plans the module in `root` as an environment.
pub(super) fn plan_module(root: &Path, settings: &Settings<'_>, notes: &mut Vec<Note>) -> Plan {
    let why = if root.join("metadata.json").is_file() {
        "contains metadata.json"
    } else {
        "contains manifests and other module folders"
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
        let why = "in spec/fixtures/modules";
        let origin = analysis::base::ModuleOrigin::Installed;
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

/// Returns the modules that `.fixtures.yml` has symlinks to. They must be in a workspace folder or
/// next to the module.
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
            let message =
                format!("symlink `{name}` is ignored: `{path}` is outside of the workspace");
            notes.push(Note::new(file, message));
            continue;
        }
        found.push(Root {
            origin: settings.origin(&folder),
            path: folder,
            naming: Naming::Given(name.clone()),
            why: "symlink in .fixtures.yml".to_owned(),
        });
    }
    found
}

/// The modules next to a module and the other workspace folders, in which dependencies are
/// searched.
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
            // The parent is not part of the workspace, so its problems are not reported.
            for (name, path) in roots::children(parent, &mut Vec::new()) {
                add(&name, &path);
            }
        }
        Neighbours { settings, folders }
    }

    /// Returns the transitive dependencies of the module in `root`.
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
                why: "dependency found next to the module".to_owned(),
            });
        }
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found
    }
}
