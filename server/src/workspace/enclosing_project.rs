//! The project that a file or directory is a part of, which may be a parent directory.

use std::path::{Path, PathBuf};

use super::environment_marker::{CONVENTIONAL_DIRECTORIES, EnvironmentMarker};
use super::limits::MAX_DEPTH;
use super::module::{has_module_parts, is_certainly_module, is_environment_part, is_module_part};
use super::module_roots::CONVENTIONAL_FOLDERS;
use super::{basemodulepath, modulepath};
use crate::config::FILE_NAME;

/// The directory of a module into which tests install others. Their environment is that of the tests.
const FIXTURES: &str = "spec/fixtures";

/// Returns the environment or module that a file belongs to.
pub(super) fn project_of(file: &Path) -> Option<PathBuf> {
    enclosing_project(file, None)
}

/// Returns the project that a directory is only a part of, or `None` if the directory is a project of
/// its own or belongs to none.
pub(super) fn project_around(folder: &Path) -> Option<PathBuf> {
    let marker = EnvironmentMarker::of(folder);
    if marker == Some(EnvironmentMarker::EnvironmentConf) {
        return None;
    }
    let is_project = marker.is_some() || is_certainly_module(folder);
    let project = is_project.then(|| folder.to_owned());
    enclosing_project(folder, project).filter(|it| it != folder)
}

/// Returns the outermost project around a path that contains `project`, the project found so far, or
/// `project` itself.
fn enclosing_project(path: &Path, mut project: Option<PathBuf>) -> Option<PathBuf> {
    for folder in path.ancestors().skip(1).take(MAX_DEPTH) {
        if let Some(marker) = environment_around(folder, path) {
            if project
                .as_ref()
                .is_none_or(|it| contains(folder, marker, it))
            {
                project = Some(folder.to_owned());
            }
            if marker == EnvironmentMarker::EnvironmentConf {
                break;
            }
        } else if project.is_none() && is_module_around(folder, path) {
            project = Some(folder.to_owned());
        }
    }
    project
}

/// Returns the marker of an environment to which a path in its directory belongs.
fn environment_around(folder: &Path, path: &Path) -> Option<EnvironmentMarker> {
    let weak = || {
        // The modules of the machine belong to many projects.
        let is_apart =
            folder.ends_with(FIXTURES) || basemodulepath::is_installed(&folder.join("modules"));
        let marker = EnvironmentMarker::of(folder).filter(|_| !is_apart);
        marker.filter(|_| is_root(folder) || is_part_of_environment(path, folder))
    };
    EnvironmentMarker::reliable(folder).or_else(weak)
}

/// Checks whether a directory is a module to which a path in it belongs.
fn is_module_around(folder: &Path, path: &Path) -> bool {
    let mut files = ["metadata.json", "Puppetfile"].iter();
    if files.any(|it| folder.join(it).is_file()) {
        // Other tools use files of the first name as well.
        return has_module_parts(folder);
    }
    let is_part = |it: &str| is_module_part(it) || CONVENTIONAL_FOLDERS.contains(&it);
    is_certainly_module(folder)
        && (is_root(folder) || first_part(path, folder).is_some_and(is_part))
}

/// Checks whether a directory is the root of a repository or has the settings of a project. All files in it belong to
/// the project then. Otherwise it may be a home directory with modules and other files.
fn is_root(folder: &Path) -> bool {
    [".git", FILE_NAME]
        .iter()
        .any(|it| folder.join(it).exists())
}

/// Checks whether a path is in one of the directories that make a directory an environment.
fn is_part_of_environment(path: &Path, environment: &Path) -> bool {
    first_part(path, environment).is_some_and(|it| {
        it == "manifests"
            || is_environment_part(it)
            || CONVENTIONAL_DIRECTORIES.contains(&it)
            || modulepath::is_on_modulepath(&environment.join(it), environment)
    })
}

/// Returns the first name of a path relative to a directory.
fn first_part<'a>(path: &'a Path, folder: &Path) -> Option<&'a str> {
    path.strip_prefix(folder).ok()?.iter().next()?.to_str()
}

