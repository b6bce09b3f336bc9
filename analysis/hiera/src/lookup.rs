//! Lookups, step by step as Puppet performs them (`Puppet::Pops::Lookup::LookupAdapter`).

use std::sync::Arc;

use rustc_hash::FxHashMap;
use types::values::{HashValue, Regexp, Value, interpolated};

use crate::config::{ConfigProblem, HieraConfig};
use crate::data_file::{DataFile, DataFormat};
use crate::explain::{Explanation, Outcome, StepKind};
use crate::key::{LookupKey, Segment};
use crate::merge::{MergeProblem, MergeStrategy};
use crate::providers::Source;

/// Where data comes from: an environment or one of its modules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// The environment.
    Environment,
    /// A module, by its name.
    Module(Arc<str>),
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

    /// Returns the absolute path of a file of a layer.
    fn full_path(&self, layer: &Layer, path: &str) -> String;

    /// Returns a variable by its name, without leading colons.
    fn variable(&self, name: &str) -> Variable;

    /// Calls `new` with a type, which may also be a string, and arguments.
    ///
    /// # Errors
    ///
    /// If Puppet raises one, or the result is unknown.
    fn convert(&self, ty: &Value, arguments: Vec<Value>) -> Result<Value, MergeProblem>;

    /// Checks whether an unknown variable in a path is empty, as in Puppet 8, or an error.
    fn is_lenient_in_paths(&self) -> bool;
}

/// The state of a data file.
#[derive(Clone, Debug)]
pub enum FileState {
    /// There is no such file.
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
    /// There is no such variable, with what Puppet adds to its message.
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

impl From<MergeProblem> for Stop {
    fn from(problem: MergeProblem) -> Stop {
        match problem {
            MergeProblem::Error(message) => Stop::Error(message),
            MergeProblem::Unknown(why) => Stop::Unknown(why),
        }
    }
}

pub(crate) type Step<T = Value> = Result<T, Stop>;

pub(crate) fn error<T>(message: impl Into<String>) -> Step<T> {
    Err(Stop::Error(message.into()))
}

/// The key of options in data files.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

/// The maximum number of steps of a lookup.
const BUDGET: u32 = 200_000;

/// The maximum weight of a value that is interpolated or merged.
pub(crate) const MAX_WEIGHT: u64 = 2_000_000;

/// Lookups with the same variables. Options and the locations of levels are read once.
pub struct LookupSession<'a> {
    pub(crate) context: &'a dyn LookupContext,
    pub(crate) explanation: Option<Explanation>,
    /// The options by module.
    options: FxHashMap<Option<Arc<str>>, Arc<LookupOptions>>,
    environment_options: Option<Option<HashValue>>,
    /// The options of the default hierarchies by module.
    default_options: FxHashMap<Arc<str>, Arc<LookupOptions>>,
    pub(crate) sources: FxHashMap<(Layer, bool), Arc<[Source]>>,
    steps: u32,
}

