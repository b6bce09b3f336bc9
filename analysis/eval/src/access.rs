//! The access operator: `value[keys…]`.

use std::sync::Arc;

use super::arithmetic::describe;
use super::type_access::access_type;
use super::{Blame, Context, EvalError, EvalFailure, EvalResult, Issue};
use types::Type;
use types::values::{self, Number, Value};

/// Evaluates `left[keys…]`.
///
/// # Errors
///
/// If Puppet raises an error, or the result is unknown, for example a parameter of a resource in
/// the catalog.
pub fn access(context: &Context, left: &Value, keys: &[Value]) -> EvalResult {
    let result = match left {
        Value::String(text) => access_string(text, &flatten(keys)),
        Value::Binary(bytes) => access_binary(bytes, &flatten(keys)),
        Value::Array(items) => access_array(context, items, &flatten(keys)),
        Value::Hash(entries) => access_hash(entries, keys),
        Value::Type(ty) => access_type(ty, keys),
        left => Err(not_accessible(left)),
    };
    context.within_limits(result?)
}

pub(super) fn not_accessible(left: &Value) -> EvalFailure {
    let message = format!("operator `[]` does not apply to {}", describe(left));
    EvalError::new(Issue::OperatorNotApplicable, message)
        .at(Blame::Left)
        .into()
}

/// Flattens the arrays among the keys.
pub(super) fn flatten(keys: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(keys.len());
    for key in keys {
        match key {
            Value::Array(inner) => flat.extend(flatten(inner)),
            key => flat.push(key.clone()),
        }
    }
    flat
}

/// Renders the generalized type of a value for a message.
pub(super) fn describe_type(value: &Value) -> String {
    types::display(&types::generalize(&types::infer(value)))
}

/// Resolves a slice to its start and length; `None` if it is out of range.
fn slice(len: usize, start: i64, length: i64) -> EvalResult<Option<(usize, usize)>> {
    let len = len as i128;
    let (mut start, mut length) = (i128::from(start), i128::from(length));
    if start < 0 {
        start += len;
    }
    // A negative length counts from the end.
    if length < 0 {
        length += len - start + 1;
    }
    if start < 0 {
        length += start;
        start = 0;
    }
    if i64::try_from(length).is_err() {
        let message = "the end of the slice does not fit in 64 bits";
        return Err(EvalError::new(Issue::RuntimeError, message).into());
    }
    if length < 0 || start > len {
        return Ok(None);
    }
    let length = length.min(len - start);
    let ends = (usize::try_from(start), usize::try_from(length));
    Ok(match ends {
        (Ok(start), Ok(length)) => Some((start, length)),
        _ => None,
    })
}

/// Resolves the keys of a string or binary to a slice of its `len` characters or bytes.
fn string_slice(len: usize, keys: &[Value]) -> EvalResult<Option<(usize, usize)>> {
    match keys {
        [start] => {
            let mut start = string_key(start, 0)?;
            if start < 0 {
                start = start.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
            }
            if start < 0 {
                return Ok(None);
            }
            slice(len, start, 1)
        }
        [start, length] => {
            let (start, length) = (string_key(start, 0)?, string_key(length, 1)?);
            slice(len, start, length)
        }
        keys => {
            let message = format!("`[]` on a string expects 1 or 2 keys, found {}", keys.len());
            Err(EvalError::new(Issue::BadStringSliceArity, message)
                .at(Blame::Left)
                .into())
        }
    }
}

/// Converts a key of a string to an integer. Numeric strings are always accepted.
fn string_key(key: &Value, index: usize) -> EvalResult<i64> {
    let number = match key {
        Value::Integer(number) => return Ok(*number),
        Value::String(text) => values::to_number(text)
            .map_err(|()| EvalFailure::unknown("integer does not fit in 64 bits"))?,
        _ => None,
    };
    if let Some(Number::Integer(number)) = number {
        return Ok(number);
    }
    let message = format!(
        "invalid string index: expected `Integer`, found `{}`",
        describe_type(key)
    );
    Err(EvalError::new(Issue::BadStringSliceKeyType, message)
        .at(Blame::Key(index))
        .into())
}

fn access_string(text: &Arc<str>, keys: &[Value]) -> EvalResult {
    let slice = string_slice(text.chars().count(), keys)?;
    let part: String = match slice {
        Some((start, length)) => text.chars().skip(start).take(length).collect(),
        None => String::new(),
    };
    Ok(Value::from(part))
}

fn access_binary(bytes: &Arc<[u8]>, keys: &[Value]) -> EvalResult {
    let slice = string_slice(bytes.len(), keys)?;
    let part = slice.and_then(|(start, length)| bytes.get(start..start + length));
    Ok(Value::Binary(part.unwrap_or_default().into()))
}

fn access_array(context: &Context, items: &[Value], keys: &[Value]) -> EvalResult {
    match keys {
        [index] => {
            let index = array_key(coerce(context, index, 0)?, 0)?;
            let item = item_at(items, index);
            Ok(item.cloned().unwrap_or(Value::Undef))
        }
        [start, length] => {
            let (start, length) = (coerce(context, start, 0)?, coerce(context, length, 1)?);
            let (start, length) = (array_key(start, 0)?, array_key(length, 1)?);
            let part = slice(items.len(), start, length)?
                .and_then(|(start, length)| items.get(start..start + length));
            Ok(Value::array(part.unwrap_or_default().to_vec()))
        }
        keys => {
            let message = format!("`[]` on an array expects 1 or 2 keys, found {}", keys.len());
            Err(EvalError::new(Issue::BadArraySliceArity, message)
                .at(Blame::Left)
                .into())
        }
    }
}

