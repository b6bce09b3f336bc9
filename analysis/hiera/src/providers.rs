//! The levels of a layer: their locations, values and interpolation.

use std::sync::Arc;

use types::values::Value;

use crate::config::{Backend, HieraConfig, Level, Location, Locations, covers};
use crate::data_file::{DataErrorKind, DataFile, DataFormat, RootValue, is_encrypted};
use crate::explain::{Outcome, StepKind};
use crate::glob;
use crate::interpolation::{Expression, Method, interpolations};
use crate::key::{LookupKey, Segment, split};
use crate::lookup_options::{LOOKUP_OPTIONS, LookupOptions};
use crate::merge::MergeStrategy;
use crate::paths::joined;
use crate::ruby;
use crate::session::{
    FileState, Invocation, Layer, LayerPaths, LevelIndex, LookupSession, MAX_WEIGHT, Source,
    SourceFile, Step, Stop, Variable, error, recursion,
};
use crate::sources::has_all_files;

impl LookupSession<'_> {
    /// Searches the levels of a layer, or those of its default hierarchy.
    pub(crate) fn search_levels(
        &mut self,
        layer: &Layer,
        config: &HieraConfig,
        in_defaults: bool,
        (key, strategy): (&LookupKey, &MergeStrategy),
        at: &mut Invocation,
    ) -> Step {
        let sources = self.sources_of(layer, config, in_defaults, at)?;
        if sources.is_empty() {
            self.report(|| Outcome::NotFound(key.text.clone()));
            return Err(Stop::NotFound);
        }
        self.merged(strategy, &sources, |session, source| {
            session.with(
                || StepKind::Provider(format!("Hierarchy entry \"{}\"", source.name), None),
                |session| session.search_source(layer, source, (key, strategy), at),
            )
        })
    }

    fn search_source(
        &mut self,
        layer: &Layer,
        source: &Source,
        (key, strategy): (&LookupKey, &MergeStrategy),
        at: &mut Invocation,
    ) -> Step {
        if let Backend::Custom(function) = &source.backend {
            return Err(Stop::Unknown(format!(
                "the function `{function}` of level `{}` is not evaluated",
                source.name
            )));
        }
        if let Some(why) = &source.open {
            return self.search_open(layer, source, key, why);
        }
        let Some(files) = &source.files else {
            return missing_location();
        };
        self.merged(strategy, files, |session, file| {
            let full = session.context.full_path(layer, &file.path);
            session.with(
                || StepKind::File(full.clone(), file.original.clone()),
                |session| session.search_file(layer, source, file, &full, key, at),
            )
        })
    }

    fn search_file(
        &mut self,
        layer: &Layer,
        source: &Source,
        file: &SourceFile,
        full: &str,
        key: &LookupKey,
        at: &mut Invocation,
    ) -> Step {
        self.spend()?;
        let format = source.backend.format().unwrap_or(DataFormat::Yaml);
        let data = match file.state(self.context, layer, format) {
            FileState::Missing => {
                self.report(|| Outcome::FileNotFound);
                return Err(Stop::NotFound);
            }
            FileState::Unknown(why) => return Err(Stop::Unknown(why.clone())),
            FileState::Found(data) => data,
        };
        if source.has_options && source.backend != Backend::Eyaml {
            // No overload of the function accepts a path together with options.
            return missing_location();
        }
        let value = match root_value(data, layer, key, full)? {
            Some(value) => value.clone(),
            None => {
                self.report(|| Outcome::NotFound(key.root.to_string()));
                return Err(Stop::NotFound);
            }
        };
        if source.backend == Backend::Eyaml && has_encrypted(&value) {
            return Err(Stop::Unknown(format!(
                "the value of `{}` is encrypted",
                key.root
            )));
        }
        let value = self.interpolate(&value, at, true)?;
        self.report(|| Outcome::Found(key.root.to_string(), value.clone()));
        Ok(value)
    }

    /// Returns the levels with their locations, which depend on variables.
    fn sources_of(
        &mut self,
        layer: &Layer,
        config: &HieraConfig,
        in_defaults: bool,
        at: &Invocation,
    ) -> Step<Arc<[Source]>> {
        let cached = (layer.clone(), in_defaults);
        if let Some(known) = self.sources.get(&cached) {
            return Ok(Arc::clone(known));
        }
        // Explanations do not contain the interpolation of paths.
        let explanation = self.explanation.take();
        let levels = match in_defaults {
            true => config.default_hierarchy.as_deref().unwrap_or_default(),
            false => &config.hierarchy,
        };
        let levels = levels.iter().enumerate();
        let sources: Step<Vec<Vec<Source>>> = levels
            .map(|(index, level)| {
                let at_level = LevelIndex {
                    level: index,
                    in_defaults,
                    location: None,
                };
                self.sources_of_level(layer, level, at_level, at)
            })
            .collect();
        self.explanation = explanation;
        let sources: Arc<[Source]> = sources?.into_iter().flatten().collect();
        self.sources.insert(cached, Arc::clone(&sources));
        Ok(sources)
    }

    /// Returns a level as one source, or if it has an unknown path as one for each path.
    fn sources_of_level(
        &mut self,
        layer: &Layer,
        level: &Level,
        index: LevelIndex,
        at: &Invocation,
    ) -> Step<Vec<Source>> {
        let why = match self.source(layer, level, at) {
            Err(Stop::Unknown(why)) => why,
            it => return Ok(vec![it?]),
        };
        let paths = match &level.locations {
            Locations::Paths(paths) if paths.len() > 1 && index.location.is_none() => paths,
            _ => return Ok(vec![self.open_source(layer, (level, index), why)]),
        };
        let each = paths.iter().enumerate().map(|(location, path)| {
            let single = Level {
                name: level.name.clone(),
                name_range: level.name_range,
                backend: level.backend.clone(),
                datadir: level.datadir.clone(),
                locations: Locations::Paths(vec![path.clone()]),
                has_options: level.has_options,
            };
            let location = Some(location);
            self.sources_of_level(layer, &single, LevelIndex { location, ..index }, at)
        });
        let each: Step<Vec<Vec<Source>>> = each.collect();
        Ok(each?.into_iter().flatten().collect())
    }

    fn source(&mut self, layer: &Layer, level: &Level, at: &Invocation) -> Step<Source> {
        let datadir = self.interpolated_path(&level.datadir, at)?;
        let files = match &level.locations {
            Locations::Paths(paths) => Some(self.paths(&datadir, paths, at)?),
            Locations::Globs(globs) => Some(self.globs(layer, &datadir, globs, at)?),
            Locations::Mapped(variable, name, path) => {
                Some(self.mapped(&datadir, (variable, name, path), at)?)
            }
            Locations::Uris | Locations::None => None,
        };
        Ok(Source {
            name: level.name.clone(),
            backend: level.backend.clone(),
            has_options: level.has_options,
            files,
            open: None,
            keys: None,
        })
    }

    /// Returns a level whose paths depend on unknown variables. Its files are unknown if some may be elsewhere.
    fn open_source(
        &mut self,
        layer: &Layer,
        (level, index): (&Level, LevelIndex),
        why: String,
    ) -> Source {
        let files = self.context.files_of_level(layer, index);
        let is_whole = !files.is_empty() || self.has_all_files(layer, level);
        let files = files.iter();
        let files = files.map(|path| SourceFile::new(path, path.to_string()));
        let format = level.backend.format().unwrap_or(DataFormat::Yaml);
        let context = self.context;
        Source {
            name: level.name.clone(),
            backend: level.backend.clone(),
            has_options: level.has_options,
            files: is_whole.then(|| files.collect()),
            open: Some(why),
            keys: context.keys_of_level(layer, index, format),
        }
    }

    /// Checks whether a level has no files other than those of the layer.
    fn has_all_files(&mut self, layer: &Layer, level: &Level) -> bool {
        let in_module = matches!(layer, Layer::Module(_));
        let paths = self.layer_paths(layer);
        let folders = paths.folders.as_ref();
        folders.is_some_and(|it| has_all_files(level, in_module, it, &paths.files))
    }

    fn layer_paths(&mut self, layer: &Layer) -> Arc<LayerPaths> {
        if let Some(known) = self.layer_paths.get(layer) {
            return Arc::clone(known);
        }
        let config = self.context.config(layer).and_then(Result::ok);
        let mut files = self.context.paths(layer);
        files.sort_unstable();
        let folders = config.map(|it| it.folders());
        let paths = Arc::new(LayerPaths { folders, files });
        self.layer_paths.insert(layer.clone(), Arc::clone(&paths));
        paths
    }

    /// Searches a level whose paths are unknown: it has no value if none of the files that it may read has one.
    fn search_open(&mut self, layer: &Layer, source: &Source, key: &LookupKey, why: &str) -> Step {
        let unknown = || Err(Stop::Unknown(why.to_owned()));
        let (Backend::File(_) | Backend::Eyaml, Some(files)) = (&source.backend, &source.files)
        else {
            return unknown();
        };
        if source.has_options && source.backend != Backend::Eyaml {
            return unknown();
        }
        if source
            .keys
            .as_ref()
            .is_some_and(|it| !it.contains(&key.root))
        {
            self.spend()?;
            self.report(|| Outcome::NotFound(key.root.to_string()));
            return Err(Stop::NotFound);
        }
        for file in files {
            self.spend()?;
            let format = source.backend.format().unwrap_or(DataFormat::Yaml);
            let FileState::Found(data) = file.state(self.context, layer, format) else {
                return unknown();
            };
            match root_value(data, layer, key, &file.path) {
                Ok(None) => {}
                // They only matter for the keys that they are of.
                Ok(Some(Value::Hash(options)))
                    if *key.root == *LOOKUP_OPTIONS && *layer == Layer::Environment =>
                {
                    let options = LookupOptions::compile(options);
                    self.possible_options.push(options);
                }
                _ => return unknown(),
            }
        }
        self.report(|| Outcome::NotFound(key.root.to_string()));
        Err(Stop::NotFound)
    }

    fn paths(
        &mut self,
        datadir: &str,
        paths: &[Location],
        at: &Invocation,
    ) -> Step<Vec<SourceFile>> {
        let mut files = Vec::new();
        for path in paths {
            let resolved = self.interpolated_path(&path.text, at)?;
            files.push(SourceFile::new(path.written(), joined(datadir, &resolved)));
        }
        Ok(files)
    }

    fn globs(
        &mut self,
        layer: &Layer,
        datadir: &str,
        globs: &[Location],
        at: &Invocation,
    ) -> Step<Vec<SourceFile>> {
        let mut files = Vec::new();
        for pattern in globs {
            let pattern = joined(datadir, &self.interpolated_path(&pattern.text, at)?);
            let paths = self.layer_paths(layer);
            let folders = paths.folders.as_ref();
            if !folders.is_some_and(|it| covers(it, &pattern)) {
                return Err(Stop::Unknown(format!(
                    "`{pattern}` matches files in folders that are not read"
                )));
            }
            let original = self.context.full_path(layer, &pattern);
            for path in glob::matching(&pattern, &paths.files) {
                files.push(SourceFile::new(&original, path.to_owned()));
            }
        }
        Ok(files)
    }

    fn mapped(
        &mut self,
        datadir: &str,
        (variable, name, path): (&Location, &str, &Location),
        at: &Invocation,
    ) -> Step<Vec<SourceFile>> {
        let value = self.variable_in_path(&variable.text, at)?;
        let elements = match &value {
            Value::Undef => Vec::new(),
            Value::String(text) if text.is_empty() => Vec::new(),
            Value::String(_) => vec![value.clone()],
            Value::Array(items) => items.to_vec(),
            Value::Hash(map) => map.to_pairs(),
            _ => {
                return error(
                    "the variable of `mapped_paths` must be a string, an array or a hash",
                );
            }
        };
        let mut files = Vec::new();
        for element in elements {
            let mut local = at.clone();
            local.local = Some((name.to_owned(), element));
            let resolved = self.interpolated_path(&path.text, &local)?;
            files.push(SourceFile::new(path.written(), joined(datadir, &resolved)));
        }
        Ok(files)
    }

    /// Interpolates a path of `hiera.yaml`, where methods are not allowed.
    fn interpolated_path(&mut self, path: &str, at: &Invocation) -> Step<String> {
        let value = self.interpolate(&Value::from(path), at, false);
        match value {
            Ok(value) => Ok(ruby::to_s(&value)),
            Err(Stop::Error(message)) => Err(Stop::Error(without_reason(message))),
            Err(stop) => Err(stop),
        }
    }

    fn variable_in_path(&mut self, name: &str, at: &Invocation) -> Step {
        let value = self.scope_lookup(name, "mapped_path[0]", at, false);
        match value {
            Err(Stop::Error(message)) => Err(Stop::Error(without_reason(message))),
            it => it,
        }
    }

    /// Replaces the interpolations in all strings of a value.
    fn interpolate(&mut self, value: &Value, at: &Invocation, with_methods: bool) -> Step {
        if value.weight() > MAX_WEIGHT {
            return Err(Stop::Unknown("the value is too large".to_owned()));
        }
        match value {
            Value::String(text) if text.contains("%{") => {
                self.interpolate_text(text, at, with_methods)
            }
            Value::Array(items) => {
                let items = items.iter();
                let items = items.map(|it| self.interpolate(it, at, with_methods));
                Ok(Value::array(items.collect::<Step<_>>()?))
            }
            Value::Hash(map) => {
                let mut entries = Vec::new();
                for (key, value) in map.iter() {
                    let key = self.interpolate(key, at, with_methods)?;
                    entries.push((key, self.interpolate(value, at, with_methods)?));
                }
                Ok(Value::hash(entries))
            }
            it => Ok(it.clone()),
        }
    }

    fn interpolate_text(&mut self, text: &str, at: &Invocation, with_methods: bool) -> Step {
        let shown = text.to_owned();
        self.with(
            || StepKind::Interpolation(shown),
            |session| {
                let mut out = String::new();
                let mut end = 0;
                for part in interpolations(text) {
                    session.spend()?;
                    out.push_str(&text[end..part.range.start]);
                    end = part.range.end;
                    let whole = part.range == (0..text.len());
                    let value =
                        session.expression(part.expression, (text, whole), at, with_methods)?;
                    match value {
                        Interpolated::Whole(value) => return Ok(value),
                        Interpolated::Part(value) => out.push_str(&ruby::to_s(&value)),
                    }
                    if out.len() as u64 > MAX_WEIGHT {
                        return Err(Stop::Unknown("the value is too large".to_owned()));
                    }
                }
                out.push_str(&text[end..]);
                Ok(Value::from(out))
            },
        )
    }

    fn expression(
        &mut self,
        expression: Expression<'_>,
        (text, is_whole): (&str, bool),
        at: &Invocation,
        with_methods: bool,
    ) -> Step<Interpolated> {
        let (method, argument) = match expression {
            Expression::Empty => return Ok(Interpolated::Part(Value::Undef)),
            Expression::Variable(name) => (Method::Scope, name),
            Expression::Method(_, _) if !with_methods => {
                return error("Interpolation using method syntax is not allowed in this context");
            }
            Expression::Method(name, argument) => match Method::of_name(name) {
                Some(Method::Alias) if !is_whole => {
                    return error(
                        "'alias' interpolation is only permitted if the expression is equal to \
                         the entire string",
                    );
                }
                Some(method) => (method, argument),
                None => return error(format!("Unknown interpolation method '{name}'")),
            },
        };
        let value = match method {
            Method::Scope => self.scope_lookup(argument, text, at, with_methods)?,
            Method::Literal => Value::from(argument),
            Method::Alias => return Ok(Interpolated::Whole(self.lookup_nested(argument, at)?)),
            Method::Lookup => self.lookup_nested(argument, at)?,
        };
        // The value may contain interpolations as well.
        let name = match method {
            Method::Scope => format!("scope:{argument}"),
            _ => argument.to_owned(),
        };
        if at.keys.contains(&name) {
            return error(recursion(&at.keys));
        }
        let mut nested = at.clone();
        nested.keys.push(name);
        Ok(Interpolated::Part(self.interpolate(
            &value,
            &nested,
            with_methods,
        )?))
    }

    /// Returns the value of a variable, or what a path leads to in it.
    fn scope_lookup(
        &mut self,
        name: &str,
        text: &str,
        at: &Invocation,
        with_methods: bool,
    ) -> Step {
        let Some(segments) = split(name) else {
            return error(format!("Syntax error in string: {text}"));
        };
        let Some((root, segments)) = segments.split_first() else {
            return Ok(Value::Undef);
        };
        let root = root.to_string();
        let local = at.local.as_ref().filter(|it| it.0 == root);
        let local = local.map(|it| it.1.clone());
        let value = self.with(
            || StepKind::Scope("Global Scope".to_owned()),
            |session| {
                let value = match local {
                    Some(value) => value,
                    None => session.variable(&root, with_methods)?,
                };
                if !value.is_undef() {
                    session.report(|| Outcome::Found(root.clone(), value.clone()));
                }
                Ok(value)
            },
        )?;
        if value.is_undef() || segments.is_empty() {
            return Ok(value);
        }
        if root.trim_start_matches("::") == "trusted"
            && let Some(part) = unknown_part(&value, segments)
        {
            return Err(Stop::Unknown(format!("`trusted.{part}` is unknown")));
        }
        if root.trim_start_matches("::") == "facts"
            && let (Value::Hash(facts), Some(Segment::Name(fact))) = (&value, segments.first())
            && facts.get_str(fact).is_none()
            && self.context.may_have_fact(fact)
        {
            return Err(Stop::Unknown(format!("`facts.{fact}` is unknown")));
        }
        match self.sub_lookup(name, segments, value) {
            Err(Stop::NotFound) => Ok(Value::Undef),
            result => result,
        }
    }

    fn variable(&mut self, name: &str, with_methods: bool) -> Step {
        let plain = name.strip_prefix("::").unwrap_or(name);
        let local = (plain == name).then(|| self.context.local_variable(name));
        let found = local.flatten();
        match found.unwrap_or_else(|| self.context.variable(plain)) {
            Variable::Value(value) => Ok(value),
            Variable::Undefined(_) if !with_methods && self.context.is_lenient_in_paths() => {
                Ok(Value::Undef)
            }
            Variable::Undefined(reason) => error(format!("Undefined variable '{plain}'; {reason}")),
            Variable::Unknown(why) => Err(Stop::Unknown(why)),
        }
    }
}

