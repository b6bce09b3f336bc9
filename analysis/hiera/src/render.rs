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
    if text.contains('\n') || is_double_quoted(text) {
        return Json::String(text.to_owned()).to_string();
    }
    match is_plain(text) {
        true => text.to_owned(),
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

/// Checks whether Psych uses double quotes, as `visit_String` in `visitors/yaml_tree.rb` decides.
fn is_double_quoted(text: &str) -> bool {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut rest = text.chars();
    let first = rest.next();
    matches!(text, "y" | "n" | "Y" | "N")
        || first.is_some_and(|it| !is_word(it)) && !rest.as_str().contains('"')
}

/// Checks whether a string needs no quotes. See `yaml_emitter_analyze_scalar` of libyaml.
fn is_plain(text: &str) -> bool {
    let is_indicator = |it: char| "#,[]{}&*!|>'\"%@`".contains(it);
    let is_blank = |it: Option<&str>| it.is_some_and(|it| it.is_empty() || it.starts_with(' '));
    let is_marker = ["-", "?", ":"]
        .iter()
        .any(|it| is_blank(text.strip_prefix(it)));
    !text.starts_with(is_indicator)
        && !is_marker
        && !is_wrong_octal(text)
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !text.starts_with(' ')
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && matches!(plain(text), Scalar::String(_))
}

/// Checks whether a string looks like an octal number with wrong digits, which some releases of Psych quote.
fn is_wrong_octal(text: &str) -> bool {
    let digits = text.strip_prefix('0');
    let rest = digits.map(|it| it.trim_start_matches(|it: char| matches!(it, '0'..='7')));
    rest.is_some_and(|it| it.starts_with(['8', '9']))
}

/// The width from which on libyaml breaks lines at spaces.
const WIDTH: usize = 80;

/// The limit of characters of a key on one line.
const MAX_KEY: usize = 100;

/// Renders an array or a hash as `to_yaml` of Ruby does; `None` if that differs between releases of Psych, or if long
/// lines are broken.
pub fn exact_document(value: &Value) -> Option<String> {
    let is_collection = matches!(value, Value::Array(_) | Value::Hash(_));
    (is_collection && is_exact_in_yaml(value, 0)).then(|| document(value))
}

/// Checks whether a value that starts in a column is certainly rendered like this.
fn is_exact_in_yaml(value: &Value, column: usize) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|it| is_exact_in_yaml(it, column + 2)),
        Value::Hash(map) => map.iter().all(|(key, value)| {
            let key = key.as_str().filter(|it| is_exact_string(it, 0));
            let length = key.map(|it| it.chars().count());
            length.is_some_and(|it| it <= MAX_KEY && is_exact_in_yaml(value, column + 2 + it + 4))
        }),
        Value::Boolean(_) | Value::Integer(_) => true,
        Value::Float(it) => is_exact_float(*it),
        Value::String(text) => is_exact_string(text, column),
        _ => false,
    }
}

fn is_exact_string(text: &str, column: usize) -> bool {
    let is_long = column + text.chars().count() + 2 > WIDTH && text.contains(' ');
    let is_simple = text.is_ascii() && !text.contains(|it: char| it.is_control());
    is_simple && !is_long && !is_wrong_octal(text) && !matches!(text, "Y" | "N" | "<<")
}

/// Checks whether all releases of Ruby write a number without an exponent.
fn is_exact_float(number: f64) -> bool {
    let text = float_text(number);
    let shown = Json::from(number).to_string();
    number.is_finite() && !text.contains('e') && shown == text
}

/// Renders a value as `to_json` of Ruby does; `None` if that differs between releases.
pub fn exact_json(value: &Value) -> Option<String> {
    is_exact_in_json(value).then(|| json(value).to_string())
}

/// Renders an array or a hash as `pretty_generate` of Ruby does, and a line break; `None` if that differs between releases.
pub fn exact_pretty_json(value: &Value) -> Option<String> {
    let is_collection = matches!(value, Value::Array(_) | Value::Hash(_));
    let is_exact = is_collection && is_exact_in_json(value) && !has_empty_collection(value);
    is_exact.then(|| format!("{:#}\n", json(value)))
}

fn is_exact_in_json(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_) => true,
        Value::Float(it) => is_exact_float(*it),
        Value::Array(items) => items.iter().all(is_exact_in_json),
        Value::Hash(map) => map
            .iter()
            .all(|(key, value)| key.as_str().is_some() && is_exact_in_json(value)),
        _ => false,
    }
}

/// Checks for empty arrays and hashes, which older releases write on several lines.
fn has_empty_collection(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(has_empty_collection),
        Value::Hash(map) => {
            let mut values = map.iter().map(|it| it.1);
            map.iter().next().is_none() || values.any(has_empty_collection)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_file::{DataFile, DataFormat, RootValue};

    #[test]
    fn quotes_like_psych() {
        for (text, wanted) in [
            ("a", "a"),
            ("/etc/x", "\"/etc/x\""),
            ("/a \"b\"", "/a \"b\""),
            ("\"", "\"\\\"\""),
            ("\"q\"", "'\"q\"'"),
            ("0644", "'0644'"),
            ("08", "'08'"),
            ("10.0.0.1", "10.0.0.1"),
            ("1.5", "'1.5'"),
            ("yes", "'yes'"),
            ("y", "\"y\""),
            ("a: b", "'a: b'"),
            ("x:y", "x:y"),
            ("x:", "'x:'"),
            ("", "''"),
            ("x ", "'x '"),
            ("$x", "\"$x\""),
        ] {
            assert_eq!(string(text, 2), wanted, "{text}");
        }
    }

    #[test]
    fn only_what_all_releases_write_is_exact() {
        let list = |it: Value| Value::array(vec![it]);
        let yaml = exact_document(&list("a".into()));
        assert_eq!(yaml.as_deref(), Some("---\n- a\n"));
        let long = "word ".repeat(20);
        for inexact in ["Y", "08", "a\nb", "\u{e4}", "<<", &long] {
            assert_eq!(exact_document(&list(inexact.into())), None, "{inexact}");
        }
        assert_eq!(exact_document(&list(Value::Undef)), None);
        assert_eq!(exact_document(&"a".into()), None);
        let json = exact_json(&list(Value::Undef));
        assert_eq!(json.as_deref(), Some("[null]"));
        assert_eq!(exact_json(&list(Value::Float(1e20))), None);
        let pretty = exact_pretty_json(&Value::hash([("a".into(), list(Value::Integer(1)))]));
        assert_eq!(pretty.as_deref(), Some("{\n  \"a\": [\n    1\n  ]\n}\n"));
        assert_eq!(exact_pretty_json(&list(Value::array(Vec::new()))), None);
    }

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
