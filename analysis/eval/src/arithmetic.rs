//! The arithmetic operators: `+ - * / % << >>`, unary minus and splat.

use std::fmt;

use super::{Blame, Context, EvalError, EvalFailure, EvalResult, Issue};
use types::Type;
use types::values::{self, Array, HashValue, Nanos, Value};

/// An arithmetic operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
}

use ArithmeticOperator as Op;

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Op::Add => "+",
            Op::Subtract => "-",
            Op::Multiply => "*",
            Op::Divide => "/",
            Op::Modulo => "%",
            Op::ShiftLeft => "<<",
            Op::ShiftRight => ">>",
        })
    }
}

/// Applies an arithmetic operator.
///
/// # Errors
///
/// If Puppet raises an error, or the result is unknown.
pub fn arithmetic(context: &Context, op: Op, left: &Value, right: &Value) -> EvalResult {
    let result = match (left, op) {
        (Value::Uri(left), Op::Add) => add_to_uri(left, right),
        (Value::Binary(left), Op::Add) => match right {
            Value::Binary(right) => Ok(Value::Binary([&left[..], &right[..]].concat().into())),
            _ => Err(runtime(format!(
                "cannot append {} to a `Binary`",
                describe(right)
            ))),
        },
        (Value::Array(items), Op::Add) => Ok(Value::array([&items[..], &as_list(right)].concat())),
        (Value::Array(items), Op::Subtract) => Ok(without(items, &as_list(right))),
        (Value::Array(items), Op::ShiftLeft) => Ok(Value::array(
            [&items[..], std::slice::from_ref(right)].concat(),
        )),
        (Value::Hash(entries), Op::Add) => merge(entries, right),
        (Value::Hash(entries), Op::Subtract) => Ok(Value::Hash(match right {
            Value::Array(keys) => entries.without(keys.iter()),
            Value::Hash(keys) => entries.without(keys.keys()),
            key => entries.without([key]),
        })),
        (Value::Hash(_), Op::ShiftLeft) => Err(not_applicable(op, left)),
        _ => {
            let left = coerce(context, left, Blame::Left)?;
            let right = coerce(context, right, Blame::Right)?;
            calculate(op, &left, &right)
        }
    };
    context.within_limits(result?)
}

/// Evaluates `-value`.
///
/// # Errors
///
/// If Puppet raises an error, or the result is unknown.
pub fn negate(context: &Context, value: &Value) -> EvalResult {
    match coerce(context, value, Blame::Whole)? {
        Value::Integer(number) => match number.checked_neg() {
            Some(number) => Ok(Value::Integer(number)),
            // Puppet continues with an integer of more than 64 bits.
            None => Err(EvalFailure::unknown("integer does not fit in 64 bits")),
        },
        Value::Float(number) => Ok(Value::Float(-number)),
        Value::Timespan(span) => Ok(Value::Timespan(Nanos::new(-span.get()))),
        value => Err(runtime(format!(
            "operator `-` does not apply to {}",
            describe(&value)
        ))),
    }
}

/// Evaluates `*value`: returns the values that a splat expands to.
///
/// # Errors
///
/// Unknown if there are too many values, or if an iterator cannot be expanded.
pub fn expand_splat(context: &Context, value: &Value) -> EvalResult<Vec<Value>> {
    Ok(match value {
        Value::Undef => Vec::new(),
        Value::Array(items) => items.to_vec(),
        Value::Hash(entries) => entries.to_pairs(),
        Value::Iterator(iterator) if iterator.count() > context.limits.weight => {
            return Err(EvalFailure::unknown("splat expands to too many values"));
        }
        Value::Iterator(iterator) => match iterator.take() {
            Some(items) if !iterator.breaks_off() => items.collect(),
            _ => {
                return Err(EvalFailure::unknown(
                    "splat expands an iterator that is in use",
                ));
            }
        },
        value => vec![value.clone()],
    })
}

