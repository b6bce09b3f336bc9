//! Values of the evaluator: lists, references and reasons.

use eval::{ControlFlow, EvalError, EvalFailure, FlowResult, Issue, PartlyKnown};
use hir::canonical_name;
use types::values::Value;
use types::{Type, capitalize_segments};

use crate::data::{Parameter, ResourceKey};

/// Returns a value, or why it is unknown; an error is passed on.
pub(crate) fn known_or_reason(outcome: FlowResult) -> FlowResult<PartlyKnown> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(flow) => match flow.unknown_value() {
            Some(unknown) => Ok(Err(unknown.clone())),
            None => Err(flow),
        },
    }
}

/// Returns the values, with the elements of nested arrays in place of the arrays.
pub(crate) fn flattened<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<Value> {
    fn add(value: &Value, into: &mut Vec<Value>) {
        match value {
            Value::Array(items) => items.iter().for_each(|it| add(it, into)),
            value => into.push(value.clone()),
        }
    }
    let mut all = Vec::new();
    values.into_iter().for_each(|it| add(it, &mut all));
    all
}

impl Parameter {
    /// Returns the known values in a list, also in one with unknown elements.
    pub(crate) fn known_values(&self) -> Vec<Value> {
        match &self.value {
            Ok(value) => flattened([value]),
            Err(unknown) => flattened(&unknown.known_values()),
        }
    }
}

/// Returns the reference to a resource as a value.
pub(crate) fn reference(key: &ResourceKey) -> Value {
    match key.type_name.as_str() {
        "Class" => Value::Type(Type::class(&canonical_name(&key.title))),
        name => Value::Type(Type::resource(name, Some(&key.title))),
    }
}

/// Returns the resource that a value refers to.
pub fn resource_of(value: &Value) -> Option<ResourceKey> {
    match value {
        Value::Type(Type::Resource(it)) => Some(ResourceKey::new(
            capitalize_segments(it.type_name()?),
            it.title()?.to_string(),
        )),
        Value::Type(Type::Class(name)) => Some(class_key(name.as_deref()?)),
        _ => None,
    }
}

/// Returns the resource that a value of a relationship refers to: a reference, or its text, as in `File[/a]`.
pub(crate) fn referred(value: &Value) -> Option<ResourceKey> {
    let Value::String(text) = value else {
        return resource_of(value);
    };
    let (type_name, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    Some(match type_name.eq_ignore_ascii_case("class") {
        true => class_key(title),
        false => ResourceKey::new(capitalize_segments(type_name), title),
    })
}

/// Returns the key of a class.
pub(crate) fn class_key(name: &str) -> ResourceKey {
    ResourceKey::new("Class", capitalize_segments(name))
}

/// Returns a value in Puppet's notation, with references to resources by their names; `None` if it has no notation.
#[must_use]
pub fn source(value: &Value) -> Option<String> {
    if let Some(key) = resource_of(value) {
        return Some(key.puppet_name());
    }
    match value {
        Value::Sensitive(inner) => source(inner),
        Value::Array(items) if items.iter().any(|it| resource_of(it).is_some()) => {
            let items: Option<Vec<String>> = items.iter().map(source).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        value => types::values::source(value),
    }
}

/// Creates an unknown outcome.
pub(crate) fn unknown(why: &'static str) -> ControlFlow {
    EvalFailure::unknown(why).into()
}

/// Creates an error.
pub(crate) fn error(message: impl Into<String>) -> ControlFlow {
    EvalError::new(Issue::RuntimeError, message).into()
}
