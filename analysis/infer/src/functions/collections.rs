//! Functions that split and combine collections.

use super::iteration::iteration_types;
use super::{Arguments, array, hash, joined_size, of_each, text, without_minimum};
use crate::inferred::Inferred;
use crate::lambdas::LambdaResult;
use crate::operators::{alternatives, element_of, hash_parts, size_of};
use library::KnownFunction as F;
use types::precise::{intersection, union};
use types::{IntRange, Type};

/// The maximum length of an array whose elements are tracked individually.
const MAX_TUPLE: usize = 64;

pub(super) fn lambda_arguments(function: F, arguments: &Arguments<'_>) -> Option<Vec<Inferred>> {
    let first = arguments.type_(0)?;
    let element = || {
        Some(union(
            iteration_types(first)?.into_iter().map(|it| it.element),
        ))
    };
    let value = || {
        Some(union(
            iteration_types(first)?.into_iter().map(|it| it.value),
        ))
    };
    match function {
        F::Sort => {
            let element = Inferred::of(element()?);
            Some(vec![element.clone(), element])
        }
        F::Unique => Some(vec![Inferred::of(value()?)]),
        _ => None,
    }
}

/// Returns the type of a function's result.
pub(super) fn result(
    function: F,
    arguments: &Arguments<'_>,
    block: Option<&LambdaResult>,
) -> Option<Inferred> {
    if function == F::Flatten {
        return arguments.all().map(|all| Inferred::of(infer_flatten(all)));
    }
    let first = arguments.types.first()?;
    let found = match function {
        F::Length | F::Size => sized(&first.type_)?,
        F::Empty => Type::Boolean(is_empty(&first.type_)),
        F::Keys => parts(&first.type_, |key, _| key)?,
        F::Values => parts(&first.type_, |_, value| value)?,
        F::Unique => unique(&first.type_, block)?,
        F::Sort => sorted(&first.type_)?,
        _ => return None,
    };
    Some(Inferred::of(found))
}

/// Returns the collections and strings of a type. Puppet rejects other values for their length,
/// except `Binary`.
fn sized(type_: &Type) -> Option<Type> {
    let sized = Type::variant([Type::any_array(), Type::any_hash(), Type::STRING]);
    if intersection(type_, &Type::Binary).is_some() {
        return Some(Type::Integer(IntRange::SIZE));
    }
    let kept = intersection(type_, &sized)?;
    Some(Type::Integer(size_of(&kept)))
}

/// Checks for emptiness; `None` if it depends on the value.
fn is_empty(type_: &Type) -> Option<bool> {
    let mut answer = None;
    for it in alternatives(type_) {
        let size = size_of(&it);
        let is = match &it {
            Type::Undef => true,
            Type::Integer(_) | Type::Float(_) | Type::Numeric => false,
            Type::Boolean(_) | Type::Default | Type::Regexp(_) => continue,
            Type::Array(_)
            | Type::Tuple(_)
            | Type::Hash(_)
            | Type::Struct(_)
            | Type::Collection(_)
            | Type::String(_)
            | Type::Enum(_)
                if size.min().unwrap_or(0) > 0 || size.max() == Some(0) =>
            {
                size.max() == Some(0)
            }
            _ => return None,
        };
        if answer.is_some_and(|before| before != is) {
            return None;
        }
        answer = Some(is);
    }
    answer
}

/// Infers `keys` and `values`, which accept only hashes.
fn parts(type_: &Type, part: impl Fn(Type, Type) -> Type) -> Option<Type> {
    let hashes = hashes(type_)?.into_iter().map(|it| {
        let (key, value) = hash_parts(&it);
        array(part(key, value), size_of(&it))
    });
    Some(union(hashes.collect::<Vec<_>>()))
}

