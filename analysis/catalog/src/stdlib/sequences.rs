//! Functions of the module `stdlib` that select from arrays or create them.

use library::KnownFunction as F;
use types::values::{HashValue, Regexp, Value, same};

use crate::values::flattened;

/// The limit of elements of a range.
const MAX_RANGE: usize = 10_000;

/// The limit of a number in a range.
const MAX_NUMBER: i64 = 1 << 53;

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(super) fn call(function: F, args: &[Value]) -> Option<Value> {
    match (function, args) {
        (F::Range, args) => range(args),
        (F::Count, args) => count(args),
        (F::Grep, [Value::Array(items), Value::String(pattern)]) => grep(items, pattern),
        (F::ValuesAt, [Value::Array(items), indices]) => values_at(items, indices),
        (F::StdlibNestedValues, [Value::Hash(entries)]) => {
            Some(Value::array(nested_values(entries)))
        }
        _ => None,
    }
}

/// Creates a range of numbers, letters or numbered names. The limits may be one string: `1..3`.
fn range(args: &[Value]) -> Option<Value> {
    let (start, stop, step, is_exclusive) = match args {
        [Value::String(both)] => {
            let (start, stop, is_exclusive) = limits(both)?;
            (start.to_owned(), stop.to_owned(), 1, is_exclusive)
        }
        [start, stop] => (limit(start)?, limit(stop)?, 1, false),
        [start, stop, Value::Integer(step)] if *step != 0 => {
            let step = usize::try_from(step.unsigned_abs()).ok()?;
            (limit(start)?, limit(stop)?, step, false)
        }
        _ => return None,
    };
    let items = match (number(&start), number(&stop)) {
        (Some(start), Some(stop)) => {
            let all = (start..=stop).filter(|it| !(is_exclusive && *it == stop));
            all.step_by(step)
                .take(MAX_RANGE + 1)
                .map(Value::Integer)
                .collect()
        }
        (None, None) => texts(&start, &stop, is_exclusive)?
            .into_iter()
            .step_by(step)
            .map(|it| Value::from(it.as_str()))
            .collect(),
        _ => return None,
    };
    let items: Vec<Value> = items;
    (items.len() <= MAX_RANGE).then(|| Value::array(items))
}

/// Splits a range such as `1..3`, `1-3` or `1...3`, which excludes its end.
fn limits(text: &str) -> Option<(&str, &str, bool)> {
    let is_word =
        |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let separators = [("...", true), ("..", false), ("-", false)];
    let parts = separators
        .into_iter()
        .find_map(|(separator, is_exclusive)| {
            let (start, stop) = text.split_once(separator)?;
            Some((start, stop, is_exclusive))
        });
    parts.filter(|it| is_word(it.0) && is_word(it.1))
}

