//! Subsets of a type's values by a predicate: the values that are equal to others, less or greater
//! than them, elements of a collection, of a given size, or with a part of a given type. Pure
//! functions of types.
//!
//! `None` means that there is no such value. The results are upper bounds: they may contain further
//! values, but never lack one. Equality follows `compare_operator.rb`: strings are compared
//! ignoring ASCII case, numbers by value, times like numbers.

use crate::access;
use crate::flow::PathSegment;
use crate::inferred::{FALSY, Inferred};
use crate::operators::{alternatives, hash_parts, is_string, size_of, union_of_many};
use crate::time_operators::time_types;
use types::precise::{difference, intersection, union, within};
use types::values::Value;
use types::{
    FloatRange, HashType, IntRange, StructElement, StructType, TupleType, Type, is_resolved,
};

/// The maximum number of elements of an array that are considered individually; beyond it, only
/// their kinds are.
const MAX_ELEMENTS: usize = 256;

/// Applies `keep` to each alternative; `None` if it keeps none.
fn each(type_: &Type, keep: impl Fn(&Type) -> Option<Type>) -> Option<Type> {
    let all = alternatives(type_);
    let kept: Vec<Option<Type>> = all.iter().map(keep).collect();
    let same = kept
        .iter()
        .zip(&all)
        .all(|(kept, it)| kept.as_ref() == Some(it));
    if same {
        return Some(type_.clone());
    }
    let kept: Vec<Type> = kept.into_iter().flatten().collect();
    (!kept.is_empty()).then(|| union(kept))
}

/// Returns the values that are truthy or falsy.
pub(crate) fn filter_by_truth(type_: &Type, holds: bool) -> Option<Type> {
    filter_by_type(type_, &FALSY, !holds)
}

/// Returns the values that are, or are not, of another type.
pub(crate) fn filter_by_type(type_: &Type, other: &Type, holds: bool) -> Option<Type> {
    if holds {
        intersection(type_, other)
    } else {
        difference(type_, other)
    }
}

/// Bounds on a set of values: `upper` is an upper bound and `lower` a lower bound, where they are
/// known.
pub(crate) struct ValueBounds {
    /// A type that contains all values of the set.
    pub(crate) upper: Option<Type>,
    /// A type whose values are all in the set.
    pub(crate) lower: Option<Type>,
}

impl ValueBounds {
    /// Unknown bounds.
    pub(crate) const UNKNOWN: ValueBounds = ValueBounds {
        upper: None,
        lower: None,
    };

    /// Returns the bounds for an inferred type: those of its value, or else the upper bound of its
    /// type.
    fn of(
        inferred: &Inferred,
        of_value: impl Fn(&Value) -> ValueBounds,
        upper: impl Fn(&Type) -> Option<Type>,
    ) -> ValueBounds {
        match &inferred.value {
            Some(value) => of_value(value),
            None => ValueBounds {
                upper: upper(&inferred.type_),
                lower: None,
            },
        }
    }

    /// Returns the set of the values of a type.
    pub(crate) fn exactly(type_: Type) -> ValueBounds {
        ValueBounds {
            upper: Some(type_.clone()),
            lower: Some(type_),
        }
    }

    /// Returns a subset of the values of a type.
    pub(crate) fn at_most(type_: Type) -> ValueBounds {
        ValueBounds {
            upper: Some(type_),
            lower: None,
        }
    }
}

/// Returns the values that are, or are not, in a set.
pub(crate) fn filter_by_bounds(type_: &Type, set: &ValueBounds, holds: bool) -> Option<Type> {
    let known = if holds { &set.upper } else { &set.lower };
    match known {
        Some(known) => filter_by_type(type_, known, holds),
        None => Some(type_.clone()),
    }
}

// ---- equality --------------------------------------------------------------------

/// Returns the set of values equal to a value of an inferred type.
pub(crate) fn equal_values(other: &Inferred) -> ValueBounds {
    ValueBounds::of(other, values_equal_to, types_equal_to)
}

