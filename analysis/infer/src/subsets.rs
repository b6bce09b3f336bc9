//! Subsets of a type's values by a predicate: the values that are equal to others, less or greater
//! than them, elements of a collection, of a given size, or with a part of a given type. Pure
//! functions of types.
//!
//! `None` means that there is no such value. The results are upper bounds: they may contain further
//! values, but never lack one. Equality follows `compare_operator.rb`: strings are compared
//! ignoring ASCII case, numbers by value, times like numbers.

use super::access;
use super::flow::Key;
use super::inferred::{FALSY, Inferred};
use super::operators::{alternatives, hash_parts, is_text, size_of, times, union_of_many};
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
pub(super) fn by_truth(type_: &Type, holds: bool) -> Option<Type> {
    by_type(type_, &FALSY, !holds)
}

/// Returns the values that are, or are not, of another type.
pub(super) fn by_type(type_: &Type, other: &Type, holds: bool) -> Option<Type> {
    if holds {
        intersection(type_, other)
    } else {
        difference(type_, other)
    }
}

/// Bounds on a set of values: `within` is an upper bound and `has` a lower bound, where they are
/// known.
pub(super) struct Set {
    /// A type that contains all values of the set.
    pub(super) within: Option<Type>,
    /// A type whose values are all in the set.
    pub(super) has: Option<Type>,
}

impl Set {
    /// Unknown bounds.
    pub(super) const UNKNOWN: Set = Set {
        within: None,
        has: None,
    };

    /// The set of the values of a type.
    pub(super) fn exactly(type_: Type) -> Set {
        Set {
            within: Some(type_.clone()),
            has: Some(type_),
        }
    }

    /// A subset of the values of a type.
    pub(super) fn at_most(type_: Type) -> Set {
        Set {
            within: Some(type_),
            has: None,
        }
    }
}

/// Returns the values that are, or are not, in a set.
pub(super) fn by_set(type_: &Type, set: &Set, holds: bool) -> Option<Type> {
    let known = if holds { &set.within } else { &set.has };
    match known {
        Some(known) => by_type(type_, known, holds),
        None => Some(type_.clone()),
    }
}

// ---- equality --------------------------------------------------------------------

/// Returns the set of values equal to a value of an inferred type.
pub(super) fn equal_to(other: &Inferred) -> Set {
    match &other.value {
        Some(value) => equal_to_value(value),
        None => Set {
            within: equal_to_some(&other.type_),
            has: None,
        },
    }
}

/// Returns the set of values equal to a constant.
pub(super) fn equal_to_value(value: &Value) -> Set {
    match value {
        Value::Undef => Set::exactly(Type::Undef),
        Value::Default => Set::exactly(Type::Default),
        Value::Boolean(it) => Set::exactly(Type::Boolean(Some(*it))),
        Value::String(it) => Set::exactly(any_case([it.to_string()])),
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
        Value::Regexp(it) => Set::exactly(Type::Regexp(Some(it.clone()))),
        Value::Array(items) => equal_array(items),
        Value::Hash(entries) => {
            let size = IntRange::exactly_len(entries.len());
            let type_ = Type::hash(Type::Any, Type::Any, Some(size));
            if entries.is_empty() {
                Set::exactly(Type::empty_hash())
            } else {
                Set::at_most(type_)
            }
        }
        Value::Type(_) => Set::at_most(Type::Type(None)),
        _ => Set::UNKNOWN,
    }
}

fn equal_numbers(numbers: impl Iterator<Item = Type>) -> Set {
    let numbers: Vec<Type> = numbers.collect();
    Set {
        within: Some(union(numbers.iter().cloned().chain(times()))),
        has: Some(union(numbers)),
    }
}

fn is_same(integer: i64, float: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
    let back = float as i128;
    #[expect(clippy::float_cmp, reason = "it is about just that")]
    let whole = float.trunc() == float;
    whole && back == i128::from(integer)
}

fn equal_array(items: &[Value]) -> Set {
    if items.is_empty() {
        return Set::exactly(Type::empty_array());
    }
    let size = Some(IntRange::exactly_len(items.len()));
    if items.len() > MAX_ELEMENTS {
        return Set::at_most(Type::array(Type::Any, size));
    }
    tuple_of(items.iter().map(equal_to_value))
}

