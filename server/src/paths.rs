//! Derives the dialect of a file and its place in a module from its path.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, RwLock};

use analysis::FileSpec;
use syntax::Dialect;
use syntax::validation::ModulePlace;

use crate::workspace::module_names;

/// The directories of a module from which Puppet autoloads definitions by name.
pub(crate) const AUTOLOADED: [&str; 4] = ["manifests", "functions", "types", "plans"];

/// The names of directories whose children are modules.
const MODULE_DIRECTORIES: [&str; 3] = ["modules", "site", "site-modules"];

/// Locates the modules that files belong to, and caches the result.
#[derive(Debug)]
pub(crate) struct ModuleLocator {
    modulepath: Vec<PathBuf>,
    /// The module names by root directory; `None` for directories that are not a module.
    roots: RwLock<HashMap<PathBuf, Option<Arc<[String]>>>>,
}

impl ModuleLocator {
    /// Creates a layout with the given modulepath.
    pub(crate) fn new(modulepath: &[PathBuf]) -> ModuleLocator {
        ModuleLocator {
            modulepath: modulepath.iter().map(|it| absolute(it)).collect(),
            roots: RwLock::default(),
        }
    }

    /// Returns the dialect and place of the file at `path`.
    pub(crate) fn spec(&self, path: &Path) -> FileSpec {
        let path = absolute(path);
        let place = self.place(&path);
        let tasks = match &place {
            Some(place) => place.path.starts_with("plans/"),
            None => has_component(&path, "plans"),
        };
        FileSpec {
            dialect: Dialect {
                epp: is_template(&path),
                tasks,
            },
            place,
        }
    }

    fn place(&self, path: &Path) -> Option<ModulePlace> {
        let (root, names) = path
            .ancestors()
            .skip(1)
            .find_map(|folder| Some((folder, self.module_names(folder)?)))?;
        let path = with_slashes(path.strip_prefix(root).ok()?)?;
        let first = path.split('/').next()?;
        (path.len() > first.len() && AUTOLOADED.contains(&first)).then(|| ModulePlace {
            module_names: names.to_vec(),
            path,
        })
    }

    fn module_names(&self, folder: &Path) -> Option<Arc<[String]>> {
        if let Ok(roots) = self.roots.read()
            && let Some(known) = roots.get(folder)
        {
            return known.clone();
        }
        let names = self.find_module_names(folder);
        if let Ok(mut roots) = self.roots.write() {
            roots.insert(folder.to_owned(), names.clone());
        }
        names
    }

    fn find_module_names(&self, folder: &Path) -> Option<Arc<[String]>> {
        let in_module_folder = folder.parent().is_some_and(|parent| {
            let name = parent.file_name().and_then(OsStr::to_str);
            name.is_some_and(|it| MODULE_DIRECTORIES.contains(&it))
                || self.modulepath.iter().any(|it| it == parent)
        });
        if !in_module_folder && !folder.join("metadata.json").is_file() {
            return None;
        }
        let names = module_names(folder);
        (!names.is_empty()).then(|| names.into())
    }
}

/// Returns the dialect and place of a file from its path alone, without accessing the disk.
pub(crate) fn spec_from_path(path: &str) -> FileSpec {
    FileSpec {
        dialect: Dialect {
            epp: path.ends_with(".epp"),
            tasks: path.contains("/plans/"),
        },
        place: place_from_path(path),
    }
}

fn place_from_path(path: &str) -> Option<ModulePlace> {
    let parts: Vec<&str> = path.split('/').collect();
    // The innermost module wins, because fixtures may contain other modules.
    let at = (0..parts.len().saturating_sub(3)).rev().find(|&at| {
        parts[at] == "modules"
            && is_module_name(parts[at + 1])
            && AUTOLOADED.contains(&parts[at + 2])
    })?;
    Some(ModulePlace {
        module_names: vec![parts[at + 1].to_owned()],
        path: parts[at + 2..].join("/"),
    })
}

/// Checks whether a path names an EPP template.
pub(crate) fn is_template(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "epp")
}

/// Checks whether a path names a manifest.
pub(crate) fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "pp") && !is_source_of_template(path)
}

