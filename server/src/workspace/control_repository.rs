//! Environments and control repositories: `environment.conf`, and the conventions without it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::{ModuleOrigin, ModulepathKind};
use analysis::project::environment_conf::{self, EnvironmentConf};

use super::absent_paths;
use super::discovery::{
    EnvironmentKind, EnvironmentPlan, MainManifest, ModuleFolder, PlanSettings,
};
use super::ignored_files;
use super::installers::{BoltProject, Installers};
use super::limits::{MAX_CHILDREN, read_config};
use super::module::{ModuleRoot, NameSource, has_environment_parts, looks_like_module};
use super::module_roots::{self, CONVENTIONAL_FOLDERS};
use super::note::Note;
use super::puppetfile::{self, Puppetfile};
use super::required_version::{RequiredModule, RequiredVersion};
use crate::paths::{absolute, is_module_name, is_untrusted_remote};

/// The maximum length of a value in the reason for a directory, in characters.
const MAX_SHOWN: usize = 100;

/// The conventional directories of modules in control repositories.
const CONVENTIONAL_DIRECTORIES: [&str; 3] = ["site-modules", "site", "modules"];

/// The directories of control repositories whose children are not modules of the environment.
const OTHER_DIRECTORIES: [&str; 2] = ["environments", "vendor"];

/// The reason why a directory without any file of an environment is one.
pub(super) const HOLDS_MODULES: &str = "contains a directory of modules";

/// Returns the reason why a directory is an environment, or `None` if it is not.
pub(super) fn environment_reason(folder: &Path) -> Option<&'static str> {
    let has = |name: &str| folder.join(name).is_file();
    if has("environment.conf") {
        Some("contains environment.conf")
    } else if has("metadata.json") {
        None
    } else if has("Puppetfile") {
        Some("contains a Puppetfile")
    } else if let Some(file) = BoltProject::file_in(folder) {
        Some(match file {
            "bolt.yaml" => "contains bolt.yaml",
            _ => "contains bolt-project.yaml",
        })
    } else if has("hiera.yaml") && !has("manifests/init.pp") {
        Some("contains hiera.yaml")
    } else if has("manifests/site.pp") {
        Some("contains manifests/site.pp")
    } else if CONVENTIONAL_DIRECTORIES
        .iter()
        .any(|it| holds_modules(&folder.join(it)))
    {
        Some(HOLDS_MODULES)
    } else {
        None
    }
}

/// Checks whether a directory is certainly the environment of a file in it, which is in a module or not.
pub(super) fn is_environment_of(folder: &Path, module: Option<&Path>) -> bool {
    let has = |name: &str| folder.join(name).is_file();
    has("environment.conf")
        || is_certainly_environment(folder) && module.is_none_or(|it| may_contain(folder, it))
}

/// Checks whether a directory without `environment.conf` has another file that only an environment has.
fn is_certainly_environment(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_file();
    let has_main_manifest = || has("manifests/site.pp") && !has("manifests/init.pp");
    !has("metadata.json")
        && (has("Puppetfile") || BoltProject::file_in(folder).is_some() || has_main_manifest())
}

/// Checks whether a module is where an environment usually has its modules.
fn may_contain(environment: &Path, module: &Path) -> bool {
    let mut usual = CONVENTIONAL_DIRECTORIES.iter();
    usual.any(|it| module.parent() == Some(&environment.join(it)))
}

/// Checks whether a child of a directory looks like a module.
fn holds_modules(folder: &Path) -> bool {
    folder.is_dir()
        && module_roots::children(folder, &mut Vec::new())
            .iter()
            .any(|(name, path)| {
                is_module_name(name)
                    && (path.join("manifests").is_dir() || path.join("metadata.json").is_file())
            })
}

/// Returns the other directories of a control repository whose children are modules.
fn further_directories(root: &Path) -> Vec<PathBuf> {
    let children = module_roots::children(root, &mut Vec::new()).into_iter();
    let others = children.filter(|(name, path)| {
        let name = name.as_str();
        let is_other = OTHER_DIRECTORIES.contains(&name)
            || CONVENTIONAL_FOLDERS.contains(&name)
            || CONVENTIONAL_DIRECTORIES.contains(&name)
            || looks_like_module(path)
            || environment_reason(path).is_some();
        !is_other && holds_only_modules(path)
    });
    others.map(|it| it.1).collect()
}

/// Checks whether a directory has modules as children, and no environments.
fn holds_only_modules(folder: &Path) -> bool {
    let children = module_roots::children(folder, &mut Vec::new());
    children
        .iter()
        .all(|it| environment_reason(&it.1).is_none())
        && holds_modules(folder)
}

