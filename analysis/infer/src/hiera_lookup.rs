//! Lookups in the data of a workspace.

use std::cell::RefCell;
use std::sync::Arc;

use eval::{Budget, Context, ControlFlow, Environment, EvalFailure, EvalResult, Evaluator};
use hiera::{
    ConfigProblem, DataFile, DataFormat, FileState, Folders, HieraConfig, LOOKUP_OPTIONS, Layer,
    LevelFile, LevelIndex, LookupContext, LookupFailure, RootValue, Variable,
};
use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::SyntaxNode;
use syntax::validation::PuppetVersion;
use types::reader::{self, TypeNames};
use types::values::Value;

use base::{EnvironmentInput, FileInput, ModuleInput, ModulepathKind, SettingsInput};

use crate::WorkspaceTypes;

/// The name under which the workspace has the functions, types and data of an environment.
pub const ENVIRONMENT_MODULE: &str = "environment";

/// The evaluation budget of a conversion.
const BUDGET: u64 = 2_000_000;

/// The configuration of a module or an environment, or the reason why it has none.
type Config = Result<Arc<HieraConfig>, ConfigProblem>;

/// Returns the configuration of a module or an environment; `None` without a `hiera.yaml`.
#[salsa::tracked(returns(clone))]
pub fn hiera_config(db: &dyn Database, module: ModuleInput) -> Option<Config> {
    let file = module.files(db).get("hiera.yaml").copied()?;
    let text = file.text(db).as_deref()?;
    let in_module = !has_environment_data(db, module);
    Some(HieraConfig::read(text, in_module).map(Arc::new))
}

/// Parses a data file.
#[salsa::tracked(returns(clone), lru = 512)]
pub fn data_file(db: &dyn Database, file: FileInput, format: DataFormat) -> Arc<DataFile> {
    let text = file.text(db).as_deref().unwrap_or_default();
    Arc::new(DataFile::parse(text, format))
}

/// Checks whether bytes of a file that are not valid UTF-8 may have been replaced. Puppet refuses such data.
#[salsa::tracked(returns(copy))]
fn has_replaced_bytes(db: &dyn Database, file: FileInput) -> bool {
    let text = file.text(db).as_deref().unwrap_or_default();
    text.contains(char::REPLACEMENT_CHARACTER)
}

/// The data files of a module or an environment by their input, with their paths and the levels that read
/// them.
pub type LayerFiles = Arc<FxHashMap<FileInput, LayerFile>>;

/// A file in a folder of data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerFile {
    /// The path relative to the folder of the layer.
    pub path: Arc<str>,
    /// The levels that read it, for some nodes; the one that is meant first.
    pub levels: Vec<LevelFile>,
}

impl LayerFile {
    /// Returns the format of the file: that of the level that reads it, or else that of its name.
    pub fn format(&self) -> Option<DataFormat> {
        let level = self.levels.first();
        level
            .map(|it| it.format)
            .or_else(|| DataFormat::of_path(&self.path))
    }
}

/// Returns the folders of data of a module or an environment, if its configuration is valid.
#[salsa::tracked]
fn data_folders(db: &dyn Database, module: ModuleInput) -> Folders {
    let config = hiera_config(db, module).and_then(Result::ok);
    config.map_or_else(Folders::default, |it| it.folders())
}

