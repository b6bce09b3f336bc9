//! Parsing and formatting numbers.

use super::Value;

/// An integer or a float.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
}

/// Formats a float as Puppet and Ruby do: the shortest string that parses to the same number, in
/// scientific notation below 10^-4 and from 10^15 on. A number below 10^16 whose shortest form has a
/// fraction is never in scientific notation: `1000000000000000.2`.
pub fn float_text(number: f64) -> String {
    /// The number of decimal digits that every float represents exactly, `DBL_DIG` in C.
    const EXACT_DIGITS: usize = 15;
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    let shortest = format!("{number:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(|it| *it != '.').collect();
    let digits = ties_to_even(digits, number.abs());
    // The number of digits before the decimal point, if there are any.
    let whole = usize::try_from(exponent).map_or(0, |it| it + 1);
    let text = match exponent {
        0.. if whole < digits.len() => {
            let (whole, fraction) = digits.split_at(whole);
            format!("{whole}.{fraction}")
        }
        0.. if whole <= EXACT_DIGITS => format!("{digits:0<whole$}.0"),
        -4..=-1 => {
            let zeros = "0".repeat(usize::try_from(-exponent - 1).unwrap_or(0));
            format!("0.{zeros}{digits}")
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{first}.{rest}e{sign}{:02}", exponent.unsigned_abs())
        }
    };
    format!("{sign}{text}")
}

/// Resolves a tie between the two shortest forms of a number: Rust chooses the greater one, Ruby the
/// one whose last digit is even. `digits` is Rust's choice.
fn ties_to_even(digits: String, number: f64) -> String {
    /// More digits than any float has.
    const ALL: usize = 800;
    let count = digits.len();
    let exact_digits = |places: usize| format!("{number:.places$e}").replace('.', "");
    let is_odd = digits.ends_with(['1', '3', '5', '7', '9']);
    if !is_odd || exact_digits(count + 1).get(count..count + 2) != Some("50") {
        return digits;
    }
    let exact = exact_digits(ALL);
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let (smaller, rest) = mantissa.split_at(count);
    let is_tie = rest.starts_with('5') && rest[1..].bytes().all(|it| it == b'0');
    let (first, others) = smaller.split_at(1);
    let is_same = format!("{first}.{others}e{exponent}").parse() == Ok(number);
    if smaller != digits && is_tie && is_same {
        smaller.to_owned()
    } else {
        digits
    }
}

/// The reason why a string is not converted to a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refused {
    NotANumber,
    TooLarge,
}

/// Converts a string to a number as Puppet's arithmetic does: decimal, hexadecimal or octal
/// integers and decimal floats, with an optional sign and surrounding whitespace.
///
/// Returns `Ok(None)` if the string is not a number.
///
/// # Errors
///
/// Returns `Err(())` for an integer that does not fit in 64 bits: Puppet continues with a larger
/// one.
#[expect(clippy::result_unit_err, reason = "integer overflow is the only error")]
pub fn to_number(text: &str) -> Result<Option<Number>, ()> {
    match parse(text.strip_prefix("::").unwrap_or(text)) {
        Ok(number) => Ok(Some(number)),
        Err(Refused::NotANumber) => Ok(None),
        Err(Refused::TooLarge) => Err(()),
    }
}

fn parse(text: &str) -> Result<Number, Refused> {
    let line_end = |it: char| matches!(it, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let blank = |it: char| it == '\t' || it.is_whitespace() && !line_end(it);
    let text = text.trim_matches(blank);
    let (negative, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest.trim_start_matches(blank)),
        None => (false, text),
    };
    if let Some(digits) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        return integer(digits, 16, negative);
    }
    let end = rest
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(rest.len());
    let (whole, tail) = rest.split_at(end);
    if whole.is_empty() {
        return Err(Refused::NotANumber);
    }
    if tail.is_empty() {
        let octal = whole.len() > 1 && whole.starts_with('0');
        return integer(whole, if octal { 8 } else { 10 }, negative);
    }
    float(rest, whole, tail, negative)
}

