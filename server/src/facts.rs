//! Reads facts from JSON.

use std::path::Path;

use analysis::hiera::{DataFile, DataFormat, RootValue};
use analysis::values::{HashValue, Value};
use serde_json::Value as Json;

use crate::read_text::{MAX_FILE_SIZE, read_bytes};

/// Reads facts from a JSON or YAML file, as Facter prints them or PuppetDB stores them.
///
/// # Errors
///
/// If it cannot be read, with the reason.
pub(crate) fn read(path: &Path) -> Result<HashValue, String> {
    let problem =
        |it: &dyn std::fmt::Display| format!("cannot read facts from {}: {it}", path.display());
    let text = read_bytes(path, MAX_FILE_SIZE).map_err(|it| problem(&it))?;
    let extension = path.extension().and_then(|it| it.to_str());
    if matches!(extension, Some("yaml" | "yml")) {
        let text = String::from_utf8(text).map_err(|it| problem(&it))?;
        return of_yaml(&text).ok_or_else(|| problem(&"expected a YAML hash"));
    }
    let json: Json = serde_json::from_slice(&text).map_err(|it| problem(&it))?;
    from_json(&json).ok_or_else(|| problem(&"expected a JSON object"))
}

fn of_yaml(text: &str) -> Option<HashValue> {
    let values = DataFile::parse(text, DataFormat::Yaml).values.ok()?;
    let values = values.into_iter().filter_map(|(name, value)| match value {
        RootValue::Value(value) => Some((Value::String(name), value)),
        RootValue::Rejected(_) | RootValue::Unsupported(_) => None,
    });
    Some(unwrapped(values.collect()))
}

/// Returns the facts in an object of PuppetDB or of Puppet's cache, which has them as its `values`.
fn unwrapped(facts: HashValue) -> HashValue {
    match (facts.get_str("name"), facts.get_str("values")) {
        (Some(Value::String(_)), Some(Value::Hash(values))) => values.clone(),
        _ => facts,
    }
}

/// Converts a JSON object to facts. Returns `None` for any other JSON value.
pub(crate) fn from_json(json: &Json) -> Option<HashValue> {
    match value(json) {
        Value::Hash(facts) => Some(unwrapped(facts)),
        _ => None,
    }
}

/// Converts a JSON value.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(it) => Value::Boolean(*it),
        Json::Number(it) => match it.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => Value::Float(it.as_f64().unwrap_or(f64::MAX)),
        },
        Json::String(it) => Value::from(it.as_str()),
        Json::Array(items) => Value::array(items.iter().map(value).collect()),
        Json::Object(entries) => Value::hash(
            entries
                .iter()
                .map(|(key, it)| (key.as_str().into(), value(it))),
        ),
    }
}

/// Returns a string in the fact `os`.
pub(crate) fn os<'a>(facts: &'a HashValue, path: &[&str]) -> Option<&'a str> {
    let mut value = facts.get_str("os")?;
    for key in path {
        let Value::Hash(entries) = value else {
            return None;
        };
        value = entries.get_str(key)?;
    }
    value.as_str()
}