/// Plans the environment in `root`.
pub(super) fn plan(
    root: &Path,
    why: String,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> EnvironmentPlan {
    let conf_path = root.join("environment.conf");
    let conf = read_config(&conf_path, notes)
        .map(|it| environment_conf::read(&it))
        .unwrap_or_default();
    let puppetfile_path = root.join("Puppetfile");
    let puppetfile = read_config(&puppetfile_path, notes).map(|it| puppetfile::parse(&it));

    let further = puppetfile::further(root, notes);
    let mut installers = Installers::find(root, puppetfile.as_ref(), notes);
    for folder in further.iter().filter_map(|it| it.moduledir.as_ref()) {
        let folder = absolute(&root.join(folder));
        installers
            .folders
            .push((folder, "moduledir in a Puppetfile"));
    }
    let bolt = BoltProject::read(root, notes);

    let mut path = Modulepath {
        root,
        settings,
        folders: Vec::new(),
        paths: HashSet::new(),
        is_known: true,
    };
    match bolt.as_ref().filter(|_| conf.modulepath.is_none()) {
        Some(bolt) => path.fill_for_bolt(bolt, notes),
        None => path.fill(&conf, &conf_path, &installers, notes),
    }
    let Modulepath {
        folders, is_known, ..
    } = path;

    let mut found = Vec::new();
    // With a main manifest, it is an environment first: Bolt only shares its modules.
    let project = bolt.as_ref().and_then(|it| it.name.clone());
    if let Some(name) = project.filter(|_| !root.join("manifests/site.pp").is_file()) {
        found.push(ModuleRoot {
            path: root.to_owned(),
            origin: ModuleOrigin::Workspace,
            naming: NameSource::Given(name),
            why: "the Bolt project itself".to_owned(),
        });
    } else if has_environment_parts(root) {
        found.push(ModuleRoot {
            path: root.to_owned(),
            origin: ModuleOrigin::Workspace,
            naming: NameSource::Environment,
            why: "functions, types and data of the environment".to_owned(),
        });
    }
    for folder in folders.iter().filter(|it| it.exists) {
        let mut origin = settings.origin(&folder.path);
        if installers.fill(&folder.path) || bolt.is_some() && BoltProject::fills(root, &folder.path)
        {
            origin = ModuleOrigin::Installed;
        }
        let mut children = if folder.by_user {
            module_roots::in_folder(&folder.path, origin, &folder.why, notes)
        } else {
            module_roots::on_modulepath(&folder.path, origin, &folder.why, notes)
        };
        if let (ModuleOrigin::Installed, Some(file)) = (origin, &puppetfile) {
            retain_local(&mut children, file);
            ignored_files::mark_tracked(&folder.path, &mut children, |name| {
                file.lists(name) || further.iter().any(|it| it.lists(name))
            });
            note_unlisted(&folder.path, &children, file, notes);
        }
        ignored_files::mark_installed(&folder.path, &mut children);
        let own_path = |it: &&mut ModuleRoot| installers.modules.contains(&it.path);
        for child in children.iter_mut().filter(own_path) {
            child.origin = ModuleOrigin::Installed;
        }
        found.extend(children);
    }
    let listed = puppetfile.map(|it| it.modules).unwrap_or_default();
    let of_bolt = bolt.into_iter().flat_map(|it| it.modules);
    let submodules = absent_modules(root, &folders);
    let further = further.into_iter().flat_map(|it| it.modules);
    let further: Vec<_> = further.collect();
    let declared = listed
        .iter()
        .chain(&further)
        .map(|it| it.name.clone())
        .chain(of_bolt)
        .chain(submodules.iter().map(|it| it.0.clone()))
        .collect();
    // The last requirement of a module counts: that of the main file.
    let installed = further.into_iter().chain(listed).filter(|it| !it.local);
    let installed = installed.map(|it| (it.name, it.required));
    let required = submodules.into_iter().chain(installed).collect();
    EnvironmentPlan {
        root: root.to_owned(),
        kind: EnvironmentKind::Environment,
        why,
        manifest: main_manifest(root, &conf, settings, notes),
        modulepath: folders,
        roots: found,
        modulepath_kind: match is_known {
            true => ModulepathKind::OfEnvironment,
            false => ModulepathKind::Unknown,
        },
        declared,
        required,
        config: Arc::clone(settings.config),
    }
}

/// Returns the modules that are submodules of Git, but not checked out.
fn absent_modules(root: &Path, folders: &[ModuleFolder]) -> Vec<(String, RequiredModule)> {
    let submodules = absent_paths::submodules_around(root).into_iter();
    let modules = submodules.filter_map(|it| {
        let (name, parent) = (it.path.file_name()?.to_str()?, it.path.parent()?);
        let is_module = is_module_name(name) && folders.iter().any(|it| it.path == parent);
        let required = RequiredModule {
            repository: it.url.clone(),
            ..RequiredModule::of_version(RequiredVersion::Unknown)
        };
        is_module.then(|| (name.to_owned(), required))
    });
    modules.collect()
}

/// Notes the modules that no tool has installed, and that are not known to be part of the repository.
fn note_unlisted(folder: &Path, roots: &[ModuleRoot], file: &Puppetfile, notes: &mut Vec<Note>) {
    let installed = roots
        .iter()
        .filter(|it| it.origin == ModuleOrigin::Installed);
    let unlisted = installed.filter_map(|it| {
        let name = it.path.file_name()?.to_str()?;
        let is_packaged = it.path.join("metadata.json").is_file();
        (!file.lists(name) && !is_packaged).then(|| format!("`{name}`"))
    });
    let unlisted: Vec<_> = unlisted.collect();
    if !unlisted.is_empty() {
        let names = unlisted.join(", ");
        let message = format!(
            "modules that neither the Puppetfile lists nor Git tracks are not checked: {names}"
        );
        notes.push(Note::new(folder, message));
    }
}

/// Marks modules that are local according to the `Puppetfile` as part of the workspace.
fn retain_local(roots: &mut [ModuleRoot], file: &Puppetfile) {
    for root in roots {
        let name = root.path.file_name();
        let is_local =
            |it: &&puppetfile::PuppetfileModule| name.is_some_and(|name| name == it.name.as_str());
        if file
            .modules
            .iter()
            .find(is_local)
            .is_some_and(|it| it.local)
        {
            root.origin = ModuleOrigin::Workspace;
        }
    }
}

struct Modulepath<'a> {
    root: &'a Path,
    settings: &'a PlanSettings<'a>,
    folders: Vec<ModuleFolder>,
    /// The paths of `folders`.
    paths: HashSet<PathBuf>,
    /// Whether all directories of modules are known.
    is_known: bool,
}

