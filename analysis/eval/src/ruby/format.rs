//! Ruby's `format`: `%d`, `%-10s`, `%<name>05.1f`, `%{name}`.

use std::fmt::Write;

use super::number::{self, ParsedNumber};
use super::{inspect, to_s};
use types::values::Value;

/// The maximum width, precision and length of a result.
const MAX_LENGTH: usize = 1_000_000;

/// The reason why formatting fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FormatError {
    /// Ruby raises an error with this message.
    Error(String),
    /// The result in Ruby is unknown, for this reason.
    Unknown(&'static str),
}

type FormatResult<T> = Result<T, FormatError>;

fn wrong<T>(message: impl Into<String>) -> FormatResult<T> {
    Err(FormatError::Error(message.into()))
}

/// Formats values.
///
/// # Errors
///
/// See [`FormatError`].
pub(crate) fn format(template: &str, args: &[Value]) -> FormatResult<String> {
    let mut run = Formatter {
        rest: template,
        args: FormatArguments {
            values: args,
            used: ArgumentStyle::Unused,
        },
        out: String::new(),
    };
    run.all()?;
    Ok(run.out)
}

struct Formatter<'a> {
    rest: &'a str,
    args: FormatArguments<'a>,
    out: String,
}

/// The arguments, which must all be referred to in the same way.
struct FormatArguments<'a> {
    values: &'a [Value],
    used: ArgumentStyle,
}

enum ArgumentStyle {
    Unused,
    InOrder(usize),
    ByNumber,
    ByName,
}

impl<'a> FormatArguments<'a> {
    fn next(&mut self) -> FormatResult<&'a Value> {
        let index = match self.used {
            ArgumentStyle::Unused => 0,
            ArgumentStyle::InOrder(count) => count,
            _ => return wrong("sequential argument after a numbered or named argument"),
        };
        self.used = ArgumentStyle::InOrder(index + 1);
        match self.values.get(index) {
            Some(value) => Ok(value),
            None => wrong("too few arguments"),
        }
    }

    fn numbered(&mut self, number: usize) -> FormatResult<&'a Value> {
        if !matches!(self.used, ArgumentStyle::Unused | ArgumentStyle::ByNumber) {
            return wrong("numbered argument after a sequential or named argument");
        }
        self.used = ArgumentStyle::ByNumber;
        match number.checked_sub(1).and_then(|it| self.values.get(it)) {
            Some(value) => Ok(value),
            None => wrong("too few arguments"),
        }
    }

    fn named(&mut self, name: &str) -> FormatResult<&'a Value> {
        if !matches!(self.used, ArgumentStyle::Unused | ArgumentStyle::ByName) {
            return wrong("named argument after a sequential or numbered argument");
        }
        self.used = ArgumentStyle::ByName;
        let [Value::Hash(entries)] = self.values else {
            return wrong("named arguments require a single hash");
        };
        if entries.contains_key(&Value::Default) {
            return Err(FormatError::Unknown("hash with the key `default`"));
        }
        match entries.get_str(name) {
            Some(value) => Ok(value),
            None => wrong(format!("missing key `{name}`")),
        }
    }
}

/// The flags, width, precision and argument of a directive.
#[derive(Default)]
struct Directive<'a> {
    space: bool,
    sharp: bool,
    plus: bool,
    minus: bool,
    zero: bool,
    width: Option<usize>,
    /// Whether a precision is given at all. A negative one is ignored.
    has_precision: bool,
    precision: Option<usize>,
    is_named: bool,
    value: Option<&'a Value>,
}

impl Directive<'_> {
    fn is_plain(&self) -> bool {
        !(self.space || self.sharp || self.plus || self.minus || self.zero || self.has_precision)
            && self.width.is_none()
    }
}

impl<'a> Formatter<'a> {
    fn all(&mut self) -> FormatResult<()> {
        while let Some((before, after)) = self.rest.split_once('%') {
            self.out.push_str(before);
            if after.is_empty() {
                return wrong("incomplete format directive");
            }
            self.rest = after;
            self.directive()?;
            if self.out.len() > MAX_LENGTH {
                return Err(FormatError::Unknown("string is too long"));
            }
        }
        self.out.push_str(self.rest);
        Ok(())
    }

