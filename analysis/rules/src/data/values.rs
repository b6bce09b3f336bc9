//! The values of data, as far as they are known for all nodes.

use hiera::document::{Data, Entry, Node, Scalar};
use hiera::interpolation::{Expression, interpolations};
use hiera::is_encrypted;
use types::values::{HashValue, Value};
use types::{StructElement, Type, infer_detailed};

/// A value that may contain unknown parts.
#[derive(Clone, Debug)]
pub(crate) struct PartialValue {
    /// The type, which contains every possible value.
    pub(crate) type_: Type,
    /// The value, if it is completely known.
    pub(crate) value: Option<Value>,
}

impl PartialValue {
    /// Creates a value that is completely known.
    pub(crate) fn of_value(value: Value) -> PartialValue {
        PartialValue {
            type_: infer_detailed(&value),
            value: Some(value),
        }
    }

    fn of_type(type_: Type) -> PartialValue {
        PartialValue { type_, value: None }
    }
}

/// Returns what is known of a value before interpolation.
pub(crate) fn partial_value(value: &Value) -> PartialValue {
    match value {
        Value::String(text) => match text_type(text) {
            Some(type_) => PartialValue::of_type(type_),
            None => PartialValue::of_value(value.clone()),
        },
        Value::Array(items) => {
            let items: Vec<PartialValue> = items.iter().map(partial_value).collect();
            if items.iter().all(|it| it.value.is_some()) {
                return PartialValue::of_value(value.clone());
            }
            let types: Vec<Type> = items.into_iter().map(|it| it.type_).collect();
            PartialValue::of_type(Type::tuple(types, None))
        }
        Value::Hash(entries) => partial_hash(value, entries),
        _ => PartialValue::of_value(value.clone()),
    }
}

/// Returns what is known of a value that contains integers of more than 64 bits, of which only the sign is kept.
pub(crate) fn partial_large_value(node: &Node) -> PartialValue {
    PartialValue::of_type(type_of_node(node))
}

fn type_of_node(node: &Node) -> Type {
    match &node.data {
        Data::Scalar(scalar) => type_of_scalar(scalar),
        Data::List(items) => Type::tuple(items.iter().map(type_of_node).collect::<Vec<_>>(), None),
        Data::Map(entries) => {
            let elements: Option<Vec<_>> = entries.iter().map(struct_element).collect();
            elements.map_or(Type::hash(Type::Any, Type::Any, None), Type::structure)
        }
        Data::Alias(_) => Type::Any,
    }
}

/// Returns the element for an entry; `None` if its key is not certainly a string.
fn struct_element(entry: &Entry) -> Option<StructElement> {
    let is_plain = matches!(entry.key_scalar, Scalar::String(_))
        && !entry.key.is_empty()
        && entry.key != "<<"
        && !entry.key.contains("%{");
    is_plain.then(|| StructElement::required(entry.key.as_str(), type_of_node(&entry.value)))
}

fn type_of_scalar(scalar: &Scalar) -> Type {
    let value = match scalar {
        Scalar::LargeInteger { is_negative } => {
            let (min, max) = match is_negative {
                true => (None, Some(i64::MIN)),
                false => (Some(i64::MAX), None),
            };
            return Type::integer(min, max).unwrap_or(Type::INTEGER);
        }
        Scalar::Null => Value::Undef,
        Scalar::Boolean(it) => Value::Boolean(*it),
        Scalar::Integer(it) => Value::Integer(*it),
        Scalar::Float(it) => Value::Float(*it),
        Scalar::String(it) => return partial_value(&Value::String(it.clone())).type_,
        Scalar::Symbol(_) | Scalar::Refused(_) | Scalar::Unsupported(_) => return Type::Any,
    };
    infer_detailed(&value)
}

/// Returns the type of a string with interpolations or encrypted parts; `None` for any other one.
fn text_type(text: &str) -> Option<Type> {
    let mut parts = interpolations(text);
    if let Some(first) = parts.next() {
        let is_whole = first.range == (0..text.len());
        return Some(match first.expression {
            Expression::Method("alias", _) if is_whole => Type::Any,
            _ => Type::STRING,
        });
    }
    is_encrypted(text).then_some(Type::STRING)
}

fn partial_hash(value: &Value, entries: &HashValue) -> PartialValue {
    let any = || PartialValue::of_type(Type::hash(Type::Any, Type::Any, None));
    if entries
        .keys()
        .any(|it| it.as_str().is_some_and(|it| it.contains("%{")))
    {
        return any();
    }
    let values: Vec<_> = entries
        .iter()
        .map(|it| (it.0, partial_value(it.1)))
        .collect();
    if values.iter().all(|it| it.1.value.is_some()) {
        return PartialValue::of_value(value.clone());
    }
    let elements = values.into_iter().map(|(key, value)| {
        let name = key.as_str().filter(|it| !it.is_empty())?;
        Some(StructElement::required(name, value.type_))
    });
    match elements.collect::<Option<Vec<_>>>() {
        Some(elements) => PartialValue::of_type(Type::structure(elements)),
        None => any(),
    }
}
