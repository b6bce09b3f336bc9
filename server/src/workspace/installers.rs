//! The directories that tools install modules into: r10k, g10k, librarian-puppet and Bolt.
//!
//! Their modules belong to others: they are read, but not checked.

use std::path::{Path, PathBuf};

use analysis::hiera::document::{self, Node};

use super::limits::read_config;
use super::note::Note;
use super::puppetfile::Puppetfile;
use crate::paths::{absolute, is_module_name};

/// The directory to which most tools install the modules of a `Puppetfile`.
const DEFAULT_MODULEDIR: &str = "modules";

/// The directory into which Bolt installs the modules that a project lists.
const BOLT_MODULEDIR: &str = ".modules";

/// The files with the settings of r10k, in the order in which it looks for them.
const R10K_FILES: [&str; 2] = ["r10k.yaml", "r10k.yml"];

/// The configuration of librarian-puppet in a project.
const LIBRARIAN_FILE: &str = ".librarian/puppet/config";

/// The files and directories that librarian-puppet leaves in a project.
const LIBRARIAN_TRACES: [&str; 3] = [".librarian", ".tmp/librarian", "Puppetfile.lock"];

/// The directories to which tools install modules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Installers {
    /// The directories of modules, with the reason for each.
    pub(super) folders: Vec<(PathBuf, &'static str)>,
    /// The directories of single modules.
    pub(super) modules: Vec<PathBuf>,
}

impl Installers {
    /// Finds the directories for the project in `root`.
    pub(super) fn find(
        root: &Path,
        puppetfile: Option<&Puppetfile>,
        notes: &mut Vec<Note>,
    ) -> Installers {
        let mut found = Installers::default();
        let Some(file) = puppetfile else {
            return found;
        };
        let mut add = |folder: &str, why| found.folders.push((absolute(&root.join(folder)), why));
        if let Some(folder) = librarian_path(root, notes) {
            add(&folder, "LIBRARIAN_PUPPET_PATH in .librarian/puppet/config");
        } else if let Some(folder) = &file.moduledir {
            add(folder, "moduledir in the Puppetfile");
        } else if let Some(folder) = r10k_moduledir(root, notes) {
            add(&folder, "moduledir in r10k.yaml");
        } else {
            add(DEFAULT_MODULEDIR, "modules of the Puppetfile");
        }
        let paths = file.modules.iter();
        let paths = paths.filter_map(|it| Some((it.install_path.as_ref()?, &it.name)));
        found.modules = paths
            .map(|(folder, name)| absolute(&root.join(folder).join(name)))
            .collect();
        found
    }

    /// Checks whether a tool installs modules into a directory of modules.
    pub(super) fn fill(&self, folder: &Path) -> bool {
        self.folders.iter().any(|it| it.0 == folder)
    }
}

/// Checks whether librarian-puppet fills the directories of a project: it also installs modules that others need and the
/// `Puppetfile` does not list.
pub(super) fn installs_dependencies(root: &Path) -> bool {
    let mut files = LIBRARIAN_TRACES.iter();
    files.any(|it| root.join(it).exists())
}

/// Returns the directory that librarian-puppet installs modules into, if it is configured.
fn librarian_path(root: &Path, notes: &mut Vec<Note>) -> Option<String> {
    let config = read_yaml(&root.join(LIBRARIAN_FILE), notes)?;
    Some(config.get("LIBRARIAN_PUPPET_PATH")?.text()?.to_owned())
}

fn r10k_moduledir(root: &Path, notes: &mut Vec<Note>) -> Option<String> {
    let mut files = R10K_FILES.iter();
    let settings = files.find_map(|it| read_yaml(&root.join(it), notes))?;
    // r10k accepts keys that are symbols.
    let moduledir = |it: &Node| {
        let found = it.get("moduledir").or_else(|| it.get(":moduledir"));
        found.and_then(|it| it.text().map(str::to_owned))
    };
    let deploy = settings.get("deploy").or_else(|| settings.get(":deploy"));
    moduledir(&settings).or_else(|| moduledir(deploy?))
}

/// The configuration of a Bolt project, as far as it is used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct BoltProject {
    /// The file, relative to the project.
    pub(super) file: &'static str,
    /// The name of the module that the project is.
    pub(super) name: Option<String>,
    /// The directories of modules as written, and the one that Bolt installs modules into.
    pub(super) modulepath: Vec<String>,
    /// The modules that Bolt installs.
    pub(super) modules: Vec<String>,
}

impl BoltProject {
    /// The files with the configuration of a project, in the order of their precedence. The second one
    /// is that of Bolt before version 3.
    const FILES: [&str; 2] = ["bolt-project.yaml", "bolt.yaml"];