    fn directive(&mut self) -> FormatResult<()> {
        let mut directive = Directive::default();
        loop {
            let Some(char) = self.rest.chars().next() else {
                return wrong("incomplete format directive");
            };
            match char {
                ' ' | '#' | '+' | '-' | '0' => self.flag(&mut directive, char)?,
                '1'..='9' => self.number(&mut directive)?,
                '*' => self.width_from_argument(&mut directive)?,
                '.' => self.precision(&mut directive)?,
                '<' | '{' => {
                    self.name(&mut directive)?;
                    if char == '{' {
                        return self.text(&directive, false);
                    }
                }
                '\n' | '\0' | '%' => {
                    if !directive.is_plain() {
                        return wrong("invalid flags before `%`");
                    }
                    if char == '%' {
                        self.rest = &self.rest[1..];
                    }
                    self.out.push('%');
                    return Ok(());
                }
                char => {
                    self.rest = &self.rest[char.len_utf8()..];
                    return self.converted(&directive, char);
                }
            }
        }
    }

    fn flag(&mut self, directive: &mut Directive<'a>, flag: char) -> FormatResult<()> {
        if directive.width.is_some() || directive.has_precision {
            return wrong("flag after the width or precision");
        }
        match flag {
            ' ' => directive.space = true,
            '#' => directive.sharp = true,
            '+' => directive.plus = true,
            '-' => directive.minus = true,
            _ => directive.zero = true,
        }
        self.rest = &self.rest[1..];
        Ok(())
    }

    fn digits(&mut self) -> FormatResult<usize> {
        let end = self.rest.find(|it: char| !it.is_ascii_digit());
        let (digits, rest) = match end {
            Some(end) => self.rest.split_at(end),
            None => return wrong("incomplete format directive"),
        };
        self.rest = rest;
        match digits.parse() {
            Ok(number) if number <= MAX_LENGTH => Ok(number),
            Err(_) if digits.is_empty() => Ok(0),
            _ => Err(FormatError::Unknown("string is too long")),
        }
    }

    /// Parses a width or the number of an argument.
    fn number(&mut self, directive: &mut Directive<'a>) -> FormatResult<()> {
        let number = self.digits()?;
        if let Some(rest) = self.rest.strip_prefix('$') {
            if directive.value.is_some() {
                return wrong("value given twice");
            }
            self.rest = rest;
            directive.value = Some(self.args.numbered(number)?);
            return Ok(());
        }
        self.set_width(directive, number)
    }

    fn set_width(&self, directive: &mut Directive<'a>, width: usize) -> FormatResult<()> {
        if directive.width.is_some() || directive.has_precision {
            return wrong("width given twice or after the precision");
        }
        directive.width = Some(width);
        Ok(())
    }

    /// Parses `*`, and returns the value of its argument.
    fn asterisk(&mut self) -> FormatResult<i64> {
        self.rest = &self.rest[1..];
        let digits = self.rest.find(|it: char| !it.is_ascii_digit());
        let is_numbered = digits.is_some_and(|end| self.rest[end..].starts_with('$'));
        let value = if is_numbered {
            let number = self.digits()?;
            self.rest = &self.rest[1..];
            self.args.numbered(number)?
        } else {
            self.args.next()?
        };
        let number = match value {
            Value::Integer(number) => *number,
            Value::Float(number) => number.trunc() as i64,
            _ => return wrong("expected a number as width or precision"),
        };
        if i32::try_from(number).is_err() {
            return wrong("width or precision is too large");
        }
        if number.unsigned_abs() > MAX_LENGTH as u64 {
            return Err(FormatError::Unknown("string is too long"));
        }
        Ok(number)
    }

    fn width_from_argument(&mut self, directive: &mut Directive<'a>) -> FormatResult<()> {
        let number = self.asterisk()?;
        directive.minus |= number < 0;
        let width = usize::try_from(number.unsigned_abs()).unwrap_or(MAX_LENGTH);
        self.set_width(directive, width)
    }

    fn precision(&mut self, directive: &mut Directive<'a>) -> FormatResult<()> {
        if directive.has_precision {
            return wrong("precision given twice");
        }
        self.rest = &self.rest[1..];
        directive.has_precision = true;
        directive.precision = if self.rest.starts_with('*') {
            usize::try_from(self.asterisk()?).ok()
        } else {
            Some(self.digits()?)
        };
        Ok(())
    }

