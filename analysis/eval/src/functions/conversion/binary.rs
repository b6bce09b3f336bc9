//! `Binary(…)`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::conversion_error;
use crate::control_flow::FlowResult;
use types::values::Value;

pub(super) fn binary(args: &[Value]) -> FlowResult {
    let (from, format) = match args {
        [Value::Hash(named)] => (named.get_str("value"), named.get_str("format")),
        args => (args.first(), args.get(1)),
    };
    let bytes = match from {
        Some(Value::Array(bytes)) => {
            let byte = |it: &Value| it.as_integer().and_then(|it| u8::try_from(it).ok());
            let bytes: Option<Vec<u8>> = bytes.iter().map(byte).collect();
            bytes.ok_or_else(|| conversion_error("expected integers from 0 to 255"))?
        }
        Some(Value::String(text)) => {
            let format = format.and_then(Value::as_str).unwrap_or("%B");
            decoded(text, format)?
        }
        _ => return Err(conversion_error("expected a string or an array of bytes")),
    };
    Ok(Value::Binary(bytes.into()))
}

fn decoded(text: &str, format: &str) -> FlowResult<Vec<u8>> {
    let invalid = || conversion_error("invalid Base64");
    match format {
        "%s" | "%r" => Ok(text.as_bytes().to_vec()),
        "%b" => Ok(lenient(text)),
        "%u" => {
            // Puppet adds missing padding, and then decodes strictly.
            let standard: String = text
                .chars()
                .map(|it| match it {
                    '-' => '+',
                    '_' => '/',
                    it => it,
                })
                .collect();
            strict(&padded(&standard)).ok_or_else(invalid)
        }
        _ => strict(text).ok_or_else(invalid),
    }
}

/// Adds padding if there is none.
fn padded(text: &str) -> String {
    let missing = (4 - text.len() % 4) % 4;
    if text.ends_with('=') || missing == 0 {
        return text.to_owned();
    }
    format!("{text}{}", "=".repeat(missing))
}

fn strict(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Decodes Base64 leniently, as Ruby does: skips other characters, and ends at padding if it may
/// occur.
fn lenient(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut digits: Vec<u8> = Vec::with_capacity(4);
    for char in text.bytes() {
        match digit(char) {
            Some(digit) => digits.push(digit),
            None if char == b'=' && digits.len() >= 2 => break,
            None => {}
        }
        if digits.len() == 4 {
            out.extend(joined(&digits));
            digits.clear();
        }
    }
    out.extend(joined(&digits));
    out
}

fn digit(char: u8) -> Option<u8> {
    match char {
        b'A'..=b'Z' => Some(char - b'A'),
        b'a'..=b'z' => Some(char - b'a' + 26),
        b'0'..=b'9' => Some(char - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// Decodes up to four digits.
fn joined(digits: &[u8]) -> impl Iterator<Item = u8> + '_ {
    digits.windows(2).enumerate().map(|(index, pair)| {
        let shift = 2 * (index + 1);
        let both = (u16::from(pair[0]) << 6) | u16::from(pair[1]);
        (both >> (6 - shift.min(6))) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn binaries() {
        assert_eq!(run("Binary('YWJj')"), r#"Binary("YWJj")"#);
        assert_eq!(run("Binary('YW')"), "error");
        assert_eq!(run("Binary('YW', '%b')"), r#"Binary("YQ==")"#);
        assert_eq!(run("Binary('-_-_', '%u')"), r#"Binary("+/+/")"#);
        assert_eq!(run("Binary('YQ', '%u')"), r#"Binary("YQ==")"#);
        assert_eq!(run("Binary('a', '%s')"), r#"Binary("YQ==")"#);
        assert_eq!(run("Binary([97])"), r#"Binary("YQ==")"#);
        assert_eq!(run("Binary([256])"), "error");
    }
}
