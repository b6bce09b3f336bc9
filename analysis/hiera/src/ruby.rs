//! Ruby's conversions of values to strings, which show in interpolations and explanations.

use std::fmt::Write;

use types::values::{Value, float_text, interpolated};

/// `to_s`
pub(crate) fn to_s(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::Array(_) | Value::Hash(_) => inspect(value),
        _ => interpolated(value).map_or(String::new(), |it| it.to_string()),
    }
}

/// `inspect`
pub(crate) fn inspect(value: &Value) -> String {
    let mut out = String::new();
    write_inspected(value, &mut out);
    out
}

fn write_inspected(value: &Value, out: &mut String) {
    match value {
        Value::Undef => out.push_str("nil"),
        Value::Default => out.push_str(":default"),
        Value::Float(it) => out.push_str(&float_text(*it)),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_inspected(item, out);
            }
            out.push(']');
        }
        Value::Hash(map) => {
            out.push('{');
            for (index, (key, value)) in map.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_inspected(key, out);
                out.push_str("=>");
                write_inspected(value, out);
            }
            out.push('}');
        }
        Value::Sensitive(_) => out.push_str("#<Sensitive [value redacted]>"),
        it => out.push_str(&to_s(it)),
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(it) = chars.next() {
        match it {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\u{1b}' => out.push_str("\\e"),
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            it if it.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(it));
            }
            it => out.push(it),
        }
    }
    out.push('"');
}
