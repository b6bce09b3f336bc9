//! Normalization: rewrites a type to its simplest form, as Puppet does.

use std::sync::Arc;

use super::{
    CallableType, EnumType, InitType, StructElement, StructType, TimeRange, TupleType, Type,
    assignable,
};

/// Normalizes a type as Puppet does.
pub fn normalize(ty: &Type) -> Type {
    match ty {
        // Puppet drops the size here.
        Type::Collection(_) => Type::Collection(None),
        Type::Array(it) if it.element().is_any() => Type::any_array(),
        Type::Array(it) => Type::array(normalize(it.element()), it.size()),
        Type::Hash(it) if it.is_default() || it.is_empty_hash() => ty.clone(),
        Type::Hash(it) => Type::hash(normalize(it.key()), normalize(it.value()), it.size()),
        Type::Tuple(it) => Type::Tuple(Arc::new(tuple(it))),
        Type::Struct(it) => {
            let element = |it: &StructElement| StructElement {
                name: Arc::clone(&it.name),
                key: it.key,
                value: normalize(&it.value),
            };
            let elements: Vec<StructElement> = it.elements().iter().map(element).collect();
            Type::Struct(Arc::new(StructType::new(elements)))
        }
        Type::Optional(Some(inner)) => optional(normalize(inner)),
        Type::NotUndef(Some(inner)) => not_undef(normalize(inner)),
        Type::Type(Some(inner)) => Type::type_of(normalize(inner)),
        Type::Iterable(Some(inner)) => Type::iterable_of(normalize(inner)),
        Type::Iterator(Some(inner)) => Type::iterator_of(normalize(inner)),
        // The inner type is generalized again only if it changes.
        Type::Sensitive(inner) => match normalize(inner) {
            same if same == **inner => ty.clone(),
            normal => Type::sensitive(&normal),
        },
        Type::Callable(it) => Type::Callable(Arc::new(CallableType::new(
            it.params().map(|params| Arc::new(tuple(params))),
            it.block().map(normalize),
            it.returns().map(normalize),
        ))),
        Type::Init(Some(it)) => Type::Init(Some(Arc::new(InitType {
            inner: normalize(&it.inner),
            args: Arc::clone(&it.args),
        }))),
        Type::Variant(types) if !types.is_empty() => variant(ty, types),
        _ => ty.clone(),
    }
}

fn tuple(ty: &TupleType) -> TupleType {
    let types: Vec<Type> = ty.types().iter().map(normalize).collect();
    TupleType::new(types, ty.size())
}

/// `Optional` of a normalized type.
fn optional(inner: Type) -> Type {
    match inner {
        Type::NotUndef(None) => Type::Optional(None),
        Type::NotUndef(Some(inner)) => normalize(&Type::Optional(Some(inner))),
        inner if assignable(&inner, &Type::Undef) => inner,
        inner => Type::optional(inner),
    }
}

/// `NotUndef` of a normalized type.
fn not_undef(inner: Type) -> Type {
    match inner {
        Type::Optional(None) | Type::Any => Type::NotUndef(None),
        Type::Optional(Some(inner)) => normalize(&Type::not_undef((*inner).clone())),
        inner if !assignable(&inner, &Type::Undef) => inner,
        inner => Type::not_undef(inner),
    }
}

fn variant(whole: &Type, given: &[Type]) -> Type {
    let types: Vec<Type> = given.iter().map(normalize).collect();
    let modified = types != given;
    if let [only] = &types[..] {
        return only.clone();
    }
    if types
        .iter()
        .any(|it| matches!(it, Type::Undef | Type::Optional(_)))
    {
        return without_undef(types);
    }
    let flat = flatten(types);
    let before = flat.len();
    let merged = merge(flat);
    match &merged[..] {
        [only] => only.clone(),
        _ if modified || merged.len() != before => Type::variant(merged),
        _ => whole.clone(),
    }
}

/// Hoists `Undef` and `Optional` out of the alternatives into one enclosing `Optional`.
fn without_undef(types: Vec<Type>) -> Type {
    let defined = types.into_iter().filter_map(|it| match it {
        Type::Undef => None,
        Type::Optional(Some(inner)) => Some((*inner).clone()),
        Type::Optional(None) => Some(Type::Undef),
        it => Some(it),
    });
    normalize(&Type::optional(Type::variant(defined)))
}

fn flatten(types: Vec<Type>) -> Vec<Type> {
    let mut flat = Vec::with_capacity(types.len());
    for ty in types {
        match ty {
            Type::Variant(inner) => flat.extend(inner.iter().cloned()),
            ty => flat.push(ty),
        }
    }
    flat
}

/// Merges alternatives of the same kind, in Puppet's order of kinds.
fn merge(types: Vec<Type>) -> Vec<Type> {
    let types = merge_not_undefs(types);
    let types = merge_enums(types);
    let types = merge_patterns(types);
    let types = merge_versions(types);
    let types = merge_ranges(types, |a, b| match (a, b) {
        (Type::Integer(a), Type::Integer(b)) => Some(a.merge(*b).map(Type::Integer)),
        _ => None,
    });
    let types = merge_ranges(types, |a, b| match (a, b) {
        (Type::Float(a), Type::Float(b)) => Some(a.merge(*b).map(Type::Float)),
        _ => None,
    });
    let types = merge_ranges(types, |a, b| match (a, b) {
        (Type::Timespan(a), Type::Timespan(b)) => Some(times(a, b).map(Type::Timespan)),
        _ => None,
    });
    merge_ranges(types, |a, b| match (a, b) {
        (Type::Timestamp(a), Type::Timestamp(b)) => Some(times(a, b).map(Type::Timestamp)),
        _ => None,
    })
}

