//! Operations on arrays and hashes of which some elements are unknown.

use library::KnownFunction;
use types::values::Value;

use super::access::item_at;
use super::unknown::{PartlyKnown, Unknown};

/// The largest number of elements of a collection that is taken apart, so that the work stays linear.
const MAX_ELEMENTS: usize = 200;

/// Returns the element of a collection that an index names; `None` if that is unknown.
pub(super) fn element(collection: &Unknown, key: &Value) -> Option<PartlyKnown> {
    if let Some(entries) = entries_of(collection) {
        let found = entries.iter().find(|it| it.0 == *key);
        return Some(found.map_or(Ok(Value::Undef), |it| it.1.clone()));
    }
    let found = item_at(elements_of(collection)?, key.as_integer()?);
    Some(found.cloned().unwrap_or(Ok(Value::Undef)))
}

/// Returns the sum of two hashes or two arrays; `None` if it is unknown.
pub(super) fn sum(left: &PartlyKnown, right: &PartlyKnown) -> Option<PartlyKnown> {
    if let Some((left, right)) = few_entries(left).zip(few_entries(right)) {
        return Some(Unknown::known_entries(merged(left, right)).map(Value::Hash));
    }
    let mut all = elements(left)?;
    all.extend(elements(right)?);
    Some(Unknown::known_elements(all).map(Value::array))
}

/// Calls a function; `None` if it is another one, or its result is unknown.
pub(super) fn call(function: KnownFunction, args: &[PartlyKnown]) -> Option<PartlyKnown> {
    let (Err(first), rest) = args.split_first()? else {
        return None;
    };
    match (function, rest) {
        (KnownFunction::Keys, []) => {
            let keys = entries_of(first)?.iter().map(|it| it.0.clone());
            Some(Ok(Value::array(keys.collect())))
        }
        (KnownFunction::Values, []) => {
            let values = entries_of(first)?.iter().map(|it| it.1.clone());
            Some(Unknown::known_elements(values.collect()).map(Value::array))
        }
        (KnownFunction::Length | KnownFunction::Size, []) => {
            let length = entries_of(first).map(<[_]>::len);
            let length = length.or_else(|| Some(elements_of(first)?.len()))?;
            Some(Ok(Value::Integer(i64::try_from(length).ok()?)))
        }
        (KnownFunction::Dig, keys) if !keys.is_empty() => {
            let keys: Option<Vec<&Value>> = keys.iter().map(|it| it.as_ref().ok()).collect();
            follow(first, &keys?)
        }
        (KnownFunction::Get, [Ok(Value::String(path))]) => {
            // Other paths have quotes, or indexes of arrays.
            let is_plain = |it: char| it.is_ascii_alphabetic() || "_.".contains(it);
            let keys = path.split('.').map(Value::from);
            let keys: Vec<Value> = keys.filter(|_| path.chars().all(is_plain)).collect();
            match keys.is_empty() {
                true => None,
                false => follow(first, &keys.iter().collect::<Vec<_>>()),
            }
        }
        _ => None,
    }
}

/// Returns the value at the end of a path; `None` if that is unknown.
fn follow(from: &Unknown, path: &[&Value]) -> Option<PartlyKnown> {
    let mut at = from.clone();
    for (index, key) in path.iter().enumerate() {
        match element(&at, key)? {
            Err(inner) => at = inner,
            Ok(value) => {
                let is_end = index + 1 == path.len() || value.is_undef();
                return is_end.then_some(Ok(value));
            }
        }
    }
    Some(Err(at))
}

/// Returns the entries of a hash; `None` if it is none, or its keys are unknown.
pub fn known_entries(value: &PartlyKnown) -> Option<Vec<(Value, PartlyKnown)>> {
    match value {
        Ok(Value::Hash(all)) => {
            let all = all.iter();
            Some(all.map(|it| (it.0.clone(), Ok(it.1.clone()))).collect())
        }
        Ok(_) => None,
        Err(unknown) => Some(unknown.entries()?.to_vec()),
    }
}

/// Returns the entries of a hash; `None` if they are many.
fn few_entries(value: &PartlyKnown) -> Option<Vec<(Value, PartlyKnown)>> {
    let is_small = match value {
        Ok(Value::Hash(all)) => all.len() <= MAX_ELEMENTS,
        Ok(_) => false,
        Err(unknown) => entries_of(unknown).is_some(),
    };
    is_small.then(|| known_entries(value)).flatten()
}

fn entries_of(unknown: &Unknown) -> Option<&[(Value, PartlyKnown)]> {
    unknown.entries().filter(|it| it.len() <= MAX_ELEMENTS)
}

fn elements_of(unknown: &Unknown) -> Option<&[PartlyKnown]> {
    unknown.elements().filter(|it| it.len() <= MAX_ELEMENTS)
}

