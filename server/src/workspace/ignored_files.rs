//! Files and modules that the `.gitignore` of a repository hides.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use analysis::base::ModuleOrigin;
use ignore::gitignore::Gitignore;

use super::exclude::Exclude;
use super::git_index::GitIndex;
use super::limits::MAX_DEPTH;
use super::module::ModuleRoot;
use crate::ignore_files;
use crate::paths::{is_bolt_task, is_hidden, is_manifest, is_template};

/// The file that each package of the Forge contains, and that repositories do not.
const FILE_OF_PACKAGES: &str = "checksums.json";

/// Returns the tracked files below `root` that are not known, because version control ignores files of
/// their names, sorted. Files in the directories `foreign` belong to others.
pub(super) fn find(
    root: &Path,
    exclude: &Exclude,
    known: &HashSet<PathBuf>,
    foreign: &HashSet<PathBuf>,
) -> Vec<PathBuf> {
    let Some(index) = GitIndex::find(root) else {
        return Vec::new();
    };
    let tracked = index
        .files
        .iter()
        .filter(|it| !is_hidden(it) && (it.ends_with(".pp") || it.ends_with(".epp")));
    let tracked = tracked.map(|it| {
        let mut path = index.root.clone();
        path.extend(it.split('/'));
        path
    });
    let is_of_others = |path: &PathBuf| {
        let mut folders = path.ancestors().skip(1).take_while(|it| *it != root);
        folders.any(|it| foreign.contains(it))
    };
    let mut ignored: Vec<PathBuf> = tracked
        .filter(|it| it.starts_with(root) && !known.contains(it) && !is_of_others(it))
        .filter(|it| (is_manifest(it) || is_template(it)) && !is_bolt_task(it))
        .filter(|it| !exclude.has(it, false) && it.is_file())
        .collect();
    ignored.sort_unstable();
    ignored
}

/// Marks the modules in `folder` as installed that version control ignores: a tool put them there. Returns those that Git
/// may track: outside of a repository, that is unknown.
pub(super) fn mark_installed(folder: &Path, modules: &mut [ModuleRoot]) -> Vec<PathBuf> {
    let own = |it: &&mut ModuleRoot| it.origin == ModuleOrigin::Workspace;
    let patterns = patterns_above(folder);
    let mut index = None;
    let mut doubtful = Vec::new();
    for module in modules.iter_mut().filter(own) {
        if !is_ignored(&module.path, &patterns) {
            continue;
        }
        let index = index.get_or_insert_with(|| GitIndex::find(folder));
        let is_tracked = index
            .as_ref()
            .is_some_and(|it| it.has_files_in(&module.path));
        if !is_tracked {
            module.origin = ModuleOrigin::Installed;
        }
        if index.is_none() {
            doubtful.push(module.path.clone());
        }
    }
    match !doubtful.is_empty() && is_in_repository(folder) {
        true => Vec::new(),
        false => doubtful,
    }
}

fn is_in_repository(folder: &Path) -> bool {
    let mut folders = folder.ancestors().take(MAX_DEPTH);
    folders.any(|it| it.join(".git").exists())
}

/// Marks modules in `folder` that the installing tool does not list as part of the workspace: those that Git tracks or,
/// outside of a repository, all of them if the tool would remove unlisted ones. Skips packages of the Forge.
pub(super) fn mark_unlisted(
    folder: &Path,
    modules: &mut [ModuleRoot],
    removes_others: bool,
    is_listed: impl Fn(&str) -> bool,
) {
    let is_in_repository = is_in_repository(folder);
    let mut index = None;
    for module in modules.iter_mut() {
        let name = module.path.file_name().and_then(|it| it.to_str());
        if name.is_none_or(&is_listed) || module.path.join(FILE_OF_PACKAGES).is_file() {
            continue;
        }
        let index = index.get_or_insert_with(|| GitIndex::find(folder));
        let is_own = match index {
            Some(index) => index.has_files_in(&module.path),
            None => removes_others && !is_in_repository,
        };
        if is_own {
            module.origin = ModuleOrigin::Workspace;
        }
    }
}

/// Returns the patterns that apply to the children of a directory, nearest first.
fn patterns_above(folder: &Path) -> Vec<Gitignore> {
    let mut found = Vec::new();
    for folder in folder.ancestors().take(MAX_DEPTH) {
        found.extend(ignore_files::git_patterns(folder));
        if folder.join(".git").exists() {
            break;
        }
    }
    found
}

/// Checks whether a directory or one of its parents is ignored. The nearest patterns decide.
fn is_ignored(folder: &Path, patterns: &[Gitignore]) -> bool {
    let mut matches = patterns.iter().filter_map(|it| {
        let inside = folder.starts_with(it.path());
        inside.then(|| it.matched_path_or_any_parents(folder, true))
    });
    matches
        .find(|it| !it.is_none())
        .is_some_and(|it| it.is_ignore())
}

#[cfg(test)]
mod tests {
    use crate::workspace::discover;
    use crate::workspace::tests::{request, tree};

    #[test]
    fn ignored_modules_outside_of_a_repository_are_noted() {
        let root = tree(&[
            (".gitignore", "modules\n"),
            ("Puppetfile", "mod 'puppetlabs/stdlib'\n"),
            ("environment.conf", "modulepath = modules\n"),
            ("modules/stdlib/manifests/init.pp", ""),
            ("modules/own/manifests/init.pp", ""),
        ]);
        let found = discover(&request(root.path()));
        let notes: Vec<_> = found.notes.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            notes,
            ["modules that `.gitignore` hides are not checked: `own`"]
        );
    }
}