/// Returns the union of two ranges that overlap. Puppet raises an error if they do not.
fn times(a: &TimeRange, b: &TimeRange) -> Option<TimeRange> {
    a.intersection(b).map(|_| a.hull(b))
}

/// Removes the types matched by `pick` and appends the result of `join`, if there are at least two
/// of them.
fn gather(
    types: Vec<Type>,
    pick: impl Fn(&Type) -> bool,
    join: impl FnOnce(Vec<Type>) -> Type,
) -> Vec<Type> {
    if types.iter().filter(|it| pick(it)).count() < 2 {
        return types;
    }
    let (picked, mut others): (Vec<Type>, Vec<Type>) = types.into_iter().partition(pick);
    others.push(join(picked));
    others
}

fn merge_not_undefs(types: Vec<Type>) -> Vec<Type> {
    gather(
        types,
        |it| matches!(it, Type::NotUndef(_)),
        |picked| {
            let inner = picked.iter().map(|it| match it {
                Type::NotUndef(Some(inner)) => (**inner).clone(),
                _ => Type::Any,
            });
            Type::not_undef(normalize(&Type::variant(inner)))
        },
    )
}

fn merge_enums(types: Vec<Type>) -> Vec<Type> {
    let exact = |ty: &Type| match ty {
        Type::Enum(it) => !it.values().is_empty() && !it.case_insensitive(),
        Type::String(it) => it.value().is_some(),
        _ => false,
    };
    let types = gather(types, exact, |picked| {
        Type::enumeration(picked.iter().flat_map(strings))
    });
    let folded = |ty: &Type| match ty {
        Type::Enum(it) => !it.values().is_empty() && it.case_insensitive(),
        _ => false,
    };
    gather(types, folded, |picked| {
        let lower = picked
            .iter()
            .flat_map(strings)
            .map(|it| it.to_lowercase().into());
        Type::Enum(Arc::new(EnumType::new(lower, true)))
    })
}

/// Returns the strings of a type that is a finite set of strings.
pub(super) fn strings(ty: &Type) -> Vec<Arc<str>> {
    match ty {
        Type::Enum(it) => it.values().to_vec(),
        Type::String(it) => it.value().into_iter().cloned().collect(),
        _ => Vec::new(),
    }
}

fn merge_patterns(types: Vec<Type>) -> Vec<Type> {
    gather(
        types,
        |it| matches!(it, Type::Pattern(_)),
        |picked| {
            let patterns = picked.iter().flat_map(|it| match it {
                Type::Pattern(patterns) => patterns.to_vec(),
                _ => Vec::new(),
            });
            Type::pattern(patterns)
        },
    )
}

fn merge_versions(types: Vec<Type>) -> Vec<Type> {
    if types
        .iter()
        .filter(|it| matches!(it, Type::SemVer(_)))
        .count()
        < 2
    {
        return types;
    }
    let (picked, others): (Vec<Type>, Vec<Type>) = types
        .into_iter()
        .partition(|it| matches!(it, Type::SemVer(_)));
    let ranges = picked.iter().flat_map(|it| match it {
        Type::SemVer(ranges) => ranges.to_vec(),
        _ => Vec::new(),
    });
    let mut merged = vec![Type::sem_ver(ranges.collect())];
    merged.extend(others);
    merged
}

/// Merges adjacent and overlapping ranges in Puppet's order: the last range absorbs the earlier
/// ones in turn, and so on with those that remain. `join` returns `None` for types of another kind,
/// and otherwise the merged type, if there is one.
fn merge_ranges(
    types: Vec<Type>,
    join: impl Fn(&Type, &Type) -> Option<Option<Type>>,
) -> Vec<Type> {
    if types.iter().filter(|it| join(it, it).is_some()).count() < 2 {
        return types;
    }
    let (mut ranges, others): (Vec<Type>, Vec<Type>) =
        types.into_iter().partition(|it| join(it, it).is_some());
    let mut result = Vec::new();
    while let Some(mut merged) = ranges.pop() {
        let mut unmerged = Vec::new();
        for range in ranges {
            match join(&merged, &range).flatten() {
                Some(wider) => merged = wider,
                None => unmerged.push(range),
            }
        }
        result.push(merged);
        ranges = unmerged;
    }
    result.extend(others);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IntRange, display};

    fn normal(types: impl IntoIterator<Item = Type>) -> String {
        display(&normalize(&Type::variant(types)))
    }

    #[test]
    fn hoists_undef_out_of_variants() {
        let range = |a, b| Type::Integer(IntRange::between(a, b));
        let types = [Type::optional(range(1, 2)), range(3, 5), Type::STRING];
        assert_eq!(normal(types), "Optional[Variant[Integer[1, 5], String]]");
        assert_eq!(display(&normalize(&Type::optional(data()))), "Data");
    }

    fn data() -> Type {
        crate::data()
    }

    #[test]
    fn merges_strings_into_one_enum() {
        let types = [
            Type::string_value("b"),
            Type::INTEGER,
            Type::enumeration(["a"]),
        ];
        assert_eq!(normal(types), "Variant[Integer, Enum['a', 'b']]");
    }

    #[test]
    fn drops_redundant_not_undef() {
        assert_eq!(
            display(&normalize(&Type::not_undef(Type::STRING))),
            "String"
        );
        let optional = Type::not_undef(Type::optional(Type::STRING));
        assert_eq!(display(&normalize(&optional)), "String");
    }
}
