//! Functions that navigate nested data: `dig`, `get`.

use super::Arguments;
use crate::inferred::Inferred;
use crate::lambdas::LambdaResult;
use crate::operators::{alternatives, element_of, hash_parts, size_of};
use library::KnownFunction as F;
use types::Type;
use types::precise::{difference, intersection, union};
use types::values::Value;

/// Returns the type of a function's result.
pub(super) fn result(
    function: F,
    arguments: &Arguments<'_>,
    block: Option<&LambdaResult>,
) -> Option<Inferred> {
    let all = arguments.all()?;
    match (function, all) {
        (F::Dig, [data, keys @ ..]) => Some(Inferred::of(infer_dig(&data.type_, keys))),
        (F::Get, [data, path, default @ ..]) => {
            let keys = keys(path.value.as_ref()?.as_str()?)?;
            let default = default.first().cloned();
            let default = default.unwrap_or_else(|| Inferred::of(Type::Undef));
            let found = infer_dig(&data.type_, &keys);
            if default.type_ == Type::Undef && block.is_none() {
                return Some(Inferred::of(found));
            }
            let kept = difference(&found, &Type::Undef).map(Inferred::of);
            let absent = intersection(&found, &Type::Undef).map(|_| default);
            let by_block = block.map(|it| it.value.clone());
            Some(Inferred::union(
                kept.into_iter().chain(absent).chain(by_block),
            ))
        }
        _ => None,
    }
}

/// Returns the keys of a path such as `a.b.0`, if it contains no quotes.
fn keys(path: &str) -> Option<Vec<Inferred>> {
    if path.is_empty() {
        return Some(Vec::new());
    }
    let steps = path.split('.').map(|step| {
        let plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
        if step.is_empty() || !step.chars().all(plain) {
            return None;
        }
        let value = match step.starts_with(|it: char| it.is_ascii_digit()) {
            true => Value::Integer(step.parse().ok()?),
            false => Value::from(step),
        };
        Some(Inferred::value(value))
    });
    steps.collect()
}

/// Returns the type at the end of a path; undef ends the navigation early.
fn infer_dig(data: &Type, keys: &[Inferred]) -> Type {
    let mut here = data.clone();
    let mut ended = false;
    for key in keys {
        let may_end = |it: &Type| intersection(it, &Type::Undef).is_some();
        ended |= may_end(&here) || may_end(&key.type_);
        let parts = alternatives(&here);
        here = union(parts.iter().filter_map(|it| part(it, key)));
    }
    match ended {
        true => union([here, Type::Undef]),
        false => here,
    }
}

/// Returns the type at a key; `None` if there cannot be any value, because Puppet fails.
fn part(data: &Type, key: &Inferred) -> Option<Type> {
    match data {
        Type::Undef => None,
        Type::Array(_) | Type::Tuple(_) => at_index(data, key),
        Type::Struct(it) => {
            let known = match &key.value {
                Some(Value::String(name)) => it.get(name),
                Some(_) => None,
                None => {
                    let (_, values) = hash_parts(data);
                    return Some(union([values, Type::Undef]));
                }
            };
            Some(match known {
                Some(it) if it.is_optional() => union([it.value.clone(), Type::Undef]),
                Some(it) => it.value.clone(),
                None => Type::Undef,
            })
        }
        Type::Hash(_) => {
            let (keys, values) = hash_parts(data);
            Some(match intersection(&keys, &key.type_) {
                Some(_) if size_of(data).max() != Some(0) => union([values, Type::Undef]),
                _ => Type::Undef,
            })
        }
        other if intersection(other, &Type::Collection(None)).is_none() => None,
        _ => Some(Type::Any),
    }
}

fn at_index(list: &Type, key: &Inferred) -> Option<Type> {
    intersection(&key.type_, &Type::INTEGER)?;
    let size = size_of(list);
    let element = element_of(list).unwrap_or(Type::Any);
    let Some(Value::Integer(index)) = key.value else {
        return Some(union([element, Type::Undef]));
    };
    if size.max().is_some_and(|most| index >= most) {
        return Some(Type::Undef);
    }
    let here = match list {
        Type::Tuple(it) => usize::try_from(index)
            .ok()
            .and_then(|at| it.at(at).cloned()),
        _ => None,
    };
    let here = here.unwrap_or(element);
    let certain = index >= 0 && size.min().unwrap_or(0) > index;
    Some(if certain {
        here
    } else {
        union([here, Type::Undef])
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn dig_and_get() {
        check(&[
            (
                "Struct[{a => Tuple[Integer, String]}] $a",
                "$a.dig('a', 1)",
                "String",
            ),
            (
                "Struct[{a => Tuple[Integer, String]}] $a",
                "$a.dig('b', 1)",
                "Undef",
            ),
            (
                "Hash[String, Array[Integer]] $a",
                "$a.dig('b', 1)",
                "Optional[Integer]",
            ),
            (
                "Optional[Struct[{a => Integer}]] $a",
                "$a.dig('a')",
                "Optional[Integer]",
            ),
            (
                "Struct[{a => Optional[Struct[{b => Integer}]]}] $a",
                "$a.get('a.b')",
                "Optional[Integer]",
            ),
            (
                "Struct[{a => Optional[Struct[{b => Integer}]]}] $a",
                "$a.get('a.b', 'x')",
                "Variant[Integer, String<x>]",
            ),
            ("Array[Integer, 2] $a", "$a.get('1')", "Integer"),
            (
                "Array[Integer, 2] $a",
                "$a.get('1.x') |$e| { 7 }",
                "Integer[7, 7]",
            ),
            ("Any $a", "$a.get('1')", "Any"),
            (
                "Integer $a",
                "getvar('a', 'x')",
                "Variant[Integer, String<x>]",
            ),
            (
                "Struct[{b => Integer}] $a",
                "getvar('a.b')",
                "Optional[Integer]",
            ),
            ("Any $a", "getvar($a)", "Any"),
        ]);
    }
}
