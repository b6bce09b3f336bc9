//! The parts of an environment that cannot be checked, with reasons.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use analysis::base::{ModuleOrigin, ModulepathKind, dependencies};
use analysis::hiera::DataGap;

use super::discovery::FoundEnvironment;
use super::environment_plan::EnvironmentKind;
use super::module::FoundModule;
use super::module_roots::CONVENTIONAL_FOLDERS;
use super::required_versions::OtherVersion;
use crate::display_path::display_path;
use crate::paths::is_manifest;

/// The maximum number of modules or files that a message lists.
const MAX_LISTED: usize = 8;

/// The directories whose files the autoloader reads.
const FOLDERS_OF_MODULES: [&str; 4] = ["functions", "manifests", "plans", "types"];

impl FoundEnvironment {
    /// Returns the modules that the project declares, and the direct and indirect dependencies of
    /// its modules, as far as they were not found.
    fn missing_modules(&self) -> BTreeSet<String> {
        let found = self.modules.iter();
        let found: HashMap<&str, &[String]> = found
            .map(|it| (it.name.as_str(), it.dependencies.as_slice()))
            .collect();
        let own = self.modules.iter();
        let own = own.filter(|it| it.origin == ModuleOrigin::Workspace);
        let direct = own.flat_map(|it| &it.dependencies);
        let mut missing = dependencies(direct, |it| found.get(it).copied()).missing;
        missing.extend(self.missing.iter().cloned());
        let own = self.modules.iter();
        let own = own.filter(|it| it.origin == ModuleOrigin::Workspace);
        missing.extend(own.flat_map(|it| self.absent_for_tests(it)));
        missing
    }

    /// Returns the modules that the tests of a module need, but that were not found: its code may use them.
    pub(crate) fn absent_for_tests<'a>(
        &'a self,
        module: &'a FoundModule,
    ) -> impl Iterator<Item = String> + 'a {
        let is_found = |name: &String| self.modules.iter().any(|it| it.name == *name);
        let absent = module.for_tests.iter().filter(move |it| !is_found(it));
        absent.cloned()
    }

    /// Returns the manifests in modules or environments that are nested somewhere, such as those of a
    /// virtual machine.
    pub(super) fn nested(&self) -> Vec<&PathBuf> {
        let is_nested = |path: &Path| {
            let mut folders = path.iter().skip(1);
            folders.any(|it| {
                it.to_str()
                    .is_some_and(|it| FOLDERS_OF_MODULES.contains(&it))
            })
        };
        let unconventional = self.unconventional().into_iter();
        let nested = unconventional.filter(|it| match self.kind {
            EnvironmentKind::Environment | EnvironmentKind::Module => {
                is_nested(it.strip_prefix(&self.root).unwrap_or(it))
            }
            // A directory may be a module that is not recognized.
            EnvironmentKind::Modules => {
                let mut modules = self.modules.iter();
                modules.any(|module| it.strip_prefix(&module.root).is_ok_and(is_nested))
            }
            EnvironmentKind::Files | EnvironmentKind::Nested => false,
        });
        nested.collect()
    }

    /// Describes the directories of nested modules and environments.
    fn describe_nested(&self) -> Vec<String> {
        let folders = self.others.iter().filter_map(|it| module_folder(it));
        let folders: BTreeSet<&Path> = folders.collect();
        let is_ignored = |it: &&Path| {
            let name = it.file_name().and_then(OsStr::to_str);
            name.is_some_and(|it| it.contains('-'))
        };
        let (ignored, others): (Vec<&Path>, Vec<&Path>) = folders.into_iter().partition(is_ignored);
        let listed = |all: &[&Path]| list(all.iter().map(|it| self.relative(it)), ", ");
        let mut reasons = Vec::new();
        if !ignored.is_empty() {
            reasons.push(format!(
                "Puppet ignores modules in directories with `-` in their names: {}",
                listed(&ignored)
            ));
        }
        if !others.is_empty() {
            reasons.push(format!(
                "names in nested modules and environments are not checked: {}",
                listed(&others)
            ));
        }
        reasons
    }

    /// Returns the manifests that neither Puppet nor a convention reads, in an environment or a module.
    fn unloaded(&self) -> Vec<&PathBuf> {
        match self.kind {
            EnvironmentKind::Environment | EnvironmentKind::Module => self.unconventional(),
            _ => Vec::new(),
        }
    }

    /// Returns the manifests outside of the main manifest and of modules, except those in directories for
    /// tests and examples.
    fn unconventional(&self) -> Vec<&PathBuf> {
        let manifests = self.others.iter().filter(|it| is_manifest(it));
        let unconventional = manifests.filter(|it| {
            let modules = self.modules.iter().map(|it| &it.root);
            let mut roots = modules.chain([&self.root]);
            !roots.any(|root| {
                let path = it.strip_prefix(root).ok();
                let first = path.and_then(|it| it.iter().next()?.to_str());
                first.is_some_and(|it| CONVENTIONAL_FOLDERS.contains(&it))
            })
        });
        unconventional.collect()
    }

    /// Returns the paths in modules that exist elsewhere, but not here.
    fn absent(&self) -> Vec<PathBuf> {
        let own = self.modules.iter();
        let own = own.filter(|it| it.origin == ModuleOrigin::Workspace && !it.is_environment);
        own.flat_map(|module| module.absent.iter().map(|it| module.path_of(it)))
            .collect()
    }

    /// Describes the modules of the workspace whose dependencies are unknown.
    fn describe_without_metadata(&self) -> Option<String> {
        const UNREPORTED: &str = "unknown functions and resource types are not reported";
        if self.modulepath_kind != ModulepathKind::OfDependencies {
            return None;
        }
        let own = self.modules.iter();
        let own = own.filter(|it| {
            let is_own = it.origin == ModuleOrigin::Workspace && !it.is_environment;
            is_own && it.root.starts_with(&self.root)
        });
        let lists_dependencies = |it: &FoundModule| it.files.iter().any(|it| it == "metadata.json");
        let without: Vec<_> = own.filter(|it| !lists_dependencies(it)).collect();
        match without.as_slice() {
            [] => None,
            [only] if only.root == self.root => {
                Some(format!("{UNREPORTED}: the module has no `metadata.json`"))
            }
            all => {
                let listed = list(all.iter().map(|it| self.relative(&it.root)), ", ");
                Some(format!(
                    "{UNREPORTED} in modules without `metadata.json`: {listed}"
                ))
            }
        }
    }

    /// Renders a path relative to the root.
    fn relative(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        format!("`{}`", display_path(path))
    }

    /// Describes what is not checked, one sentence for each reason.
    pub(crate) fn unchecked(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if !self.ignored.is_empty() {
            let listed = list(self.ignored.iter().map(|it| self.relative(it)), ", ");
            reasons.push(format!(
                "files that Git tracks, but `.gitignore` hides, are not checked: {listed}"
            ));
        }
        if self.kind == EnvironmentKind::Nested {
            return self.describe_nested();
        }
        let unloaded = self.unloaded();
        if !unloaded.is_empty() {
            let listed = list(unloaded.iter().map(|it| self.relative(it)), ", ");
            reasons.push(format!("Puppet does not load these files: {listed}"));
        }
        if self.kind == EnvironmentKind::Files && self.others.is_empty() {
            return reasons;
        }
        if self.modulepath_kind == ModulepathKind::Unknown {
            let reason = match self.kind {
                EnvironmentKind::Files => {
                    "names from modules are not checked: the files belong to no module or environment"
                }
                _ => {
                    "names from other modules are not checked: a directory of the modulepath is missing or unknown"
                }
            };
            reasons.push(reason.to_owned());
        }
        reasons.extend(self.describe_without_metadata());
        let absent = self.absent();
        if !absent.is_empty() {
            let listed = list(absent.iter().map(|it| self.relative(it)), ", ");
            reasons.push(format!(
                "submodules and ignored paths that do not exist here are not checked: {listed}"
            ));
        }
        let missing = self.missing_modules();
        if !missing.is_empty() {
            let (shipped, others): (Vec<&String>, Vec<&String>) = missing
                .iter()
                .partition(|it| self.shipped.contains(&it.as_str()));
            let shipped = shipped.first().map(|_| "those that Bolt ships".to_owned());
            let others = others.iter().map(|it| format!("`{it}`"));
            let names: Vec<String> = others.chain(shipped).collect();
            let listed = list(names.into_iter(), ", ");
            reasons.push(format!(
                "names from modules that are not installed are not checked: {listed}"
            ));
        }
        let unmet = self.unmet();
        if !unmet.is_empty() {
            let listed = list(OtherVersion::describe(&unmet).into_iter(), "; ");
            reasons.push(format!(
                "uses of modules in other versions cause hints at most: {listed}"
            ));
        }
        let own = self.modules.iter().find(|it| it.has_environment_data);
        reasons.extend(own.and_then(|it| describe_gaps(&it.data_gaps)));
        reasons
    }
}