fn integer(digits: &str, radix: u32, negative: bool) -> Result<Number, Refused> {
    if digits.is_empty() || !digits.chars().all(|it| it.is_digit(radix)) {
        return Err(Refused::NotANumber);
    }
    let magnitude = i128::from_str_radix(digits, radix).map_err(|_| Refused::TooLarge)?;
    let number = if negative { -magnitude } else { magnitude };
    i64::try_from(number)
        .map(Number::Integer)
        .map_err(|_| Refused::TooLarge)
}

/// Parses a fraction, an exponent, or both. `whole` are the digits before, `tail` the rest of
/// `text`.
fn float(text: &str, whole: &str, tail: &str, negative: bool) -> Result<Number, Refused> {
    let mut rest = tail;
    if let Some(after) = rest.strip_prefix('.') {
        let end = after
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(after.len());
        if end == 0 {
            return Err(Refused::NotANumber);
        }
        rest = &after[end..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let digits = exponent.strip_prefix('-').unwrap_or(exponent);
        if digits.is_empty() || !digits.chars().all(|it| it.is_ascii_digit()) {
            return Err(Refused::NotANumber);
        }
        // Puppet does not accept zero with an exponent.
        let zero = whole.chars().all(|it| it == '0');
        let fraction = tail[..tail.len() - rest.len()].trim_start_matches('.');
        if zero && fraction.chars().all(|it| it == '0') {
            return Err(Refused::NotANumber);
        }
    } else if !rest.is_empty() {
        return Err(Refused::NotANumber);
    }
    // Puppet also parses the integer part separately, where a leading zero means octal.
    if whole.len() > 1 && whole.starts_with('0') && !whole.chars().all(|it| it.is_digit(8)) {
        return Err(Refused::NotANumber);
    }
    let number: f64 = text.parse().map_err(|_| Refused::NotANumber)?;
    if !number.is_finite() {
        return Err(Refused::NotANumber);
    }
    Ok(Number::Float(if negative { -number } else { number }))
}

/// The number of a value that `Number` was read from.
impl TryFrom<&Value> for Number {
    type Error = ();

    fn try_from(value: &Value) -> Result<Number, ()> {
        match value {
            Value::Integer(it) => Ok(Number::Integer(*it)),
            Value::Float(it) => Ok(Number::Float(*it)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_floats_like_ruby() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1234567890123456.0, "1.234567890123456e+15"),
            // Ties between two shortest forms.
            (1e15 + 0.3, "1000000000000000.2"),
            (1e15 + 0.75, "1000000000000000.8"),
            (-1e15 - 0.25, "-1000000000000000.2"),
            (9007199254740993.0, "9.007199254740992e+15"),
            (-1e15 - 0.5, "-1000000000000000.5"),
            (1234567890123456.8, "1234567890123456.8"),
            (9999999999999998.0, "9.999999999999998e+15"),
            (1e16, "1.0e+16"),
            (12345678901234568.0, "1.2345678901234568e+16"),
            (123456789012345.67, "123456789012345.67"),
            (999999999999999.0, "999999999999999.0"),
            (0.0001, "0.0001"),
            (0.00012345, "0.00012345"),
            (0.00001, "1.0e-05"),
            (5e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (123456789.12345679, "123456789.12345679"),
        ];
        for (number, text) in cases {
            assert_eq!(float_text(number), text);
        }
    }

    #[test]
    fn parses_numbers_with_signs_and_radixes() {
        let integer = |it| Ok(Some(Number::Integer(it)));
        let float = |it| Ok(Some(Number::Float(it)));
        assert_eq!(to_number("12"), integer(12));
        assert_eq!(to_number(" - 12\t"), integer(-12));
        assert_eq!(to_number("0x1F"), integer(31));
        assert_eq!(to_number("010"), integer(8));
        assert_eq!(to_number("1.5"), float(1.5));
        assert_eq!(to_number("1e3"), float(1000.0));
        assert_eq!(to_number("-9223372036854775808"), integer(i64::MIN));
        assert_eq!(to_number("9223372036854775808"), Err(()));
        for text in [
            "", "08", "1.", ".5", "1e+5", "abc", "1 2", "0x", "0e5", "0b1", "08.5",
        ] {
            assert_eq!(to_number(text), Ok(None), "{text}");
        }
    }
}