/// Returns the set of values equal to a constant.
pub(crate) fn values_equal_to(value: &Value) -> ValueBounds {
    match value {
        Value::Undef => ValueBounds::exactly(Type::Undef),
        Value::Default => ValueBounds::exactly(Type::Default),
        Value::Boolean(it) => ValueBounds::exactly(Type::Boolean(Some(*it))),
        Value::String(it) => ValueBounds::exactly(case_variants([it.to_string()])),
        Value::Integer(it) => {
            #[expect(
                clippy::cast_precision_loss,
                reason = "it is checked that there is no loss"
            )]
            let float = *it as f64;
            let same = (FloatRange::exactly(float), is_same(*it, float));
            let float = same.1.then_some(Type::Float(same.0));
            equal_numbers([Type::integer_value(*it)].into_iter().chain(float))
        }
        Value::Float(it) if it.is_finite() => {
            #[expect(clippy::cast_possible_truncation, reason = "it is checked")]
            let integer = *it as i64;
            let same = is_same(integer, *it).then_some(Type::integer_value(integer));
            let float = Type::Float(FloatRange::exactly(*it));
            equal_numbers([float].into_iter().chain(same))
        }
        Value::Regexp(it) => ValueBounds::exactly(Type::Regexp(Some(it.clone()))),
        Value::Array(items) => equal_array(items),
        Value::Hash(entries) => {
            let size = IntRange::exactly_len(entries.len());
            let type_ = Type::hash(Type::Any, Type::Any, Some(size));
            if entries.is_empty() {
                ValueBounds::exactly(Type::empty_hash())
            } else {
                ValueBounds::at_most(type_)
            }
        }
        Value::Type(_) => ValueBounds::at_most(Type::Type(None)),
        _ => ValueBounds::UNKNOWN,
    }
}

fn equal_numbers(numbers: impl Iterator<Item = Type>) -> ValueBounds {
    let numbers: Vec<Type> = numbers.collect();
    ValueBounds {
        upper: Some(union(numbers.iter().cloned().chain(time_types()))),
        lower: Some(union(numbers)),
    }
}

fn is_same(integer: i64, float: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
    let back = float as i128;
    #[expect(clippy::float_cmp, reason = "it is about just that")]
    let is_integer = float.trunc() == float;
    is_integer && back == i128::from(integer)
}

fn equal_array(items: &[Value]) -> ValueBounds {
    if items.is_empty() {
        return ValueBounds::exactly(Type::empty_array());
    }
    let size = Some(IntRange::exactly_len(items.len()));
    if items.len() > MAX_ELEMENTS {
        return ValueBounds::at_most(Type::array(Type::Any, size));
    }
    tuple_of(items.iter().map(values_equal_to))
}

/// Returns the set of arrays whose elements are in these sets, by position.
fn tuple_of(sets: impl Iterator<Item = ValueBounds>) -> ValueBounds {
    let (upper, lower): (Vec<_>, Vec<_>) = sets.map(|it| (it.upper, it.lower)).unzip();
    let upper: Vec<Type> = upper
        .into_iter()
        .map(|it| it.unwrap_or(Type::Any))
        .collect();
    let lower: Option<Vec<Type>> = lower.into_iter().collect();
    ValueBounds {
        upper: Some(Type::tuple(upper, None)),
        lower: lower.map(|it| Type::tuple(it, None)),
    }
}

/// Returns the type of strings that are equal to one of these, ignoring case.
fn case_variants(texts: impl IntoIterator<Item = String>) -> Type {
    let mut texts: Vec<String> = texts
        .into_iter()
        .map(|it| it.to_ascii_lowercase())
        .collect();
    texts.dedup();
    match texts.as_slice() {
        [only] if !only.bytes().any(|it| it.is_ascii_alphabetic()) => {
            Type::string_value(only.as_str())
        }
        _ => Type::enumeration_any_case(texts),
    }
}

