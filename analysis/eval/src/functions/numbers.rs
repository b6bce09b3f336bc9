//! Functions on numbers, and comparisons.

use std::cmp::Ordering;

use syntax::validation::PuppetVersion;

use super::collections::ordering;
use super::{Call, Family};
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::ruby;
use crate::ruby::number::{self, ParsedNumber};
use types::values::{Value, compare};

pub(super) const FUNCTIONS: Family = &[
    (
        "abs",
        &[("Callable[Numeric]", abs), ("Callable[String]", abs)],
    ),
    (
        "ceiling",
        &[
            ("Callable[Numeric]", ceiling),
            ("Callable[String]", ceiling),
        ],
    ),
    (
        "floor",
        &[("Callable[Numeric]", floor), ("Callable[String]", floor)],
    ),
    ("round", &[("Callable[Numeric]", round)]),
    ("max", EXTREMES_MAX),
    ("min", EXTREMES_MIN),
    (
        "compare",
        &[
            ("Callable[Numeric, Numeric]", compare_values),
            ("Callable[String, String, Boolean, 2, 3]", compare_strings),
            ("Callable[SemVer, SemVer]", compare_values),
            (
                "Callable[Numeric, Variant[Timespan, Timestamp]]",
                compare_values,
            ),
            (
                "Callable[Timestamp, Variant[Timestamp, Numeric]]",
                compare_values,
            ),
            (
                "Callable[Timespan, Variant[Timespan, Numeric]]",
                compare_values,
            ),
        ],
    ),
    (
        "versioncmp",
        &[("Callable[String, String, Boolean, 2, 3]", versioncmp)],
    ),
];

const EXTREMES_MAX: &[(&str, super::Implementation)] = &[
    ("Callable[Array, Optional[Callable[2, 2]]]", max),
    ("Callable[Any, 0, Callable[2, 2]]", max),
    ("Callable[Any, 0]", max),
];

const EXTREMES_MIN: &[(&str, super::Implementation)] = &[
    ("Callable[Array, Optional[Callable[2, 2]]]", min),
    ("Callable[Any, 0, Callable[2, 2]]", min),
    ("Callable[Any, 0]", min),
];

fn too_large() -> ControlFlow {
    ControlFlow::unknown("integer does not fit in 64 bits")
}

fn abs(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.arg(0) {
        Value::Integer(it) => it.checked_abs().map(Value::Integer).ok_or_else(too_large),
        Value::Float(it) => Ok(Value::Float(it.abs())),
        Value::String(text) => abs_of_text(call, text),
        _ => Ok(Value::Undef),
    }
}

/// One of the lines must be a number. Ruby then converts the start of the whole string.
fn abs_of_text(call: &Call<'_>, text: &str) -> FlowResult {
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let unsigned = |line: &str| line.strip_prefix('-').unwrap_or(line).to_owned();
    let is_float = |line: &str| {
        let line = unsigned(line);
        let parts = line.split_once('.');
        parts.is_some_and(|(whole, fraction)| is_digits(whole) && is_digits(fraction))
    };
    if text.split('\n').any(is_float) {
        return Ok(Value::Float(number::to_f(text).abs()));
    }
    if !text.split('\n').any(|line| is_digits(&unsigned(line))) {
        return Err(call.error("the string is not a decimal number"));
    }
    match number::to_i(text) {
        ParsedNumber::Number(it) => it.checked_abs().map(Value::Integer).ok_or_else(too_large),
        _ => Err(too_large()),
    }
}

/// Converts a float without a fraction to an integer.
fn integer_of(call: &Call<'_>, number: f64) -> FlowResult {
    // 2^63, which does not fit in 64 bits.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if !number.is_finite() {
        return Err(call.error("the number is infinite"));
    }
    if !(-END..END).contains(&number) {
        return Err(too_large());
    }
    Ok(Value::Integer(number as i64))
}