/// Returns the elements of an array.
fn elements(value: &PartlyKnown) -> Option<Vec<PartlyKnown>> {
    match value {
        Ok(Value::Array(all)) if all.len() <= MAX_ELEMENTS => {
            Some(all.iter().cloned().map(Ok).collect())
        }
        Ok(_) => None,
        Err(unknown) => Some(elements_of(unknown)?.to_vec()),
    }
}

/// Merges the entries of two hashes. Those of the right one replace those of the left one.
fn merged(
    left: Vec<(Value, PartlyKnown)>,
    right: Vec<(Value, PartlyKnown)>,
) -> Vec<(Value, PartlyKnown)> {
    let mut all = left;
    for (key, value) in right {
        match all.iter_mut().find(|it| it.0 == key) {
            Some(found) => found.1 = value,
            None => all.push((key, value)),
        }
    }
    all
}

/// Merges hashes from left to right; `None` if the keys of one are unknown. If `is_deep`, the hashes in them
/// are merged, too.
pub fn merge_partly(hashes: &[PartlyKnown], is_deep: bool) -> Option<PartlyKnown> {
    let mut all = Vec::new();
    for it in hashes {
        let mut right = few_entries(it)?;
        if is_deep {
            for (key, value) in &mut right {
                let left = all.iter().find(|(it, _): &&(Value, PartlyKnown)| it == key);
                if let Some((_, left)) = left {
                    *value = merge_deeply(left, value);
                }
            }
        }
        all = merged(all, right);
    }
    Some(Unknown::known_entries(all).map(Value::Hash))
}

/// Merges two values of the same key: hashes are merged, others replaced.
fn merge_deeply(left: &PartlyKnown, right: &PartlyKnown) -> PartlyKnown {
    let is_hash = |it: &PartlyKnown| match it {
        Ok(value) => Some(matches!(value, Value::Hash(_))),
        Err(unknown) => unknown.is_hash(),
    };
    match (is_hash(left), is_hash(right)) {
        (Some(true), Some(true)) => merge_partly(&[left.clone(), right.clone()], true)
            .unwrap_or_else(|| Err("some values of a hash are unknown".into())),
        (Some(false), _) | (_, Some(false)) => right.clone(),
        (None, _) | (_, None) => Err("it is unknown whether a value is a hash".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(entries: &[(&str, PartlyKnown)]) -> PartlyKnown {
        let all = entries.iter();
        let all = all.map(|it| (Value::from(it.0), it.1.clone())).collect();
        Unknown::known_entries(all).map(Value::Hash)
    }

    fn unknown() -> PartlyKnown {
        Err("why".into())
    }

    fn at(value: &PartlyKnown, key: &str) -> Option<PartlyKnown> {
        element(value.as_ref().err()?, &key.into())
    }

    #[test]
    fn known_elements_are_found() {
        let value = hash(&[("a", Ok("b".into())), ("c", unknown())]);
        assert_eq!(at(&value, "a"), Some(Ok("b".into())));
        assert_eq!(at(&value, "c"), Some(unknown()));
        assert_eq!(at(&value, "d"), Some(Ok(Value::Undef)));
        let list = Unknown::known_elements(vec![Ok(1.into()), unknown()]);
        let list = list.expect_err("an element is unknown");
        assert_eq!(element(&list, &0.into()), Some(Ok(1.into())));
        assert_eq!(element(&list, &(-1).into()), Some(unknown()));
        assert_eq!(element(&list, &2.into()), Some(Ok(Value::Undef)));
        assert_eq!(element(&list, &"0".into()), None);
    }

    #[test]
    fn later_entries_replace_earlier_ones() {
        let left = hash(&[("a", unknown()), ("b", Ok(1.into()))]);
        let right = hash(&[("a", Ok(2.into()))]);
        assert_eq!(
            sum(&left, &right),
            Some(hash(&[("a", Ok(2.into())), ("b", Ok(1.into()))]))
        );
        let found = sum(&right, &left).expect("the keys are known");
        assert_eq!(at(&found, "a"), Some(unknown()));
        assert_eq!(sum(&left, &unknown()), None);
    }

    #[test]
    fn deep_merges_depend_on_what_is_a_hash() {
        let inner = hash(&[("x", Ok(1.into())), ("y", unknown())]);
        let left = hash(&[("a", inner), ("b", unknown()), ("c", Ok(1.into()))]);
        let inner = hash(&[("y", Ok(2.into()))]);
        let right = hash(&[
            ("a", inner.clone()),
            ("b", inner.clone()),
            ("c", inner.clone()),
        ]);
        let merged = merge_partly(&[left, right], true).expect("the keys are known");
        assert_eq!(
            at(&merged, "a"),
            Some(hash(&[("x", Ok(1.into())), ("y", Ok(2.into()))]))
        );
        assert!(at(&merged, "b").is_some_and(|it| it.is_err()));
        assert_eq!(at(&merged, "c"), Some(inner));
    }
}
