//! The functions of `stdlib` that fail for invalid values, such as `validate_legacy`, as far as all versions agree.

use library::KnownFunction as F;
use types::values::{Regexp, Value};

const ARRAY: &str = F::ValidateArray.name();
const BOOL: &str = F::ValidateBool.name();
const HASH: &str = F::ValidateHash.name();
const RE: &str = F::ValidateRe.name();
const STRING: &str = F::ValidateString.name();

/// Returns the name of the values that a function accepts.
pub(crate) fn expected(function: &str) -> Option<&'static str> {
    Some(match function {
        "validate_absolute_path" => "an absolute path",
        ARRAY => "an array",
        BOOL => "a boolean",
        "validate_domain_name" => "a domain name",
        "validate_email_address" => "an email address",
        HASH => "a hash",
        "validate_integer" => "an integer",
        "validate_numeric" => "a number",
        RE => "a string that matches",
        STRING => "a string",
        _ => return None,
    })
}

/// Checks whether a function certainly refuses a value. `rest` are the arguments after it.
pub(crate) fn is_refused(function: &str, value: &Value, rest: &[Option<&Value>]) -> bool {
    match function {
        ARRAY => is_plain(value) && !matches!(value, Value::Array(_)),
        BOOL => is_plain(value) && !matches!(value, Value::Boolean(_)),
        HASH => is_plain(value) && !matches!(value, Value::Hash(_)),
        STRING => is_plain(value) && !matches!(value, Value::String(_)),
        "validate_integer" | "validate_numeric" => is_no_number(value),
        "validate_absolute_path" => is_no_path(value),
        RE => rest.first().is_some_and(|it| is_no_match(value, *it)),
        _ => false,
    }
}

fn is_plain(value: &Value) -> bool {
    matches!(
        value,
        Value::Boolean(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Hash(_)
    )
}

/// Checks for a value that Ruby does not convert to a number. Elements of an array must be numbers, too.
fn is_no_number(value: &Value) -> bool {
    match value {
        Value::Boolean(_) | Value::Hash(_) => true,
        Value::String(it) => !it.contains(|it: char| it.is_ascii_digit()),
        Value::Array(all) => all.iter().any(is_no_number),
        _ => false,
    }
}

fn is_no_path(value: &Value) -> bool {
    match value {
        Value::String(it) => {
            let mut chars = it.chars();
            let is_drive = chars.next().is_some_and(|it| it.is_ascii_alphabetic())
                && chars.next() == Some(':');
            !it.starts_with(['/', '\\']) && !is_drive
        }
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Hash(_) => true,
        _ => false,
    }
}

fn is_no_match(value: &Value, patterns: Option<&Value>) -> bool {
    let (Some(text), Some(patterns)) = (value.as_str(), patterns) else {
        return false;
    };
    let differs = |it: &Value| {
        let source = it.as_str();
        source.is_some_and(|it| Regexp::new(it).is_match(text) == Ok(false))
    };
    match patterns {
        Value::Array(all) => all.iter().all(differs),
        pattern => differs(pattern),
    }
}

/// Checks for a string that is certainly no address of electronic mail.
pub(crate) fn is_no_email_address(text: &str) -> bool {
    let parts = text.rsplit_once('@');
    parts.is_none_or(|(user, host)| user.is_empty() || !host.contains('.'))
}

/// Checks for a string that is certainly no domain name.
pub(crate) fn is_no_domain_name(text: &str) -> bool {
    let is_wrong = |label: &str| {
        let is_allowed = |it: char| it.is_ascii_alphanumeric() || it == '-';
        label.starts_with('-') || label.ends_with('-') || !label.chars().all(is_allowed)
    };
    text.is_empty() || text != "." && text.split('.').any(is_wrong)
}

/// Returns why a function that parses its argument fails, which it does unless it has a default value.
pub(crate) fn unparsable(function: &str, text: &str) -> Option<String> {
    let text = text.trim();
    if function == "parseyaml" {
        let is_flow = text.starts_with(['{', '[']);
        let is_wrong = is_flow && hiera::document::yaml(text).is_err();
        return is_wrong.then(|| "invalid YAML".to_owned());
    }
    // Ruby accepts comments, some control characters, and more escapes and numbers.
    let is_extended = |it: char| it.is_control() || matches!(it, '/' | '\\');
    if text.is_empty()
        || text.contains(is_extended)
        || ["NaN", "Infinity"].iter().any(|it| text.contains(it))
    {
        return None;
    }
    let error = serde_json::from_str::<serde_json::Value>(text).err()?;
    let is_certain = error.is_eof() || text.starts_with(['{', '[']);
    is_certain.then(|| format!("invalid JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{RE, STRING, is_no_domain_name, is_no_email_address, is_refused, unparsable};
    use types::values::Value;

    #[test]
    fn knows_refused_values() {
        let text = |it: &str| Value::String(it.into());
        assert!(is_refused("validate_integer", &text("x"), &[]));
        assert!(!is_refused("validate_integer", &text("0x1"), &[]));
        assert!(is_refused(STRING, &Value::Integer(1), &[]));
        assert!(!is_refused(STRING, &Value::Undef, &[]));
        let pattern = text("^a");
        assert!(is_refused(RE, &text("b"), &[Some(&pattern)]));
        assert!(!is_refused(RE, &text("ab"), &[Some(&pattern)]));
        assert!(!is_refused(RE, &text("b"), &[None]));
        assert!(is_refused("validate_absolute_path", &text("a/b"), &[]));
        assert!(!is_refused("validate_absolute_path", &text("C:/b"), &[]));
    }

    #[test]
    fn knows_addresses_and_domains() {
        assert!(is_no_email_address("a") && is_no_email_address("a@b"));
        assert!(!is_no_email_address("a.b@c.de"));
        assert!(is_no_domain_name("-a-") && is_no_domain_name("a_b.de"));
        assert!(!is_no_domain_name("a-b.de") && !is_no_domain_name("."));
    }

    #[test]
    fn parses_texts() {
        assert!(unparsable("parsejson", "{").is_some());
        assert!(unparsable("parsejson", "{'a': 1}").is_some());
        assert_eq!(unparsable("parsejson", "{\"a\": 1} "), None);
        assert_eq!(unparsable("parsejson", "/* a */ {}"), None);
        assert!(unparsable("parseyaml", "{ a: [").is_some());
        assert_eq!(unparsable("parseyaml", "a: [1]"), None);
    }
}
