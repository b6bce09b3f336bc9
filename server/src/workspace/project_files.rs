//! Project files such as `metadata.json` and `Puppetfile`: their locations, diagnostics and hovers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis::base::Diagnostic;
use analysis::base::{ModuleOrigin, ModulepathKind};
use analysis::ide::Hover;
use analysis::library;
use analysis::project::{self, InstalledModule, Owner, ProjectContext, ProjectFile};
use analysis::rules::{Rule, is_checked_asset};
use syntax::TextSize;

use super::discovery::{Discovery, FoundEnvironment};
use super::environment_plan::EnvironmentKind;
use super::limits::MAX_TEXT;
use super::module::FoundModule;
use crate::config::{Level, Levels};
use crate::read_text::read_text_up_to;
use crate::rule_levels::apply_levels;

/// Returns the kind of project file at a path, by its name.
pub(crate) fn project_file(path: &Path) -> Option<ProjectFile> {
    ProjectFile::of_name(path.file_name()?.to_str()?)
}

impl Discovery {
    /// Returns the first environment that a file belongs to.
    pub(crate) fn environment_of(&self, path: &Path) -> Option<&FoundEnvironment> {
        let is_in = |module: &FoundModule| {
            let path = path.strip_prefix(&module.root);
            path.is_ok_and(|path| module.files.iter().any(|it| Path::new(it) == path))
        };
        self.environments.iter().find(|it| {
            let mut others = it.manifests.iter().chain(&it.others);
            others.any(|it| it == path) || it.modules.iter().any(|it| is_in(it))
        })
    }

    /// Returns the project files of the workspace's own environments and modules, sorted.
    pub(crate) fn project_files(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = self
            .environments
            .iter()
            .flat_map(|environment| {
                let folders = owned_folders(environment);
                folders.flat_map(|(folder, owner)| files_of(folder, owner))
            })
            .filter(|it| it.is_file())
            .collect();
        found.sort_unstable();
        found.dedup();
        self.without_excluded(found)
    }

    /// Returns the data files of the workspace's own environments and modules, sorted.
    pub(crate) fn data_files(&self) -> Vec<PathBuf> {
        let modules = self.environments.iter().flat_map(|it| &it.modules);
        let own = modules.filter(|it| it.origin == ModuleOrigin::Workspace);
        let files = own.flat_map(|module| module.data_files().map(|it| module.path_of(it)));
        let mut found: Vec<PathBuf> = files.collect();
        found.sort_unstable();
        found.dedup();
        self.without_excluded(found)
    }

    /// Returns the templates and files of modules that are not in the Puppet language and that a rule examines.
    pub(crate) fn assets(&self) -> BTreeSet<PathBuf> {
        let files = self.environments.iter().flat_map(|environment| {
            let is_on = |rule: &Rule| environment.config.rules.level(rule) != Level::Off;
            let modules = environment.modules.iter();
            let own = modules.filter(|it| it.origin == ModuleOrigin::Workspace);
            own.flat_map(move |module| {
                let paths = module.files.iter();
                let paths = paths.filter(move |it| is_checked_asset(it, is_on));
                paths.map(|it| module.path_of(it))
            })
        });
        self.without_excluded(files.collect())
    }

    /// Returns the diagnostics of a project file, with the levels of its project applied. Returns
    /// none for other files. A file outside of the workspace is checked on its own.
    pub(crate) fn project_findings(&self, path: &Path, text: &str) -> Vec<Diagnostic> {
        let Some(file) = project_file(path) else {
            return Vec::new();
        };
        let Some((environment, owner)) = self.owner(path) else {
            let found = project::check(file, text, &ProjectContext::default());
            return apply_levels(&Levels::default(), found, text);
        };
        let mut context = project_context(environment, owner, file);
        if file == ProjectFile::Hiera {
            context.version = environment
                .config
                .puppet
                .version
                .map(Into::into)
                .unwrap_or_default();
            context.data_files = data_files_in(environment, path);
            (context.custom_facts, context.fact_words) = custom_facts(environment);
            context.functions = functions(environment);
            context.variables = manifest_variables(environment);
        }
        let found = project::check(file, text, &context);
        apply_levels(&environment.config.rules, found, text)
    }

    /// Returns the hover at an offset in a project file.
    pub(crate) fn project_hover(&self, path: &Path, text: &str, offset: TextSize) -> Option<Hover> {
        let file = project_file(path)?;
        let (environment, owner) = self.owner(path)?;
        let context = project_context(environment, owner, file);
        analysis::ide::project_hover(file, text, &context, offset)
    }

    /// Returns the environment of a project file, and whether it belongs to the environment itself
    /// or to a module.
    fn owner(&self, path: &Path) -> Option<(&FoundEnvironment, Owner)> {
        let folder = path.parent()?;
        self.environments.iter().find_map(|environment| {
            let mut folders = owned_folders(environment);
            let owner = folders.find(|it| it.0 == folder)?.1;
            Some((environment, owner))
        })
    }
}

