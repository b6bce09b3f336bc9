//! Functions that call their lambda for each element of a collection.

use super::{Arguments, array, hash, joined_size, text, without_minimum};
use crate::ArityRange;
use crate::inferred::{Inferred, truth};
use crate::lambdas::LambdaResult;
use crate::operators::{alternatives, element_of, hash_parts, pair, size_of};
use library::KnownFunction as F;
use types::precise::{intersection, union};
use types::{IntRange, Type};

/// The types involved in iterating over a value.
pub(super) struct IterationTypes {
    /// The type of the value.
    pub(super) whole: Type,
    /// The argument of a lambda with one parameter.
    pub(super) element: Type,
    /// The first argument of a lambda with two parameters: an index or a key.
    pub(super) key: Type,
    /// The second argument.
    pub(super) value: Type,
    /// The number of elements.
    pub(super) size: IntRange,
}

impl IterationTypes {
    fn is_hash(&self) -> bool {
        matches!(self.whole, Type::Hash(_) | Type::Struct(_))
    }
}

/// Returns the alternatives that are iterable; Puppet rejects all others. `None` if too little is
/// known.
pub(super) fn iteration_types(type_: &Type) -> Option<Vec<IterationTypes>> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        if !is_rejected(&it) {
            found.push(iteration_types_of_one(it)?);
        }
    }
    (!found.is_empty()).then_some(found)
}

fn is_rejected(type_: &Type) -> bool {
    match type_ {
        Type::Integer(it) => it.max().is_some_and(|it| it < 0),
        Type::Undef
        | Type::Default
        | Type::Boolean(_)
        | Type::Float(_)
        | Type::Regexp(_)
        | Type::Timespan(_)
        | Type::Timestamp(_)
        | Type::SemVer(_)
        | Type::SemVerRange
        | Type::Sensitive(_) => true,
        _ => false,
    }
}

fn iteration_types_of_one(whole: Type) -> Option<IterationTypes> {
    let (element, size) = match &whole {
        Type::Hash(_) | Type::Struct(_) => {
            let (key, value) = hash_parts(&whole);
            let element = match &whole {
                Type::Hash(it) => pair(it),
                _ => Type::tuple([key.clone(), value.clone()], None),
            };
            return Some(IterationTypes {
                element,
                key,
                value,
                size: size_of(&whole),
                whole,
            });
        }
        Type::Array(it) => (it.element().clone(), size_of(&whole)),
        Type::Tuple(_) => (element_of(&whole)?, size_of(&whole)),
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => {
            (text(IntRange::exactly(1)), size_of(&whole))
        }
        Type::Integer(it) => {
            let last = it.max().map(|it| it.max(1) - 1);
            let end = |it: i64| it.max(0);
            let size = IntRange::new(it.min().map(end).or(Some(0)), it.max().map(end));
            (Type::integer(Some(0), last)?, size?)
        }
        Type::Type(Some(inner)) => of_type(inner)?,
        // An iterator over a hash yields the keys of the hash.
        Type::Iterator(Some(inner)) => {
            let element = (**inner).clone();
            let may_be_pairs = intersection(&element, &Type::any_array()).is_some();
            let (key, value) = match may_be_pairs {
                true => (Type::Any, Type::Any),
                false => (Type::integer(Some(0), None)?, element.clone()),
            };
            return Some(IterationTypes {
                whole,
                element,
                key,
                value,
                size: IntRange::SIZE,
            });
        }
        _ => return None,
    };
    let last = size.max().map(|it| it.max(1) - 1);
    Some(IterationTypes {
        whole,
        key: Type::integer(Some(0), last)?,
        value: element.clone(),
        element,
        size,
    })
}

/// The types `Integer[1, 3]` and `Enum[a, b]` are iterable values too. A subtype has fewer
/// elements.
fn of_type(inner: &Type) -> Option<(Type, IntRange)> {
    let count = match inner {
        Type::Integer(it) => i64::try_from(it.count()?).ok()?,
        Type::Enum(it) if !it.case_insensitive() => i64::try_from(it.values().len()).ok()?,
        _ => return None,
    };
    Some((inner.clone(), IntRange::between(0, count)))
}

fn all_of(all: &[IterationTypes], part: impl Fn(&IterationTypes) -> &Type) -> Type {
    union(all.iter().map(|it| part(it).clone()))
}

/// Returns the type of the elements that iteration yields.
pub(super) fn element(type_: &Type) -> Option<Type> {
    Some(all_of(&iteration_types(type_)?, |it| &it.element))
}

