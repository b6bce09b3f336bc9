//! Parameterized types: `Type[parameters…]`.

use std::sync::Arc;

use super::access::{describe_type, flatten, no_reference, not_accessible, references};
use super::arithmetic::runtime;
use super::{Blame, EvalError, EvalFailure, EvalResult, Issue};
use types::values::{self, Regexp, Value};
use types::{
    self, EnumType, FloatRange, InitType, IntRange, ObjectType, Refused, ResourceType, RuntimeName,
    RuntimeType, TimeRange, Type, special,
};

impl From<Refused> for EvalFailure {
    fn from(refused: Refused) -> EvalFailure {
        match refused {
            Refused::Wrong(message) => runtime(message),
            Refused::Unknown(reason) => EvalFailure::unknown(reason),
        }
    }
}

/// Evaluates `ty[keys…]`.
pub(super) fn access_type(ty: &Type, keys: &[Value]) -> EvalResult {
    let flat = || flatten(keys);
    Ok(Value::Type(match ty {
        Type::Resource(resource) => return access_resource(ty, resource, keys),
        Type::Class(name) => return access_class(name.is_some(), keys),
        Type::Boolean(_) => boolean(ty, &flat())?,
        Type::Integer(_) => integer(&flat())?,
        Type::Float(_) => float(&flat())?,
        Type::String(_) => string(&flat())?,
        Type::Enum(_) => enumeration(ty, &flat())?,
        Type::Pattern(_) => pattern(ty, &flat())?,
        Type::Regexp(_) => regexp(ty, &flat())?,
        Type::Collection(_) => collection(ty, &flat())?,
        Type::Array(_) => array(ty, &flat())?,
        Type::Hash(_) => hash(ty, &flat())?,
        Type::Tuple(_) => tuple(ty, flat())?,
        Type::Struct(_) => structure(ty, keys)?,
        Type::Variant(_) => variant(ty, &flat())?,
        Type::Optional(_) => optional(ty, &flat())?,
        Type::NotUndef(_) => not_undef(ty, &flat())?,
        Type::Type(_) => Type::type_of(single_type(ty, &flat())?),
        Type::Iterable(_) => Type::iterable_of(single_type(ty, &flat())?),
        Type::Iterator(_) => Type::iterator_of(single_type(ty, &flat())?),
        Type::Sensitive(_) => Type::sensitive(&single_type(ty, &flat())?),
        Type::Callable(_) => callable(ty, keys)?,
        Type::SemVer(_) => sem_ver(ty, &flat())?,
        Type::Timespan(_) => Type::Timespan(times(ty, &flat(), true)?),
        Type::Timestamp(_) => Type::Timestamp(times(ty, &flat(), false)?),
        Type::Uri(_) => uri(ty, &flat())?,
        Type::Runtime(_) => runtime_type(ty, &flat())?,
        Type::Init(_) => init(ty, keys)?,
        Type::Object(object) if object.name.is_some() => special::extension(object, &flat())?,
        Type::Object(_) => object_type(ty, &flat())?,
        Type::TypeSet(_) => return Err(type_set(ty, &flat())),
        Type::Alias(_) => match ty.resolved() {
            Type::Object(object) => special::extension(&object, &flat())?,
            _ => return Err(not_accessible(&Value::Type(ty.clone()))),
        },
        Type::Reference(name) => {
            let message = format!("unknown data type `{name}`");
            return Err(EvalError::new(Issue::UnknownResourceType, message).into());
        }
        ty => return Err(not_accessible(&Value::Type(ty.clone()))),
    }))
}

fn arity(ty: &Type, expected: &str, actual: usize) -> EvalFailure {
    let noun = match expected {
        "1" | "at least 1" => "parameter",
        _ => "parameters",
    };
    let message = format!(
        "`{}` expects {expected} {noun}, found {actual}",
        base_name(ty)
    );
    EvalError::new(Issue::BadTypeSliceArity, message).into()
}

/// Returns the name of a type without its parameters.
fn base_name(ty: &Type) -> String {
    let shown = types::display(ty);
    shown.split('[').next().unwrap_or_default().to_owned()
}

/// Creates an error for an invalid parameter of a type.
fn wrong(issue: Issue, ty: &str, expected: &str, index: usize, key: &Value) -> EvalFailure {
    let found = describe_type(key);
    let message = format!("invalid parameter of `{ty}`: expected {expected}, found `{found}`");
    EvalError::new(issue, message).at(Blame::Key(index)).into()
}