    fn name(&mut self, directive: &mut Directive<'a>) -> FormatResult<()> {
        let end = if self.rest.starts_with('<') { '>' } else { '}' };
        let Some((name, rest)) = self.rest[1..].split_once(end) else {
            return wrong("unclosed name in a format directive");
        };
        if directive.is_named {
            return wrong("name given twice");
        }
        directive.is_named = true;
        directive.value = Some(self.args.named(name)?);
        self.rest = rest;
        Ok(())
    }

    fn value(&mut self, directive: &Directive<'a>) -> FormatResult<&'a Value> {
        match directive.value {
            Some(value) => Ok(value),
            None => self.args.next(),
        }
    }

    fn converted(&mut self, directive: &Directive<'a>, letter: char) -> FormatResult<()> {
        match letter {
            's' => self.text(directive, false),
            'p' => self.text(directive, true),
            'c' => self.character(directive),
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'b' | 'B' => {
                let number = whole(self.value(directive)?)?;
                integer(directive, letter, number, &mut self.out);
                Ok(())
            }
            'f' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                let value = self.value(directive)?;
                float(directive, letter, value, &mut self.out)
            }
            other => wrong(format!("unknown format directive `%{other}`")),
        }
    }

    fn text(&mut self, directive: &Directive<'a>, inspected: bool) -> FormatResult<()> {
        let value = self.value(directive)?;
        let text = if inspected {
            inspect(value)
        } else {
            to_s(value)
        };
        let Some(mut text) = text else {
            return Err(FormatError::Unknown("string representation of an object"));
        };
        if let Some(precision) = directive.precision
            && let Some((end, _)) = text.char_indices().nth(precision)
        {
            text.truncate(end);
        }
        padded(directive, &text, &mut self.out);
        Ok(())
    }

    fn character(&mut self, directive: &Directive<'a>) -> FormatResult<()> {
        let char = match self.value(directive)? {
            Value::String(text) => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(only), None) => only,
                    (None, _) => return wrong("`%c` expects a character"),
                    // Newer versions of Ruby use the first character.
                    _ => return Err(FormatError::Unknown("depends on the version of Ruby")),
                }
            }
            value @ (Value::Integer(_) | Value::Float(_)) => {
                let code = whole(value)?;
                let char = u32::try_from(code).ok().and_then(char::from_u32);
                match char {
                    Some(char) => char,
                    None => return Err(FormatError::Unknown("unknown character code")),
                }
            }
            _ => return wrong("`%c` expects a character"),
        };
        padded(directive, char.encode_utf8(&mut [0; 4]), &mut self.out);
        Ok(())
    }
}

/// Pads a string to the width with spaces.
fn padded(directive: &Directive<'_>, text: &str, out: &mut String) {
    let width = directive.width.unwrap_or(0);
    let fill = width.saturating_sub(text.chars().count());
    if !directive.minus {
        fill_with(' ', fill, out);
    }
    out.push_str(text);
    if directive.minus {
        fill_with(' ', fill, out);
    }
}

fn fill_with(char: char, count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(char, count));
}

// ---- integers -----------------------------------------------------------------------

fn whole(value: &Value) -> FormatResult<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Float(number) => {
            let whole = number.trunc();
            // 2^63, which does not fit in 64 bits.
            if whole.abs() < 9_223_372_036_854_775_808.0 {
                Ok(whole as i64)
            } else {
                Err(FormatError::Unknown("integer does not fit in 64 bits"))
            }
        }
        Value::String(text) => match number::parse_integer(text) {
            ParsedNumber::Number(number) => Ok(number),
            ParsedNumber::Invalid => wrong("string is not an integer"),
            ParsedNumber::Unknown => Err(FormatError::Unknown("integer does not fit in 64 bits")),
        },
        _ => wrong("expected an integer"),
    }
}

/// The digits of an integer, and their prefixes.
struct Digits {
    sign: Option<char>,
    prefix: &'static str,
    /// The digit that repeats infinitely to the left, for a negative number without a sign.
    endless: Option<char>,
    text: String,
}

