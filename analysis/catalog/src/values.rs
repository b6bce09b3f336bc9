//! Values of the evaluator: lists, references and reasons.

use std::borrow::Cow;
use std::collections::BTreeSet;

use eval::{ControlFlow, EvalFailure, FlowResult};
use hir::canonical_name;
use types::values::Value;
use types::{Type, capitalize_segments};

use crate::data::{Place, Resource, ResourceKey};

/// Creates a resource without parameters.
pub(crate) fn new_resource(place: Option<Place>, container: Option<ResourceKey>) -> Resource {
    Resource {
        place,
        parameters: indexmap::IndexMap::default(),
        is_virtual: false,
        is_exported: false,
        container,
        tags: BTreeSet::new(),
        is_certain: true,
    }
}

/// Returns the reason why a value is unknown.
pub(crate) fn reason(flow: &ControlFlow) -> Option<Cow<'static, str>> {
    match flow {
        ControlFlow::Failure {
            failure: EvalFailure::Unknown(why),
            ..
        }
        | ControlFlow::UnknownValue(why) => Some(why.clone()),
        _ => None,
    }
}

/// Returns a value, or the reason why it is unknown; an error is passed on.
pub(crate) fn known_or_reason(outcome: FlowResult) -> FlowResult<Result<Value, String>> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(flow) => match reason(&flow) {
            Some(why) => Ok(Err(why.into_owned())),
            None => Err(flow),
        },
    }
}

/// Collects the elements of nested arrays.
pub(crate) fn flatten(value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| flatten(it, into)),
        value => into.push(value.clone()),
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
        Value::Type(Type::Resource(it)) => Some(ResourceKey {
            type_name: capitalize_segments(it.type_name()?),
            title: it.title()?.to_string(),
        }),
        Value::Type(Type::Class(name)) => Some(ResourceKey {
            type_name: "Class".to_owned(),
            title: capitalize_segments(name.as_deref()?),
        }),
        _ => None,
    }
}

pub(crate) fn unknown(why: &'static str) -> ControlFlow {
    eval::EvalFailure::unknown(why).into()
}