/// Returns the files in the data folders of a module or an environment, if its configuration is valid.
#[salsa::tracked(returns(clone))]
pub fn layer_files(db: &dyn Database, module: ModuleInput) -> LayerFiles {
    let Some(Ok(config)) = hiera_config(db, module) else {
        return LayerFiles::default();
    };
    let folders = config.folders();
    let files = module.files(db).iter();
    let files: Vec<(&String, &FileInput)> = files
        .filter(|(path, _)| folders.contain(path))
        .filter(|(path, _)| DataFormat::of_path(path).is_some() && !is_other_file(path))
        .collect();
    let mut levels: FxHashMap<Arc<str>, Vec<LevelFile>> = FxHashMap::default();
    for it in config.level_files(files.iter().map(|it| it.0.as_str())) {
        levels.entry(Arc::clone(&it.path)).or_default().push(it);
    }
    let found = files.into_iter().filter_map(|(path, file)| {
        let path: Arc<str> = path.as_str().into();
        let mut levels = levels.remove(&path).unwrap_or_default();
        levels.sort_by_key(LevelFile::variable_length);
        // Files next to the configuration have many purposes.
        let is_data = path.contains('/') || !levels.is_empty();
        is_data.then_some((*file, LayerFile { path, levels }))
    });
    Arc::new(found.collect())
}

/// Checks whether a file next to the configuration certainly has another purpose, such as `.fixtures.yml`.
fn is_other_file(path: &str) -> bool {
    matches!(path, "hiera.yaml" | "metadata.json") || path.starts_with('.')
}

/// The `lookup_options` of data files, in no particular order; an error if a file that may have some is
/// invalid.
pub type AllLookupOptions = Result<Arc<[Value]>, InvalidData>;

/// A data file is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidData;

/// Returns the `lookup_options` in the data files of a module or an environment.
#[salsa::tracked(returns(clone))]
pub fn all_lookup_options(db: &dyn Database, module: ModuleInput) -> AllLookupOptions {
    let mut found = Vec::new();
    for (file, place) in layer_files(db, module).iter() {
        if let Some(level) = place.levels.first() {
            found.extend(file_lookup_options(db, *file, level.format)?);
        }
    }
    Ok(found.into())
}

/// Returns the `lookup_options` of a data file.
#[salsa::tracked(returns(clone))]
fn file_lookup_options(
    db: &dyn Database,
    file: FileInput,
    format: DataFormat,
) -> Result<Option<Value>, InvalidData> {
    let text = file.text(db).as_deref().unwrap_or_default();
    if !text.contains(LOOKUP_OPTIONS) {
        return Ok(None);
    }
    let data = data_file(db, file, format);
    let values = data.values.as_ref().map_err(|_| InvalidData)?;
    Ok(match values.get(LOOKUP_OPTIONS) {
        Some(RootValue::Value(options)) => Some(options.clone()),
        _ => None,
    })
}

/// Returns the root keys of a data file; `None` if it is invalid.
#[salsa::tracked(returns(clone))]
pub(crate) fn file_keys(
    db: &dyn Database,
    file: FileInput,
    format: DataFormat,
) -> Option<Arc<[Arc<str>]>> {
    let text = file.text(db).as_deref()?;
    // Trees of all files would take too much memory.
    let data = DataFile::parse(text, format);
    Some(data.values.ok()?.into_keys().collect())
}

/// The data files that levels can read, for any node, with their paths, sorted.
type FilesByLevel = FxHashMap<LevelIndex, Vec<(Arc<str>, FileInput)>>;

/// Returns the files that each level, and each path of a level, can read.
#[salsa::tracked(returns(clone))]
fn files_by_level(db: &dyn Database, module: ModuleInput) -> Arc<FilesByLevel> {
    let mut found = FilesByLevel::default();
    for (file, place) in layer_files(db, module).iter() {
        let indexes: FxHashSet<LevelIndex> = [false, true]
            .into_iter()
            .flat_map(|in_defaults| {
                let each = [false, true].into_iter();
                each.flat_map(move |of_paths| levels_reading(place, in_defaults, of_paths))
            })
            .collect();
        for index in indexes {
            let files = found.entry(index).or_default();
            files.push((Arc::clone(&place.path), *file));
        }
    }
    for files in found.values_mut() {
        files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    }
    Arc::new(found)
}