fn size(all: &[IterationTypes]) -> IntRange {
    let sizes = all.iter().map(|it| it.size);
    sizes.reduce(IntRange::hull).unwrap_or(IntRange::SIZE)
}

// ---- arguments of lambdas -------------------------------------------------------

pub(super) fn lambda_arguments(
    function: F,
    arguments: &Arguments<'_>,
    taken: ArityRange,
) -> Option<Vec<Inferred>> {
    let one = |type_: Type| Some(vec![Inferred::of(type_)]);
    let first = arguments.type_(0)?;
    match function {
        // The lambda is called with two arguments if it accepts two.
        F::Each | F::Map | F::Filter | F::Any | F::All => elements(first, taken.contains(2)),
        F::Index => match taken.contains(2) {
            true => elements(first, true),
            false => one(all_of(&iteration_types(first)?, |it| &it.value)),
        },
        // The lambda is called with one argument if it accepts one.
        F::GroupBy | F::Partition => elements(first, !taken.contains(1)),
        F::Step | F::ReverseEach => one(element(first)?),
        F::TreeEach if taken.contains(2) => {
            let path = Inferred::of(Type::any_array());
            Some(vec![path, Inferred::UNKNOWN])
        }
        F::Slice => slices(arguments, taken),
        _ => None,
    }
}

/// Returns the arguments of the lambda for each element: the element, or an index or key and the
/// value.
fn elements(type_: &Type, two: bool) -> Option<Vec<Inferred>> {
    let all = iteration_types(type_)?;
    Some(match two {
        true => vec![
            Inferred::of(all_of(&all, |it| &it.key)),
            Inferred::of(all_of(&all, |it| &it.value)),
        ],
        false => vec![Inferred::of(all_of(&all, |it| &it.element))],
    })
}

/// The maximum number of lambda parameters of `slice` that are tracked individually.
const MAX_SLICE: i64 = 64;

/// Returns the arguments of the lambda for each slice: one array, or its elements. The last slice
/// is padded with `undef` or, for hashes, with empty arrays.
fn slices(arguments: &Arguments<'_>, taken: ArityRange) -> Option<Vec<Inferred>> {
    let [first, count] = arguments.all()? else {
        return None;
    };
    let all = iteration_types(&first.type_)?;
    let element = all_of(&all, |it| &it.element);
    if taken.single() == Some(1) {
        let most = match &count.type_ {
            Type::Integer(it) => it.max(),
            _ => None,
        };
        let size = IntRange::new(Some(1), most)?;
        return Some(vec![Inferred::of(array(element, size))]);
    }
    let Type::Integer(count) = &count.type_ else {
        return None;
    };
    let count = count.single().filter(|it| *it > 1 && *it <= MAX_SLICE)?;
    let filler = all.iter().map(|it| match it.is_hash() {
        true => Type::empty_array(),
        false => Type::Undef,
    });
    let filled = Inferred::of(union(filler.chain([element.clone()])));
    let first = Inferred::of(element);
    Some(
        (0..count)
            .map(|at| [&filled, &first][usize::from(at == 0)].clone())
            .collect(),
    )
}

/// Returns the arguments of the lambda of `reduce` in its first run: the accumulator and an
/// element.
pub(super) fn reduce_arguments(arguments: &Arguments<'_>) -> Option<(Inferred, Inferred)> {
    let element = Inferred::of(element(arguments.type_(0)?)?);
    let start = match arguments.all()? {
        [_] => element.clone(),
        [_, start] => start.clone(),
        _ => return None,
    };
    Some((start, element))
}

/// Checks whether `break` only ends this iteration.
pub(super) fn catches_break(function: F, arguments: &Arguments<'_>) -> bool {
    match function {
        F::Each | F::Map | F::Reduce | F::Slice => arguments.type_(0).is_some_and(|first| {
            // Iterators over hashes may propagate it.
            iteration_types(first)
                .is_some_and(|all| all.iter().all(|it| !matches!(it.whole, Type::Iterator(_))))
        }),
        F::Filter => arguments
            .type_(0)
            .and_then(iteration_types)
            .is_some_and(|all| {
                let plain =
                    |it: &IterationTypes| !it.is_hash() && !matches!(it.whole, Type::Iterator(_));
                all.iter().all(plain)
            }),
        _ => false,
    }
}

// ---- results --------------------------------------------------------------------