fn boolean(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::Boolean(value)] => Ok(Type::Boolean(Some(*value))),
        [key] => Err(wrong(
            Issue::BadTypeSpecialization,
            "Boolean",
            "`true` or `false`",
            0,
            key,
        )),
        keys => Err(arity(ty, "1", keys.len())),
    }
}

fn integer(keys: &[Value]) -> EvalResult<Type> {
    if !(1..=2).contains(&keys.len()) {
        let message = format!("`Integer` expects 1 or 2 parameters, found {}", keys.len());
        return Err(EvalError::new(Issue::BadIntegerSliceArity, message).into());
    }
    let mut ends = [None, None];
    for (index, (key, end)) in keys.iter().zip(&mut ends).enumerate() {
        let wrong = || {
            wrong(
                Issue::BadIntegerSliceType,
                "Integer",
                "an integer",
                index,
                key,
            )
        };
        *end = special::integer_end(key).ok_or_else(wrong)?;
    }
    Type::integer(ends[0], ends[1]).ok_or_else(|| special::empty_range().into())
}

fn float(keys: &[Value]) -> EvalResult<Type> {
    if !(1..=2).contains(&keys.len()) {
        let message = format!("`Float` expects 1 or 2 parameters, found {}", keys.len());
        return Err(EvalError::new(Issue::BadFloatSliceArity, message).into());
    }
    let mut ends = [None, None];
    for (index, (key, end)) in keys.iter().zip(&mut ends).enumerate() {
        *end = match key {
            Value::Default => None,
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            key => {
                return Err(wrong(
                    Issue::BadFloatSliceType,
                    "Float",
                    "a number",
                    index,
                    key,
                ));
            }
        };
    }
    FloatRange::new(ends[0], ends[1])
        .map(Type::Float)
        .ok_or_else(|| special::empty_range().into())
}

/// Reads a size: an `Integer` type, or one or two bounds. `first` is the index of the first bound.
fn size(first: usize, keys: &[Value]) -> EvalResult<IntRange> {
    if let [Value::Type(Type::Integer(range))] = keys {
        return Ok(*range);
    }
    let mut ends = [None, None];
    for (index, (key, end)) in keys.iter().zip(&mut ends).enumerate() {
        let wrong = || {
            let message = format!(
                "invalid size: expected an integer, found `{}`",
                describe_type(key)
            );
            let error = EvalError::new(Issue::BadCollectionSliceType, message);
            EvalFailure::from(error.at(Blame::Key(first + index)))
        };
        *end = special::integer_end(key).ok_or_else(wrong)?;
    }
    IntRange::new(ends[0], ends[1]).ok_or_else(|| special::empty_range().into())
}

fn string(keys: &[Value]) -> EvalResult<Type> {
    if !(1..=2).contains(&keys.len()) {
        let message = format!("`String` expects 1 or 2 parameters, found {}", keys.len());
        return Err(EvalError::new(Issue::BadStringSliceArity, message).into());
    }
    Ok(Type::string_sized(size(0, keys)?))
}

fn enumeration(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    let (keys, any_case) = match keys {
        [keys @ .., Value::Boolean(any_case)] => (keys, *any_case),
        keys => (keys, false),
    };
    if keys.is_empty() {
        return Err(arity(ty, "at least 1", 0));
    }
    let mut strings = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        match key {
            Value::String(text) => strings.push(Arc::clone(text)),
            key => {
                return Err(wrong(
                    Issue::BadTypeSpecialization,
                    "Enum",
                    "a string",
                    index,
                    key,
                ));
            }
        }
    }
    Ok(Type::Enum(Arc::new(EnumType::new(strings, any_case))))
}

fn pattern(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    if keys.is_empty() {
        return Err(arity(ty, "at least 1", 0));
    }
    let mut patterns = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        let expected = "a string or a regular expression";
        let wrong = || {
            wrong(
                Issue::BadTypeSpecialization,
                "Pattern",
                expected,
                index,
                key,
            )
        };
        patterns.extend(special::patterns(key).ok_or_else(wrong)??);
    }
    Ok(Type::pattern(patterns))
}

