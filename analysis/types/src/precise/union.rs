//! A union that keeps alternatives separate, up to a limit.

use std::sync::Arc;

use super::within;
use crate::normalize::strings;
use crate::{IntRange, StringType, Type};

/// The maximum number of alternatives of a union; beyond it, alternatives of the same kind are
/// widened into one.
pub const MAX_ALTERNATIVES: usize = 16;
/// The maximum number of strings in a union; beyond it, they are widened to the range of their
/// lengths.
pub const MAX_STRINGS: usize = 64;

/// Returns an upper bound of the types that is as precise as possible.
pub fn union(types: impl IntoIterator<Item = Type>) -> Type {
    let mut alternatives = Vec::new();
    let mut undef = false;
    for ty in types {
        flatten(ty, &mut alternatives, &mut undef);
    }
    let alternatives = limit(merge(alternatives));
    if alternatives.iter().any(|it| within(&Type::Any, it)) {
        return Type::Any;
    }
    let undef = undef && !alternatives.iter().any(|it| within(&Type::Undef, it));
    let joined = Type::variant(alternatives);
    match joined {
        Type::Variant(types) if types.is_empty() && undef => Type::Undef,
        joined if undef => Type::optional(joined),
        joined => joined,
    }
}

fn flatten(ty: Type, into: &mut Vec<Type>, undef: &mut bool) {
    match ty {
        Type::Variant(types) => types.iter().for_each(|it| flatten(it.clone(), into, undef)),
        Type::Optional(inner) => {
            *undef = true;
            if let Some(inner) = inner {
                flatten((*inner).clone(), into, undef);
            }
        }
        Type::Undef => *undef = true,
        ty => into.push(ty),
    }
}

/// Drops subsumed alternatives and joins those whose union is a single type.
fn merge(types: Vec<Type>) -> Vec<Type> {
    let mut texts: Vec<Arc<str>> = Vec::new();
    let mut kept: Vec<Type> = Vec::new();
    for ty in types {
        match &ty {
            Type::String(StringType::Value(_)) => texts.extend(strings(&ty)),
            Type::Enum(it) if !it.case_insensitive() => texts.extend(strings(&ty)),
            _ => add(&mut kept, ty),
        }
    }
    texts.sort();
    texts.dedup();
    if texts.first().is_some_and(|it| it.is_empty()) {
        kept.iter_mut().for_each(with_empty);
    }
    let loose: Vec<Arc<str>> = texts
        .into_iter()
        .filter(|text| {
            let one = Type::string_value(Arc::clone(text));
            !kept.iter().any(|it| within(&one, it))
        })
        .collect();
    match &loose[..] {
        [] => {}
        [one] => kept.push(Type::string_value(Arc::clone(one))),
        many if many.len() > MAX_STRINGS => {
            let lengths = many
                .iter()
                .map(|it| IntRange::exactly_len(it.chars().count()));
            let hull = lengths.reduce(IntRange::hull).unwrap_or(IntRange::SIZE);
            add(&mut kept, Type::string_sized(hull));
        }
        many => kept.push(Type::enumeration(many.iter().cloned())),
    }
    kept
}

/// Extends a string type with a minimum length of one to the empty string, the only string of
/// length zero.
fn with_empty(ty: &mut Type) {
    if let Type::String(StringType::Sized(size)) = ty
        && size.min() == Some(1)
    {
        let size = IntRange::exactly(0).hull(*size);
        *ty = match size == IntRange::SIZE {
            true => Type::STRING,
            false => Type::string_sized(size),
        };
    }
}

fn add(kept: &mut Vec<Type>, ty: Type) {
    if kept.iter().any(|it| within(&ty, it)) {
        return;
    }
    kept.retain(|it| !within(it, &ty));
    let merged = kept
        .iter()
        .enumerate()
        .find_map(|(at, it)| Some((at, exact_join(it, &ty)?)));
    match merged {
        Some((at, joined)) => {
            kept.remove(at);
            add(kept, joined);
        }
        None => kept.push(ty),
    }
}

/// Returns the exact union of two types, if it is a single type.
fn exact_join(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Boolean(_), Type::Boolean(_)) => Some(Type::BOOLEAN),
        (Type::Integer(a), Type::Integer(b)) => a.merge(*b).map(Type::Integer),
        (Type::String(StringType::Sized(a)), Type::String(StringType::Sized(b))) => {
            a.merge(*b).map(Type::string_sized)
        }
        (Type::Float(a), Type::Float(b)) => a.merge(*b).map(Type::Float),
        (Type::Pattern(a), Type::Pattern(b)) => {
            Some(Type::pattern(a.iter().chain(b.iter()).cloned()))
        }
        _ => None,
    }
}

/// Widens alternatives of the same kind if there are too many.
fn limit(mut types: Vec<Type>) -> Vec<Type> {
    if types.len() <= MAX_ALTERNATIVES {
        return types;
    }
    let mut joined: Vec<Type> = Vec::new();
    for ty in types.drain(..) {
        let place = joined.iter().position(|it| kind_join(it, &ty).is_some());
        match place.and_then(|at| Some((at, kind_join(&joined[at], &ty)?))) {
            Some((at, wider)) => joined[at] = wider,
            None => joined.push(ty),
        }
    }
    if joined.len() <= MAX_ALTERNATIVES {
        joined
    } else {
        vec![Type::Any]
    }
}

