//! Functions that call a block with the elements of an iterable value. Those that return iterators
//! are in [`iterators`].
//!
//! Whether `break` ends the iteration or propagates depends on the implementation in Puppet: it
//! raises Ruby's `StopIteration`, which some loops catch.

pub(super) mod iterators;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::elements::Elements;
use super::{Call, Family};
use crate::EvalFailure;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::values::{HashValue, Value, same};

const HASH_2: &str = "Callable[Hash, Callable[2, 2]]";
const HASH_1: &str = "Callable[Hash, Callable[1, 1]]";
const ANY_2: &str = "Callable[Iterable, Callable[2, 2]]";
const ANY_1: &str = "Callable[Iterable, Callable[1, 1]]";

pub(super) const FUNCTIONS: Family = &[
    (
        "each",
        &[
            (HASH_2, each::<2>),
            (HASH_1, each::<1>),
            (ANY_2, each::<2>),
            (ANY_1, each::<1>),
        ],
    ),
    (
        "map",
        &[
            (HASH_2, map::<2>),
            (HASH_1, map::<1>),
            (ANY_2, map::<2>),
            (ANY_1, map::<1>),
        ],
    ),
    (
        "filter",
        &[
            (HASH_2, filter_hash::<2>),
            (HASH_1, filter_hash::<1>),
            (ANY_2, filter::<2>),
            (ANY_1, filter::<1>),
        ],
    ),
    (
        "all",
        &[
            (HASH_2, all::<2>),
            (HASH_1, all::<1>),
            (ANY_2, all::<2>),
            (ANY_1, all::<1>),
        ],
    ),
    (
        "any",
        &[
            (HASH_2, any::<2>),
            (HASH_1, any::<1>),
            (ANY_2, any::<2>),
            (ANY_1, any::<1>),
        ],
    ),
    (
        "index",
        &[
            (HASH_2, index::<2>),
            (HASH_1, index::<1>),
            (ANY_2, index::<2>),
            (ANY_1, index::<1>),
            ("Callable[String, Variant[String, Regexp]]", index_in_string),
            ("Callable[Iterable, Any]", index_of_value),
        ],
    ),
    (
        "group_by",
        &[
            ("Callable[[Collection, Callable[1, 1]], Hash]", group_by),
            ("Callable[[Array, Callable[2, 2]], Hash]", group_by_2),
            ("Callable[[Collection, Callable[2, 2]], Hash]", group_by_2),
        ],
    ),
    (
        "partition",
        &[
            (
                "Callable[[Collection, Callable[1, 1]], Tuple[Array, Array]]",
                partition,
            ),
            (
                "Callable[[Array, Callable[2, 2]], Tuple[Array, Array]]",
                partition_2,
            ),
            (
                "Callable[[Collection, Callable[2, 2]], Tuple[Array, Array]]",
                partition_2,
            ),
        ],
    ),
    (
        "reduce",
        &[
            ("Callable[Iterable, Callable[2, 2]]", reduce),
            ("Callable[Iterable, Any, Callable[2, 2]]", reduce),
        ],
    ),
    (
        "slice",
        &[
            ("Callable[Hash, Integer[1], Optional[Callable]]", slice),
            ("Callable[Iterable, Integer[1], Optional[Callable]]", slice),
        ],
    ),
];

/// Whether an iteration continues.
enum Iteration {
    Continue,
    Finish,
}

/// Calls the block with each element as one or two arguments, and `then` with the index, the
/// element and the result of the block. If `breaks` is set, `break` ends the iteration.
fn iterate<const N: usize>(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    elements: Elements,
    breaks: bool,
    mut then: impl FnMut(u64, Value, Value) -> Iteration,
) -> FlowResult<()> {
    visit::<N>(
        evaluator,
        call,
        elements,
        |number, element, result| match result {
            Err(ControlFlow::Break) if breaks => Ok(Iteration::Finish),
            result => Ok(then(number, element, result?)),
        },
    )
}

/// Calls the block with each element as one or two arguments, and `then` with the index, the
/// element and how the block ended.
fn visit<const N: usize>(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    elements: Elements,
    mut then: impl FnMut(u64, Value, FlowResult) -> FlowResult<Iteration>,
) -> FlowResult<()> {
    let (pairs, fails_at_end) = (elements.are_entries, elements.fails_at_end);
    for (number, element) in (0u64..).zip(elements.items) {
        let result = match (N, &element) {
            (1, _) => call.run_block(evaluator, [element.clone()]),
            (_, Value::Array(pair)) if pairs => call.run_block(evaluator, pair.to_vec()),
            _ => {
                let number = Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
                call.run_block(evaluator, [number, element.clone()])
            }
        };
        if let Iteration::Finish = then(number, element, result)? {
            return Ok(());
        }
    }
    if fails_at_end {
        return Err(call.error("the root of the tree is not a container"));
    }
    Ok(())
}

