//! Reads facts from JSON.

use std::path::Path;

use analysis::values::{HashValue, Value};
use serde_json::Value as Json;

use crate::terminal::Failure;

/// Reads facts from a JSON file.
pub(crate) fn read(path: &Path) -> Result<HashValue, Failure> {
    let problem = |it: &dyn std::fmt::Display| {
        Failure::Message(format!("cannot read facts from {}: {it}", path.display()))
    };
    let text = std::fs::read(path).map_err(|it| problem(&it))?;
    let json: Json = serde_json::from_slice(&text).map_err(|it| problem(&it))?;
    from_json(&json).ok_or_else(|| problem(&"expected a JSON object"))
}

/// Converts a JSON object to facts. Returns `None` for any other JSON value.
pub(crate) fn from_json(json: &Json) -> Option<HashValue> {
    match value(json) {
        Value::Hash(facts) => Some(facts),
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