/// The number of alternatives above which a type is widened before they are considered
/// individually.
const MAX_ALTERNATIVES: usize = 64;

/// Widens a type with too many alternatives.
pub(crate) fn bounded(type_: &Type) -> Type {
    match type_ {
        Type::Variant(all) if all.len() > MAX_ALTERNATIVES => union_of_many(all.iter().cloned()),
        other => other.clone(),
    }
}

/// Returns a type that contains all values equal to some value of a type; `None` if these can be
/// any values.
fn types_equal_to(type_: &Type) -> Option<Type> {
    let all = alternatives(&bounded(type_)).into_iter().map(|it| {
        Some(match &it {
            Type::Undef | Type::Default | Type::Boolean(_) => it,
            Type::Integer(range) => {
                #[expect(clippy::cast_precision_loss, reason = "rounding keeps the order")]
                let float = |it: Option<i64>| it.map(|it| it as f64);
                numbers(
                    *range,
                    FloatRange::new(float(range.min()), float(range.max())),
                )
            }
            Type::Float(range) => {
                let min = range.min().map(f64::ceil).and_then(exact_integer);
                let max = range.max().map(f64::floor).and_then(exact_integer);
                let integers = IntRange::new(min, max);
                match integers {
                    Some(integers) => numbers(integers, Some(*range)),
                    None => union([it].into_iter().chain(time_types())),
                }
            }
            Type::Timespan(_) | Type::Timestamp(_) => {
                union(time_types().into_iter().chain([Type::Numeric]))
            }
            Type::String(it) => match it.value() {
                Some(text) => case_variants([text.to_string()]),
                None if it.size() == IntRange::SIZE => Type::STRING,
                None => Type::string_sized(it.size()),
            },
            Type::Enum(it) => case_variants(it.values().iter().map(ToString::to_string)),
            Type::Pattern(_) => Type::STRING,
            Type::Array(_) | Type::Tuple(_) => Type::array(Type::Any, Some(size_of(&it))),
            Type::Hash(_) | Type::Struct(_) => Type::hash(Type::Any, Type::Any, Some(size_of(&it))),
            Type::Regexp(_) | Type::Type(None) => it,
            _ => return None,
        })
    });
    all.collect::<Option<Vec<Type>>>().map(union)
}

fn numbers(integers: IntRange, floats: Option<FloatRange>) -> Type {
    let floats = floats.map_or(Type::FLOAT, Type::Float);
    union(
        [Type::Integer(integers), floats]
            .into_iter()
            .chain(time_types()),
    )
}

/// Converts a float to an integer, if it is exactly representable.
fn exact_integer(float: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "it is checked")]
    let integer = float as i64;
    is_same(integer, float).then_some(integer)
}

// ---- order -----------------------------------------------------------------------

/// A comparison by order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OrderPredicate {
    /// Whether the values are less than the others, rather than greater.
    pub(crate) is_less: bool,
    /// Whether they may be equal.
    pub(crate) or_equal: bool,
    /// Whether they are the right operand.
    pub(crate) is_right_operand: bool,
}

/// Returns the values that compare in this order with some value of another type. Kinds for which
/// Puppet fails are excluded.
pub(crate) fn filter_by_order(type_: &Type, order: OrderPredicate, other: &Type) -> Option<Type> {
    let others = alternatives(other);
    let any = |wanted: fn(&Type) -> bool| {
        others
            .iter()
            .any(|it| wanted(it) || may_have_several_kinds(it))
    };
    let (texts, numbers) = (any(is_string), any(is_number));
    // A type as left operand can be compared with any value.
    let types = order.is_right_operand && any(|it| matches!(it, Type::Type(_)));
    let bound = bound(&others, order.is_less);
    each(type_, |it| match it {
        Type::Integer(range) if numbers || types => match bound {
            Some(bound) => cut_integers(*range, order, bound).map(Type::Integer),
            None => Some(it.clone()),
        },
        Type::Float(range) if numbers || types => match bound {
            Some(bound) => cut_floats(*range, order, bound).map(Type::Float),
            None => Some(it.clone()),
        },
        it if is_string(it) && (texts || types) => Some(it.clone()),
        it if is_string(it) || matches!(it, Type::Integer(_) | Type::Float(_)) => None,
        Type::Undef
        | Type::Boolean(_)
        | Type::Regexp(_)
        | Type::Array(_)
        | Type::Tuple(_)
        | Type::Hash(_)
        | Type::Struct(_)
            if !types =>
        {
            None
        }
        it => Some(it.clone()),
    })
}

