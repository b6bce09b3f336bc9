//! The facts of the hosts of `tests/oracle`.

use std::fs;
use std::path::Path;

use analysis::values::Value;
use serde_json::{Map, Value as Json};

/// Reads the facts of a host by its name, such as `debian12`.
pub fn host(name: &str) -> Map<String, Json> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracle/facts");
    let text = fs::read_to_string(folder.join(format!("{name}.json")));
    let text = text.expect("the facts can be read");
    serde_json::from_str(&text).expect("the facts are an object")
}

/// Converts a JSON value to one of Puppet.
pub fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(it) => Value::Boolean(*it),
        Json::Number(it) => match it.as_i64() {
            Some(it) => Value::Integer(it),
            None => Value::Float(it.as_f64().expect("a number")),
        },
        Json::String(it) => Value::from(it.as_str()),
        Json::Array(it) => Value::array(it.iter().map(value).collect()),
        Json::Object(it) => {
            Value::hash(it.iter().map(|(key, it)| (key.as_str().into(), value(it))))
        }
    }
}