/// Returns the set of arrays whose elements are in these sets, by position.
fn tuple_of(sets: impl Iterator<Item = Set>) -> Set {
    let (within, has): (Vec<_>, Vec<_>) = sets.map(|it| (it.within, it.has)).unzip();
    let within: Vec<Type> = within
        .into_iter()
        .map(|it| it.unwrap_or(Type::Any))
        .collect();
    let has: Option<Vec<Type>> = has.into_iter().collect();
    Set {
        within: Some(Type::tuple(within, None)),
        has: has.map(|it| Type::tuple(it, None)),
    }
}

/// Returns the type of strings that are equal to one of these, ignoring case.
fn any_case(texts: impl IntoIterator<Item = String>) -> Type {
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
pub(super) fn bounded(type_: &Type) -> Type {
    match type_ {
        Type::Variant(all) if all.len() > MAX_ALTERNATIVES => union_of_many(all.iter().cloned()),
        other => other.clone(),
    }
}

/// Returns a type that contains all values equal to some value of a type; `None` if these can be
/// any values.
fn equal_to_some(type_: &Type) -> Option<Type> {
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
                let min = range.min().map(f64::ceil).and_then(whole);
                let max = range.max().map(f64::floor).and_then(whole);
                let integers = IntRange::new(min, max);
                match integers {
                    Some(integers) => numbers(integers, Some(*range)),
                    None => union([it].into_iter().chain(times())),
                }
            }
            Type::Timespan(_) | Type::Timestamp(_) => {
                union(times().into_iter().chain([Type::Numeric]))
            }
            Type::String(it) => match it.value() {
                Some(text) => any_case([text.to_string()]),
                None if it.size() == IntRange::SIZE => Type::STRING,
                None => Type::string_sized(it.size()),
            },
            Type::Enum(it) => any_case(it.values().iter().map(ToString::to_string)),
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
    union([Type::Integer(integers), floats].into_iter().chain(times()))
}

/// Converts a float to an integer, if it is exactly representable.
fn whole(float: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "it is checked")]
    let integer = float as i64;
    is_same(integer, float).then_some(integer)
}

// ---- order -----------------------------------------------------------------------

/// A comparison by order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByOrder {
    /// Whether the values are less than the others, rather than greater.
    pub(super) below: bool,
    /// Whether they may be equal.
    pub(super) or_equal: bool,
    /// Whether they are the right operand.
    pub(super) on_the_right: bool,
}