/// Inline type sets are not supported, but their errors are known.
fn type_set(ty: &Type, keys: &[Value]) -> EvalFailure {
    match keys {
        [Value::Hash(_) | Value::Undef] => EvalFailure::unknown("inline type set"),
        [_] => runtime("invalid parameter of `TypeSet`: expected a hash"),
        keys => arity(ty, "1", keys.len()),
    }
}

/// `Object[{…}]`.
fn object_type(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::Undef] => Err(EvalFailure::unknown("object type without a definition")),
        [Value::Hash(entries)] if entries.is_empty() => {
            Err(EvalFailure::unknown("object type without a definition"))
        }
        [Value::Hash(entries)] => Ok(ObjectType::from_hash(entries)?),
        [_] => Err(runtime("invalid parameter of `Object`: expected a hash")),
        keys => Err(arity(ty, "1", keys.len())),
    }
}

fn regexp(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::String(source)] => Ok(Type::Regexp(Some(Regexp::new(source)))),
        [Value::Regexp(pattern)] => Ok(Type::Regexp(Some(pattern.clone()))),
        [key] => {
            let expected = "a string or a regular expression";
            Err(wrong(
                Issue::BadTypeSpecialization,
                "Regexp",
                expected,
                0,
                key,
            ))
        }
        keys => Err(arity(ty, "1", keys.len())),
    }
}

fn collection(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys.len() {
        1 | 2 => Ok(Type::Collection(Some(size(0, keys)?.to_size()))),
        len => Err(arity(ty, "1 or 2", len)),
    }
}

/// Reads a parameter that must be a type.
fn type_key(base: &str, keys: &[Value], index: usize) -> EvalResult<Type> {
    match &keys[index] {
        Value::Type(ty) => Ok(ty.clone()),
        key => Err(wrong(Issue::BadTypeSliceType, base, "a type", index, key)),
    }
}

fn array(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [_] => Ok(Type::array(type_key("Array", keys, 0)?, None)),
        [Value::Type(element), sizes @ ..] if sizes.len() <= 2 => {
            Ok(Type::array(element.clone(), Some(size(1, sizes)?)))
        }
        [_, _] => Ok(Type::array(Type::Any, Some(size(0, keys)?))),
        [_, _, _] => Err(wrong(
            Issue::BadTypeSliceType,
            "Array",
            "a type",
            0,
            &keys[0],
        )),
        keys => Err(arity(ty, "1 to 3", keys.len())),
    }
}

fn hash(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    if let [Value::Integer(from), Value::Integer(to)] = keys {
        let size = IntRange::new(Some(*from), Some(*to)).ok_or_else(special::empty_range)?;
        return Ok(Type::hash(Type::Any, Type::Any, Some(size)));
    }
    for index in 0..keys.len().min(2) {
        type_key("Hash", keys, index)?;
    }
    let size = match keys {
        [_, _] => None,
        [_, _, Value::Type(Type::Integer(range))] => Some(*range),
        [_, _, Value::Integer(from)] => Some(IntRange::at_least(*from)),
        [_, _, Value::Default] => Some(IntRange::ALL),
        [_, _, key] => {
            let message = format!(
                "invalid size of `Hash`: expected an integer, found `{}`",
                describe_type(key)
            );
            let error = EvalError::new(Issue::RuntimeError, message);
            return Err(error.at(Blame::Key(2)).into());
        }
        [_, _, sizes @ ..] if sizes.len() == 2 => Some(size(2, sizes)?),
        keys => return Err(arity(ty, "2 to 4", keys.len())),
    };
    Ok(Type::hash(
        type_key("Hash", keys, 0)?,
        type_key("Hash", keys, 1)?,
        size,
    ))
}

fn tuple(ty: &Type, mut keys: Vec<Value>) -> EvalResult<Type> {
    let size = special::take_size(&mut keys)?;
    Ok(Type::tuple(all_types(ty, "Tuple", &keys)?, size))
}

/// Reads one or more types.
fn all_types(ty: &Type, base: &str, keys: &[Value]) -> EvalResult<Vec<Type>> {
    if keys.is_empty() {
        return Err(arity(ty, "at least 1", 0));
    }
    let each = |(index, key): (usize, &Value)| match key {
        Value::Type(ty) => Ok(ty.clone()),
        key => Err(wrong(
            Issue::BadTypeSpecialization,
            base,
            "a type",
            index,
            key,
        )),
    };
    keys.iter().enumerate().map(each).collect()
}

fn variant(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    Ok(Type::variant(all_types(ty, "Variant", keys)?))
}

