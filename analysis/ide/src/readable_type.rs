//! Types as a person would write them: short, without the details that only inference knows.

use std::sync::Arc;

use types::precise::union;
use types::{
    EnumType, IntRange, StringType, StructElement, StructType, TupleType, Type, display_written,
};

/// The maximum length of the values of an `Enum` that stays as it is, in characters.
const MAX_ENUM: usize = 24;

/// Renders a type in at most `max` characters: the most exact of the types that a person would
/// write. Returns `None` if even the widest is too long, or contains every value.
pub(crate) fn readable_type(type_: &Type, max: usize) -> Option<String> {
    let widened = widened(type_, TypePosition::Whole);
    if is_unknown(&widened) {
        return None;
    }
    let outlines = [with_outlined_elements(&widened), outline(&widened)];
    let candidates = std::iter::once(Some(widened)).chain(outlines);
    let mut texts = candidates.flatten().map(|it| display_written(&it));
    texts.find(|it| it.chars().count() <= max)
}

/// Removes the types of collections without elements, and the values and sizes of elements, which only inference knows
/// and no person writes.
pub(crate) fn without_inferred_details(type_: &Type) -> Type {
    let inner = |it: &Type| match it {
        Type::Integer(range) if range.single().is_some() => Type::INTEGER,
        Type::Float(range) if range.single().is_some() => Type::FLOAT,
        Type::String(StringType::Sized(size)) if size.max().is_none() => Type::STRING,
        other => without_inferred_details(other),
    };
    let is_empty = |it: Option<IntRange>| it.is_some_and(|it| it.max() == Some(0));
    match type_ {
        Type::Array(it) if is_empty(it.size()) || *it.element() == Type::Unit => Type::any_array(),
        Type::Array(it) => Type::array(inner(it.element()), it.size()),
        Type::Tuple(it) => {
            let types: Vec<Type> = it.types().iter().map(inner).collect();
            Type::Tuple(Arc::new(TupleType::new(types, it.size())))
        }
        Type::Hash(it) if is_empty(it.size()) => Type::any_hash(),
        Type::Hash(it) => Type::hash(inner(it.key()), inner(it.value()), it.size()),
        Type::Struct(it) => {
            let elements = it.elements().iter().map(|it| StructElement {
                value: inner(&it.value),
                ..it.clone()
            });
            Type::Struct(Arc::new(StructType::new(elements.collect::<Vec<_>>())))
        }
        Type::Variant(types) => union(types.iter().map(without_inferred_details)),
        Type::Optional(Some(it)) => Type::optional(without_inferred_details(it)),
        Type::NotUndef(Some(it)) => Type::not_undef(without_inferred_details(it)),
        _ => type_.clone(),
    }
}

/// Where a type occurs: details of the elements of a collection are worth less.
#[derive(Clone, Copy, PartialEq)]
enum TypePosition {
    Whole,
    Element,
}

/// Removes single values, sizes and long lists of strings from a type.
fn widened(type_: &Type, place: TypePosition) -> Type {
    let inner = |it: &Type| widened(it, TypePosition::Element);
    match type_ {
        Type::Integer(range) => integer(*range),
        Type::Float(range) if range.single().is_some() => Type::FLOAT,
        Type::Boolean(_) => Type::BOOLEAN,
        Type::String(strings) => string(strings),
        Type::Enum(values) => strings(values, place),
        Type::Array(it) => array(inner(it.element()), it.size()),
        Type::Tuple(it) => array(union(it.types().iter().map(inner)), None),
        Type::Hash(it) => hash(inner(it.key()), inner(it.value()), it.size()),
        Type::Struct(it) => {
            let values = it.elements().iter().map(|it| inner(&it.value));
            hash(Type::STRING, union(values), None)
        }
        Type::Variant(types) => union(types.iter().map(|it| widened(it, place))),
        Type::Optional(Some(it)) => Type::optional(widened(it, place)),
        Type::NotUndef(Some(it)) => Type::not_undef(widened(it, place)),
        Type::Iterable(Some(it)) => Type::iterable_of(inner(it)),
        Type::Iterator(Some(it)) => Type::iterator_of(inner(it)),
        Type::Sensitive(it) => Type::sensitive(&inner(it)),
        Type::Uri(_) => Type::Uri(None),
        _ => type_.clone(),
    }
}

