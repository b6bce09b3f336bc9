//! Formatting of values that are neither arrays nor hashes.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use super::{Format, Indentation, Writer, conversion_error, no_such_format};
use crate::access::describe_type;
use crate::control_flow::{ControlFlow, FlowResult};
use types::values::{self, Value};

/// The letters of integer formats.
const INTEGERS: &str = "dxXobB";
/// The letters of float formats.
const FLOATS: &str = "eEfgGaA";

impl Writer<'_, '_> {
    pub(super) fn scalar(
        &self,
        format: &Format,
        value: &Value,
        _: Indentation,
    ) -> FlowResult<String> {
        match value {
            Value::Undef => self.undef(format),
            Value::Default => {
                let text = match (format.letter, format.spec.alternative) {
                    ('d' | 's' | 'p', false) => "default",
                    ('d' | 's' | 'p', true) => "\"default\"",
                    ('D', false) => "Default",
                    ('D', true) => "\"Default\"",
                    _ => return Err(no_such_format(format, "Default")),
                };
                self.sized(format, text)
            }
            Value::Boolean(it) => self.boolean(format, *it),
            Value::Integer(it) => self.integer(format, *it),
            Value::Float(it) => self.float(format, *it),
            Value::String(it) => self.string(format, it),
            Value::Binary(it) => self.binary(format, it),
            Value::Regexp(it) => {
                let text = match format.letter {
                    'p' => it.to_string(),
                    's' => {
                        let text = match it.is_tied() {
                            true => format!("(?-imx:{})", it.source()),
                            false => it.source().to_owned(),
                        };
                        match format.spec.alternative {
                            true => values::quote(&text),
                            false => text,
                        }
                    }
                    _ => return Err(no_such_format(format, "Regexp")),
                };
                if format.is_plain() {
                    return Ok(text);
                }
                self.ruby_text(format, &text)
            }
            Value::Type(it) => {
                let text = types::display_expanded(it);
                let text = match (format.letter, format.spec.alternative) {
                    ('s', true) => format!("\"{text}\""),
                    ('s', false) | ('p', _) => text,
                    _ => return Err(no_such_format(format, "Type")),
                };
                self.ruby_text(format, &text)
            }
            Value::Uri(it) => match format.letter {
                'p' => Ok(values::type_argument(value)),
                's' if format.spec.alternative => {
                    self.ruby_text(format, &values::quote(&it.to_string()))
                }
                's' => self.ruby_text(format, &it.to_string()),
                _ => Err(no_such_format(format, "URI")),
            },
            other => self.other(format, other),
        }
    }

    /// Applies the width and precision of a format. Its other flags are ignored.
    fn sized(&self, format: &Format, text: &str) -> FlowResult<String> {
        self.reserve(format.spec.size(text.len()))?;
        Ok(format.spec.text(text))
    }

    /// Applies a format as Ruby does, which does not support brackets.
    fn ruby_text(&self, format: &Format, text: &str) -> FlowResult<String> {
        self.no_brackets(format)?;
        self.sized(format, text)
    }

    fn no_brackets(&self, format: &Format) -> FlowResult<()> {
        match format.delimiter {
            Some(_) => Err(conversion_error("brackets only apply to arrays and hashes")),
            None => Ok(()),
        }
    }

    fn ruby_integer(&self, format: &Format, number: i128) -> FlowResult<String> {
        self.no_brackets(format)?;
        self.reserve(format.spec.size(130))?;
        let text = format.spec.integer(format.letter, number);
        text.ok_or_else(|| no_such_format(format, "Integer"))
    }

    fn ruby_float(&self, format: &Format, number: f64) -> FlowResult<String> {
        self.no_brackets(format)?;
        if !number.is_finite() {
            return Err(ControlFlow::unknown("float is not finite"));
        }
        self.reserve(format.spec.size(320))?;
        let text = format.spec.float(format.letter, number);
        text.ok_or_else(|| no_such_format(format, "Float"))
    }

    fn undef(&self, format: &Format) -> FlowResult<String> {
        let text = match (format.letter, format.spec.alternative) {
            ('n', false) => "nil",
            ('n', true) => "null",
            ('u', false) => "undef",
            ('u', true) => "undefined",
            ('v', _) => "n/a",
            ('V', _) => "N/A",
            ('s', false) => "",
            ('s', true) => "\"\"",
            ('p', false) => "undef",
            ('p', true) => "\"undef\"",
            (letter, _) if INTEGERS.contains(letter) || FLOATS.contains(letter) => "NaN",
            _ => return Err(no_such_format(format, "Undef")),
        };
        self.sized(format, text)
    }