/// Returns the type of a function's result.
pub(super) fn result(
    function: F,
    arguments: &Arguments<'_>,
    block: Option<(&LambdaResult, ArityRange)>,
) -> Option<Inferred> {
    let given = block.map(|it| &it.0.value);
    let found = match (function, given) {
        (F::Each | F::TreeEach | F::Slice, Some(_)) => {
            return iterable_part(arguments.types.first()?);
        }
        (F::Slice, None) => sliced(arguments)?,
        (F::Map, Some(given)) => mapped(arguments.type_(0)?, given, may_stop(block)),
        (F::Filter, Some(_)) => {
            let (block, taken) = block?;
            filtered(arguments.type_(0)?, block, taken)?
        }
        (F::Any, Some(given)) => any(arguments.type_(0)?, given),
        (F::All, Some(given)) => all(arguments.type_(0)?, given),
        (F::Index, Some(_)) => position(arguments.type_(0)?)?,
        (F::Index, None) => match arguments.type_(0)? {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => return None,
            first => position(first)?,
        },
        (F::Reduce, Some(given)) => {
            let empty = iteration_types(arguments.type_(0)?)
                .is_none_or(|all| size(&all).min().unwrap_or(0) == 0);
            let undef = (empty && arguments.all()?.len() == 1).then_some(Type::Undef);
            return Some(Inferred::union(
                [given.clone()].into_iter().chain(undef.map(Inferred::of)),
            ));
        }
        (F::Step | F::ReverseEach, None) => Type::iterator_of(element(arguments.type_(0)?)?),
        (F::GroupBy, Some(given)) => grouped(arguments.type_(0)?, given)?,
        (F::Partition, Some(_)) => partitioned(arguments.type_(0)?)?,
        _ => return None,
    };
    Some(Inferred::of(found))
}

fn may_stop(block: Option<(&LambdaResult, ArityRange)>) -> bool {
    block.is_some_and(|it| it.0.breaks)
}

/// Returns the type of the value that was iterated over.
fn iterable_part(first: &Inferred) -> Option<Inferred> {
    match iteration_types(&first.type_) {
        Some(all) if first.value.is_none() => Some(Inferred::of(all_of(&all, |it| &it.whole))),
        _ => Some(first.clone()),
    }
}

fn mapped(first: &Type, given: &Inferred, may_stop: bool) -> Type {
    let size = iteration_types(first).map_or(IntRange::SIZE, |all| size(&all));
    let least = size.min().unwrap_or(0);
    if size.max() == Some(0) {
        return Type::empty_array();
    }
    if given.is_never() {
        // The lambda never completes.
        return match least > 0 && !may_stop {
            true => Type::variant([]),
            false => Type::empty_array(),
        };
    }
    let size = if may_stop {
        without_minimum(size)
    } else {
        size
    };
    array(given.type_.clone(), size)
}

fn filtered(first: &Type, block: &LambdaResult, taken: ArityRange) -> Option<Type> {
    let never_true = block.value.truth() == Some(false) || block.value.is_never();
    let params_if_true = block.params_if_true.as_deref().unwrap_or_default();
    // The narrowed type of a part where the lambda returns true.
    let kept = |part: Type, params_if_true: Option<&Type>| match params_if_true {
        Some(params_if_true) => intersection(&part, params_if_true),
        None => Some(part),
    };
    let all = iteration_types(first)?.into_iter().map(|it| {
        let size = without_minimum(it.size);
        match (&it.whole, params_if_true) {
            // Puppet treats some iterators as hashes if the lambda has two parameters.
            (Type::Iterator(_), _) if taken.contains(2) && it.value.is_any() => {
                Type::variant([Type::any_array(), Type::any_hash()])
            }
            (Type::Hash(_) | Type::Struct(_), _) if never_true => Type::empty_hash(),
            (Type::Hash(_) | Type::Struct(_), params_if_true) => {
                let (for_key, for_value) = match params_if_true {
                    [key, value] => (Some(key), Some(value)),
                    _ => (None, None),
                };
                match (kept(it.key, for_key), kept(it.value, for_value)) {
                    (Some(key), Some(value)) => hash(key, value, size),
                    _ => Type::empty_hash(),
                }
            }
            _ if never_true => Type::empty_array(),
            _ => {
                let params_if_true = if taken.contains(2) {
                    params_if_true.get(1)
                } else {
                    params_if_true.first()
                };
                match kept(it.element, params_if_true) {
                    Some(element) => array(element, size),
                    None => Type::empty_array(),
                }
            }
        }
    });
    Some(union(all.collect::<Vec<_>>()))
}

fn any(first: &Type, given: &Inferred) -> Type {
    let size = iteration_types(first).map_or(IntRange::SIZE, |all| size(&all));
    let truth = truth(&given.type_);
    if size.max() == Some(0) || truth == Some(false) {
        return Type::Boolean(Some(false));
    }
    let some = size.min().unwrap_or(0) > 0;
    Type::Boolean((some && truth == Some(true)).then_some(true))
}