fn structure(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    let entries = match keys {
        [Value::Hash(entries)] => entries,
        [key] => {
            return Err(wrong(
                Issue::BadTypeSpecialization,
                "Struct",
                "a hash",
                0,
                key,
            ));
        }
        keys => return Err(arity(ty, "1", keys.len())),
    };
    Ok(special::struct_type(entries)?)
}

fn optional(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::String(text)] => Ok(Type::optional(Type::string_value(Arc::clone(text)))),
        [_] => Ok(Type::optional(type_key("Optional", keys, 0)?)),
        keys => Err(arity(ty, "1", keys.len())),
    }
}

fn not_undef(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [] => Ok(Type::NotUndef(None)),
        [Value::String(text)] => Ok(Type::not_undef(Type::string_value(Arc::clone(text)))),
        [Value::Type(inner)] => Ok(Type::not_undef(inner.clone())),
        [key] => {
            let expected = "a type or a string";
            Err(wrong(
                Issue::BadNotUndefSliceType,
                "NotUndef",
                expected,
                0,
                key,
            ))
        }
        keys => Err(arity(ty, "0 or 1", keys.len())),
    }
}

fn single_type(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [_] => type_key(&base_name(ty), keys, 0),
        keys => Err(arity(ty, "1", keys.len())),
    }
}

fn callable(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::Array(_), Value::Type(_)] => {}
        [Value::Array(_), _] => {
            return Err(runtime(
                "invalid return type of `Callable`: expected a type",
            ));
        }
        [Value::Array(_), ..] => return Err(arity(ty, "2", keys.len())),
        _ => {}
    }
    Ok(special::callable_type(keys)?)
}

fn sem_ver(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    if keys.is_empty() {
        return Err(arity(ty, "at least 1", 0));
    }
    let mut ranges = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        let expected = "a version range";
        let wrong = || wrong(Issue::BadTypeSpecialization, "SemVer", expected, index, key);
        ranges.push(special::version_range(key).ok_or_else(wrong)??);
    }
    Ok(Type::sem_ver(ranges))
}

fn times(ty: &Type, keys: &[Value], spans: bool) -> EvalResult<TimeRange> {
    if keys.len() > 2 {
        return Err(arity(ty, "0 to 2", keys.len()));
    }
    Ok(special::time_range(keys, spans)?)
}

fn uri(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    let [key] = keys else {
        return Err(arity(ty, "1", keys.len()));
    };
    if !types::instance(&special::URI_PARAMETER, key) {
        let expected = "a URI or a hash of constraints on its parts";
        return Err(wrong(Issue::BadTypeSliceType, "URI", expected, 0, key));
    }
    Ok(special::uri_type(key)?)
}

fn runtime_type(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::String(runtime), Value::String(name)] => {
            if runtime.is_empty() || name.is_empty() {
                return Err(super::arithmetic::runtime("empty parameter of `Runtime`"));
            }
            Ok(Type::Runtime(Arc::new(RuntimeType {
                runtime: Some(Arc::clone(runtime)),
                name: Some(RuntimeName::Name(Arc::clone(name))),
            })))
        }
        [first, second] => {
            let (index, key) = match first {
                Value::String(_) => (1, second),
                first => (0, first),
            };
            Err(wrong(
                Issue::BadTypeSpecialization,
                "Runtime",
                "a string",
                index,
                key,
            ))
        }
        keys => Err(arity(ty, "2", keys.len())),
    }
}

fn init(ty: &Type, keys: &[Value]) -> EvalResult<Type> {
    match keys {
        [Value::Type(inner), args @ ..] => Ok(Type::Init(Some(Arc::new(InitType {
            inner: inner.clone(),
            args: args.into(),
        })))),
        [key, ..] => Err(wrong(Issue::BadTypeSliceType, "Init", "a type", 0, key)),
        [] => Err(arity(ty, "at least 1", 0)),
    }
}

