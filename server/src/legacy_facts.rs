//! Legacy facts from structured ones: Facter 4 has `operatingsystem` beside `os.name`.

use std::collections::BTreeMap;

use analysis::library;
use analysis::values::{HashValue, Value};

/// Returns facts together with the legacy ones that are values of them. Facts that are there already stay.
pub(crate) fn with_legacy_facts(facts: &HashValue) -> HashValue {
    let root = Value::Hash(facts.clone());
    let mut added = BTreeMap::new();
    for legacy in library::legacy_facts() {
        let modern = legacy.modern.as_deref();
        if let Some(keys) = modern.and_then(keys_of) {
            collect(&root, &keys, &legacy.name, &mut added);
        }
    }
    let known = facts
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()));
    let missing = added.into_iter();
    let missing = missing.filter(|(name, _)| facts.get_str(name).is_none());
    known
        .chain(missing.map(|(name, value)| (name.as_str().into(), value)))
        .collect()
}

/// Returns the keys of an expression such as `$facts['os']['name']`; `None` if it is more than a value of a fact.
fn keys_of(modern: &str) -> Option<Vec<&str>> {
    let keys = modern.strip_prefix("$facts[")?.strip_suffix(']')?;
    let keys = keys.split("][").map(|it| it.trim_matches('\''));
    let keys: Vec<&str> = keys.collect();
    let is_key = |it: &&str| !it.contains(['\'', '[', ']', '(']);
    keys.iter().all(is_key).then_some(keys)
}

/// Collects the values at a path. A key such as `<interface>` is that of any member, and a part of the name.
fn collect(value: &Value, keys: &[&str], name: &str, found: &mut BTreeMap<String, Value>) {
    let Some((key, rest)) = keys.split_first() else {
        found.insert(name.to_owned(), value.clone());
        return;
    };
    match value {
        Value::Hash(members) if key.starts_with('<') => {
            let members = members.iter();
            for (member, value) in members.filter_map(|it| Some((it.0.as_str()?, it.1))) {
                collect(value, rest, &name.replace(key, member), found);
            }
        }
        Value::Array(elements) if key.starts_with('<') => {
            for (index, value) in elements.iter().enumerate() {
                collect(value, rest, &name.replace(key, &index.to_string()), found);
            }
        }
        Value::Hash(members) => {
            if let Some(value) = members.get_str(key) {
                collect(value, rest, name, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in_facts::{BUILT_IN, parse};

    #[test]
    fn legacy_facts_are_those_that_facter_has() {
        let mut compared = 0;
        for (set, text) in BUILT_IN {
            let facts = parse(text);
            let modern = facts.iter().filter(|it| {
                let name = it.0.as_str().unwrap_or_default();
                library::legacy_fact(name).is_none()
            });
            let modern = modern.map(|it| (it.0.clone(), it.1.clone())).collect();
            for (name, value) in with_legacy_facts(&modern).iter() {
                let name = name.as_str().unwrap_or_default();
                let Some(recorded) = facts.get_str(name) else {
                    continue;
                };
                assert_eq!(value, recorded, "{set}: {name}");
                compared += usize::from(library::legacy_fact(name).is_some());
            }
        }
        assert!(compared > 50, "{compared} facts");
    }

    #[test]
    fn every_set_has_the_common_ones() {
        for (set, text) in BUILT_IN {
            let facts = with_legacy_facts(&parse(text));
            for name in [
                "osfamily",
                "operatingsystem",
                "operatingsystemrelease",
                "architecture",
            ] {
                assert!(facts.get_str(name).is_some(), "{set}: {name}");
            }
        }
    }
}
