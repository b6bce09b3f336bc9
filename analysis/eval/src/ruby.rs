//! Ruby's operations on values: conversion to strings, order, and `format`.
//!
//! Puppet's functions with the 3.x API pass their arguments to Ruby, so that Ruby's semantics are
//! observable. This module does not depend on expressions or functions.

pub(super) mod format;
pub(super) mod number;
pub(super) mod order;

use std::fmt::Write;

use types::Type;
use types::values::{Value, float_text, interpolated, type_argument};

/// Ruby's `to_s`. Returns `None` if the result depends on more than the value, such as the address
/// of an object.
pub(super) fn to_s(value: &Value) -> Option<String> {
    Some(match value {
        Value::Undef => String::new(),
        Value::Default => "default".to_owned(),
        Value::Boolean(it) => it.to_string(),
        Value::Integer(it) => it.to_string(),
        Value::Float(it) => float_text(*it),
        Value::String(it) => it.to_string(),
        Value::Regexp(it) => format!("(?-mix:{})", it.source()),
        Value::Array(_) | Value::Hash(_) => inspect(value)?,
        Value::Type(it @ Type::Alias(_)) => types::display_expanded(it),
        // Puppet prints the whole definition, even within another type.
        Value::Type(Type::Object(it)) if it.name.is_some() => return None,
        Value::Type(it) => types::display(it),
        Value::Object(_) => type_argument(value),
        Value::Sensitive(_)
        | Value::Binary(_)
        | Value::Timespan(_)
        | Value::Timestamp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Uri(_)
        | Value::Iterator(_) => interpolated(value)?.to_string(),
    })
}

/// Ruby's `inspect`. Returns `None` if the result depends on more than the value.
pub(super) fn inspect(value: &Value) -> Option<String> {
    Some(match value {
        Value::Undef => "nil".to_owned(),
        Value::Default => ":default".to_owned(),
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => to_s(value)?,
        Value::String(it) => inspect_text(it)?,
        Value::Regexp(it) => it.to_string(),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(inspect).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Hash(entries) => {
            let entry = |(key, value)| Some(format!("{}=>{}", inspect(key)?, inspect(value)?));
            let entries: Option<Vec<String>> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries?.join(", "))
        }
        Value::Sensitive(_) => "#<Sensitive [value redacted]>".to_owned(),
        _ => return None,
    })
}

/// Renders a string as a Ruby literal. Returns `None` if it contains characters that Ruby may or
/// may not consider printable.
fn inspect_text(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' | '\\' => {
                out.push('\\');
                out.push(char);
            }
            '#' => {
                if matches!(chars.peek(), Some('{' | '$' | '@')) {
                    out.push('\\');
                }
                out.push('#');
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            '\u{7}' => out.push_str("\\a"),
            '\u{1b}' => out.push_str("\\e"),
            char if char.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(char));
            }
            char if char.is_ascii() || is_printable(char) => out.push(char),
            _ => return None,
        }
    }
    out.push('"');
    Some(out)
}

fn is_printable(char: char) -> bool {
    char.is_alphanumeric()
        || matches!(char, '\u{a1}'..='\u{ff}' | '\u{2010}'..='\u{2027}' | '\u{20a0}'..='\u{20bf}' | '\u{2190}'..='\u{23ff}' | '\u{1f300}'..='\u{1f64f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_values_as_ruby() {
        let hash = Value::hash([(Value::from("a#{b\u{1}\u{7f}\""), Value::Undef)]);
        let list = Value::array(vec![hash, Value::Default, Value::from(1.0)]);
        assert_eq!(
            to_s(&list).as_deref(),
            Some(r#"[{"a\#{b\u0001\u007F\""=>nil}, :default, 1.0]"#)
        );
        assert_eq!(inspect(&Value::from(Type::INTEGER)), None);
        assert_eq!(
            to_s(&Value::from(Type::INTEGER)).as_deref(),
            Some("Integer")
        );
    }
}