fn is_number(type_: &Type) -> bool {
    matches!(
        type_,
        Type::Integer(_) | Type::Float(_) | Type::Timespan(_) | Type::Timestamp(_)
    )
}

/// Checks whether a type may have values of several kinds.
fn may_have_several_kinds(type_: &Type) -> bool {
    !is_string(type_)
        && !is_number(type_)
        && !matches!(
            type_,
            Type::Undef
                | Type::Default
                | Type::Boolean(_)
                | Type::Regexp(_)
                | Type::Array(_)
                | Type::Tuple(_)
                | Type::Hash(_)
                | Type::Struct(_)
                | Type::Type(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Sensitive(_)
                | Type::Binary
        )
}

/// A bound of a numeric range.
#[derive(Clone, Copy)]
enum Bound {
    Integer(i64),
    Float(f64),
}

impl Bound {
    #[expect(clippy::cast_precision_loss, reason = "rounding keeps the order")]
    fn float(self) -> f64 {
        match self {
            Bound::Integer(it) => it as f64,
            Bound::Float(it) => it,
        }
    }
}

/// Returns the largest or the smallest number of the types; `None` if there is no bound or they are
/// not all numeric.
fn bound(types: &[Type], largest: bool) -> Option<Bound> {
    let ends = types.iter().map(|it| match it {
        Type::Integer(it) => {
            let end = if largest { it.max() } else { it.min() };
            end.map(Bound::Integer)
        }
        Type::Float(it) => {
            let end = if largest { it.max() } else { it.min() };
            end.map(Bound::Float)
        }
        _ => None,
    });
    let ends: Option<Vec<Bound>> = ends.collect();
    ends?.into_iter().reduce(|a, b| {
        if (a.float() < b.float()) == largest {
            b
        } else {
            a
        }
    })
}

fn cut_integers(range: IntRange, order: OrderPredicate, bound: Bound) -> Option<IntRange> {
    let end = match (bound, order.is_less, order.or_equal) {
        (Bound::Integer(it), _, true) => Some(it),
        (Bound::Integer(it), true, false) => Some(it.checked_sub(1)?),
        (Bound::Integer(it), false, false) => Some(it.checked_add(1)?),
        (Bound::Float(it), true, true) => exact_integer(it.floor()),
        (Bound::Float(it), true, false) => {
            exact_integer(it.ceil()).and_then(|it| it.checked_sub(1))
        }
        (Bound::Float(it), false, true) => exact_integer(it.ceil()),
        (Bound::Float(it), false, false) => {
            exact_integer(it.floor()).and_then(|it| it.checked_add(1))
        }
    };
    let Some(end) = end else {
        return Some(range);
    };
    let allowed = if order.is_less {
        IntRange::new(None, Some(end))
    } else {
        IntRange::new(Some(end), None)
    };
    range.intersection(allowed?)
}

fn cut_floats(range: FloatRange, order: OrderPredicate, bound: Bound) -> Option<FloatRange> {
    let end = Some(bound.float());
    let allowed = if order.is_less {
        FloatRange::new(None, end)
    } else {
        FloatRange::new(end, None)
    };
    match allowed {
        Some(allowed) => range.intersection(allowed),
        None => Some(range),
    }
}

// ---- sizes -----------------------------------------------------------------------

/// Returns the values of this size. Types without a size are unchanged.
pub(crate) fn filter_by_size(type_: &Type, size: IntRange) -> Option<Type> {
    let sized = Type::variant([
        Type::array(Type::Any, Some(size)),
        Type::hash(Type::Any, Type::Any, Some(size)),
        Type::string_sized(size),
    ]);
    each(type_, |it| match it {
        Type::String(text) if size.max() == Some(0) => {
            text.size().contains(0).then(|| Type::string_value(""))
        }
        Type::String(_)
        | Type::Enum(_)
        | Type::Pattern(_)
        | Type::Array(_)
        | Type::Tuple(_)
        | Type::Hash(_)
        | Type::Struct(_)
        | Type::Collection(_) => intersection(it, &sized),
        _ => Some(it.clone()),
    })
}

/// Returns the values for which the function `empty` returns `holds`.
pub(crate) fn filter_by_emptiness(type_: &Type, holds: bool) -> Option<Type> {
    let size = if holds {
        IntRange::exactly(0)
    } else {
        IntRange::NOT_EMPTY
    };
    let sized = filter_by_size(type_, size)?;
    each(&sized, |it| match it {
        // `empty` rejects other values, and accepts numbers and undef only with a deprecation
        // warning.
        Type::Undef => holds.then(|| it.clone()),
        Type::Integer(_) | Type::Float(_) => (!holds).then(|| it.clone()),
        Type::Boolean(_) | Type::Default | Type::Regexp(_) => None,
        _ => Some(it.clone()),
    })
}

// ---- options and membership ------------------------------------------------------

/// Returns the set of values that match an option of an inferred type.
pub(crate) fn matching_values(option: &Inferred) -> ValueBounds {
    ValueBounds::of(option, values_matching, types_matching)
}

fn values_matching(option: &Value) -> ValueBounds {
    match option {
        Value::Regexp(it) => ValueBounds::exactly(Type::pattern([it.clone()])),
        Value::Type(it) if is_resolved(it) => ValueBounds::exactly(it.clone()),
        Value::Type(_) => ValueBounds::UNKNOWN,
        Value::Default => ValueBounds::exactly(Type::Any),
        Value::SemVer(_) | Value::SemVerRange(_) => ValueBounds::at_most(texts_and_versions()),
        Value::Array(items) if items.len() <= MAX_ELEMENTS && !items.is_empty() => {
            tuple_of(items.iter().map(values_matching))
        }
        Value::Hash(_) => ValueBounds::at_most(Type::any_hash()),
        other => values_equal_to(other),
    }
}

fn types_matching(type_: &Type) -> Option<Type> {
    let all = alternatives(type_).into_iter().map(|it| match it {
        Type::Regexp(_) => Some(Type::STRING),
        Type::SemVer(_) | Type::SemVerRange => Some(texts_and_versions()),
        Type::Hash(_) | Type::Struct(_) => Some(Type::any_hash()),
        Type::Default | Type::Type(_) => None,
        other => types_equal_to(&other),
    });
    all.collect::<Option<Vec<Type>>>().map(union)
}

fn texts_and_versions() -> Type {
    Type::variant([Type::STRING, Type::sem_ver(Vec::new())])
}

/// Returns the set of the elements of a container of an inferred type.
pub(crate) fn member_values(container: &Inferred) -> ValueBounds {
    match &container.value {
        Some(Value::Array(items)) => element_values(items.iter(), items.len()),
        Some(Value::Hash(entries)) => element_values(entries.keys(), entries.len()),
        Some(Value::SemVerRange(_)) => ValueBounds::at_most(texts_and_versions()),
        Some(Value::String(text)) => substrings(text),
        Some(_) => ValueBounds::UNKNOWN,
        None => ValueBounds {
            upper: member_types(&container.type_),
            lower: None,
        },
    }
}

/// Returns the set of values in a string: its substrings, and regular expressions that match it.
fn substrings(text: &str) -> ValueBounds {
    let longest = IntRange::exactly(0).hull(IntRange::exactly_len(text.chars().count()));
    // Other characters may become several when their case is changed.
    let parts = if text.is_ascii() {
        Type::string_sized(longest)
    } else {
        Type::STRING
    };
    ValueBounds {
        upper: Some(Type::variant([parts, Type::Regexp(None)])),
        lower: Some(Type::string_value("")),
    }
}

fn element_values<'a>(items: impl Iterator<Item = &'a Value>, count: usize) -> ValueBounds {
    if count > MAX_ELEMENTS {
        return ValueBounds::UNKNOWN;
    }
    let mut texts = Vec::new();
    let mut upper = Some(Vec::new());
    let mut lower = Vec::new();
    for item in items {
        let equal = values_equal_to(item);
        // Strings and versions match an element like an option; other values must be equal to it.
        let matched = values_matching(item);
        if let Value::String(text) = item {
            texts.push(text.to_string());
        } else {
            lower.extend(equal.lower.filter(|_| !matches!(item, Value::Regexp(_))));
            lower.extend(matched.lower.and_then(|it| {
                let strings = matches!(it, Type::Any).then_some(Type::STRING);
                strings.or_else(|| within_texts(&it).then_some(it))
            }));
            let matched = matched.upper.as_ref().unwrap_or(&Type::Any);
            let matched = intersection(matched, &texts_and_versions());
            upper = upper.zip(equal.upper).map(|(mut all, equal)| {
                all.extend(matched.into_iter().chain([equal]));
                all
            });
        }
    }
    if !texts.is_empty() {
        let texts = case_variants(texts);
        lower.push(texts.clone());
        if let Some(upper) = &mut upper {
            // A regular expression is in an array if it matches one of its strings.
            upper.extend([texts, Type::Regexp(None)]);
        }
    }
    if let Some(upper) = &mut upper {
        // A type is in an array if one of the elements is an instance of it.
        upper.push(Type::Type(None));
    }
    ValueBounds {
        upper: upper.map(union),
        lower: (!lower.is_empty()).then(|| union(lower)),
    }
}