/// Checks whether a path names a file below the `templates` folder of a module: an ERB template may write a
/// manifest, and end in `.pp`.
fn is_source_of_template(path: &Path) -> bool {
    let in_templates = |it: &Path| it.file_name() == Some(OsStr::new("templates"));
    if !path.iter().any(|it| it == "templates") {
        return false;
    }
    let path = absolute(path);
    let mut folders = path.ancestors().skip(1).take_while(|it| {
        let name = it.file_name().and_then(OsStr::to_str);
        name.is_none_or(|it| !AUTOLOADED.contains(&it))
    });
    folders.any(|it| in_templates(it) && it.parent().is_some_and(is_module_like))
}

/// Checks whether a path has the extension of data, of Ruby or of a Ruby template.
pub(crate) fn is_data_or_ruby(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(
        extension,
        Some("yaml" | "yml" | "eyaml" | "json" | "rb" | "erb")
    )
}

/// Checks whether a path names a file below the `tasks` folder of a module or project, where Bolt looks
/// for scripts in any language.
pub(crate) fn is_bolt_task(path: &Path) -> bool {
    let path = absolute(path);
    let mut folders = path.ancestors().skip(1);
    folders.any(|it| {
        it.file_name() == Some(OsStr::new("tasks")) && it.parent().is_some_and(is_module_like)
    })
}

/// Checks whether a folder is a module, a Bolt project or an environment.
fn is_module_like(folder: &Path) -> bool {
    const FILES: [&str; 3] = ["metadata.json", "bolt-project.yaml", "environment.conf"];
    let parent = folder.parent().and_then(Path::file_name);
    let name = folder.file_name().and_then(OsStr::to_str);
    let is_autoloaded = name.is_some_and(|it| AUTOLOADED.contains(&it));
    FILES.iter().any(|it| folder.join(it).is_file())
        || MODULE_DIRECTORIES
            .iter()
            .any(|it| parent == Some(OsStr::new(it)))
        || !is_autoloaded && AUTOLOADED.iter().any(|it| folder.join(it).is_dir())
}

/// Checks whether a relative path with slashes names a hidden file, or one in a hidden directory.
pub(crate) fn is_hidden(path: &str) -> bool {
    path.starts_with('.') || path.contains("/.")
}

/// Checks whether a path names a file below the `files` folder of a module, from which nodes get it.
pub(crate) fn is_distributed(path: &Path) -> bool {
    has_component(path, "files")
}

fn has_component(path: &Path, name: &str) -> bool {
    path.components()
        .any(|it| it == Component::Normal(OsStr::new(name)))
}

/// Checks whether Puppet accepts a directory of this name on the modulepath as a module.
pub(crate) fn is_module_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Returns a relative path with slashes; `None` if it is not UTF-8.
pub(crate) fn with_slashes(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(OsStr::to_str).collect();
    Some(parts?.join("/"))
}

/// Returns the absolute path, with `.` and `..` resolved lexically.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // Users mean `b` by `a/../b`, even if `a` is a symbolic link.
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Checks whether a path is on a remote machine and outside of `folders`, which the user opened.
///
/// On Windows, checking whether such a path exists already authenticates to the remote machine, so
/// the contents of a workspace must not be able to cause that.
pub(crate) fn is_untrusted_remote(path: &Path, folders: &[PathBuf]) -> bool {
    cfg!(windows)
        && is_remote(&path.to_string_lossy())
        && !folders.iter().any(|it| path.starts_with(it))
}

