//! `common_type`: the join as Puppet computes it, with its quirks.
//!
//! It is not the least upper bound, and not always an upper bound (`undef` disappears). Reduced
//! inference is built on it. For joining branches see [`super::precise`].

use std::sync::Arc;

use super::{EnumType, Type, assignable, data, rich_data};

/// Puppet's common type of two types.
pub fn common_type(a: &Type, b: &Type) -> Type {
    // `Undef` is absorbed before `Unit`.
    match (a, b) {
        (Type::Undef, _) => return b.clone(),
        (_, Type::Undef) => return a.clone(),
        (Type::Unit, _) => return b.clone(),
        (_, Type::Unit) => return a.clone(),
        _ => {}
    }
    if assignable(a, b) {
        return a.clone();
    }
    if assignable(b, a) {
        return b.clone();
    }
    same_kind(a, b).unwrap_or_else(|| nearest_family(a, b))
}

/// Returns the common type of any number of types; `None` for an empty list.
pub(super) fn reduce(types: impl IntoIterator<Item = Type>) -> Option<Type> {
    types.into_iter().reduce(|a, b| common_type(&a, &b))
}

/// Joins two types within the same kind.
fn same_kind(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (Type::Array(a), Type::Array(b)) => {
            Type::array(common_type(a.element(), b.element()), None)
        }
        (Type::Hash(a), Type::Hash(b)) => Type::hash(
            common_type(a.key(), b.key()),
            common_type(a.value(), b.value()),
            None,
        ),
        (Type::Class(_), Type::Class(_)) => Type::Class(None),
        (Type::Resource(a), Type::Resource(b)) => match (a.type_name(), b.type_name()) {
            (Some(x), Some(y)) if x == y => Type::resource(x, None),
            _ => Type::any_resource(),
        },
        (Type::Integer(a), Type::Integer(b)) => Type::Integer(a.hull(*b)),
        (Type::Float(a), Type::Float(b)) => Type::Float(a.hull(*b)),
        (Type::String(_) | Type::Enum(_), Type::String(_) | Type::Enum(_)) => strings(a, b),
        (Type::Pattern(a), Type::Pattern(b)) => Type::pattern(a.iter().chain(b.iter()).cloned()),
        (Type::Variant(a), Type::Variant(b)) => Type::variant(a.iter().chain(b.iter()).cloned()),
        (Type::Regexp(_), Type::Regexp(_)) => Type::Regexp(None),
        (Type::Callable(_), Type::Callable(_)) => Type::any_callable(),
        _ => return None,
    })
}

fn strings(a: &Type, b: &Type) -> Type {
    let any_enum = || Type::enumeration::<Arc<str>>([]);
    match (a, b) {
        (Type::String(a), Type::String(b)) => match (a, b) {
            (super::StringType::Sized(a), super::StringType::Sized(b)) => {
                Type::string_sized(a.hull(*b))
            }
            _ => match (a.value(), b.value()) {
                (Some(a), Some(b)) => Type::enumeration([Arc::clone(a), Arc::clone(b)]),
                _ => Type::STRING,
            },
        },
        (Type::String(text), Type::Enum(set)) | (Type::Enum(set), Type::String(text)) => {
            match text.value() {
                Some(text) => union(set, [Arc::clone(text)]),
                None => any_enum(),
            }
        }
        (Type::Enum(a), Type::Enum(b)) => union(a, b.values().iter().cloned()),
        _ => Type::STRING,
    }
}

fn union(set: &EnumType, more: impl IntoIterator<Item = Arc<str>>) -> Type {
    Type::enumeration(set.values().iter().cloned().chain(more))
}

/// Returns the narrowest of Puppet's abstract types that contains both.
fn nearest_family(a: &Type, b: &Type) -> Type {
    let both = |family: &Type| assignable(family, a) && assignable(family, b);
    for family in [Type::Numeric, Type::ScalarData, Type::Scalar, data()] {
        if both(&family) {
            return family;
        }
    }
    if let (Type::Type(a), Type::Type(b)) = (a, b) {
        return match (a, b) {
            (Some(a), Some(b)) => Type::type_of(common_type(a, b)),
            _ => Type::Type(None),
        };
    }
    let rich = rich_data();
    if both(&rich) { rich } else { Type::Any }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IntRange, display};

    fn common(a: &Type, b: &Type) -> String {
        display(&common_type(a, b))
    }

    #[test]
    fn joins_ranges_to_their_hull() {
        let a = Type::Integer(IntRange::between(1, 10));
        let b = Type::Integer(IntRange::between(11, 20));
        assert_eq!(common(&a, &b), "Integer[1, 20]");
        assert_eq!(common(&Type::INTEGER, &Type::FLOAT), "Numeric");
    }

    #[test]
    fn picks_abstract_types_in_puppets_order() {
        assert_eq!(common(&Type::INTEGER, &Type::STRING), "ScalarData");
        assert_eq!(common(&Type::INTEGER, &Type::Regexp(None)), "Scalar");
        assert_eq!(common(&Type::any_array(), &Type::any_hash()), "Any");
        assert_eq!(
            common(&Type::Boolean(Some(true)), &Type::Boolean(Some(false))),
            "ScalarData"
        );
        let optional = |it| Type::optional(it);
        assert_eq!(
            common(&optional(Type::INTEGER), &optional(Type::STRING)),
            "Data"
        );
    }

    #[test]
    fn undef_disappears() {
        assert_eq!(common(&Type::Undef, &Type::INTEGER), "Integer");
    }

    #[test]
    fn joins_strings_to_an_enum() {
        let (a, b) = (Type::string_value("a"), Type::string_value("b"));
        assert_eq!(common(&a, &b), "Enum['a', 'b']");
        assert_eq!(
            common(&Type::enumeration(["a", "c"]), &b),
            "Enum['a', 'b', 'c']"
        );
        // To Puppet, the literal type of one string is wider than any `Enum` with one string.
        assert_eq!(common(&Type::enumeration(["a"]), &b), "String");
    }
}
