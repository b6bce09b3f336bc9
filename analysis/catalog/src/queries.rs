//! Functions that ask for names, resources and data: `defined`, `lookup` and `fact`.

use eval::{EvalFailure, FlowResult};
use hiera::{Answer, Layer};
use hir::canonical_name;
use hir::resolve::ResolveError;
use hir::ruby_symbols::resource_type;
use infer::{
    ENVIRONMENT_MODULE, hiera_config, layer_keys, layer_module, may_be_in_absent_data,
    unconditional_files,
};
use library::KnownFunction;
use types::Type;
use types::values::{HashValue, Value};

use crate::functions::Call;
use crate::state::{Compiler, EarlyLookup};
use crate::stdlib::random;
use crate::values::{error, flattened, resource_of, unknown};

/// The arguments of `lookup`.
#[derive(Default)]
struct LookupArguments {
    names: Vec<String>,
    value_type: Option<Type>,
    merge: Option<Value>,
    default: Option<Value>,
}

impl LookupArguments {
    /// Reads the arguments; `None` for a form that is not supported.
    fn of(args: &[Value]) -> Option<LookupArguments> {
        let mut found = LookupArguments::default();
        let (names, rest) = match args {
            [Value::Hash(options)] => (options.get_str("name")?.clone(), args),
            [names, rest @ ..] => (names.clone(), rest),
            [] => return None,
        };
        for it in &flattened([&names]) {
            found.names.push(it.as_str()?.to_owned());
        }
        match rest {
            [Value::Hash(options)] => found.set_options(options)?,
            rest => {
                let given = |index: usize| rest.get(index).filter(|it| !it.is_undef());
                found.value_type = type_of(given(0))?;
                found.merge = given(1).cloned();
                found.default = rest.get(2).cloned();
            }
        }
        Some(found)
    }

    /// Reads the arguments of a function of Hiera 3: a key and a default.
    ///
    /// From `lib/hiera/puppet_function.rb`.
    fn of_hiera(function: KnownFunction, args: &[Value]) -> Option<LookupArguments> {
        let (key, default) = match args {
            [Value::String(key)] => (key, None),
            [Value::String(key), default] => (key, Some(default.clone())),
            _ => return None,
        };
        let strategy = match function {
            KnownFunction::Hiera => "first",
            KnownFunction::HieraHash => "hash",
            _ => "unique",
        };
        Some(LookupArguments {
            names: vec![key.to_string()],
            merge: Some(strategy.into()),
            default,
            ..LookupArguments::default()
        })
    }

    fn set_options(&mut self, options: &HashValue) -> Option<()> {
        for (name, value) in options.iter() {
            match name.as_str()? {
                "name" => {}
                "value_type" => self.value_type = type_of(Some(value))?,
                "merge" => self.merge = Some(value.clone()),
                "default_value" => self.default = Some(value.clone()),
                _ => return None,
            }
        }
        Some(())
    }
}

/// Returns the type if a value is one; `None` for other values.
fn type_of(value: Option<&Value>) -> Option<Option<Type>> {
    match value {
        None => Some(None),
        Some(Value::Type(ty)) => Some(Some(ty.clone())),
        Some(_) => None,
    }
}

/// The maximum number of parts with unknown effects that are searched for a resource.
const MAX_SEARCHED: usize = 50;