/// Returns the levels of a hierarchy, or their paths, that can read a file.
fn levels_reading(
    place: &LayerFile,
    in_defaults: bool,
    of_paths: bool,
) -> impl Iterator<Item = LevelIndex> {
    let levels = place.levels.iter();
    let levels = levels.filter(move |it| it.in_defaults == in_defaults);
    let index = move |it: &LevelFile| LevelIndex {
        level: it.level,
        in_defaults,
        location: of_paths.then_some(it.location),
    };
    // The name of a file that all nodes read is not meant for variables: `%{environment}.yaml` next to `common.yaml`.
    let of_all = levels.clone().find(|it| it.is_unconditional()).map(index);
    let levels = levels.map(index);
    levels.filter(move |it| of_all.is_none_or(|of_all| *it == of_all))
}

/// Returns the root keys in the files that a level can read, for any node; `None` if a file is not read or invalid.
#[salsa::tracked(returns(clone))]
fn level_keys(
    db: &dyn Database,
    module: ModuleInput,
    index: LevelIndex,
    format: DataFormat,
) -> Option<Arc<FxHashSet<Arc<str>>>> {
    let mut found = FxHashSet::default();
    let files = files_by_level(db, module);
    for (_, file) in files.get(&index).into_iter().flatten() {
        if has_replaced_bytes(db, *file) {
            return None;
        }
        found.extend(file_keys(db, *file, format)?.iter().cloned());
    }
    Some(Arc::new(found))
}

/// Returns the folder of the data of an environment or of a module in it.
pub fn layer_module(
    db: &dyn Database,
    environment: EnvironmentInput,
    layer: &Layer,
) -> Option<ModuleInput> {
    match layer {
        Layer::Environment => environment_data(db, environment),
        Layer::Module(name) => {
            let module = environment.modules(db).get(&**name).copied();
            module.filter(|it| !has_environment_data(db, *it))
        }
    }
}

/// Returns the folder of the data of an environment, which is a module in a Bolt project.
#[salsa::tracked(returns(copy))]
fn environment_data(db: &dyn Database, environment: EnvironmentInput) -> Option<ModuleInput> {
    let modules = environment.modules(db);
    let own = modules.get(ENVIRONMENT_MODULE);
    let own = own.or_else(|| modules.values().find(|it| it.is_project(db)));
    own.copied()
}

/// Checks whether the data of a module is that of the environment.
pub fn has_environment_data(db: &dyn Database, module: ModuleInput) -> bool {
    module.is_project(db) || &**module.name(db) == ENVIRONMENT_MODULE
}

/// The variables of a node.
#[derive(Clone, Debug, Default)]
pub struct NodeVariables {
    /// The variables in top scope.
    pub top_scope: FxHashMap<String, Value>,
    /// Whether these are all variables, except for the unknown ones.
    pub is_complete: bool,
    /// The names of variables whose values are unknown.
    pub unknown: Vec<&'static str>,
    /// Whether it is a typical node of a platform, not a certain one: others may have custom facts.
    pub is_typical: bool,
}

impl NodeVariables {
    /// Checks whether a variable of top scope that has no value here may have one.
    #[must_use]
    pub fn may_have(&self, name: &str) -> bool {
        !self.is_complete || self.unknown.contains(&name) || self.may_have_fact(name)
    }

    /// Checks whether the node may have a custom fact.
    #[must_use]
    pub fn may_have_fact(&self, name: &str) -> bool {
        let is_of_facter = || library::fact(name).is_some() || library::legacy_fact(name).is_some();
        self.is_typical && !name.contains("::") && !is_of_facter()
    }
}

/// The variables that code has assigned so far, which data may interpolate.
pub trait CodeVariables {
    /// Returns a variable of top scope, or one of a class by its qualified name; `None` if no code has assigned it.
    fn variable(&self, name: &str) -> Option<Variable>;

    /// Returns a variable in the scope of the node.
    fn node_variable(&self, name: &str) -> Option<Variable>;
}

/// The variables if no code was evaluated.
struct NoCode;

impl CodeVariables for NoCode {
    fn variable(&self, _name: &str) -> Option<Variable> {
        None
    }

