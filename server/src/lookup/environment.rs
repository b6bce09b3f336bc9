//! An environment for lookups and catalogs, from disk or from a snapshot of an editor.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::suggest::similar;
use analysis::catalog::{Compilation, CompileRequest};
use analysis::hiera::Layer;
use analysis::ide::{KeyLevel, LookupAnswer, LookupQuery, MissingClass, NodeMatcher};
use analysis::{Analysis, FileId};
use syntax::Parse;
use syntax::validation::PuppetVersion;

use crate::fact_sets::FactSets;
use crate::loaded_workspace::LoadedWorkspace;
use crate::paths::absolute;
use crate::vfs::PathsById;
use crate::workspace::{Discovery, EnvironmentKind, FoundEnvironment, FoundModule};

/// An environment in a directory. A clone can be sent to another thread.
#[derive(Clone)]
pub(crate) struct LoadedEnvironment {
    root: PathBuf,
    /// Another directory to which the paths of its files are shown relative.
    other_root: Option<PathBuf>,
    analysis: Analysis,
    discovery: Arc<Discovery>,
    paths: Arc<PathsById>,
    /// A file of the environment; `None` if there is none.
    file: Option<FileId>,
    version: PuppetVersion,
}

impl LoadedEnvironment {
    /// Loads the environment in a directory, or the one that contains it.
    pub(crate) fn load(
        folder: &Path,
        modulepath: &[PathBuf],
        version: PuppetVersion,
    ) -> LoadedEnvironment {
        let folder = absolute(folder);
        let workspace = LoadedWorkspace::load(std::slice::from_ref(&folder), modulepath, version);
        let files = &workspace.files;
        let environments = files.discovery().environments.iter();
        let around = environments.filter(|it| folder.starts_with(&it.root));
        let root = around
            .map(|it| it.root.clone())
            .max_by_key(|it| it.as_os_str().len());
        let mut environment = LoadedEnvironment {
            root: root.unwrap_or(folder),
            other_root: None,
            analysis: workspace.analysis,
            discovery: files.discovered(),
            paths: files.paths(),
            file: None,
            version,
        };
        environment.file = environment
            .found()
            .and_then(|found| found.all_files().find_map(|it| files.id(&it)));
        environment
    }

    /// Returns the environment that contains a file of a snapshot; `None` if there is none.
    pub(crate) fn of_file(
        file: FileId,
        analysis: Analysis,
        discovery: Arc<Discovery>,
        paths: Arc<PathsById>,
        version: PuppetVersion,
    ) -> Option<LoadedEnvironment> {
        let path = paths.get(file.0 as usize)?.as_deref()?;
        let root = discovery.environment_of(path)?.root.clone();
        Some(LoadedEnvironment {
            root,
            other_root: None,
            analysis,
            discovery,
            paths,
            file: Some(file),
            version,
        })
    }

    /// Returns the Puppet version for which catalogs are compiled.
    pub(crate) fn version(&self) -> PuppetVersion {
        self.version
    }

    /// Returns the directory of the environment.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Shows the paths of modules in another directory relative to it.
    pub(crate) fn show_paths_below(&mut self, other: &Path) {
        self.other_root = Some(other.to_owned());
    }

    /// Returns a path for messages, with slashes: relative to the environment, if it is in it.
    pub(crate) fn shown_path(&self, path: &Path) -> String {
        let roots = [Some(&self.root), self.other_root.as_ref()];
        let mut relative = roots
            .into_iter()
            .flatten()
            .filter_map(|it| path.strip_prefix(it).ok());
        let path = relative.next().unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    }

    /// Checks whether the directory is an environment, a module or a directory of modules.
    pub(crate) fn is_project(&self) -> bool {
        let found = self.found();
        found.is_some_and(|it| it.kind != EnvironmentKind::Files)
    }