impl Modulepath<'_> {
    /// Fills in the modulepath of a Bolt project. Bolt uses no modules of an installed Puppet.
    fn fill_for_bolt(&mut self, bolt: &BoltProject, notes: &mut Vec<Note>) {
        let path = self.root.join(bolt.file);
        let why = format!("modulepath of {}", bolt.file);
        for part in &bolt.modulepath {
            if self.root.join(part).is_dir() {
                self.part(part, &why, &path, notes);
            }
        }
        for folder in self.settings.modulepath {
            self.add(folder.clone(), "configured by the user", true);
        }
    }

    fn fill(
        &mut self,
        conf: &EnvironmentConf,
        conf_path: &Path,
        installers: &Installers,
        notes: &mut Vec<Note>,
    ) {
        if let Some(value) = &conf.modulepath {
            let value_shown = analysis::truncated(value, MAX_SHOWN);
            let why = format!("modulepath = {value_shown} in environment.conf");
            for part in split(value) {
                self.part(part, &why, conf_path, notes);
            }
            // Puppet appends its vendored modules to every modulepath.
            for folder in self.settings.base {
                if folder.file_name().is_some_and(|it| it == "vendor_modules") {
                    self.add(folder.clone(), "modules vendored with Puppet", false);
                }
            }
        } else {
            let usual = self.root.join("modules");
            self.add(usual, "default modulepath", false);
            // Puppet does not search these by default, but the configuration of the server presumably
            // lists them, before its own.
            for name in CONVENTIONAL_DIRECTORIES {
                let folder = self.root.join(name);
                if folder.is_dir() {
                    self.add(folder, "conventional directory of modules", false);
                }
            }
            for folder in further_directories(self.root) {
                self.add(folder, "contains modules", false);
            }
            self.base("default modulepath");
            for (folder, why) in &installers.folders {
                let is_inside = self.settings.origin(folder) == ModuleOrigin::Workspace;
                if is_inside && folder.is_dir() {
                    self.add(folder.clone(), why, false);
                }
            }
        }
        for folder in self.settings.modulepath {
            self.add(folder.clone(), "configured by the user", true);
        }
    }

    /// Adds one element of the value of `modulepath`.
    fn part(&mut self, part: &str, why: &str, conf_path: &Path, notes: &mut Vec<Note>) {
        if part == "$basemodulepath" {
            return self.base(why);
        }
        if part.contains('$') {
            self.is_known = false;
            let message = format!("cannot resolve `{part}` in `modulepath`");
            return notes.push(Note::new(conf_path, message));
        }
        let folder = absolute(&self.root.join(part));
        if is_untrusted_remote(&folder, self.settings.folders) {
            self.is_known = false;
            return notes.push(Note::remote(conf_path, part));
        }
        let is_inside = self.settings.origin(&folder) == ModuleOrigin::Workspace;
        if has_wildcard(&folder) && !is_inside {
            self.is_known = false;
            let message =
                format!("cannot expand `{part}` in `modulepath`: it is outside of the workspace");
            return notes.push(Note::new(conf_path, message));
        }
        for folder in expand(&folder) {
            if !folder.is_dir() {
                // Puppet ignores it too, but the server that the path is written for may have it.
                if !is_inside && !self.settings.is_of_machine(&folder) {
                    self.is_known = false;
                }
                let message = format!(
                    "directory `{}` in `modulepath` does not exist",
                    folder.display()
                );
                notes.push(Note::new(conf_path, message));
            }
            self.add(folder, why, false);
        }
    }

    fn base(&mut self, why: &str) {
        for folder in self.settings.base {
            self.add(folder.clone(), &format!("$basemodulepath, {why}"), false);
        }
    }

    fn add(&mut self, path: PathBuf, why: &str, by_user: bool) {
        if self.paths.insert(path.clone()) {
            self.folders.push(ModuleFolder {
                exists: path.is_dir(),
                why: why.to_owned(),
                by_user,
                of_machine: self.settings.is_of_machine(&path),
                path,
            });
        }
    }
}

