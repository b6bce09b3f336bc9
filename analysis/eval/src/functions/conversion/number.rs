//! `Integer(…)`, `Float(…)` and `Numeric(…)`.
//!
//! The signatures only accept strings that are numerals. `Integer` and `Float` parse them as Ruby
//! does, `Numeric` as Puppet does, so `010` is 8 or 10 depending on the type.

use super::{beyond_64_bits, conversion_error};
use crate::control_flow::{ControlFlow, FlowResult};
use types::values::{self, Number, Value};

/// The arguments, by position or in a hash.
struct Arguments<'a> {
    from: &'a Value,
    radix: Option<u32>,
    abs: bool,
}

impl<'a> Arguments<'a> {
    fn new(args: &'a [Value], takes_radix: bool) -> Arguments<'a> {
        let radix = |it: Option<&Value>| {
            let radix = it.and_then(Value::as_integer);
            radix.and_then(|it| u32::try_from(it).ok())
        };
        let is_true = |it: Option<&Value>| matches!(it, Some(Value::Boolean(true)));
        match args {
            [Value::Hash(named)] => Arguments {
                from: named.get_str("from").unwrap_or(&Value::Undef),
                radix: radix(named.get_str("radix")),
                abs: is_true(named.get_str("abs")),
            },
            args => Arguments {
                from: args.first().unwrap_or(&Value::Undef),
                radix: radix(args.get(1).filter(|_| takes_radix)),
                abs: is_true(args.get(if takes_radix { 2 } else { 1 })),
            },
        }
    }
}

pub(super) fn integer(args: &[Value]) -> FlowResult {
    let args = Arguments::new(args, true);
    let number = match args.from {
        Value::Integer(it) => *it,
        Value::Boolean(it) => i64::from(*it),
        Value::Float(it) => truncated(*it)?,
        Value::Timespan(it) | Value::Timestamp(it) => {
            it.whole_seconds().ok_or_else(beyond_64_bits)?
        }
        Value::String(text) => integer_of(text, args.radix)?,
        _ => return Err(conversion_error("expected an integer")),
    };
    if args.abs {
        return Ok(Value::Integer(
            number.checked_abs().ok_or_else(beyond_64_bits)?,
        ));
    }
    Ok(Value::Integer(number))
}

/// Truncates a float to an integer.
fn truncated(number: f64) -> FlowResult<i64> {
    /// 2^63, which does not fit in 64 bits.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&number) {
        Ok(number.trunc() as i64)
    } else {
        Err(beyond_64_bits())
    }
}

/// Checks whether Ruby's `\s` matches the character.
fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t'..='\r')
}

/// Splits a numeral into its sign (negative or not) and the part after the sign and whitespace. Returns
/// `None` if there is a line break between them, which the signatures accept.
fn unsigned(text: &str) -> Option<(bool, &str)> {
    match text.strip_prefix(['-', '+']) {
        Some(rest) => {
            let digits = rest.trim_start_matches([' ', '\t']);
            let split = digits.starts_with(is_space);
            (!split).then(|| (text.starts_with('-'), digits))
        }
        None => Some((false, text.trim_start_matches(is_space))),
    }
}

/// Splits off the prefix of a hexadecimal or binary numeral.
fn prefixed(digits: &str) -> Option<(u32, &str)> {
    let prefix = |it: &str| digits.strip_prefix(it);
    if let Some(rest) = prefix("0x").or_else(|| prefix("0X")) {
        return Some((16, rest));
    }
    let rest = prefix("0b").or_else(|| prefix("0B"))?;
    Some((2, rest))
}

/// Parses an integer as Ruby does.
fn integer_of(text: &str, radix: Option<u32>) -> FlowResult<i64> {
    let refused = || conversion_error(format!("invalid integer `{}`", values::quote(text)));
    let (negative, digits) = unsigned(text).ok_or_else(refused)?;
    let (base, digits) = match (radix, prefixed(digits)) {
        (None, Some((base, rest))) => (base, rest),
        (None, None) if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        (None, None) => (10, digits),
        (Some(radix), Some((base, rest))) if radix == base => (radix, rest),
        (Some(radix), _) => (radix, digits),
    };
    if digits.is_empty() || !digits.chars().all(|it| it.is_digit(base)) {
        return Err(refused());
    }
    let sign = if negative { "-" } else { "" };
    i64::from_str_radix(&format!("{sign}{digits}"), base).map_err(|_| beyond_64_bits())
}

