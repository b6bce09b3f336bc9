//! Digests and encodings of strings.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use eval::hex_digest;
use sha2::Sha256;
use types::values::Value;

/// The length of the lines of the usual encoding.
const LINE: usize = 60;

/// Encodes or decodes a string.
pub(super) fn base64(args: &[Value]) -> Option<Value> {
    let texts: Option<Vec<&str>> = args.iter().map(Value::as_str).collect();
    let text = match texts?[..] {
        ["encode", text] | ["encode", text, "default"] => in_lines(&STANDARD.encode(text)),
        ["encode", text, "strict"] => STANDARD.encode(text),
        ["encode", text, "urlsafe"] => URL_SAFE.encode(text),
        // The usual decoding skips what is invalid.
        ["decode", text] | ["decode", text, "default"] => {
            let text: String = text.split_ascii_whitespace().collect();
            decoded(STANDARD.decode(text).ok()?)?
        }
        ["decode", text, "strict"] => decoded(STANDARD.decode(text).ok()?)?,
        ["decode", text, "urlsafe"] => decoded(URL_SAFE.decode(text).ok()?)?,
        _ => return None,
    };
    Some(Value::from(text))
}

fn in_lines(encoded: &str) -> String {
    let mut lines = String::new();
    for (index, c) in encoded.chars().enumerate() {
        if index > 0 && index % LINE == 0 {
            lines.push('\n');
        }
        lines.push(c);
    }
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines
}

/// Returns decoded text; `None` for other bytes.
fn decoded(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}

/// Returns the digest of a string, of which Puppet also unwraps sensitive ones.
pub(super) fn sha256(value: &Value) -> Option<Value> {
    let text = match value {
        Value::Sensitive(inner) => inner.as_str()?.to_owned(),
        Value::Integer(it) => it.to_string(),
        value => value.as_str()?.to_owned(),
    };
    Some(Value::from(hex_digest::<Sha256>(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_and_decodes() {
        let call = |args: &[&str]| {
            let args: Vec<Value> = args.iter().map(|it| Value::from(*it)).collect();
            let found = base64(&args)?;
            found.as_str().map(str::to_owned)
        };
        let encoded = call(&["encode", "thestring"]);
        assert_eq!(encoded.as_deref(), Some("dGhlc3RyaW5n\n"));
        let strict = call(&["encode", "a?>b", "strict"]);
        assert_eq!(strict.as_deref(), Some("YT8+Yg=="));
        let url = call(&["encode", "a?>b", "urlsafe"]);
        assert_eq!(url.as_deref(), Some("YT8-Yg=="));
        let decoded = call(&["decode", "dGhlc3RyaW5n\n"]);
        assert_eq!(decoded.as_deref(), Some("thestring"));
        assert_eq!(call(&["decode", "?"]), None);
        let long = call(&["encode", &"a".repeat(50)]).unwrap_or_default();
        let lengths: Vec<usize> = long.lines().map(str::len).collect();
        assert_eq!(lengths, [60, 8]);
    }

    #[test]
    fn digests_sensitive_strings() {
        let digest = "2f7e2089add0288a309abd71ffcc3b3567e2d4215e20e6ed3b74d6042f7ef8e5";
        let text = Value::from("my string");
        assert_eq!(sha256(&text), Some(Value::from(digest)));
        let sensitive = Value::Sensitive(text.into());
        assert_eq!(sha256(&sensitive), Some(Value::from(digest)));
    }
}