    fn node_variable(&self, _name: &str) -> Option<Variable> {
        None
    }
}

/// The data of an environment, as it is for a node.
pub struct WorkspaceData<'db> {
    db: &'db dyn Database,
    environment: EnvironmentInput,
    node: &'db NodeVariables,
    /// Returns the absolute path of a file of a layer.
    full_path: &'db dyn Fn(&Layer, &str) -> String,
    code: &'db dyn CodeVariables,
    missed: RefCell<MissedVariables>,
}

/// The variables that were read before code assigned them.
#[derive(Debug, Default)]
struct MissedVariables {
    names: FxHashSet<String>,
    /// Grows when one of them has been assigned.
    revision: u64,
}

impl<'db> WorkspaceData<'db> {
    /// Creates the data of an environment.
    pub fn new(
        db: &'db dyn Database,
        environment: EnvironmentInput,
        node: &'db NodeVariables,
        full_path: &'db dyn Fn(&Layer, &str) -> String,
    ) -> WorkspaceData<'db> {
        WorkspaceData {
            db,
            environment,
            node,
            full_path,
            code: &NoCode,
            missed: RefCell::default(),
        }
    }

    /// Lets lookups see the variables of code.
    #[must_use]
    pub fn with_code(self, code: &'db dyn CodeVariables) -> WorkspaceData<'db> {
        WorkspaceData { code, ..self }
    }

    fn module(&self, layer: &Layer) -> Option<ModuleInput> {
        layer_module(self.db, self.environment, layer)
    }
}

impl LookupContext for WorkspaceData<'_> {
    fn config(&self, layer: &Layer) -> Option<Config> {
        hiera_config(self.db, self.module(layer)?)
    }

    fn has_module(&self, name: &str) -> Option<bool> {
        let environment = self.environment;
        let is_known = environment.modulepath(self.db) == ModulepathKind::OfEnvironment
            && !environment.missing(self.db).contains(name);
        match environment.modules(self.db).contains_key(name) && name != ENVIRONMENT_MODULE {
            true => Some(true),
            false => is_known.then_some(false),
        }
    }

    fn file(&self, layer: &Layer, path: &str, format: DataFormat) -> FileState {
        let unknown = |why: &str| FileState::Unknown(format!("`{path}` {why}"));
        let Some(module) = self.module(layer) else {
            return FileState::Missing;
        };
        if let Some(file) = module.files(self.db).get(path) {
            return match file.text(self.db) {
                Some(_) if has_replaced_bytes(self.db, *file) => unknown("is not valid UTF-8"),
                Some(_) => FileState::Found(data_file(self.db, *file, format)),
                None => unknown("is not read"),
            };
        }
        if path.starts_with('/') || path.starts_with("../") || path == ".." {
            return unknown("is not part of the workspace");
        }
        let config = self.config(layer).and_then(Result::ok);
        match config.is_some() && data_folders(self.db, module).contain(path) {
            true => FileState::Missing,
            false => unknown("is in a folder that is not read"),
        }
    }

    fn paths(&self, layer: &Layer) -> Vec<Arc<str>> {
        let Some(module) = self.module(layer) else {
            return Vec::new();
        };
        let paths = module.files(self.db).keys();
        paths.map(|it| it.as_str().into()).collect()
    }

    fn files_of_level(&self, layer: &Layer, index: LevelIndex) -> Vec<Arc<str>> {
        let Some(module) = self.module(layer) else {
            return Vec::new();
        };
        let files = files_by_level(self.db, module);
        let files = files.get(&index).into_iter().flatten();
        files.map(|it| Arc::clone(&it.0)).collect()
    }

    fn keys_of_level(
        &self,
        layer: &Layer,
        index: LevelIndex,
        format: DataFormat,
    ) -> Option<Arc<FxHashSet<Arc<str>>>> {
        let module = self.module(layer)?;
        level_keys(self.db, module, index, format)
    }

    fn full_path(&self, layer: &Layer, path: &str) -> String {
        (self.full_path)(layer, path)
    }

    fn variable(&self, name: &str) -> Variable {
        if let Some(value) = self.node.top_scope.get(name) {
            return Variable::Value(value.clone());
        }
        if let Some(value) = self.code.variable(name) {
            return value;
        }
        self.missed.borrow_mut().names.insert(name.to_owned());
        if self.node.may_have(name) || name.starts_with("settings::") {
            return Variable::Unknown(format!("the variable `${name}` is unknown"));
        }
        match name.rsplit_once("::") {
            Some((class, _)) => Variable::Undefined(format!("class {class} could not be found")),
            None => Variable::Undefined(String::new()),
        }
    }

    fn may_have_fact(&self, name: &str) -> bool {
        self.node.may_have_fact(name)
    }

    fn local_variable(&self, name: &str) -> Option<Variable> {
        self.code.node_variable(name)
    }

    fn revision(&self) -> u64 {
        let mut missed = self.missed.borrow_mut();
        let count = missed.names.len();
        let code = self.code;
        let is_assigned =
            |it: &String| code.variable(it).is_some() || code.node_variable(it).is_some();
        missed.names.retain(|it| !is_assigned(it));
        if missed.names.len() < count {
            missed.revision += 1;
        }
        missed.revision
    }

    fn convert(&self, ty: &Value, arguments: Vec<Value>) -> Result<Value, LookupFailure> {
        convert_data(self.db, self.environment, ty, arguments)
    }

    fn is_lenient_in_paths(&self) -> bool {
        let settings = SettingsInput::try_get(self.db);
        settings.is_none_or(|it| it.version(self.db) != PuppetVersion::V7)
    }
}

