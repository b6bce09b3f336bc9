//! Equality, order, matching and membership, as in the language.

use std::cmp::Ordering;

use super::time::Nanos;
use super::{HashValue, Value, Version, lower_case};

/// The `==` of the language: numbers by value, strings without ASCII case, collections by their
/// elements. If the left operand is a type, the operator uses [`crate::equivalent`] instead.
pub fn equals(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equals(a, b))
        }
        // A missing key equals one whose value is `undef`.
        (Value::Hash(a), Value::Hash(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| equals(b.get(key).unwrap_or(&Value::Undef), value))
        }
        _ => same(a, b),
    }
}

/// The equality used for deleting from arrays: numbers by value, everything else like hash keys.
pub fn same(a: &Value, b: &Value) -> bool {
    if let Some(order) = numeric_order(a, b) {
        return order == Ordering::Equal;
    }
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => same_hash(a, b),
        _ => a == b,
    }
}

fn same_hash(a: &HashValue, b: &HashValue) -> bool {
    let found = |(key, value): (&Value, &Value)| b.get(key).is_some_and(|it| same(it, value));
    a.len() == b.len() && a.iter().all(found)
}

/// Compares two numbers or times; `None` for other values or if they have no order.
fn numeric_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Integer(a), Value::Float(b)) => integer_to_float(*a, *b),
        (Value::Float(_), Value::Integer(_)) => numeric_order(b, a).map(Ordering::reverse),
        (Value::Timespan(a), Value::Timespan(b)) | (Value::Timestamp(a), Value::Timestamp(b)) => {
            Some(a.cmp(b))
        }
        (Value::Timespan(a) | Value::Timestamp(a), b) => time_to_number(*a, b),
        (_, Value::Timespan(_) | Value::Timestamp(_)) => numeric_order(b, a).map(Ordering::reverse),
        _ => None,
    }
}

/// Compares without loss of precision.
fn integer_to_float(a: i64, b: f64) -> Option<Ordering> {
    if b.is_nan() {
        return None;
    }
    // Beyond these bounds the float exceeds every integer; within them the cast only drops the
    // fraction.
    if b >= 9.3e18 {
        return Some(Ordering::Less);
    }
    if b <= -9.3e18 {
        return Some(Ordering::Greater);
    }
    let whole = b.trunc() as i128;
    let order = i128::from(a).cmp(&whole);
    Some(order.then_with(|| 0.0.partial_cmp(&(b - b.trunc())).unwrap_or(Ordering::Equal)))
}

/// Times are compared with integers in whole seconds.
fn time_to_number(time: Nanos, number: &Value) -> Option<Ordering> {
    match number {
        Value::Integer(number) => Some(
            time.get()
                .div_euclid(1_000_000_000)
                .cmp(&i128::from(*number)),
        ),
        Value::Float(number) => time.seconds().partial_cmp(number),
        _ => None,
    }
}

/// The error for two values without an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotComparable;

/// Compares two values for `<`, `<=`, `>` and `>=`: strings without ASCII case, numbers and times
/// by value, versions by precedence.
///
/// # Errors
///
/// If the values have no order.
pub fn compare(a: &Value, b: &Value) -> Result<Ordering, NotComparable> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => {
            let lower = |it: &str| it.to_ascii_lowercase();
            Ok(lower(a).cmp(&lower(b)))
        }
        (Value::SemVer(a), Value::SemVer(b)) => Ok(a.order(b)),
        (Value::Default, Value::Default) => Ok(Ordering::Equal),
        _ => numeric_order(a, b).ok_or(NotComparable),
    }
}

/// Checks whether the value matches the pattern, as in the options of `case` and selectors. Returns
/// `None` if this cannot be decided. Capture groups are up to the caller.
pub fn matches(value: &Value, pattern: &Value) -> Option<bool> {
    match pattern {
        Value::Regexp(pattern) => match value {
            Value::String(text) => pattern.is_match(text).ok(),
            _ => Some(false),
        },
        Value::Type(ty) => crate::is_instance(ty, value),
        Value::SemVer(version) => Some(match value {
            Value::SemVer(value) => value == version,
            Value::String(text) => Version::parse(text).is_some_and(|it| it == **version),
            _ => false,
        }),
        Value::SemVerRange(range) => Some(match value {
            Value::SemVer(value) => range.includes(value),
            Value::String(text) => Version::parse(text).is_some_and(|it| range.includes(&it)),
            _ => false,
        }),
        Value::Array(patterns) => {
            let Value::Array(items) = value else {
                return Some(false);
            };
            if items.len() != patterns.len() {
                return Some(false);
            }
            all(items
                .iter()
                .zip(patterns.iter())
                .map(|(item, pattern)| matches(item, pattern)))
        }
        Value::Hash(patterns) => {
            let Value::Hash(entries) = value else {
                return Some(false);
            };
            let at = |key| entries.get(key).unwrap_or(&Value::Undef);
            all(patterns
                .iter()
                .map(|(key, pattern)| matches(at(key), pattern)))
        }
        Value::Default => Some(true),
        pattern => Some(equals(value, pattern)),
    }
}