    /// Returns the name of the environment, which is that of its directory.
    pub(crate) fn name(&self) -> String {
        let name = self.root.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Returns the directories of modules.
    pub(crate) fn modulepath(&self) -> Vec<PathBuf> {
        let folders = self.found().map_or(&[][..], |it| &it.modulepath);
        let existing = folders.iter().filter(|it| it.exists);
        existing.map(|it| it.path.clone()).collect()
    }

    /// Returns the fact sets of the project.
    pub(crate) fn fact_sets(&self) -> FactSets {
        let configured = self.found().and_then(|it| it.config.facts());
        FactSets::new(&self.root, configured, self.version)
    }

    /// Returns the result of the discovery.
    fn found(&self) -> Option<&FoundEnvironment> {
        let mut environments = self.discovery.environments.iter();
        environments.find(|it| it.root == self.root)
    }

    /// Looks up keys.
    pub(crate) fn look_up(&self, query: &LookupQuery) -> Result<Vec<LookupAnswer>, String> {
        let file = self.file.ok_or("the environment has no files")?;
        let full_path = |layer: &Layer, path: &str| self.full_path(layer, path);
        let answers = self.analysis.look_up(file, query, &full_path);
        answers.ok_or_else(|| "the directory is not an environment".to_owned())
    }

    /// Compiles a catalog.
    pub(crate) fn compile(&self, request: &CompileRequest<'_>) -> Result<Compilation, String> {
        let file = self.file.ok_or("the environment has no files")?;
        let full_path = |layer: &Layer, path: &str| self.full_path(layer, path);
        let compiled = self.analysis.compile(file, request, &full_path);
        compiled.ok_or_else(|| "the directory is not an environment".to_owned())
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(file.0 as usize)?.as_deref()
    }

    /// Returns the id of the file at a path.
    pub(crate) fn file_at(&self, path: &Path) -> Option<FileId> {
        let mut paths = self.paths.iter();
        let number = paths.position(|it| it.as_deref() == Some(path))?;
        Some(FileId(u32::try_from(number).ok()?))
    }

    /// Returns the source of a file.
    pub(crate) fn text(&self, file: FileId) -> Option<Arc<str>> {
        self.analysis.text(file)
    }

    /// Returns the syntax tree of a file.
    pub(crate) fn parse(&self, file: FileId) -> Option<Parse> {
        self.analysis.parse(file)
    }

    /// Returns the metadata of the module that contains a file.
    pub(crate) fn metadata_of(&self, path: &Path) -> Option<String> {
        let around = self.modules().filter(|it| path.starts_with(&it.root));
        let module = around.max_by_key(|it| it.root.as_os_str().len())?;
        module.metadata_source()
    }

    /// Returns the values of a key by level, for all nodes.
    pub(crate) fn key_levels(&self, key: &str) -> Vec<KeyLevel> {
        let file = self.file;
        file.map_or_else(Vec::new, |it| self.analysis.key_levels(it, key))
    }

    /// Checks whether no data has a key, for any node.
    pub(crate) fn is_key_absent(&self, key: &str) -> bool {
        let file = self.file;
        file.is_some_and(|it| self.analysis.is_key_absent(it, key))
    }

    /// Checks whether the environment, or the module whose data may have a key, has a hierarchy.
    pub(crate) fn has_hierarchy(&self, key: &str) -> bool {
        let module = key.split_once("::").map(|it| it.0);
        let modules = self.modules().filter(|it| Some(&*it.name) == module);
        let mut roots = modules.map(|it| &it.root).chain([&self.root]);
        roots.any(|it| it.join("hiera.yaml").is_file())
    }

    /// Returns the nodes that the main manifests define.
    pub(crate) fn node_matchers(&self) -> Vec<NodeMatcher> {
        let file = self.file;
        file.map_or_else(Vec::new, |it| self.analysis.node_matchers(it))
    }

    /// Checks whether no class has this name.
    pub(crate) fn missing_class(&self, name: &str) -> Option<MissingClass> {
        self.analysis.missing_class(self.file?, name)
    }

    /// Returns the class or defined type of a module whose name is most similar to a misspelled one, by the places of
    /// manifests.
    pub(crate) fn similar_class(&self, name: &str) -> Option<String> {
        let modules = self.modules().filter(|it| !it.is_environment);
        let names = modules.flat_map(|module| {
            let paths = module.files.iter();
            let paths = paths.filter_map(|it| it.strip_prefix("manifests/")?.strip_suffix(".pp"));
            paths.map(|path| match path {
                "init" => module.name.clone(),
                path => format!("{}::{}", module.name, path.replace('/', "::")),
            })
        });
        let names: Vec<String> = names.collect();
        similar(name, names.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Checks whether Puppet reads main manifests.
    pub(crate) fn has_main_manifests(&self) -> bool {
        self.found().is_some_and(|it| !it.manifests.is_empty())
    }

    /// Iterates over the modules, and the environment as one of them.
    fn modules(&self) -> impl Iterator<Item = &FoundModule> {
        let environments = self.discovery.environments.iter();
        let own = environments.filter(|it| it.root == self.root);
        own.flat_map(|it| it.modules.iter().map(|it| &**it))
    }

    /// Returns the absolute path of a file in the environment or in a module.
    fn full_path(&self, layer: &Layer, path: &str) -> String {
        let root = match layer {
            Layer::Environment => Some(&self.root),
            Layer::Module(name) => {
                let mut modules = self
                    .modules()
                    .filter(|it| !it.is_environment && *it.name == **name);
                modules.next().map(|it| &it.root)
            }
        };
        let root = root.unwrap_or(&self.root);
        root.join(path).to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_manifests_are_files_of_an_environment() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it is below the folder"))
                .and_then(|()| std::fs::write(path, text))
                .expect("the file can be written");
        };
        write("environment.conf", "modulepath = modules\n");
        let load = || LoadedEnvironment::load(folder.path(), &[], PuppetVersion::default());
        assert!(load().file.is_none());
        write("manifests/site.pp", "node 'web1' { }\n");
        let environment = load();
        let names = environment.node_matchers().len();
        assert_eq!((environment.file.is_some(), names), (true, 1));
    }
}
