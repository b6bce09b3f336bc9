//! Intersection and difference of types.

use std::sync::Arc;

use super::{Kinds, MAX_DEPTH, union, within};
use crate::values::Value;
use crate::{
    ArrayType, EnumType, HashType, IntRange, StringType, StructElement, StructType, TupleType,
    Type, is_instance,
};

/// Returns an upper bound of the intersection of two types; `None` if they are certainly disjoint.
pub fn intersection(a: &Type, b: &Type) -> Option<Type> {
    meet(a, b, MAX_DEPTH)
}

/// Returns an upper bound of the values of `a` that are not in `b`; `None` if there are certainly
/// none.
pub fn difference(a: &Type, b: &Type) -> Option<Type> {
    rest(a, b, MAX_DEPTH)
}

/// Returns the union of the types that are present.
fn any_of(types: impl IntoIterator<Item = Option<Type>>) -> Option<Type> {
    let types: Vec<Type> = types.into_iter().flatten().collect();
    if types.is_empty() {
        None
    } else {
        Some(union(types))
    }
}

/// Returns the alternatives of a union type.
fn alternatives(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Variant(types) => Some(types.to_vec()),
        Type::Optional(inner) => {
            let inner = inner.as_ref().map(|it| (**it).clone());
            Some([Type::Undef].into_iter().chain(inner).collect())
        }
        _ => None,
    }
}

fn meet(a: &Type, b: &Type, depth: u32) -> Option<Type> {
    if within(a, b) {
        return inhabited(a);
    }
    if within(b, a) {
        return inhabited(b);
    }
    if depth == 0 {
        return Some(a.clone());
    }
    if !Kinds::of(a, 8).overlap(Kinds::of(b, 8)) {
        return None;
    }
    if let Some(types) = alternatives(a) {
        return any_of(types.iter().map(|it| meet(it, b, depth - 1)));
    }
    if let Some(types) = alternatives(b) {
        return any_of(types.iter().map(|it| meet(a, it, depth - 1)));
    }
    match (a, b) {
        (Type::Alias(alias), b) => meet(&alias.resolved(), b, depth - 1),
        (a, Type::Alias(alias)) => meet(a, &alias.resolved(), depth - 1),
        (Type::NotUndef(inner), other) | (other, Type::NotUndef(inner)) => {
            let other = rest(other, &Type::Undef, depth - 1)?;
            match inner {
                Some(inner) => meet(inner, &other, depth - 1),
                None => Some(other),
            }
        }
        (Type::Integer(a), Type::Integer(b)) => a.intersection(*b).map(Type::Integer),
        (Type::Float(a), Type::Float(b)) => a.intersection(*b).map(Type::Float),
        (Type::Timespan(a), Type::Timespan(b)) => a.intersection(b).map(Type::Timespan),
        (Type::Timestamp(a), Type::Timestamp(b)) => a.intersection(b).map(Type::Timestamp),
        (Type::Boolean(Some(_)), Type::Boolean(Some(_))) => None,
        (Type::Regexp(Some(_)), Type::Regexp(Some(_))) => None,
        (Type::String(StringType::Sized(a)), Type::String(StringType::Sized(b))) => {
            a.intersection(*b).map(Type::string_sized)
        }
        (Type::String(StringType::Value(text)), other)
        | (other, Type::String(StringType::Value(text))) => {
            let value = Value::String(Arc::clone(text));
            (is_instance(other, &value) != Some(false))
                .then(|| Type::string_value(Arc::clone(text)))
        }
        (other, Type::Enum(set)) if !set.case_insensitive() => strings_in(set, other),
        (Type::Enum(set), other) | (other, Type::Enum(set)) => strings_in(set, other),
        // A pattern is more specific than a length.
        (Type::String(_), it @ Type::Pattern(_)) | (it @ Type::Pattern(_), Type::String(_)) => {
            Some(it.clone())
        }
        (Type::Array(a), Type::Array(b)) => arrays(a, b, depth),
        (Type::Array(array), Type::Tuple(tuple)) | (Type::Tuple(tuple), Type::Array(array)) => {
            array_and_tuple(array, tuple, depth)
        }
        (Type::Tuple(a), Type::Tuple(b)) => tuples(a, b, depth),
        (Type::Collection(size), other) | (other, Type::Collection(size)) => {
            sized(other, size.unwrap_or(IntRange::SIZE))
        }
        (Type::Hash(a), Type::Hash(b)) => {
            let size = a.size_or_any().intersection(b.size_or_any())?;
            let entry = meet(a.key(), b.key(), depth - 1)
                .and_then(|key| Some((key, meet(a.value(), b.value(), depth - 1)?)));
            match entry {
                Some((key, value)) => Some(Type::hash(key, value, Some(size))),
                None => (size.min() == Some(0)).then(Type::empty_hash),
            }
        }
        (Type::Struct(a), Type::Struct(b)) => structs(a, b, depth),
        (Type::Hash(hash), Type::Struct(elements)) | (Type::Struct(elements), Type::Hash(hash)) => {
            hash_and_struct(hash, elements, depth)
        }
        (Type::Sensitive(a), Type::Sensitive(b)) => {
            meet(a, b, depth - 1).map(|it| Type::Sensitive(Arc::new(it)))
        }
        (a, b) => Some(narrower(a, b).clone()),
    }
}