fn all(first: &Type, given: &Inferred) -> Type {
    let size = iteration_types(first).map_or(IntRange::SIZE, |all| size(&all));
    let truth = truth(&given.type_);
    if size.max() == Some(0) || truth == Some(true) {
        return Type::Boolean(Some(true));
    }
    let some = size.min().unwrap_or(0) > 0;
    Type::Boolean((some && truth == Some(false)).then_some(false))
}

/// Infers `index`: the index or key of an element.
fn position(first: &Type) -> Option<Type> {
    let key = all_of(&iteration_types(first)?, |it| &it.key);
    Some(union([key, Type::Undef]))
}

/// Infers `slice` without a lambda.
fn sliced(arguments: &Arguments<'_>) -> Option<Type> {
    let [first, count] = arguments.all()? else {
        return None;
    };
    let Type::Integer(count) = &count.type_ else {
        return None;
    };
    let all = iteration_types(&first.type_)?;
    let size = size(&all);
    let least = count.min().unwrap_or(1).max(1);
    let up = |size: i64, count: i64| size / count + i64::from(size % count != 0);
    let fewest = count
        .max()
        .map_or(0, |it| up(size.min().unwrap_or(0), it.max(1)));
    let fewest = fewest.max(i64::from(size.min().unwrap_or(0) > 0));
    let slices = IntRange::new(Some(fewest), size.max().map(|it| up(it, least)))?;
    let most = match (count.max(), size.max()) {
        (Some(a), Some(b)) => Some(a.min(b.max(1))),
        (a, b) => a.or(b.map(|it| it.max(1))),
    };
    let element = all_of(&all, |it| &it.element);
    let slice = array(element, IntRange::new(Some(1), most)?);
    Some(array(slice, slices))
}

fn grouped(first: &Type, given: &Inferred) -> Option<Type> {
    let all = iteration_types(first)?;
    if all.iter().any(|it| !is_collection(&it.whole)) {
        return None;
    }
    let size = size(&all);
    if size.max() == Some(0) {
        return Some(Type::empty_hash());
    }
    if given.is_never() {
        return None;
    }
    let group = IntRange::new(Some(1), size.max())?;
    let group = array(all_of(&all, |it| &it.element), group);
    Some(hash(given.type_.clone(), group, joined_size(size)))
}

fn partitioned(first: &Type) -> Option<Type> {
    let all = iteration_types(first)?;
    if all.iter().any(|it| !is_collection(&it.whole)) {
        return None;
    }
    let part = array(all_of(&all, |it| &it.element), without_minimum(size(&all)));
    Some(Type::tuple([part.clone(), part], None))
}