fn rounded(call: &Call<'_>, how: fn(f64) -> f64) -> FlowResult {
    match call.arg(0) {
        Value::Float(it) => integer_of(call, how(*it)),
        Value::String(text) => match number::parse_float(text) {
            ParsedNumber::Number(it) => integer_of(call, how(it)),
            ParsedNumber::Invalid => Err(call.error("the string is not a number")),
            ParsedNumber::Unknown => Err(ControlFlow::unknown(
                "cannot decide whether the string is a number",
            )),
        },
        integer => Ok(integer.clone()),
    }
}

fn ceiling(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    rounded(call, f64::ceil)
}

fn floor(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    rounded(call, f64::floor)
}

/// Rounds half away from zero. Puppet converts integers to floats, too.
fn round(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let number = match call.arg(0) {
        Value::Integer(it) => *it as f64,
        Value::Float(it) => *it,
        _ => return Ok(Value::Undef),
    };
    let moved = if number > 0.0 {
        number + 0.5
    } else {
        number - 0.5
    };
    integer_of(call, moved.trunc())
}

fn max(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    extreme(evaluator, call, Ordering::Greater)
}

fn min(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    extreme(evaluator, call, Ordering::Less)
}

/// Returns the first value that no later one exceeds in the wanted direction.
fn extreme(evaluator: &mut Evaluator<'_>, call: &Call<'_>, wanted: Ordering) -> FlowResult {
    let items = match call.args {
        [Value::Array(items)] => items,
        items => items,
    };
    let Some((first, rest)) = items.split_first() else {
        return match call.block {
            Some(_) => Ok(Value::Undef),
            None => Err(call.error("expected at least 1 argument")),
        };
    };
    let mode = ComparisonMode::of(items, evaluator.context.version);
    let mut found = first;
    for item in rest {
        evaluator.budget.spend(1)?;
        let order = if call.block.is_some() {
            ordering(evaluator, call, item, found)?
        } else {
            mode.order(item, found)?
        };
        if order == wanted {
            found = item;
        }
    }
    Ok(found.clone())
}

/// How `max` and `min` compare values.
enum ComparisonMode {
    ByValue,
    AsText,
}

impl ComparisonMode {
    fn of(items: &[Value], version: PuppetVersion) -> ComparisonMode {
        let all = |is: fn(&Value) -> bool| items.iter().all(is);
        let has_order = all(|it| matches!(it, Value::Integer(_) | Value::Float(_)))
            || version != PuppetVersion::V7
                && (all(|it| matches!(it, Value::SemVer(_)))
                    || all(|it| matches!(it, Value::Timespan(_)))
                    || all(|it| matches!(it, Value::Timestamp(_))));
        if has_order {
            ComparisonMode::ByValue
        } else {
            ComparisonMode::AsText
        }
    }

    fn order(&self, a: &Value, b: &Value) -> FlowResult<Ordering> {
        match self {
            ComparisonMode::ByValue => {
                compare(a, b).map_err(|_| ControlFlow::runtime("cannot compare the values"))
            }
            ComparisonMode::AsText => {
                let text = |it| {
                    ruby::to_s(it)
                        .ok_or_else(|| ControlFlow::unknown("string representation of an object"))
                };
                let (left, right) = (text(a)?, text(b)?);
                if looks_numeric(&left) && looks_numeric(&right) {
                    let (left, right) = (to_f(a)?, to_f(b)?);
                    return Ok(left.partial_cmp(&right).unwrap_or(Ordering::Equal));
                }
                Ok(left.as_bytes().cmp(right.as_bytes()))
            }
        }
    }
}

fn to_f(value: &Value) -> FlowResult<f64> {
    match value {
        Value::Integer(it) => Ok(*it as f64),
        Value::Float(it) => Ok(*it),
        Value::String(it) => Ok(number::to_f(it)),
        _ => Err(ControlFlow::unknown(
            "value looks like a number but is not one",
        )),
    }
}

