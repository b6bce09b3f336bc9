//! The scalars of YAML, as Ruby's Psych reads them: YAML 1.1 with a few peculiarities.

use std::sync::Arc;

/// A scalar of a data file.
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar {
    /// `null`, or no value in YAML.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// An integer of more than 64 bits, which Puppet accepts.
    LargeInteger {
        /// Whether it is less than zero.
        is_negative: bool,
    },
    /// A float, which may be infinite or NaN.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A Ruby symbol such as `:name`. Hiera accepts it as a key only, where it equals the string.
    Symbol(Arc<str>),
    /// A value that Psych refuses to load: the whole file is invalid.
    Refused(&'static str),
    /// A value that Puppet does not support, with its description.
    Unsupported(&'static str),
}

/// Reads a plain scalar, as `Psych::ScalarScanner` does.
pub fn plain(text: &str) -> Scalar {
    let string = || Scalar::String(text.into());
    if text.is_empty() {
        return Scalar::Null;
    }
    if looks_like_word(text) || text.contains('\n') {
        return word(text);
    }
    if is_time(text) {
        return Scalar::Refused("a timestamp");
    }
    if is_date(text) {
        return Scalar::Refused("a date");
    }
    match text.to_ascii_lowercase().as_str() {
        ".inf" | "+.inf" => return Scalar::Float(f64::INFINITY),
        "-.inf" => return Scalar::Float(f64::NEG_INFINITY),
        ".nan" => return Scalar::Float(f64::NAN),
        _ => {}
    }
    if let Some(name) = text.strip_prefix(':').filter(|it| !it.is_empty()) {
        return Scalar::Symbol(symbol_name(name).into());
    }
    if let Some(number) = sexagesimal(text) {
        return number;
    }
    if is_float(text) {
        return match text.trim_start_matches(['+', '-']) {
            "." => string(),
            _ => float(text),
        };
    }
    integer(text).unwrap_or_else(string)
}

/// Checks whether a scalar starts like a word: with letters or punctuation, after any one character
/// other than a digit, `.`, `:` or `-`.
fn looks_like_word(text: &str) -> bool {
    let is_word = |it: char| {
        it.is_alphabetic() || it.is_whitespace() || "_!@#$%^&*(){}<>|/\\~;=".contains(it)
    };
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    let is_number = first.is_ascii_digit() || ".:-".contains(first);
    is_word(first) || (!is_number && chars.next().is_some_and(is_word))
}

fn word(text: &str) -> Scalar {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "null" => Scalar::Null,
        "yes" | "true" | "on" => Scalar::Boolean(true),
        "no" | "false" | "off" => Scalar::Boolean(false),
        _ if text == "~" => Scalar::Null,
        _ => Scalar::String(text.into()),
    }
}

fn symbol_name(name: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inside) = name.strip_prefix(quote)
            && let Some(end) = inside.rfind(quote)
        {
            return inside[..end].strip_prefix(':').unwrap_or(&inside[..end]);
        }
    }
    name
}

/// A cursor for the patterns of numbers and dates.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn eat(&mut self, accepted: impl Fn(u8) -> bool) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if accepted(*first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn eat_byte(&mut self, byte: u8) -> bool {
        self.eat(|it| it == byte)
    }

    /// Eats up to `most` bytes and returns how many.
    fn eat_many(&mut self, most: usize, accepted: impl Fn(u8) -> bool) -> usize {
        let count = self.0.iter().take(most).take_while(|it| accepted(**it));
        let count = count.count();
        self.0 = &self.0[count..];
        count
    }

    fn digits(&mut self, range: std::ops::RangeInclusive<usize>) -> bool {
        let count = self.eat_many(*range.end(), |it| it.is_ascii_digit());
        range.contains(&count)
    }

    fn sign(&mut self) {
        self.eat(|it| it == b'+' || it == b'-');
    }

    fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}

