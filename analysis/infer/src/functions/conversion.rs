//! Functions that convert values to a type, or check their type.

use super::iteration::element;
use super::{Arguments, array, hash, joined_size, text};
use crate::inferred::Inferred;
use crate::lambdas::LambdaResult;
use crate::operators::{alternatives, element_of, pair, size_of};
use library::KnownFunction as F;
use types::precise::{difference, intersection, union, within};
use types::values::Value;
use types::{IntRange, Type};

pub(super) fn lambda_arguments(function: F, arguments: &Arguments<'_>) -> Option<Vec<Inferred>> {
    let one = |it: Inferred| Some(vec![it]);
    match function {
        F::New | F::ConvertTo => one(infer_new(&arguments_of(function, arguments)?)?),
        F::Unwrap => one(infer_unwrap(arguments.types.first()?)),
        F::AssertType => {
            let type_ = Inferred::of(Type::Type(None));
            Some(vec![type_.clone(), type_])
        }
        _ => None,
    }
}

/// Returns the type of a function's result.
pub(super) fn result(
    function: F,
    arguments: &Arguments<'_>,
    block: Option<&LambdaResult>,
) -> Option<Inferred> {
    let given = block.map(|it| it.value.clone());
    match (function, given) {
        (F::New | F::ConvertTo, None) => infer_new(&arguments_of(function, arguments)?),
        (F::ConvertTo | F::Unwrap, Some(given)) => Some(given),
        // A value that already has the type is not passed to the lambda.
        (F::New, Some(given)) => {
            let conversion = arguments_of(function, arguments)?;
            let kept = match conversion.arguments {
                [only] => Some(only.narrowed(&conversion.type_)),
                _ => None,
            };
            Some(Inferred::union(kept.into_iter().chain([given])))
        }
        (F::Unwrap, None) => Some(infer_unwrap(arguments.types.first()?)),
        (F::AssertType, given) => infer_assert_type(arguments, given),
        _ => None,
    }
}

/// A conversion to a type.
struct Conversion<'a> {
    type_: Type,
    /// The arguments after the type.
    arguments: &'a [Inferred],
}

fn arguments_of<'a>(function: F, arguments: &Arguments<'a>) -> Option<Conversion<'a>> {
    let all = arguments.all()?;
    match (function, all) {
        (F::New, [type_, arguments @ ..]) => Some(Conversion {
            type_: represented_type(type_)?,
            arguments,
        }),
        // Further arguments are those of `new`, which do not affect the type.
        (F::ConvertTo, [_, type_]) => Some(Conversion {
            type_: represented_type(type_)?,
            arguments: &all[..1],
        }),
        (F::ConvertTo, [_, type_, ..]) => Some(Conversion {
            type_: represented_type(type_)?,
            arguments: &[],
        }),
        _ => None,
    }
}

/// Returns the type that a value represents, or a supertype of it.
fn represented_type(type_: &Inferred) -> Option<Type> {
    match (&type_.value, &type_.type_) {
        (Some(Value::Type(it)), _) => Some(it.clone()),
        (None, Type::Type(Some(it))) => Some((**it).clone()),
        _ => None,
    }
}

/// Infers `new`: Puppet checks that the result is of the type.
fn infer_new(conversion: &Conversion<'_>) -> Option<Inferred> {
    let type_ = conversion.type_.resolved();
    if !is_checked(&type_) {
        return None;
    }
    if let [only] = conversion.arguments
        && within(&only.type_, &type_)
    {
        return Some(only.clone());
    }
    let closer = match (&type_, conversion.arguments) {
        (Type::Array(_) | Type::Tuple(_), [from]) => array_of(&from.type_),
        (Type::Array(_) | Type::Tuple(_), [from, wrap]) => match wrap.value {
            Some(Value::Boolean(true)) => Some(wrapped(&from.type_)),
            Some(Value::Boolean(false)) => array_of(&from.type_),
            _ => None,
        },
        (Type::Hash(_) | Type::Struct(_), [from]) => hash_of(&from.type_),
        (Type::String(_), [from]) => text_of(&from.type_),
        (Type::Sensitive(_), [from]) => Some(sensitive(&from.type_)),
        _ => None,
    };
    let found = match closer {
        Some(closer) => intersection(&closer, &type_),
        None => Some(type_),
    };
    Some(found.map_or_else(Inferred::never, Inferred::of))
}