/// Checks whether the string consists of digits, optionally followed by one of `._eE` and more
/// digits.
fn looks_numeric(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    match text.split_once(['.', '_', 'e', 'E']) {
        Some((whole, rest)) => is_digits(whole) && is_digits(rest),
        None => is_digits(text),
    }
}

fn number_of(order: Ordering) -> Value {
    Value::Integer(order as i64)
}

fn compare_values(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match compare(call.arg(0), call.arg(1)) {
        Ok(order) => Ok(number_of(order)),
        Err(_) => Err(ControlFlow::unknown(
            "cannot decide the order of the values",
        )),
    }
}

fn compare_strings(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let [a, b] = [0, 1].map(|at| call.arg(at).as_str().unwrap_or_default());
    let order = if call.arg(2) == &Value::Boolean(false) {
        a.cmp(b)
    } else {
        a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase())
    };
    Ok(number_of(order))
}

fn versioncmp(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let [a, b] = [0, 1].map(|at| call.arg(at).as_str().unwrap_or_default());
    evaluator.budget.spend((a.len() + b.len()) as u64)?;
    if call.arg(2) == &Value::Boolean(true) {
        let (a, b) = (without_zeros(call, a)?, without_zeros(call, b)?);
        return Ok(number_of(version_order(&a, &b)));
    }
    Ok(number_of(version_order(a, b)))
}

/// Strips trailing zeros and dots before the first hyphen.
fn without_zeros(call: &Call<'_>, version: &str) -> FlowResult<String> {
    if version.contains('\n') {
        return Err(ControlFlow::unknown("version with several lines"));
    }
    let version = version.trim_end_matches('-');
    if version.is_empty() {
        return Err(call.error("empty version"));
    }
    let (first, rest) = match version.split_once('-') {
        Some((first, rest)) => (first, Some(rest)),
        None => (version, None),
    };
    let first = first.trim_end_matches(['.', '0']);
    Ok(match rest {
        Some(rest) => format!("{first}-{rest}"),
        None => first.to_owned(),
    })
}

fn version_order(a: &str, b: &str) -> Ordering {
    let (left, right) = (version_parts(a), version_parts(b));
    let different = left.iter().zip(&right).find(|(a, b)| a != b);
    let Some((&left, &right)) = different else {
        return a.cmp(b);
    };
    for mark in ["-", "."] {
        if left == mark {
            return Ordering::Less;
        }
        if right == mark {
            return Ordering::Greater;
        }
    }
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let both_start_above_zero = !left.starts_with('0') && !right.starts_with('0');
    if is_digits(left) && is_digits(right) && both_start_above_zero {
        return left.len().cmp(&right.len()).then_with(|| left.cmp(right));
    }
    left.to_uppercase().cmp(&right.to_uppercase())
}

/// Splits a version into hyphens, dots, numbers and other parts.
fn version_parts(version: &str) -> Vec<&str> {
    let kind = |it: char| match it {
        '-' | '.' => 0,
        it if it.is_ascii_digit() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut rest = version;
    while let Some(first) = rest.chars().next() {
        let end = match kind(first) {
            0 => 1,
            first => rest.find(|it| kind(it) != first).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_versions_part_by_part() {
        let cases = [
            ("1.2.3", "1.2.10", Ordering::Less),
            ("1.01", "1.1", Ordering::Less),
            ("1-1", "1.1", Ordering::Less),
            ("1", "1.0", Ordering::Less),
            ("1b", "1A", Ordering::Greater),
            (
                "100000000000000000000",
                "99999999999999999999",
                Ordering::Greater,
            ),
        ];
        for (a, b, expected) in cases {
            assert_eq!(version_order(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn recognizes_numeric_strings() {
        assert!(looks_numeric("-1.5") && looks_numeric("1e5") && looks_numeric("1_0"));
        assert!(!looks_numeric("1.5e3") && !looks_numeric("1.") && !looks_numeric(""));
    }
}
