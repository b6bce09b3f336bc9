//! Values of parameters for users: in Puppet's notation and as JSON, without secrets.

use analysis::catalog::resource_of;
use analysis::values::{self, Value, interpolated};
use serde_json::{Value as Json, json};

/// Stands for a secret.
const SECRET: &str = "Sensitive";

/// Returns a value in Puppet's notation, on one line. References to resources are names, as in reports of
/// Puppet.
pub(super) fn puppet(value: &Value) -> String {
    if let Some(key) = resource_of(value) {
        return key.puppet_name();
    }
    match value {
        Value::Sensitive(_) => SECRET.to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(puppet).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Hash(map) => {
            let entry = |it: (&Value, &Value)| format!("{} => {}", puppet(it.0), puppet(it.1));
            let entries: Vec<String> = map.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
        value => values::source(value).unwrap_or_else(|| "an iterator".to_owned()),
    }
}

/// Converts a value to JSON. What JSON lacks becomes a string; a secret is marked as in Puppet's rich data, without its
/// value.
pub(super) fn to_json(value: &Value) -> Json {
    if let Some(key) = resource_of(value) {
        return Json::String(key.puppet_name());
    }
    match value {
        Value::Sensitive(_) => json!({ "__ptype": SECRET }),
        Value::Undef => Json::Null,
        Value::Boolean(it) => Json::Bool(*it),
        Value::Integer(it) => Json::from(*it),
        Value::Float(it) => Json::from(*it),
        Value::Array(items) => items.iter().map(to_json).collect(),
        Value::Hash(map) => {
            let entries = map.iter().map(|it| (key(it.0), to_json(it.1)));
            Json::Object(entries.collect())
        }
        value => Json::String(key(value)),
    }
}

fn key(value: &Value) -> String {
    match value {
        Value::Sensitive(_) => SECRET.to_owned(),
        value => interpolated(value).map_or_else(|| puppet(value), |it| it.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn does_not_show_secrets() {
        let secret = Value::Sensitive(Arc::new("secret".into()));
        let nested = Value::hash([("a".into(), Value::array(vec![secret.clone(), 1.into()]))]);
        assert_eq!(puppet(&nested), "{'a' => [Sensitive, 1]}");
        assert_eq!(
            to_json(&nested).to_string(),
            r#"{"a":[{"__ptype":"Sensitive"},1]}"#
        );
        let key = Value::hash([(secret, 1.into())]);
        assert!(!puppet(&key).contains("secret") && !to_json(&key).to_string().contains("secret"));
    }
}