/// The options of keys and of patterns.
#[derive(Default, Debug)]
struct LookupOptions {
    by_key: Vec<(Arc<str>, Value)>,
    by_pattern: Vec<(Regexp, Value)>,
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
            default_options: FxHashMap::default(),
            sources: FxHashMap::default(),
            steps: 0,
        }
    }

    /// Looks up a key, with a merge strategy that overrides that of `lookup_options`.
    pub fn lookup(&mut self, key: &str, merge: Option<&Value>) -> Answer {
        self.steps = 0;
        let answer = self.lookup_key(key, merge, &mut Invocation::default());
        if let Some(explanation) = &mut self.explanation {
            explanation.close_to(0);
        }
        match answer {
            Ok(value) => Answer::Found(value),
            Err(Stop::NotFound) => Answer::NotFound,
            Err(Stop::Error(message)) => Answer::Error(message),
            Err(Stop::Unknown(why)) => Answer::Unknown(why),
        }
    }

    /// Looks up a key and explains how.
    pub fn explain(&mut self, key: &str, merge: Option<&Value>) -> (Answer, Explanation) {
        self.explanation = Some(Explanation::default());
        let answer = self.lookup(key, merge);
        (answer, self.explanation.take().unwrap_or_default())
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
    fn mention(&mut self, kind: impl FnOnce() -> StepKind) {
        if let Some(explanation) = &mut self.explanation {
            explanation.push(kind());
            explanation.pop();
        }
    }

    fn lookup_key(&mut self, key: &str, merge: Option<&Value>, at: &mut Invocation) -> Step {
        self.spend()?;
        if key == LOOKUP_OPTIONS || key.starts_with("lookup_options.") {
            self.mention(|| StepKind::InvalidKey(LOOKUP_OPTIONS.to_owned()));
            return Err(Stop::NotFound);
        }
        let Some(key) = LookupKey::parse(key) else {
            return error(format!("Syntax error in key: '{key}'"));
        };
        at.top_key.clone_from(&key.text);
        at.module = key.module().map(Arc::from);
        let options = self.options_of(&key, at)?;
        let merge = match merge {
            Some(merge) => Some(merge.clone()),
            None => {
                let merge = options.as_ref().and_then(|it| it.get_str("merge").cloned());
                let merge = merge.filter(|it| !it.is_undef());
                if merge.is_some() {
                    self.mention(|| StepKind::MergeSource);
                }
                merge
            }
        };
        let value = self.with(
            || StepKind::Search(key.text.clone()),
            |session| match session.search(&key, merge.as_ref(), at) {
                Err(Stop::NotFound) => {
                    let value = session.search_defaults(&key, at)?;
                    session.dig(&key, value)
                }
                result => result,
            },
        )?;
        match options.as_ref().and_then(|it| it.get_str("convert_to")) {
            None | Some(Value::Undef) => Ok(value),
            Some(convert) => self.converted(&key, value, convert),
        }
    }

    /// Applies `convert_to`.
    fn converted(&mut self, key: &LookupKey, value: Value, convert: &Value) -> Step {
        let mut arguments = match convert {
            Value::Array(items) => items.to_vec(),
            it => vec![it.clone()],
        };
        if arguments.is_empty() {
            arguments.push(Value::Undef);
        }
        let ty = arguments.remove(0);
        let shown: Vec<String> = std::iter::once(&ty)
            .map(|it| interpolated(it).unwrap_or_default().to_string())
            .chain(arguments.iter().map(shown_argument))
            .collect();
        let mut all = vec![value];
        all.extend(arguments);
        match self.context.convert(&ty, all) {
            Ok(value) => {
                if let Some(explanation) = &mut self.explanation {
                    explanation.text(format!(
                        "Applying convert_to lookup_option with arguments [{}]",
                        shown.join(", ")
                    ));
                }
                Ok(value)
            }
            Err(MergeProblem::Error(message)) => error(format!(
                "The convert_to lookup_option for key '{}' raised error: {message}",
                key.text
            )),
            Err(MergeProblem::Unknown(why)) => Err(Stop::Unknown(why)),
        }
    }

    /// Searches the layers from the top, and merges what they have.
    fn search(&mut self, key: &LookupKey, merge: Option<&Value>, at: &mut Invocation) -> Step {
        let strategy = match merge {
            Some(merge) => MergeStrategy::of_value(merge).map_err(Stop::Error)?,
            None => MergeStrategy::First,
        };
        let layers = [LayerStep::Global, LayerStep::Environment, LayerStep::Module];
        let value = self.merged(&strategy, &layers, |session, layer| match layer {
            LayerStep::Global => session.search_global(key, at),
            LayerStep::Environment => session.search_environment(key, &strategy, at),
            LayerStep::Module => session.search_module(key, &strategy, at),
        })?;
        self.dig(key, value)
    }

    /// Merges the values of several sources.
    pub(crate) fn merged<T>(
        &mut self,
        strategy: &MergeStrategy,
        sources: &[T],
        mut value_of: impl FnMut(&mut Self, &T) -> Step,
    ) -> Step {
        if *strategy == MergeStrategy::First {
            for source in sources {
                match value_of(self, source) {
                    Err(Stop::NotFound) => {}
                    result => return result,
                }
            }
            return Err(Stop::NotFound);
        }
        if let [only] = sources {
            return Ok(strategy.convert_single(value_of(self, only)?));
        }
        if sources.is_empty() {
            return Err(Stop::NotFound);
        }
        let options = match strategy {
            MergeStrategy::Deep(options) => match &options.given {
                Some(Value::Hash(given)) => Some(given.clone()),
                _ => None,
            },
            _ => None,
        };
        self.with(
            || StepKind::Merge(strategy.name(), options),
            |session| {
                let mut merged: Option<Value> = None;
                for source in sources {
                    let value = match value_of(session, source) {
                        Ok(value) => value,
                        Err(Stop::NotFound) => continue,
                        Err(stop) => return Err(stop),
                    };
                    merged = Some(match merged {
                        None => strategy.convert_first(value),
                        Some(upper) => session.merge_two(strategy, &upper, &value)?,
                    });
                }
                let value = merged.ok_or(Stop::NotFound)?;
                session.report(|| Outcome::Result(value.clone()));
                Ok(value)
            },
        )
    }

    fn merge_two(&mut self, strategy: &MergeStrategy, upper: &Value, lower: &Value) -> Step {
        self.spend()?;
        if upper.weight().saturating_add(lower.weight()) > MAX_WEIGHT {
            return Err(Stop::Unknown("the value is too large".to_owned()));
        }
        Ok(strategy.merge(upper, lower)?)
    }

    /// The global layer, which has no data: its configuration is not part of a workspace.
    fn search_global(&mut self, key: &LookupKey, at: &Invocation) -> Step {
        if at.keys.contains(&key.text) {
            let recursion = recursion(&at.keys);
            return error(format!("Lookup of key '{}' failed: {recursion}", at.top_key));
        }
        let name = "Global Data Provider (hiera configuration version 5)".to_owned();
        self.with(
            || StepKind::Provider(name, None),
            |session| {
                session.report(|| Outcome::NotFound(key.text.clone()));
                Err(Stop::NotFound)
            },
        )
    }

    fn search_environment(
        &mut self,
        key: &LookupKey,
        strategy: &MergeStrategy,
        at: &mut Invocation,
    ) -> Step {
        match self.context.config(&Layer::Environment) {
            None => Err(Stop::NotFound),
            Some(config) => {
                let name = "Environment Data Provider (hiera configuration version 5)";
                self.search_layer(&Layer::Environment, config, name.to_owned(), (key, strategy), at)
            }
        }
    }

    fn search_module(
        &mut self,
        key: &LookupKey,
        strategy: &MergeStrategy,
        at: &mut Invocation,
    ) -> Step {
        let Some(module) = at.module.clone() else {
            return Err(Stop::NotFound);
        };
        let layer = Layer::Module(Arc::clone(&module));
        let Some(config) = self.context.config(&layer) else {
            let text = match self.context.has_module(&module) {
                Some(true) => format!("Module data provider for module \"{module}\" not found"),
                Some(false) => format!("Module \"{module}\" not found"),
                None => {
                    return Err(Stop::Unknown(format!("the module `{module}` is unknown")));
                }
            };
            self.mention(|| StepKind::Message(text));
            return Err(Stop::NotFound);
        };
        let name = format!("Module \"{module}\" Data Provider (hiera configuration version 5)");
        self.search_layer(&layer, config, name, (key, strategy), at)
    }

    fn search_layer(
        &mut self,
        layer: &Layer,
        config: Result<Arc<HieraConfig>, ConfigProblem>,
        name: String,
        (key, strategy): (&LookupKey, &MergeStrategy),
        at: &mut Invocation,
    ) -> Step {
        if at.keys.contains(&key.text) {
            return error(recursion(&at.keys));
        }
        let config = known(config)?;
        let path = self.context.full_path(layer, "hiera.yaml");
        at.keys.push(key.text.clone());
        let result = self.with(
            || StepKind::Provider(name, Some(path)),
            |session| session.search_levels(layer, &config, false, (key, strategy), at),
        );
        at.keys.pop();
        result
    }

    /// Searches the default hierarchy of the module that the key belongs to.
    fn search_defaults(&mut self, key: &LookupKey, at: &mut Invocation) -> Step {
        let Some(module) = at.module.clone() else {
            return Err(Stop::NotFound);
        };
        let layer = Layer::Module(Arc::clone(&module));
        let Some(config) = self.context.config(&layer) else {
            return Err(Stop::NotFound);
        };
        let config = known(config)?;
        if config.default_hierarchy.is_none() {
            return Err(Stop::NotFound);
        }
        let title = format!("Searching default_hierarchy of module \"{module}\"");
        self.with(
            || StepKind::Scope(title),
            |session| {
                let options = session.options_of_defaults(&layer, &module, &config, at)?;
                let merge = options.of_key(&key.root)?;
                let merge = merge.as_ref().and_then(|it| it.get_str("merge"));
                let strategy = match merge.filter(|it| !it.is_undef()) {
                    Some(merge) => MergeStrategy::of_value(merge).map_err(Stop::Error)?,
                    None => MergeStrategy::First,
                };
                let title = format!("Searching for \"{}\"", key.text);
                session.with(
                    || StepKind::Scope(title),
                    |session| session.search_default_levels(&layer, &config, (key, &strategy), at),
                )
            },
        )
    }

    fn search_default_levels(
        &mut self,
        layer: &Layer,
        config: &HieraConfig,
        (key, strategy): (&LookupKey, &MergeStrategy),
        at: &mut Invocation,
    ) -> Step {
        if at.keys.contains(&key.text) {
            return error(recursion(&at.keys));
        }
        let Layer::Module(module) = layer else {
            return Err(Stop::NotFound);
        };
        let name = format!("Module \"{module}\" Data Provider (hiera configuration version 5)");
        let path = self.context.full_path(layer, "hiera.yaml");
        at.keys.push(key.text.clone());
        let result = self.with(
            || StepKind::Provider(name, Some(path)),
            |session| session.search_levels(layer, config, true, (key, strategy), at),
        );
        at.keys.pop();
        result
    }

    fn options_of_defaults(
        &mut self,
        layer: &Layer,
        module: &Arc<str>,
        config: &HieraConfig,
        at: &Invocation,
    ) -> Step<Arc<LookupOptions>> {
        if let Some(known) = self.default_options.get(module) {
            return Ok(Arc::clone(known));
        }
        let mut meta = at.clone();
        meta.module = Some(Arc::clone(module));
        let title = format!("Searching for \"{LOOKUP_OPTIONS}\"");
        let found = self.with(
            || StepKind::Scope(title),
            |session| {
                let key = options_key();
                session.search_default_levels(layer, config, (&key, &MergeStrategy::Hash), &mut meta)
            },
        );
        let options = match found {
            Ok(value) => LookupOptions::compile(&validated(value, Some(module))?),
            Err(Stop::NotFound) => LookupOptions::default(),
            Err(stop) => return Err(stop),
        };
        let options = Arc::new(options);
        self.default_options
            .insert(Arc::clone(module), Arc::clone(&options));
        Ok(options)
    }

    /// Returns the options of a key, from the environment and its module.
    fn options_of(&mut self, key: &LookupKey, at: &Invocation) -> Step<Option<HashValue>> {
        let module = at.module.clone();
        let options = match self.options.get(&module) {
            Some(known) => Arc::clone(known),
            None => {
                let options = Arc::new(self.read_options(module.as_ref(), at)?);
                self.options.insert(module, Arc::clone(&options));
                options
            }
        };
        options.of_key(&key.root)
    }

    fn read_options(&mut self, module: Option<&Arc<str>>, at: &Invocation) -> Step<LookupOptions> {
        let mut meta = at.clone();
        meta.module = module.cloned();
        self.with(
            || StepKind::Search(LOOKUP_OPTIONS.to_owned()),
            |session| {
                let environment = session.environment_options(&mut meta)?;
                let of_environment = || match &environment {
                    Some(options) => LookupOptions::compile(options),
                    None => LookupOptions::default(),
                };
                let Some(module) = module else {
                    return Ok(of_environment());
                };
                session
                    .options
                    .entry(None)
                    .or_insert_with(|| Arc::new(of_environment()));
                let key = options_key();
                let found = session.search_module(&key, &MergeStrategy::Hash, &mut meta);
                let own = match found {
                    Ok(value) => validated(value, Some(module))?,
                    Err(Stop::NotFound) => return Ok(of_environment()),
                    Err(stop) => return Err(stop),
                };
                let Some(environment) = environment.clone() else {
                    return Ok(LookupOptions::compile(&own));
                };
                let merged = session.merge_options(module, environment, own)?;
                Ok(LookupOptions::compile(&merged))
            },
        )
    }

    fn merge_options(
        &mut self,
        module: &str,
        environment: HashValue,
        own: HashValue,
    ) -> Step<HashValue> {
        let parts = [
            ("Global and Environment".to_owned(), environment),
            (format!("Module {module}"), own),
        ];
        let merged = self.merged(&MergeStrategy::Hash, &parts, |session, (name, options)| {
            let value = Value::Hash(options.clone());
            session.with(
                || StepKind::Scope(name.clone()),
                |session| {
                    let found = value.clone();
                    session.report(|| Outcome::Found(LOOKUP_OPTIONS.to_owned(), found));
                    Ok(value)
                },
            )
        })?;
        validated(merged, None)
    }

    fn environment_options(&mut self, meta: &mut Invocation) -> Step<Option<HashValue>> {
        if let Some(known) = &self.environment_options {
            return Ok(known.clone());
        }
        let key = options_key();
        match self.search_global(&key, meta) {
            Err(Stop::NotFound) => {}
            Err(stop) => return Err(stop),
            Ok(_) => {}
        }
        let options = match self.search_environment(&key, &MergeStrategy::Hash, meta) {
            Ok(value) => Some(validated(value, None)?),
            Err(Stop::NotFound) => None,
            Err(stop) => return Err(stop),
        };
        self.environment_options = Some(options.clone());
        Ok(options)
    }

    /// Looks up the key of an interpolation, which is empty if it is not found.
    pub(crate) fn lookup_nested(&mut self, key: &str, at: &Invocation) -> Step {
        let mut nested = at.clone();
        nested.local = None;
        match self.lookup_key(key, None, &mut nested) {
            Err(Stop::NotFound) => Ok(Value::from("")),
            result => result,
        }
    }

    fn dig(&mut self, key: &LookupKey, value: Value) -> Step {
        match key.segments.is_empty() {
            true => Ok(value),
            false => self.sub_lookup(&key.text, &key.segments, value),
        }
    }

    /// Follows the segments of a dotted key into a value.
    pub(crate) fn sub_lookup(&mut self, key: &str, segments: &[Segment], value: Value) -> Step {
        let path: Vec<String> = segments.iter().map(ToString::to_string).collect();
        self.with(
            || StepKind::SubLookup(path.join(".")),
            |session| {
                let mut value = value;
                for segment in segments {
                    value = session.with(
                        || StepKind::Segment,
                        |session| session.member(key, segment, &value),
                    )?;
                }
                Ok(value)
            },
        )
    }

    fn member(&mut self, key: &str, segment: &Segment, value: &Value) -> Step {
        let found = match (value, segment) {
            (Value::Undef, _) => None,
            (Value::Array(items), Segment::Index(index)) => {
                usize::try_from(*index).ok().and_then(|it| items.get(it))
            }
            (Value::Hash(map), segment) => map.get(&segment.value()),
            (Value::Integer(_), _) => return error("undefined method `include?'"),
            (value, segment) => {
                return error(format!(
                    "Data Provider type mismatch: Got {} when a hash-like object was expected to \
                     access value using '{segment}' from key '{key}'",
                    ruby_class(value)
                ));
            }
        };
        match found.cloned() {
            Some(found) => {
                self.report(|| Outcome::Found(segment.to_string(), found.clone()));
                Ok(found)
            }
            None => {
                self.report(|| Outcome::NotFound(segment.to_string()));
                Err(Stop::NotFound)
            }
        }
    }
}