/// Checks for `2001-12-14t21:59:43.10-05:00` and the like.
fn is_time(text: &str) -> bool {
    let mut at = Cursor(text.as_bytes());
    at.eat_byte(b'-');
    if !(at.digits(4..=4) && at.eat_byte(b'-') && at.digits(1..=2)) {
        return false;
    }
    if !(at.eat_byte(b'-') && at.digits(1..=2)) {
        return false;
    }
    if !at.eat(|it| it == b'T' || it == b't') && at.eat_many(usize::MAX, is_space) == 0 {
        return false;
    }
    if !(at.digits(1..=2) && at.eat_byte(b':') && at.digits(2..=2)) {
        return false;
    }
    if !(at.eat_byte(b':') && at.digits(2..=2)) {
        return false;
    }
    if at.eat_byte(b'.') {
        at.eat_many(usize::MAX, |it| it.is_ascii_digit());
    }
    at.eat_many(usize::MAX, is_space);
    if !at.eat_byte(b'Z') && at.eat(|it| it == b'+' || it == b'-') {
        if !at.digits(1..=2) {
            return false;
        }
        let colon = at.eat_byte(b':');
        let minutes = at.eat_many(2, |it| it.is_ascii_digit());
        if minutes == 1 || (colon && minutes == 0 && !at.is_at_end()) {
            return false;
        }
    }
    at.is_at_end()
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Checks for `2001-12-14`.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    year.len() == 4
        && [year, month, day].into_iter().all(is_digits)
        && is_month(month)
        && is_day(day)
}

/// `1[012]|0\d|\d`
fn is_month(text: &str) -> bool {
    match text.as_bytes() {
        [_] | [b'0', _] => true,
        [b'1', it] => *it <= b'2',
        _ => false,
    }
}

/// `[12]\d|3[01]|0\d|\d`
fn is_day(text: &str) -> bool {
    match text.as_bytes() {
        [_] | [b'0'..=b'2', _] => true,
        [b'3', it] => *it <= b'1',
        _ => false,
    }
}

/// Reads a number of base 60, such as `12:30:00`. As in Psych, `12:30` are hours and minutes.
fn sexagesimal(text: &str) -> Option<Scalar> {
    let mut at = Cursor(text.as_bytes());
    at.sign();
    if !at.eat(|it| it.is_ascii_digit()) {
        return None;
    }
    at.eat_many(usize::MAX, |it| it.is_ascii_digit() || it == b'_');
    let mut groups = 0;
    while groups < 2 && at.eat_byte(b':') {
        match at.eat_many(2, |it| it.is_ascii_digit()) {
            0 => return None,
            1 => {}
            _ => {
                let end = text.len() - at.0.len();
                if text.as_bytes()[end - 2] > b'5' {
                    return None;
                }
            }
        }
        groups += 1;
    }
    if groups == 0 {
        return None;
    }
    let weights = [3600, 60, 1];
    if at.is_at_end() {
        let parts = text.split(':').zip(weights);
        let sum = parts.map(|(part, weight)| leading_integer(part)?.checked_mul(weight));
        let sum = sum.reduce(|sum, part| sum?.checked_add(part?))?;
        let is_negative = text.starts_with('-');
        return Some(sum.map_or(Scalar::LargeInteger { is_negative }, Scalar::Integer));
    }
    if !at.eat_byte(b'.') {
        return None;
    }
    at.eat_many(usize::MAX, |it| it.is_ascii_digit() || it == b'_');
    if !at.is_at_end() {
        return None;
    }
    let parts = text.split(':').zip(weights);
    let sum = parts.map(|(part, weight)| leading_float(part) * f64::from(weight as i32));
    Some(Scalar::Float(sum.fold(0.0, |sum, part| sum + part)))
}

/// Ruby's `to_i`: an underscore is allowed between digits.
fn leading_integer(text: &str) -> Option<i64> {
    ruby_digits(text).parse().ok()
}

/// Ruby's `to_f`.
fn leading_float(text: &str) -> f64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = ruby_digits(fraction);
    let text = match ruby_digits(whole).len() == whole.replace('_', "").len() {
        true => format!("{}.{fraction}0", ruby_digits(whole)),
        false => ruby_digits(whole),
    };
    text.parse().unwrap_or(0.0)
}