fn each<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?.for_block_with(N, evaluator)?;
    visit::<N>(evaluator, call, elements, |_, _, result| match result {
        Err(ControlFlow::Break) => Ok(Iteration::Finish),
        // `each` ignores the results of its block.
        Ok(_) | Err(ControlFlow::UnknownValue(_)) => Ok(Iteration::Continue),
        Err(other) => Err(other),
    })?;
    Ok(call.arg(0).clone())
}

fn map<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?.for_block_with(N, evaluator)?;
    // The loop over the entries of an iterator with two block parameters does not catch it.
    let breaks = elements.is_hash || N == 1 || !elements.are_entries;
    let mut results = Vec::new();
    let (mut weight, limit) = (0u64, evaluator.context.limits.weight);
    iterate::<N>(evaluator, call, elements, breaks, |_, _, result| {
        weight = weight.saturating_add(result.weight());
        results.push(result);
        if weight > limit {
            Iteration::Finish
        } else {
            Iteration::Continue
        }
    })?;
    Ok(Value::array(results))
}

fn filter_hash<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?;
    let mut kept = Vec::new();
    iterate::<N>(evaluator, call, elements, false, |_, entry, result| {
        if result.is_truthy() {
            kept.push(entry);
        }
        Iteration::Continue
    })?;
    Ok(hash_of(kept))
}

fn hash_of(entries: Vec<Value>) -> Value {
    let pair = |entry: Value| match &entry {
        Value::Array(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
        _ => None,
    };
    Value::Hash(entries.into_iter().filter_map(pair).collect::<HashValue>())
}

fn filter<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?.for_block_with(N, evaluator)?;
    let is_hash = N == 2 && elements.are_entries;
    let mut kept = Vec::new();
    iterate::<N>(evaluator, call, elements, true, |_, element, result| {
        if result.is_truthy() {
            kept.push(element);
        }
        Iteration::Continue
    })?;
    Ok(if is_hash {
        hash_of(kept)
    } else {
        Value::array(kept)
    })
}

fn all<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let found = any_result::<N>(evaluator, call, |result| !result.is_truthy())?;
    Ok(Value::Boolean(!found))
}

fn any<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(Value::Boolean(any_result::<N>(
        evaluator,
        call,
        Value::is_truthy,
    )?))
}

/// Checks whether the result of the block satisfies a predicate for any element.
fn any_result<const N: usize>(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    predicate: fn(&Value) -> bool,
) -> FlowResult<bool> {
    let elements = Elements::of(evaluator, call)?.except_tree(call)?;
    let breaks = elements.catch_breaks;
    let mut found = false;
    iterate::<N>(evaluator, call, elements, breaks, |_, _, result| {
        found = predicate(&result);
        if found {
            Iteration::Finish
        } else {
            Iteration::Continue
        }
    })?;
    Ok(found)
}

fn index<const N: usize>(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?.except_tree(call)?;
    let breaks = elements.catch_breaks || elements.are_entries && !elements.is_hash;
    if N == 1 && elements.are_entries {
        return index_of_entry(evaluator, call, elements, breaks);
    }
    let keyed = elements.are_entries;
    let mut found = Value::Undef;
    iterate::<N>(
        evaluator,
        call,
        elements,
        breaks,
        |number, element, result| {
            if !result.is_truthy() {
                return Iteration::Continue;
            }
            found = key_of(number, &element, keyed);
            Iteration::Finish
        },
    )?;
    Ok(found)
}

/// Returns the key of the first entry for whose value the block returns a truthy value.
fn index_of_entry(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    elements: Elements,
    breaks: bool,
) -> FlowResult {
    for entry in elements.items {
        let Value::Array(pair) = &entry else { continue };
        let value = pair.get(1).cloned().unwrap_or(Value::Undef);
        match call.run_block(evaluator, [value]) {
            Err(ControlFlow::Break) if breaks => break,
            result => {
                if result?.is_truthy() {
                    return Ok(key_of(0, &entry, true));
                }
            }
        }
    }
    Ok(Value::Undef)
}

fn key_of(number: u64, element: &Value, keyed: bool) -> Value {
    match element {
        Value::Array(pair) if keyed => pair.first().cloned().unwrap_or(Value::Undef),
        _ => Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)),
    }
}

fn index_of_value(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?.except_tree(call)?;
    let keyed = elements.are_entries;
    for (number, element) in (0u64..).zip(elements.items) {
        evaluator.budget.spend(1)?;
        let value = match &element {
            Value::Array(pair) if keyed => pair.get(1).unwrap_or(&Value::Undef),
            other => other,
        };
        if same(value, call.arg(1)) {
            return Ok(key_of(number, &element, keyed));
        }
    }
    Ok(Value::Undef)
}