/// Returns the type unless it is certainly uninhabited.
fn inhabited(ty: &Type) -> Option<Type> {
    (Kinds::of(ty, 8) != Kinds::NONE).then(|| ty.clone())
}

/// Picks the more specific of two types of which neither is known to be a subtype of the other.
fn narrower<'a>(a: &'a Type, b: &'a Type) -> &'a Type {
    let broad = |ty: &Type| {
        matches!(
            ty,
            Type::Any | Type::Unit | Type::Iterable(_) | Type::Init(_) | Type::Scalar
        )
    };
    if broad(a) { b } else { a }
}

/// Returns the strings of the set that may be instances of the other type.
fn strings_in(set: &EnumType, other: &Type) -> Option<Type> {
    if set.case_insensitive() {
        return match other {
            Type::Enum(other) => {
                let kept = other.values().iter().filter(|it| set.contains(it));
                let kept: Vec<Arc<str>> = kept.cloned().collect();
                match kept.as_slice() {
                    [] => None,
                    _ if other.case_insensitive() => Some(Type::enumeration_any_case(kept)),
                    _ => Some(union(kept.into_iter().map(Type::string_value))),
                }
            }
            _ => Some(Type::Enum(Arc::new(set.clone()))),
        };
    }
    let may_have =
        |text: &&Arc<str>| is_instance(other, &Value::String(Arc::clone(text))) != Some(false);
    let kept: Vec<Arc<str>> = set.values().iter().filter(may_have).cloned().collect();
    (!kept.is_empty()).then(|| union(kept.into_iter().map(Type::string_value)))
}

fn arrays(a: &ArrayType, b: &ArrayType, depth: u32) -> Option<Type> {
    let size = a.size_or_any().intersection(b.size_or_any())?;
    match meet(a.element(), b.element(), depth - 1) {
        Some(element) => Some(Type::array(element, Some(size))),
        None => (size.min() == Some(0)).then(Type::empty_array),
    }
}

fn array_and_tuple(array: &ArrayType, tuple: &TupleType, depth: u32) -> Option<Type> {
    let size = array.size_or_any().intersection(tuple.size_range())?;
    if tuple.types().is_empty() {
        return Some(Type::array(array.element().clone(), Some(size)));
    }
    let mut types = Vec::with_capacity(tuple.types().len());
    for ty in tuple.types() {
        match meet(ty, array.element(), depth - 1) {
            Some(ty) => types.push(ty),
            None => return shorter(types, size),
        }
    }
    Some(tuple_sized(types, size))
}

/// Returns the tuples that end before a position without a possible value.
fn shorter(types: Vec<Type>, size: IntRange) -> Option<Type> {
    let longest = IntRange::exactly(0).hull(IntRange::exactly_len(types.len()));
    let size = size.intersection(longest)?;
    if types.is_empty() {
        return Some(Type::empty_array());
    }
    Some(tuple_sized(types, size))
}

/// Returns a tuple with a size, which is left implicit if it is the number of types.
fn tuple_sized(types: Vec<Type>, size: IntRange) -> Type {
    let plain = size == IntRange::exactly_len(types.len());
    Type::tuple(types, (!plain).then_some(size))
}

fn tuples(a: &TupleType, b: &TupleType, depth: u32) -> Option<Type> {
    let size = a.size_range().intersection(b.size_range())?;
    let mut types = Vec::new();
    for index in 0..a.types().len().max(b.types().len()) {
        let (x, y) = (
            a.at(index).unwrap_or(&Type::Any),
            b.at(index).unwrap_or(&Type::Any),
        );
        match meet(x, y, depth - 1) {
            Some(ty) => types.push(ty),
            None => return shorter(types, size),
        }
    }
    Some(tuple_sized(types, size))
}

