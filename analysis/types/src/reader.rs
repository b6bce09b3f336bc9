//! Parses types in Puppet's notation: the types of parameters, the bodies of aliases, and strings
//! that contain a type.
//!
//! No code is evaluated here. In these places Puppet parses types by rules of their own, which
//! differ slightly from those of the `[]` operator; this module follows `type_parser.rb` and
//! `type_factory.rb`. Names other than the built-in types are resolved by the caller through
//! [`TypeNames`].

use std::sync::Arc;

use syntax::ast::{AccessExpr, AstNode, Expr, HashEntry, LiteralKind, Number};
use syntax::{Dialect, SyntaxKind};

use super::special::{self, Refused};
use super::{
    EnumType, FloatRange, InitType, IntRange, ObjectType, RuntimeName, RuntimeType, Type, alias,
};
use crate::values::{Regexp, Value};

type Result<T = Type> = std::result::Result<T, Refused>;

/// Resolves type names other than those of the built-in data types.
pub trait TypeNames {
    /// Returns the type with this name, given in lower case and without leading colons; `None` if
    /// it is unknown.
    fn lookup(&self, name: &str) -> Option<Type>;
}

/// Resolves only the built-in resource types of Puppet.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltInTypes;

impl TypeNames for BuiltInTypes {
    fn lookup(&self, name: &str) -> Option<Type> {
        const RESOURCE_TYPES: [&str; 15] = [
            "Component",
            "Exec",
            "File",
            "Filebucket",
            "Group",
            "Node",
            "Notify",
            "Package",
            "Resources",
            "Schedule",
            "Service",
            "Stage",
            "Tidy",
            "User",
            "Whit",
        ];
        let found = RESOURCE_TYPES
            .iter()
            .find(|it| it.eq_ignore_ascii_case(name))?;
        Some(Type::resource(found, None))
    }
}

/// Parses a string as a type.
///
/// In addition to Puppet's notation this accepts `String['text']` for the literal type of one
/// string, as printed by [`super::display_exact`].
///
/// # Errors
///
/// If the string is not a valid type, or the type is not supported.
pub fn read(text: &str, names: &dyn TypeNames) -> Result {
    read_text(text, names, true)
}

/// Parses a string as a type, accepting only what Puppet accepts.
///
/// # Errors
///
/// If the string is not a valid type, or the type is not supported.
pub fn read_puppet(text: &str, names: &dyn TypeNames) -> Result {
    read_text(text, names, false)
}

fn read_text(text: &str, names: &dyn TypeNames, exact: bool) -> Result {
    let parse = syntax::parse(text, Dialect::default());
    let failed = |it: &&syntax::Diagnostic| it.severity == syntax::Severity::Error;
    if let Some(error) = parse.errors().iter().find(failed) {
        return Err(Refused::wrong(error.message.clone()));
    }
    let mut statements = parse.tree().statements();
    match (statements.next(), statements.next()) {
        (Some(only), None) => Reader::new(names, exact).ty(&only),
        _ => Err(Refused::wrong("expected a single type")),
    }
}

/// Converts an expression of a syntax tree to a type.
///
/// # Errors
///
/// If the expression is not a valid type, or the type is not supported.
pub fn read_expression(expression: &Expr, names: &dyn TypeNames) -> Result {
    Reader::new(names, false).ty(expression)
}

/// Converts an expression that Puppet evaluates, such as the type of a parameter, to a type. In
/// `Array[1, 2]` the omitted type is `Any` there.
///
/// # Errors
///
/// If the expression is not a valid type, or the type is not supported.
pub fn read_evaluated(expression: &Expr, names: &dyn TypeNames) -> Result {
    let reader = Reader {
        omitted: Type::Any,
        ..Reader::new(names, false)
    };
    reader.ty(expression)
}

/// Converts `{…}` or `Parent{…}`, as in the definition of an alias, to an object type.
///
/// # Errors
///
/// If the expression is not a valid object type.
pub(crate) fn read_object(
    parent: Option<&Expr>,
    hash: &Expr,
    names: &dyn TypeNames,
) -> Result<Arc<ObjectType>> {
    let reader = Reader::new(names, false);
    let Value::Hash(entries) = reader.value(hash)? else {
        return Err(not_a_type(hash));
    };
    let pair = |(key, value): (&Value, &Value)| (key.clone(), value.clone());
    let mut entries: Vec<(Value, Value)> = entries.iter().map(pair).collect();
    if let Some(parent) = parent {
        let parent = reader.ty(parent)?;
        let is_any = matches!(&parent, Type::Object(it) if it.is_any());
        if !is_any {
            entries.push((Value::from("parent"), Value::Type(parent)));
        }
    }
    let made = match Value::hash(entries) {
        Value::Hash(entries) => ObjectType::from_hash(&entries)?,
        _ => return Err(not_a_type(hash)),
    };
    match made {
        Type::Object(object) => Ok(object),
        _ => Err(not_a_type(hash)),
    }
}