impl Compiler<'_> {
    /// Checks whether any of the arguments is defined at this point.
    pub(crate) fn defined(&self, call: Call, args: &[Value]) -> FlowResult {
        let mut is_unknown = false;
        for value in &flattened(args) {
            match self.is_defined(call, value) {
                Some(true) => return Ok(Value::Boolean(true)),
                Some(false) => {}
                None => is_unknown = true,
            }
        }
        match is_unknown {
            true => Err(unknown("it is unknown whether it is defined")),
            false => Ok(Value::Boolean(false)),
        }
    }

    fn is_defined(&self, call: Call, value: &Value) -> Option<bool> {
        match value {
            Value::String(name) => match name.strip_prefix('$') {
                Some(variable) => match self.variable(call.scope, variable) {
                    Ok(_) => Some(true),
                    Err(EvalFailure::Error(_)) => Some(false),
                    Err(EvalFailure::Unknown(_)) => None,
                },
                None => self.has_name(call, name),
            },
            Value::Type(Type::Resource(it)) if it.title().is_none() => {
                self.has_resource_type(it.type_name()?)
            }
            Value::Type(Type::Type(inner)) => match inner.as_deref()? {
                Type::Class(Some(name)) => self.has_class(call, name),
                ty => self.is_defined(call, &Value::Type(ty.clone())),
            },
            value => self.is_declared(call, value),
        }
    }

    /// Checks whether a resource is declared.
    fn is_declared(&self, call: Call, value: &Value) -> Option<bool> {
        let key = resource_of(value)?;
        let (is_open, unknown) = {
            let state = self.state.borrow();
            if let Some(found) = state.effects.catalog.resources.get(&key) {
                return found.is_certain.then_some(true);
            }
            let unknown = state.additions.len() + state.open_statements.len();
            (self.is_open(), unknown)
        };
        // Branches with unknown conditions are evaluated in another order.
        let is_known = !self.is_part
            && (self.state.borrow().effects.catalog.conditions.is_empty() || !is_open);
        let is_absent = is_known
            && unknown <= MAX_SEARCHED
            && !self.may_be_declared(&key)
            && !self.may_be_declared_openly(&key);
        // Other code may include a class before.
        if !is_open && (is_absent || key.type_name != "Class") {
            let place = call.range.and_then(|it| self.place(call.scope, it));
            let mut state = self.state.borrow_mut();
            state.effects.early_lookups.push(EarlyLookup {
                key,
                place,
                reads_attribute: false,
            });
        }
        is_absent.then_some(false)
    }

    fn has_name(&self, call: Call, name: &str) -> Option<bool> {
        if name == "main" || self.has_resource_type(name) == Some(true) {
            return Some(true);
        }
        self.has_class(call, name)
    }

    fn has_class(&self, call: Call, name: &str) -> Option<bool> {
        let name = canonical_name(name);
        match self.class_code(&name) {
            Ok(_) => Some(true),
            Err(_) if self.is_in_other_version(call.scope, &name) => None,
            Err(ResolveError::NotDefined) => Some(false),
            Err(why) => self.is_unknown(call.scope, &name, &why).then_some(false),
        }
    }

    /// Checks whether a resource type exists; `None` if that is unknown.
    pub(crate) fn has_resource_type(&self, name: &str) -> Option<bool> {
        if self.resource_types.borrow().contains(name) {
            return Some(true);
        }
        let canonical = canonical_name(name);
        let is_known = resource_type(self.db, Some(self.environment), &canonical).is_some()
            || self.is_defined_type(&canonical);
        if is_known {
            self.resource_types.borrow_mut().insert(name.to_owned());
        }
        is_known.then_some(true)
    }

    /// Looks keys up in the data; `None` for a form of arguments that is not supported.
    pub(crate) fn lookup(&self, args: &[Value]) -> Option<FlowResult> {
        self.looked_up(LookupArguments::of(args)?)
    }

    /// Looks a key up with the strategy of a function of Hiera 3; `None` for a form of arguments that is not supported.
    pub(crate) fn hiera(&self, function: KnownFunction, args: &[Value]) -> Option<FlowResult> {
        if !self.has_environment_data() {
            return None;
        }
        self.looked_up(LookupArguments::of_hiera(function, args)?)
    }

    /// Checks whether the environment has a Hiera configuration. Otherwise, only that of the server counts.
    fn has_environment_data(&self) -> bool {
        let environment = self.environment.modules(self.db).get(ENVIRONMENT_MODULE);
        let config = environment.and_then(|it| hiera_config(self.db, *it));
        config.is_some_and(|it| it.is_ok())
    }

    /// Declares the classes that a key has in all levels.
    pub(crate) fn hiera_include(&self, call: Call, args: &[Value]) -> Option<FlowResult> {
        let classes = self.hiera(KnownFunction::HieraInclude, args)?;
        Some(classes.and_then(|it| match flattened([&it]).is_empty() {
            true => Ok(Value::Undef),
            false => self.include_all(call, &[it]),
        }))
    }

    fn looked_up(&self, arguments: LookupArguments) -> Option<FlowResult> {
        let mut found = None;
        for name in &arguments.names {
            match self
                .lookups
                .borrow_mut()
                .lookup(name, arguments.merge.as_ref())
            {
                Answer::Found(_) if self.is_part && self.is_sample && self.differs(name) => {
                    let why = format!("the data of some nodes has `{name}`");
                    return Some(Err(EvalFailure::unknown(why).into()));
                }
                Answer::Found(value) => {
                    found = Some(value);
                    break;
                }
                Answer::NotFound => {}
                Answer::Error(message) => {
                    return Some(Err(error(message)));
                }
                Answer::Unknown(why) => return Some(Err(EvalFailure::unknown(why).into())),
            }
        }
        let value = found.or(arguments.default);
        if value.is_none() {
            let (db, environment) = (self.db, self.environment);
            let mut names = arguments.names.iter();
            if !self.has_environment_data() {
                return Some(Err(unknown("the data of the server may have a value")));
            }
            if names.any(|it| may_be_in_absent_data(db, environment, it)) {
                let why = "data that is not in the workspace may have a value";
                return Some(Err(unknown(why)));
            }
        }
        let Some(value) = value else {
            let names = arguments.names.join("`, `");
            let message = format!("no value for `{names}` in the data");
            return Some(Err(error(message)));
        };
        if let Some(ty) = &arguments.value_type
            && types::is_instance(ty, &value) != Some(true)
        {
            let message = "the value that was looked up has another type";
            return Some(Err(error(message)));
        }
        Some(Ok(value))
    }

    /// Checks whether data of the environment that only some nodes read has a key. A sample node stands for all of them.
    fn differs(&self, key: &str) -> bool {
        let root = key.split('.').next().unwrap_or(key);
        let layer = layer_module(self.db, self.environment, &Layer::Environment);
        layer.is_some_and(|it| {
            let of_all = unconditional_files(self.db, it);
            let keys = layer_keys(self.db, it);
            let mut files = keys.files_with(root).iter();
            files.any(|it| !of_all.contains(it))
        })
    }

    /// Returns the value of a fact by its path; `None` if it is unknown.
    pub(crate) fn fact(&self, path: &str) -> Option<Value> {
        if !self.node.is_complete {
            return None;
        }
        let first = fact_path(path).first().copied().unwrap_or_default();
        if self.is_sample && self.node.unknown.contains(&first) {
            return None;
        }
        let mut at = self.node.top_scope.get("facts").cloned()?;
        if matches!(&at, Value::Hash(it) if it.get_str(first).is_none())
            && self.node.may_have_fact(first)
        {
            return None;
        }
        for part in fact_path(path) {
            at = match &at {
                Value::Hash(entries) => entries.get_str(part).cloned().unwrap_or(Value::Undef),
                Value::Array(items) => {
                    let item = part.parse().ok().and_then(|it: usize| items.get(it));
                    item.cloned().unwrap_or(Value::Undef)
                }
                _ => Value::Undef,
            };
        }
        Some(at)
    }
}