fn reduce(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let elements = Elements::of(evaluator, call)?.except_tree(call)?;
    let mut items = elements.items;
    let mut memo = match call.args.get(1) {
        Some(given) => given.clone(),
        None => match items.next() {
            Some(first) => first,
            None => return Ok(Value::Undef),
        },
    };
    for item in items {
        match call.run_block(evaluator, [memo.clone(), item]) {
            Err(ControlFlow::Break) => return Ok(memo),
            result => memo = result?,
        }
    }
    Ok(memo)
}

fn slice(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let size = call.arg(1).as_integer().unwrap_or(1);
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let served = match call.block {
        None => 1,
        Some(block) => block.arity().unwrap_or(size),
    };
    if served == 0 || served != 1 && served != size {
        return Err(call.error(format!(
            "expected a block with 1 or {size} parameters, found {served}"
        )));
    }
    let elements = Elements::of(evaluator, call)?.except_tree(call)?;
    let filler = if elements.is_hash {
        Value::array(vec![])
    } else {
        Value::Undef
    };
    let slices = slices(evaluator, elements, size)?;
    if call.block.is_none() {
        return Ok(Value::array(slices.into_iter().map(Value::array).collect()));
    }
    for mut slice in slices {
        if served != 1 {
            evaluator.budget.spend(served as u64)?;
            slice.resize(served, filler.clone());
        } else {
            slice = vec![Value::array(slice)];
        }
        match call.run_block(evaluator, slice) {
            Err(ControlFlow::Break) => break,
            result => result?,
        };
    }
    Ok(call.arg(0).clone())
}

fn slices(
    evaluator: &Evaluator<'_>,
    elements: Elements,
    size: usize,
) -> FlowResult<Vec<Vec<Value>>> {
    let mut slices: Vec<Vec<Value>> = Vec::new();
    for item in elements.items {
        evaluator.budget.spend(2)?;
        match slices.last_mut() {
            Some(last) if last.len() < size => last.push(item),
            _ => slices.push(vec![item]),
        }
    }
    Ok(slices)
}

/// Returns the position of a string or regular expression in a string, in characters.
fn index_in_string(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let text = call.arg(0).as_str().unwrap_or_default();
    let at = match call.arg(1) {
        Value::String(part) => text.find(&**part),
        Value::Regexp(regexp) => {
            let compiled = regexp.compiled(text).map_err(EvalFailure::from)?;
            let found = compiled.find(text);
            found
                .map_err(|_| ControlFlow::unknown("regular expression takes too long"))?
                .map(|it| it.start())
        }
        _ => None,
    };
    Ok(match at {
        Some(at) => Value::Integer(i64::try_from(text[..at].chars().count()).unwrap_or(i64::MAX)),
        None => Value::Undef,
    })
}

type Groups = IndexMap<Value, Vec<Value>, FxBuildHasher>;

/// Returns the two block arguments for an element of a collection.
fn block_arguments(call: &Call<'_>, number: usize, element: &Value) -> [Value; 2] {
    match (call.arg(0), element) {
        (Value::Hash(_), Value::Array(pair)) => {
            [0, 1].map(|at| pair.get(at).cloned().unwrap_or(Value::Undef))
        }
        _ => {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            [Value::Integer(number), element.clone()]
        }
    }
}

fn grouped(groups: Groups) -> Value {
    let group = |(key, items)| (key, Value::array(items));
    Value::Hash(groups.into_iter().map(group).collect::<HashValue>())
}

fn group_by(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let mut groups = Groups::default();
    for element in Elements::of(evaluator, call)?.items {
        let key = call.run_block(evaluator, [element.clone()])?;
        groups.entry(key).or_default().push(element);
    }
    Ok(grouped(groups))
}

fn group_by_2(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let mut groups = Groups::default();
    for (number, element) in Elements::of(evaluator, call)?.items.enumerate() {
        let key = call.run_block(evaluator, block_arguments(call, number, &element))?;
        groups.entry(key).or_default().push(element);
    }
    Ok(grouped(groups))
}

fn parted(yes: Vec<Value>, no: Vec<Value>) -> Value {
    Value::array(vec![Value::array(yes), Value::array(no)])
}

fn partition(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for element in Elements::of(evaluator, call)?.items {
        let result = call.run_block(evaluator, [element.clone()])?;
        if result.is_truthy() {
            &mut yes
        } else {
            &mut no
        }
        .push(element);
    }
    Ok(parted(yes, no))
}

fn partition_2(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for (number, element) in Elements::of(evaluator, call)?.items.enumerate() {
        let result = call.run_block(evaluator, block_arguments(call, number, &element))?;
        if result.is_truthy() {
            &mut yes
        } else {
            &mut no
        }
        .push(element);
    }
    Ok(parted(yes, no))
}
