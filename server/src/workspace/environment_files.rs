//! The configuration files of an environment: those of Puppet, and of the tools that install modules.

use std::path::Path;

use analysis::project::environment_conf::{self, EnvironmentConf};

use super::installers::{BoltProject, Installers};
use super::limits::read_config;
use super::note::Note;
use super::puppetfile::{self, Puppetfile, PuppetfileModule};
use crate::paths::absolute;

/// The configuration files of an environment.
pub(super) struct EnvironmentFiles {
    /// `environment.conf`; empty if there is none.
    pub(super) conf: EnvironmentConf,
    pub(super) puppetfile: Option<Puppetfile>,
    /// The Puppetfiles of other names, from which parts of the environment are installed.
    further: Vec<Puppetfile>,
    /// The directories to which tools install modules.
    pub(super) installers: Installers,
    pub(super) bolt: Option<BoltProject>,
}

impl EnvironmentFiles {
    /// Reads the files of the environment in `root`.
    pub(super) fn read(root: &Path, notes: &mut Vec<Note>) -> EnvironmentFiles {
        let conf = read_config(&root.join("environment.conf"), notes)
            .map(|it| environment_conf::read(&it))
            .unwrap_or_default();
        let puppetfile =
            read_config(&root.join("Puppetfile"), notes).map(|it| puppetfile::parse(&it));
        let further = puppetfile::further(root, notes);
        let mut installers = Installers::find(root, puppetfile.as_ref(), notes);
        for folder in further.iter().filter_map(|it| it.moduledir.as_ref()) {
            let folder = absolute(&root.join(folder));
            let why = "moduledir in a Puppetfile";
            installers.folders.push((folder, why));
        }
        EnvironmentFiles {
            conf,
            puppetfile,
            further,
            installers,
            bolt: BoltProject::read(root, notes),
        }
    }

    /// Checks whether a Puppetfile lists a module.
    pub(super) fn lists(&self, module: &str) -> bool {
        let mut files = self.puppetfile.iter().chain(&self.further);
        files.any(|it| it.lists(module))
    }

    /// Iterates over the modules of all Puppetfiles. Those of the main file come last: they take
    /// precedence.
    pub(super) fn puppetfile_modules(&self) -> impl Iterator<Item = &PuppetfileModule> {
        let files = self.further.iter().chain(&self.puppetfile);
        files.flat_map(|it| &it.modules)
    }

    /// Checks whether a tool installs modules into a directory of modules.
    pub(super) fn is_installed(&self, root: &Path, folder: &Path) -> bool {
        self.installers.fill(folder) || self.bolt.is_some() && BoltProject::fills(root, folder)
    }
}
