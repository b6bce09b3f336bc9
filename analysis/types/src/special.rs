//! Parameterized types: the conversion of parameters that are more complex than numbers and types.
//!
//! Shared by the two ways to write a type in Puppet, which differ in their checks: the
//! [`super::reader`] and the `[]` operator.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::{
    CallableType, IntRange, ObjectExtension, ObjectType, RuntimeName, RuntimeType, StructElement,
    TimeRange, TupleType, Type, display, generalize, infer, instance, is_block_type,
};
use crate::values::{self, HashValue, Nanos, Regexp, Value, VersionRange};

/// The reason why a type cannot be parameterized.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Puppet raises an error, with this message.
    Wrong(String),
    /// The result in Puppet is not known, for this reason.
    Unknown(Cow<'static, str>),
}

impl Refused {
    /// Returns an error that Puppet raises.
    pub fn wrong(message: impl Into<String>) -> Refused {
        Refused::Wrong(message.into())
    }

    /// Returns a result that is not known.
    pub fn unknown(reason: &'static str) -> Refused {
        Refused::Unknown(Cow::Borrowed(reason))
    }
}

type Result<T = Type> = std::result::Result<T, Refused>;

/// Returns the error for a range whose lower bound is greater than its upper bound.
pub fn empty_range() -> Refused {
    Refused::wrong("empty range: the lower bound is greater than the upper bound")
}

/// Converts a bound of a range: `None` for an invalid value, `Some(None)` for an open bound.
pub fn integer_end(key: &Value) -> Option<Option<i64>> {
    match key {
        Value::Default => Some(None),
        Value::Integer(number) => Some(Some(*number)),
        _ => None,
    }
}

/// Removes the trailing size from a list of parameters.
pub fn take_size(keys: &mut Vec<Value>) -> Result<Option<IntRange>> {
    let is_end = |key: &&Value| match key {
        Value::Integer(_) | Value::Default => true,
        Value::String(text) => &**text == "default",
        _ => false,
    };
    let ends = keys.iter().rev().take(2).take_while(is_end).count();
    let size: Vec<Value> = keys.drain(keys.len() - ends..).collect();
    if size.iter().any(|it| matches!(it, Value::String(_))) {
        // Puppet mistakes the string 'default' for the keyword and fails later.
        return Err(Refused::unknown("a string as the bound of a size"));
    }
    let end = |index: usize| size.get(index).and_then(integer_end).flatten();
    match ends {
        0 => Ok(None),
        _ => IntRange::new(end(0), end(1))
            .map(Some)
            .ok_or_else(empty_range),
    }
}

/// Converts a value to a type, as Puppet's type factory does: a string is the name of a Ruby class;
/// any other value is converted to its generalized type.
pub(crate) fn factory_type(value: &Value) -> Type {
    match value {
        Value::Type(ty) => ty.clone(),
        Value::String(name) => Type::Runtime(Arc::new(RuntimeType {
            runtime: Some("ruby".into()),
            name: Some(RuntimeName::Name(Arc::clone(name))),
        })),
        value => generalize(&infer(value)),
    }
}

/// `Struct[{…}]`.
pub fn struct_type(entries: &HashValue) -> Result {
    let element = |(key, value): (&Value, &Value)| struct_element(key, factory_type(value));
    Ok(Type::structure(
        entries.iter().map(element).collect::<Result<Vec<_>>>()?,
    ))
}

/// Returns an element of a `Struct`, from its key and value type.
fn struct_element(key: &Value, value: Type) -> Result<StructElement> {
    let name = |inner: &Option<Arc<Type>>| match inner.as_deref() {
        Some(Type::String(text)) => text.value().filter(|it| !it.is_empty()).cloned(),
        _ => None,
    };
    let refused = || {
        Refused::wrong(
            "invalid key in a `Struct`: expected a string, `Optional['…']` or `NotUndef['…']`",
        )
    };
    match key {
        Value::String(text) if text.is_empty() => Err(Refused::wrong("empty key in a `Struct`")),
        Value::String(text) => Ok(StructElement::named(Arc::clone(text), value)),
        Value::Type(Type::NotUndef(inner)) => name(inner)
            .map(|it| StructElement::required(it, value))
            .ok_or_else(refused),
        Value::Type(Type::Optional(inner)) => name(inner)
            .map(|it| StructElement::optional(it, value))
            .ok_or_else(refused),
        Value::Type(Type::String(text)) => match text.value() {
            Some(text) => Ok(StructElement::required(Arc::clone(text), value)),
            None => Err(refused()),
        },
        // Puppet accepts the definition and then fails on every use of the type.
        Value::Type(Type::Enum(set)) if set.values().len() == 1 => {
            Err(Refused::unknown("an Enum as the key of a Struct"))
        }
        _ => Err(refused()),
    }
}

