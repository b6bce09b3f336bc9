//! A directive of Ruby's `format`, such as `%-10.3f`, applied to a value of the right type.
//!
//! Numbers are laid out as in Ruby: negative numbers in bases other than ten are shown in two's
//! complement, with an infinitely repeated leading digit, unless a sign is requested.

/// The flags, width and precision of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FormatSpec {
    /// `-`: aligned to the left.
    pub(super) left: bool,
    /// `+`: with a sign.
    pub(super) plus: bool,
    /// A space: with a space instead of a plus sign.
    pub(super) space: bool,
    /// `#`: the alternative form.
    pub(super) alternative: bool,
    /// `0`: padded with zeros.
    pub(super) zero: bool,
    /// The minimum number of characters.
    pub(super) width: Option<usize>,
    /// The number of digits, or the maximum number of characters.
    pub(super) precision: Option<usize>,
}

impl FormatSpec {
    /// Returns an upper bound for the length of a formatted string of `text` bytes.
    pub(super) fn size(&self, text: usize) -> usize {
        let padded = text.max(self.width.unwrap_or(0));
        padded.saturating_add(self.precision.unwrap_or(0))
    }

    /// `%s`: truncates to the precision, and pads to the width with spaces.
    pub(super) fn text(&self, text: &str) -> String {
        let cut = match self.precision {
            Some(precision) => match text.char_indices().nth(precision) {
                Some((end, _)) => &text[..end],
                None => text,
            },
            None => text,
        };
        self.filled("", cut, false)
    }

    /// Returns the sign of a number.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// Pads to the width with spaces, or with zeros after the prefix.
    fn filled(&self, prefix: &str, body: &str, zeros: bool) -> String {
        let used = prefix.chars().count() + body.chars().count();
        let missing = self.width.unwrap_or(0).saturating_sub(used);
        if self.left {
            format!("{prefix}{body}{}", " ".repeat(missing))
        } else if zeros && self.zero {
            format!("{prefix}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{prefix}{body}", " ".repeat(missing))
        }
    }

    /// `%d`, `%x`, `%X`, `%o`, `%b` and `%B`; `None` for any other letter.
    pub(super) fn integer(&self, letter: char, number: i128) -> Option<String> {
        let (radix, prefix) = match letter {
            'd' | 'i' | 'u' => (10, ""),
            'x' => (16, "0x"),
            'X' => (16, "0X"),
            'o' => (8, "0"),
            'b' => (2, "0b"),
            'B' => (2, "0B"),
            _ => return None,
        };
        let complement = radix != 10 && number < 0 && !self.plus && !self.space;
        let mut digits = if complement {
            twos_complement(number, radix)
        } else {
            in_radix(number.unsigned_abs(), radix)
        };
        if letter == 'X' {
            digits.make_ascii_uppercase();
        }
        Some(self.laid_out(number, prefix, &digits, complement))
    }

    fn laid_out(&self, number: i128, prefix: &str, digits: &str, complement: bool) -> String {
        let mut precision = self.precision;
        let mut digits = digits;
        let mut prefix = if self.alternative { prefix } else { "" };
        let dots = if complement { ".." } else { "" };
        if prefix == "0" {
            // The leading zero of an octal number counts as a digit.
            if complement {
                prefix = "";
            } else if number == 0 {
                digits = "";
                precision = precision.map(|it| it.saturating_sub(1));
            } else if precision.is_some_and(|it| it > digits.len()) {
                prefix = "";
            }
        } else if number == 0 {
            prefix = "";
        }
        let sign = if complement {
            ""
        } else {
            self.sign(number < 0)
        };
        let front = format!("{sign}{prefix}{dots}");
        let sign_digit = digits.chars().next().filter(|_| complement);
        let fill = sign_digit.unwrap_or('0');
        let least = match precision {
            Some(precision) => precision.saturating_sub(dots.len()),
            None if self.zero && !self.left => self.width.unwrap_or(0).saturating_sub(front.len()),
            None => 0,
        };
        if prefix.is_empty() && self.precision == Some(0) && number == 0 {
            digits = "";
        }
        let missing = least.saturating_sub(digits.len());
        let body = format!("{}{digits}", fill.to_string().repeat(missing));
        self.filled(&front, &body, false)
    }

