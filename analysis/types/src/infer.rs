//! The types of values.

use std::sync::Arc;

use super::common::reduce;
use super::{IntRange, ObjectExtension, RuntimeName, RuntimeType, StructElement, Type};
use crate::values::{IteratorKind, IteratorValue, Value, VersionRange};

/// Infers the type of a value as `type($v, 'reduced')` does: element types are joined with
/// [`super::common_type`].
pub fn infer(value: &Value) -> Type {
    match value {
        Value::Array(items) if items.is_empty() => Type::empty_array(),
        Value::Array(items) => {
            let element = reduce(items.iter().map(infer)).unwrap_or(Type::Unit);
            Type::array(element, Some(IntRange::exactly_len(items.len())))
        }
        Value::Hash(entries) if entries.is_empty() => Type::empty_hash(),
        Value::Hash(entries) => {
            let key = reduce(entries.keys().map(infer)).unwrap_or(Type::Unit);
            let value = reduce(entries.values().map(infer)).unwrap_or(Type::Unit);
            Type::hash(key, value, Some(IntRange::exactly_len(entries.len())))
        }
        Value::SemVer(_) => Type::SemVer(Arc::from([])),
        _ => infer_single(value),
    }
}

/// Infers the type of a value as `type($v)` does: every element has its own type.
pub fn infer_detailed(value: &Value) -> Type {
    match value {
        Value::Array(items) if items.is_empty() => Type::empty_array(),
        Value::Array(items) => {
            let types: Vec<Type> = items.iter().map(infer_detailed).collect();
            Type::tuple(types, None)
        }
        Value::Hash(entries) if entries.is_empty() => Type::empty_hash(),
        Value::Hash(entries) => {
            let element = |(key, value): (&Value, &Value)| {
                let name = key.as_str().filter(|it| !it.is_empty())?;
                Some(StructElement::required(name, infer_detailed(value)))
            };
            match entries.iter().map(element).collect::<Option<Vec<_>>>() {
                Some(elements) => Type::structure(elements),
                None => {
                    let key = Type::variant(entries.keys().map(infer_detailed));
                    let value = Type::variant(entries.values().map(infer_detailed));
                    Type::hash(key, value, Some(IntRange::exactly_len(entries.len())))
                }
            }
        }
        Value::SemVer(version) => Type::SemVer(Arc::from([VersionRange::of_version(version)])),
        _ => infer_single(value),
    }
}

/// Infers the type of a value without elements.
fn infer_single(value: &Value) -> Type {
    match value {
        Value::Undef => Type::Undef,
        Value::Default => Type::Default,
        Value::Boolean(it) => Type::Boolean(Some(*it)),
        Value::Integer(it) => Type::integer_value(*it),
        Value::Float(it) => Type::Float(super::FloatRange::exactly(*it)),
        Value::String(it) => Type::string_value(Arc::clone(it)),
        Value::Regexp(it) => Type::Regexp(Some(it.clone())),
        Value::Type(it) => Type::type_of(it.clone()),
        Value::Sensitive(it) => Type::sensitive(&infer(it)),
        Value::Binary(_) => Type::Binary,
        Value::Timespan(it) => Type::Timespan(super::TimeRange::exactly(*it)),
        Value::Timestamp(it) => Type::Timestamp(super::TimeRange::exactly(*it)),
        Value::SemVer(_) => Type::SemVer(Arc::from([])),
        Value::SemVerRange(_) => Type::SemVerRange,
        Value::Uri(it) => Type::Uri(it.type_constraints()),
        Value::Object(it) => ObjectExtension::of_instance(it),
        Value::Iterator(it) => iterator_type(it),
        Value::Array(_) | Value::Hash(_) => Type::Any,
    }
}

/// In Puppet, a tree iterator is an ordinary Ruby object.
fn iterator_type(it: &IteratorValue) -> Type {
    let order = match it.kind() {
        IteratorKind::TreeByDepth => "DepthFirst",
        IteratorKind::TreeByBreadth => "BreadthFirst",
        _ => return Type::Iterator(it.element_type().map(Arc::new)),
    };
    let class = format!("Puppet::Pops::Types::Iterable::{order}TreeIterator");
    Type::Runtime(Arc::new(RuntimeType {
        runtime: Some("ruby".into()),
        name: Some(RuntimeName::Name(class.into())),
    }))
}