    /// Returns the file with the configuration of the project in a directory.
    pub(super) fn file_in(root: &Path) -> Option<&'static str> {
        let mut files = BoltProject::FILES.into_iter();
        files.find(|it| root.join(it).is_file())
    }

    /// Reads the configuration of the project in `root`.
    pub(super) fn read(root: &Path, notes: &mut Vec<Note>) -> Option<BoltProject> {
        let file = BoltProject::file_in(root)?;
        let config = read_yaml(&root.join(file), notes);
        let get = |key: &str| config.as_ref()?.get(key);
        let name = get("name").and_then(Node::text);
        let mut modulepath: Vec<String> = match get("modulepath") {
            Some(value) => folders(value),
            None => vec![DEFAULT_MODULEDIR.to_owned()],
        };
        modulepath.push(BOLT_MODULEDIR.to_owned());
        let modules = get("modules").and_then(Node::elements).unwrap_or_default();
        let modules = modules.iter().filter_map(|it| {
            let name = it.text().or_else(|| it.get("name")?.text());
            let name = match name {
                Some(name) => name.rsplit(['/', '-']).next()?,
                None => name_of_repository(it.get("git")?.text()?)?,
            };
            is_module_name(name).then(|| name.to_owned())
        });
        Some(BoltProject {
            file,
            name: name.filter(|it| is_module_name(it)).map(str::to_owned),
            modulepath,
            modules: modules.collect(),
        })
    }

    /// Checks whether Bolt installs modules into a directory of modules.
    pub(super) fn fills(root: &Path, folder: &Path) -> bool {
        folder == root.join(BOLT_MODULEDIR)
    }
}

/// Guesses the name of a module from the address of its repository: Bolt reads the metadata in it.
fn name_of_repository(address: &str) -> Option<&str> {
    let last = address.rsplit(['/', ':']).next()?;
    let name = last.strip_suffix(".git").unwrap_or(last);
    let name = name.strip_suffix("-module").unwrap_or(name);
    name.rsplit('-').next()
}

/// Returns the directories of a modulepath: a list, or a string with separators.
fn folders(value: &Node) -> Vec<String> {
    match (value.elements(), value.text()) {
        (Some(all), _) => {
            let all = all.iter().filter_map(Node::text);
            all.map(str::to_owned).collect()
        }
        (_, Some(text)) => {
            let all = text.split([':', ';']).filter(|it| !it.is_empty());
            all.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// Reads a YAML file. Returns `None` if it does not exist or is invalid; the tool reports the latter.
fn read_yaml(path: &Path, notes: &mut Vec<Note>) -> Option<Node> {
    let text = read_config(path, notes)?;
    document::yaml_with_aliases(&text).ok().flatten()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace::puppetfile;

    fn folders_of(puppetfile: &str, files: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let file = puppetfile::parse(puppetfile);
        let found = Installers::find(root.path(), Some(&file), &mut Vec::new());
        let folders = found.folders.iter().map(|it| &it.0).chain(&found.modules);
        let folders = folders.filter_map(|it| it.strip_prefix(root.path()).ok());
        folders.map(|it| it.display().to_string()).collect()
    }

    #[test]
    fn finds_the_directories_of_all_tools() {
        assert_eq!(folders_of("mod 'a/b'\n", &[]), ["modules"]);
        assert_eq!(folders_of("moduledir 'ext'\n", &[]), ["ext"]);
        let r10k = [("r10k.yaml", "---\n:moduledir: thirdparty\n")];
        assert_eq!(folders_of("", &r10k), ["thirdparty"]);
        let r10k = [("r10k.yaml", "deploy:\n  moduledir: thirdparty\n")];
        assert_eq!(folders_of("", &r10k), ["thirdparty"]);
        let librarian = [(
            LIBRARIAN_FILE,
            "---\nLIBRARIAN_PUPPET_PATH: vendor/modules\n",
        )];
        assert_eq!(folders_of("", &librarian), ["vendor/modules"]);
        let path = "mod 'a/b', '1.0.0', :install_path => 'external'\n";
        assert_eq!(folders_of(path, &[]), ["modules", "external/b"]);
    }

    #[test]
    fn reads_bolt_projects() {
        let root = tempfile::tempdir().expect("a folder");
        let text = "name: boltshop\nmodulepath:\n  - site\n  - other/modules\nmodules:\n  - \
                    puppetlabs/stdlib\n  - name: puppetlabs-apt\n    version_requirement: '9'\n  \
                    - git: git@example.com:me/gin-module.git\n";
        fs::write(root.path().join("bolt-project.yaml"), text).expect("a file");
        let found = BoltProject::read(root.path(), &mut Vec::new()).expect("a project");
        assert_eq!(found.name.as_deref(), Some("boltshop"));
        assert_eq!(found.modulepath, ["site", "other/modules", ".modules"]);
        assert_eq!(found.modules, ["stdlib", "apt", "gin"]);
    }
}
