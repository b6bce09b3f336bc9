//! Values as YAML and JSON.

use serde_json::Value as Json;
use types::values::{HashValue, Value, float_text, interpolated};

use crate::document::{Scalar, plain};

/// Renders a YAML document as Ruby's Psych does.
pub fn document(value: &Value) -> String {
    let mut out = String::from("---");
    write_value(value, 0, true, &mut out);
    out
}

/// Converts a value to JSON.
pub fn json(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(it) => Json::Bool(*it),
        Value::Integer(it) => Json::from(*it),
        Value::Float(it) => Json::from(*it),
        Value::Array(items) => items.iter().map(json).collect(),
        Value::Hash(map) => {
            let entries = map.iter().map(|(key, value)| (text_of(key), json(value)));
            Json::Object(entries.collect())
        }
        it => Json::String(text_of(it)),
    }
}

fn text_of(value: &Value) -> String {
    interpolated(value).map_or(String::new(), |it| it.to_string())
}

/// Writes a value after a dash, a key or the start of the document.
fn write_value(value: &Value, indent: usize, is_top: bool, out: &mut String) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            // Psych does not indent lists in hashes.
            for item in items.iter() {
                out.push_str(&" ".repeat(indent));
                out.push('-');
                write_nested(item, indent + 2, out);
            }
        }
        Value::Hash(map) if !map.is_empty() => {
            out.push('\n');
            write_entries(map, indent, out);
        }
        Value::Array(_) => out.push_str(" []\n"),
        Value::Hash(_) => out.push_str(" {}\n"),
        Value::Undef if is_top => out.push('\n'),
        Value::Undef => out.push('\n'),
        it => {
            out.push(' ');
            out.push_str(&scalar(it, indent));
            out.push('\n');
        }
    }
}

/// Writes an element of a list, whose first line is that of the dash.
fn write_nested(value: &Value, indent: usize, out: &mut String) {
    let mut text = String::new();
    match value {
        Value::Hash(map) if !map.is_empty() => write_entries(map, indent, &mut text),
        Value::Array(items) if !items.is_empty() => {
            for item in items.iter() {
                text.push_str(&" ".repeat(indent));
                text.push('-');
                write_nested(item, indent + 2, &mut text);
            }
        }
        it => return write_value(it, indent, false, out),
    }
    out.push(' ');
    out.push_str(text.trim_start_matches(' '));
}

fn write_entries(map: &HashValue, indent: usize, out: &mut String) {
    for (key, value) in map.iter() {
        out.push_str(&" ".repeat(indent));
        let text = scalar(key, indent);
        match text.contains('\n') {
            // A key is on one line.
            true => out.push_str(&Json::String(text_of(key)).to_string()),
            false => out.push_str(&text),
        }
        out.push(':');
        let nested = match value {
            Value::Array(_) => indent,
            _ => indent + 2,
        };
        write_value(value, nested, false, out);
    }
}

fn scalar(value: &Value, indent: usize) -> String {
    match value {
        Value::Undef => "''".to_owned(),
        Value::Boolean(it) => it.to_string(),
        Value::Integer(it) => it.to_string(),
        Value::Float(it) => float_text(*it),
        it => string(&text_of(it), indent),
    }
}

fn string(text: &str, indent: usize) -> String {
    let is_control = |it: char| it.is_control() && it != '\n';
    if text.contains(is_control) || text.starts_with('\n') {
        return Json::String(text.to_owned()).to_string();
    }
    if text.contains('\n') && text.lines().any(|it| !it.is_empty()) {
        return block(text, indent.max(2));
    }
    match is_plain(text) {
        true => text.to_owned(),
        false if text.contains('\n') => Json::String(text.to_owned()).to_string(),
        false => format!("'{}'", text.replace('\'', "''")),
    }
}

/// Renders a string of several lines.
fn block(text: &str, indent: usize) -> String {
    let end = match text.strip_suffix('\n') {
        None => "-",
        Some(rest) if rest.ends_with('\n') => "+",
        Some(_) => "",
    };
    let explicit = match text.starts_with(' ') {
        true => indent.to_string(),
        false => String::new(),
    };
    let mut out = format!("|{explicit}{end}");
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(line);
        }
    }
    out
}

/// Checks whether a string needs no quotes.
fn is_plain(text: &str) -> bool {
    let starts = |it: char| {
        it.is_alphanumeric()
            || matches!(
                it,
                '_' | '/' | '.' | '(' | ')' | '+' | '$' | '\\' | '^' | ';'
            )
    };
    text.starts_with(starts)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !matches!(text, "y" | "n" | "Y" | "N")
        && matches!(plain(text), Scalar::String(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_file::{DataFile, DataFormat, RootValue};

    #[test]
    fn renders_yaml_that_reads_back() {
        for text in [
            "a",
            "yes",
            "12",
            "1.5",
            "a: b",
            "a #b",
            "it's",
            "",
            " x",
            "x ",
            "- a",
            "a\nb\n",
            "a\n  b",
            "\ta",
            "null",
            "~",
            "%{x}",
            "@x",
            "a\n\nb\n\n",
            ":sym",
            "2001-01-01",
        ] {
            for value in [
                Value::from(text),
                Value::array(vec![Value::from(text)]),
                Value::hash([(Value::from(text), Value::array(vec![text.into()]))]),
            ] {
                let shown = document(&Value::hash([("x".into(), value.clone())]));
                let read = DataFile::parse(&shown, DataFormat::Yaml);
                let values = read.values.expect(&shown);
                let found = values.get("x").expect("the key is there");
                assert_eq!(*found, RootValue::Value(value), "{shown}");
            }
        }
    }
}
