//! A single module as a workspace folder, with its dependencies.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::ModulepathKind;

use super::environment_plan::{EnvironmentKind, EnvironmentPlan, PlanSettings, outside_roots};
use super::fixtures::{self, FixturesFile};
use super::installers::Installers;
use super::limits::read_config;
use super::module::{Metadata, ModuleRoot, NameSource, guessed_name, looks_like_module};
use super::module_roots;
use super::note::Note;
use super::puppetfile;
use crate::paths::{absolute, is_module_name, is_untrusted_remote};

/// The maximum number of dependencies that are followed.
const MAX_NEEDED: usize = 500;

/// Plans the module in `root` as an environment.
pub(super) fn plan_module(
    root: &Path,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> EnvironmentPlan {
    let why = if root.join("metadata.json").is_file() {
        "contains metadata.json"
    } else {
        "contains manifests and other module directories"
    };
    let mut found = vec![ModuleRoot {
        path: root.to_owned(),
        origin: settings.origin(root),
        naming: NameSource::Metadata,
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
        found.extend(module_roots::on_modulepath(&installed, origin, why, notes));
    }
    let puppetfile = read_config(&root.join("Puppetfile"), notes).map(|it| puppetfile::parse(&it));
    let installers = Installers::find(root, puppetfile.as_ref(), notes);
    for (folder, why) in installers.folders {
        if folder.starts_with(root) && folder.is_dir() {
            let origin = analysis::base::ModuleOrigin::Installed;
            found.extend(module_roots::on_modulepath(&folder, origin, why, notes));
        }
    }
    found.extend(linked(root, &fixtures_path, &fixtures, settings, notes));
    found.extend(Neighbours::new(root, settings).needed(root, &fixtures));
    let modulepath = settings.outside();
    found.extend(outside_roots(&modulepath, settings, notes));
    let of_puppetfile = puppetfile.into_iter().flat_map(|it| it.modules);
    let declared = of_puppetfile.map(|it| it.name).chain(fixtures.names);
    EnvironmentPlan {
        root: root.to_owned(),
        kind: EnvironmentKind::Module,
        why: why.to_owned(),
        modulepath,
        manifest: None,
        roots: found,
        modulepath_kind: ModulepathKind::OfDependencies,
        required: fixtures.required,
        shipped: &[],
        declared: declared.filter(|it| is_module_name(it)).collect(),
        config: Arc::clone(settings.config),
    }
}

/// Returns the modules that `.fixtures.yml` has symlinks to. They must be in a workspace folder or
/// next to the module.
fn linked(
    root: &Path,
    file: &Path,
    fixtures: &FixturesFile,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<ModuleRoot> {
    let mut found = Vec::new();
    for (name, path) in &fixtures.paths {
        let path = path.replace("#{source_dir}", ".");
        let folder = absolute(&root.join(&path));
        let is_near = folder.parent() == root.parent()
            || settings.folders.iter().any(|it| folder.starts_with(it));
        if is_untrusted_remote(&folder, settings.folders) {
            notes.push(Note::remote(file, &path));
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
        found.push(ModuleRoot {
            origin: settings.origin(&folder),
            path: folder,
            naming: NameSource::Given(name.clone()),
            why: "symlink in .fixtures.yml".to_owned(),
        });
    }
    found
}

/// The modules next to a module and the other workspace folders, in which dependencies are
/// searched.
struct Neighbours<'a> {
    settings: &'a PlanSettings<'a>,
    folders: HashMap<String, PathBuf>,
}

impl<'a> Neighbours<'a> {
    fn new(root: &Path, settings: &'a PlanSettings<'a>) -> Neighbours<'a> {
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
            for (name, path) in module_roots::children(parent, &mut Vec::new()) {
                add(&name, &path);
            }
        }
        Neighbours { settings, folders }
    }

    /// Returns the transitive dependencies of the module in `root`.
    fn needed(&self, root: &Path, fixtures: &FixturesFile) -> Vec<ModuleRoot> {
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
            found.push(ModuleRoot {
                path: folder.clone(),
                origin: self.settings.origin(folder),
                naming: NameSource::Metadata,
                why: "dependency found next to the module".to_owned(),
            });
        }
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found
    }
}