/// Returns an upper bound of two types of the same kind.
fn kind_join(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (Type::Integer(a), Type::Integer(b)) => Type::Integer(a.hull(*b)),
        (Type::Float(a), Type::Float(b)) => Type::Float(a.hull(*b)),
        (Type::Timespan(a), Type::Timespan(b)) => Type::Timespan(a.hull(b)),
        (Type::Timestamp(a), Type::Timestamp(b)) => Type::Timestamp(a.hull(b)),
        (Type::Regexp(_), Type::Regexp(_)) => Type::Regexp(None),
        (Type::SemVer(_), Type::SemVer(_)) => Type::SemVer(Arc::from([])),
        (Type::Type(_), Type::Type(_)) => Type::Type(None),
        (Type::Uri(_), Type::Uri(_)) => Type::Uri(None),
        (
            Type::String(_) | Type::Enum(_) | Type::Pattern(_),
            Type::String(_) | Type::Enum(_) | Type::Pattern(_),
        ) => string_join(a, b),
        (Type::Array(_) | Type::Tuple(_), Type::Array(_) | Type::Tuple(_)) => {
            let size = sizes(a, b);
            Type::array(
                union(elements(a).into_iter().chain(elements(b))),
                Some(size),
            )
        }
        (Type::Hash(_) | Type::Struct(_), Type::Hash(_) | Type::Struct(_)) => {
            let ((key, value), (other_key, other_value)) = (entries(a), entries(b));
            let size = sizes(a, b);
            Type::hash(
                union([key, other_key]),
                union([value, other_value]),
                Some(size),
            )
        }
        (Type::Sensitive(_), Type::Sensitive(_)) => Type::Sensitive(Arc::new(Type::Any)),
        _ => return None,
    })
}

fn string_join(a: &Type, b: &Type) -> Type {
    let lengths = |ty: &Type| match ty {
        Type::String(it) => it.size(),
        Type::Enum(it) => it.lengths().unwrap_or(IntRange::SIZE),
        _ => IntRange::SIZE,
    };
    let hull = lengths(a).hull(lengths(b));
    if hull == IntRange::SIZE {
        Type::STRING
    } else {
        Type::string_sized(hull)
    }
}

fn sizes(a: &Type, b: &Type) -> IntRange {
    let size = |it| super::collection_size(it).unwrap_or(IntRange::SIZE);
    size(a).hull(size(b))
}

/// Returns the element types of an array or tuple type.
fn elements(ty: &Type) -> Vec<Type> {
    match ty {
        Type::Array(it) if it.size_or_any().max() == Some(0) => Vec::new(),
        Type::Array(it) => vec![it.element().clone()],
        Type::Tuple(it) if it.types().is_empty() => vec![Type::Any],
        Type::Tuple(it) => it.types().to_vec(),
        _ => vec![Type::Any],
    }
}

/// Returns the key and value types of a hash or struct type.
fn entries(ty: &Type) -> (Type, Type) {
    match ty {
        Type::Hash(it) if it.size_or_any().max() == Some(0) => (union([]), union([])),
        Type::Hash(it) => (it.key().clone(), it.value().clone()),
        Type::Struct(it) => {
            let keys = it
                .elements()
                .iter()
                .map(|it| Type::string_value(Arc::clone(&it.name)));
            (
                union(keys),
                union(it.elements().iter().map(|it| it.value.clone())),
            )
        }
        _ => (Type::Any, Type::Any),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{BuiltInTypes, read};
    use crate::{display, display_exact};

    fn joined(types: &[&str]) -> String {
        display_exact(&union(
            types
                .iter()
                .map(|it| read(it, &BuiltInTypes).expect("a type")),
        ))
    }

    #[test]
    fn keeps_alternatives_separate() {
        assert_eq!(joined(&["Integer[1, 2]", "Integer[3, 4]"]), "Integer[1, 4]");
        assert_eq!(
            joined(&["Integer[1, 2]", "Integer[9]"]),
            "Variant[Integer[1, 2], Integer[9]]"
        );
        assert_eq!(
            joined(&["String['a']", "Enum['b']", "Integer"]),
            "Variant[Integer, Enum['a', 'b']]"
        );
        assert_eq!(joined(&["Undef", "Integer"]), "Optional[Integer]");
        assert_eq!(joined(&["Undef"]), "Undef");
        assert_eq!(joined(&["Boolean[true]", "Boolean[false]"]), "Boolean");
        assert_eq!(joined(&["Integer", "Numeric", "Any"]), "Any");
        assert_eq!(joined(&["String['a']", "String[1]"]), "String[1]");
        assert_eq!(joined(&["String['']", "String[1]"]), "String");
        assert_eq!(joined(&["String['']", "String[1, 3]"]), "String[0, 3]");
        assert_eq!(
            joined(&["String['']", "String[2]"]),
            "Variant[String[2], String['']]"
        );
        assert_eq!(joined(&[]), "Variant");
    }

    #[test]
    fn widens_too_many_alternatives() {
        let many = (0..100).map(|it| Type::integer_value(it * 10));
        assert_eq!(display(&union(many)), "Integer[0, 990]");
        let many = (0..100).map(|it| Type::string_value(format!("{it}")));
        assert_eq!(display(&union(many)), "String[1, 2]");
        let many = (0..100).map(|it| Type::tuple(vec![Type::integer_value(it)], None));
        assert_eq!(display(&union(many)), "Array[Integer[0, 99], 1, 1]");
    }
}
