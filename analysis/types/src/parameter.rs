//! The values that parameters accept: Puppet checks some parameters more leniently than their types.

use std::sync::Arc;

use super::{StructElement, StructType, Type};

/// Returns the type of the values that a parameter of a class, a defined type or a template accepts.
///
/// Puppet rejects such a value only if it finds a mismatch to describe, and there is none for a bare
/// `Optional` or `Variant`, which match `undef` and no value everywhere else: `TypeMismatchDescriber`.
pub fn accepted_by_parameter(declared: &Type) -> Type {
    match declared {
        _ if is_bare(declared) => Type::Any,
        Type::Alias(it) if is_bare(&it.resolved()) => Type::Any,
        _ if !has_lenient_part(declared) => declared.clone(),
        // An `Optional` adds `undef` to the list of a `Variant`, which is then described.
        Type::Optional(Some(it)) if !is_empty_variant(it) => {
            Type::optional(accepted_by_parameter(it))
        }
        Type::Variant(types) => Type::variant(types.iter().map(accepted_by_parameter)),
        Type::Array(it) => Type::array(accepted_part(it.element()), it.size()),
        Type::Tuple(it) => {
            let types: Vec<Type> = it.types().iter().map(accepted_part).collect();
            Type::tuple(types, it.size())
        }
        Type::Hash(it) => Type::hash(
            accepted_part(it.key()),
            accepted_part(it.value()),
            it.size(),
        ),
        Type::Struct(it) => {
            let element = |it: &StructElement| StructElement {
                name: Arc::clone(&it.name),
                key: it.key,
                value: accepted_part(&it.value),
            };
            let elements: Vec<StructElement> = it.elements().iter().map(element).collect();
            Type::Struct(Arc::new(StructType::new(elements)))
        }
        _ => declared.clone(),
    }
}

/// Returns the type of the elements that Puppet accepts: every string is assignable to a bare `Enum`.
fn accepted_part(declared: &Type) -> Type {
    match declared {
        Type::Enum(it) if it.values().is_empty() => Type::STRING,
        _ => accepted_by_parameter(declared),
    }
}

/// Checks whether a part of a type accepts more than its values.
fn has_lenient_part(type_: &Type) -> bool {
    let is_lenient = |it: &Type| {
        let is_enum = matches!(it, Type::Enum(it) if it.values().is_empty());
        is_enum || is_bare(it) || has_lenient_part(it)
    };
    match type_ {
        Type::Optional(Some(it)) => is_lenient(it),
        Type::Variant(types) => types.iter().any(is_lenient),
        Type::Array(it) => is_lenient(it.element()),
        Type::Tuple(it) => it.types().iter().any(is_lenient),
        Type::Hash(it) => !it.is_empty_hash() && (is_lenient(it.key()) || is_lenient(it.value())),
        Type::Struct(it) => it.elements().iter().any(|it| is_lenient(&it.value)),
        _ => false,
    }
}

fn is_bare(type_: &Type) -> bool {
    matches!(type_, Type::Optional(None)) || is_empty_variant(type_)
}

fn is_empty_variant(type_: &Type) -> bool {
    matches!(type_, Type::Variant(types) if types.is_empty())
}

#[cfg(test)]
mod tests {
    use super::accepted_by_parameter;
    use crate::Type;

    fn bare_variant() -> Type {
        Type::variant([])
    }

    #[test]
    fn bare_types_accept_everything() {
        assert_eq!(accepted_by_parameter(&Type::Optional(None)), Type::Any);
        assert_eq!(accepted_by_parameter(&bare_variant()), Type::Any);
        let array = Type::array(Type::Optional(None), None);
        assert_eq!(accepted_by_parameter(&array), Type::array(Type::Any, None));
    }

    #[test]
    fn other_types_accept_their_values() {
        let optional = Type::optional(Type::STRING);
        for same in [Type::STRING, optional, Type::optional(bare_variant())] {
            assert_eq!(accepted_by_parameter(&same), same);
        }
    }
}
