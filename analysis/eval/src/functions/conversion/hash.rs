//! `Hash(…)` and `Struct(…)`.

use indexmap::IndexMap;

use super::{array, conversion_error};
use crate::access::describe_type;
use crate::arithmetic::from_list;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::values::{HashValue, Value};

/// The index of the signature for a tree: pairs of a path and a value.
const TREE: usize = 0;
/// The index of the signature for pairs.
const PAIRS: usize = 1;

pub(super) fn hash(evaluator: &Evaluator<'_>, which: usize, args: &[Value]) -> FlowResult {
    match (which, args) {
        (TREE, [Value::Array(entries), Value::String(option)]) => {
            tree(evaluator, entries, &**option == "hash_tree")
        }
        (TREE | PAIRS, [Value::Array(entries)]) => Ok(pairs(entries)),
        (_, [Value::Array(items)]) if items.len() % 2 == 1 => {
            Err(conversion_error("odd number of keys and values"))
        }
        (_, [Value::Array(items)]) => Ok(Value::Hash(from_list(items)?)),
        (_, [from @ Value::Hash(_)]) => Ok(from.clone()),
        (_, [from]) => Ok(Value::Hash(from_list(&array::iterated(evaluator, from)?)?)),
        _ => Err(conversion_error("expected one value")),
    }
}

fn pairs(entries: &[Value]) -> Value {
    let pair = |entry: &Value| match entry {
        Value::Array(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
        _ => None,
    };
    Value::hash(entries.iter().filter_map(pair))
}

/// A container that is being filled. Puppet modifies containers from the arguments in place, which
/// is visible to their other references and not supported here.
enum Node {
    Hash(IndexMap<Value, Node>),
    Given(Value),
}

impl Node {
    fn finished(self) -> Value {
        match self {
            Node::Hash(entries) => {
                Value::hash(entries.into_iter().map(|(key, it)| (key, it.finished())))
            }
            Node::Given(value) => value,
        }
    }
}

/// Creates nested hashes from pairs of a path and a value.
fn tree(evaluator: &Evaluator<'_>, entries: &[Value], all_hashes: bool) -> FlowResult {
    let mut root = Node::Hash(IndexMap::new());
    for entry in entries {
        let Value::Array(pair) = entry else { continue };
        let [Value::Array(path), value] = &pair[..] else {
            continue;
        };
        evaluator.budget.spend(1 + path.len() as u64)?;
        if path.len() > evaluator.context.limits.depth as usize {
            return Err(ControlFlow::unknown("value is nested too deeply"));
        }
        match path.split_last() {
            Some((last, way)) => {
                let value = if all_hashes {
                    as_hashes(value)
                } else {
                    value.clone()
                };
                let node = way.iter().try_fold(&mut root, child_node)?;
                insert_value(node, last, value)?;
            }
            None => insert_at_root(&mut root, value)?,
        }
    }
    Ok(root.finished())
}

/// Inserts the elements of an array or hash into the root.
fn insert_at_root(root: &mut Node, value: &Value) -> FlowResult<()> {
    let Node::Hash(entries) = root else {
        return Ok(());
    };
    match value {
        Value::Array(items) => {
            for (index, item) in (0i64..).zip(items.iter()) {
                entries.insert(Value::Integer(index), Node::Given(item.clone()));
            }
        }
        Value::Hash(given) => {
            for (key, value) in given.iter() {
                entries.insert(key.clone(), Node::Given(value.clone()));
            }
        }
        value => {
            return Err(conversion_error(format!(
                "invalid root of a tree: `{}`",
                describe_type(value)
            )));
        }
    }
    Ok(())
}

/// Returns the node at a key, and creates it if it is missing.
fn child_node<'a>(node: &'a mut Node, key: &Value) -> FlowResult<&'a mut Node> {
    match node {
        Node::Hash(entries) => Ok(entries
            .entry(key.clone())
            .or_insert_with(|| Node::Hash(IndexMap::new()))),
        Node::Given(Value::Array(_) | Value::Hash(_)) => {
            Err(ControlFlow::unknown("Puppet modifies the argument"))
        }
        Node::Given(Value::String(_)) => Err(ControlFlow::unknown("Puppet modifies the argument")),
        Node::Given(value) => Err(conversion_error(format!(
            "`{}` is not a container",
            describe_type(value)
        ))),
    }
}

fn insert_value(node: &mut Node, key: &Value, value: Value) -> FlowResult<()> {
    let Node::Hash(entries) = node else {
        return child_node(node, key).map(drop);
    };
    entries.insert(key.clone(), Node::Given(value));
    Ok(())
}

/// Converts nested arrays to hashes by index. Hashes are unchanged.
fn as_hashes(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let entry = |(index, it): (i64, &Value)| (Value::Integer(index), as_hashes(it));
            Value::Hash((0i64..).zip(items.iter()).map(entry).collect::<HashValue>())
        }
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn hashes() {
        assert_eq!(run("Hash([a, 1, b, 2])"), "{'a' => 1, 'b' => 2}");
        assert_eq!(run("Hash([[a, 1], [b, 2]])"), "{'a' => 1, 'b' => 2}");
        assert_eq!(run("Hash([[[a], 1]])"), "{['a'] => 1}");
        assert_eq!(run("Hash([a, 1, b])"), "error");
        assert_eq!(run("Hash('ab')"), "{'a' => 'b'}");
        assert_eq!(run("Hash([])"), "{}");
        assert_eq!(run("Hash(1.5)"), "error");
        assert_eq!(run("Struct[{ a => Integer }]([a, 1])"), "{'a' => 1}");
        assert_eq!(run("Struct[{ a => Integer }]([b, 1])"), "error");
    }

    #[test]
    fn trees() {
        let tree = "[[[0, a], 1], [[0, b], [2, [3]]], [[], { x => 4 }]]";
        assert_eq!(
            run(&format!("Hash({tree}, tree)")),
            "{0 => {'a' => 1, 'b' => [2, [3]]}, 'x' => 4}"
        );
        assert_eq!(
            run(&format!("Hash({tree}, hash_tree)")),
            "{0 => {'a' => 1, 'b' => {0 => 2, 1 => {0 => 3}}}, 'x' => 4}"
        );
        assert_eq!(run("Hash([[[0], 1], [[0, 1], 2]], tree)"), "error");
    }
}