fn integer(directive: &Directive<'_>, letter: char, number: i64, out: &mut String) {
    let mut digits = digits_of(directive, letter, number);
    let precision = directive.precision;
    let is_zero = digits.text == "0";
    let mut least = precision.unwrap_or(0);
    let mut width = directive.width.unwrap_or(0);
    if digits.endless.is_some() {
        least = least.saturating_sub(2);
        width = width.saturating_sub(2);
    }
    if digits.prefix == "0" {
        if digits.endless.is_some() || !is_zero && least > digits.text.len() {
            digits.prefix = "";
        } else if is_zero {
            digits.text.clear();
            least = least.saturating_sub(1);
        }
    } else if is_zero {
        digits.prefix = "";
    }
    width = width.saturating_sub(digits.prefix.len() + usize::from(digits.sign.is_some()));
    if directive.zero && !directive.minus && precision.is_none() {
        least = width;
        width = 0;
    } else if precision == Some(0) && digits.text == "0" && digits.prefix.is_empty() {
        digits.text.clear();
    }
    let zeros = least.saturating_sub(digits.text.len());
    let fill = width.saturating_sub(zeros + digits.text.len());
    if !directive.minus {
        fill_with(' ', fill, out);
    }
    out.extend(digits.sign);
    out.push_str(digits.prefix);
    if digits.endless.is_some() {
        out.push_str("..");
    }
    fill_with(digits.endless.unwrap_or('0'), zeros, out);
    out.push_str(&digits.text);
    if directive.minus {
        fill_with(' ', fill, out);
    }
}

fn digits_of(directive: &Directive<'_>, letter: char, number: i64) -> Digits {
    let is_signed = matches!(letter, 'd' | 'i' | 'u') || directive.plus || directive.space;
    let sign = match () {
        () if !is_signed => None,
        () if number < 0 => Some('-'),
        () if directive.plus => Some('+'),
        () if directive.space => Some(' '),
        () => None,
    };
    let prefix = match letter {
        _ if !directive.sharp => "",
        'o' => "0",
        'x' => "0x",
        'X' => "0X",
        'b' => "0b",
        'B' => "0B",
        _ => "",
    };
    let (endless, mut text) = if is_signed || number >= 0 {
        (None, in_radix(letter, u128::from(number.unsigned_abs())))
    } else {
        let (digit, text) = complement(letter, number);
        (Some(digit), text)
    };
    if letter == 'X' {
        text.make_ascii_uppercase();
    }
    let endless = endless.map(|it| {
        if letter == 'X' {
            it.to_ascii_uppercase()
        } else {
            it
        }
    });
    Digits {
        sign,
        prefix,
        endless,
        text,
    }
}

fn in_radix(letter: char, number: u128) -> String {
    match letter {
        'o' => format!("{number:o}"),
        'x' | 'X' => format!("{number:x}"),
        'b' | 'B' => format!("{number:b}"),
        _ => number.to_string(),
    }
}

/// Returns a negative number in two's complement, with a single one of the infinitely repeated
/// digits.
fn complement(letter: char, number: i64) -> (char, String) {
    // A whole number of digits in every radix.
    const BITS: u32 = 96;
    let mask = (1u128 << BITS) - 1;
    let text = in_radix(letter, (i128::from(number) as u128) & mask);
    let digit = match letter {
        'o' => '7',
        'b' | 'B' => '1',
        _ => 'f',
    };
    (digit, format!("{digit}{}", text.trim_start_matches(digit)))
}

// ---- floats -------------------------------------------------------------------------

fn float(
    directive: &Directive<'_>,
    letter: char,
    value: &Value,
    out: &mut String,
) -> FormatResult<()> {
    if let (Value::Integer(number), 'f') = (value, letter) {
        let precision = directive.precision.unwrap_or(6);
        let mut body = number.unsigned_abs().to_string();
        if precision > 0 {
            body.push('.');
            fill_with('0', precision, &mut body);
        }
        signed(directive, *number < 0, "", &body, true, out);
        return Ok(());
    }
    let number = match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        Value::String(text) => match number::parse_float(text) {
            ParsedNumber::Number(number) => number,
            ParsedNumber::Invalid => return wrong("string is not a number"),
            ParsedNumber::Unknown => {
                return Err(FormatError::Unknown(
                    "cannot decide whether the string is a number",
                ));
            }
        },
        _ => return wrong("expected a number"),
    };
    let negative = number.is_sign_negative();
    if !number.is_finite() {
        signed(directive, negative, "", "Inf", false, out);
        return Ok(());
    }
    if may_round_oddly(directive, letter, number.abs()) {
        return Err(FormatError::Unknown(
            "depends on how Ruby rounds numbers that are almost halfway",
        ));
    }
    let upper = letter.is_ascii_uppercase();
    let (prefix, mut body) = match letter.to_ascii_lowercase() {
        'f' => ("", fixed(directive, number.abs())),
        'e' => {
            let precision = directive.precision.unwrap_or(6);
            ("", scientific(number.abs(), precision, directive.sharp))
        }
        'g' => ("", shortest(directive, number.abs())),
        _ => ("0x", hexadecimal(directive, number.abs())?),
    };
    if upper {
        body.make_ascii_uppercase();
    }
    let prefix = if upper {
        prefix.to_uppercase()
    } else {
        prefix.to_owned()
    };
    signed(directive, negative, &prefix, &body, true, out);
    Ok(())
}

