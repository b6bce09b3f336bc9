//! Finds the modules in directories of modules.

use std::fs;
use std::path::{Path, PathBuf};

use analysis::base::ModuleOrigin;

use super::limits::MAX_CHILDREN;
use super::module::{ModuleRoot, NameSource, is_certainly_module};
use super::note::Note;
use crate::paths::is_module_name;

/// The directories of modules and environments with manifests that people run by hand, or that tests
/// use.
pub(super) const CONVENTIONAL_FOLDERS: [&str; 7] = [
    "acceptance",
    "docs",
    "examples",
    "features",
    "spec",
    "test",
    "tests",
];

/// Returns the directories in a directory, sorted by name. Includes symbolic links to directories,
/// excludes hidden ones.
pub(super) fn children(folder: &Path, notes: &mut Vec<Note>) -> Vec<(String, PathBuf)> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let message = format!(
                "cannot read directory: {}",
                crate::read_text::ReadError::from(error)
            );
            notes.push(Note::new(folder, message));
            return Vec::new();
        }
    };
    let mut children = Vec::new();
    for entry in entries.filter_map(Result::ok) {
        if children.len() == MAX_CHILDREN {
            let message =
                format!("too many directories: only the first {MAX_CHILDREN} are considered");
            notes.push(Note::new(folder, message));
            break;
        }
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = entry.path();
        let is_folder = entry
            .file_type()
            .is_ok_and(|it| it.is_dir() || it.is_symlink());
        if is_folder && !name.starts_with('.') && path.is_dir() {
            children.push((name, path));
        }
    }
    children.sort_unstable();
    children
}

/// Returns the modules in a directory of Puppet's modulepath: all children with a valid module
/// name.
pub(super) fn on_modulepath(
    folder: &Path,
    origin: ModuleOrigin,
    why: &str,
    notes: &mut Vec<Note>,
) -> Vec<ModuleRoot> {
    let mut roots = Vec::new();
    for (name, path) in children(folder, notes) {
        if is_module_name(&name) && !has_entries(&path) {
            // A submodule of Git that is not checked out.
            continue;
        } else if is_module_name(&name) {
            roots.push(ModuleRoot {
                path,
                origin,
                naming: NameSource::Modulepath,
                why: why.to_owned(),
            });
        } else if path.join("metadata.json").is_file() {
            let message = format!("skipped: `{name}` is not a valid module name");
            notes.push(Note::new(path, message));
        }
    }
    roots
}

/// Checks whether a directory has any entry. One that cannot be read may have.
pub(super) fn has_entries(folder: &Path) -> bool {
    fs::read_dir(folder).map_or(true, |mut it| it.next().is_some())
}

/// Returns the modules in a directory that the user configured or opened: in addition to those that
/// Puppet recognizes, also clones named `author-name`. The directory may be a module itself.
pub(super) fn in_folder(
    folder: &Path,
    origin: ModuleOrigin,
    why: &str,
    notes: &mut Vec<Note>,
) -> Vec<ModuleRoot> {
    if is_certainly_module(folder) {
        return vec![ModuleRoot {
            path: folder.to_owned(),
            origin,
            naming: NameSource::Metadata,
            why: why.to_owned(),
        }];
    }
    let children = children(folder, notes).into_iter();
    let roots = children.filter_map(|(name, path)| {
        let naming = if is_module_name(&name) {
            NameSource::Folder
        } else if is_certainly_module(&path) {
            NameSource::Metadata
        } else {
            return None;
        };
        Some(ModuleRoot {
            path,
            origin,
            naming,
            why: why.to_owned(),
        })
    });
    roots.collect()
}
