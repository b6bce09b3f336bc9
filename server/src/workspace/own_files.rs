//! The files of a workspace that are checked: those of the project, but not those that tools installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis::base::ModuleOrigin;

use super::discovery::{Discovery, FoundEnvironment};
use super::exclude::Exclude;
use crate::paths::{absolute, is_bolt_task, is_manifest, is_template};

impl Discovery {
    /// Adjusts the files found below `paths` to those that editors report: drops excluded files and
    /// those that tools installed, unless a path names them or the directory of the modules, and adds
    /// those of modules that `.gitignore` hides.
    pub(crate) fn adjust(&self, paths: &[PathBuf], files: &mut Vec<PathBuf>) {
        let folders = paths.iter().filter(|it| it.is_dir());
        let folders: Vec<(&PathBuf, PathBuf)> = folders.map(|it| (it, absolute(it))).collect();
        let named: BTreeSet<&PathBuf> = paths.iter().collect();
        let foreign = self.foreign_folders();
        let excluded: Vec<Exclude> = self.excluded();
        let is_foreign = |path: &Path, asked: &Path| {
            let mut around = foreign.iter().filter(|it| path.starts_with(it));
            around.any(|it| !asked.starts_with(it.parent().unwrap_or(it)))
        };
        files.retain(|file| {
            let path = absolute(file);
            let mut asked = folders.iter().filter(|it| path.starts_with(&it.1));
            named.contains(file)
                || asked.any(|it| !is_foreign(&path, &it.1))
                    && !excluded.iter().any(|it| it.has(&path, false))
        });
        let known: BTreeSet<PathBuf> = files.iter().map(|it| absolute(it)).collect();
        for path in self.own_module_files().filter(|it| !known.contains(it)) {
            // An environment whose data is next to `hiera.yaml` contains the folders of modules too.
            let mut asked = folders.iter().filter(|it| path.starts_with(&it.1));
            let folder = asked.find(|it| !is_foreign(&path, &it.1));
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

    /// Iterates over the manifests and templates of the modules of the workspace.
    fn own_module_files(&self) -> impl Iterator<Item = PathBuf> {
        let modules = self.environments.iter().flat_map(|it| &it.modules);
        let own = modules.filter(|it| it.origin == ModuleOrigin::Workspace);
        let files = own.flat_map(|module| module.files.iter().map(|it| module.path_of(it)));
        files.filter(|it| is_code(it))
    }
}

fn is_code(path: &Path) -> bool {
    (is_manifest(path) || is_template(path)) && !is_bolt_task(path)
}
