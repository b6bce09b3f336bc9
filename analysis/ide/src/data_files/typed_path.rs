//! The types of values inside the value of a class parameter.

use hiera::document::{Data, Node};
use infer::declared_parameters;
use rules::data::{ClassKey, class_key, options_of};
use salsa::Database;
use syntax::{TextRange, TextSize};
use types::{StructElement, Type};

use crate::completion::alternatives;
use base::EnvironmentInput;

/// The maximum number of types at a path.
const MAX_TYPES: usize = 100;

/// A step into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PathStep {
    /// The value of a key of a hash.
    Key(String),
    /// An element of an array.
    Element,
}

/// Returns the type that a value of a key must have in data; `None` if it is unknown or the value is
/// converted.
pub(super) fn type_of_key(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<Type> {
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, key) else {
        return None;
    };
    if options_of(db, environment, key)?.convert_to.is_some() {
        return None;
    }
    let declared = declared_parameters(db, item);
    let found = declared.iter().find(|it| it.0 == parameter.name)?;
    Some(found.1.clone())
}

/// Returns the alternatives of the type at a path.
pub(super) fn types_at(type_: &Type, path: &[PathStep]) -> Vec<Type> {
    path.iter().fold(alternatives(type_), |types, step| {
        let inner = types.iter().flat_map(|it| step_into(it, step));
        let inner = inner.flat_map(|it| alternatives(&it));
        inner.take(MAX_TYPES).collect()
    })
}

fn step_into(type_: &Type, step: &PathStep) -> Vec<Type> {
    match (type_, step) {
        (Type::Struct(it), PathStep::Key(key)) => {
            it.get(key).map(|it| it.value.clone()).into_iter().collect()
        }
        (Type::Hash(it), PathStep::Key(_)) => vec![it.value().clone()],
        (Type::Array(it), PathStep::Element) => vec![it.element().clone()],
        (Type::Tuple(it), PathStep::Element) => it.types().to_vec(),
        _ => Vec::new(),
    }
}

/// Returns the elements of the Structs among the alternatives of a type.
pub(super) fn struct_elements(types: &[Type]) -> impl Iterator<Item = &StructElement> {
    let structs = types.iter().filter_map(|it| match it {
        Type::Struct(it) => Some(it),
        _ => None,
    });
    structs.flat_map(|it| it.elements())
}

/// A key in a value.
pub(super) struct NestedKey {
    pub(super) range: TextRange,
    pub(super) name: String,
    /// The path to the hash that contains it.
    pub(super) path: Vec<PathStep>,
}

/// Returns the key at an offset of a value.
pub(super) fn nested_key_at(node: &Node, offset: TextSize) -> Option<NestedKey> {
    let mut node = node;
    let mut path = Vec::new();
    loop {
        match &node.data {
            Data::Map(entries) => {
                let mut keys = entries.iter();
                if let Some(it) = keys.find(|it| it.key_range.contains_inclusive(offset)) {
                    return Some(NestedKey {
                        range: it.key_range,
                        name: it.key.clone(),
                        path,
                    });
                }
                let mut values = entries.iter();
                let it = values.find(|it| it.value.range.contains_inclusive(offset))?;
                path.push(PathStep::Key(it.key.clone()));
                node = &it.value;
            }
            Data::List(items) => {
                let mut items = items.iter();
                node = items.find(|it| it.range.contains_inclusive(offset))?;
                path.push(PathStep::Element);
            }
            Data::Scalar(_) | Data::Alias(_) => return None,
        }
    }
}
