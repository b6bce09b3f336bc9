//! Parses JSON and keeps the range of every value.

use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::scalar::{Scalar, parse_float};
use super::{Data, Entry, MAX_DEPTH, Node, Unreadable, range};

/// Parses JSON. Comments are allowed, as in Ruby.
pub fn json(text: &str) -> Result<Option<Node>, Unreadable> {
    if let Some(at) = too_deep(text) {
        return Err(Unreadable {
            range: range(at, at + 1),
            message: format!("nested more than {MAX_DEPTH} levels deep"),
        });
    }
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    match parsed {
        Ok(parsed) => Ok(parsed.value.map(|it| of_json(&it))),
        Err(error) => {
            let place = error.range();
            let message = error.kind().to_string();
            Err(Unreadable {
                range: range(place.start, place.end),
                message: message.trim_end_matches('.').to_lowercase(),
            })
        }
    }
}

/// Returns the offset of the first bracket that exceeds the maximum nesting depth. Brackets in strings
/// do not count.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn of_json(value: &ast::Value<'_>) -> Node {
    let place = value.range();
    let data = match value {
        ast::Value::NullKeyword(_) => Data::Scalar(Scalar::Null),
        ast::Value::StringLit(it) => Data::Scalar(Scalar::String(it.value.as_ref().into())),
        ast::Value::NumberLit(it) => Data::Scalar(number(it.value)),
        ast::Value::BooleanLit(it) => Data::Scalar(Scalar::Boolean(it.value)),
        ast::Value::Array(it) => Data::List(it.elements.iter().map(of_json).collect()),
        ast::Value::Object(it) => Data::Map(it.properties.iter().map(of_property).collect()),
    };
    let text = match value {
        ast::Value::StringLit(it) => Some(it.value.as_ref().into()),
        _ => None,
    };
    Node {
        range: range(place.start, place.end),
        data,
        text,
        anchor: 0,
    }
}

fn number(text: &str) -> Scalar {
    if text.contains(['.', 'e', 'E']) {
        return parse_float(text).unwrap_or(Scalar::Unsupported("a number"));
    }
    match text.parse() {
        Ok(integer) => Scalar::Integer(integer),
        Err(_) => Scalar::LargeInteger {
            is_negative: text.starts_with('-'),
        },
    }
}

fn of_property(property: &ast::ObjectProp<'_>) -> Entry {
    let (key, place) = match &property.name {
        ObjectPropName::String(it) => (it.value.to_string(), it.range),
        ObjectPropName::Word(it) => (it.value.to_owned(), it.range),
    };
    Entry {
        key_scalar: Scalar::String(key.as_str().into()),
        key,
        key_range: range(place.start, place.end),
        value: of_json(&property.value),
    }
}