/// Restricts a collection type to a range of sizes.
fn sized(ty: &Type, size: IntRange) -> Option<Type> {
    match ty {
        Type::Collection(own) => {
            let size = own.unwrap_or(IntRange::SIZE).intersection(size)?;
            Some(Type::Collection(Some(size)))
        }
        Type::Array(it) => {
            let size = it.size_or_any().intersection(size)?;
            Some(Type::array(it.element().clone(), Some(size)))
        }
        Type::Hash(it) => {
            let size = it.size_or_any().intersection(size)?;
            Some(Type::hash(it.key().clone(), it.value().clone(), Some(size)))
        }
        Type::Tuple(it) => {
            let size = it.size_range().intersection(size)?;
            Some(tuple_sized(it.types().to_vec(), size))
        }
        Type::Struct(_) => {
            super::collection_size(ty)?.intersection(size)?;
            Some(ty.clone())
        }
        ty => Some(ty.clone()),
    }
}

fn structs(a: &StructType, b: &StructType, depth: u32) -> Option<Type> {
    let mut elements = Vec::new();
    for element in a.elements() {
        let Some(other) = b.get(&element.name) else {
            if element.is_optional() {
                continue;
            }
            return None;
        };
        let optional = element.is_optional() && other.is_optional();
        match meet(&element.value, &other.value, depth - 1) {
            Some(value) => {
                let name = Arc::clone(&element.name);
                elements.push(if optional {
                    StructElement::optional(name, value)
                } else {
                    StructElement::required(name, value)
                });
            }
            None if optional => {}
            None => return None,
        }
    }
    let missing = |it: &&StructElement| !it.is_optional() && a.get(&it.name).is_none();
    if b.elements().iter().any(|it| missing(&it)) {
        return None;
    }
    if elements.is_empty() {
        return Some(Type::empty_hash());
    }
    Some(Type::structure(elements))
}

fn hash_and_struct(hash: &HashType, elements: &StructType, depth: u32) -> Option<Type> {
    let whole = Type::Struct(Arc::new(elements.clone()));
    super::collection_size(&whole)?.intersection(hash.size_or_any())?;
    let mut kept = Vec::new();
    for element in elements.elements() {
        let key = Value::String(Arc::clone(&element.name));
        let value = (is_instance(hash.key(), &key) != Some(false))
            .then(|| meet(&element.value, hash.value(), depth - 1));
        let name = Arc::clone(&element.name);
        match (value.flatten(), element.is_optional()) {
            (Some(value), true) => kept.push(StructElement::optional(name, value)),
            (Some(value), false) => kept.push(StructElement::required(name, value)),
            (None, true) => {}
            (None, false) => return None,
        }
    }
    match kept.as_slice() {
        [] => Some(Type::empty_hash()),
        _ => Some(Type::structure(kept)),
    }
}