fn within_texts(type_: &Type) -> bool {
    within(type_, &Type::STRING)
}

fn member_types(type_: &Type) -> Option<Type> {
    let all = alternatives(type_).into_iter().map(|it| {
        let element = match &it {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => {
                return Some(Type::variant([Type::STRING, Type::Regexp(None)]));
            }
            Type::Array(it) => it.element().clone(),
            Type::Tuple(it) => union(it.types().iter().cloned()),
            Type::Hash(_) | Type::Struct(_) => hash_parts(&it).0,
            Type::Undef | Type::Boolean(_) | Type::Integer(_) | Type::Float(_) | Type::Default => {
                return Some(Type::variant([]));
            }
            Type::SemVerRange => return Some(texts_and_versions()),
            _ => return None,
        };
        let equal = types_equal_to(&element)?;
        let matched = match types_matching(&element) {
            Some(matched) => intersection(&matched, &texts_and_versions()),
            None => Some(texts_and_versions()),
        };
        let others = [Type::Type(None), Type::Regexp(None)];
        Some(union([equal].into_iter().chain(matched).chain(others)))
    });
    all.collect::<Option<Vec<Type>>>().map(union)
}

// ---- parts -----------------------------------------------------------------------

/// Returns the values whose part at a path is of a type. `undef_propagates` states whether
/// intermediate parts may be missing, as in `dig`.
pub(crate) fn filter_by_part(
    type_: &Type,
    path: &[PathSegment],
    part: &Type,
    undef_propagates: bool,
) -> Option<Type> {
    let Some((key, rest)) = path.split_first() else {
        return intersection(type_, part);
    };
    let may_be_undef = intersection(part, &Type::Undef).is_some();
    // Whether the key may be missing.
    let may_be_absent = may_be_undef && (rest.is_empty() || undef_propagates);
    each(type_, |it| match it {
        Type::Undef => (undef_propagates && may_be_undef).then_some(Type::Undef),
        Type::Boolean(_) | Type::Default | Type::Float(_) | Type::Regexp(_) => None,
        Type::Struct(all) => in_struct(all, key, may_be_absent, |it| {
            filter_by_part(it, rest, part, undef_propagates)
        }),
        Type::Hash(all) => in_hash(all, key, may_be_absent, |it| {
            filter_by_part(it, rest, part, undef_propagates)
        }),
        Type::Tuple(_) | Type::Array(_) => in_list(it, key, may_be_absent, |it| {
            filter_by_part(it, rest, part, undef_propagates)
        }),
        other => Some(other.clone()),
    })
}