/// Returns the directory of the module that a file belongs to by its path, or else its own one.
fn module_folder(file: &Path) -> Option<&Path> {
    let is_of_module = |it: &&Path| {
        let name = it.file_name().and_then(OsStr::to_str);
        name.is_some_and(|it| FOLDERS_OF_MODULES.contains(&it))
    };
    let inner = file.ancestors().skip(1).find(is_of_module);
    inner.and_then(Path::parent).or_else(|| file.parent())
}

/// Describes why keys that data lacks are not reported, or only as hints.
fn describe_gaps(gaps: &[DataGap]) -> Option<String> {
    let unknown = gaps.iter().filter_map(|it| match it {
        DataGap::Function(level, function) => {
            Some(format!("level `{level}` uses the function `{function}`"))
        }
        DataGap::Outside(level) => Some(format!(
            "level `{level}` reads files outside of the environment"
        )),
        DataGap::NoFile(level) => Some(format!("a file of level `{level}` is missing")),
        DataGap::NoFiles => Some("there are no data files".to_owned()),
        DataGap::NoMatch(_) => None,
    });
    let mut unknown: Vec<String> = unknown.collect();
    // The hierarchy of plans has mostly the same levels.
    let mut seen = HashSet::new();
    unknown.retain(|it| seen.insert(it.clone()));
    if !unknown.is_empty() {
        let listed = list(unknown.into_iter(), "; ");
        return Some(format!(
            "missing keys of Hiera data are not reported: {listed}"
        ));
    }
    let levels = gaps.iter().filter_map(|it| match it {
        DataGap::NoMatch(level) => Some(format!("`{level}`")),
        _ => None,
    });
    let levels: Vec<String> = levels.collect();
    let noun = match levels.len() {
        0 => return None,
        1 => "level",
        _ => "the levels",
    };
    let listed = list(levels.into_iter(), ", ");
    Some(format!(
        "missing keys of Hiera data cause only hints: no file matches a path of {noun} {listed}"
    ))
}

/// Joins the first elements, with the number of the others.
pub(super) fn list(all: impl ExactSizeIterator<Item = String>, separator: &str) -> String {
    let more = all.len().saturating_sub(MAX_LISTED);
    let listed = all.take(MAX_LISTED).collect::<Vec<_>>().join(separator);
    match more {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