/// The layers in the order in which they are searched.
enum LayerStep {
    Global,
    Environment,
    Module,
}

fn known(config: Result<Arc<HieraConfig>, ConfigProblem>) -> Step<Arc<HieraConfig>> {
    config.map_err(|problem| match problem {
        ConfigProblem::Error(message) => Stop::Error(message),
        ConfigProblem::Unknown(why) => Stop::Unknown(why),
    })
}

fn options_key() -> LookupKey {
    LookupKey {
        text: LOOKUP_OPTIONS.to_owned(),
        root: LOOKUP_OPTIONS.into(),
        segments: Vec::new(),
    }
}

pub(crate) fn recursion(keys: &[String]) -> String {
    format!("Recursive lookup detected in [{}]", keys.join(", "))
}

fn shown_argument(value: &Value) -> String {
    types::values::source(value).unwrap_or_default()
}

fn ruby_class(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Float(_) => "Float",
        Value::Default => "Symbol",
        _ => "Object",
    }
}

/// Checks that options are a hash, and those of a module for keys of its own.
fn validated(options: Value, module: Option<&str>) -> Step<HashValue> {
    let Value::Hash(options) = options else {
        return error("value of lookup_options must be a hash");
    };
    let Some(module) = module else {
        return Ok(options);
    };
    let prefix = format!("{module}::");
    for key in options.keys() {
        let Some(key) = key.as_str() else {
            return error("a key of lookup_options is no string");
        };
        let (name, kind, verb) = match key.strip_prefix('^') {
            Some(pattern) => (pattern, "patterns", "match a key starting"),
            None => (key, "keys", "start"),
        };
        if !name.starts_with(&prefix) {
            return error(format!(
                "all lookup_options {kind} must {verb} with module name '{module}'"
            ));
        }
    }
    Ok(options)
}