/// Converts the right operand of an array operator to a list: the elements of an array, the pairs
/// of a hash, or the value itself.
fn as_list(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.to_vec(),
        Value::Hash(entries) => entries.to_pairs(),
        value => vec![value.clone()],
    }
}

fn without(items: &Array, gone: &[Value]) -> Value {
    let kept = |it: &&Value| !gone.iter().any(|gone| values::same(it, gone));
    Value::array(items.iter().filter(kept).cloned().collect())
}

/// Merges a hash, an array of pairs, or an array of alternating keys and values into a hash.
fn merge(entries: &HashValue, right: &Value) -> EvalResult {
    let added = match right {
        Value::Hash(right) => right.clone(),
        Value::Array(items) => {
            let pairs = matches!(types::infer(right), Type::Array(it) if matches!(it.element(), Type::Array(_)));
            if pairs {
                from_pairs(items)?
            } else {
                from_list(items)?
            }
        }
        _ => {
            return Err(runtime(format!(
                "cannot merge {} into a hash",
                describe(right)
            )));
        }
    };
    Ok(Value::Hash(entries.merged(&added)))
}

fn from_pairs(items: &[Value]) -> EvalResult<HashValue> {
    let pair = |item: &Value| match item {
        Value::Array(pair) => match &pair[..] {
            [key] => Ok((key.clone(), Value::Undef)),
            [key, value] => Ok((key.clone(), value.clone())),
            other => Err(runtime(format!(
                "expected a pair of key and value, found {} elements",
                other.len()
            ))),
        },
        _ => Err(runtime("expected pairs of key and value")),
    };
    items.iter().map(pair).collect()
}

/// Creates a hash from alternating keys and values, as Ruby's `Hash[]` does: a single argument may
/// also be a hash or an array of pairs.
pub(super) fn from_list(items: &[Value]) -> EvalResult<HashValue> {
    match items {
        [Value::Hash(only)] => Ok(only.clone()),
        [Value::Array(only)] => from_pairs(only),
        items if items.len() % 2 == 1 => Err(runtime(
            "odd number of elements in an array of keys and values",
        )),
        items => Ok(items
            .chunks_exact(2)
            .filter_map(|it| Some((it.first()?.clone(), it.last()?.clone())))
            .collect()),
    }
}

fn add_to_uri(left: &values::Uri, right: &Value) -> EvalResult {
    let right = match right {
        Value::Uri(right) => (**right).clone(),
        Value::String(text) => values::Uri::parse(text)
            .ok_or_else(|| runtime(format!("invalid URI `{}`", values::quote(text))))?,
        _ => {
            return Err(runtime(format!(
                "cannot merge {} into a URI",
                describe(right)
            )));
        }
    };
    left.merge(&right)
        .map(|it| Value::Uri(it.into()))
        .ok_or_else(|| runtime("cannot merge two relative URIs"))
}

/// Converts an operand to a number. Times and versions are operands of their own.
fn coerce(context: &Context, value: &Value, blame: Blame) -> EvalResult {
    match value {
        Value::Integer(_)
        | Value::Float(_)
        | Value::Timespan(_)
        | Value::Timestamp(_)
        | Value::SemVer(_) => Ok(value.clone()),
        Value::String(text) => {
            let number = values::to_number(text);
            if number == Ok(None) {
                return Err(not_numeric(value, blame));
            }
            let message = format!(
                "implicit conversion of the string `{}` to a number",
                values::quote(text)
            );
            context.report_violation(EvalError::new(Issue::NumericCoercion, message).at(blame))?;
            match number {
                Ok(Some(number)) => Ok(number.into()),
                _ => Err(EvalFailure::unknown("integer does not fit in 64 bits")),
            }
        }
        value => Err(not_numeric(value, blame)),
    }
}

fn not_numeric(value: &Value, blame: Blame) -> EvalFailure {
    let message = format!("cannot convert {} to a number", describe(value));
    EvalError::new(Issue::NotNumeric, message).at(blame).into()
}