/// `Resource[…]`, `File[…]` and the like.
fn access_resource(ty: &Type, resource: &ResourceType, keys: &[Value]) -> EvalResult {
    if let (None, [Value::Type(Type::Resource(_))]) = (resource.type_name(), keys) {
        return Ok(keys[0].clone());
    }
    let (type_name, keys) = match (resource.type_name(), keys) {
        (Some(name), keys) => (Arc::clone(name), keys),
        (None, [first, rest @ ..]) => (resource_name(first)?, rest),
        (None, []) => return Err(arity(ty, "at least 1", 0)),
    };
    if !special::is_type_name(&type_name) {
        let message = format!("invalid type name `{type_name}`");
        return Err(EvalError::new(Issue::IllegalClassref, message)
            .at(Blame::Key(0))
            .into());
    }
    let listed = keys.len() > 1 || matches!(keys, [Value::Array(_)]);
    let titles: Vec<Value> = flatten(keys)
        .into_iter()
        .filter(|it| !it.is_undef())
        .collect();
    if titles.is_empty() && !keys.is_empty() {
        // Puppet only logs a debug message.
        return Ok(no_reference(listed));
    }
    if resource.title().is_some() {
        return Err(EvalFailure::unknown("depends on the catalog"));
    }
    if titles.is_empty() {
        return Ok(references(listed, vec![Type::resource(&type_name, None)]));
    }
    let each = |(index, title): (usize, &Value)| match title {
        Value::String(title) => Ok(Type::resource(&type_name, Some(title))),
        key => {
            let issue = Issue::BadTypeSpecialization;
            Err(wrong(issue, &type_name, "a string as title", index, key))
        }
    };
    let types = titles
        .iter()
        .enumerate()
        .map(each)
        .collect::<EvalResult<Vec<Type>>>()?;
    Ok(references(listed, types))
}

/// Reads the name of a resource type from the first parameter of `Resource`.
fn resource_name(key: &Value) -> EvalResult<Arc<str>> {
    match key {
        Value::String(name) => Ok(types::capitalize_segments(name).into()),
        Value::Type(Type::Resource(resource)) if resource.type_name().is_some() => {
            Ok(resource.type_name().cloned().unwrap_or_default())
        }
        key => {
            let expected = "the name of a resource type";
            Err(wrong(
                Issue::IllegalResourceSpecialization,
                "Resource",
                expected,
                0,
                key,
            ))
        }
    }
}

/// `Class[…]`.
fn access_class(named: bool, keys: &[Value]) -> EvalResult {
    if keys.is_empty() {
        return Err(arity(&Type::Class(None), "at least 1", 0));
    }
    let listed = keys.len() > 1 || matches!(keys, [Value::Array(_)]);
    let names: Vec<Value> = flatten(keys)
        .into_iter()
        .filter(|it| !it.is_undef())
        .collect();
    if names.is_empty() {
        // Puppet only logs a debug message.
        return Ok(no_reference(listed));
    }
    if named {
        return Err(EvalFailure::unknown("depends on the catalog"));
    }
    let each = |(index, key): (usize, &Value)| {
        let Value::String(text) = key else {
            let expected = "the name of a class";
            return Err(wrong(
                Issue::IllegalHostclassName,
                "Class",
                expected,
                index,
                key,
            ));
        };
        let lower = values::lower_case(text);
        let name = lower.strip_prefix("::").unwrap_or(&lower);
        if !is_name(name) {
            let message = format!("invalid class name `{text}`");
            return Err(EvalError::new(Issue::IllegalName, message)
                .at(Blame::Key(index))
                .into());
        }
        Ok(Type::Class(Some(name.into())))
    };
    let types = names
        .iter()
        .enumerate()
        .map(each)
        .collect::<EvalResult<Vec<Type>>>()?;
    Ok(references(listed, types))
}