pub(super) fn float(args: &[Value]) -> FlowResult {
    let args = Arguments::new(args, false);
    let number = match args.from {
        Value::Float(it) => *it,
        Value::Integer(it) => *it as f64,
        Value::Boolean(it) => f64::from(u8::from(*it)),
        Value::Timespan(it) | Value::Timestamp(it) => it.seconds(),
        Value::String(text) => float_of(text)?,
        _ => return Err(conversion_error("expected a number")),
    };
    Ok(Value::Float(if args.abs { number.abs() } else { number }))
}

/// Parses a float as Ruby does. It supports binary numerals only without a sign or leading whitespace,
/// and Puppet fails for a single zero.
fn float_of(text: &str) -> FlowResult<f64> {
    let refused = || conversion_error(format!("invalid float `{}`", values::quote(text)));
    if text == "0" {
        return Err(refused());
    }
    let (negative, digits) = unsigned(text).ok_or_else(refused)?;
    let number = match prefixed(digits) {
        Some((2, _)) if digits.len() != text.len() => return Err(refused()),
        Some((radix, rest)) => {
            let exact = u64::from_str_radix(rest, radix).ok();
            // Ruby's rounding beyond this is not implemented.
            let exact = exact.filter(|it| *it <= 1 << 53);
            exact.ok_or_else(|| ControlFlow::unknown("float with many digits"))? as f64
        }
        None => digits.parse().map_err(|_| refused())?,
    };
    if !number.is_finite() {
        return Err(ControlFlow::unknown("float out of range"));
    }
    Ok(if negative { -number } else { number })
}

pub(super) fn numeric(args: &[Value]) -> FlowResult {
    let args = Arguments::new(args, false);
    let number = match args.from {
        Value::Integer(it) => Number::Integer(*it),
        Value::Float(it) => Number::Float(*it),
        Value::Boolean(it) => Number::Integer(i64::from(*it)),
        Value::Timespan(it) | Value::Timestamp(it) => Number::Float(it.seconds()),
        Value::String(text) if prefixed(text).is_some() => Number::Integer(integer_of(text, None)?),
        Value::String(text) => match values::to_number(text) {
            Ok(Some(number)) => number,
            // Puppet does not parse all numerals that the signatures accept.
            Ok(None) if args.abs => return Err(conversion_error("expected a number")),
            Ok(None) => return Ok(Value::Undef),
            Err(()) => return Err(beyond_64_bits()),
        },
        _ => return Err(conversion_error("expected a number")),
    };
    Ok(match number {
        Number::Integer(it) if args.abs => {
            Value::Integer(it.checked_abs().ok_or_else(beyond_64_bits)?)
        }
        Number::Float(it) if args.abs => Value::Float(it.abs()),
        number => number.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn integers() {
        assert_eq!(run("Integer('0x1F')"), "31");
        assert_eq!(run("Integer('010')"), "8");
        assert_eq!(run("Integer('010', 10)"), "10");
        assert_eq!(run("Integer('0b11', 16)"), "2833");
        assert_eq!(run("Integer('- 5')"), "-5");
        assert_eq!(run("Integer(\"-\\n5\")"), "error");
        assert_eq!(run("Integer('08')"), "error");
        assert_eq!(run("Integer(-5.9, 10, true)"), "5");
        assert_eq!(
            run("Integer({ from => '1F', radix => 16, abs => true })"),
            "error"
        );
        assert_eq!(run("Integer(1e30)"), "?");
        assert_eq!(run("Integer[1, 2](5)"), "error");
    }

    #[test]
    fn floats_and_numerics() {
        assert_eq!(run("Float('010')"), "10.0");
        assert_eq!(run("Float('- 0x10')"), "-16.0");
        assert_eq!(run("Float('0b11')"), "3.0");
        assert_eq!(run("Float('-0b11')"), "error");
        assert_eq!(run("Float('0')"), "error");
        assert_eq!(run("Numeric('010')"), "8");
        assert_eq!(run("Numeric('-1.5', true)"), "1.5");
        assert_eq!(run("Optional[Numeric]('-0b11')"), "undef");
    }
}