/// Converts a literal to a value: a number, string, regular expression, type, or an array or hash
/// of literals.
///
/// # Errors
///
/// If the expression is not a literal.
pub fn read_literal(expression: &Expr, names: &dyn TypeNames) -> Result<Value> {
    Reader::new(names, true).value(expression)
}

struct Reader<'a> {
    names: &'a dyn TypeNames,
    /// Whether `String['text']` is accepted.
    exact: bool,
    /// The type that an array or hash with only a size omits.
    omitted: Type,
}

/// Returns the built-in type with this name, without parameters.
fn plain(name: &str) -> Option<Type> {
    Some(match name {
        "any" => Type::Any,
        "array" => Type::any_array(),
        "binary" => Type::Binary,
        "boolean" => Type::BOOLEAN,
        "callable" => Type::any_callable(),
        "catalogentry" => Type::CatalogEntry,
        "class" => Type::Class(None),
        "collection" => Type::Collection(None),
        "default" => Type::Default,
        "deferred" => Type::deferred(),
        "enum" => Type::enumeration::<Arc<str>>([]),
        "error" => Type::Object(Arc::clone(ObjectType::error())),
        "float" => Type::FLOAT,
        "hash" => Type::any_hash(),
        "init" => Type::Init(None),
        "integer" => Type::INTEGER,
        "iterable" => Type::Iterable(None),
        "iterator" => Type::Iterator(None),
        "notundef" => Type::NotUndef(None),
        "numeric" => Type::Numeric,
        "object" => ObjectType::any(),
        "optional" => Type::Optional(None),
        "pattern" => Type::pattern([]),
        "regexp" => Type::Regexp(None),
        "resource" => Type::any_resource(),
        "runtime" => Type::any_runtime(),
        "scalar" => Type::Scalar,
        "scalardata" => Type::ScalarData,
        "semver" => Type::sem_ver(Vec::new()),
        "semverrange" => Type::SemVerRange,
        "sensitive" => Type::Sensitive(Arc::new(Type::Any)),
        "string" => Type::STRING,
        "struct" => Type::structure([]),
        "timespan" => Type::Timespan(super::TimeRange::ALL),
        "timestamp" => Type::Timestamp(super::TimeRange::ALL),
        "tuple" => Type::tuple([], None),
        "type" => Type::Type(None),
        "typereference" => Type::Reference("UnresolvedReference".into()),
        "typeset" => Type::TypeSet(None),
        "undef" => Type::Undef,
        "uri" => Type::Uri(None),
        "variant" => Type::variant([]),
        name => return alias::BUILT_IN.get(name).cloned(),
    })
}

/// Checks whether the name is that of a built-in data type, ignoring case.
pub fn is_data_type(name: &str) -> bool {
    plain(&key(name)).is_some()
}

/// Normalizes a type name for lookup.
fn key(name: &str) -> String {
    name.strip_prefix("::").unwrap_or(name).to_lowercase()
}

/// The maximum length of source code quoted in an error, in bytes.
const MAX_QUOTED: usize = 1_000;

fn not_a_type(expression: &Expr) -> Refused {
    let mut quoted = String::new();
    // In code with syntax errors, expressions may extend to the end of the file and be deeply
    // nested.
    let all = expression.syntax().text().try_for_each_chunk(|chunk| {
        quoted.push_str(chunk);
        match quoted.len() > MAX_QUOTED {
            true => Err(()),
            false => Ok(()),
        }
    });
    let rest = if all.is_err() { " …" } else { "" };
    Refused::wrong(format!("`{}{rest}` is not a valid type", quoted.trim()))
}

fn count(name: &str, expected: &str, actual: usize) -> Refused {
    let noun = match expected {
        "1" | "at least 1" => "parameter",
        _ => "parameters",
    };
    Refused::wrong(format!(
        "`{name}` expects {expected} {noun}, found {actual}"
    ))
}

