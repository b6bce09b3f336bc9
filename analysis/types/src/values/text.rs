//! String conversions of values: interpolation and Puppet source.

use std::fmt::Write;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::time::{timespan_text, timestamp_text};
use super::{Value, float_text};
use crate::{display, display_expanded};

/// Quotes a string as Puppet does: in single quotes, or in double quotes if it contains control
/// characters.
pub fn quote(text: &str) -> String {
    if text.chars().any(|it| it < '\u{20}') {
        return double_quote(text);
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    let mut backslash = false;
    for char in text.chars() {
        // Puppet copies the character after a backslash, even if it is another backslash.
        if backslash {
            out.push('\\');
            out.push(char);
            backslash = false;
        } else {
            match char {
                '\'' => out.push_str("\\'"),
                '\\' => backslash = true,
                char => out.push(char),
            }
        }
    }
    if backslash {
        out.push('\\');
    }
    out.push('\'');
    out
}

/// Quotes a string so that Puppet parses it back: like [`quote`], with all backslashes escaped.
pub fn quote_readable(text: &str) -> String {
    let quoted = quote(text);
    if text.contains('\\') && quoted.starts_with('\'') {
        return format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    }
    quoted
}

/// Quotes a string in double quotes.
pub fn double_quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' | '$' | '\\' => {
                out.push('\\');
                out.push(char);
            }
            char if char < '\u{20}' => {
                let _ = write!(out, "\\u{{{:X}}}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Converts to lower case character by character, as Ruby does.
pub fn lower_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Encodes bytes in Base64, as a `Binary` is printed.
pub fn binary_text(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Converts a value to a string as interpolation does. Returns `None` if the result depends on the
/// platform, as for an iterator with unknown elements.
pub fn interpolated(value: &Value) -> Option<Arc<str>> {
    if let Value::String(text) = value {
        return Some(Arc::clone(text));
    }
    let mut out = String::new();
    interpolate(value, &mut out)?;
    Some(out.into())
}

fn interpolate(value: &Value, out: &mut String) -> Option<()> {
    match value {
        Value::Undef => {}
        Value::String(text) => out.push_str(text),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                interpolate(item, out)?;
            }
            out.push(']');
        }
        Value::Hash(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                interpolate(key, out)?;
                out.push_str(" => ");
                interpolate(value, out)?;
            }
            out.push('}');
        }
        Value::Sensitive(_) => out.push_str("Sensitive [value redacted]"),
        Value::Binary(bytes) => out.push_str(&binary_text(bytes)),
        Value::Timespan(it) => out.push_str(&timespan_text(*it)),
        Value::Timestamp(it) => out.push_str(&timestamp_text(*it)),
        Value::SemVer(it) => out.push_str(&it.to_string()),
        Value::SemVerRange(it) => out.push_str(&it.to_string()),
        Value::Uri(it) => out.push_str(&it.to_string()),
        Value::Type(ty) => out.push_str(&display_expanded(ty)),
        Value::Iterator(it) => {
            if it.is_tree() {
                return None;
            }
            let general = crate::generalize(&it.element_type()?);
            let _ = write!(out, "Iterator[{}]-Value", display_expanded(&general));
        }
        value => out.push_str(&type_argument(value)),
    }
    Some(())
}

/// Formats a value as Puppet does inside a type, such as the arguments of `Init`.
pub fn type_argument(value: &Value) -> String {
    match value {
        Value::Undef => "undef".to_owned(),
        Value::Default => "default".to_owned(),
        Value::Boolean(it) => it.to_string(),
        Value::Integer(it) => it.to_string(),
        Value::Float(it) => float_text(*it),
        Value::String(it) => quote(it),
        Value::Regexp(it) => it.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(type_argument).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Hash(entries) => {
            let entry =
                |(key, value)| format!("{} => {}", type_argument(key), type_argument(value));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Type(ty) => display(ty),
        Value::Timespan(it) => quote(&timespan_text(*it)),
        Value::Timestamp(it) => quote(&timestamp_text(*it)),
        Value::SemVer(it) => quote(&it.to_string()),
        Value::SemVerRange(it) => quote(&it.to_string()),
        Value::Uri(it) => format!("URI({})", quote(&it.to_string())),
        Value::Object(it) => it.text(),
        Value::Sensitive(_) => "Sensitive [value redacted]".to_owned(),
        Value::Binary(it) => format!("Binary({})", quote(&binary_text(it))),
        Value::Iterator(_) => "Iterator-Value".to_owned(),
    }
}

/// Formats a value as Puppet source that evaluates to it; `None` if there is no such source, as for
/// an iterator.
pub fn source(value: &Value) -> Option<String> {
    Some(match value {
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(source).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Hash(entries) => {
            let entry = |(key, value)| Some(format!("{} => {}", source(key)?, source(value)?));
            let entries: Option<Vec<String>> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries?.join(", "))
        }
        Value::Sensitive(inner) => format!("Sensitive({})", source(inner)?),
        Value::SemVer(it) => format!("SemVer('{it}')"),
        Value::SemVerRange(it) => format!("SemVerRange('{it}')"),
        Value::Timespan(it) => format!("Timespan({})", quote(&timespan_text(*it))),
        Value::Timestamp(it) => format!("Timestamp({})", quote(&timestamp_text(*it))),
        Value::Binary(it) => format!("Binary(\"{}\")", binary_text(it)),
        Value::Type(crate::Type::Object(ty)) if ty.name.is_none() => {
            display_expanded(&crate::Type::Object(Arc::clone(ty)))
        }
        Value::Iterator(_) => return None,
        value => type_argument(value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    #[test]
    fn quotes_strings_like_puppet() {
        assert_eq!(quote("a'b"), r"'a\'b'");
        assert_eq!(quote(r"a\b"), r"'a\b'");
        assert_eq!(quote(r"a\\b"), r"'a\\b'");
        assert_eq!(quote("a\\"), r"'a\'");
        assert_eq!(quote("a\n$\"\\\u{1}"), r#""a\n\$\"\\\u{1}""#);
    }

    #[test]
    fn interpolation_differs_from_source() {
        let value = Value::array(vec![
            Value::Undef,
            Value::from("q"),
            Value::Default,
            Value::from(1.5),
            Value::hash([(Value::from("a"), Value::from(true))]),
            Value::Sensitive(Arc::new(Value::from("x"))),
            Value::from(Type::INTEGER),
        ]);
        let text = interpolated(&value).expect("a string");
        let redacted = "Sensitive [value redacted]";
        assert_eq!(
            &*text,
            format!("[, q, default, 1.5, {{a => true}}, {redacted}, Integer]")
        );
        let expected = "[undef, 'q', default, 1.5, {'a' => true}, Sensitive('x'), Integer]";
        assert_eq!(source(&value).as_deref(), Some(expected));
    }
}
