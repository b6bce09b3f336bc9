//! Numbers and their errors.

/// Returns the length of the number at the start of `text`, or as an error the length of the word
/// that is not a number.
///
/// From `lexer2.rb`: hexadecimal, or digits with an optional fraction and exponent, up to a word
/// boundary; if only the integer part ends at a word boundary, that part is the number.
pub(super) fn scan(text: &str) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let is_boundary = |at: usize| !text[at..].starts_with(is_word);

    if matches!(bytes, [b'0', b'x' | b'X', ..]) {
        let hex = bytes[2..]
            .iter()
            .take_while(|b| b.is_ascii_hexdigit())
            .count();
        if hex > 0 && is_boundary(2 + hex) {
            return Ok(2 + hex);
        }
        return Err(word_length(text));
    }
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    let has_fraction = end > whole;
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(bytes.get(end + 1) == Some(&b'-'));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    if is_boundary(end) {
        Ok(end)
    } else if has_fraction {
        Ok(whole)
    } else {
        Err(word_length(text))
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Checks whether Ruby's `\b` treats `c` as part of a word, which is not limited to ASCII.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Returns Puppet's issue code and a message for a malformed number, `None` for a valid one.
///
/// From `lexer_support.rb`, `assert_numeric`.
pub(super) fn problem(text: &str) -> Option<(&'static str, String)> {
    let is_hex = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let rest = text.get(1..).unwrap_or("");
    if text.starts_with("0x") || text.starts_with("0X") {
        let good = is_hex(text.get(2..).unwrap_or(""));
        return (!good).then(|| {
            (
                "INVALID_HEX_NUMBER",
                format!("invalid hexadecimal number `{text}`"),
            )
        });
    }
    if text.starts_with('0') && !rest.is_empty() && !rest.starts_with('.') {
        let good = rest.bytes().all(|b| matches!(b, b'0'..=b'7'));
        return (!good).then(|| {
            (
                "INVALID_OCTAL_NUMBER",
                format!("invalid octal number `{text}`"),
            )
        });
    }
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    if matches!(text.as_bytes().get(whole), Some(b'.' | b'e' | b'E')) {
        return (scan(text) != Ok(text.len())).then(|| {
            (
                "INVALID_DECIMAL_NUMBER",
                format!("invalid decimal number `{text}`"),
            )
        });
    }
    (whole != text.len()).then(|| ("ILLEGAL_NUMBER", format!("invalid number `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_at_a_word_boundary() {
        assert_eq!(scan("1.5e-3 "), Ok(6));
        assert_eq!(scan("1.e5"), Ok(1));
        assert_eq!(scan("1.5abc"), Ok(1));
        assert_eq!(scan("0x1F]"), Ok(4));
        assert_eq!(scan("1abc "), Err(4));
        assert_eq!(scan("1é"), Err(3));
        assert_eq!(scan("0xg"), Err(3));
        assert_eq!(scan("1_000"), Err(5));
    }

    #[test]
    fn reports_a_code_for_each_kind_of_malformed_number() {
        let code = |text| problem(text).map(|it| it.0);
        assert_eq!(code("08"), Some("INVALID_OCTAL_NUMBER"));
        assert_eq!(code("0xg"), Some("INVALID_HEX_NUMBER"));
        assert_eq!(code("1ex"), Some("INVALID_DECIMAL_NUMBER"));
        assert_eq!(code("1abc"), Some("ILLEGAL_NUMBER"));
        assert_eq!(code("0"), None);
        assert_eq!(code("0.5"), None);
        assert_eq!(code("017"), None);
    }
}
