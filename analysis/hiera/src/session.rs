//! The state of lookups, and the trait that their caller implements.

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use types::values::{HashValue, Value};

use crate::config::{Backend, ConfigProblem, HieraConfig};
use crate::data_file::{DataFile, DataFormat};
use crate::explain::{Explanation, Outcome, StepKind};
use crate::failure::LookupFailure;
use crate::lookup_options::LookupOptions;
use crate::paths::Folders;

/// Where data comes from: an environment or one of its modules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// The environment.
    Environment,
    /// A module, by its name.
    Module(Arc<str>),
}

impl Layer {
    /// Checks whether Puppet looks a key up in the data of the layer: modules have keys of their own only.
    pub fn may_have(&self, key: &str) -> bool {
        match self {
            Layer::Environment => true,
            Layer::Module(name) => {
                let rest = key.strip_prefix(&**name);
                rest.is_some_and(|it| it.starts_with("::"))
            }
        }
    }
}

/// The place of a level, or of one of its paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LevelIndex {
    /// The index in its hierarchy.
    pub level: usize,
    /// Whether it is in the default hierarchy.
    pub in_defaults: bool,
    /// The index of the path; `None` for all.
    pub location: Option<usize>,
}

/// Provides files, variables and types to lookups.
pub trait LookupContext {
    /// Returns the configuration of a layer; `None` if it has no `hiera.yaml`.
    fn config(&self, layer: &Layer) -> Option<Result<Arc<HieraConfig>, ConfigProblem>>;

    /// Checks whether a module exists; `None` if that is unknown.
    fn has_module(&self, name: &str) -> Option<bool>;

    /// Returns a data file of a format by its path relative to the folder of the layer. The path may be
    /// absolute or lead out of the folder.
    fn file(&self, layer: &Layer, path: &str, format: DataFormat) -> FileState;

    /// Returns the relative paths of all data files of a layer.
    fn paths(&self, layer: &Layer) -> Vec<Arc<str>>;

    /// Returns the relative paths of the files that a level can read, for any node.
    fn files_of_level(&self, layer: &Layer, level: LevelIndex) -> Vec<Arc<str>>;

    /// Returns the root keys in these files; `None` if some are unknown.
    fn keys_of_level(
        &self,
        _layer: &Layer,
        _level: LevelIndex,
        _format: DataFormat,
    ) -> Option<Arc<FxHashSet<Arc<str>>>> {
        None
    }

    /// Returns the absolute path of a file of a layer.
    fn full_path(&self, layer: &Layer, path: &str) -> String;

    /// Returns a variable by its name, without leading colons.
    fn variable(&self, name: &str) -> Variable;

    /// Checks whether the node may have a fact that `$facts` lacks.
    fn may_have_fact(&self, _name: &str) -> bool {
        false
    }

    /// Returns a variable of the scopes inside of top scope, which a name with leading colons does not refer to; `None`
    /// if there is none.
    fn local_variable(&self, _name: &str) -> Option<Variable> {
        None
    }

    /// Returns a number that changes when a variable changes that was read before.
    fn revision(&self) -> u64 {
        0
    }

    /// Calls `new` with a type, which may also be a string, and arguments.
    ///
    /// # Errors
    ///
    /// If Puppet raises one, or the result is unknown.
    fn convert(&self, ty: &Value, arguments: Vec<Value>) -> Result<Value, LookupFailure>;

    /// Checks whether an unknown variable in a path is empty, as in Puppet 8, or an error.
    fn is_lenient_in_paths(&self) -> bool;
}

/// The state of a data file.
#[derive(Clone, Debug)]
pub enum FileState {
    /// The file does not exist.
    Missing,
    /// The file.
    Found(Arc<DataFile>),
    /// The file is not known, for this reason.
    Unknown(String),
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub enum Variable {
    /// Its value.
    Value(Value),
    /// The variable does not exist, with the reason that Puppet adds to its message.
    Undefined(String),
    /// Its value is unknown, for this reason.
    Unknown(String),
}

/// The answer to a lookup.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The value.
    Found(Value),
    /// No level has the key.
    NotFound,
    /// Puppet raises an error.
    Error(String),
    /// The answer is unknown, for this reason.
    Unknown(String),
}

/// Why a step of a lookup has no value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    NotFound,
    Error(String),
    Unknown(String),
}

impl From<LookupFailure> for Stop {
    fn from(problem: LookupFailure) -> Stop {
        match problem {
            LookupFailure::Error(message) => Stop::Error(message),
            LookupFailure::Unknown(why) => Stop::Unknown(why),
        }
    }
}

pub(crate) type Step<T = Value> = Result<T, Stop>;

pub(crate) fn error<T>(message: impl Into<String>) -> Step<T> {
    Err(Stop::Error(message.into()))
}

/// The maximum number of steps of a lookup.
const BUDGET: u32 = 200_000;

/// The maximum weight of a value that is interpolated or merged.
pub(crate) const MAX_WEIGHT: u64 = 2_000_000;

