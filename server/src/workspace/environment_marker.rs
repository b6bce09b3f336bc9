//! The files and directories that show that a directory is an environment.

use std::path::Path;

use super::installers::BoltProject;
use super::limits::read_config;
use super::{module_layout, module_roots};
use crate::paths::is_module_name;

/// The conventional directories of modules in control repositories.
pub(super) const CONVENTIONAL_DIRECTORIES: [&str; 3] = ["site-modules", "site", "modules"];

/// A file or directory that shows that a directory is an environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EnvironmentMarker {
    /// `environment.conf`.
    EnvironmentConf,
    /// A `Puppetfile`. Modules whose tests need others have one as well.
    Puppetfile,
    /// The configuration of a Bolt project, by its name.
    BoltProject(&'static str),
    /// `manifests/site.pp`.
    MainManifest,
    /// `hiera.yaml`, which a module may have as well.
    HieraConfig,
    /// A conventional directory of modules, which a directory without an environment may have as well.
    Modules,
}

impl EnvironmentMarker {
    /// Returns the most reliable marker of a directory, or `None` if it is not an environment.
    pub(super) fn of(folder: &Path) -> Option<EnvironmentMarker> {
        EnvironmentMarker::reliable(folder).or_else(|| EnvironmentMarker::weak(folder))
    }

    /// Returns a marker that only environments have. It also shows that the files in the directory
    /// belong to the environment.
    pub(super) fn reliable(folder: &Path) -> Option<EnvironmentMarker> {
        let has = |name: &str| folder.join(name).is_file();
        if has("environment.conf") {
            Some(EnvironmentMarker::EnvironmentConf)
        } else if has("metadata.json") {
            None
        } else if has("Puppetfile") && (!is_module(folder) || has_modules(folder)) {
            Some(EnvironmentMarker::Puppetfile)
        } else if let Some(file) = BoltProject::file_in(folder) {
            Some(EnvironmentMarker::BoltProject(file))
        } else if has("manifests/site.pp")
            && !has("manifests/init.pp")
            && !defines_site(&folder.join("manifests/site.pp"))
        {
            Some(EnvironmentMarker::MainManifest)
        } else {
            None
        }
    }

    /// Returns a marker that other directories may have as well.
    fn weak(folder: &Path) -> Option<EnvironmentMarker> {
        let has = |name: &str| folder.join(name).is_file();
        if has("metadata.json") {
            None
        } else if has("hiera.yaml") && !is_global(&folder.join("hiera.yaml")) && !is_module(folder)
        {
            Some(EnvironmentMarker::HieraConfig)
        } else if has_modules(folder) {
            Some(EnvironmentMarker::Modules)
        } else {
            None
        }
    }

    /// Returns the reason why a directory with this marker is an environment.
    pub(super) fn reason(self) -> &'static str {
        match self {
            EnvironmentMarker::EnvironmentConf => "contains environment.conf",
            EnvironmentMarker::Puppetfile => "contains a Puppetfile",
            EnvironmentMarker::BoltProject("bolt.yaml") => "contains bolt.yaml",
            EnvironmentMarker::BoltProject(_) => "contains bolt-project.yaml",
            EnvironmentMarker::MainManifest => "contains manifests/site.pp",
            EnvironmentMarker::HieraConfig => "contains hiera.yaml",
            EnvironmentMarker::Modules => "contains a directory of modules",
        }
    }
}

/// Checks whether a directory without metadata is a module: its manifests define what their names promise.
fn is_module(folder: &Path) -> bool {
    folder.join("manifests/init.pp").is_file() || module_layout::module_name(folder).is_some()
}

/// Checks whether `manifests/site.pp` defines the class or defined type `site` of a module.
fn defines_site(path: &Path) -> bool {
    let text = read_config(path, &mut Vec::new()).unwrap_or_default();
    module_layout::defined_names(&text)
        .any(|it| it.split_once("::").is_some_and(|it| it.1 == "site"))
}

/// Checks whether a `hiera.yaml` has the old format, which only the global configuration of a server has.
fn is_global(path: &Path) -> bool {
    let text = read_config(path, &mut Vec::new()).unwrap_or_default();
    let mut lines = text.lines();
    lines.any(|it| it.starts_with(":backends:") || it.starts_with(":hierarchy:"))
}

fn has_modules(folder: &Path) -> bool {
    let mut modules = CONVENTIONAL_DIRECTORIES.iter().map(|it| folder.join(it));
    modules.any(|it| holds_modules(&it))
}

/// Checks whether a child of a directory looks like a module.
pub(super) fn holds_modules(folder: &Path) -> bool {
    folder.is_dir()
        && module_roots::children(folder, &mut Vec::new())
            .iter()
            .any(|(name, path)| {
                is_module_name(name)
                    && (path.join("manifests").is_dir() || path.join("metadata.json").is_file())
            })
}

#[cfg(test)]
mod tests {
    use super::EnvironmentMarker;
    use crate::workspace::tests::tree;

    #[test]
    fn a_module_may_have_a_puppetfile_for_its_tests() {
        let puppetfile = ("Puppetfile", "mod 'me/lib'\n");
        let module = tree(&[
            puppetfile,
            ("manifests/server.pp", "class own::server { }\n"),
        ]);
        assert_eq!(EnvironmentMarker::of(module.path()), None);
        let environment = tree(&[puppetfile, ("manifests/nodes.pp", "node default { }\n")]);
        assert_eq!(
            EnvironmentMarker::of(environment.path()),
            Some(EnvironmentMarker::Puppetfile)
        );
    }
}
