//! Functions that convert values or check their types.

use hiera::render;
use library::KnownFunction as F;
use types::values::Value;

use super::{digests, json, random};

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(super) fn call(function: F, args: &[Value]) -> Option<Value> {
    match (function, args) {
        (F::Any2bool, [Value::Boolean(it)]) => Some(Value::Boolean(*it)),
        (F::Bool2str, [Value::Boolean(it)]) => {
            Some(Value::from(if *it { "true" } else { "false" }))
        }
        (F::Bool2str, [Value::Boolean(it), yes, no]) => Some(if *it { yes } else { no }.clone()),
        (F::Bool2num, [Value::Boolean(it)]) => Some(Value::Integer(i64::from(*it))),
        (F::Str2bool, [value]) => str2bool(value),
        (F::IsArray, [value]) => Some(Value::Boolean(matches!(value, Value::Array(_)))),
        (F::IsBool, [value]) => Some(Value::Boolean(matches!(value, Value::Boolean(_)))),
        (F::IsHash, [value]) => Some(Value::Boolean(matches!(value, Value::Hash(_)))),
        (F::IsA, [value, Value::Type(ty)]) => types::is_instance(ty, value).map(Value::Boolean),
        (F::Parsejson, [Value::String(text)] | [Value::String(text), _]) => json::parse(text),
        (F::ToJson | F::StdlibToJson, [value]) => {
            Some(Value::from(render::exact_json(value)?.as_str()))
        }
        (F::ToJsonPretty | F::StdlibToJsonPretty, [value]) => {
            Some(Value::from(render::exact_pretty_json(value)?.as_str()))
        }
        (F::ToYaml | F::StdlibToYaml, [value]) => {
            Some(Value::from(render::exact_document(value)?.as_str()))
        }
        (F::Base64, args) => digests::base64(args),
        (F::StdlibSha256, [value]) => digests::sha256(value),
        (F::SeededRand | F::StdlibSeededRand, [Value::Integer(limit), Value::String(seed)]) => {
            random::number(seed, *limit).map(Value::Integer)
        }
        _ => None,
    }
}

fn str2bool(value: &Value) -> Option<Value> {
    let text = match value {
        Value::Boolean(it) => return Some(Value::Boolean(*it)),
        value => value.as_str()?,
    };
    match text.to_lowercase().as_str() {
        "y" | "1" | "t" | "true" | "yes" => Some(Value::Boolean(true)),
        "" | "n" | "0" | "f" | "false" | "no" | "undef" | "undefined" => {
            Some(Value::Boolean(false))
        }
        _ => None,
    }
}