fn in_struct(
    all: &StructType,
    key: &PathSegment,
    may_be_absent: bool,
    narrow: impl Fn(&Type) -> Option<Type>,
) -> Option<Type> {
    let exact_integer = Type::Struct(all.clone().into());
    let name = match key {
        PathSegment::Name(name) => name.as_str(),
        PathSegment::Index(_) => return may_be_absent.then_some(exact_integer),
    };
    let Some(element) = all.get(name) else {
        return may_be_absent.then_some(exact_integer);
    };
    let keep_optional = element.is_optional() && may_be_absent;
    let changed = match narrow(&element.value) {
        Some(value) if keep_optional => Some(StructElement::optional(name, value)),
        Some(value) => Some(StructElement::required(name, value)),
        None if keep_optional => None,
        None => return None,
    };
    let elements = all.elements().iter().filter_map(|it| {
        if *it.name == *name {
            changed.clone()
        } else {
            Some(it.clone())
        }
    });
    let elements: Vec<StructElement> = elements.collect();
    Some(if elements.is_empty() {
        Type::empty_hash()
    } else {
        Type::structure(elements)
    })
}

fn in_hash(
    all: &HashType,
    key: &PathSegment,
    may_be_absent: bool,
    narrow: impl Fn(&Type) -> Option<Type>,
) -> Option<Type> {
    let exact_integer = || Type::Hash(all.clone().into());
    if may_be_absent {
        return Some(exact_integer());
    }
    let key = match key {
        PathSegment::Name(name) => Type::string_value(name.as_str()),
        PathSegment::Index(index) => Type::integer_value(*index),
    };
    intersection(all.key(), &key)?;
    narrow(all.value())?;
    filter_by_size(&exact_integer(), IntRange::NOT_EMPTY)
}