/// Lookups with the same variables. Options and the locations of levels are read once.
pub struct LookupSession<'a> {
    pub(crate) context: &'a dyn LookupContext,
    pub(crate) explanation: Option<Explanation>,
    /// The options by module.
    pub(crate) options: FxHashMap<Option<Arc<str>>, Arc<LookupOptions>>,
    pub(crate) environment_options: Option<Option<HashValue>>,
    /// The options in files that the node may or may not read.
    pub(crate) possible_options: Vec<LookupOptions>,
    /// The options of the default hierarchies by module.
    pub(crate) default_options: FxHashMap<Arc<str>, Arc<LookupOptions>>,
    pub(crate) sources: FxHashMap<(Layer, bool), Arc<[Source]>>,
    /// The folders and files of layers that were needed.
    pub(crate) layer_paths: FxHashMap<Layer, Arc<LayerPaths>>,
    pub(crate) steps: u32,
    /// The revision of the variables that the locations and options depend on.
    revision: u64,
}

/// The data of a layer.
#[derive(Debug, Default)]
pub(crate) struct LayerPaths {
    /// The folders; none without a valid configuration.
    pub(crate) folders: Option<Folders>,
    /// The relative paths of all files, sorted.
    pub(crate) files: Vec<Arc<str>>,
}

/// A level with its locations.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) backend: Backend,
    pub(crate) has_options: bool,
    /// The paths; `None` for a level without locations, or if they are unknown.
    pub(crate) files: Option<Vec<SourceFile>>,
    /// Why it is unknown which of the paths the level reads.
    pub(crate) open: Option<String>,
    /// The root keys in all files of such a level, if they are known.
    pub(crate) keys: Option<Arc<FxHashSet<Arc<str>>>>,
}

/// A data file of a level.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// The path in `hiera.yaml`.
    pub(crate) original: String,
    /// The path relative to the folder of the layer.
    pub(crate) path: String,
    /// The state of the file, once a lookup has read it.
    state: OnceCell<FileState>,
}

impl SourceFile {
    pub(crate) fn new(original: &str, path: String) -> SourceFile {
        SourceFile {
            original: original.to_owned(),
            path,
            state: OnceCell::new(),
        }
    }

    /// Returns the state of the file, which many lookups of a session need.
    pub(crate) fn state(
        &self,
        context: &dyn LookupContext,
        layer: &Layer,
        format: DataFormat,
    ) -> &FileState {
        let read = || context.file(layer, &self.path, format);
        self.state.get_or_init(read)
    }
}

/// The state of one lookup: the keys that are being looked up, which must not be looked up again, and
/// variables of `mapped_paths`.
#[derive(Clone, Default)]
pub(crate) struct Invocation {
    pub(crate) keys: Vec<String>,
    pub(crate) top_key: String,
    pub(crate) module: Option<Arc<str>>,
    pub(crate) local: Option<(String, Value)>,
}

impl<'a> LookupSession<'a> {
    /// Creates a session.
    pub fn new(context: &'a dyn LookupContext) -> LookupSession<'a> {
        LookupSession {
            context,
            explanation: None,
            options: FxHashMap::default(),
            environment_options: None,
            possible_options: Vec::new(),
            default_options: FxHashMap::default(),
            sources: FxHashMap::default(),
            layer_paths: FxHashMap::default(),
            steps: 0,
            revision: context.revision(),
        }
    }

    /// Forgets what depends on variables that have changed.
    pub(crate) fn refresh(&mut self) {
        let revision = self.context.revision();
        if revision != self.revision {
            let explanation = self.explanation.take();
            *self = LookupSession {
                explanation,
                ..LookupSession::new(self.context)
            };
        }
    }

    pub(crate) fn spend(&mut self) -> Step<()> {
        self.steps += 1;
        match self.steps > BUDGET {
            true => Err(Stop::Unknown("the lookup takes too many steps".to_owned())),
            false => Ok(()),
        }
    }

    /// Runs a step that shows in explanations.
    pub(crate) fn with<T>(
        &mut self,
        kind: impl FnOnce() -> StepKind,
        run: impl FnOnce(&mut Self) -> Step<T>,
    ) -> Step<T> {
        let Some(explanation) = &mut self.explanation else {
            return run(self);
        };
        let depth = explanation.depth();
        explanation.push(kind());
        let result = run(self);
        if let Some(explanation) = &mut self.explanation {
            explanation.close_to(depth);
        }
        result
    }

    pub(crate) fn report(&mut self, outcome: impl FnOnce() -> Outcome) {
        if let Some(explanation) = &mut self.explanation {
            explanation.report(outcome());
        }
    }

    /// Adds a step without any of its own.
    pub(crate) fn mention(&mut self, kind: impl FnOnce() -> StepKind) {
        if let Some(explanation) = &mut self.explanation {
            explanation.push(kind());
            explanation.pop();
        }
    }
}

pub(crate) fn recursion(keys: &[String]) -> String {
    format!("Recursive lookup detected in [{}]", keys.join(", "))
}