    /// `%f`, `%e`, `%g` and `%a`, in either case, for a finite number; `None` for any other letter.
    pub(super) fn float(&self, letter: char, number: f64) -> Option<String> {
        let magnitude = number.abs();
        let (prefix, body) = match letter.to_ascii_lowercase() {
            'f' if letter == 'f' => (
                "",
                fixed(magnitude, self.precision.unwrap_or(6), self.alternative),
            ),
            'e' => (
                "",
                exponential(magnitude, self.precision.unwrap_or(6), self.alternative),
            ),
            'g' => ("", self.general(magnitude)),
            'a' => (
                "0x",
                hexadecimal(magnitude, self.precision, self.alternative),
            ),
            _ => return None,
        };
        let front = format!("{}{prefix}", self.sign(number.is_sign_negative()));
        let text = self.filled(&front, &body, true);
        Some(if letter.is_ascii_uppercase() {
            text.to_ascii_uppercase()
        } else {
            text
        })
    }

    /// `%g`: the shorter one of the fixed and exponential notations.
    fn general(&self, number: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let scientific = exponential(number, precision - 1, self.alternative);
        let exponent = scientific.rsplit_once('e').and_then(|it| it.1.parse().ok());
        let exponent: i64 = exponent.unwrap_or(0);
        let digits = i64::try_from(precision).unwrap_or(i64::MAX);
        let is_fixed = (-4..digits).contains(&exponent);
        let text = if is_fixed {
            let places = usize::try_from(digits - 1 - exponent).unwrap_or(0);
            fixed(number, places, self.alternative)
        } else {
            scientific
        };
        if self.alternative {
            return text;
        }
        let (mantissa, tail) = match text.split_once('e') {
            Some((mantissa, exponent)) => (mantissa, format!("e{exponent}")),
            None => (text.as_str(), String::new()),
        };
        let mantissa = if mantissa.contains('.') {
            mantissa.trim_end_matches('0').trim_end_matches('.')
        } else {
            mantissa
        };
        format!("{mantissa}{tail}")
    }
}

fn in_radix(mut number: u128, radix: u128) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % radix).unwrap_or(0);
        digits.push(char::from_digit(digit, 16).unwrap_or('0'));
        number /= radix;
        if number == 0 {
            break;
        }
    }
    digits.iter().rev().collect()
}

/// Returns the digits of a negative number in two's complement, with a single one of the infinitely
/// repeated digits.
fn twos_complement(number: i128, radix: u128) -> String {
    let base = i128::try_from(radix).unwrap_or(16);
    let mut digits = Vec::new();
    let mut rest = number;
    while rest != -1 {
        digits.push(u32::try_from(rest.rem_euclid(base)).unwrap_or(0));
        rest = rest.div_euclid(base);
    }
    let last = u32::try_from(base - 1).unwrap_or(0);
    while digits.last() == Some(&last) {
        digits.pop();
    }
    digits.push(last);
    let shown = digits.iter().rev();
    shown.filter_map(|it| char::from_digit(*it, 16)).collect()
}

/// More decimals than any float has. The standard library supports up to 65,535.
const MAX_DIGITS: usize = 1_100;

fn fixed(number: f64, places: usize, point: bool) -> String {
    let exact = places.min(MAX_DIGITS);
    let zeros = "0".repeat(places - exact);
    let point = if point && places == 0 { "." } else { "" };
    format!("{number:.exact$}{point}{zeros}")
}

