//! Functions on collections.

use std::cmp::Ordering;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::elements::Elements;
use super::{Call, Family};
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::ruby::order::{order, sort};
use types::values::{Array, Value};

pub(super) const FUNCTIONS: Family = &[
    ("flatten", &[("Callable[Any, 0]", flatten)]),
    ("keys", &[("Callable[Hash]", keys)]),
    ("values", &[("Callable[Hash]", values)]),
    (
        "length",
        &[
            ("Callable[Collection]", length),
            ("Callable[String]", length),
            ("Callable[Binary]", length),
        ],
    ),
    (
        "size",
        &[("Callable[Variant[Collection, String, Binary]]", length)],
    ),
    (
        "empty",
        &[
            ("Callable[Collection]", empty),
            ("Callable[Sensitive[String]]", empty),
            ("Callable[String]", empty),
            ("Callable[Numeric]", empty),
            ("Callable[Binary]", empty),
            ("Callable[Undef]", empty),
        ],
    ),
    (
        "sort",
        &[
            ("Callable[String, Optional[Callable[2, 2]]]", sort_string),
            ("Callable[Array, Optional[Callable[2, 2]]]", sort_array),
        ],
    ),
    (
        "unique",
        &[
            (
                "Callable[String, Optional[Callable[String]]]",
                unique_string,
            ),
            ("Callable[Hash, Optional[Callable[Any]]]", unique_hash),
            ("Callable[Array, Optional[Callable[Any]]]", unique),
            ("Callable[Iterable, Optional[Callable[Any]]]", unique),
        ],
    ),
];

fn flatten(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let mut out = Vec::new();
    flatten_into(evaluator, call.args, &mut out)?;
    Ok(Value::array(out))
}

/// Appends the items to `out`, and flattens nested arrays.
pub(super) fn flatten_into(
    evaluator: &Evaluator<'_>,
    items: &[Value],
    out: &mut Vec<Value>,
) -> FlowResult<()> {
    evaluator.budget.spend(items.len() as u64)?;
    for item in items {
        match item {
            Value::Array(inner) => flatten_into(evaluator, inner, out)?,
            other => out.push(other.clone()),
        }
    }
    Ok(())
}

fn keys(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(match call.arg(0) {
        Value::Hash(it) => Value::array(it.keys().cloned().collect()),
        _ => Value::Undef,
    })
}

fn values(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(match call.arg(0) {
        Value::Hash(it) => Value::array(it.values().cloned().collect()),
        _ => Value::Undef,
    })
}

fn count(value: &Value) -> usize {
    match value {
        Value::Array(it) => it.len(),
        Value::Hash(it) => it.len(),
        Value::String(it) => it.chars().count(),
        Value::Binary(it) => it.len(),
        Value::Sensitive(it) => count(it),
        _ => 0,
    }
}

fn length(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let count = i64::try_from(count(call.arg(0))).unwrap_or(i64::MAX);
    Ok(Value::Integer(count))
}

fn empty(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(Value::Boolean(match call.arg(0) {
        Value::Integer(_) | Value::Float(_) => false,
        other => count(other) == 0,
    }))
}

type Groups = IndexMap<Value, Vec<Value>, FxBuildHasher>;

/// Compares two values with the block, or with Ruby's `<=>` if there is none.
pub(super) fn ordering(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    a: &Value,
    b: &Value,
) -> FlowResult<Ordering> {
    let incomparable = || call.error("cannot compare the values");
    if call.block.is_none() {
        evaluator.budget.spend(1)?;
        return order(a, b).ok_or_else(incomparable);
    }
    let result = call.run_block(evaluator, [a.clone(), b.clone()])?;
    match &result {
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            order(&result, &Value::Integer(0)).ok_or_else(incomparable)
        }
        _ => Err(incomparable()),
    }
}

fn sort_values(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    items: &[Value],
) -> FlowResult<Vec<Value>> {
    sort(items, &mut |a, b| ordering(evaluator, call, a, b))
}

fn sort_array(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.arg(0) {
        Value::Array(items) => Ok(Value::array(sort_values(evaluator, call, items)?)),
        _ => Ok(Value::Undef),
    }
}

/// Splits a string into its characters.
fn characters(evaluator: &Evaluator<'_>, value: &Value) -> FlowResult<Vec<Value>> {
    let text = value.as_str().unwrap_or_default();
    evaluator.budget.spend(text.len() as u64)?;
    Ok(text.chars().map(|it| Value::from(it.to_string())).collect())
}

fn text_of(characters: &[Value]) -> Value {
    let text: String = characters.iter().filter_map(Value::as_str).collect();
    Value::from(text)
}

fn sort_string(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let items = characters(evaluator, call.arg(0))?;
    Ok(text_of(&sort_values(evaluator, call, &items)?))
}

/// Returns the key by which an element is unique.
fn uniqueness_key(evaluator: &mut Evaluator<'_>, call: &Call<'_>, element: &Value) -> FlowResult {
    if call.block.is_none() {
        evaluator.budget.spend(4)?;
        return Ok(element.clone());
    }
    call.run_block(evaluator, [element.clone()])
}

fn unique(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    // Ruby does not call the block for a single element.
    if let Value::Array(items) = call.arg(0)
        && items.len() <= 1
    {
        return Ok(call.arg(0).clone());
    }
    let elements = Elements::of(evaluator, call)?.except_tree(call)?;
    let breaks = elements.catch_breaks;
    let mut kept: IndexMap<Value, Value, FxBuildHasher> = IndexMap::default();
    for element in elements.items {
        let unique_by = match uniqueness_key(evaluator, call, &element) {
            Err(ControlFlow::Break) if breaks => break,
            result => result?,
        };
        kept.entry(unique_by).or_insert(element);
    }
    Ok(Value::array(kept.into_values().collect()))
}

fn unique_string(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    if call
        .arg(0)
        .as_str()
        .is_some_and(|it| it.chars().count() <= 1)
    {
        return Ok(call.arg(0).clone());
    }
    let mut kept: IndexMap<Value, Value, FxBuildHasher> = IndexMap::default();
    for element in characters(evaluator, call.arg(0))? {
        let unique_by = uniqueness_key(evaluator, call, &element)?;
        kept.entry(unique_by).or_insert(element);
    }
    let kept: Vec<Value> = kept.into_values().collect();
    Ok(text_of(&kept))
}

/// Merges all keys with the same value into one key, whose value contains the distinct values.
fn unique_hash(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let Value::Hash(entries) = call.arg(0) else {
        return Ok(Value::Undef);
    };
    let mut groups: IndexMap<Value, (Vec<Value>, Groups), FxBuildHasher> = IndexMap::default();
    for (key, value) in entries.iter() {
        let unique_by = uniqueness_key(evaluator, call, value)?;
        let (keys, values) = groups.entry(unique_by).or_default();
        keys.push(key.clone());
        values.entry(value.clone()).or_default();
    }
    let inverted = groups.into_values().map(|(keys, values)| {
        let values: Array = values.into_keys().collect();
        (Value::array(keys), Value::Array(values))
    });
    Ok(Value::hash(inverted))
}
