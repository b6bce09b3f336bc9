//! Values from JSON. See `hiera::render` for the way back.

use serde_json::Value as Json;
use types::values::Value;

/// The limit of nesting of Ruby's parser.
const MAX_DEPTH: usize = 100;

/// Reads an array or object; `None` for anything else, and for numbers that have no exact value.
pub(super) fn parse(text: &str) -> Option<Value> {
    let json: Json = serde_json::from_str(text).ok()?;
    match json {
        Json::Array(_) | Json::Object(_) => value(&json, MAX_DEPTH),
        _ => None,
    }
}

fn value(json: &Json, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    Some(match json {
        Json::Null => Value::Undef,
        Json::Bool(it) => Value::Boolean(*it),
        // `-0` is an integer in Ruby.
        Json::Number(it) if it.is_f64() => Value::Float(it.as_f64().filter(|it| *it != 0.0)?),
        Json::Number(it) => Value::Integer(it.as_i64()?),
        Json::String(it) => Value::from(it.as_str()),
        Json::Array(items) => {
            let items = items.iter().map(|it| value(it, depth));
            Value::array(items.collect::<Option<_>>()?)
        }
        Json::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, it)| Some((Value::from(key.as_str()), value(it, depth)?)));
            Value::hash(entries.collect::<Option<Vec<_>>>()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_collections() {
        let text = r#"{"a": [1, 1.5, true, null], "b": "x"}"#;
        let items = [
            Value::Integer(1),
            Value::Float(1.5),
            Value::Boolean(true),
            Value::Undef,
        ];
        let wanted = [
            ("a".into(), Value::array(items.to_vec())),
            ("b".into(), "x".into()),
        ];
        assert_eq!(parse(text), Some(Value::hash(wanted)));
        for text in ["", "1", "null", "[", "[-0]", "[9223372036854775808]"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
