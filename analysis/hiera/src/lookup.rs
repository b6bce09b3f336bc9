//! Lookups, step by step as Puppet performs them (`Puppet::Pops::Lookup::LookupAdapter`).

use std::sync::Arc;

use types::values::{HashValue, Value, interpolated};

use crate::config::{ConfigProblem, HieraConfig};
use crate::explain::{Explanation, Outcome, StepKind};
use crate::failure::LookupFailure;
use crate::key::{LookupKey, Segment};
use crate::lookup_options::{LOOKUP_OPTIONS, LookupOptions, validated};
use crate::merge::MergeStrategy;
use crate::session::{
    Answer, Invocation, Layer, LookupSession, MAX_WEIGHT, Step, Stop, error, recursion,
};

impl LookupSession<'_> {
    /// Looks up a key, with a merge strategy that overrides that of `lookup_options`.
    pub fn lookup(&mut self, key: &str, merge: Option<&Value>) -> Answer {
        self.refresh();
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
            Err(LookupFailure::Error(message)) => error(format!(
                "The convert_to lookup_option for key '{}' raised error: {message}",
                key.text
            )),
            Err(LookupFailure::Unknown(why)) => Err(Stop::Unknown(why)),
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

    /// Returns the global layer, which has no data: its configuration is not part of a workspace.
    fn search_global(&mut self, key: &LookupKey, at: &Invocation) -> Step {
        if at.keys.contains(&key.text) {
            let recursion = recursion(&at.keys);
            return error(format!(
                "Lookup of key '{}' failed: {recursion}",
                at.top_key
            ));
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
                let name = provider_name("Environment", config.as_deref().ok());
                self.search_layer(&Layer::Environment, config, name, (key, strategy), at)
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
        let owner = format!("Module \"{module}\"");
        let name = provider_name(&owner, config.as_deref().ok());
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
        let name = provider_name(&format!("Module \"{module}\""), Some(config));
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
                session.search_default_levels(
                    layer,
                    config,
                    (&key, &MergeStrategy::Hash),
                    &mut meta,
                )
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
        let options = self.read_options_of(key, at)?;
        let mut possible = self.possible_options.iter();
        match possible.any(|it| it.may_apply(&key.root)) {
            true => Err(Stop::Unknown(format!(
                "the {LOOKUP_OPTIONS} of `{}` depend on unknown variables",
                key.root
            ))),
            false => Ok(options),
        }
    }

    fn read_options_of(&mut self, key: &LookupKey, at: &Invocation) -> Step<Option<HashValue>> {
        let module = at.module.clone();
        let options = match self.options.get(&module) {
            Some(known) => Arc::clone(known),
            None => {
                let options = Arc::new(self.read_options(module.as_ref(), at)?);
                self.options.insert(module, Arc::clone(&options));
                options
            }
        };
        Ok(options.of_key(&key.root)?)
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
        Ok(validated(merged, None)?)
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
            (Value::Array(_), Segment::Index(_)) | (Value::Hash(_), _) => segment.member_of(value),
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

/// Returns the name of the data of a layer in explanations.
fn provider_name(owner: &str, config: Option<&HieraConfig>) -> String {
    let version = config.map_or(5, |it| it.version);
    format!("{owner} Data Provider (hiera configuration version {version})")
}