    fn boolean(&self, format: &Format, value: bool) -> FlowResult<String> {
        let text = match (format.letter, value) {
            ('t' | 's' | 'p', true) => "true",
            ('t' | 's' | 'p', false) => "false",
            ('T', true) => "True",
            ('T', false) => "False",
            ('y', true) => "yes",
            ('y', false) => "no",
            ('Y', true) => "Yes",
            ('Y', false) => "No",
            (letter, _) if INTEGERS.contains(letter) => {
                return self.ruby_integer(format, i128::from(value));
            }
            (letter, _) if FLOATS.contains(letter) => {
                return self.ruby_float(format, f64::from(u8::from(value)));
            }
            _ => return Err(no_such_format(format, "Boolean")),
        };
        let short = format.spec.alternative && !matches!(format.letter, 's' | 'p');
        self.sized(format, if short { &text[..1] } else { text })
    }

    fn integer(&self, format: &Format, number: i64) -> FlowResult<String> {
        match format.letter {
            'p' => self.ruby_text(format, &number.to_string()),
            letter if INTEGERS.contains(letter) => self.ruby_integer(format, number.into()),
            letter if FLOATS.contains(letter) => self.ruby_float(format, number as f64),
            's' if format.spec.alternative => self.ruby_text(format, &format!("\"{number}\"")),
            's' => self.ruby_text(format, &number.to_string()),
            'c' if number < 0 => Err(conversion_error("invalid character code")),
            'c' => {
                let char = u32::try_from(number).ok().and_then(char::from_u32);
                let char = char.ok_or_else(|| ControlFlow::unknown("invalid character code"))?;
                if format.spec.alternative {
                    self.ruby_text(format, &format!("\"{char}\""))
                } else {
                    self.ruby_text(format, &char.to_string())
                }
            }
            _ => Err(no_such_format(format, "Integer")),
        }
    }

    fn float(&self, format: &Format, number: f64) -> FlowResult<String> {
        /// The limit up to which the integer part fits into 128 bits.
        const EXACT: f64 = 1e36;
        match format.letter {
            letter if INTEGERS.contains(letter) && number.abs() < EXACT => {
                self.ruby_integer(format, number.trunc() as i128)
            }
            letter if INTEGERS.contains(letter) => {
                Err(ControlFlow::unknown("integer does not fit in 64 bits"))
            }
            letter if FLOATS.contains(letter) => self.ruby_float(format, number),
            'p' => self.ruby_text(format, &values::float_text(number)),
            's' if format.spec.alternative => {
                self.ruby_text(format, &format!("\"{}\"", values::float_text(number)))
            }
            's' => self.ruby_text(format, &values::float_text(number)),
            _ => Err(no_such_format(format, "Float")),
        }
    }