/// Checks whether Puppet checks the result against exactly this type; for types such as `Init[T]`,
/// it does not.
fn is_checked(type_: &Type) -> bool {
    match type_ {
        Type::Optional(inner) | Type::NotUndef(inner) => {
            inner.as_ref().is_some_and(|it| is_checked(it))
        }
        Type::Variant(all) => all.iter().all(is_checked),
        Type::Alias(it) => !it.is_recursive() && is_checked(&it.resolved()),
        Type::Init(_)
        | Type::Any
        | Type::Unit
        | Type::Iterable(_)
        | Type::Iterator(_)
        | Type::Callable(_)
        | Type::CatalogEntry
        | Type::Class(_)
        | Type::Resource(_)
        | Type::Runtime(_)
        | Type::TypeSet(_)
        | Type::Recursion(_)
        | Type::Reference(_) => false,
        _ => true,
    }
}

/// Infers `Array(x)`.
fn array_of(type_: &Type) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        found.push(match &it {
            Type::Array(_) | Type::Tuple(_) => it,
            Type::Hash(hash) => array(pair(hash), size_of(&it)),
            Type::Binary => Type::array(Type::integer(Some(0), Some(255))?, None),
            Type::Undef | Type::Boolean(_) | Type::Float(_) | Type::Default => continue,
            Type::String(_) | Type::Enum(_) => array(element(&it)?, size_of(&it)),
            _ => Type::array(element(&it)?, None),
        });
    }
    Some(union(found))
}

/// Infers `Array(x, true)`, which wraps values that are not arrays.
fn wrapped(type_: &Type) -> Type {
    let lists = intersection(type_, &Type::any_array());
    let single = difference(type_, &Type::any_array());
    union(lists.into_iter().chain(single.map(|it| {
        // If the type is unknown, the rest may still be an array.
        match it.is_any() {
            true => array(it, IntRange::exactly(1)),
            false => Type::tuple([it], None),
        }
    })))
}

/// Infers `Hash(x)` of a hash or of an array of pairs.
fn hash_of(type_: &Type) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        match &it {
            Type::Hash(_) | Type::Struct(_) => found.push(it),
            Type::Array(_) | Type::Tuple(_) if size_of(&it).max() == Some(0) => {
                found.push(Type::empty_hash());
            }
            Type::Array(_) | Type::Tuple(_) => found.push(of_pairs(&it)?),
            Type::Undef | Type::Boolean(_) | Type::Float(_) | Type::Default => {}
            _ => return None,
        }
    }
    Some(union(found))
}

fn of_pairs(list: &Type) -> Option<Type> {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for it in alternatives(&element_of(list)?) {
        let Type::Tuple(tuple) = &it else {
            return None;
        };
        if tuple.size_range() != IntRange::exactly(2) {
            return None;
        }
        keys.push(tuple.at(0)?.clone());
        values.push(tuple.at(1)?.clone());
    }
    // Pairs with equal keys are merged.
    Some(hash(union(keys), union(values), joined_size(size_of(list))))
}

/// Infers `String(x)`: the minimum length of the string.
fn text_of(type_: &Type) -> Option<Type> {
    let texts = alternatives(type_).into_iter().map(|it| match it {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(it),
        Type::Integer(_) | Type::Float(_) | Type::Boolean(_) => Some(text(IntRange::NOT_EMPTY)),
        _ => None,
    });
    texts.collect::<Option<Vec<Type>>>().map(union)
}

fn sensitive(type_: &Type) -> Type {
    match within(type_, &Type::ScalarData) {
        true => Type::sensitive(type_),
        // Puppet's generalizations of collection types omit their element types.
        false => Type::sensitive(&Type::Any),
    }
}

