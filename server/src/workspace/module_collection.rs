//! Directories of modules without an environment, such as a repository with all modules of a team.
//!
//! Directories in them may contain more modules: those of others, or unfinished ones. A module there can
//! have the name of one in the directory above, so each of these directories is an environment of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::ModulepathKind;

use super::environment_marker::EnvironmentMarker;
use super::environment_plan::{EnvironmentKind, EnvironmentPlan, PlanSettings, outside_roots};
use super::module::{ModuleRoot, NameSource, is_certainly_module};
use super::module_roots::CONVENTIONAL_FOLDERS;
use super::note::Note;
use super::required_version::RequiredModules;
use super::{files_outside_modules, module_roots};

/// The maximum depth at which further directories of modules are searched.
const MAX_COLLECTION_DEPTH: usize = 2;

/// Plans the children of a directory that are modules as one environment, and the directories of modules in
/// other children as further ones.
pub(super) fn plan_modules(
    folder: &Path,
    settings: &PlanSettings<'_>,
    notes: &mut Vec<Note>,
) -> Vec<EnvironmentPlan> {
    let own = modules_in(folder, settings);
    if own.is_empty() {
        return Vec::new();
    }
    let outside = outside_roots(&settings.outside(), settings, notes);
    let nested = nested_collections(folder, &own).into_iter();
    let nested: Vec<_> = nested
        .map(|it| {
            let first = modules_in(&it, settings);
            let around = not_named_like(&first, &own);
            (it, first.into_iter().chain(around).collect())
        })
        .collect();
    let all = [(folder.to_owned(), own)].into_iter().chain(nested);
    all.map(|(root, modules)| plan(root, modules, &outside, settings))
        .collect()
}

/// Plans a directory of modules. The modules `outside` of the project come last.
fn plan(
    root: PathBuf,
    modules: Vec<ModuleRoot>,
    outside: &[ModuleRoot],
    settings: &PlanSettings<'_>,
) -> EnvironmentPlan {
    EnvironmentPlan {
        root,
        kind: EnvironmentKind::Modules,
        why: "contains modules".to_owned(),
        modulepath: settings.outside(),
        manifest: None,
        roots: modules.into_iter().chain(outside.iter().cloned()).collect(),
        modulepath_kind: ModulepathKind::OfDependencies,
        declared: BTreeSet::new(),
        shipped: &[],
        required: RequiredModules::new(),
        config: Arc::clone(settings.config),
    }
}

/// Returns the modules in a directory.
fn modules_in(folder: &Path, settings: &PlanSettings<'_>) -> Vec<ModuleRoot> {
    let children = module_roots::children(folder, &mut Vec::new());
    let modules = children.into_iter().map(|(_, path)| path);
    modules
        .filter(|it| is_certainly_module(it) && EnvironmentMarker::of(it).is_none())
        .map(|path| ModuleRoot {
            path,
            origin: settings.origin(folder),
            naming: NameSource::Metadata,
            why: "in a directory of modules".to_owned(),
        })
        .collect()
}

/// Returns the directories of modules below `folder`, except those in modules and environments.
fn nested_collections(folder: &Path, modules: &[ModuleRoot]) -> Vec<PathBuf> {
    let is_project = |it: &Path| {
        modules.iter().any(|module| module.path == it) || EnvironmentMarker::of(it).is_some()
    };
    let is_collection = |path: &Path| {
        let mut folders = path.ancestors().take_while(|it| *it != folder);
        let is_apart = |it: &Path| is_conventional(it) || is_project(it) || is_certainly_module(it);
        !folders.any(is_apart)
            && module_roots::children(path, &mut Vec::new())
                .iter()
                .any(|(_, it)| is_certainly_module(it) && EnvironmentMarker::of(it).is_none())
    };
    files_outside_modules::folders(folder, MAX_COLLECTION_DEPTH, is_collection)
}

fn is_conventional(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|it| it.to_str());
    name.is_some_and(|it| CONVENTIONAL_FOLDERS.contains(&it))
}

/// Returns the modules in `others` whose directory has a name other than those of `modules`.
fn not_named_like(modules: &[ModuleRoot], others: &[ModuleRoot]) -> Vec<ModuleRoot> {
    let names: BTreeSet<_> = modules.iter().map(|it| it.path.file_name()).collect();
    let others = others.iter();
    let others = others.filter(|it| !names.contains(&it.path.file_name()));
    others.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::Note;
    use crate::workspace::discover;
    use crate::workspace::tests::{names, relative, request, tree};

    #[test]
    fn directories_of_modules_in_others_have_their_own_modules() {
        let root = tree(&[
            ("apt/manifests/init.pp", ""),
            ("nginx/manifests/init.pp", ""),
            ("external/nginx/manifests/init.pp", ""),
            ("external/nginx/manifests/params.pp", ""),
            ("external/nginx/tests/init.pp", ""),
            ("scripts/loose.pp", ""),
        ]);
        let found = discover(&request(root.path()));
        let [above, external] = &found.environments[..] else {
            panic!("two: {found:#?}")
        };
        assert_eq!(names(above), ["apt", "nginx"]);
        assert_eq!(relative(root.path(), &above.others), ["scripts/loose.pp"]);
        assert_eq!(external.root, root.path().join("external"));
        assert_eq!(names(external), ["nginx", "apt"]);
        let nginx = external.modules.first().expect("a module");
        assert_eq!(nginx.root, root.path().join("external/nginx"));
        assert_eq!(
            relative(root.path(), &external.others),
            ["external/nginx/tests/init.pp"]
        );
        let is_about_shadows = |it: &Note| it.message.contains("shadowed");
        assert!(
            !found.notes.iter().any(is_about_shadows),
            "{:?}",
            found.notes
        );
    }

    #[test]
    fn modules_of_tests_and_of_environments_are_no_collection() {
        let root = tree(&[
            ("apt/manifests/init.pp", ""),
            ("apt/examples/modules/a/manifests/init.pp", ""),
            ("spec/fixtures/b/manifests/init.pp", ""),
            ("env/environment.conf", ""),
            ("env/modules/c/manifests/init.pp", ""),
        ]);
        let found = discover(&request(root.path()));
        let roots = found.environments.iter().map(|it| it.root.clone());
        let roots = relative(root.path(), &roots.collect::<Vec<_>>());
        assert_eq!(roots, ["env", ""]);
    }

    #[test]
    fn modules_in_modules_are_apart() {
        let root = tree(&[
            ("nginx/manifests/init.pp", ""),
            ("app/manifests/init.pp", ""),
            ("app/vendor/nginx/manifests/init.pp", ""),
            ("app/tests/init.pp", ""),
            ("app/notes.pp", ""),
        ]);
        let found = discover(&request(root.path()));
        let [modules, nested] = &found.environments[..] else {
            panic!("two: {found:#?}")
        };
        assert_eq!(
            relative(root.path(), &modules.others),
            ["app/notes.pp", "app/tests/init.pp"]
        );
        assert_eq!(
            relative(root.path(), &nested.others),
            ["app/vendor/nginx/manifests/init.pp"]
        );
    }
}
