//! Functions on numbers.

use super::{Arguments, of_each};
use crate::inferred::Inferred;
use crate::operators::{alternatives, element_of};
use library::KnownFunction as F;
use types::precise::union;
use types::{FloatRange, IntRange, Type};

/// Beyond this magnitude, not every integer is exactly representable as a float.
const EXACT: i64 = 1 << 52;

pub(super) fn lambda_arguments(function: F, arguments: &Arguments<'_>) -> Option<Vec<Inferred>> {
    match function {
        F::Min | F::Max => {
            let element = Inferred::of(compared(arguments)?);
            Some(vec![element.clone(), element])
        }
        _ => None,
    }
}

/// Returns the type of the values that `min` and `max` compare: the elements of the only argument
/// if it is an array.
fn compared(arguments: &Arguments<'_>) -> Option<Type> {
    match arguments.all()? {
        [] => None,
        [only] => {
            let infer_min_max = alternatives(&only.type_).into_iter().map(|it| match &it {
                Type::Array(_) | Type::Tuple(_) => element_of(&it),
                Type::Any | Type::NotUndef(None) | Type::Collection(_) => None,
                Type::Iterable(_) | Type::Recursion(_) => None,
                _ => Some(it),
            });
            infer_min_max.collect::<Option<Vec<Type>>>().map(union)
        }
        all => Some(union(all.iter().map(|it| it.type_.clone()))),
    }
}

/// Returns the type of a function's result.
pub(super) fn result(function: F, arguments: &Arguments<'_>) -> Option<Inferred> {
    let found = match function {
        F::Abs => each(arguments.type_(0)?, absolute)?,
        F::Floor => each(arguments.type_(0)?, |it| rounded(it, f64::floor, 0.0))?,
        F::Ceiling => each(arguments.type_(0)?, |it| rounded(it, f64::ceil, 0.0))?,
        F::Round => each(arguments.type_(0)?, |it| match it {
            Type::Integer(it) => {
                let exact = IntRange::between(-EXACT, EXACT).covers(*it);
                Some(if exact {
                    Type::Integer(*it)
                } else {
                    Type::INTEGER
                })
            }
            // Puppet adds 0.5 and truncates; the addition may round as well.
            it => rounded(it, f64::round, 1.0),
        })?,
        F::Min => infer_min_max(arguments, i64::min)?,
        F::Max => infer_min_max(arguments, i64::max)?,
        F::FqdnRand => infer_fqdn_rand(arguments.type_(0)?)?,
        _ => return None,
    };
    Some(Inferred::of(found))
}

/// Applies an operation to the numeric alternatives.
fn each(type_: &Type, operation: impl Fn(&Type) -> Option<Type>) -> Option<Type> {
    of_each(type_, |it| match it {
        Type::Undef | Type::Boolean(_) => Some(None),
        it => operation(&it).map(Some),
    })
}

fn absolute(type_: &Type) -> Option<Type> {
    Some(match type_ {
        Type::Integer(it) => {
            let low = it.min().map(i64::saturating_abs);
            let high = it.max().map(i64::saturating_abs);
            let has_zero = it.contains(0);
            let least = match (low, high) {
                _ if has_zero => 0,
                // Both bounds have the same sign.
                (Some(a), Some(b)) => a.min(b),
                (a, b) => a.or(b).unwrap_or(0),
            };
            let most = low.zip(high).map(|(a, b)| a.max(b));
            Type::integer(Some(least), most)?
        }
        Type::Float(_) => Type::Float(FloatRange::new(Some(0.0), None)?),
        _ => return None,
    })
}

/// Returns an integer unchanged, and the range of a rounded float, whose bounds may be off by
/// `apart`.
fn rounded(type_: &Type, round: fn(f64) -> f64, apart: f64) -> Option<Type> {
    match type_ {
        Type::Integer(it) => Some(Type::Integer(*it)),
        Type::Float(it) => {
            let exact = EXACT as f64;
            let end = |it: Option<f64>, by: f64| {
                let end = round(it?) + by;
                (-exact..=exact).contains(&end).then_some(end as i64)
            };
            Type::integer(end(it.min(), -apart), end(it.max(), apart))
        }
        Type::Numeric | Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(Type::INTEGER),
        _ => None,
    }
}

/// Infers `min` and `max`.
fn infer_min_max(arguments: &Arguments<'_>, choose: fn(i64, i64) -> i64) -> Option<Type> {
    let all = arguments.all()?;
    let compared = compared(arguments)?;
    let ranges: Option<Vec<IntRange>> = all.iter().map(|it| integer(&it.type_)).collect();
    match ranges {
        Some(ranges) if ranges.len() > 1 => {
            // The result is within the bounds of each range.
            let low = ranges.iter().map(|it| it.min().unwrap_or(i64::MIN));
            let high = ranges.iter().map(|it| it.max().unwrap_or(i64::MAX));
            let low = low.reduce(choose).filter(|it| *it != i64::MIN);
            let high = high.reduce(choose).filter(|it| *it != i64::MAX);
            Type::integer(low, high)
        }
        _ => Some(compared),
    }
}

/// Returns the range of a type that contains only integers.
fn integer(type_: &Type) -> Option<IntRange> {
    let ranges = alternatives(type_).into_iter().map(|it| match it {
        Type::Integer(it) => Some(it),
        _ => None,
    });
    let ranges: Option<Vec<IntRange>> = ranges.collect();
    ranges?.into_iter().reduce(IntRange::hull)
}

/// Infers `fqdn_rand`: from zero to less than the first argument.
fn infer_fqdn_rand(max: &Type) -> Option<Type> {
    let last = integer(max)?;
    if last.min().is_none_or(|it| it <= 0) {
        return None;
    }
    Type::integer(Some(0), last.max().map(|it| it - 1))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn functions_compute_ranges() {
        check(&[
            ("Integer[-5, 3] $a", "abs($a)", "Integer[0, 5]"),
            ("Integer[default, -3] $a", "abs($a)", "Integer[3]"),
            ("Numeric $a", "abs($a)", "Variant[Integer[0], Float[0.0]]"),
            ("Float[1.5, 2.5] $a", "floor($a)", "Integer[1, 2]"),
            ("Float[1.5, 2.5] $a", "ceiling($a)", "Integer[2, 3]"),
            ("Integer[1, 9] $a", "round($a)", "Integer[1, 9]"),
            ("Float $a", "round($a)", "Integer"),
            (
                "Integer[1, 9] $a, Integer[3] $b",
                "min($a, $b)",
                "Integer[1, 9]",
            ),
            (
                "Integer[1, 9] $a, Integer[3] $b",
                "max($a, $b)",
                "Integer[3]",
            ),
            ("Array[Integer[1, 2]] $a", "max($a)", "Integer[1, 2]"),
            (
                "Array[String] $a",
                "min($a) |$x, $y| { compare($x, $y) }",
                "String",
            ),
            ("Any $a", "max($a)", "Any"),
            ("Any $a", "fqdn_rand(10, $a)", "Integer[0, 9]"),
        ]);
    }
}