fn exponential(number: f64, places: usize, point: bool) -> String {
    let exact = places.min(MAX_DIGITS);
    let zeros = "0".repeat(places - exact);
    let text = format!("{number:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let point = if point && places == 0 { "." } else { "" };
    let exponent = exponent.unsigned_abs();
    format!("{mantissa}{point}{zeros}e{sign}{exponent:02}")
}

/// Returns the hexadecimal notation, such as `1.8p+0`.
fn hexadecimal(number: f64, places: Option<usize>, point: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = number.to_bits();
    let mut fraction = bits & ((1 << FRACTION) - 1);
    let biased = i64::try_from(bits >> FRACTION).unwrap_or(0) & 0x7ff;
    let (mut whole, mut exponent) = match (biased, fraction) {
        (0, 0) => (0u64, 0),
        (0, _) => {
            // Normalizes a subnormal number.
            let shift = fraction.leading_zeros() - (63 - FRACTION);
            fraction = (fraction << shift) & ((1 << FRACTION) - 1);
            (1, -1022 - i64::from(shift))
        }
        _ => (1, biased - 1023),
    };
    if let Some(places) = places.filter(|it| *it < 13) {
        let dropped = FRACTION - 4 * u32::try_from(places).unwrap_or(0);
        let all = (whole << FRACTION) | fraction;
        let (kept, rest) = (all >> dropped, all & ((1 << dropped) - 1));
        let half = 1u64 << (dropped - 1);
        let up = rest > half || rest == half && kept & 1 == 1;
        let rounded = (kept + u64::from(up)) << dropped;
        (whole, fraction) = (rounded >> FRACTION, rounded & ((1 << FRACTION) - 1));
    }
    if whole > 1 {
        whole = 1;
        exponent += 1;
    }
    let all = format!("{fraction:013x}");
    let digits = match places {
        Some(places) if places <= all.len() => all[..places].to_owned(),
        Some(places) => format!("{all}{}", "0".repeat(places - all.len())),
        None => all.trim_end_matches('0').to_owned(),
    };
    let point = if point || !digits.is_empty() { "." } else { "" };
    format!("{whole}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats with a directive in Ruby's notation.
    fn format(text: &str, number: f64) -> String {
        let mut directive = FormatSpec::default();
        let body = text.trim_start_matches(['-', '+', ' ', '#', '0']);
        for flag in text[..text.len() - body.len()].chars() {
            match flag {
                '-' => directive.left = true,
                '+' => directive.plus = true,
                ' ' => directive.space = true,
                '#' => directive.alternative = true,
                _ => directive.zero = true,
            }
        }
        let letter = body.chars().last().expect("a letter");
        let numbers = &body[..body.len() - 1];
        let (width, precision) = numbers.split_once('.').unwrap_or((numbers, ""));
        directive.width = width.parse().ok();
        directive.precision = precision.parse().ok();
        let integer = directive.integer(letter, number as i128);
        integer
            .or_else(|| directive.float(letter, number))
            .expect("a directive")
    }

    #[test]
    fn integers() {
        let cases = [
            ("5d", 42.0, "   42"),
            ("-5d", 42.0, "42   "),
            ("+05d", 42.0, "+0042"),
            ("5.3d", 42.0, "  042"),
            (".0d", 0.0, ""),
            ("x", -255.0, "..f01"),
            ("08x", -1.0, "..ffffff"),
            ("08b", -11.0, "..110101"),
            ("#x", 255.0, "0xff"),
            ("#o", 0.0, "0"),
            ("#o", 8.0, "010"),
            ("+x", -255.0, "-ff"),
            ("#X", -1.0, "0X..F"),
            ("o", -1.0, "..7"),
        ];
        for (directive, number, expected) in cases {
            assert_eq!(format(directive, number), expected, "%{directive}");
        }
    }

    #[test]
    fn floats() {
        let cases = [
            ("f", 1.5, "1.500000"),
            (".0f", 2.5, "2"),
            ("#.0f", 2.5, "2."),
            ("08.2f", -1.5, "-0001.50"),
            ("e", 12345.678, "1.234568e+04"),
            ("g", 0.0001, "0.0001"),
            ("g", 0.00001, "1e-05"),
            ("#g", 1.0, "1.00000"),
            ("G", 1e20, "1E+20"),
            ("a", 1.5, "0x1.8p+0"),
            (".0a", 1.5, "0x1p+1"),
            ("A", 5e-324, "0X1P-1074"),
        ];
        for (directive, number, expected) in cases {
            assert_eq!(format(directive, number), expected, "%{directive}");
        }
    }
}