    fn string(&self, format: &Format, text: &str) -> FlowResult<String> {
        let alternative = format.spec.alternative;
        let changed: Cow<'_, str> = match format.letter {
            's' => return self.ruby_text(format, text),
            'p' if alternative => return self.sized(format, &values::double_quote(text)),
            'p' => return self.sized(format, &values::quote(text)),
            'c' => capitalized(text)?.into(),
            'C' => {
                let mut parts: Vec<&str> = text.split("::").collect();
                while parts.last().is_some_and(|it| it.is_empty()) {
                    parts.pop();
                }
                let parts = parts.into_iter().map(capitalized);
                parts.collect::<FlowResult<Vec<_>>>()?.join("::").into()
            }
            'u' => text.to_uppercase().into(),
            'd' => values::lower_case(text).into(),
            't' => text
                .trim_matches(|it| matches!(it, '\0' | ' ' | '\t'..='\r'))
                .into(),
            _ => return Err(no_such_format(format, "String")),
        };
        if alternative {
            self.sized(format, &values::quote(&changed))
        } else {
            self.ruby_text(format, &changed)
        }
    }

    fn binary(&self, format: &Format, bytes: &[u8]) -> FlowResult<String> {
        let alternative = format.spec.alternative;
        self.reserve(bytes.len() * 2)?;
        let text = match format.letter {
            's' if alternative => return self.ruby_text(format, &inspected(bytes)),
            's' => {
                let text = std::str::from_utf8(bytes);
                let text = text.map_err(|_| conversion_error("the `Binary` is not valid UTF-8"))?;
                return self.ruby_text(format, text);
            }
            'p' => {
                let text = self.ruby_text(format, &STANDARD.encode(bytes))?;
                return Ok(format!("Binary(\"{text}\")"));
            }
            'b' => in_lines(bytes),
            'B' => STANDARD.encode(bytes),
            'u' => URL_SAFE.encode(bytes),
            't' => "Binary".to_owned(),
            'T' => "BINARY".to_owned(),
            _ => return Err(no_such_format(format, "Binary")),
        };
        if alternative {
            self.ruby_text(format, &inspected(text.as_bytes()))
        } else {
            self.ruby_text(format, &text)
        }
    }

    /// Formats values that Puppet leaves to Ruby.
    fn other(&self, format: &Format, value: &Value) -> FlowResult<String> {
        let text = || {
            values::interpolated(value)
                .ok_or_else(|| ControlFlow::unknown("string representation of an object"))
        };
        match (format.letter, value) {
            ('s', value) => {
                let _ = value;
                self.ruby_text(format, &text()?)
            }
            ('p', Value::Sensitive(_)) => self.ruby_text(format, "#<Sensitive [value redacted]>"),
            ('p', Value::SemVer(_)) => self.ruby_text(format, &text()?),
            ('p', _) => Err(ControlFlow::unknown("Ruby's representation of an object")),
            (letter, Value::Timespan(it) | Value::Timestamp(it)) => {
                if INTEGERS.contains(letter) {
                    let seconds = it.get().div_euclid(1_000_000_000);
                    self.ruby_integer(format, seconds)
                } else if FLOATS.contains(letter) {
                    self.ruby_float(format, it.seconds())
                } else {
                    Err(ControlFlow::unknown("unsupported format of a time"))
                }
            }
            _ => Err(no_such_format(format, &describe_type(value))),
        }
    }

    pub(super) fn object(
        &self,
        format: &Format,
        value: &Value,
        indentation: Indentation,
    ) -> FlowResult<String> {
        match format.letter {
            'p' if format.spec.alternative || indentation.active => {
                Err(ControlFlow::unknown("indented format of an object"))
            }
            'p' | 's' => {
                let text = values::type_argument(value);
                self.reserve(text.len())?;
                Ok(text)
            }
            'q' => Err(ControlFlow::unknown("Ruby's representation of an object")),
            _ => Err(no_such_format(format, "Object")),
        }
    }
}

/// Converts the first letter to upper case, and the others to lower case.
fn capitalized(text: &str) -> FlowResult<String> {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return Ok(String::new());
    };
    let mut upper = first.to_uppercase();
    let first = match (upper.next(), upper.next()) {
        // Letters whose title case differs from their upper case.
        _ if matches!(first, '\u{1c4}'..='\u{1cc}' | '\u{1f1}'..='\u{1f3}' | '\u{10d0}'..='\u{10ff}') => {
            None
        }
        (Some(only), None) => Some(only),
        _ => None,
    };
    let first = first.ok_or_else(|| ControlFlow::unknown("title case of an unusual letter"))?;
    let rest = values::lower_case(chars.as_str());
    Ok(format!("{first}{rest}"))
}

/// Encodes to Base64 in lines of 60 characters, including the last line break.
fn in_lines(bytes: &[u8]) -> String {
    bytes
        .chunks(45)
        .map(|it| STANDARD.encode(it) + "\n")
        .collect()
}

/// Renders bytes as Ruby's `inspect` does.
fn inspected(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x0c => out.push_str("\\f"),
            0x0b => out.push_str("\\v"),
            0x08 => out.push_str("\\b"),
            0x07 => out.push_str("\\a"),
            0x1b => out.push_str("\\e"),
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b'#' if matches!(bytes.get(index + 1), Some(b'{' | b'$' | b'@')) => out.push_str("\\#"),
            b' '..=b'~' => out.push(char::from(byte)),
            byte => out.push_str(&format!("\\x{byte:02X}")),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_bytes_as_ruby() {
        assert_eq!(inspected(b"a\n\"\\#{#x\xe2"), "\"a\\n\\\"\\\\\\#{#x\\xE2\"");
        assert_eq!(
            in_lines(&[0; 46]).lines().map(str::len).collect::<Vec<_>>(),
            [60, 4]
        );
    }
}
