//! Comparisons of types: whether their values can be equal, contained or ordered.

use std::sync::Arc;

use super::operators::alternatives;
use eval::ComparisonOperator;
use types::precise::{union, within};
use types::{IntRange, Type};

/// Checks whether arrays of a type never contain an element that equals a value.
pub(super) fn never_contains(container: &Type, value: &Type) -> bool {
    let Some(element) = element_type(container) else {
        return false;
    };
    // Strings match regular expressions and types.
    let plain = Type::variant([Type::Undef, Type::BOOLEAN, Type::Numeric, Type::STRING]);
    let is_plain = |it: &Type| within(it, &plain) && !it.is_never();
    is_plain(&element) && is_plain(value) && never_equal(&element, value)
}

/// Checks whether the elements of an array are of other kinds than a value: strings and a number, for example.
pub(super) fn is_of_other_kind(container: &Type, value: &Type) -> bool {
    let scalars = [Type::BOOLEAN, Type::Numeric, Type::STRING];
    let kind = |it: &Type| scalars.iter().position(|kind| within(it, kind));
    let differ = |a: &Type, b: &Type| matches!((kind(a), kind(b)), (Some(a), Some(b)) if a != b);
    element_type(container).is_some_and(|it| {
        let (elements, values) = (alternatives(&it), alternatives(value));
        let mut pairs = elements
            .iter()
            .flat_map(|a| values.iter().map(move |b| (a, b)));
        !elements.is_empty() && !values.is_empty() && pairs.all(|(a, b)| differ(a, b))
    })
}

/// Returns the type of the elements of an array.
fn element_type(container: &Type) -> Option<Type> {
    match container {
        Type::Array(it) => Some(it.element().clone()),
        Type::Tuple(it) => Some(union(it.types().iter().cloned())),
        _ => None,
    }
}

/// Checks whether values of two types are never equal, because they are of different kinds.
pub(super) fn never_equal(left: &Type, right: &Type) -> bool {
    let (left, right) = (alternatives(left), alternatives(right));
    let mut pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    !left.is_empty() && !right.is_empty() && pairs.all(|(a, b)| differ(a, b))
}

/// Returns the number of the kind of a type: values of different kinds are never equal.
fn kind(type_: &Type) -> Option<usize> {
    let kinds = [
        Type::Undef,
        Type::Default,
        Type::BOOLEAN,
        Type::Numeric,
        Type::STRING,
        Type::any_array(),
        Type::any_hash(),
        Type::Regexp(None),
        Type::Type(None),
        Type::Sensitive(Arc::new(Type::Any)),
    ];
    kinds.iter().position(|kind| within(type_, kind))
}

/// Checks whether values of two alternatives of types are never equal.
fn differ(left: &Type, right: &Type) -> bool {
    match (kind(left), kind(right)) {
        (Some(a), Some(b)) if a != b => true,
        _ => {
            // Finite sets of strings, compared case-insensitively.
            let (a, b) = (texts(left), texts(right));
            match (a, b) {
                (Some(a), Some(b)) => !a.iter().any(|it| b.contains(it)),
                _ => false,
            }
        }
    }
}

/// Returns the strings of a finite set, in lower case.
fn texts(type_: &Type) -> Option<Vec<String>> {
    match type_ {
        Type::String(it) => it.value().map(|it| vec![it.to_ascii_lowercase()]),
        Type::Enum(it) => Some(
            it.values()
                .iter()
                .map(|it| it.to_ascii_lowercase())
                .collect(),
        ),
        _ => None,
    }
}

/// The result of a comparison by order.
pub(super) enum OrderResult {
    Known(bool),
    Undetermined,
    Fails,
}

/// Infers a comparison by order.
pub(super) fn ordered(operator: ComparisonOperator, left: &Type, right: &Type) -> OrderResult {
    use ComparisonOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    if let (Type::Integer(a), Type::Integer(b)) = (left, right) {
        let ends = |it: &IntRange| (it.min().unwrap_or(i64::MIN), it.max().unwrap_or(i64::MAX));
        let ((a1, a2), (b1, b2)) = (ends(a), ends(b));
        let (always, never) = match operator {
            Less => (a2 < b1, a1 >= b2),
            LessOrEqual => (a2 <= b1, a1 > b2),
            Greater => (a1 > b2, a2 <= b1),
            GreaterOrEqual => (a1 >= b2, a2 < b1),
            _ => (false, false),
        };
        return match (always, never) {
            (true, _) => OrderResult::Known(true),
            (_, true) => OrderResult::Known(false),
            _ => OrderResult::Undetermined,
        };
    }
    let unordered = Type::variant([
        Type::Undef,
        Type::BOOLEAN,
        Type::any_array(),
        Type::any_hash(),
        Type::Regexp(None),
        Type::Sensitive(Arc::new(Type::Any)),
    ]);
    let within = |it: &Type, of: &Type| types::precise::within(it, of) && !it.is_never();
    let mixed = (within(left, &Type::STRING) && within(right, &Type::Numeric))
        || (within(left, &Type::Numeric) && within(right, &Type::STRING));
    let plain = Type::variant([Type::STRING, Type::Numeric]);
    if within(left, &unordered) || (within(left, &plain) && within(right, &unordered)) || mixed {
        return OrderResult::Fails;
    }
    let (all_left, all_right) = (alternatives(left), alternatives(right));
    let pairs = all_left.len() * all_right.len();
    if !(2..=MAX_PAIRS).contains(&pairs) {
        return OrderResult::Undetermined;
    }
    let mut all = all_left
        .iter()
        .flat_map(|a| all_right.iter().map(move |b| (a, b)));
    if all.all(|(a, b)| matches!(ordered(operator, a, b), OrderResult::Fails)) {
        return OrderResult::Fails;
    }
    OrderResult::Undetermined
}

/// The maximum number of pairs of alternatives that are compared.
const MAX_PAIRS: usize = 64;
