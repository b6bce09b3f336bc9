//! The element types of iteration.

use std::sync::Arc;

use super::assign::{Passed, guarded};
use super::{IntRange, StringType, StructType, TupleType, Type};

/// Checks whether values of the type are iterable, as far as Puppet derives it from the type.
pub fn iterable(ty: &Type) -> bool {
    can_iterate(ty, None)
}

/// Returns the element type of iteration: `Any` where Puppet does not know it, `None` if the type
/// is not iterable.
///
/// A `Collection` is iterable, but Puppet has no element type for it: the result is `Any` as well.
pub fn iterable_type(ty: &Type) -> Option<Type> {
    if !iterable(ty) {
        return None;
    }
    Some(element(ty).flatten().unwrap_or(Type::Any))
}

fn can_iterate(ty: &Type, guard: Passed<'_>) -> bool {
    match ty {
        Type::Enum(_)
        | Type::Integer(_)
        | Type::Collection(_)
        | Type::Array(_)
        | Type::Tuple(_)
        | Type::Hash(_)
        | Type::Struct(_)
        | Type::Iterable(_)
        | Type::Iterator(_)
        | Type::String(_) => true,
        Type::Type(Some(inner)) => match &**inner {
            Type::Enum(_) => true,
            Type::Integer(range) => range.is_finite(),
            _ => false,
        },
        Type::Alias(alias) => guarded(alias, guard, false, can_iterate),
        Type::Object(object) => object
            .parent
            .as_ref()
            .is_some_and(|it| can_iterate(it, guard)),
        _ => false,
    }
}

/// `None` if the type is not iterable, otherwise its element type, if it has one.
pub(super) fn element(ty: &Type) -> Option<Option<Type>> {
    element_guarded(ty, None)
}

fn element_guarded(ty: &Type, guard: Passed<'_>) -> Option<Option<Type>> {
    match ty {
        Type::Enum(_) | Type::String(_) => Some(Some(one_character())),
        Type::Integer(_) => Some(Some(Type::INTEGER)),
        Type::Type(Some(inner)) if can_iterate(ty, None) => Some(Some((**inner).clone())),
        Type::Array(it) => Some((!it.element().is_any()).then(|| it.element().clone())),
        Type::Tuple(it) => Some(Some(Type::variant(it.types().iter().cloned()))),
        Type::Hash(it) if it.is_default() || it.is_empty_hash() => {
            Some(Some(pair(Type::Unit, Type::Unit)))
        }
        Type::Hash(it) => Some(Some(pair(it.key().clone(), it.value().clone()))),
        Type::Struct(it) => Some(Some(struct_pair(it))),
        Type::Iterable(it) | Type::Iterator(it) => Some(it.as_deref().cloned()),
        Type::Alias(alias) => guarded(alias, guard, None, element_guarded),
        Type::Object(object) => element_guarded(object.parent.as_ref()?, guard),
        _ => None,
    }
}

/// `String[1, 1]`.
pub(super) fn one_character() -> Type {
    Type::String(StringType::Sized(IntRange::exactly(1)))
}

/// Returns the key-value pair produced by iterating over a hash.
pub(super) fn pair(key: Type, value: Type) -> Type {
    let pair = TupleType::new(vec![key, value], Some(IntRange::exactly(2)));
    Type::Tuple(Arc::new(pair))
}

fn struct_pair(ty: &StructType) -> Type {
    if ty.elements().is_empty() {
        return pair(Type::Unit, Type::Unit);
    }
    let keys = Type::variant(ty.elements().iter().map(|it| it.key_type()));
    let values = Type::variant(ty.elements().iter().map(|it| it.value.clone()));
    pair(keys, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display;

    fn shown(ty: &Type) -> String {
        iterable_type(ty).map_or_else(|| "no".to_owned(), |it| display(&it))
    }

    #[test]
    fn element_types_match_puppet() {
        assert_eq!(shown(&Type::STRING), "String[1, 1]");
        assert_eq!(shown(&Type::integer_value(3)), "Integer");
        assert_eq!(shown(&Type::any_hash()), "Tuple[Unit, Unit, 2, 2]");
        assert_eq!(
            shown(&Type::hash(Type::STRING, Type::INTEGER, None)),
            "Tuple[String, Integer, 2, 2]"
        );
        assert_eq!(shown(&Type::type_of(Type::INTEGER)), "no");
        assert_eq!(
            shown(&Type::type_of(Type::integer_value(3))),
            "Integer[3, 3]"
        );
        assert_eq!(shown(&Type::any_array()), "Any");
        assert_eq!(shown(&Type::optional(Type::any_array())), "no");
    }
}