fn rest(a: &Type, b: &Type, depth: u32) -> Option<Type> {
    if within(a, b) {
        return None;
    }
    if depth == 0 || !Kinds::of(a, 8).overlap(Kinds::of(b, 8)) {
        return Some(a.clone());
    }
    if let Some(types) = alternatives(a) {
        return any_of(types.iter().map(|it| rest(it, b, depth - 1)));
    }
    if let Some(types) = alternatives(b) {
        return types
            .iter()
            .try_fold(a.clone(), |left, it| rest(&left, it, depth - 1));
    }
    match (a, b) {
        (Type::Alias(alias), b) if !matches!(b, Type::Alias(_)) => {
            // Keep the alias if nothing is removed from it.
            let resolved = alias.resolved();
            let left = rest(&resolved, b, depth - 1)?;
            Some(if left == resolved { a.clone() } else { left })
        }
        (a, Type::Alias(alias)) if !alias.is_recursive() => rest(a, &alias.resolved(), depth - 1),
        (Type::Any | Type::Unit, Type::Undef) => Some(Type::NotUndef(None)),
        (Type::Boolean(None), Type::Boolean(Some(it))) => Some(Type::Boolean(Some(!it))),
        (Type::Integer(a), Type::Integer(b)) => any_of(integers(*a, *b)),
        (Type::Enum(set), b) if !set.case_insensitive() => {
            let lacks =
                |text: &&Arc<str>| is_instance(b, &Value::String(Arc::clone(text))) != Some(true);
            let kept = set.values().iter().filter(lacks).cloned();
            any_of(kept.map(|it| Some(Type::string_value(it))))
        }
        (Type::Enum(set), Type::Enum(b)) if b.case_insensitive() => {
            let kept = set.values().iter().filter(|it| !b.contains(it)).cloned();
            let kept: Vec<Arc<str>> = kept.collect();
            (!kept.is_empty()).then(|| Type::enumeration_any_case(kept))
        }
        (Type::String(a), Type::String(b)) if a.value().is_none() => {
            let none = b.value().is_some_and(|it| it.is_empty());
            let sized = matches!(b, StringType::Sized(_)) || none;
            let left = a.size().without(b.size()).filter(|_| sized);
            Some(left.map_or_else(|| Type::String(a.clone()), Type::string_sized))
        }
        (Type::Array(list), b @ Type::Array(_)) => Some(shorn(a, b, list.element(), |size| {
            Type::array(list.element().clone(), Some(size))
        })),
        (Type::Tuple(list), b @ Type::Array(other)) => {
            let covered = list.types().iter().all(|it| within(it, other.element()));
            let element = if covered { other.element() } else { &Type::Any };
            Some(shorn(a, b, element, |size| {
                tuple_sized(list.types().to_vec(), size)
            }))
        }
        (Type::Hash(hash), Type::Hash(other)) => {
            let covers = other.size_or_any().max() == Some(0)
                || (within(hash.key(), other.key()) && within(hash.value(), other.value()));
            let left = hash.size_or_any().without(other.size_or_any());
            let sized = |size| Type::hash(hash.key().clone(), hash.value().clone(), Some(size));
            Some(left.filter(|_| covers).map_or_else(|| a.clone(), sized))
        }
        (Type::NotUndef(Some(inner)), b) => rest(inner, b, depth - 1).map(Type::not_undef),
        (a, b) => match parts(a) {
            Some(types) if types.iter().any(|it| within(it, b)) => {
                any_of(types.iter().map(|it| rest(it, b, depth - 1)))
            }
            _ => Some(a.clone()),
        },
    }
}

/// Removes the sizes of `b` from an array or tuple type, if `b` contains all of its values with
/// these sizes.
fn shorn(list: &Type, b: &Type, element: &Type, sized: impl Fn(IntRange) -> Type) -> Type {
    let (Some(size), Type::Array(b)) = (super::collection_size(list), b) else {
        return list.clone();
    };
    let covers = b.size_or_any().max() == Some(0) || within(element, b.element());
    let left = size.without(b.size_or_any()).filter(|_| covers);
    left.map_or_else(|| list.clone(), sized)
}

/// Returns the integers of `a` below and above the range `b`.
fn integers(a: IntRange, b: IntRange) -> [Option<Type>; 2] {
    let below = b.min().and_then(|it| it.checked_sub(1));
    let above = b.max().and_then(|it| it.checked_add(1));
    let cut = |min, max| {
        let range = IntRange::new(min, max)?;
        a.intersection(range).map(Type::Integer)
    };
    [
        below.and_then(|it| cut(None, Some(it))),
        above.and_then(|it| cut(Some(it), None)),
    ]
}