/// `Callable[…]`: parameters, a size and a block, or an array of these and a return type.
pub fn callable_type(keys: &[Value]) -> Result {
    let (mut params, returns) = match keys {
        [Value::Array(params), returns] => (params.to_vec(), Some(factory_type(returns))),
        keys => (keys.to_vec(), None),
    };
    let is_block = |it: &Value| matches!(it, Value::Type(ty) if is_block_type(ty));
    let block = if params.last().is_some_and(is_block) {
        params.pop()
    } else {
        None
    };
    let size = take_size(&mut params)?;
    let mut types: Vec<Type> = params.iter().map(factory_type).collect();
    if types.is_empty() && size.is_some_and(|it| it.max() != Some(0)) {
        types.push(Type::Unit);
    }
    let params = Arc::new(TupleType::new(types, size));
    let block = block.as_ref().map(factory_type);
    Ok(Type::Callable(Arc::new(CallableType::new(
        Some(params),
        block,
        returns,
    ))))
}

/// Returns the regular expressions of a parameter of `Pattern[…]`, which must compile; `None` for
/// an invalid parameter.
pub fn patterns(key: &Value) -> Option<Result<Vec<Regexp>>> {
    Some(Ok(match key {
        Value::String(source) => {
            let pattern = Regexp::new(source);
            if let Err(error @ values::RegexpError::Invalid(_)) = pattern.check() {
                return Some(Err(Refused::wrong(error.to_string())));
            }
            vec![pattern]
        }
        Value::Regexp(pattern) => vec![pattern.clone()],
        Value::Type(Type::Pattern(more)) => more.to_vec(),
        Value::Type(Type::Regexp(Some(pattern))) => vec![pattern.clone()],
        Value::Type(Type::Regexp(None)) => {
            return Some(Err(Refused::unknown(
                "a Regexp without a pattern in a Pattern",
            )));
        }
        _ => return None,
    }))
}

/// Returns a range of `SemVer[…]`; `None` for an invalid parameter.
pub fn version_range(key: &Value) -> Option<Result<VersionRange>> {
    match key {
        Value::SemVerRange(range) => Some(Ok(range.clone())),
        Value::String(text) => Some(VersionRange::parse(text).ok_or_else(|| {
            Refused::wrong(format!("invalid version range {}", values::quote(text)))
        })),
        _ => None,
    }
}

/// Returns the range of `Timespan[…]` if `spans` is set, otherwise of `Timestamp[…]`.
pub fn time_range(keys: &[Value], spans: bool) -> Result<TimeRange> {
    let end = |index: usize| match keys.get(index) {
        None | Some(Value::Undef | Value::Default) => Ok(None),
        Some(key) => time_end(key, spans).map(Some),
    };
    TimeRange::new(end(0)?, end(1)?).ok_or_else(empty_range)
}

fn time_end(key: &Value, spans: bool) -> Result<Nanos> {
    let refused = |text: &str| Refused::wrong(format!("invalid time `{}`", values::quote(text)));
    match key {
        Value::Timespan(nanos) if spans => Ok(*nanos),
        Value::Timestamp(nanos) if !spans => Ok(*nanos),
        Value::Integer(seconds) => Ok(Nanos::from_seconds(*seconds)),
        // Puppet then prints more digits than the number has.
        Value::Float(seconds) if spans && seconds.fract() != 0.0 => Err(Refused::unknown(
            "a Timespan range with a fraction of a second",
        )),
        Value::Float(seconds) => {
            Nanos::from_float(*seconds).ok_or(Refused::unknown("a time beyond bounds"))
        }
        Value::String(text) if spans => values::parse_timespan(text).ok_or_else(|| refused(text)),
        Value::String(text) => values::parse_timestamp(text)
            .map_err(|_| Refused::unknown("the name of a time zone"))?
            .ok_or_else(|| refused(text)),
        Value::Hash(_) => Err(Refused::unknown("a time made from a hash")),
        key => Err(Refused::wrong(format!(
            "expected a time, found {}",
            display(&generalize(&infer(key)))
        ))),
    }
}