/// Returns the values that compare in this order with some value of another type. Kinds for which
/// Puppet fails are excluded.
pub(super) fn by_order(type_: &Type, order: ByOrder, other: &Type) -> Option<Type> {
    let others = alternatives(other);
    let any = |wanted: fn(&Type) -> bool| others.iter().any(|it| wanted(it) || is_vague(it));
    let (texts, numbers) = (any(is_text), any(is_number));
    // A type as left operand can be compared with any value.
    let types = order.on_the_right && any(|it| matches!(it, Type::Type(_)));
    let limit = limit(&others, order.below);
    each(type_, |it| match it {
        Type::Integer(range) if numbers || types => match limit {
            Some(limit) => cut_integers(*range, order, limit).map(Type::Integer),
            None => Some(it.clone()),
        },
        Type::Float(range) if numbers || types => match limit {
            Some(limit) => cut_floats(*range, order, limit).map(Type::Float),
            None => Some(it.clone()),
        },
        it if is_text(it) && (texts || types) => Some(it.clone()),
        it if is_text(it) || matches!(it, Type::Integer(_) | Type::Float(_)) => None,
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
fn is_vague(type_: &Type) -> bool {
    !is_text(type_)
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
enum Limit {
    Integer(i64),
    Float(f64),
}

impl Limit {
    #[expect(clippy::cast_precision_loss, reason = "rounding keeps the order")]
    fn float(self) -> f64 {
        match self {
            Limit::Integer(it) => it as f64,
            Limit::Float(it) => it,
        }
    }
}

/// Returns the largest or the smallest number of the types; `None` if there is no bound or they are
/// not all numeric.
fn limit(types: &[Type], largest: bool) -> Option<Limit> {
    let ends = types.iter().map(|it| match it {
        Type::Integer(it) => {
            let end = if largest { it.max() } else { it.min() };
            end.map(Limit::Integer)
        }
        Type::Float(it) => {
            let end = if largest { it.max() } else { it.min() };
            end.map(Limit::Float)
        }
        _ => None,
    });
    let ends: Option<Vec<Limit>> = ends.collect();
    ends?.into_iter().reduce(|a, b| {
        if (a.float() < b.float()) == largest {
            b
        } else {
            a
        }
    })
}

fn cut_integers(range: IntRange, order: ByOrder, limit: Limit) -> Option<IntRange> {
    let end = match (limit, order.below, order.or_equal) {
        (Limit::Integer(it), _, true) => Some(it),
        (Limit::Integer(it), true, false) => Some(it.checked_sub(1)?),
        (Limit::Integer(it), false, false) => Some(it.checked_add(1)?),
        (Limit::Float(it), true, true) => whole(it.floor()),
        (Limit::Float(it), true, false) => whole(it.ceil()).and_then(|it| it.checked_sub(1)),
        (Limit::Float(it), false, true) => whole(it.ceil()),
        (Limit::Float(it), false, false) => whole(it.floor()).and_then(|it| it.checked_add(1)),
    };
    let Some(end) = end else {
        return Some(range);
    };
    let allowed = if order.below {
        IntRange::new(None, Some(end))
    } else {
        IntRange::new(Some(end), None)
    };
    range.intersection(allowed?)
}

fn cut_floats(range: FloatRange, order: ByOrder, limit: Limit) -> Option<FloatRange> {
    let end = Some(limit.float());
    let allowed = if order.below {
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
pub(super) fn by_size(type_: &Type, size: IntRange) -> Option<Type> {
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
pub(super) fn by_emptiness(type_: &Type, holds: bool) -> Option<Type> {
    let size = if holds {
        IntRange::exactly(0)
    } else {
        IntRange::NOT_EMPTY
    };
    let sized = by_size(type_, size)?;
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
pub(super) fn matching(option: &Inferred) -> Set {
    match &option.value {
        Some(value) => matching_value(value),
        None => Set {
            within: matching_some(&option.type_),
            has: None,
        },
    }
}

fn matching_value(option: &Value) -> Set {
    match option {
        Value::Regexp(it) => Set::exactly(Type::pattern([it.clone()])),
        Value::Type(it) if is_resolved(it) => Set::exactly(it.clone()),
        Value::Type(_) => Set::UNKNOWN,
        Value::Default => Set::exactly(Type::Any),
        Value::SemVer(_) | Value::SemVerRange(_) => Set::at_most(texts_and_versions()),
        Value::Array(items) if items.len() <= MAX_ELEMENTS && !items.is_empty() => {
            tuple_of(items.iter().map(matching_value))
        }
        Value::Hash(_) => Set::at_most(Type::any_hash()),
        other => equal_to_value(other),
    }
}

fn matching_some(type_: &Type) -> Option<Type> {
    let all = alternatives(type_).into_iter().map(|it| match it {
        Type::Regexp(_) => Some(Type::STRING),
        Type::SemVer(_) | Type::SemVerRange => Some(texts_and_versions()),
        Type::Hash(_) | Type::Struct(_) => Some(Type::any_hash()),
        Type::Default | Type::Type(_) => None,
        other => equal_to_some(&other),
    });
    all.collect::<Option<Vec<Type>>>().map(union)
}

fn texts_and_versions() -> Type {
    Type::variant([Type::STRING, Type::sem_ver(Vec::new())])
}

/// Returns the set of the elements of a container of an inferred type.
pub(super) fn members(container: &Inferred) -> Set {
    match &container.value {
        Some(Value::Array(items)) => among(items.iter(), items.len()),
        Some(Value::Hash(entries)) => among(entries.keys(), entries.len()),
        Some(Value::SemVerRange(_)) => Set::at_most(texts_and_versions()),
        Some(Value::String(text)) => parts_of(text),
        Some(_) => Set::UNKNOWN,
        None => Set {
            within: members_of_some(&container.type_),
            has: None,
        },
    }
}

/// Returns the set of values in a string: its substrings, and regular expressions that match it.
fn parts_of(text: &str) -> Set {
    let longest = IntRange::exactly(0).hull(IntRange::exactly_len(text.chars().count()));
    // Other characters may become several when their case is changed.
    let parts = if text.is_ascii() {
        Type::string_sized(longest)
    } else {
        Type::STRING
    };
    Set {
        within: Some(Type::variant([parts, Type::Regexp(None)])),
        has: Some(Type::string_value("")),
    }
}

fn among<'a>(items: impl Iterator<Item = &'a Value>, count: usize) -> Set {
    if count > MAX_ELEMENTS {
        return Set::UNKNOWN;
    }
    let mut texts = Vec::new();
    let mut within = Some(Vec::new());
    let mut has = Vec::new();
    for item in items {
        let equal = equal_to_value(item);
        // Strings and versions match an element like an option; other values must be equal to it.
        let matched = matching_value(item);
        if let Value::String(text) = item {
            texts.push(text.to_string());
        } else {
            has.extend(equal.has.filter(|_| !matches!(item, Value::Regexp(_))));
            has.extend(matched.has.and_then(|it| {
                let strings = matches!(it, Type::Any).then_some(Type::STRING);
                strings.or_else(|| within_texts(&it).then_some(it))
            }));
            let matched = matched.within.as_ref().unwrap_or(&Type::Any);
            let matched = intersection(matched, &texts_and_versions());
            within = within.zip(equal.within).map(|(mut all, equal)| {
                all.extend(matched.into_iter().chain([equal]));
                all
            });
        }
    }
    if !texts.is_empty() {
        let texts = any_case(texts);
        has.push(texts.clone());
        if let Some(within) = &mut within {
            // A regular expression is in an array if it matches one of its strings.
            within.extend([texts, Type::Regexp(None)]);
        }
    }
    if let Some(within) = &mut within {
        // A type is in an array if one of the elements is an instance of it.
        within.push(Type::Type(None));
    }
    Set {
        within: within.map(union),
        has: (!has.is_empty()).then(|| union(has)),
    }
}

fn within_texts(type_: &Type) -> bool {
    within(type_, &Type::STRING)
}

fn members_of_some(type_: &Type) -> Option<Type> {
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
        let equal = equal_to_some(&element)?;
        let matched = match matching_some(&element) {
            Some(matched) => intersection(&matched, &texts_and_versions()),
            None => Some(texts_and_versions()),
        };
        let others = [Type::Type(None), Type::Regexp(None)];
        Some(union([equal].into_iter().chain(matched).chain(others)))
    });
    all.collect::<Option<Vec<Type>>>().map(union)
}

// ---- parts -----------------------------------------------------------------------

/// Returns the values whose part at a path is of a type. `lenient` states whether intermediate
/// parts may be missing, as in `dig`.
pub(super) fn by_part(type_: &Type, path: &[Key], part: &Type, lenient: bool) -> Option<Type> {
    let Some((key, rest)) = path.split_first() else {
        return intersection(type_, part);
    };
    let may_be_undef = intersection(part, &Type::Undef).is_some();
    // Whether the key may be missing.
    let may_lack = may_be_undef && (rest.is_empty() || lenient);
    each(type_, |it| match it {
        Type::Undef => (lenient && may_be_undef).then_some(Type::Undef),
        Type::Boolean(_) | Type::Default | Type::Float(_) | Type::Regexp(_) => None,
        Type::Struct(all) => in_struct(all, key, may_lack, |it| by_part(it, rest, part, lenient)),
        Type::Hash(all) => in_hash(all, key, may_lack, |it| by_part(it, rest, part, lenient)),
        Type::Tuple(_) | Type::Array(_) => {
            in_list(it, key, may_lack, |it| by_part(it, rest, part, lenient))
        }
        other => Some(other.clone()),
    })
}

fn in_struct(
    all: &StructType,
    key: &Key,
    may_lack: bool,
    narrow: impl Fn(&Type) -> Option<Type>,
) -> Option<Type> {
    let whole = Type::Struct(all.clone().into());
    let name = match key {
        Key::Name(name) => name.as_str(),
        Key::Index(_) => return may_lack.then_some(whole),
    };
    let Some(element) = all.get(name) else {
        return may_lack.then_some(whole);
    };
    let keep_optional = element.is_optional() && may_lack;
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
    key: &Key,
    may_lack: bool,
    narrow: impl Fn(&Type) -> Option<Type>,
) -> Option<Type> {
    let whole = || Type::Hash(all.clone().into());
    if may_lack {
        return Some(whole());
    }
    let key = match key {
        Key::Name(name) => Type::string_value(name.as_str()),
        Key::Index(index) => Type::integer_value(*index),
    };
    intersection(all.key(), &key)?;
    narrow(all.value())?;
    by_size(&whole(), IntRange::NOT_EMPTY)
}

fn in_list(
    list: &Type,
    key: &Key,
    may_lack: bool,
    narrow: impl Fn(&Type) -> Option<Type>,
) -> Option<Type> {
    let Key::Index(index) = key else {
        // Puppet fails, or converts the key to a number.
        return Some(list.clone());
    };
    if may_lack {
        return Some(list.clone());
    }
    let needed = if *index >= 0 {
        index.checked_add(1)?
    } else {
        index.checked_neg()?
    };
    let long = by_size(list, IntRange::at_least(needed))?;
    let element = match access::of_types(&long, &[Inferred::value(Value::Integer(*index))]) {
        access::Access::Found(it) => it,
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