/// Removes bounds that are not worth writing: those of a single value and those of arithmetic.
fn integer(range: IntRange) -> Type {
    const MAX_BOUND: u64 = 1_000_000_000;
    let bound = |it: Option<i64>| it.filter(|it| it.unsigned_abs() <= MAX_BOUND);
    let bounds = (bound(range.min()), bound(range.max()));
    let bounds = Some(bounds).filter(|_| range.single().is_none());
    let bounded = bounds.and_then(|(min, max)| Type::integer(min, max));
    bounded.unwrap_or(Type::INTEGER)
}

fn string(strings: &StringType) -> Type {
    match strings {
        StringType::Sized(size) if size.min().is_some_and(|it| it > 0) => non_empty_string(),
        _ => Type::STRING,
    }
}

fn non_empty_string() -> Type {
    Type::string_sized(IntRange::at_least(1))
}

fn strings(values: &EnumType, place: TypePosition) -> Type {
    let length: usize = values
        .values()
        .iter()
        .map(|it| it.chars().count() + 4)
        .sum();
    let is_short = length <= MAX_ENUM && values.values().len() > 1;
    match place {
        TypePosition::Whole if is_short => Type::enumeration(values.values().iter().cloned()),
        TypePosition::Whole if values.values().iter().all(|it| !it.is_empty()) => {
            non_empty_string()
        }
        _ => Type::STRING,
    }
}

fn array(element: Type, size: Option<IntRange>) -> Type {
    match is_unknown(&element) {
        true => Type::any_array(),
        false => Type::array(element, minimum(size)),
    }
}

fn hash(key: Type, value: Type, size: Option<IntRange>) -> Type {
    match is_unknown(&key) || is_unknown(&value) {
        true => Type::any_hash(),
        false => Type::hash(key, value, minimum(size)),
    }
}

/// Checks whether a type contains almost every value.
fn is_unknown(type_: &Type) -> bool {
    let is_open = |it: &Option<Arc<Type>>| it.as_ref().is_none_or(|it| is_unknown(it));
    match type_ {
        Type::Unit => true,
        Type::Optional(inner) | Type::NotUndef(inner) => is_open(inner),
        _ => type_.is_any() || type_.is_never(),
    }
}

/// Keeps the size of a collection only if it says that there are elements.
fn minimum(size: Option<IntRange>) -> Option<IntRange> {
    let size = size?;
    let is_minimum = size.min().is_some_and(|it| it > 0) && size.max().is_none();
    is_minimum.then(|| IntRange::at_least(1))
}

/// Returns a collection whose elements have no parameters.
fn with_outlined_elements(type_: &Type) -> Option<Type> {
    Some(match type_ {
        Type::Array(it) => Type::array(outline(it.element())?, it.size()),
        Type::Hash(it) => Type::hash(outline(it.key())?, outline(it.value())?, it.size()),
        Type::Optional(Some(it)) => Type::optional(with_outlined_elements(it)?),
        _ => return None,
    })
}