/// Infers `unwrap`.
fn infer_unwrap(from: &Inferred) -> Inferred {
    if let Some(Value::Sensitive(inner)) = &from.value {
        return Inferred::value((**inner).clone());
    }
    let parts = alternatives(&from.type_).into_iter().map(|it| match &it {
        Type::Sensitive(inner) if within(inner, &Type::ScalarData) => (**inner).clone(),
        Type::Sensitive(_) => Type::Any,
        // The type may include `Sensitive`.
        other if intersection(other, &Type::sensitive(&Type::Any)).is_some() => Type::Any,
        _ => it,
    });
    Inferred::of(union(parts))
}

/// Infers `assert_type`: a value that is not of the type fails, or is passed to the lambda.
fn infer_assert_type(arguments: &Arguments<'_>, given: Option<Inferred>) -> Option<Inferred> {
    let [type_, value] = arguments.all()? else {
        return None;
    };
    let type_ = represented_type(type_)?;
    let kept = value.narrowed(&type_);
    match given {
        // The expected type may be a subtype of the known one, so any value may be rejected.
        Some(given) if value.is_a(&type_) != Some(true) || arguments.types[0].value.is_none() => {
            Some(Inferred::union([kept, given]))
        }
        _ => Some(kept),
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn values_are_converted() {
        check(&[
            ("String $a", "Integer($a)", "Integer"),
            ("String $a", "Integer[1, 10].new($a)", "Integer[1, 10]"),
            ("Integer[1, 2] $a", "Integer($a)", "Integer[1, 2]"),
            ("String $a", "Boolean($a)", "Boolean"),
            ("Integer $a", "String($a)", "String[1]"),
            ("Any $a", "String($a, '%s')", "String"),
            ("Boolean $a", "String($a)", "String<false,true>"),
            (
                "Hash[String, Integer] $a",
                "Array($a)",
                "Array[Tuple[String, Integer]]",
            ),
            (
                "Variant[String, Array[String]] $a",
                "Array($a, true)",
                "Array[String]",
            ),
            ("Any $a", "Array($a, true)", "Array"),
            ("Any $a", "Array($a)", "Array"),
            (
                "Array[Tuple[String, Integer], 2] $a",
                "Hash($a)",
                "Hash[String, Integer, 1]",
            ),
            ("Array[Array[String, 2, 2]] $a", "Hash($a)", "Hash"),
            (
                "Hash[String, Integer] $a",
                "Struct[{a => Integer}].new($a)",
                "Struct[{'a' => Integer}]",
            ),
            (
                "String $a",
                "Optional[Integer].new($a)",
                "Optional[Integer]",
            ),
            ("String $a", "Init[Integer].new($a)", "Any"),
            ("String[3] $a", "Sensitive($a)", "Sensitive[String]"),
            ("String[3] $a", "Timespan($a)", "Timespan"),
            ("String $a", "convert_to($a, Integer)", "Integer"),
            (
                "String $a",
                "$a.convert_to(Integer) |$x| { [$x] }",
                "Tuple[Integer]",
            ),
            (
                "String $a",
                "Integer.new($a) |$x| { [$x] }",
                "Tuple[Integer]",
            ),
            ("Type[Integer] $t, Any $a", "$t.new($a)", "Integer"),
        ]);
    }

    #[test]
    fn values_are_checked() {
        check(&[
            ("Any $a", "assert_type(Integer[1], $a)", "Integer[1]"),
            (
                "Variant[String, Integer] $a",
                "assert_type(Integer, $a)",
                "Integer",
            ),
            // The failure is reported, and inference continues.
            ("String $a", "assert_type(Integer, $a)", "Any"),
            (
                "Any $a",
                "assert_type(Integer, $a) |$want, $got| { 'x' }",
                "Variant[Integer, String<x>]",
            ),
            (
                "Integer[1, 2] $a",
                "assert_type(Integer, $a) |$want, $got| { 'x' }",
                "Integer[1, 2]",
            ),
            ("Sensitive[String] $a", "unwrap($a)", "String"),
            ("Sensitive $a", "unwrap($a)", "Any"),
            ("Integer $a", "unwrap($a)", "Integer"),
            (
                "Sensitive[String] $a",
                "unwrap($a) |$x| { [$x] }",
                "Tuple[String]",
            ),
            ("Any $a", "type($a)", "Type"),
        ]);
    }
}