/// Splits a modulepath for any platform: on Windows, a colon after a single letter and before a
/// slash belongs to a drive.
fn split(value: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for group in value.split(';') {
        let mut start = 0;
        for (at, _) in group.match_indices(':') {
            let letter = &group[start..at];
            let is_drive = letter.len() == 1
                && letter.starts_with(|it: char| it.is_ascii_alphabetic())
                && group[at + 1..].starts_with(['/', '\\']);
            // On Unix, `a:/b` means two directories.
            if !(is_drive && cfg!(windows)) {
                parts.push(&group[start..at]);
                start = at + 1;
            }
        }
        parts.push(&group[start..]);
    }
    parts.retain(|it| !it.trim().is_empty());
    parts.iter().map(|it| it.trim()).collect()
}

fn has_wildcard(path: &Path) -> bool {
    path.to_str()
        .is_some_and(|it| it.contains(['*', '?', '[', '{']))
}

/// Expands the wildcards of a path. Returns the matching directories, sorted, or the path itself if
/// it has no wildcards.
fn expand(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in path.components() {
        let text = component.as_os_str().to_str().unwrap_or_default();
        let matcher = has_wildcard(Path::new(text))
            .then(|| globset::Glob::new(text).ok())
            .flatten()
            .map(|it| it.compile_matcher());
        found = match matcher {
            None => found.into_iter().map(|it| it.join(component)).collect(),
            Some(matcher) => found
                .iter()
                .flat_map(|it| module_roots::children(it, &mut Vec::new()))
                .filter(|(name, _)| matcher.is_match(name))
                .map(|(_, path)| path)
                .take(MAX_CHILDREN)
                .collect(),
        };
    }
    found
}

/// Finds the main manifest.
fn main_manifest(
    root: &Path,
    conf: &EnvironmentConf,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Option<MainManifest> {
    let conf_path = root.join("environment.conf");
    match &conf.manifest {
        Some(value) if value.contains('$') => {
            let message = format!("cannot resolve `{value}` in `manifest`");
            notes.push(Note::new(conf_path, message));
            None
        }
        Some(value) => {
            let path = absolute(&root.join(value));
            if settings.origin(&path) != ModuleOrigin::Workspace {
                let message =
                    format!("main manifest `{value}` is ignored: it is outside of the workspace");
                notes.push(Note::new(conf_path, message));
                return None;
            }
            if !path.exists() {
                let message = format!("main manifest `{}` does not exist", path.display());
                notes.push(Note::new(conf_path, message));
                return None;
            }
            let why = format!("manifest = {value} in environment.conf");
            Some(MainManifest { path, why })
        }
        None => {
            let path = root.join("manifests");
            let why = "default main manifest".to_owned();
            path.is_dir().then_some(MainManifest { path, why })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_modulepath() {
        assert_eq!(
            split("site:./modules: :$basemodulepath"),
            ["site", "./modules", "$basemodulepath"]
        );
        assert_eq!(split("a;b"), ["a", "b"]);
        assert_eq!(split(""), [""; 0]);
    }
}