fn parameter(name: &str) -> Refused {
    Refused::wrong(format!("invalid parameter of `{name}`"))
}

/// Expects a parameter to be a type.
fn type_of(name: &str, value: &Value) -> Result {
    value.as_type().cloned().ok_or_else(|| parameter(name))
}

/// Expects a single parameter that is a type.
fn only_type(name: &str, keys: &[Value]) -> Result {
    match keys {
        [value] => type_of(name, value),
        keys => Err(count(name, "1", keys.len())),
    }
}

/// Parses a size: an `Integer` type, or one or two bounds.
fn size(name: &str, keys: &[Value]) -> Result<IntRange> {
    if let [Value::Type(Type::Integer(range))] = keys {
        return Ok(*range);
    }
    let end = |index: usize| match keys.get(index) {
        None => Ok(None),
        Some(Value::String(text)) if &**text == "default" => {
            // Puppet treats this string like the keyword `default` as an upper bound.
            if index == 1 {
                Ok(None)
            } else {
                Err(parameter(name))
            }
        }
        Some(value) => special::integer_end(value).ok_or_else(|| parameter(name)),
    };
    IntRange::new(end(0)?, end(1)?).ok_or_else(special::empty_range)
}

impl<'a> Reader<'a> {
    fn new(names: &'a dyn TypeNames, exact: bool) -> Reader<'a> {
        Reader {
            names,
            exact,
            // Puppet uses the value `default` where it parses a type.
            omitted: Type::Default,
        }
    }

    fn ty(&self, expression: &Expr) -> Result {
        match self.value(expression)? {
            Value::Type(ty) => Ok(ty),
            _ => Err(not_a_type(expression)),
        }
    }

    /// Converts an expression to a type parameter or a type.
    fn value(&self, expression: &Expr) -> Result<Value> {
        Ok(match expression {
            Expr::QualifiedReference(it) => Value::Type(self.name(&it.text())),
            Expr::AccessExpr(it) => Value::Type(self.access(it)?),
            Expr::QualifiedName(it) => Value::from(it.text()),
            Expr::KeywordWord(it) => Value::from(it.text()),
            Expr::StringLiteral(it) => Value::from(it.value()),
            Expr::Heredoc(it) => Value::from(it.value().ok_or_else(|| not_a_type(expression))?),
            Expr::Literal(it) => match it.kind() {
                Some(LiteralKind::Number(text)) => number(&text)?,
                Some(LiteralKind::Boolean(it)) => Value::Boolean(it),
                Some(LiteralKind::Undef) => Value::Undef,
                Some(LiteralKind::Default) => Value::Default,
                Some(LiteralKind::Regex(source)) => Value::Regexp(Regexp::new(&source)),
                None => return Err(not_a_type(expression)),
            },
            Expr::UnaryExpr(it) => {
                let minus = it
                    .operator()
                    .is_some_and(|it| it.kind() == SyntaxKind::MINUS);
                let operand = it
                    .expr()
                    .filter(|_| minus)
                    .ok_or_else(|| not_a_type(expression))?;
                match self.value(&operand)? {
                    Value::Integer(number) => Value::Integer(-number),
                    Value::Float(number) => Value::Float(-number),
                    _ => return Err(not_a_type(expression)),
                }
            }
            Expr::ArrayExpr(it) => {
                let items = it.elements().map(|it| self.value(&it));
                Value::array(items.collect::<Result<Vec<_>>>()?)
            }
            Expr::HashExpr(it) => self.hash(it.entries())?,
            Expr::UnbracedHash(it) => self.hash(it.entries())?,
            _ => return Err(not_a_type(expression)),
        })
    }

    fn hash(&self, entries: impl Iterator<Item = HashEntry>) -> Result<Value> {
        let broken = || Refused::wrong("missing key or value in a hash entry");
        let entry = |entry: HashEntry| {
            let key = self.value(&entry.key().ok_or_else(broken)?)?;
            Ok((key, self.value(&entry.value().ok_or_else(broken)?)?))
        };
        Ok(Value::hash(entries.map(entry).collect::<Result<Vec<_>>>()?))
    }

    fn name(&self, name: &str) -> Type {
        let key = key(name);
        plain(&key)
            .or_else(|| self.names.lookup(&key))
            .unwrap_or_else(|| Type::Reference(name.into()))
    }

    fn access(&self, access: &AccessExpr) -> Result {
        let whole = || not_a_type(&Expr::AccessExpr(access.clone()));
        let Some(Expr::QualifiedReference(base)) = access.base() else {
            return Err(whole());
        };
        let keys = access
            .keys()
            .iter()
            .map(|it| self.value(it))
            .collect::<Result<Vec<Value>>>()?;
        let (name, shown) = (key(&base.text()), base.text());
        if let Some(ty) = self.special(&name, &shown, &keys)? {
            return Ok(ty);
        }
        match plain(&name).or_else(|| self.names.lookup(&name)) {
            None => Ok(Type::Reference(
                access.syntax().text().to_string().trim().into(),
            )),
            Some(Type::Resource(resource)) => match (&keys[..], resource.type_name()) {
                ([Value::String(title)], Some(name)) => Ok(Type::resource(name, Some(title))),
                ([_], _) => Err(Refused::unknown("a title that is not a string")),
                (keys, _) => Err(count(&shown, "1", keys.len())),
            },
            Some(Type::Object(object)) => special::extension(&object, &keys),
            Some(_) => Err(Refused::wrong(format!(
                "`{shown}` does not accept parameters"
            ))),
        }
    }

    /// Applies parameters to a built-in type, by its name in lower case; returns `None` for other
    /// names.
    fn special(&self, name: &str, shown: &str, keys: &[Value]) -> Result<Option<Type>> {
        Ok(Some(match name {
            "array" => array(keys, &self.omitted)?,
            "hash" => hash(keys, &self.omitted)?,
            "collection" => match keys.len() {
                1 | 2 => Type::Collection(Some(size(shown, keys)?.to_size())),
                len => return Err(count(shown, "1 or 2", len)),
            },
            "class" => match keys {
                [Value::String(name)] => Type::class(name),
                [_] => return Err(parameter(shown)),
                keys => return Err(count(shown, "1", keys.len())),
            },
            "resource" => self.resource(keys)?,
            "regexp" => match keys {
                [Value::Undef | Value::Boolean(false)] => Type::Regexp(None),
                [Value::String(source)] => Type::Regexp(Some(Regexp::new(source))),
                [Value::Regexp(pattern)] => Type::Regexp(Some(pattern.clone())),
                [_] => return Err(Refused::unknown("a Regexp of something else")),
                keys => return Err(count(shown, "1", keys.len())),
            },
            "enum" => enumeration(keys)?,
            "pattern" => pattern(keys)?,
            "uri" => match keys {
                [key] => special::uri_type(key)?,
                keys => return Err(count(shown, "1", keys.len())),
            },
            "variant" => {
                if keys.is_empty() {
                    return Err(count(shown, "at least 1", 0));
                }
                let types = keys.iter().map(|it| type_of(shown, it));
                Type::variant(types.collect::<Result<Vec<_>>>()?)
            }
            "tuple" => tuple(keys)?,
            "callable" => callable(keys)?,
            "struct" => match keys {
                [Value::Hash(entries)] => special::struct_type(entries)?,
                [_] => return Err(parameter(shown)),
                keys => return Err(count(shown, "1", keys.len())),
            },
            "boolean" => match keys {
                [Value::Boolean(value)] => Type::Boolean(Some(*value)),
                [_] => return Err(parameter(shown)),
                keys => return Err(count(shown, "1", keys.len())),
            },
            "integer" => integer(keys)?,
            "float" => float(keys)?,
            "string" => match keys {
                [Value::String(text)] if self.exact => Type::string_value(Arc::clone(text)),
                [_] | [_, _] => Type::string_sized(size(shown, keys)?),
                keys => return Err(count(shown, "1 or 2", keys.len())),
            },
            "init" => match keys {
                [first, args @ ..] => Type::Init(Some(Arc::new(InitType {
                    inner: type_of(shown, first)?,
                    args: args.into(),
                }))),
                [] => return Err(count(shown, "at least 1", 0)),
            },
            "iterable" => Type::iterable_of(only_type(shown, keys)?),
            "iterator" => Type::iterator_of(only_type(shown, keys)?),
            "type" => Type::type_of(only_type(shown, keys)?),
            "sensitive" => Type::sensitive(&only_type(shown, keys)?),
            "optional" => match keys {
                [Value::String(text)] => Type::optional(Type::string_value(Arc::clone(text))),
                keys => Type::optional(only_type(shown, keys)?),
            },
            "notundef" => match keys {
                [Value::String(text)] => Type::not_undef(Type::string_value(Arc::clone(text))),
                keys => Type::not_undef(only_type(shown, keys)?),
            },
            "runtime" => runtime(keys)?,
            "timespan" | "timestamp" if keys.len() > 2 => {
                return Err(count(shown, "0 to 2", keys.len()));
            }
            "timespan" => Type::Timespan(special::time_range(keys, true)?),
            "timestamp" => Type::Timestamp(special::time_range(keys, false)?),
            "semver" => {
                let range = |it| special::version_range(it).ok_or_else(|| parameter("SemVer"))?;
                Type::sem_ver(keys.iter().map(range).collect::<Result<Vec<_>>>()?)
            }
            "object" => match keys {
                [Value::Hash(entries)] => ObjectType::from_hash(entries)?,
                [_] => return Err(parameter(shown)),
                keys => return Err(count(shown, "1", keys.len())),
            },
            "typeset" => return Err(Refused::unknown("a type set defined in place")),
            _ => return Ok(None),
        }))
    }

    fn resource(&self, keys: &[Value]) -> Result {
        let (first, title) = match keys {
            [first] => (first, None),
            [first, title] => (first, Some(title)),
            keys => return Err(count("Resource", "1 or 2", keys.len())),
        };
        let (name, own_title): (Arc<str>, Option<Arc<str>>) = match first {
            Value::String(name) => (super::capitalize_segments(name).into(), None),
            Value::Type(Type::Reference(text)) => split_reference(text)?,
            Value::Type(Type::Resource(resource)) => match resource.type_name() {
                Some(name) => (Arc::clone(name), None),
                None if title.is_none() => return Ok(Type::any_resource()),
                None => return Err(Refused::unknown("a title without a resource type")),
            },
            _ => return Err(parameter("Resource")),
        };
        if !special::is_type_name(&name) {
            return Err(parameter("Resource"));
        }
        match (title, own_title) {
            (None | Some(Value::Undef), own) => Ok(Type::resource(&name, own.as_deref())),
            (Some(Value::String(title)), None) => Ok(Type::resource(&name, Some(title))),
            _ => Err(Refused::unknown("a title that is not a string")),
        }
    }
}

/// Splits an unresolved resource reference into the name of the type and the title.
fn split_reference(text: &str) -> Result<(Arc<str>, Option<Arc<str>>)> {
    let Some((name, rest)) = text.split_once('[') else {
        return Ok((text.into(), None));
    };
    let parse = syntax::parse(&format!("[{rest}"), Dialect::default());
    let Some(Expr::ArrayExpr(list)) = parse.tree().statements().next() else {
        return Err(parameter("Resource"));
    };
    let elements: Vec<Expr> = list.elements().collect();
    match &elements[..] {
        [Expr::StringLiteral(title)] => Ok((name.into(), Some(title.value().into()))),
        [Expr::QualifiedName(title)] => Ok((name.into(), Some(title.text().into()))),
        _ => Err(Refused::unknown("a title that is not a string")),
    }
}

fn number(text: &str) -> Result<Value> {
    match Number::parse(text) {
        Some(Number::Integer { value, .. }) => i64::try_from(value)
            .map(Value::Integer)
            .map_err(|_| Refused::wrong("integer does not fit in 64 bits")),
        Some(Number::Float(number)) => Ok(Value::Float(number)),
        None => Err(Refused::wrong("invalid number")),
    }
}

fn array(keys: &[Value], omitted: &Type) -> Result {
    let sized = |element, size: IntRange| Ok(Type::array(element, Some(size)));
    match keys {
        [element] => Ok(Type::array(type_of("Array", element)?, None)),
        [Value::Type(element), sizes @ ..] if sizes.len() <= 2 => {
            sized(element.clone(), size("Array", sizes)?)
        }
        [_, _] => sized(omitted.clone(), size("Array", keys)?),
        [_, _, _] => Err(parameter("Array")),
        keys => Err(count("Array", "1 to 3", keys.len())),
    }
}

fn hash(keys: &[Value], omitted: &Type) -> Result {
    match keys {
        [Value::Type(key), Value::Type(value)] => Ok(Type::hash(key.clone(), value.clone(), None)),
        [_, _] => Ok(Type::hash(
            omitted.clone(),
            omitted.clone(),
            Some(size("Hash", keys)?),
        )),
        [key, value, sizes @ ..] if matches!(sizes.len(), 1 | 2) => {
            let size = size("Hash", sizes)?;
            Ok(Type::hash(
                type_of("Hash", key)?,
                type_of("Hash", value)?,
                Some(size),
            ))
        }
        keys => Err(count("Hash", "2 to 4", keys.len())),
    }
}

fn enumeration(keys: &[Value]) -> Result {
    let (keys, any_case) = match keys {
        [keys @ .., Value::Boolean(any_case)] => (keys, *any_case),
        keys => (keys, false),
    };
    if keys.is_empty() {
        return Err(count("Enum", "at least 1", 0));
    }
    let string = |key: &Value| match key {
        Value::String(text) => Ok(Arc::clone(text)),
        _ => Err(parameter("Enum")),
    };
    let strings = keys.iter().map(string).collect::<Result<Vec<_>>>()?;
    Ok(Type::Enum(Arc::new(EnumType::new(strings, any_case))))
}

fn pattern(keys: &[Value]) -> Result {
    if keys.is_empty() {
        return Err(count("Pattern", "at least 1", 0));
    }
    let mut patterns = Vec::new();
    for key in keys {
        patterns.extend(special::patterns(key).ok_or_else(|| parameter("Pattern"))??);
    }
    Ok(Type::pattern(patterns))
}

fn tuple(keys: &[Value]) -> Result {
    if keys.is_empty() {
        return Err(count("Tuple", "at least 1", 0));
    }
    let mut keys = keys.to_vec();
    let size = special::take_size(&mut keys)?;
    let types: Vec<Type> = keys.iter().map(special::factory_type).collect();
    Ok(Type::tuple(types, size))
}

fn callable(keys: &[Value]) -> Result {
    if keys.len() > 2 && matches!(keys, [Value::Array(_), ..]) {
        let expected = "2 parameters if the first is an array";
        let message = format!("`Callable` expects {expected}, found {}", keys.len());
        return Err(Refused::wrong(message));
    }
    special::callable_type(keys)
}

fn integer(keys: &[Value]) -> Result {
    if keys.len() > 2 || keys.is_empty() {
        return Err(count("Integer", "1 or 2", keys.len()));
    }
    let end = |index: usize| match keys.get(index) {
        None | Some(Value::Default | Value::Undef) => Ok(None),
        Some(Value::Integer(number)) => Ok(Some(*number)),
        Some(Value::Float(_)) => Err(Refused::unknown(
            "a range of integers with a float as a bound",
        )),
        Some(_) => Err(parameter("Integer")),
    };
    Type::integer(end(0)?, end(1)?).ok_or_else(special::empty_range)
}

fn float(keys: &[Value]) -> Result {
    if keys.len() > 2 || keys.is_empty() {
        return Err(count("Float", "1 or 2", keys.len()));
    }
    let end = |index: usize| match keys.get(index) {
        None | Some(Value::Default | Value::Undef) => Ok(None),
        Some(Value::Integer(number)) => Ok(Some(*number as f64)),
        Some(Value::Float(number)) => Ok(Some(*number)),
        Some(_) => Err(parameter("Float")),
    };
    FloatRange::new(end(0)?, end(1)?)
        .map(Type::Float)
        .ok_or_else(special::empty_range)
}

fn runtime(keys: &[Value]) -> Result {
    let [runtime, name] = keys else {
        return Err(count("Runtime", "2", keys.len()));
    };
    let text = |it: &Value| it.as_str().filter(|it| !it.is_empty()).map(Arc::from);
    let name = match name {
        Value::Undef => None,
        Value::Array(pair) => match &pair[..] {
            [Value::Regexp(pattern), replacement] => {
                let replacement = text(replacement).ok_or_else(|| parameter("Runtime"))?;
                Some(RuntimeName::Mapping(pattern.clone(), replacement))
            }
            _ => return Err(parameter("Runtime")),
        },
        name => Some(RuntimeName::Name(
            text(name).ok_or_else(|| parameter("Runtime"))?,
        )),
    };
    let runtime = match runtime {
        Value::Undef => None,
        runtime => Some(text(runtime).ok_or_else(|| parameter("Runtime"))?),
    };
    Ok(Type::Runtime(Arc::new(RuntimeType { runtime, name })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{display_exact, display_expanded};

    fn shown(text: &str) -> String {
        match read(text, &BuiltInTypes) {
            Ok(ty) => display_exact(&ty),
            Err(Refused::Wrong(_)) => "wrong".to_owned(),
            Err(Refused::Unknown(_)) => "unknown".to_owned(),
        }
    }

    #[test]
    fn preserves_canonical_notation() {
        for text in [
            "Any",
            "Array[Default, 1, 2]",
            "Array[0, 0]",
            "Binary",
            "Boolean[true]",
            "Callable[0, 0]",
            "Callable[1]",
            "Callable[[String, 1, 2, Optional[Callable]], Integer]",
            "Class[a::b]",
            "Collection[1, 3]",
            "Data",
            "Deferred",
            "Enum['a', 'b', true]",
            "Error['a']",
            "File['a']",
            "Float[default, 1.5]",
            "Hash[String, Integer, 1, 2]",
            "Init[Integer, 16]",
            "Integer[default, 3]",
            "Iterator[Integer]",
            "NotUndef['a']",
            "Optional['a']",
            "Pattern[/a/, /b/]",
            "Puppet::LookupKey",
            "Regexp[/a/]",
            "Runtime[ruby, [/a/, 'b']]",
            "SemVer['1.x', '3.x']",
            "Sensitive[String]",
            "String['it\\'s']",
            "String[1, 2]",
            "Struct[{'a' => Integer, Optional['b'] => Integer, NotUndef['c'] => Any}]",
            "Timespan['0-00:00:01.0', '0-00:00:02.0']",
            "Timestamp['2000-01-01T00:00:00.000000000 UTC']",
            "Tuple[String, Integer, 1]",
            "Type[Type[Integer]]",
            "URI[{'scheme' => 'http', 'port' => 90}]",
            "Variant[Integer, String]",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn canonicalizes_other_notations() {
        assert_eq!(shown("Integer[1, default]"), "Integer[1]");
        assert_eq!(shown("Tuple[Integer, default, 3]"), "Tuple[Integer, 0, 3]");
        assert_eq!(shown("Tuple[1, 2]"), "Tuple");
        assert_eq!(shown("Enum[b, a, b]"), "Enum['a', 'b']");
        assert_eq!(
            shown("Variant[Integer, Variant[String, Float], Integer]"),
            "Variant[Integer, String, Float]"
        );
        assert_eq!(shown("Struct[a => Integer]"), "Struct[{'a' => Integer}]");
        assert_eq!(shown("Resource[Foo['a']]"), "Foo['a']");
        assert_eq!(shown("Resource[foo::bar, 'a']"), "Foo::Bar['a']");
        assert_eq!(shown("Stdlib::Port"), "TypeReference['Stdlib::Port']");
        assert_eq!(shown("Foo['a']"), "TypeReference['Foo[\\'a\\']']");
        assert_eq!(
            shown("Callable[[Integer], undef]"),
            "Callable[[Integer], Undef]"
        );
    }

    #[test]
    fn omitted_types_of_evaluated_expressions_are_any() {
        let parse = syntax::parse("Hash[String, Array[1, 2]]", Dialect::default());
        let expression = parse.tree().statements().next();
        let read = expression.and_then(|it| read_evaluated(&it, &BuiltInTypes).ok());
        let read = read.map(|it| it.to_string());
        assert_eq!(read.as_deref(), Some("Hash[String, Array[Any, 1, 2]]"));
    }

    #[test]
    fn rejects_invalid_types() {
        for text in [
            "Integer[5, 1]",
            "Binary[1]",
            "ScalarData[1]",
            "Optional[Array[1]]",
            "Variant[[Integer, String]]",
            "String['a', 'b']",
            "Iterable[1]",
            "foo",
            "5",
            "Integer[1",
            "",
            "Integer String",
            "$x",
            "Integer[$x]",
            "File['a', 'b']",
            "URI[{'port' => '90'}]",
        ] {
            assert_eq!(shown(text), "wrong", "{text}");
        }
    }

    #[test]
    fn parses_object_types() {
        let text = "Object[{name => 'X', attributes => {a => Integer, b => {type => String, value => 'x'}}}]";
        let ty = read(text, &BuiltInTypes).expect("a type");
        let expected = "Object[{name => 'X', attributes => {'a' => Integer, 'b' => {type => String, value => 'x'}}}]";
        assert_eq!(display_expanded(&ty), expected);
    }
}