fn in_list(
    list: &Type,
    key: &PathSegment,
    may_be_absent: bool,
    narrow: impl Fn(&Type) -> Option<Type>,
) -> Option<Type> {
    let PathSegment::Index(index) = key else {
        // Puppet fails, or converts the key to a number.
        return Some(list.clone());
    };
    if may_be_absent {
        return Some(list.clone());
    }
    let needed = if *index >= 0 {
        index.checked_add(1)?
    } else {
        index.checked_neg()?
    };
    let long = filter_by_size(list, IntRange::at_least(needed))?;
    let element = match access::of_types(&long, &[Inferred::value(Value::Integer(*index))]) {
        access::AccessResult::Found(it) => it,
        _ => return None,
    };
    let element = narrow(&element)?;
    Some(match &long {
        Type::Tuple(tuple) => with_element(tuple, *index, element).unwrap_or(long),
        _ => long,
    })
}

/// Returns the tuple with a narrowed element.
fn with_element(tuple: &TupleType, index: i64, element: Type) -> Option<Type> {
    let index = usize::try_from(index).ok()?;
    let mut types = tuple.types().to_vec();
    // The last type applies to all further elements.
    let is_one = index + 1 < types.len() || tuple.size().is_none();
    *types.get_mut(index).filter(|_| is_one)? = element;
    Some(Type::tuple(types, tuple.size()))
}
