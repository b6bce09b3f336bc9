//! The files of a workspace that are checked: those of the project, but not those that tools installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis::base::ModuleOrigin;

use super::discovery::{Discovery, FoundEnvironment};
use super::exclude::Exclude;
use super::unchecked::list;
use crate::display_path::display_path;
use crate::paths::{absolute, is_bolt_task, is_manifest, is_template};
use crate::phrases::plural;

impl Discovery {
    /// Adjusts the files found below `paths` to those that editors report: drops those of others and excluded ones, and
    /// adds those of modules that `.gitignore` hides.
    /// Returns a message about the files of others, if there are any.
    pub(crate) fn adjust(&self, paths: &[PathBuf], files: &mut Vec<PathBuf>) -> Option<String> {
        let left_out = self.retain_own(paths, files);
        let folders = folders_of(paths);
        let foreign = self.foreign_folders();
        let known: BTreeSet<PathBuf> = files.iter().map(|it| absolute(it)).collect();
        let own = self.own_module_files().into_iter();
        for path in own.filter(|it| !known.contains(it)) {
            // An environment whose data is next to `hiera.yaml` contains the folders of modules too.
            let mut asked = folders.iter().filter(|it| path.starts_with(&it.1));
            let folder = asked.find(|it| !is_foreign(&foreign, &path, &it.1));
            let shown = folder.and_then(|(shown, folder)| {
                let rest = path.strip_prefix(folder).ok()?;
                let is_hidden = rest
                    .iter()
                    .any(|it| it.as_encoded_bytes().starts_with(b"."));
                // The search does not follow links.
                let is_real = path.canonicalize().is_ok_and(|it| it == path);
                (is_real && !is_hidden).then(|| shown.join(rest))
            });
            files.extend(shown);
        }
        files.sort_unstable();
        files.dedup();
        left_out
    }

    /// Drops excluded files and those that tools installed, unless a path names them or the directory of the modules.
    /// Returns a message about the latter, if there are any.
    pub(crate) fn retain_own(&self, paths: &[PathBuf], files: &mut Vec<PathBuf>) -> Option<String> {
        let folders = folders_of(paths);
        let named: BTreeSet<&PathBuf> = paths.iter().collect();
        let foreign = self.foreign_folders();
        let excluded: Vec<Exclude> = self.excluded();
        let mut modules = BTreeSet::new();
        let mut count = 0;
        files.retain(|file| {
            let path = absolute(file);
            if named.contains(file) {
                return true;
            }
            if is_excluded(&excluded, &path) {
                return false;
            }
            let mut asked = folders.iter().filter(|it| path.starts_with(&it.1));
            let is_own = asked.any(|it| !is_foreign(&foreign, &path, &it.1));
            let mut around = foreign.iter().copied();
            if !is_own && let Some(module) = around.find(|it| path.starts_with(it)) {
                count += 1;
                modules.insert(module);
            }
            is_own
        });
        let modules = modules.into_iter();
        let modules = modules.map(|it| format!("`{}`", display_path(it)));
        (count > 0).then(|| {
            let files = plural(count, "file");
            let modules = list(modules, ", ");
            format!("skipped {files} of installed modules: {modules}")
        })
    }

    /// Returns the directories of modules that tools installed, if they are part of the workspace in no
    /// environment.
    fn foreign_folders(&self) -> BTreeSet<&PathBuf> {
        let modules = || self.environments.iter().flat_map(|it| &it.modules);
        let own = modules().filter(|it| it.origin == ModuleOrigin::Workspace);
        let own: BTreeSet<&PathBuf> = own.map(|it| &it.root).collect();
        let foreign = modules().filter(|it| it.origin == ModuleOrigin::Installed);
        foreign
            .map(|it| &it.root)
            .filter(|it| !own.contains(it))
            .collect()
    }

    /// Drops the files that the projects exclude, which are not reported. What they define is known all the same.
    pub(crate) fn without_excluded<P: AsRef<Path>, C>(&self, files: C) -> C
    where
        C: IntoIterator<Item = P> + FromIterator<P>,
    {
        let excluded = self.excluded();
        let files = files.into_iter();
        files
            .filter(|it| !is_excluded(&excluded, it.as_ref()))
            .collect()
    }

    fn excluded(&self) -> Vec<Exclude> {
        let mut configs = Vec::new();
        for FoundEnvironment { config, .. } in &self.environments {
            if !config.workspace.exclude.is_empty() && !configs.contains(&config) {
                configs.push(config);
            }
        }
        configs
            .into_iter()
            .map(|it| Exclude::new(it, &mut Vec::new()))
            .collect()
    }

    /// Returns the manifests and templates of the modules of the workspace.
    fn own_module_files(&self) -> Vec<PathBuf> {
        let modules = self.environments.iter().flat_map(|it| &it.modules);
        let own = modules.filter(|it| it.origin == ModuleOrigin::Workspace);
        let files = own.flat_map(|module| module.files.iter().map(|it| module.path_of(it)));
        self.without_excluded(files.filter(|it| is_code(it)).collect())
    }
}

fn is_excluded(excluded: &[Exclude], file: &Path) -> bool {
    excluded.iter().any(|it| it.has(file, false))
}

/// Returns the directories in `paths`, as they are and absolute.
fn folders_of(paths: &[PathBuf]) -> Vec<(&PathBuf, PathBuf)> {
    let folders = paths.iter().filter(|it| it.is_dir());
    folders.map(|it| (it, absolute(it))).collect()
}

/// Checks whether a path is in one of the directories `foreign`, and neither it nor the directory around it was asked
/// for.
fn is_foreign(foreign: &BTreeSet<&PathBuf>, path: &Path, asked: &Path) -> bool {
    let mut around = foreign.iter().filter(|it| path.starts_with(it));
    around.any(|it| !asked.starts_with(it.parent().unwrap_or(it)))
}

fn is_code(path: &Path) -> bool {
    (is_manifest(path) || is_template(path)) && !is_bolt_task(path)
}