/// Returns the types whose union is an abstract type.
pub(super) fn parts(ty: &Type) -> Option<Vec<Type>> {
    Some(match ty {
        Type::Numeric => vec![Type::INTEGER, Type::FLOAT],
        Type::ScalarData => vec![Type::INTEGER, Type::FLOAT, Type::STRING, Type::BOOLEAN],
        Type::Scalar => vec![
            Type::INTEGER,
            Type::FLOAT,
            Type::STRING,
            Type::BOOLEAN,
            Type::Regexp(None),
            Type::SemVer(Arc::from([])),
            Type::SemVerRange,
            Type::Timespan(crate::TimeRange::ALL),
            Type::Timestamp(crate::TimeRange::ALL),
        ],
        Type::Collection(size) => {
            vec![
                Type::array(Type::Any, *size),
                Type::hash(Type::Any, Type::Any, *size),
            ]
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display_exact;
    use crate::reader::{BuiltInTypes, read};

    fn ty(text: &str) -> Type {
        read(text, &BuiltInTypes).expect("a type")
    }

    fn shown(ty: Option<Type>) -> String {
        ty.map_or_else(|| "never".to_owned(), |it| display_exact(&it))
    }

    fn both(a: &str, b: &str) -> String {
        shown(intersection(&ty(a), &ty(b)))
    }

    fn without(a: &str, b: &str) -> String {
        shown(difference(&ty(a), &ty(b)))
    }

    #[test]
    fn intersects_types() {
        assert_eq!(both("Integer[1, 5]", "Integer[3, 9]"), "Integer[3, 5]");
        assert_eq!(both("Integer[1, 5]", "Integer[7]"), "never");
        assert_eq!(both("Integer", "String"), "never");
        assert_eq!(both("Optional[Integer]", "NotUndef"), "Integer");
        assert_eq!(both("Variant[Integer, String]", "Enum['a']"), "Enum['a']");
        assert_eq!(both("Enum['a', 'bcd']", "String[2]"), "String['bcd']");
        assert_eq!(both("Array[Integer]", "Array[String]"), "Array[0, 0]");
        assert_eq!(both("Array[Integer, 1]", "Array[String]"), "never");
        assert_eq!(
            both("Array[Integer]", "Tuple[Any, Numeric]"),
            "Tuple[Integer, Integer]"
        );
        assert_eq!(both("Data", "Array"), "Array[Data]");
        assert_eq!(both("Enum['a', true]", "Enum['A', 'b']"), "String['A']");
        assert_eq!(both("Enum['A', 'b']", "Enum['a', true]"), "String['A']");
        assert_eq!(
            both("Enum['a', 'b', true]", "Enum['B', 'c', true]"),
            "Enum['B', true]"
        );
        assert_eq!(both("Enum['a', true]", "Enum['b', true]"), "never");
        assert_eq!(both("String[1]", "Pattern[/a/]"), "Pattern[/a/]");
        assert_eq!(
            both("Struct[{a => Integer}]", "Struct[{b => Integer}]"),
            "never"
        );
        for (given, hash, expected) in [
            (
                "Struct[{a => Any, b => Integer}]",
                "Hash[String, String]",
                "never",
            ),
            (
                "Struct[{a => Any, Optional[b] => Integer}]",
                "Hash[String, String]",
                "Struct[{Optional['a'] => String}]",
            ),
            ("Struct[{a => Integer}]", "Hash[Integer, Any]", "never"),
            ("Struct[{a => Any}]", "Hash[String, Any, 2]", "never"),
            (
                "Struct[{Optional[a] => Integer}]",
                "Hash[String, String]",
                "Hash[0, 0]",
            ),
        ] {
            assert_eq!(both(given, hash), expected, "{given}, {hash}");
            assert_eq!(both(hash, given), expected, "{hash}, {given}");
        }
    }

    #[test]
    fn subtracts_types() {
        assert_eq!(without("Optional[Integer]", "Undef"), "Integer");
        assert_eq!(without("Any", "Undef"), "NotUndef");
        assert_eq!(without("Boolean", "Boolean[true]"), "Boolean[false]");
        assert_eq!(
            without("Integer[1, 9]", "Integer[3, 4]"),
            "Variant[Integer[1, 2], Integer[5, 9]]"
        );
        assert_eq!(
            without("Enum['a', 'b', 'c']", "Enum['b']"),
            "Enum['a', 'c']"
        );
        assert_eq!(
            without("ScalarData", "String"),
            "Variant[Integer, Float, Boolean]"
        );
        assert_eq!(without("Variant[Integer, String]", "Numeric"), "String");
        assert_eq!(without("Integer", "Numeric"), "never");
        assert_eq!(without("Collection", "Array"), "Hash");
        assert_eq!(without("Array[String]", "Array[0, 0]"), "Array[String, 1]");
        assert_eq!(
            without("Array[String]", "Array[Integer, 0, 1]"),
            "Array[String]"
        );
        assert_eq!(
            without("Array[String]", "Array[Any, 3]"),
            "Array[String, 0, 2]"
        );
        assert_eq!(
            without("Array[String]", "Array[Any, 3, 4]"),
            "Array[String]"
        );
        assert_eq!(without("Hash", "Hash[0, 0]"), "Hash[Any, Any, 1]");
        assert_eq!(without("String", "String['']"), "String[1]");
        assert_eq!(without("String", "String['a']"), "String");
        assert_eq!(without("String[1, 5]", "String[4]"), "String[1, 3]");
        assert_eq!(
            without("Enum['a', 'b', true]", "Enum['A', true]"),
            "Enum['b', true]"
        );
        assert_eq!(without("Enum['a', true]", "Enum['A']"), "Enum['a', true]");
    }
}