/// Iterates over the directories with project files in an environment that belong to the workspace.
fn owned_folders(environment: &FoundEnvironment) -> impl Iterator<Item = (&Path, Owner)> {
    let is_environment = environment.kind == EnvironmentKind::Environment;
    let own = is_environment.then_some((environment.root.as_path(), Owner::Environment));
    let modules = environment.modules.iter();
    let modules = modules.filter(|it| it.origin == ModuleOrigin::Workspace && !it.is_environment);
    own.into_iter()
        .chain(modules.map(|it| (it.root.as_path(), Owner::Module)))
}

fn files_of(folder: &Path, owner: Owner) -> impl Iterator<Item = PathBuf> {
    let files: &[ProjectFile] = match owner {
        Owner::Environment => &[
            ProjectFile::Puppetfile,
            ProjectFile::EnvironmentConf,
            ProjectFile::Hiera,
        ],
        Owner::Module => &[ProjectFile::Metadata, ProjectFile::Hiera],
    };
    files.iter().map(|it| folder.join(it.name()))
}

fn project_context(
    environment: &FoundEnvironment,
    owner: Owner,
    file: ProjectFile,
) -> ProjectContext {
    let modules = environment.modules.iter().flat_map(|module| {
        // A module may be referred to by the name of its directory or by that in its metadata.
        let names = module.names.iter().chain([&module.name]);
        names.map(|name| InstalledModule {
            name: name.clone(),
            author: module.source.author.clone(),
            version: module.version.clone(),
            is_of_machine: environment.is_of_machine(module),
        })
    });
    ProjectContext {
        modules: modules.collect(),
        complete: environment.modulepath_kind != ModulepathKind::Unknown
            || file == ProjectFile::Puppetfile,
        owner: Some(owner),
        ..ProjectContext::default()
    }
}

/// Returns the files of Hiera data in the folder of a `hiera.yaml`.
fn data_files_in(environment: &FoundEnvironment, config: &Path) -> Vec<String> {
    let mut modules = environment.modules.iter();
    let own = modules.find(|it| config.parent() == Some(&*it.root));
    own.map_or(Vec::new(), |it| it.possible_data_files().cloned().collect())
}

/// Returns the names of the files of functions, which are those of the functions.
fn functions(environment: &FoundEnvironment) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for module in &environment.modules {
        let ruby = module.files.iter().filter_map(|it| {
            let path = it.strip_prefix("lib/puppet/functions/")?;
            Some(path.strip_suffix(".rb")?.replace('/', "::"))
        });
        found.extend(ruby);
        let puppet = module.files.iter().filter_map(|it| {
            let path = it.strip_prefix("functions/")?.strip_suffix(".pp")?;
            Some(path.replace('/', "::"))
        });
        for name in module.names.iter().chain([&module.name]) {
            found.extend(puppet.clone().map(|it| format!("{name}::{it}")));
        }
    }
    found
}

/// The maximum number of main manifests whose variables are listed.
const MAX_MANIFESTS: usize = 100;

/// Returns the variables that the main manifests assign; `None` if these are not read.
fn manifest_variables(environment: &FoundEnvironment) -> Option<BTreeSet<String>> {
    if environment.kind != EnvironmentKind::Environment
        || environment.manifests.len() > MAX_MANIFESTS
    {
        return None;
    }
    let mut found = BTreeSet::new();
    for path in &environment.manifests {
        let text = read_text_up_to(path, MAX_TEXT).ok()?;
        for start in text.split('$').skip(1) {
            let end = start.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            found.insert(start[..end.unwrap_or(start.len())].to_owned());
        }
    }
    Some(found)
}

/// The maximum number of sources of facts whose words are listed.
const MAX_FACT_SOURCES: usize = 1000;

/// Returns the names of the facts that modules define, and the words in their sources. Those in Ruby are known by the
/// names of their files, which usually are those of the facts.
fn custom_facts(environment: &FoundEnvironment) -> (BTreeSet<String>, BTreeSet<Box<str>>) {
    const RUBY: &str = "lib/facter/";
    const EXTERNAL: &str = "facts.d/";
    let mut names = BTreeSet::new();
    let mut words = BTreeSet::new();
    let modules = environment.modules.iter();
    let files = modules.flat_map(|module| module.files.iter().map(move |it| (module, it)));
    let sources = files.filter(|(module, path)| {
        (path.starts_with(RUBY) || path.starts_with(EXTERNAL)) && module.has_text(path)
    });
    for (module, path) in sources.take(MAX_FACT_SOURCES) {
        let text = read_text_up_to(&module.path_of(path), MAX_TEXT).unwrap_or_default();
        match path
            .strip_prefix(RUBY)
            .and_then(|it| it.strip_suffix(".rb"))
        {
            Some(name) => {
                names.insert(name.to_ascii_lowercase());
            }
            None => {
                let facts = library::external_facts(path, &text).into_iter();
                names.extend(facts.map(|it| it.name.to_ascii_lowercase()));
            }
        }
        words.extend(project::fact_words(&text));
    }
    (names, words)
}