/// Checks whether an environment contains a module or another environment inside of it.
fn contains(environment: &Path, marker: EnvironmentMarker, project: &Path) -> bool {
    // A clone of a module in a directory of clones is a project of its own.
    if EnvironmentMarker::reliable(environment).is_none() && project.join(".git").is_dir() {
        return false;
    }
    // A module need not be on the modulepath of `environment.conf`: it may be work in progress.
    let is_module = EnvironmentMarker::reliable(project).is_none();
    is_module && marker == EnvironmentMarker::EnvironmentConf
        || project
            .parent()
            .is_some_and(|it| modulepath::is_on_modulepath(it, environment))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{project_around, project_of};
    use crate::workspace::tests::tree;

    /// Returns a path relative to `root`.
    fn relative(root: &Path, path: Option<std::path::PathBuf>) -> Option<String> {
        let path = path?;
        let path = path.strip_prefix(root).expect("in the tree");
        Some(path.to_string_lossy().into_owned())
    }

    #[test]
    fn directories_and_their_files_have_the_same_project() {
        let root = tree(&[
            ("deployed/Puppetfile", ""),
            (
                "deployed/site/profile/metadata.json",
                r#"{"name":"x-profile"}"#,
            ),
            ("deployed/site/profile/manifests/init.pp", ""),
            ("deployed/dist/role/manifests/init.pp", ""),
            ("deployed/dist/role/manifests/site.pp", ""),
            ("bolt/bolt-project.yaml", "modulepath: [parts]\n"),
            ("bolt/parts/m/metadata.json", r#"{"name":"x-m"}"#),
            ("bolt/parts/m/manifests/init.pp", ""),
            ("main/manifests/site.pp", ""),
            ("main/modules/m/metadata.json", r#"{"name":"x-m"}"#),
            ("main/modules/m/manifests/site.pp", ""),
            ("conf/environment.conf", "modulepath = parts/*\n"),
            ("conf/parts/a/role/manifests/site.pp", ""),
            ("conf/new/m/metadata.json", r#"{"name":"x-m"}"#),
            ("conf/new/m/manifests/init.pp", ""),
            ("conf/machine/Puppetfile", ""),
            ("conf/machine/manifests/site.pp", ""),
            ("sources/Puppetfile", ""),
            ("sources/m/metadata.json", r#"{"name":"x-m"}"#),
            ("sources/m/manifests/init.pp", ""),
            ("plain/modules/m/manifests/init.pp", "class m {}\n"),
            ("clones/modules/m/metadata.json", r#"{"name":"x-m"}"#),
            ("clones/modules/m/.git/HEAD", ""),
            ("clones/modules/m/manifests/init.pp", ""),
            ("alone/manifests/init.pp", ""),
            ("alone/templates/a.epp", ""),
            ("tests/metadata.json", r#"{"name":"x-tests"}"#),
            (
                "tests/spec/fixtures/modules/m/metadata.json",
                r#"{"name":"x-m"}"#,
            ),
            ("tests/spec/fixtures/modules/m/manifests/init.pp", ""),
        ]);
        for (folder, project) in [
            ("deployed/site/profile", "deployed"),
            ("deployed/dist/role", "deployed"),
            ("bolt/parts/m", "bolt"),
            ("main/modules/m", "main"),
            ("conf/parts/a/role", "conf"),
            ("conf/new/m", "conf"),
            ("conf/machine", "conf/machine"),
            ("sources/m", "sources/m"),
            ("plain/modules/m", "plain"),
            ("clones/modules/m", "clones/modules/m"),
            ("alone", "alone"),
            (
                "tests/spec/fixtures/modules/m",
                "tests/spec/fixtures/modules/m",
            ),
        ] {
            let path = root.path().join(folder);
            let around = project_around(&path).unwrap_or_else(|| path.clone());
            let of_file = project_of(&path.join("manifests/a.pp"));
            let project = Some(project.to_owned());
            assert_eq!(relative(root.path(), Some(around)), project, "{folder}");
            assert_eq!(relative(root.path(), of_file), project, "{folder}");
        }
    }

    #[test]
    fn directories_without_a_project_have_none() {
        let root = tree(&[
            ("a/b/c.pp", ""),
            ("home/modules/m/manifests/init.pp", ""),
            ("home/c.pp", ""),
        ]);
        assert_eq!(project_around(&root.path().join("a/b")), None);
        assert_eq!(project_of(&root.path().join("a/b/c.pp")), None);
        // A directory of modules may be a home directory.
        assert_eq!(project_of(&root.path().join("home/c.pp")), None);
        assert_eq!(project_of(&root.path().join("home/other/c.pp")), None);
        let home = Some(root.path().join("home"));
        assert_eq!(project_around(&root.path().join("home/modules")), home);
        std::fs::create_dir(root.path().join("home/.git")).expect("a folder");
        assert_eq!(project_of(&root.path().join("home/c.pp")), home);
    }
}
