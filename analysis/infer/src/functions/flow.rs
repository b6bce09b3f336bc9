//! Functions that control the evaluation by calling their lambda once.

use super::Arguments;
use crate::inferred::Inferred;
use crate::lambdas::LambdaResult;
use library::KnownFunction as F;
use types::Type;
use types::precise::intersection;

pub(super) fn lambda_arguments(function: F, arguments: &Arguments<'_>) -> Option<Vec<Inferred>> {
    match function {
        F::With => Some(arguments.all()?.to_vec()),
        F::Lest => Some(Vec::new()),
        F::Lookup => {
            let key = arguments.types.first()?;
            let is_options = key.is_a(&Type::any_hash()) != Some(false);
            (!is_options).then(|| vec![key.clone()])
        }
        F::Then => Some(vec![Inferred::of(without_undef(arguments.type_(0)?))]),
        _ => None,
    }
}

/// Returns the type of a function's result.
pub(super) fn result(
    function: F,
    arguments: &Arguments<'_>,
    block: Option<&LambdaResult>,
) -> Option<Inferred> {
    let given = &block?.value;
    match function {
        F::With => Some(given.clone()),
        F::Then => {
            let undef = intersection(arguments.type_(0)?, &Type::Undef).map(|_| Type::Undef);
            Some(Inferred::union(
                [given.clone()].into_iter().chain(undef.map(Inferred::of)),
            ))
        }
        F::Lest => {
            let first = arguments.types.first()?;
            if intersection(&first.type_, &Type::Undef).is_none() {
                return Some(first.clone());
            }
            let kept = Inferred::of(without_undef(&first.type_));
            Some(Inferred::union([kept, given.clone()]))
        }
        _ => None,
    }
}

fn without_undef(type_: &Type) -> Type {
    intersection(type_, &Type::not_undef(Type::Any)).unwrap_or_else(|| Type::variant([]))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn lambdas_receive_single_values() {
        check(&[
            (
                "String $a",
                "with($a, 1) |$x, $y| { [$x, $y] }",
                "Tuple[String, Integer[1, 1]]",
            ),
            (
                "String $a",
                "with($a) |$x, $y = 7| { [$x, $y] }",
                "Tuple[String, Integer[7, 7]]",
            ),
            (
                "Optional[String] $a",
                "$a.then |$x| { [$x] }",
                "Optional[Tuple[String]]",
            ),
            ("String $a", "$a.then |$x| { [$x] }", "Tuple[String]"),
            (
                "Optional[String] $a",
                "$a.lest || { 1 }",
                "Variant[String, Integer[1, 1]]",
            ),
            ("String $a", "$a.lest || { 1 }", "String"),
        ]);
    }
}