/// Returns an element of an array. Negative indexes count from the end.
pub(super) fn item_at<T>(items: &[T], index: i64) -> Option<&T> {
    let index = match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => usize::try_from(index.unsigned_abs())
            .ok()
            .and_then(|back| items.len().checked_sub(back)),
    };
    items.get(index?)
}

/// Converts a key of an array to a number. As in arithmetic, numeric strings depend on the
/// strictness.
fn coerce(context: &Context, key: &Value, index: usize) -> EvalResult {
    match key {
        Value::Integer(_)
        | Value::Float(_)
        | Value::Timespan(_)
        | Value::Timestamp(_)
        | Value::SemVer(_) => Ok(key.clone()),
        Value::String(text) if values::to_number(text) != Ok(None) => {
            let message = format!(
                "implicit conversion of the string `{}` to a number",
                values::quote(text)
            );
            let error = EvalError::new(Issue::NumericCoercion, message);
            context.report_violation(error.at(Blame::Key(index)))?;
            match values::to_number(text) {
                Ok(Some(number)) => Ok(number.into()),
                _ => Err(EvalFailure::unknown("integer does not fit in 64 bits")),
            }
        }
        key => {
            let message = format!("cannot convert {} to a number", describe(key));
            Err(EvalError::new(Issue::NotNumeric, message)
                .at(Blame::Key(index))
                .into())
        }
    }
}

fn array_key(key: Value, index: usize) -> EvalResult<i64> {
    key.as_integer().ok_or_else(|| {
        let message = format!(
            "invalid array index: expected `Integer`, found `{}`",
            describe_type(&key)
        );
        EvalError::new(Issue::BadSliceKeyType, message)
            .at(Blame::Key(index))
            .into()
    })
}

fn access_hash(entries: &values::HashValue, keys: &[Value]) -> EvalResult {
    let found = |key| entries.get(key).cloned().unwrap_or(Value::Undef);
    match keys {
        [] => {
            let error = EvalError::new(
                Issue::BadHashSliceArity,
                "`[]` on a hash expects at least 1 key, found 0",
            );
            Err(error.at(Blame::Left).into())
        }
        [key] => Ok(found(key)),
        keys => {
            let values = keys.iter().map(found).filter(|it| !it.is_undef());
            Ok(Value::array(values.collect()))
        }
    }
}

/// Returns the value of a reference without titles: an empty array if the access has a list of keys, else `undef`.
pub(super) fn no_reference(listed: bool) -> Value {
    if listed {
        Value::array(Vec::new())
    } else {
        Value::Undef
    }
}

/// Returns the last type, or all of them as an array if the access has a list of keys.
pub(super) fn references(listed: bool, types: Vec<Type>) -> Value {
    if listed {
        return Value::array(types.into_iter().map(Value::Type).collect());
    }
    types
        .into_iter()
        .next_back()
        .map_or(Value::Undef, Value::Type)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(left: impl Into<Value>, keys: &[Value]) -> String {
        match access(&Context::default(), &left.into(), keys) {
            Ok(value) => values::source(&value).expect("has a source form"),
            Err(EvalFailure::Error(error)) => error.issue.code().unwrap_or_default().to_owned(),
            Err(EvalFailure::Unknown(reason)) => format!("unknown: {reason}"),
        }
    }

    #[test]
    fn slices_strings_by_characters() {
        assert_eq!(run("häß", &[1.into()]), "'ä'");
        assert_eq!(run("abc", &[(-1).into()]), "'c'");
        assert_eq!(run("abc", &[(-4).into()]), "''");
        assert_eq!(run("abc", &[3.into()]), "''");
        assert_eq!(run("abcdef", &[1.into(), 3.into()]), "'bcd'");
        assert_eq!(run("abcdef", &[1.into(), (-2).into()]), "'bcde'");
        assert_eq!(run("abc", &[(-5).into(), 3.into()]), "'a'");
        assert_eq!(run("abc", &["1".into()]), "'b'");
        assert_eq!(run("abc", &[1.5.into()]), "BAD_STRING_SLICE_KEY_TYPE");
        assert_eq!(
            run("abc", &[1.into(), 2.into(), 3.into()]),
            "BAD_STRING_SLICE_ARITY"
        );
    }

    #[test]
    fn indexes_and_slices_arrays() {
        let items = || Value::array(vec![1.into(), 2.into(), 3.into()]);
        assert_eq!(run(items(), &[(-1).into()]), "3");
        assert_eq!(run(items(), &[3.into()]), "undef");
        assert_eq!(run(items(), &[(-4).into()]), "undef");
        assert_eq!(run(items(), &[1.into(), 5.into()]), "[2, 3]");
        assert_eq!(run(items(), &[4.into(), 1.into()]), "[]");
        assert_eq!(
            run(items(), &[Value::array(vec![0.into(), 2.into()])]),
            "[1, 2]"
        );
        assert_eq!(run(items(), &["1".into()]), "NUMERIC_COERCION");
        assert_eq!(run(items(), &[1.5.into()]), "BAD_SLICE_KEY_TYPE");
        assert_eq!(run(items(), &[Value::Undef]), "NOT_NUMERIC");
    }

    #[test]
    fn returns_the_values_of_present_keys() {
        let hash = || Value::hash([("a".into(), 1.into()), ("b".into(), Value::Undef)]);
        assert_eq!(run(hash(), &["a".into()]), "1");
        assert_eq!(run(hash(), &["A".into()]), "undef");
        assert_eq!(run(hash(), &["b".into(), "a".into(), "c".into()]), "[1]");
        assert_eq!(run(Value::Undef, &[1.into()]), "OPERATOR_NOT_APPLICABLE");
    }
}