/// Renders a value for a message: the value itself if it is short, else its type.
pub(super) fn describe(value: &Value) -> String {
    const SHORT: usize = 40;
    match value {
        Value::Sensitive(_) => "a `Sensitive` value".to_owned(),
        value => match values::source(value) {
            Some(text) if text.chars().count() <= SHORT => format!("`{text}`"),
            _ => format!(
                "a value of type `{}`",
                types::display(&types::generalize(&types::infer(value)))
            ),
        },
    }
}

pub(super) fn runtime(message: impl Into<String>) -> EvalFailure {
    EvalError::new(Issue::RuntimeError, message).into()
}

fn not_applicable(op: Op, left: &Value) -> EvalFailure {
    let message = format!("operator `{op}` does not apply to {}", describe(left));
    EvalError::new(Issue::OperatorNotApplicable, message)
        .at(Blame::Left)
        .into()
}

fn not_applicable_when(op: Op, left: &Value, right: &Value) -> EvalFailure {
    let (left, right) = (describe(left), describe(right));
    let message = format!("operator `{op}` does not apply to {left} and {right}");
    EvalError::new(Issue::OperatorNotApplicableWhen, message)
        .at(Blame::Left)
        .into()
}

/// Applies an operator to operands that are numbers, times or versions.
fn calculate(op: Op, left: &Value, right: &Value) -> EvalResult {
    if op == Op::Modulo {
        if matches!(left, Value::Float(_)) {
            return Err(not_applicable(op, left));
        }
        if matches!(right, Value::Float(_)) {
            return Err(not_applicable_when(op, left, right));
        }
    }
    match (left, right) {
        (Value::Timespan(_), Value::Timespan(_) | Value::Timestamp(_)) => time(op, left, right),
        (Value::Timestamp(_), Value::Timespan(_) | Value::Timestamp(_)) => time(op, left, right),
        (_, Value::Timespan(_)) if matches!(op, Op::Add | Op::Multiply) => time(op, right, left),
        (_, Value::Timestamp(_)) if op == Op::Add => time(op, right, left),
        (_, Value::Timespan(_)) if op == Op::Subtract => match to_nanos(left)? {
            Some(left_nanos) => time(op, &Value::Timespan(left_nanos), right),
            None => Err(not_applicable(op, left)),
        },
        (_, Value::Timespan(_) | Value::Timestamp(_)) => Err(not_applicable_when(op, left, right)),
        (Value::Timespan(_) | Value::Timestamp(_), _) => time(op, left, right),
        (Value::SemVer(_), _) if op == Op::Modulo && values::same(right, &Value::Integer(0)) => {
            Err(by_zero())
        }
        (Value::SemVer(_), _) => Err(not_applicable(op, left)),
        (Value::Float(_), _) if matches!(op, Op::ShiftLeft | Op::ShiftRight) => {
            Err(not_applicable(op, left))
        }
        (_, Value::SemVer(_)) if matches!(op, Op::ShiftLeft | Op::ShiftRight) => {
            Err(not_applicable(op, left))
        }
        (_, Value::SemVer(_)) => Err(runtime("cannot convert a `SemVer` to a number")),
        (Value::Integer(left), Value::Integer(right)) => integers(op, *left, *right),
        (Value::Integer(left), Value::Float(right)) => match op {
            // Ruby truncates a fractional shift distance.
            Op::ShiftLeft | Op::ShiftRight => {
                let far = (op == Op::ShiftLeft) == (*right > 0.0);
                if far && right.abs() >= TOO_FAR && *left != 0 {
                    return Err(runtime("shift distance too large"));
                }
                integers(op, *left, *right as i64)
            }
            op => floats(op, *left as f64, *right),
        },
        (Value::Float(left), Value::Integer(right)) => floats(op, *left, *right as f64),
        (Value::Float(left), Value::Float(right)) => floats(op, *left, *right),
        _ => Err(not_applicable(op, left)),
    }
}

/// The left shift distance from which on Ruby fails because of the size of the result.
const TOO_FAR: f64 = 18_446_744_073_709_551_616.0;