/// Returns the part of `trusted` that a path leads to, if it is unknown: each node has these.
fn unknown_part<'s>(trusted: &Value, segments: &'s [Segment]) -> Option<&'s str> {
    let (Value::Hash(known), Some(Segment::Name(first))) = (trusted, segments.first()) else {
        return None;
    };
    let is_part = ["extensions", "external"].contains(&&**first);
    (is_part && known.get_str(first).is_none()).then_some(&**first)
}

/// The value of an interpolation.
enum Interpolated {
    /// It replaces the whole string.
    Whole(Value),
    /// It is inserted.
    Part(Value),
}

/// Fails like the functions `yaml_data` and `json_data` without a path.
fn missing_location<T>() -> Step<T> {
    error(
        "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in \
         hiera.yaml when using this data_hash function",
    )
}

/// Returns the value of a root key in a data file.
fn root_value<'a>(
    data: &'a DataFile,
    layer: &Layer,
    key: &LookupKey,
    full: &str,
) -> Step<Option<&'a Value>> {
    let values = match &data.values {
        Ok(values) => values,
        Err(problem) => {
            return error(match &problem.kind {
                DataErrorKind::NotAHash => {
                    format!("{full}: file does not contain a valid yaml hash")
                }
                DataErrorKind::Syntax(message) => format!("Unable to parse ({full}): {message}"),
                DataErrorKind::Refused(what) => {
                    format!("Unable to parse ({full}): {what} is not allowed")
                }
                DataErrorKind::Cycle => "stack level too deep".to_owned(),
            });
        }
    };
    if !layer.may_have(&key.root) && *key.root != *LOOKUP_OPTIONS {
        return Ok(None);
    }
    match values.get(&key.root) {
        None => Ok(None),
        Some(RootValue::Value(value)) => Ok(Some(value)),
        Some(RootValue::Unsupported(what)) => Err(Stop::Unknown(format!(
            "the value of `{}` contains {what}",
            key.root
        ))),
        Some(RootValue::Rejected(what)) => error(format!(
            "Value for key '{}', in hash returned from data_hash function 'yaml_data', when using \
             location '{full}', has wrong type, expects Puppet::LookupValue, got {what}",
            key.root
        )),
    }
}

/// Checks whether a value contains an encrypted string.
fn has_encrypted(value: &Value) -> bool {
    match value {
        Value::String(text) => is_encrypted(text),
        Value::Array(items) => items.iter().any(has_encrypted),
        Value::Hash(map) => map.values().any(has_encrypted),
        _ => false,
    }
}

/// The message about an unknown variable in `hiera.yaml` has no reason.
fn without_reason(message: String) -> String {
    match message.split_once("'; ") {
        Some((start, _)) if message.starts_with("Undefined variable '") => format!("{start}'"),
        _ => message,
    }
}