fn is_collection(type_: &Type) -> bool {
    matches!(
        type_,
        Type::Array(_) | Type::Tuple(_) | Type::Hash(_) | Type::Struct(_)
    )
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn lambdas_receive_elements() {
        check(&[
            (
                "Array[String[1]] $a",
                "$a.map |$x| { $x }",
                "Array[String[1]]",
            ),
            (
                "Array[String, 2, 3] $a",
                "$a.map |$i, $x| { $i }",
                "Array[Integer[0, 2], 2, 3]",
            ),
            (
                "Hash[String, Integer] $a",
                "$a.map |$k, $v| { [$v, $k] }",
                "Array[Tuple[Integer, String]]",
            ),
            (
                "Hash[String, Integer] $a",
                "$a.map |$e| { $e }",
                "Array[Tuple[String, Integer]]",
            ),
            (
                "Hash[String, Integer] $a",
                "$a.map |*$e| { $e }",
                "Array[Tuple[String, Integer]]",
            ),
            (
                "Array[String] $a",
                "$a.map |*$e| { $e }",
                "Array[Tuple[Integer[0], String]]",
            ),
            (
                "Array[String] $a",
                "$a.map |$x, $y = 1| { $y }",
                "Array[String]",
            ),
            (
                "Optional[Array[String]] $a",
                "$a.map |$x| { $x }",
                "Array[String]",
            ),
            (
                "Integer[0, 5] $a",
                "$a.map |$x| { $x }",
                "Array[Integer[0, 4], 0, 5]",
            ),
            (
                "String[3, 3] $a",
                "$a.map |$x| { $x }",
                "Array[String[1, 1], 3, 3]",
            ),
            ("Any $a", "$a.map |$x| { 1 }", "Array[Integer[1, 1]]"),
            (
                "Integer[0, 9] $a",
                "Integer[1, 3].map |$x| { $x + $a }",
                "Array[Integer[1, 12], 0, 3]",
            ),
            (
                "Array[Integer, 1] $a",
                "$a.map |$x| { next('n') }",
                "Array[String<n>, 1]",
            ),
            (
                "Array[Integer, 1] $a",
                "$a.map |$x| { if $x == 1 { break() }; $x }",
                "Array[Variant[Integer[default, 0], Integer[2]]]",
            ),
            (
                "Array[Integer, 1] $a",
                "$a.map |$x| { with($x) |$y| { if $y == 1 { break() } }; 1 }",
                "Array[Integer[1, 1]]",
            ),
            ("Array[Integer, 1] $a", "$a.map |$x| { fail('x') }", "never"),
            (
                "Array[Integer] $a",
                "$a.map |$x| { fail('x') }",
                "Array[0, 0]",
            ),
        ]);
    }

    #[test]
    fn results_of_iteration() {
        check(&[
            (
                "Hash[String, Integer, 1] $a",
                "$a.each |$k, $v| { }",
                "Hash[String, Integer, 1]",
            ),
            (
                "Optional[Hash[String, Integer]] $a",
                "$a.each |$k, $v| { }",
                "Hash[String, Integer]",
            ),
            (
                "Hash[String, Integer, 1] $a",
                "$a.filter |$k, $v| { $v > 1 }",
                "Hash[String, Integer[2]]",
            ),
            (
                "Array[Integer, 1, 5] $a",
                "$a.filter |$x| { $x > 1 }",
                "Array[Integer[2], 0, 5]",
            ),
            (
                "Array[Integer, 1, 5] $a",
                "$a.filter |$x| { false }",
                "Array[0, 0]",
            ),
            (
                "Array[Optional[Integer]] $a",
                "$a.filter |$x| { $x != undef }",
                "Array[Integer]",
            ),
            (
                "Array[Variant[Integer, String]] $a",
                "$a.filter |$i, $x| { $x =~ String }",
                "Array[String]",
            ),
            (
                "Hash[String, Optional[Integer]] $a",
                "$a.filter |$k, $v| { $v =~ NotUndef }",
                "Hash[String, Integer]",
            ),
            (
                "Array[Integer, 1] $a",
                "$a.any |$x| { true }",
                "Boolean[true]",
            ),
            ("Array[Integer] $a", "$a.any |$x| { true }", "Boolean"),
            ("Array[Integer] $a", "$a.all |$x| { 'x' }", "Boolean[true]"),
            (
                "Hash[String, Integer] $a",
                "$a.index |$x| { $x > 1 }",
                "Optional[String]",
            ),
            (
                "Array[String, 0, 3] $a",
                "$a.index('x')",
                "Optional[Integer[0, 2]]",
            ),
            ("String $a", "$a.index('x')", "Optional[Integer[0]]"),
            (
                "Array[Integer, 1] $a",
                "$a.reduce |$m, $x| { $m + $x }",
                "Integer",
            ),
            (
                "Array[Integer] $a",
                "$a.reduce |$m, $x| { $m + $x }",
                "Optional[Integer]",
            ),
            (
                "Array[Integer] $a",
                "$a.reduce('x') |$m, $x| { $x }",
                "Variant[Integer, String<x>]",
            ),
            ("Any $a", "$a.reduce |$m, $x| { 1 }", "Any"),
            (
                "Array[String, 5, 5] $a",
                "$a.slice(2)",
                "Array[Array[String, 1, 2], 3, 3]",
            ),
            (
                "Array[Integer] $a",
                "$a.slice(2) |$x, $y| { }",
                "Array[Integer]",
            ),
            (
                "Hash[String, Integer] $a",
                "$a.slice(2)",
                "Array[Array[Tuple[String, Integer], 1, 2]]",
            ),
            ("Array[Integer] $a", "$a.reverse_each", "Iterator[Integer]"),
            (
                "Array[Integer] $a",
                "$a.reverse_each.map |$x| { $x }",
                "Array[Integer]",
            ),
            (
                "Array[Integer] $a",
                "$a.step(2).map |$x| { $x }",
                "Array[Integer]",
            ),
            (
                "Array[String] $a",
                "$a.group_by |$x| { 1 }",
                "Hash[Integer[1, 1], Array[String, 1]]",
            ),
            (
                "Array[String, 0, 4] $a",
                "$a.partition |$i, $x| { true }",
                "Tuple[Array[String, 0, 4], Array[String, 0, 4]]",
            ),
        ]);
    }
}