/// The type of the parameter of `URI[…]`: a URI, or constraints on its components.
pub static URI_PARAMETER: LazyLock<Type> = LazyLock::new(|| {
    let non_empty = || Type::string_sized(IntRange::NOT_EMPTY);
    let not_undef = || Type::type_of(Type::NotUndef(None));
    let text = Type::optional(Type::variant([
        non_empty(),
        Type::Regexp(None),
        Type::type_of(Type::pattern([])),
        Type::type_of(Type::enumeration::<Arc<str>>([])),
        not_undef(),
        Type::type_of(Type::Undef),
    ]));
    let port = Type::optional(Type::variant([
        Type::Integer(IntRange::SIZE),
        not_undef(),
        Type::type_of(Type::Undef),
    ]));
    let part = |name| {
        let ty = if name == "port" {
            port.clone()
        } else {
            text.clone()
        };
        StructElement::optional(name, ty)
    };
    let parts = [
        "scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque",
    ];
    Type::variant([non_empty(), Type::structure(parts.map(part))])
});

/// `URI[…]`.
pub fn uri_type(key: &Value) -> Result {
    match key {
        Value::Uri(uri) => Ok(Type::Uri(uri.type_constraints())),
        Value::String(text) => {
            let uri = values::Uri::parse(text).filter(|it| it.scheme.is_some());
            let refused = || Refused::wrong(format!("invalid URI {}", values::quote(text)));
            Ok(Type::Uri(uri.ok_or_else(refused)?.type_constraints()))
        }
        Value::Hash(_) if !instance(&URI_PARAMETER, key) => {
            Err(Refused::wrong("invalid constraint on a component of a URI"))
        }
        Value::Hash(entries) if !entries.is_empty() => {
            let part =
                |(name, value): (&Value, &Value)| Some((name.as_str()?.into(), value.clone()));
            Ok(Type::Uri(entries.iter().map(part).collect()))
        }
        _ => Ok(Type::Uri(None)),
    }
}

/// Returns an object type with arguments for its type parameters, positional or named.
pub fn extension(base: &Arc<ObjectType>, keys: &[Value]) -> Result {
    let known = base.all_type_parameters();
    let accepted = |name: &str| known.get(name).map(|it| Type::optional(it.ty.clone()));
    let Some(first) = known.keys().next().and_then(|name| accepted(name)) else {
        return Err(Refused::wrong(format!(
            "`{}` does not accept parameters",
            base.label()
        )));
    };
    let given: Vec<(Arc<str>, Value)> = match keys {
        [hash @ Value::Hash(entries)] if !instance(&first, hash) => entries
            .iter()
            .map(|(name, value)| (name.as_str().unwrap_or_default().into(), value.clone()))
            .collect(),
        keys => known.keys().cloned().zip(keys.iter().cloned()).collect(),
    };
    for (name, value) in &given {
        let Some(ty) = accepted(name) else {
            let message = format!("unknown type parameter `{name}` of `{}`", base.label());
            return Err(Refused::wrong(message));
        };
        if !matches!(value, Value::Default) && !instance(&ty, value) {
            let message = format!(
                "invalid value for type parameter `{name}` of `{}`",
                base.label()
            );
            return Err(Refused::wrong(message));
        }
    }
    let parameters: Vec<(Arc<str>, Value)> = given
        .into_iter()
        .filter(|(_, value)| !matches!(value, Value::Default))
        .collect();
    if parameters.is_empty() {
        return Err(Refused::wrong(format!(
            "missing parameters for `{}`",
            base.label()
        )));
    }
    let base = Arc::clone(base);
    Ok(Type::ObjectExtension(Arc::new(ObjectExtension {
        base,
        parameters,
    })))
}

/// Checks whether the string is a valid type name: segments that start with an uppercase letter.
pub fn is_type_name(name: &str) -> bool {
    let relative = name.strip_prefix("::").unwrap_or(name);
    let word = |it: char| it == '_' || it.is_ascii_alphanumeric();
    relative.split("::").all(|segment| {
        segment.starts_with(|it: char| it.is_ascii_uppercase()) && segment.chars().all(word)
    })
}
