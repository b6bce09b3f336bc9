//! The values of data, as far as they are known for all nodes.

use hiera::document::{Data, Entry, Node, Scalar};
use hiera::interpolation::{Expression, interpolations};
use hiera::is_encrypted;
use types::values::Value;
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

/// Returns what is known of a value; `None` if Puppet rejects it.
pub(crate) fn partial_value(node: &Node) -> Option<PartialValue> {
    Some(match &node.data {
        Data::Scalar(scalar) => partial_scalar(scalar)?,
        Data::List(items) => {
            let items: Vec<PartialValue> = items
                .iter()
                .map(partial_value)
                .collect::<Option<Vec<_>>>()?;
            let values: Option<Vec<Value>> = items.iter().map(|it| it.value.clone()).collect();
            match values {
                Some(values) => PartialValue::of_value(Value::array(values)),
                None => {
                    let types: Vec<Type> = items.into_iter().map(|it| it.type_).collect();
                    PartialValue::of_type(Type::tuple(types, None))
                }
            }
        }
        Data::Map(entries) => partial_map(entries)?,
        Data::Alias(_) => PartialValue::of_type(Type::Any),
    })
}

fn partial_scalar(scalar: &Scalar) -> Option<PartialValue> {
    Some(PartialValue::of_value(match scalar {
        Scalar::Null => Value::Undef,
        Scalar::Boolean(it) => Value::Boolean(*it),
        Scalar::Integer(it) => Value::Integer(*it),
        Scalar::Float(it) => Value::Float(*it),
        Scalar::String(text) => match text_type(text) {
            Some(type_) => return Some(PartialValue::of_type(type_)),
            None => Value::String(text.clone()),
        },
        Scalar::Symbol(_) | Scalar::Refused(_) | Scalar::Unsupported(_) => return None,
    }))
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

fn partial_map(entries: &[Entry]) -> Option<PartialValue> {
    let mut known = Vec::new();
    let mut elements = Vec::new();
    let mut is_known = true;
    for entry in entries {
        if entry.key == "<<" {
            return Some(PartialValue::of_type(Type::hash(
                Type::Any,
                Type::Any,
                None,
            )));
        }
        let key = match &entry.key_scalar {
            Scalar::String(it) | Scalar::Symbol(it) if !it.contains("%{") => {
                Value::String(it.clone())
            }
            Scalar::Integer(it) => Value::Integer(*it),
            Scalar::Float(it) => Value::Float(*it),
            Scalar::String(_) => {
                return Some(PartialValue::of_type(Type::hash(
                    Type::Any,
                    Type::Any,
                    None,
                )));
            }
            _ => return None,
        };
        let value = partial_value(&entry.value)?;
        is_known &= value.value.is_some();
        elements.push((key.clone(), value.type_));
        known.extend(value.value.map(|it| (key, it)));
    }
    if is_known {
        return Some(PartialValue::of_value(Value::hash(known)));
    }
    let structure: Option<Vec<StructElement>> = elements
        .iter()
        .map(|(key, type_)| {
            let name = key.as_str().filter(|it| !it.is_empty())?;
            Some(StructElement::required(name, type_.clone()))
        })
        .collect();
    Some(PartialValue::of_type(match structure {
        Some(structure) => Type::structure(structure),
        None => Type::hash(Type::Any, Type::Any, None),
    }))
}