fn limit(value: &Value) -> Option<String> {
    match value {
        Value::Integer(it) if *it >= 0 => Some(it.to_string()),
        Value::String(it) if it.bytes().all(|it| it.is_ascii_alphanumeric()) => {
            Some(it.to_string())
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<i64> {
    let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok()).flatten();
    number.filter(|it| *it < MAX_NUMBER)
}

/// Returns the strings between two letters, or between two names that only differ in a number of the same width.
fn texts(start: &str, stop: &str, is_exclusive: bool) -> Option<Vec<String>> {
    let mut all: Vec<String> = match (start.as_bytes(), stop.as_bytes()) {
        ([a], [b]) if is_same_case(*a, *b) => {
            (*a..=*b).map(|it| char::from(it).to_string()).collect()
        }
        _ => {
            let (prefix, first) = split_number(start);
            let (other, last) = split_number(stop);
            if prefix != other || first.len() != last.len() {
                return None;
            }
            let (width, first, last) = (first.len(), number(first)?, number(last)?);
            let numbers = (first..=last).take(MAX_RANGE + 1);
            numbers.map(|it| format!("{prefix}{it:0width$}")).collect()
        }
    };
    if is_exclusive && all.last().is_some_and(|it| it == stop) {
        all.pop();
    }
    Some(all)
}

fn is_same_case(a: u8, b: u8) -> bool {
    a.is_ascii_lowercase() && b.is_ascii_lowercase()
        || a.is_ascii_uppercase() && b.is_ascii_uppercase()
}

fn split_number(text: &str) -> (&str, &str) {
    let prefix = text.trim_end_matches(|it: char| it.is_ascii_digit());
    text.split_at(prefix.len())
}

/// Counts the elements that equal a value or, without one, those that are not empty.
fn count(args: &[Value]) -> Option<Value> {
    let count = match args {
        [Value::Hash(entries)] => entries.iter().count(),
        [Value::Array(items)] => {
            let is_given = |it: &&Value| !it.is_undef() && it.as_str() != Some("");
            items.iter().filter(is_given).count()
        }
        // Puppet passes `undef` as an empty string, and `false` is none.
        [Value::Array(items), item] if !matches!(item, Value::Undef | Value::Boolean(false)) => {
            items.iter().filter(|it| same(it, item)).count()
        }
        _ => return None,
    };
    Some(Value::Integer(i64::try_from(count).ok()?))
}

/// Returns the elements that a regular expression matches.
fn grep(items: &[Value], pattern: &str) -> Option<Value> {
    let pattern = Regexp::new(pattern);
    pattern.check().ok()?;
    let mut found = Vec::new();
    for item in items {
        match item {
            Value::String(text) if pattern.is_match(text).ok()? => found.push(item.clone()),
            Value::String(_) | Value::Integer(_) | Value::Boolean(_) => {}
            _ => return None,
        }
    }
    Some(Value::array(found))
}

/// Returns the elements at indices.
fn values_at(items: &[Value], indices: &Value) -> Option<Value> {
    let mut found = Vec::new();
    for index in flattened([indices]) {
        let index = match &index {
            Value::Integer(it) => *it,
            it => number(it.as_str()?)?,
        };
        let item = items.get(usize::try_from(index).ok()?)?;
        found.extend((!item.is_undef()).then(|| item.clone()));
    }
    (!found.is_empty()).then(|| Value::array(found))
}

/// Returns the values of a hash and of the hashes in it.
fn nested_values(entries: &HashValue) -> Vec<Value> {
    let mut found = Vec::new();
    for (_, value) in entries.iter() {
        match value {
            Value::Hash(inner) => found.extend(nested_values(inner)),
            value => found.push(value.clone()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> Value {
        Value::array(items.iter().map(|it| Value::from(*it)).collect())
    }

    #[test]
    fn creates_ranges() {
        let numbers = |all: &[i64]| {
            Some(Value::array(
                all.iter().copied().map(Value::Integer).collect(),
            ))
        };
        let (one, five) = (Value::Integer(1), Value::Integer(5));
        assert_eq!(
            range(&[one.clone(), five.clone()]),
            numbers(&[1, 2, 3, 4, 5])
        );
        let step = Value::Integer(-2);
        assert_eq!(
            range(&[one.clone(), five.clone(), step]),
            numbers(&[1, 3, 5])
        );
        assert_eq!(range(&[five.clone(), one.clone()]), numbers(&[]));
        assert_eq!(range(&["1".into(), five]), numbers(&[1, 2, 3, 4, 5]));
        assert_eq!(range(&["1...3".into()]), numbers(&[1, 2]));
        assert_eq!(range(&["1-3".into()]), numbers(&[1, 2, 3]));
        assert_eq!(
            range(&["a".into(), "c".into()]),
            Some(list(&["a", "b", "c"]))
        );
        let hosts = range(&["host09".into(), "host11".into()]);
        assert_eq!(hosts, Some(list(&["host09", "host10", "host11"])));
        assert_eq!(range(&["host9".into(), "host11".into()]), None);
        assert_eq!(range(&[Value::Integer(-1), one.clone()]), None);
        assert_eq!(range(&[one.clone(), "a".into()]), None);
        assert_eq!(range(&[Value::Integer(0), Value::Integer(1 << 40)]), None);
    }

    #[test]
    fn counts_and_selects() {
        let items = list(&["a", "b", "", "a"]);
        let Value::Array(array) = &items else {
            panic!("it is an array");
        };
        assert_eq!(count(std::slice::from_ref(&items)), Some(Value::Integer(3)));
        assert_eq!(count(&[items.clone(), "a".into()]), Some(Value::Integer(2)));
        assert_eq!(grep(array, "^[ab]$"), Some(list(&["a", "b", "a"])));
        assert_eq!(values_at(array, &Value::Integer(1)), Some(list(&["b"])));
        assert_eq!(
            values_at(array, &list(&["1", "0"])),
            Some(list(&["b", "a"]))
        );
        assert_eq!(values_at(array, &Value::Integer(4)), None);
    }
}