/// Checks whether Ruby may not round to the nearest neighbor: for few digits, it rounds a number
/// that is almost but not exactly halfway to the even neighbor.
fn may_round_oddly(directive: &Directive<'_>, letter: char, number: f64) -> bool {
    /// Ruby is exact from this number of digits on.
    const EXACT_FROM: i32 = 15;
    /// More digits than any float has.
    const ALL: usize = 800;
    if number == 0.0 || matches!(letter, 'a' | 'A') {
        return false;
    }
    let (mantissa, exponent) = scientific_parts(number, ALL);
    let precision = directive.precision.unwrap_or(6);
    let precision = i32::try_from(precision).unwrap_or(i32::MAX);
    let count = match letter {
        'f' => exponent.saturating_add(1).saturating_add(precision),
        'e' | 'E' => precision.saturating_add(1),
        _ => precision.max(1),
    };
    if !(1..EXACT_FROM).contains(&count) {
        return false;
    }
    let digits: String = mantissa.chars().filter(|it| *it != '.').collect();
    let (kept, cut) = digits.split_at(usize::try_from(count).unwrap_or(0));
    let fraction: f64 = format!("0.{cut}").parse().unwrap_or(0.0);
    let is_half = cut.starts_with('5') && cut[1..].bytes().all(|it| it == b'0');
    let margin = 1.5e-14 * 10f64.powi(count - 1);
    let is_odd = kept.ends_with(['1', '3', '5', '7', '9']);
    let goes_up = cut.as_bytes().first().is_some_and(|it| *it >= b'5');
    !is_half && (fraction - 0.5).abs() <= margin && goes_up != is_odd
}

/// Writes a number with its sign, padded to the width.
fn signed(
    directive: &Directive<'_>,
    negative: bool,
    prefix: &str,
    body: &str,
    may_have_zeros: bool,
    out: &mut String,
) {
    let sign = match () {
        () if negative => "-",
        () if directive.plus => "+",
        () if directive.space => " ",
        () => "",
    };
    let width = directive.width.unwrap_or(0);
    let fill = width.saturating_sub(sign.len() + prefix.len() + body.len());
    let zeros = directive.zero && !directive.minus && may_have_zeros;
    if !directive.minus && !zeros {
        fill_with(' ', fill, out);
    }
    out.push_str(sign);
    out.push_str(prefix);
    if zeros {
        fill_with('0', fill, out);
    }
    out.push_str(body);
    if directive.minus {
        fill_with(' ', fill, out);
    }
}

fn fixed(directive: &Directive<'_>, number: f64) -> String {
    let precision = directive.precision.unwrap_or(6);
    let mut body = with_decimals(number, precision);
    if precision == 0 && directive.sharp {
        body.push('.');
    }
    body
}

/// Formats with a number of decimals. Rust supports up to 65,535, and all digits after 1,100 are
/// zeros.
fn with_decimals(number: f64, precision: usize) -> String {
    const ALL: usize = 1100;
    let mut text = format!("{number:.*}", precision.min(ALL));
    fill_with('0', precision.saturating_sub(ALL), &mut text);
    text
}

/// Returns the digits of the scientific notation and the exponent.
fn scientific_parts(number: f64, precision: usize) -> (String, i32) {
    const ALL: usize = 1100;
    let text = format!("{number:.*e}", precision.min(ALL));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut mantissa = mantissa.to_owned();
    fill_with('0', precision.saturating_sub(ALL), &mut mantissa);
    (mantissa, exponent.parse().unwrap_or(0))
}