/// Returns a type without its parameters. Of a `Variant`, only alternatives of the same kind have
/// a common outline.
fn outline(type_: &Type) -> Option<Type> {
    Some(match type_ {
        Type::Array(_) => Type::any_array(),
        Type::Hash(_) => Type::any_hash(),
        Type::Integer(_) => Type::INTEGER,
        Type::Float(_) => Type::FLOAT,
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Type::STRING,
        Type::Callable(_) => Type::any_callable(),
        Type::Type(_) => Type::Type(None),
        Type::Iterable(_) => Type::Iterable(None),
        Type::Iterator(_) => Type::Iterator(None),
        Type::Optional(Some(it)) => Type::optional(outline(it)?),
        Type::NotUndef(Some(it)) => Type::not_undef(outline(it)?),
        Type::Sensitive(_) => Type::sensitive(&Type::Any),
        Type::Undef | Type::Boolean(_) => type_.clone(),
        Type::Variant(types) => {
            let outlines: Option<Vec<Type>> = types.iter().map(outline).collect();
            union(outlines?)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use types::reader::{BuiltInTypes, read};

    #[test]
    fn removes_details_of_inference() {
        for (type_, expected) in [
            ("String[8]", "String[8]"),
            ("Optional[Hash[0, 0]]", "Optional[Hash]"),
            ("Tuple[Integer, String]", "Tuple[Integer, String]"),
            ("Array[Integer[1, 9], 1]", "Array[Integer[1, 9], 1]"),
            ("Hash[0, 0]", "Hash"),
            ("Tuple[String[9], Integer[1, 1]]", "Tuple[String, Integer]"),
        ] {
            let type_ = read(type_, &BuiltInTypes).expect("a valid type");
            assert_eq!(display_written(&without_inferred_details(&type_)), expected);
        }
    }

    #[test]
    fn widens_until_it_fits() {
        let types = [
            "Integer[3, 3]",
            "Integer[0]",
            "Integer[1, 65535]",
            "Boolean[true]",
            "Enum['a']",
            "Enum['on', 'off']",
            "Enum['alpha', 'beta', 'gamma', 'delta']",
            "String[3, 9]",
            "Array[Enum['a', 'b'], 2, 2]",
            "Array[String, 1]",
            "Array[0, 0]",
            "Tuple[Integer[1, 1], String[2]]",
            "Struct[{'a' => Integer[1, 1], 'b' => Integer[2, 2]}]",
            "Hash[String[1], Array[Integer[1, 2]]]",
            "Optional[Struct[{'a' => Integer, 'bcd' => Hash[String, Array[String]]}]]",
            "Variant[Integer[1, 1], Integer[3, 3], Undef]",
            "Hash[String, Hash[String, Hash[String, Integer]]]",
            "Variant[Hash[String, Hash[String, Hash[String, Integer]]], Regexp]",
            "Any",
            "Optional[NotUndef]",
            "Array[NotUndef]",
        ];
        let lines = types.map(|text| {
            let type_ = read(text, &BuiltInTypes).expect("a valid type");
            let shown = readable_type(&type_, 32).unwrap_or_else(|| "nothing".to_owned());
            format!("{text}: {shown}\n")
        });
        expect![[r#"
            Integer[3, 3]: Integer
            Integer[0]: Integer[0]
            Integer[1, 65535]: Integer[1, 65535]
            Boolean[true]: Boolean
            Enum['a']: String[1]
            Enum['on', 'off']: Enum['off', 'on']
            Enum['alpha', 'beta', 'gamma', 'delta']: String[1]
            String[3, 9]: String[1]
            Array[Enum['a', 'b'], 2, 2]: Array[String]
            Array[String, 1]: Array[String, 1]
            Array[0, 0]: Array
            Tuple[Integer[1, 1], String[2]]: Array[Variant[Integer, String]]
            Struct[{'a' => Integer[1, 1], 'b' => Integer[2, 2]}]: Hash[String, Integer]
            Hash[String[1], Array[Integer[1, 2]]]: Hash[String, Array]
            Optional[Struct[{'a' => Integer, 'bcd' => Hash[String, Array[String]]}]]: Optional[Hash]
            Variant[Integer[1, 1], Integer[3, 3], Undef]: Optional[Integer]
            Hash[String, Hash[String, Hash[String, Integer]]]: Hash[String, Hash]
            Variant[Hash[String, Hash[String, Hash[String, Integer]]], Regexp]: nothing
            Any: nothing
            Optional[NotUndef]: nothing
            Array[NotUndef]: Array
        "#]]
        .assert_eq(&lines.concat());
    }
}
