//! The comparison operators: `== != < <= > >=`.

use std::cmp::Ordering;
use std::fmt;

use super::arithmetic::{describe, runtime};
use super::{EvalError, EvalFailure, EvalResult, Issue};
use types::Type;
use types::values::{self, Value};

/// A comparison operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ComparisonOperator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

use ComparisonOperator as Op;

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Op::Equal => "==",
            Op::NotEqual => "!=",
            Op::Less => "<",
            Op::LessOrEqual => "<=",
            Op::Greater => ">",
            Op::GreaterOrEqual => ">=",
        })
    }
}

/// Applies a comparison operator.
///
/// # Errors
///
/// If Puppet raises an error, or the result is unknown.
pub fn comparison(op: Op, left: &Value, right: &Value) -> EvalResult<bool> {
    if let Value::Type(left) = left {
        return compare_type(op, left, right);
    }
    let order = match op {
        Op::Equal => return Ok(values::equals(left, right)),
        Op::NotEqual => return Ok(!values::equals(left, right)),
        _ => order(op, left, right)?,
    };
    Ok(match op {
        Op::Less => order == Ordering::Less,
        Op::LessOrEqual => order != Ordering::Greater,
        Op::Greater => order == Ordering::Greater,
        _ => order != Ordering::Less,
    })
}

fn order(op: Op, left: &Value, right: &Value) -> EvalResult<Ordering> {
    values::compare(left, right).map_err(|_| match (left, right) {
        // A `SemVer` is `Numeric` to Ruby, but cannot be compared with other numbers.
        (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) => {
            runtime("cannot compare a number with a `SemVer`")
        }
        (Value::Float(_), Value::Float(_)) => runtime("cannot compare `NaN`"),
        _ => {
            let message = format!(
                "operator `{op}` does not apply to {} and {}",
                describe(left),
                describe(right)
            );
            EvalError::new(Issue::ComparisonNotPossible, message).into()
        }
    })
}

/// Compares types by assignability.
fn compare_type(op: Op, left: &Type, right: &Value) -> EvalResult<bool> {
    let Value::Type(right) = right else {
        return Ok(match op {
            Op::NotEqual => true,
            Op::Greater | Op::GreaterOrEqual => accepts_non_type(left)?,
            _ => false,
        });
    };
    let equal = || certain(types::equivalent(left, right));
    let accepts = |to, from| certain(types::is_assignable(to, from));
    match op {
        Op::Equal => equal(),
        Op::NotEqual => Ok(!equal()?),
        Op::Less => Ok(accepts(right, left)? && !equal()?),
        Op::LessOrEqual => accepts(right, left),
        Op::Greater => Ok(accepts(left, right)? && !equal()?),
        Op::GreaterOrEqual => accepts(left, right),
    }
}

fn certain(answer: Option<bool>) -> EvalResult<bool> {
    answer.ok_or_else(|| {
        EvalFailure::unknown("cannot decide whether the types are equal or assignable")
    })
}

/// Checks whether a type accepts a value that is not a type, where Puppet expects one: `Optional`
/// without parameters does.
fn accepts_non_type(ty: &Type) -> EvalResult<bool> {
    match ty {
        Type::Optional(None) => Ok(true),
        Type::Optional(Some(inner)) => accepts_non_type(inner),
        Type::Variant(types) => {
            for ty in types.iter() {
                if accepts_non_type(ty)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Type::Alias(alias) if !alias.is_recursive() => accepts_non_type(&alias.resolved()),
        Type::Alias(_) => Err(EvalFailure::unknown("recursive type alias")),
        Type::Iterable(_) => Err(runtime(
            "cannot compare an `Iterable` with a value that is not a type",
        )),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::IntRange;

    fn run(op: Op, left: impl Into<Value>, right: impl Into<Value>) -> String {
        match comparison(op, &left.into(), &right.into()) {
            Ok(answer) => answer.to_string(),
            Err(EvalFailure::Error(error)) => error.issue.code().unwrap_or_default().to_owned(),
            Err(EvalFailure::Unknown(reason)) => format!("unknown: {reason}"),
        }
    }

    #[test]
    fn compares_types_by_assignability() {
        let range = |a, b| Type::Integer(IntRange::between(a, b));
        assert_eq!(run(Op::Greater, range(1, 10), range(2, 3)), "true");
        assert_eq!(run(Op::Equal, range(1, 10), range(2, 3)), "false");
        assert_eq!(run(Op::Greater, range(1, 10), range(0, 5)), "false");
        assert_eq!(run(Op::Greater, range(1, 10), range(1, 10)), "false");
        assert_eq!(run(Op::GreaterOrEqual, range(1, 10), range(1, 10)), "true");
        assert_eq!(run(Op::Less, Type::INTEGER, Type::Numeric), "true");
        assert_eq!(run(Op::Equal, Type::INTEGER, 1), "false");
        assert_eq!(run(Op::Greater, Type::Optional(None), 1), "true");
    }

    #[test]
    fn compares_only_ordered_values() {
        assert_eq!(run(Op::Less, "a", "B"), "true");
        assert_eq!(run(Op::Less, 1, 1.5), "true");
        assert_eq!(run(Op::Less, 1, "2"), "COMPARISON_NOT_POSSIBLE");
        assert_eq!(run(Op::Less, true, false), "COMPARISON_NOT_POSSIBLE");
        assert_eq!(run(Op::Equal, 1, "1"), "false");
        assert_eq!(run(Op::NotEqual, Value::Undef, Value::Undef), "false");
    }
}