/// Converts a value as `convert_to` does, with a type or the source of one and further arguments.
///
/// # Errors
///
/// If Puppet raises one, or the result is unknown.
pub fn convert_data(
    db: &dyn Database,
    environment: EnvironmentInput,
    ty: &Value,
    arguments: Vec<Value>,
) -> Result<Value, LookupFailure> {
    let types = WorkspaceTypes::new(db, Some(environment));
    let ty = match ty {
        Value::String(source) => match reader::read(source, &types) {
            Ok(it) => Value::Type(it),
            Err(_) => {
                return Err(LookupFailure::Error(format!("invalid type `{source}`")));
            }
        },
        it => it.clone(),
    };
    let mut all = vec![ty];
    all.extend(arguments);
    let version = SettingsInput::try_get(db).map(|it| it.version(db));
    call_new(&types, version.unwrap_or_default(), all)
}

/// Calls `new`.
fn call_new(
    types: &WorkspaceTypes<'_>,
    version: PuppetVersion,
    arguments: Vec<Value>,
) -> Result<Value, LookupFailure> {
    let context = Context::new(version);
    let budget = Budget::new(BUDGET);
    let environment = DataEnvironment(types);
    let mut evaluator = Evaluator::new(&context, &environment, &budget, true);
    match evaluator.call_by_name(KnownFunction::New.name(), arguments) {
        Ok(value) => Ok(value),
        Err(ControlFlow::Failure {
            failure: EvalFailure::Error(error),
            ..
        }) => Err(LookupFailure::Error(error.message)),
        Err(ControlFlow::Failure {
            failure: EvalFailure::Unknown(why),
            ..
        }) => Err(LookupFailure::Unknown(why.to_string())),
        Err(_) => Err(LookupFailure::Unknown(
            "the conversion is unknown".to_owned(),
        )),
    }
}

/// Provides the types of a workspace to conversions.
struct DataEnvironment<'a, 'db>(&'a WorkspaceTypes<'db>);

impl Environment for DataEnvironment<'_, '_> {
    fn variable(&self, _at: &SyntaxNode, name: &str) -> EvalResult {
        Err(EvalFailure::unknown(format!("`${name}` is not constant")))
    }

    fn types(&self) -> &dyn TypeNames {
        self.0
    }
}