/// Checks whether a Windows path starts with a machine, as any form of `\\host\share` does, or a
/// device.
fn is_remote(path: &str) -> bool {
    let mut letters = path.chars().map(|it| matches!(it, '/' | '\\'));
    let starts_twice = letters.next() == Some(true) && letters.next() == Some(true);
    // `\\?\C:\` is a drive.
    let rest = path.get(2..).unwrap_or_default();
    let rest = rest
        .strip_prefix(['?', '.'])
        .map(|it| it.trim_start_matches(['/', '\\']));
    let is_drive = rest.is_some_and(|it| {
        let mut letters = it.chars();
        letters.next().is_some_and(|it| it.is_ascii_alphabetic()) && letters.next() == Some(':')
    });
    starts_twice && !is_drive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_below_the_folder_of_a_module() {
        let root = tempfile::tempdir().expect("the folder can be created");
        for folder in [
            "plain/manifests/tasks",
            "plain/tasks/sub",
            "modules/m",
            "loose/tasks",
        ] {
            std::fs::create_dir_all(root.path().join(folder)).expect("it can be created");
        }
        let is_task = |path: &str| is_bolt_task(&root.path().join(path));
        assert!(is_task("plain/tasks/a.pp"));
        assert!(is_task("plain/tasks/sub/a.pp"));
        assert!(is_task("modules/m/tasks/a.pp"));
        assert!(!is_task("plain/manifests/tasks/a.pp"));
        assert!(!is_task("loose/tasks/a.pp"));
        assert!(!is_task("plain/manifests/tasks.pp"));
    }

    #[test]
    fn recognizes_remote_windows_paths() {
        for path in [
            r"\\host\share",
            "//host/share",
            r"\/host\share",
            r"\\?\UNC\host\share",
            r"\\.\pipe\x",
        ] {
            assert!(is_remote(path), "{path}");
        }
        for path in [
            r"C:\modules",
            "C:/modules",
            "/etc/puppet",
            r"\modules",
            r"\\?\C:\modules",
            "",
            "modules",
        ] {
            assert!(!is_remote(path), "{path}");
        }
    }

    fn place(module: &str, path: &str) -> Option<ModulePlace> {
        Some(ModulePlace {
            module_names: vec![module.to_owned()],
            path: path.to_owned(),
        })
    }

    #[test]
    fn path_determines_dialect() {
        let template = spec_from_path("x/templates/a.epp").dialect;
        assert!(template.epp && !template.tasks);
        assert!(spec_from_path("modules/m/plans/a.pp").dialect.tasks);
        assert!(!spec_from_path("plans/a.pp").dialect.tasks);
    }

    #[test]
    fn path_determines_module_place() {
        let cases = [
            (
                "/e/modules/ntp/manifests/init.pp",
                place("ntp", "manifests/init.pp"),
            ),
            (
                "modules/ntp/functions/a/b.pp",
                place("ntp", "functions/a/b.pp"),
            ),
            (
                "modules/a/spec/fixtures/modules/b/manifests/c.pp",
                place("b", "manifests/c.pp"),
            ),
            ("modules/puppetlabs-ntp/manifests/init.pp", None),
            ("modules/ntp/examples/init.pp", None),
            ("modules/ntp/manifests", None),
            ("manifests/site.pp", None),
            ("", None),
        ];
        for (path, expected) in cases {
            assert_eq!(place_from_path(path), expected, "{path}");
        }
    }

    #[test]
    fn finds_modules_on_disk() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        let module = root.path().join("puppetlabs-my-module");
        std::fs::create_dir_all(module.join("manifests/sub"))?;
        std::fs::write(module.join("metadata.json"), r#"{"name":"me/my-module"}"#)?;
        let locator = ModuleLocator::new(&[root.path().join("dist")]);
        let place_of = |path: &str| locator.spec(&root.path().join(path)).place;

        assert_eq!(
            place_of("puppetlabs-my-module/manifests/sub/a.pp"),
            place("my_module", "manifests/sub/a.pp")
        );
        assert_eq!(place_of("puppetlabs-my-module/examples/a.pp"), None);
        assert_eq!(
            place_of("dist/role/types/a.pp"),
            place("role", "types/a.pp")
        );
        assert_eq!(
            place_of("site/role/manifests/a.pp"),
            place("role", "manifests/a.pp")
        );
        assert_eq!(place_of("site/manifests/site.pp"), None);
        assert_eq!(place_of("other/manifests/a.pp"), None);
        assert!(
            locator
                .spec(&root.path().join("site/role/plans/a.pp"))
                .dialect
                .tasks
        );
        assert!(
            !locator
                .spec(&root.path().join("site/plans/manifests/a.pp"))
                .dialect
                .tasks
        );
        Ok(())
    }
}