fn is_name(name: &str) -> bool {
    let relative = name.strip_prefix("::").unwrap_or(name);
    let word = |it: char| it == '_' || it.is_ascii_alphanumeric();
    relative.split("::").all(|segment| {
        segment.starts_with(|it: char| it.is_ascii_lowercase()) && segment.chars().all(word)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Context, access};
    use super::*;

    fn run(left: Type, keys: &[Value]) -> String {
        match access(&Context::default(), &Value::Type(left), keys) {
            Ok(value) => values::source(&value).expect("has a source form"),
            Err(EvalFailure::Error(error)) => error.issue.code().unwrap_or_default().to_owned(),
            Err(EvalFailure::Unknown(reason)) => format!("unknown: {reason}"),
        }
    }

    fn ty(it: Type) -> Value {
        Value::Type(it)
    }

    #[test]
    fn ranges_and_sizes() {
        assert_eq!(run(Type::INTEGER, &[1.into(), 3.into()]), "Integer[1, 3]");
        assert_eq!(
            run(Type::INTEGER, &[Value::Default, 3.into()]),
            "Integer[default, 3]"
        );
        assert_eq!(run(Type::INTEGER, &["a".into()]), "BAD_INTEGER_SLICE_TYPE");
        assert_eq!(run(Type::INTEGER, &[3.into(), 1.into()]), "RUNTIME_ERROR");
        assert_eq!(run(Type::FLOAT, &[1.into()]), "Float[1.0]");
        assert_eq!(
            run(Type::STRING, &[ty(Type::integer_value(2))]),
            "String[2, 2]"
        );
        assert_eq!(
            run(Type::any_array(), &[1.into(), 2.into()]),
            "Array[Any, 1, 2]"
        );
        assert_eq!(
            run(Type::any_array(), &[1.into(), 2.into(), 3.into()]),
            "BAD_TYPE_SLICE_TYPE"
        );
        assert_eq!(
            run(Type::any_hash(), &[ty(Type::STRING)]),
            "BAD_TYPE_SLICE_ARITY"
        );
        let keys = [ty(Type::STRING), ty(Type::Any), 1.into()];
        assert_eq!(run(Type::any_hash(), &keys), "Hash[String, Any, 1]");
    }

    #[test]
    fn lists_of_types_may_end_with_a_size() {
        let tuple = Type::tuple(Vec::new(), None);
        let keys = [ty(Type::STRING), Value::Default, 3.into()];
        assert_eq!(run(tuple.clone(), &keys), "Tuple[String, 0, 3]");
        assert_eq!(
            run(tuple.clone(), &[1.into(), 2.into()]),
            "BAD_TYPE_SLICE_ARITY"
        );
        assert_eq!(run(tuple, &["a".into()]), "BAD_TYPE_SPECIALIZATION");
        let params = Value::array(vec![ty(Type::STRING), 1.into(), ty(Type::any_callable())]);
        let keys = [params, ty(Type::INTEGER)];
        assert_eq!(
            run(Type::any_callable(), &keys),
            "Callable[[String, 1, Callable], Integer]"
        );
        assert_eq!(
            run(Type::any_callable(), &[0.into(), 0.into()]),
            "Callable[0, 0]"
        );
        assert_eq!(run(Type::any_callable(), &[1.into()]), "Callable[1]");
    }

    #[test]
    fn references_to_resources_and_classes() {
        assert_eq!(
            run(Type::any_resource(), &["file".into(), "/a".into()]),
            "File['/a']"
        );
        assert_eq!(run(Type::any_resource(), &["file".into()]), "File");
        let file = Type::resource("File", None);
        assert_eq!(
            run(file.clone(), &["/a".into(), "/b".into()]),
            "[File['/a'], File['/b']]"
        );
        assert_eq!(run(file.clone(), &[Value::array(vec![])]), "[]");
        assert_eq!(run(file, &[1.into()]), "BAD_TYPE_SPECIALIZATION");
        assert_eq!(run(Type::Class(None), &["::A::b".into()]), "Class[a::b]");
        assert_eq!(run(Type::Class(None), &["a-b".into()]), "ILLEGAL_NAME");
        assert_eq!(
            run(Type::Class(None), &[1.into()]),
            "ILLEGAL_HOSTCLASS_NAME"
        );
    }

    #[test]
    fn some_types_accept_no_parameters() {
        assert_eq!(run(Type::Any, &[1.into()]), "OPERATOR_NOT_APPLICABLE");
        assert_eq!(run(types::data(), &[1.into()]), "OPERATOR_NOT_APPLICABLE");
        assert_eq!(
            run(Type::Reference("Foo".into()), &[1.into()]),
            "UNKNOWN_RESOURCE_TYPE"
        );
    }

    #[test]
    fn uris_and_errors() {
        let keys = [Value::from("http://a.b:90/c")];
        let shown = "URI[{'scheme' => 'http', 'host' => 'a.b', 'port' => '90', 'path' => '/c'}]";
        assert_eq!(run(Type::Uri(None), &keys), shown);
        assert_eq!(run(Type::Uri(None), &[1.into()]), "BAD_TYPE_SLICE_TYPE");
        let error = Type::Object(Arc::clone(types::ObjectType::error()));
        assert_eq!(
            run(error.clone(), &["a".into(), "b".into()]),
            "Error['a', 'b']"
        );
        assert_eq!(run(error, &[1.into()]), "RUNTIME_ERROR");
    }
}