fn scientific(number: f64, precision: usize, sharp: bool) -> String {
    let (mantissa, exponent) = scientific_parts(number, precision);
    let point = if sharp && precision == 0 { "." } else { "" };
    format!("{mantissa}{point}{}", exponent_text(exponent))
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn shortest(directive: &Directive<'_>, number: f64) -> String {
    let precision = directive.precision.unwrap_or(6).max(1);
    let (mantissa, exponent) = scientific_parts(number, precision - 1);
    let places = i64::try_from(precision).unwrap_or(i64::MAX) - 1 - i64::from(exponent);
    let is_fixed = exponent >= -4 && places >= 0;
    let mut body = if is_fixed {
        with_decimals(number, usize::try_from(places).unwrap_or(0))
    } else {
        mantissa
    };
    if directive.sharp {
        if !body.contains('.') {
            body.push('.');
        }
    } else if body.contains('.') {
        body.truncate(body.trim_end_matches('0').trim_end_matches('.').len());
    }
    if !is_fixed {
        let _ = write!(body, "{}", exponent_text(exponent));
    }
    body
}

/// Returns the hexadecimal notation after `0x`.
fn hexadecimal(directive: &Directive<'_>, number: f64) -> FormatResult<String> {
    if directive.precision.is_some() || number.is_subnormal() || directive.sharp {
        return Err(FormatError::Unknown(
            "unsupported hexadecimal form of a float",
        ));
    }
    if number == 0.0 {
        return Ok("0p+0".to_owned());
    }
    let bits = number.to_bits();
    let fraction = format!("{:013x}", bits & ((1 << 52) - 1));
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let exponent = i64::try_from((bits >> 52) & 0x7ff).unwrap_or(0) - 1023;
    Ok(format!("1{point}{fraction}p{exponent:+}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_as_ruby() {
        let (int, float) = (Value::from, |it: f64| Value::from(it));
        let cases: Vec<(&str, Value, &str)> = vec![
            ("%d", float(-3.99), "-3"),
            ("%x", int(-255), "..f01"),
            ("%+x", int(-255), "-ff"),
            ("%08x", int(-255), "..ffff01"),
            ("%.10x", int(-255), "..ffffff01"),
            ("%#x", int(-255), "0x..f01"),
            ("%o", int(-8), "..70"),
            ("%#o", int(8), "010"),
            ("%b", int(-5), "..1011"),
            ("%-5d|", int(3), "3    |"),
            ("%08.3d", int(5), "     005"),
            ("%+ d", int(3), "+3"),
            ("%05.1f", float(-2.25), "-02.2"),
            ("%e", float(12345.678), "1.234568e+04"),
            ("%g", float(1e10), "1e+10"),
            ("%g", float(123_456_789.0), "1.23457e+08"),
            ("%#g", float(1.0), "1.00000"),
            ("%a", float(1.5), "0x1.8p+0"),
            ("%.3f", int(i64::MAX), "9223372036854775807.000"),
            ("%5.1s|", Value::from("abc"), "    a|"),
            ("%3c|", int(97), "  a|"),
            ("%%%s", Value::Undef, "%"),
            ("%p", Value::from("a"), "\"a\""),
        ];
        for (template, value, expected) in cases {
            let found = format(template, std::slice::from_ref(&value));
            assert_eq!(found.as_deref(), Ok(expected), "{template} {value:?}");
        }
    }

    #[test]
    fn resolves_arguments() {
        let hash = Value::hash([(Value::from("a"), Value::from(7))]);
        assert_eq!(format("%<a>03d %{a}", &[hash]).as_deref(), Ok("007 7"));
        let two = [Value::from(1), Value::from(2)];
        assert_eq!(format("%2$d %1$d", &two).as_deref(), Ok("2 1"));
        assert_eq!(format("%*d", &[4.into(), 2.into()]).as_deref(), Ok("   2"));
        for template in ["%d %1$d", "%d %d %d", "%", "%y", "%5%", "%<a>d", "%5-d"] {
            let found = format(template, &two);
            assert!(
                matches!(found, Err(FormatError::Error(_))),
                "{template} {found:?}"
            );
        }
        assert!(matches!(
            format("%999999999d", &two),
            Err(FormatError::Unknown(_))
        ));
    }
}