impl LookupOptions {
    fn compile(options: &HashValue) -> LookupOptions {
        let mut compiled = LookupOptions::default();
        for (key, value) in options.iter() {
            let Some(name) = key.as_str() else {
                continue;
            };
            if name.starts_with('^') {
                compiled
                    .by_pattern
                    .push((Regexp::new(name), value.clone()));
            } else {
                compiled.by_key.push((name.into(), value.clone()));
            }
        }
        compiled
    }

    /// Returns the options of a key: its own, or those of the first pattern that matches.
    fn of_key(&self, root: &str) -> Step<Option<HashValue>> {
        if self.by_pattern.iter().any(|it| it.0.check().is_err()) {
            return error("invalid regular expression in lookup_options");
        }
        let own = self.by_key.iter().find(|it| *it.0 == *root);
        let own = own.map(|it| &it.1).filter(|it| !it.is_undef());
        if let Some(own) = own {
            return as_options(own);
        }
        for (pattern, options) in &self.by_pattern {
            match pattern.is_match(root) {
                Ok(true) => return as_options(options),
                Ok(false) => {}
                Err(_) => {
                    return Err(Stop::Unknown("a pattern of lookup_options".to_owned()));
                }
            }
        }
        Ok(None)
    }
}

fn as_options(options: &Value) -> Step<Option<HashValue>> {
    match options {
        Value::Hash(options) => Ok(Some(options.clone())),
        Value::Undef | Value::Boolean(false) => Ok(None),
        Value::String(text) if !text.contains("merge") && !text.contains("convert_to") => Ok(None),
        _ => error("the lookup_options of a key must be a hash"),
    }
}