impl Compiler<'_> {
    /// Returns the random number that a node has; `None` if its name is unknown.
    pub(crate) fn fqdn_rand(&self, args: &[Value]) -> Option<Value> {
        let (limit, seed, is_lower) = match args {
            [limit] => (limit, String::new(), false),
            [limit, seed] => (limit, seed_text(seed)?, false),
            [limit, seed, Value::Boolean(is_lower)] => (limit, seed_text(seed)?, *is_lower),
            _ => return None,
        };
        let limit = match limit {
            Value::Integer(it) => *it,
            limit => limit.as_str()?.parse().ok()?,
        };
        let mut name = self.fqdn()?;
        if is_lower {
            name = name.to_lowercase();
        }
        let number = random::number(&format!("{name}:{limit}:{seed}"), limit);
        number.map(Value::Integer)
    }

    /// Rotates an array or a string as often as the name of the node and the seeds decide.
    pub(crate) fn fqdn_rotate(&self, value: &Value, seeds: &[Value]) -> Option<Value> {
        let seeds: Vec<String> = seeds.iter().map(seed_text).collect::<Option<_>>()?;
        random::rotated(value, &format!("{}:{}", self.fqdn()?, seeds.join(":")))
    }

    fn fqdn(&self) -> Option<String> {
        self.fact("networking.fqdn")?.as_str().map(str::to_owned)
    }
}

fn seed_text(value: &Value) -> Option<String> {
    match value {
        Value::Undef => Some(String::new()),
        Value::Integer(it) => Some(it.to_string()),
        value => value.as_str().map(str::to_owned),
    }
}

/// Splits the path of a fact at its periods, but not at those in double quotes.
fn fact_path(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').and_then(|it| it.split_once('"'));
        let (part, after) = match quoted.filter(|it| !it.0.is_empty()) {
            Some(quoted) => quoted,
            None if rest.starts_with(['.', '"']) => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            None => rest.split_at(rest.find(['.', '"']).unwrap_or(rest.len())),
        };
        parts.push(part);
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::fact_path;

    #[test]
    fn splits_paths_of_facts() {
        for (path, parts) in [
            ("os.family", &["os", "family"][..]),
            (r#"mounts."/a.b".size"#, &["mounts", "/a.b", "size"]),
            (r#"a."b"#, &["a", "b"]),
            ("", &[]),
        ] {
            assert_eq!(fact_path(path), parts, "{path}");
        }
    }
}
