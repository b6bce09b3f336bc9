//! Placeholder values for required parameters.

use types::values::{HashValue, Value, source};
use types::{Type, is_instance};

/// Returns the simplest value of a type as Puppet source, see [`sample_value`].
pub fn sample(type_: &Type) -> Option<String> {
    source(&sample_value(type_)?)
}

/// Returns the simplest value of a type: the first enumerated value, an empty value, or a placeholder.
/// Returns `None` if none of the candidates fits.
pub fn sample_value(type_: &Type) -> Option<Value> {
    let mut candidates = Vec::new();
    listed(type_, &mut candidates, 8);
    candidates.extend(["", "TODO", "todo", "/TODO", "https://todo.example"].map(Value::from));
    let fits = |it: &Value| is_instance(type_, it) == Some(true);
    // A type that also accepts other numbers, such as that of a version, does not mean an address.
    if !fits(&Value::from("999.999.999.999")) {
        candidates.push(Value::from("0.0.0.0"));
    }
    candidates.extend([0_i64, 1, 1024].map(Value::from));
    candidates.push(Value::from(false));
    candidates.extend([
        Value::from(Vec::new()),
        Value::Hash(HashValue::from_iter([])),
    ]);
    candidates.push(Value::from(vec![Value::from("TODO")]));
    candidates.into_iter().find(|it| fits(it))
}

/// Collects the values that a type enumerates.
fn listed(type_: &Type, into: &mut Vec<Value>, depth: u32) {
    match type_ {
        _ if depth == 0 => {}
        Type::Enum(it) => into.extend(it.values().iter().map(|it| Value::from(&**it))),
        Type::String(it) => into.extend(it.value().map(|it| Value::from(&**it))),
        Type::Variant(all) => all.iter().for_each(|it| listed(it, into, depth - 1)),
        Type::Optional(Some(it)) | Type::NotUndef(Some(it)) => listed(it, into, depth - 1),
        Type::Alias(it) => listed(&it.resolved(), into, depth - 1),
        _ => {}
    }
}