/// Returns the alternatives that are hashes; `None` if others may include hashes.
fn hashes(type_: &Type) -> Option<Vec<Type>> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        match &it {
            Type::Hash(_) | Type::Struct(_) => found.push(it),
            other if intersection(other, &Type::any_hash()).is_none() => {}
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

fn unique(type_: &Type, block: Option<&LambdaResult>) -> Option<Type> {
    // `break` in the lambda may leave the enclosing scope, but then there is no result.
    if block.is_some_and(|it| it.value.is_never()) {
        return None;
    }
    let all = iteration_types(type_)?.into_iter().map(|it| {
        let size = joined_size(it.size);
        match &it.whole {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => text(size),
            // The keys that share a value, and that value.
            Type::Hash(_) | Type::Struct(_) => {
                let some = IntRange::new(Some(1), it.size.max().map(|it| it.max(1)));
                let some = some.unwrap_or(IntRange::NOT_EMPTY);
                hash(array(it.key, some), array(it.value, some), size)
            }
            _ => array(it.element, size),
        }
    });
    Some(union(all.collect::<Vec<_>>()))
}

fn sorted(type_: &Type) -> Option<Type> {
    of_each(type_, |it| {
        let size = size_of(&it);
        Some(match &it {
            Type::Array(_) | Type::Tuple(_) => Some(array(element_of(&it)?, size)),
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(text(size)),
            Type::Undef | Type::Boolean(_) | Type::Integer(_) | Type::Float(_) => None,
            Type::Hash(_) | Type::Struct(_) => None,
            _ => return None,
        })
    })
}

// ---- flatten ---------------------------------------------------------------------

/// The elements of a flattened array of unknown structure.
struct FlattenedArray {
    /// The elements by position, as long as all positions are known.
    exact: Option<Vec<Type>>,
    elements: Vec<Type>,
    size: IntRange,
}

/// Infers `flatten`, which removes nested arrays.
fn infer_flatten(all: &[Inferred]) -> Type {
    let mut flattened = FlattenedArray {
        exact: Some(Vec::new()),
        elements: Vec::new(),
        size: IntRange::exactly(0),
    };
    for it in all {
        flattened.add(&it.type_, IntRange::exactly(1), 8);
    }
    match flattened.exact {
        Some(exact) if exact.is_empty() => Type::empty_array(),
        Some(exact) if exact.len() <= MAX_TUPLE => Type::tuple(exact, None),
        _ => array(union(flattened.elements), flattened.size),
    }
}

impl FlattenedArray {
    /// Adds a repeated element.
    fn add(&mut self, type_: &Type, times: IntRange, depth: u32) {
        let mut sizes = Vec::new();
        let all = alternatives(type_);
        let before = self.size;
        if all.len() != 1 {
            self.exact = None;
        }
        for it in &all {
            self.size = IntRange::exactly(0);
            self.one(it, depth);
            sizes.push(self.size);
        }
        let each = sizes.into_iter().reduce(IntRange::hull);
        self.size = before.plus(product(each.unwrap_or(IntRange::exactly(0)), times));
        if times.single() != Some(1) {
            self.exact = None;
        }
    }

    fn one(&mut self, type_: &Type, depth: u32) {
        match type_ {
            _ if depth == 0 => self.unknown(),
            Type::Tuple(it) if it.size().is_none() && !it.is_default() => {
                for part in it.types() {
                    self.add(part, IntRange::exactly(1), depth - 1);
                }
            }
            Type::Array(_) | Type::Tuple(_) if size_of(type_).max() == Some(0) => {}
            Type::Array(_) | Type::Tuple(_) => {
                self.exact = None;
                let element = element_of(type_).unwrap_or(Type::Any);
                self.add(&element, size_of(type_), depth - 1);
            }
            // A value of unknown type may be an array.
            other if intersection(other, &Type::any_array()).is_some() => self.unknown(),
            other => {
                self.elements.push(other.clone());
                self.size = self.size.plus(IntRange::exactly(1));
                if let Some(exact) = self.exact.as_mut().filter(|it| it.len() <= MAX_TUPLE) {
                    exact.push(other.clone());
                }
            }
        }
    }

    fn unknown(&mut self) {
        self.exact = None;
        self.elements.push(Type::Any);
        self.size = IntRange::SIZE;
    }
}

/// Multiplies two size ranges.
pub(super) fn product(each: IntRange, times: IntRange) -> IntRange {
    let least = |it: IntRange| it.min().unwrap_or(0);
    let most = match (each.max(), times.max()) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        (Some(a), Some(b)) => a.checked_mul(b),
        _ => None,
    };
    let least = least(each).saturating_mul(least(times));
    IntRange::new(Some(least), most).unwrap_or(IntRange::SIZE)
}

/// Returns an array type with an unknown number of elements removed.
pub(super) fn with_fewer(list: &Type) -> Option<Type> {
    let element = element_of(list)?;
    Some(array(element, without_minimum(size_of(list))))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn parts_and_sizes() {
        check(&[
            (
                "Hash[String, Integer, 1, 3] $a",
                "$a.keys",
                "Array[String, 1, 3]",
            ),
            (
                "Hash[String, Integer, 1, 3] $a",
                "$a.values",
                "Array[Integer, 1, 3]",
            ),
            (
                "Struct[{a => Integer, Optional[b] => String}] $a",
                "keys($a)",
                "Array[String<a,b>, 1, 2]",
            ),
            ("Any $a", "keys($a)", "Array"),
            ("Array[Integer, 2] $a", "$a.length", "Integer[2]"),
            (
                "Optional[Array[Integer, 2, 3]] $a",
                "size($a)",
                "Integer[2, 3]",
            ),
            ("Any $a", "length($a)", "Integer[0]"),
            ("Array[Integer, 2] $a", "empty($a)", "Boolean[false]"),
            ("Array[Integer] $a", "empty($a)", "Boolean"),
            ("Optional[String] $a", "empty($a)", "Boolean"),
            ("String[1] $a", "$a.empty", "Boolean[false]"),
            ("Optional[Integer] $a", "$a.empty", "Boolean"),
        ]);
    }

    #[test]
    fn arrays_are_transformed() {
        check(&[
            ("Array[Integer, 2] $a", "$a.unique", "Array[Integer, 1]"),
            (
                "Hash[String, Integer] $a",
                "$a.unique",
                "Hash[Array[String, 1], Array[Integer, 1]]",
            ),
            ("String[2] $a", "$a.unique", "String[1]"),
            (
                "Tuple[Integer, String] $a",
                "$a.sort",
                "Array[Variant[Integer, String], 2, 2]",
            ),
            (
                "Array[Integer] $a",
                "$a.sort |$x, $y| { compare($y, $x) }",
                "Array[Integer]",
            ),
            (
                "Array[Variant[Integer, Array[String, 2, 3]], 1, 2] $a",
                "flatten($a)",
                "Array[Variant[Integer, String], 1, 6]",
            ),
            (
                "Integer $a, Array[String] $b",
                "flatten([$a, [[$a]]])",
                "Tuple[Integer, Integer]",
            ),
            (
                "Integer $a, Array[String] $b",
                "flatten($a, $b)",
                "Array[Variant[Integer, String], 1]",
            ),
            ("Any $a", "flatten([$a, 1])", "Array[Any, 1]"),
            ("Tuple $a", "flatten($a)", "Array"),
        ]);
    }
}
