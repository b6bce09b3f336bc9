//! Ruby's conversions of strings to numbers.

/// The result of parsing a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ParsedNumber<T> {
    /// A number.
    Number(T),
    /// Not a number.
    Invalid,
    /// A number that does not fit in 64 bits, or whose notation is not supported.
    Unknown,
}

impl<T> ParsedNumber<T> {
    /// Transforms the number.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> ParsedNumber<U> {
        match self {
            ParsedNumber::Number(it) => ParsedNumber::Number(change(it)),
            ParsedNumber::Invalid => ParsedNumber::Invalid,
            ParsedNumber::Unknown => ParsedNumber::Unknown,
        }
    }
}

fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t'..='\r')
}

/// Splits off the leading digits, without the underscores between them.
fn digits(text: &str, radix: u32) -> (String, &str) {
    let mut found = String::new();
    let mut end = 0;
    for (at, char) in text.char_indices() {
        let next_is_digit = text[at + char.len_utf8()..].starts_with(|it: char| it.is_digit(radix));
        match char {
            it if it.is_digit(radix) => found.push(it),
            '_' if !found.is_empty() && next_is_digit => {}
            _ => break,
        }
        end = at + char.len_utf8();
    }
    (found, &text[end..])
}

/// Splits off a leading decimal float, in a notation that Rust parses.
fn decimal(text: &str) -> (String, &str) {
    let (sign, unsigned) = sign(text);
    let (whole, mut rest) = digits(unsigned, 10);
    let mut found = format!("{}{}", if sign { "-" } else { "" }, whole);
    if let Some(after) = rest.strip_prefix('.') {
        let (fraction, after) = digits(after, 10);
        if !fraction.is_empty() {
            found = format!("{found}.{fraction}");
            rest = after;
        }
    }
    if let Some(after) = rest.strip_prefix(['e', 'E'])
        && found.ends_with(|it: char| it.is_ascii_digit())
    {
        let (negative, after) = self::sign(after);
        let (exponent, after) = digits(after, 10);
        if !exponent.is_empty() {
            found = format!("{found}e{}{exponent}", if negative { "-" } else { "" });
            rest = after;
        }
    }
    (found, rest)
}

/// Splits off the sign. The flag is set for a minus sign.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Ruby's `to_f`: the leading number, or zero.
pub(crate) fn to_f(text: &str) -> f64 {
    let (found, _) = decimal(text.trim_start_matches(is_blank));
    found.parse().unwrap_or(0.0)
}

/// Ruby's `to_i`: the leading integer, or zero.
pub(crate) fn to_i(text: &str) -> ParsedNumber<i64> {
    let (negative, rest) = sign(text.trim_start_matches(is_blank));
    let (found, _) = digits(rest, 10);
    if found.is_empty() {
        return ParsedNumber::Number(0);
    }
    integer(&found, 10, negative)
}

fn integer(digits: &str, radix: u32, negative: bool) -> ParsedNumber<i64> {
    let signed = format!("{}{digits}", if negative { "-" } else { "" });
    match i64::from_str_radix(&signed, radix) {
        Ok(number) => ParsedNumber::Number(number),
        Err(_) => ParsedNumber::Unknown,
    }
}

/// Ruby's `Float()`: the whole string must be a number.
pub(crate) fn parse_float(text: &str) -> ParsedNumber<f64> {
    let text = text.trim_matches(is_blank);
    let (negative, unsigned) = sign(text);
    if let Some(hex) = unsigned
        .strip_prefix("0x")
        .or_else(|| unsigned.strip_prefix("0X"))
    {
        if hex.contains(['p', 'P', '.', '_']) {
            return ParsedNumber::Unknown;
        }
        return match digits(hex, 16) {
            (found, "") if !found.is_empty() => integer(&found, 16, negative).map(|it| it as f64),
            _ => ParsedNumber::Invalid,
        };
    }
    let (found, rest) = decimal(text);
    if !rest.is_empty() || unsigned.is_empty() || found.is_empty() {
        return ParsedNumber::Invalid;
    }
    match found.parse() {
        Ok(number) => ParsedNumber::Number(number),
        Err(_) => ParsedNumber::Invalid,
    }
}

/// Ruby's `Integer()`: the whole string must be an integer. A prefix selects the radix.
pub(crate) fn parse_integer(text: &str) -> ParsedNumber<i64> {
    let text = text.trim_matches(is_blank);
    let (negative, unsigned) = sign(text);
    let lower = unsigned.to_ascii_lowercase();
    let (radix, skipped) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, 2),
        [b'0', b'b', ..] => (2, 2),
        [b'0', b'o', ..] => (8, 2),
        [b'0', b'd', ..] => (10, 2),
        [b'0', b'_', ..] => (8, 2),
        [b'0', _, ..] => (8, 1),
        _ => (10, 0),
    };
    match digits(&unsigned[skipped..], radix) {
        (found, "") if !found.is_empty() => integer(&found, radix, negative),
        _ => ParsedNumber::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats() {
        let cases = [
            ("1_0.5", ParsedNumber::Number(10.5)),
            (".5", ParsedNumber::Number(0.5)),
            ("1.", ParsedNumber::Invalid),
            ("1__0", ParsedNumber::Invalid),
            (" -1e3 ", ParsedNumber::Number(-1000.0)),
            ("0x1f", ParsedNumber::Number(31.0)),
            ("0x1p3", ParsedNumber::Unknown),
            ("", ParsedNumber::Invalid),
            ("1x", ParsedNumber::Invalid),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_float(text), expected, "{text}");
        }
        assert_eq!((to_f("12.5kg"), to_f("x")), (12.5, 0.0));
    }

    #[test]
    fn integers() {
        let cases = [
            ("0x1F", ParsedNumber::Number(31)),
            ("-0b11", ParsedNumber::Number(-3)),
            ("017", ParsedNumber::Number(15)),
            ("0", ParsedNumber::Number(0)),
            ("08", ParsedNumber::Invalid),
            ("1_000", ParsedNumber::Number(1000)),
            ("1_", ParsedNumber::Invalid),
            ("99999999999999999999", ParsedNumber::Unknown),
            ("1.5", ParsedNumber::Invalid),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_integer(text), expected, "{text}");
        }
        assert_eq!(to_i("-12x"), ParsedNumber::Number(-12));
    }
}