/// Returns the digits at the start of a string, with a sign, without single underscores between
/// them.
fn ruby_digits(text: &str) -> String {
    let mut digits = String::new();
    let mut previous = '_';
    for (index, it) in text.chars().enumerate() {
        match it {
            '+' | '-' if index == 0 => digits.push(it),
            '_' if previous == '_' => break,
            '_' => {}
            _ if it.is_ascii_digit() => digits.push(it),
            _ => break,
        }
        previous = it;
    }
    digits.trim_start_matches('+').to_owned()
}

/// Checks for a float of base 10. An exponent needs a sign.
fn is_float(text: &str) -> bool {
    let mut at = Cursor(text.as_bytes());
    at.sign();
    if at.eat(|it| it.is_ascii_digit()) {
        at.eat_many(usize::MAX, |it| {
            it.is_ascii_digit() || it == b'_' || it == b','
        });
    }
    if !at.eat_byte(b'.') {
        return false;
    }
    at.eat_many(usize::MAX, |it| it.is_ascii_digit());
    if at.eat(|it| it == b'e' || it == b'E') {
        if !at.eat(|it| it == b'+' || it == b'-') {
            return false;
        }
        if at.eat_many(usize::MAX, |it| it.is_ascii_digit()) == 0 {
            return false;
        }
    }
    at.is_at_end()
}

fn float(text: &str) -> Scalar {
    let digits: String = text.chars().filter(|it| !matches!(it, ',' | '_')).collect();
    // The point goes if no digit follows it.
    let digits = digits.replace(".e", "e").replace(".E", "E");
    let digits = digits.strip_suffix('.').unwrap_or(&digits);
    let number = digits.trim_start_matches(['+', '-']);
    if !number.starts_with(|it: char| it.is_ascii_digit() || it == '.') {
        return Scalar::Refused("an invalid float");
    }
    parse_float(digits).unwrap_or(Scalar::Refused("an invalid float"))
}

/// Parses a float in Rust's notation.
pub(super) fn parse_float(text: &str) -> Option<Scalar> {
    text.parse().ok().map(Scalar::Float)
}

/// Reads an integer of base 2, 8, 10 or 16; `None` for any other scalar.
fn integer(text: &str) -> Option<Scalar> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_separator = |it: u8| it == b'_' || it == b',';
    let all = |digits: &str, is_digit: &dyn Fn(u8) -> bool| {
        !digits.is_empty() && digits.bytes().all(|it| is_digit(it) || is_separator(it))
    };
    let (digits, radix) = if let Some(digits) = unsigned.strip_prefix("0b") {
        all(digits, &|it| matches!(it, b'0' | b'1')).then_some((digits, 2))?
    } else if let Some(digits) = unsigned.strip_prefix("0x") {
        all(digits, &|it| it.is_ascii_hexdigit()).then_some((digits, 16))?
    } else if unsigned == "0" {
        (unsigned, 10)
    } else if let Some(digits) = unsigned.strip_prefix('0') {
        all(digits, &|it| matches!(it, b'0'..=b'7')).then_some((digits, 8))?
    } else {
        is_decimal(unsigned).then_some((unsigned, 10))?
    };
    let sign = if text.starts_with('-') { "-" } else { "" };
    let digits: String = digits
        .chars()
        .filter(|it| !matches!(it, '_' | ','))
        .collect();
    if digits.is_empty() {
        return Some(match radix {
            8 => Scalar::Integer(0),
            _ => Scalar::Refused("an invalid integer"),
        });
    }
    let is_negative = sign == "-";
    let value = i64::from_str_radix(&format!("{sign}{digits}"), radix);
    Some(value.map_or(Scalar::LargeInteger { is_negative }, Scalar::Integer))
}

/// Digits in which each separator precedes a digit.
fn is_decimal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    matches!(bytes.first(), Some(b'1'..=b'9'))
        && (1..bytes.len()).all(|at| match bytes[at] {
            b'_' | b',' => is_digit(at + 1),
            it => it.is_ascii_digit(),
        })
}