fn not_possible(op: Op, left: &Value, right: &Value) -> EvalFailure {
    let (left, right) = (describe(left), describe(right));
    runtime(format!(
        "operator `{op}` does not apply to {left} and {right}"
    ))
}

fn by_zero() -> EvalFailure {
    EvalError::new(Issue::DivByZero, "division by zero")
        .at(Blame::Right)
        .into()
}

fn integers(op: Op, left: i64, right: i64) -> EvalResult {
    let (a, b) = (i128::from(left), i128::from(right));
    let result = match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide | Op::Modulo if b == 0 => return Err(by_zero()),
        Op::Divide => floor_div(a, b),
        Op::Modulo => a - b * floor_div(a, b),
        Op::ShiftLeft => shift(a, b),
        Op::ShiftRight => shift(a, -b),
    };
    match i64::try_from(result) {
        Ok(number) => Ok(Value::Integer(number)),
        Err(_) => {
            let message = format!("integer overflow: the result of `{op}` does not fit in 64 bits");
            Err(EvalError::new(Issue::NumericOverflow, message).into())
        }
    }
}

fn floor_div(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

/// Shifts to the left by `by`, or to the right if it is negative. A result that does not fit into
/// 64 bits stays out of their range.
fn shift(number: i128, by: i128) -> i128 {
    const FAR: i128 = 63;
    if by >= 0 {
        number << by.min(FAR)
    } else {
        number >> (-by).min(FAR + 1)
    }
}

fn floats(op: Op, left: f64, right: f64) -> EvalResult {
    let result = match op {
        Op::Add => left + right,
        Op::Subtract => left - right,
        Op::Multiply => left * right,
        Op::Divide => left / right,
        _ => return Err(not_applicable(op, &Value::Float(left))),
    };
    if result.is_infinite() {
        let message = format!("the result of `{op}` is infinite");
        return Err(EvalError::new(Issue::ResultIsInfinity, message)
            .at(Blame::Left)
            .into());
    }
    if result.is_nan() {
        return Err(EvalFailure::unknown("the result is not a number"));
    }
    Ok(Value::Float(result))
}

/// Converts a number of seconds or a time span to nanoseconds; `None` for any other value.
fn to_nanos(value: &Value) -> EvalResult<Option<Nanos>> {
    Ok(match value {
        Value::Integer(seconds) => Some(Nanos::from_seconds(*seconds)),
        Value::Float(seconds) => Some(
            Nanos::from_float(*seconds).ok_or_else(|| EvalFailure::unknown("time out of range"))?,
        ),
        Value::Timespan(span) => Some(*span),
        _ => None,
    })
}

/// Applies an operator whose left operand is a time.
fn time(op: Op, left: &Value, right: &Value) -> EvalResult {
    let spans = |combine: fn(i128, i128) -> Option<i128>, a: Nanos, b: Nanos| {
        let nanos = combine(a.get(), b.get()).filter(|it| it.unsigned_abs() < 1 << 120);
        nanos
            .map(Nanos::new)
            .ok_or_else(|| EvalFailure::unknown("time out of range"))
    };
    let refused = || not_possible(op, left, right);
    let combine = match op {
        Op::Add => i128::checked_add,
        Op::Subtract => i128::checked_sub,
        op => return scale(op, left, right),
    };
    Ok(match (left, right) {
        (Value::Timespan(a), Value::Timestamp(b)) if op == Op::Add => {
            Value::Timestamp(spans(combine, *a, *b)?)
        }
        (Value::Timestamp(a), Value::Timestamp(b)) if op == Op::Subtract => {
            Value::Timespan(spans(combine, *a, *b)?)
        }
        (Value::Timespan(a), right) => {
            Value::Timespan(spans(combine, *a, to_nanos(right)?.ok_or_else(refused)?)?)
        }
        (Value::Timestamp(a), right) => {
            Value::Timestamp(spans(combine, *a, to_nanos(right)?.ok_or_else(refused)?)?)
        }
        _ => return Err(not_applicable(op, left)),
    })
}

/// Applies `*`, `/` or `%` to a time.
fn scale(op: Op, left: &Value, right: &Value) -> EvalResult {
    let Value::Timespan(span) = left else {
        return Err(not_applicable(op, left));
    };
    let beyond = || EvalFailure::unknown("time out of range");
    let float = |nanos: f64| -> EvalResult {
        let nanos = Some(nanos)
            .filter(|it| it.abs() < 1e36)
            .ok_or_else(beyond)?;
        Ok(Value::Timespan(Nanos::new(nanos as i128)))
    };
    let nanos = span.get();
    match (op, right) {
        (Op::Multiply, Value::Integer(by)) => {
            let product = nanos.checked_mul(i128::from(*by)).ok_or_else(beyond)?;
            Ok(Value::Timespan(Nanos::new(product)))
        }
        (Op::Multiply, Value::Float(by)) => float(nanos as f64 * by),
        (Op::Divide, Value::Timespan(by)) => {
            let quotient = values::ratio(nanos, by.get());
            floats(Op::Add, quotient, 0.0)
        }
        (Op::Divide | Op::Modulo, Value::Integer(0)) => Err(by_zero()),
        (Op::Divide, Value::Float(by)) if *by == 0.0 => Err(by_zero()),
        (Op::Divide, Value::Integer(by)) => Ok(Value::Timespan(Nanos::new(floor_div(
            nanos,
            i128::from(*by),
        )))),
        (Op::Divide, Value::Float(by)) => float((nanos as f64 / by).floor()),
        (Op::Modulo, Value::Integer(by)) => {
            integers(Op::Modulo, span.whole_seconds().ok_or_else(beyond)?, *by)
        }
        (Op::Multiply | Op::Divide | Op::Modulo, right) => Err(not_possible(op, left, right)),
        _ => Err(not_applicable(op, left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(op: Op, left: impl Into<Value>, right: impl Into<Value>) -> String {
        shown(arithmetic(
            &Context::default(),
            op,
            &left.into(),
            &right.into(),
        ))
    }

    fn shown(outcome: EvalResult) -> String {
        match outcome {
            Ok(value) => values::source(&value).expect("has a source form"),
            Err(EvalFailure::Error(error)) => error.issue.code().unwrap_or_default().to_owned(),
            Err(EvalFailure::Unknown(reason)) => format!("unknown: {reason}"),
        }
    }

    fn list(items: &[i64]) -> Value {
        Value::array(items.iter().map(|it| Value::Integer(*it)).collect())
    }

    #[test]
    fn integers_have_64_bits_and_round_down() {
        assert_eq!(run(Op::Divide, 7, 2), "3");
        assert_eq!(run(Op::Divide, -7, 2), "-4");
        assert_eq!(run(Op::Modulo, -7, 3), "2");
        assert_eq!(run(Op::Modulo, 7, -3), "-2");
        assert_eq!(run(Op::Divide, 1, 0), "DIV_BY_ZERO");
        assert_eq!(run(Op::Add, i64::MAX, 1), "NUMERIC_OVERFLOW");
        assert_eq!(run(Op::Divide, i64::MIN, -1), "NUMERIC_OVERFLOW");
        assert_eq!(run(Op::ShiftLeft, 1, 62), "4611686018427387904");
        assert_eq!(run(Op::ShiftLeft, 1, 63), "NUMERIC_OVERFLOW");
        assert_eq!(run(Op::ShiftLeft, 0, i64::MAX), "0");
        assert_eq!(run(Op::ShiftLeft, 1, -1), "0");
        assert_eq!(run(Op::ShiftRight, -1, 100), "-1");
        assert_eq!(run(Op::ShiftRight, 1, i64::MIN), "NUMERIC_OVERFLOW");
        assert_eq!(
            shown(negate(&Context::default(), &Value::from(i64::MIN))),
            "unknown: integer does not fit in 64 bits"
        );
    }

    #[test]
    fn floats_must_stay_finite() {
        assert_eq!(run(Op::Add, 1, 0.5), "1.5");
        assert_eq!(run(Op::Divide, 1.0, 0), "RESULT_IS_INFINITY");
        assert_eq!(run(Op::Modulo, 1.5, 1), "OPERATOR_NOT_APPLICABLE");
        assert_eq!(run(Op::Modulo, 1, 1.5), "OPERATOR_NOT_APPLICABLE_WHEN");
    }

    #[test]
    fn converts_strings_to_numbers_unless_strict() {
        assert_eq!(run(Op::Add, "1", 1), "NUMERIC_COERCION");
        assert_eq!(run(Op::Add, "a", 1), "NOT_NUMERIC");
        let lenient = Context::new(syntax::validation::PuppetVersion::V7);
        let sum = arithmetic(&lenient, Op::Add, &Value::from("0x10"), &Value::from(1));
        assert_eq!(shown(sum), "17");
        assert_eq!(lenient.take_warnings().len(), 1);
    }

    #[test]
    fn adds_to_and_subtracts_from_collections() {
        assert_eq!(run(Op::Add, list(&[1]), list(&[2])), "[1, 2]");
        assert_eq!(run(Op::Add, list(&[1]), 2), "[1, 2]");
        assert_eq!(run(Op::ShiftLeft, list(&[1]), list(&[2])), "[1, [2]]");
        assert_eq!(run(Op::Subtract, list(&[1, 2, 1]), 1.0), "[2]");
        let hash = Value::hash([(Value::from("a"), Value::from(1))]);
        assert_eq!(
            run(Op::Add, hash.clone(), list(&[1, 2])),
            "{'a' => 1, 1 => 2}"
        );
        assert_eq!(run(Op::Add, hash.clone(), list(&[1])), "RUNTIME_ERROR");
        let pairs = Value::array(vec![list(&[1, 2]), list(&[3])]);
        assert_eq!(
            run(Op::Add, hash.clone(), pairs),
            "{'a' => 1, 1 => 2, 3 => undef}"
        );
        assert_eq!(run(Op::Subtract, hash.clone(), "a"), "{}");
        assert_eq!(run(Op::Add, list(&[]), hash.clone()), "[['a', 1]]");
        assert_eq!(run(Op::Multiply, hash, 1), "NOT_NUMERIC");
    }

    #[test]
    fn adds_and_scales_times() {
        let span = |seconds| Value::Timespan(Nanos::from_seconds(seconds));
        let time = |seconds| Value::Timestamp(Nanos::from_seconds(seconds));
        assert_eq!(run(Op::Add, 1, span(2)), "Timespan('0-00:00:03.0')");
        assert_eq!(run(Op::Subtract, 1, span(2)), "Timespan('-0-00:00:01.0')");
        assert_eq!(run(Op::Multiply, 1.5, span(2)), "Timespan('0-00:00:03.0')");
        assert_eq!(run(Op::Divide, span(5), span(2)), "2.5");
        assert_eq!(run(Op::Modulo, span(5), 3), "2");
        assert_eq!(
            run(Op::Subtract, time(5), time(2)),
            "Timespan('0-00:00:03.0')"
        );
        assert_eq!(run(Op::Add, time(5), time(2)), "RUNTIME_ERROR");
        assert_eq!(run(Op::Multiply, time(5), 2), "OPERATOR_NOT_APPLICABLE");
        assert_eq!(run(Op::Divide, 1, span(2)), "OPERATOR_NOT_APPLICABLE_WHEN");
        assert_eq!(run(Op::Divide, span(1), span(0)), "RESULT_IS_INFINITY");
    }

    #[test]
    fn a_splat_expands_collections() {
        let context = Context::default();
        let expanded = |value: Value| expand_splat(&context, &value).map(|it| it.len());
        assert_eq!(expanded(Value::Undef), Ok(0));
        assert_eq!(expanded(Value::from("abc")), Ok(1));
        assert_eq!(expanded(list(&[1, 2])), Ok(2));
    }
}
