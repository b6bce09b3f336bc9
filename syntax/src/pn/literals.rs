//! Numbers in PN.

use super::{Pn, call};

pub(super) fn integer(value: i128, radix: u32) -> Pn {
    let value = Pn::plain(value.to_string());
    if radix == 10 {
        return value;
    }
    let entries = vec![
        ("radix".to_owned(), Pn::plain(radix.to_string())),
        ("value".to_owned(), value),
    ];
    call("int", vec![Pn::Map(entries)])
}

/// Formats a float like Ruby.
pub fn float(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() {
            "-0.0"
        } else {
            "0.0"
        }
        .to_owned();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let plain = format!("{value}");
    if plain.contains('.') && (-4..16).contains(&exponent) {
        return plain;
    }
    if (0..15).contains(&exponent) {
        return format!("{plain}.0");
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn formats_floats_like_ruby() {
        let cases = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1234567890123456.7, "1234567890123456.8"),
            (1234567890123456.0, "1.234567890123456e+15"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (1e16, "1.0e+16"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (1e100, "1.0e+100"),
            (-2.5, "-2.5"),
        ];
        for (value, text) in cases {
            assert_eq!(float(value), text);
        }
    }
}
