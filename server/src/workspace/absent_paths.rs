//! Files and directories that exist in an installation, but not in a fresh clone: submodules of Git that are not
//! checked out, and what `.gitignore` names, such as secrets and generated files.
//!
//! Their contents are not known.

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use super::limits::{MAX_DEPTH, MAX_ENTRIES, read_config};

/// The directories of a module in which Puppet looks for what code names.
const PARTS: [&str; 7] = [
    "files",
    "functions",
    "lib",
    "manifests",
    "plans",
    "templates",
    "types",
];

/// A submodule of Git.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Submodule {
    pub(super) path: PathBuf,
    /// The address of its repository, as it is written.
    pub(super) url: Option<String>,
}

/// The absent paths that the files of directories name. The modules of a repository share the files of its root,
/// which are read once.
pub(super) struct AbsentPaths(HashMap<PathBuf, Vec<PathBuf>>);

impl AbsentPaths {
    /// Reads the files in the directories of modules, and in those around them.
    pub(super) fn around<'a>(roots: impl Iterator<Item = &'a Path>) -> AbsentPaths {
        let mut of_folders = HashMap::new();
        for folder in roots.flat_map(folders_above) {
            of_folders.entry(folder).or_insert_with_key(|folder| {
                let submodules = submodules_of(folder).into_iter().map(|it| it.path);
                submodules.chain(ignored_by(folder)).collect()
            });
        }
        AbsentPaths(of_folders)
    }

    /// Returns the paths in a module that are absent, relative to it and with slashes.
    pub(super) fn in_module(&self, root: &Path) -> BTreeSet<String> {
        let folders = folders_above(root);
        let paths = folders.iter().filter_map(|it| self.0.get(it)).flatten();
        let inside = paths.filter_map(|it| {
            let parts = it.strip_prefix(root).ok()?.iter().map(|it| it.to_str());
            let parts = parts.collect::<Option<Vec<&str>>>()?;
            is_loaded(&parts).then(|| parts.join("/"))
        });
        inside.collect()
    }
}

/// Checks whether code may name a path in a module: no definition is in a hidden directory.
fn is_loaded(parts: &[&str]) -> bool {
    let Some(first) = parts.first().filter(|it| PARTS.contains(it)) else {
        return false;
    };
    let may_be_hidden = matches!(*first, "files" | "templates");
    may_be_hidden || !parts.iter().any(|it| it.starts_with('.'))
}

/// Returns the submodules that are not checked out, of the repositories around a directory.
pub(super) fn submodules_around(root: &Path) -> Vec<Submodule> {
    let folders = folders_above(root).into_iter();
    folders.flat_map(|it| submodules_of(&it)).collect()
}

/// The files in the root of a control repository, by which a copy without `.git` is recognized.
const ROOT_FILES: [&str; 3] = [".gitmodules", "Puppetfile", "environment.conf"];

/// Returns a directory and its parents, up to that of the repository; only the directory outside of a repository.
fn folders_above(root: &Path) -> Vec<PathBuf> {
    let folders = || root.ancestors().take(MAX_DEPTH);
    let is_root = |it: &Path| ROOT_FILES.iter().any(|name| it.join(name).is_file());
    let depth = folders().position(|it| it.join(".git").exists());
    let depth = depth.or_else(|| folders().position(is_root));
    let inside = folders().take(depth.unwrap_or(0) + 1);
    inside.map(Path::to_owned).collect()
}

/// Reads a file that Git reads, which does not follow links there.
fn read_git_file(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    if path.is_symlink() {
        return String::new();
    }
    read_config(&path, &mut Vec::new()).unwrap_or_default()
}

/// Checks whether a relative path stays in its directory.
fn stays_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|it| matches!(it, Component::Normal(_)))
}

/// Returns the submodules in the `.gitmodules` of a directory that are not checked out: Git leaves their
/// directories empty.
fn submodules_of(folder: &Path) -> Vec<Submodule> {
    let text = read_git_file(folder, ".gitmodules");
    let mut found: Vec<Submodule> = Vec::new();
    let mut url = None;
    for line in text.lines().take(MAX_ENTRIES) {
        let line = line.trim();
        if line.starts_with('[') {
            url = None;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let value = value.trim();
        match key.trim() {
            "path" if stays_inside(value) => found.push(Submodule {
                path: folder.join(value),
                url: url.take(),
            }),
            "url" => match found.last_mut().filter(|it| it.url.is_none()) {
                Some(last) => last.url = Some(value.to_owned()),
                None => url = Some(value.to_owned()),
            },
            _ => {}
        }
    }
    found.retain(|it| !has_entries(&it.path));
    found
}

fn has_entries(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut it| it.next().is_some())
}

/// Returns the paths that the `.gitignore` of a directory names without wildcards, and that do not exist.
fn ignored_by(folder: &Path) -> Vec<PathBuf> {
    let text = read_git_file(folder, ".gitignore");
    let paths = text.lines().take(MAX_ENTRIES).filter_map(|line| {
        let line = line.trim_end();
        let path = line.strip_prefix('/').unwrap_or(line);
        let path = path.strip_suffix('/').unwrap_or(path);
        // A name without a slash matches at any depth.
        let is_anchored = line.starts_with('/') || path.contains('/');
        let is_plain = !path.is_empty() && !path.contains(['*', '?', '[', '!', '#', '\\']);
        (is_anchored && is_plain && stays_inside(path)).then(|| folder.join(path))
    });
    paths.filter(|it| !it.exists()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn in_module(root: &Path) -> BTreeSet<String> {
        AbsentPaths::around(std::iter::once(root)).in_module(root)
    }

    #[test]
    fn finds_submodules_and_ignored_paths() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path();
        let module = root.join("modules/a");
        fs::create_dir_all(module.join("files/here")).expect("a directory");
        fs::create_dir_all(root.join(".git")).expect("a directory");
        let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("a file");
        write(
            ".gitmodules",
            "[submodule \"x\"]\n\tpath = modules/a/files/sub\n\turl = https://x/y\n\
             [submodule \"b\"]\n\turl = https://x/b\n\tpath = modules/b\n",
        );
        write(
            ".gitignore",
            "*.swp\n/modules/a/files/certs/\nmodules/a/manifests/secret.pp\nplain\n!/modules/a/no\n\
             modules/a/files/here\nmodules/a/files/*.key\n/modules/a/spec/x/y\nmodules/a/manifests/.vscode/\n",
        );
        write("modules/a/.gitignore", "/files/own.txt\n");
        let expected = [
            "files/certs",
            "files/own.txt",
            "files/sub",
            "manifests/secret.pp",
        ];
        assert_eq!(Vec::from_iter(in_module(&module)), expected);
        let around = submodules_around(&module);
        let urls = around.iter().filter_map(|it| it.url.as_deref());
        assert_eq!(Vec::from_iter(urls), ["https://x/y", "https://x/b"]);
        write("modules/a/files/sub", "");
        assert_eq!(submodules_of(root).len(), 2);
    }

    #[test]
    fn stays_in_the_repository() {
        let outer = tempfile::tempdir().expect("a directory");
        let root = outer.path().join("a");
        fs::create_dir_all(&root).expect("a directory");
        fs::write(outer.path().join(".gitignore"), "/a/files/x\n").expect("a file");
        let modules = "[submodule \"x\"]\npath = ../b\n[submodule \"y\"]\npath = /nosuch/c\n";
        fs::write(root.join(".gitmodules"), modules).expect("a file");
        assert_eq!(in_module(&root), BTreeSet::new());
        assert_eq!(submodules_around(&root), []);
    }
}
