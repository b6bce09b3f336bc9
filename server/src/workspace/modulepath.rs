//! The modulepath of an environment: that of `environment.conf` or Bolt, or the directories that
//! conventionally have modules.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::ModuleOrigin;

use super::environment_files::EnvironmentFiles;
use super::environment_marker::{CONVENTIONAL_DIRECTORIES, EnvironmentMarker, holds_modules};
use super::environment_plan::{ModuleFolder, PlanSettings};
use super::installers::{BoltProject, Installers};
use super::limits::MAX_CHILDREN;
use super::module::looks_like_module;
use super::module_roots::{self, CONVENTIONAL_FOLDERS};
use super::note::Note;
use crate::paths::{absolute, is_untrusted_remote};

/// The maximum length of a value in the reason for a directory, in characters.
const MAX_SHOWN: usize = 100;

/// The directories of control repositories whose children are not modules of the environment.
const OTHER_DIRECTORIES: [&str; 2] = ["environments", "vendor"];

/// Checks whether a directory is one of those whose children are modules of an environment.
pub(super) fn is_on_modulepath(folder: &Path, environment: &Path) -> bool {
    let settings = PlanSettings {
        folders: &[environment.to_owned()],
        modulepath: &[],
        base: &[],
        config: &Arc::default(),
    };
    let notes = &mut Vec::new();
    let files = EnvironmentFiles::read(environment, notes);
    let modulepath = Modulepath::find(environment, &files, &settings, notes);
    modulepath.folders.iter().any(|it| it.path == folder)
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
            || EnvironmentMarker::of(path).is_some();
        !is_other && holds_only_modules(path)
    });
    others.map(|it| it.1).collect()
}

/// Checks whether a directory has modules as children, and no environments.
fn holds_only_modules(folder: &Path) -> bool {
    let children = module_roots::children(folder, &mut Vec::new());
    children
        .iter()
        .all(|it| EnvironmentMarker::of(&it.1).is_none())
        && holds_modules(folder)
}

/// The modulepath of an environment.
pub(super) struct Modulepath<'a> {
    root: &'a Path,
    settings: &'a PlanSettings<'a>,
    /// The directories, in order.
    pub(super) folders: Vec<ModuleFolder>,
    /// The paths of `folders`.
    paths: HashSet<PathBuf>,
    /// Whether all directories of modules are known.
    pub(super) is_known: bool,
}

impl<'a> Modulepath<'a> {
    /// Returns the modulepath of the environment in `root`.
    pub(super) fn find(
        root: &'a Path,
        files: &EnvironmentFiles,
        settings: &'a PlanSettings<'a>,
        notes: &mut Vec<Note>,
    ) -> Modulepath<'a> {
        let mut path = Modulepath {
            root,
            settings,
            folders: Vec::new(),
            paths: HashSet::new(),
            is_known: true,
        };
        match (&files.conf.modulepath, &files.bolt) {
            (Some(value), _) => path.add_configured(value, notes),
            (None, Some(bolt)) => path.add_those_of_bolt(bolt, notes),
            (None, None) => path.add_conventional(&files.installers),
        }
        for folder in settings.modulepath {
            path.add(folder.clone(), "configured by the user", true);
        }
        path
    }

    /// Adds the directories of a Bolt project. Bolt uses no modules of an installed Puppet.
    fn add_those_of_bolt(&mut self, bolt: &BoltProject, notes: &mut Vec<Note>) {
        let path = self.root.join(bolt.file);
        let why = format!("modulepath of {}", bolt.file);
        for part in &bolt.modulepath {
            if self.root.join(part).is_dir() {
                self.add_part(part, &why, &path, notes);
            }
        }
    }

    /// Adds the directories in the value of `modulepath` in `environment.conf`.
    fn add_configured(&mut self, value: &str, notes: &mut Vec<Note>) {
        let conf_path = self.root.join("environment.conf");
        let value_shown = analysis::truncated(value, MAX_SHOWN);
        let why = format!("modulepath = {value_shown} in environment.conf");
        for part in split(value) {
            self.add_part(part, &why, &conf_path, notes);
        }
        // Puppet appends its vendored modules to every modulepath.
        for folder in self.settings.base {
            if folder.file_name().is_some_and(|it| it == "vendor_modules") {
                self.add(folder.clone(), "modules vendored with Puppet", false);
            }
        }
    }

    /// Adds the directories that an environment without a configured modulepath has.
    fn add_conventional(&mut self, installers: &Installers) {
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
        self.add_base("default modulepath");
        for (folder, why) in &installers.folders {
            let is_inside = self.settings.origin(folder) == ModuleOrigin::Workspace;
            if is_inside && folder.is_dir() {
                self.add(folder.clone(), why, false);
            }
        }
    }

    /// Adds one element of the value of `modulepath`.
    fn add_part(&mut self, part: &str, why: &str, conf_path: &Path, notes: &mut Vec<Note>) {
        if part == "$basemodulepath" {
            return self.add_base(why);
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

    fn add_base(&mut self, why: &str) {
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