/// Conjunction with short-circuiting: an undecided answer counts only if no earlier one is false.
fn all(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    answers.try_fold(true, |all, it| if all { it } else { Some(false) })
}

/// Checks whether the container includes the value, as the operator `in` does. Returns `None` if
/// this cannot be decided. Capture groups are up to the caller.
pub fn includes(container: &Value, value: &Value) -> Option<bool> {
    match container {
        Value::String(text) => match value {
            Value::String(value) => Some(lower_case(text).contains(&lower_case(value))),
            Value::Regexp(pattern) => pattern.is_match(text).ok(),
            _ => Some(false),
        },
        Value::Array(items) => in_items(&mut items.iter(), value),
        Value::Hash(entries) => in_items(&mut entries.keys(), value),
        Value::Binary(bytes) => Some(match value {
            Value::Binary(part) => contains_bytes(bytes, part),
            Value::String(part) => contains_bytes(bytes, part.as_bytes()),
            Value::Integer(byte) => bytes.iter().any(|it| i64::from(*it) == *byte),
            Value::Float(byte) => bytes.iter().any(|it| f64::from(*it) == *byte),
            _ => false,
        }),
        Value::SemVerRange(_) => matches(value, container),
        _ => Some(false),
    }
}

fn in_items(items: &mut dyn Iterator<Item = &Value>, value: &Value) -> Option<bool> {
    match value {
        Value::Regexp(pattern) => any(items
            .filter_map(Value::as_str)
            .map(|text| pattern.is_match(text).ok())),
        // Here the element is the pattern.
        Value::String(_) | Value::SemVer(_) => any(items.map(|item| matches(value, item))),
        Value::Type(ty) => any(items.map(|item| crate::is_instance(ty, item))),
        value => any(items.map(|item| Some(equals(item, value)))),
    }
}

fn any(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    answers.try_fold(false, |any, it| if any { Some(true) } else { it })
}

fn contains_bytes(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|it| it == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    #[test]
    fn three_equalities() {
        let (a, b) = (Value::from("Abc"), Value::from("aBC"));
        assert!(equals(&a, &b) && !same(&a, &b) && a != b);
        let (one, float) = (Value::from(1), Value::from(1.0));
        assert!(equals(&one, &float) && same(&one, &float) && one != float);
        assert!(!equals(&Value::from("é"), &Value::from("É")));
        assert!(!equals(
            &Value::from(i64::MAX),
            &Value::from(9_223_372_036_854_775_808.0)
        ));
    }

    #[test]
    fn missing_keys_equal_undef() {
        let hash = |key: &str| Value::hash([(Value::from(key), Value::Undef)]);
        assert!(equals(&hash("a"), &hash("b")));
    }

    #[test]
    fn times_compare_with_numbers() {
        let span = Value::Timespan(Nanos::new(1_500_000_000));
        assert!(equals(&span, &Value::from(1)));
        assert!(equals(&Value::from(1.5), &span));
        assert_eq!(compare(&Value::from(2), &span), Ok(Ordering::Greater));
        assert_eq!(
            compare(&Value::from("a"), &Value::from(1)),
            Err(NotComparable)
        );
    }

    #[test]
    fn compares_strings_without_case() {
        assert_eq!(
            compare(&Value::from("a"), &Value::from("B")),
            Ok(Ordering::Less)
        );
        assert_eq!(
            compare(&Value::from("_"), &Value::from("A")),
            Ok(Ordering::Less)
        );
    }

    #[test]
    fn membership_depends_on_the_kind_of_value() {
        let items = Value::array(vec![
            Value::from("Abc"),
            Value::from(1),
            Value::from(Type::STRING),
        ]);
        assert_eq!(includes(&items, &Value::from("abc")), Some(true));
        assert_eq!(
            includes(&items, &Value::from("zzz")),
            Some(true),
            "it is a String"
        );
        assert_eq!(includes(&items, &Value::from(1.0)), Some(true));
        assert_eq!(includes(&items, &Value::from(Type::INTEGER)), Some(true));
        assert_eq!(
            includes(&Value::from("ABC"), &Value::from("bc")),
            Some(true)
        );
    }
}
