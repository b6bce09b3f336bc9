//! `Hash(…)` and `Struct(…)`.

use indexmap::IndexMap;

use super::{array, failed};
use crate::access::kind_of;
use crate::arithmetic::from_list;
use crate::expressions::Evaluator;
use crate::stop::{Evaluated, Stop};
use types::values::{HashValue, Value};

/// The index of the signature for a tree: pairs of a path and a value.
const TREE: usize = 0;
/// The index of the signature for pairs.
const PAIRS: usize = 1;

pub(super) fn hash(evaluator: &Evaluator<'_>, which: usize, args: &[Value]) -> Evaluated {
    match (which, args) {
        (TREE, [Value::Array(entries), Value::String(option)]) => {
            tree(evaluator, entries, &**option == "hash_tree")
        }
        (TREE | PAIRS, [Value::Array(entries)]) => Ok(pairs(entries)),
        (_, [Value::Array(items)]) if items.len() % 2 == 1 => {
            Err(failed("odd number of keys and values"))
        }
        (_, [Value::Array(items)]) => Ok(Value::Hash(from_list(items)?)),
        (_, [from @ Value::Hash(_)]) => Ok(from.clone()),
        (_, [from]) => Ok(Value::Hash(from_list(&array::iterated(evaluator, from)?)?)),
        _ => Err(failed("expected one value")),
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
fn tree(evaluator: &Evaluator<'_>, entries: &[Value], all_hashes: bool) -> Evaluated {
    let mut root = Node::Hash(IndexMap::new());
    for entry in entries {
        let Value::Array(pair) = entry else { continue };
        let [Value::Array(path), value] = &pair[..] else {
            continue;
        };
        evaluator.budget.spend(1 + path.len() as u64)?;
        if path.len() > evaluator.context.limits.depth as usize {
            return Err(Stop::unknown("value is nested too deeply"));
        }
        match path.split_last() {
            Some((last, way)) => {
                let value = if all_hashes {
                    as_hashes(value)
                } else {
                    value.clone()
                };
                let node = way.iter().try_fold(&mut root, inside)?;
                put(node, last, value)?;
            }
            None => at_root(&mut root, value)?,
        }
    }
    Ok(root.finished())
}

/// Inserts the elements of an array or hash into the root.
fn at_root(root: &mut Node, value: &Value) -> Evaluated<()> {
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
            return Err(failed(format!(
                "invalid root of a tree: `{}`",
                kind_of(value)
            )));
        }
    }
    Ok(())
}

/// Returns the node at a key, and creates it if it is missing.
fn inside<'a>(node: &'a mut Node, key: &Value) -> Evaluated<&'a mut Node> {
    match node {
        Node::Hash(entries) => Ok(entries
            .entry(key.clone())
            .or_insert_with(|| Node::Hash(IndexMap::new()))),
        Node::Given(Value::Array(_) | Value::Hash(_)) => {
            Err(Stop::unknown("Puppet modifies the argument"))
        }
        Node::Given(Value::String(_)) => Err(Stop::unknown("Puppet modifies the argument")),
        Node::Given(value) => Err(failed(format!("`{}` is not a container", kind_of(value)))),
    }
}

fn put(node: &mut Node, key: &Value, value: Value) -> Evaluated<()> {
    let Node::Hash(entries) = node else {
        return inside(node, key).map(drop);
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
