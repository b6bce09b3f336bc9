//! Functions that return iterators: `reverse_each`, `step` and `tree_each`.

use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::functions::{Call, Family};
use types::Type;
use types::values::{IteratorKind, IteratorValue, Value};

pub(in crate::functions) const FUNCTIONS: Family = &[
    (
        "reverse_each",
        &[
            ("Callable[Iterable]", reverse_each),
            ("Callable[Iterable, Callable[1, 1]]", reverse_each),
        ],
    ),
    (
        "step",
        &[
            ("Callable[Iterable, Integer[1]]", step),
            ("Callable[Iterable, Integer[1], Callable[1, 1]]", step),
        ],
    ),
    (
        "tree_each",
        &[(TREE_2, tree_each), (TREE_1, tree_each), (TREE, tree_each)],
    ),
];

macro_rules! tree_signature {
    ($block:literal) => {
        concat!(
            "Callable[Variant[Iterator, Array, Hash, Object], Struct[{",
            "container_type => Optional[Type], include_root => Optional[Boolean], ",
            "include_containers => Optional[Boolean], include_values => Optional[Boolean], ",
            "order => Optional[Enum[depth_first, breadth_first]], ",
            "include_refs => Optional[Boolean]}], 1, 2",
            $block,
            "]"
        )
    };
}

const TREE_2: &str = tree_signature!(", Callable[2, 2]");
const TREE_1: &str = tree_signature!(", Callable[1, 1]");
const TREE: &str = tree_signature!("");

fn iterator(evaluator: &Evaluator<'_>, call: &Call<'_>) -> FlowResult<IteratorValue> {
    evaluator.budget.spend(call.arg(0).weight())?;
    IteratorValue::over(call.arg(0)).ok_or_else(|| call.error("the argument is not iterable"))
}

fn iterator_reused() -> ControlFlow {
    ControlFlow::unknown("iterator is used twice")
}

fn reverse_each(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let reversed = iterator(evaluator, call)?
        .reversed()
        .ok_or_else(iterator_reused)?;
    iterate_or_return(evaluator, call, reversed)
}

fn step(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let step = call.arg(1).as_integer().unwrap_or(1);
    let stepped = iterator(evaluator, call)?.stepped(step).ok_or_else(|| {
        ControlFlow::unknown("iterator is used twice, or steps backwards beyond its start")
    })?;
    iterate_or_return(evaluator, call, stepped)
}

/// Returns the iterator, or calls the block with each element and returns `undef`.
fn iterate_or_return(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    iterator: IteratorValue,
) -> FlowResult {
    let Some(block) = call.block else {
        return Ok(Value::Iterator(iterator));
    };
    for item in iterator.take().ok_or_else(iterator_reused)? {
        // A block that does not have exactly one parameter receives the elements of an array.
        let args = match &item {
            Value::Array(items) if block.arity() != Some(1) => items.to_vec(),
            Value::Undef if block.arity() != Some(1) => vec![],
            _ => vec![item],
        };
        match call.run_block(evaluator, args) {
            Err(ControlFlow::Break) => break,
            result => result?,
        };
    }
    Ok(Value::Undef)
}

/// The options for traversing a tree.
struct TreeTraversal<'a> {
    containers: Option<&'a Type>,
    root: bool,
    inner: bool,
    values: bool,
}

fn tree_each(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let option = |name: &str| match call.arg(1) {
        Value::Hash(options) => options.get_str(name).cloned().unwrap_or(Value::Undef),
        _ => Value::Undef,
    };
    let enabled = |name: &str| option(name) != Value::Boolean(false);
    let container = option("container_type");
    if let Some(ty) = container.as_type() {
        let allowed = Type::variant([Type::any_array(), Type::any_hash()]);
        if !types::assignable(&allowed, ty) {
            if mentions_objects(ty) {
                return Err(ControlFlow::unknown("traverses objects"));
            }
            return Err(call
                .error("invalid `container_type`: expected a type of arrays, hashes or objects"));
        }
    }
    let traversal = TreeTraversal {
        containers: container.as_type(),
        root: enabled("include_root") && enabled("include_containers"),
        inner: enabled("include_containers"),
        values: enabled("include_values"),
    };
    if !traversal.inner && !traversal.values {
        return Err(call.error("`include_containers` and `include_values` cannot both be false"));
    }
    let by_breadth = option("order").as_str() == Some("breadth_first");
    let root = traversal.children(evaluator, call.arg(0))?;
    let breaks_off = root.is_none();
    let nodes = if breaks_off {
        traversal.start(call.arg(0))
    } else if by_breadth {
        traversal.breadth_first(evaluator, call.arg(0))?
    } else {
        traversal.depth_first(evaluator, call.arg(0))?
    };
    let kind = if by_breadth {
        IteratorKind::TreeByBreadth
    } else {
        IteratorKind::TreeByDepth
    };
    let mut iterator = IteratorValue::new(kind, Type::Any, nodes);
    if breaks_off {
        iterator = iterator.breaking_off();
    }
    if call.block.is_none() {
        return Ok(Value::Iterator(iterator));
    }
    let with_path = block_takes_path(evaluator, call)?;
    for node in iterator.iter() {
        let Value::Array(node) = node else { continue };
        let args = if with_path {
            node.to_vec()
        } else {
            node.last().cloned().into_iter().collect()
        };
        match call.run_block(evaluator, args) {
            Err(ControlFlow::Break) => return Ok(call.arg(0).clone()),
            result => result?,
        };
    }
    if breaks_off {
        return Err(call.error("the root of the tree is not a container"));
    }
    Ok(call.arg(0).clone())
}

/// Checks whether the block accepts two arguments: the path and the value.
fn block_takes_path(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult<bool> {
    let Some(block) = call.block else {
        return Ok(false);
    };
    let signature = evaluator.signature(block)?;
    let size = signature.params().map(|it| it.size_range());
    Ok(size.is_none_or(|it| it.contains_len(2)))
}

fn mentions_objects(ty: &Type) -> bool {
    match ty {
        Type::Object(_) | Type::ObjectExtension(_) => true,
        Type::Variant(types) => types.iter().any(mentions_objects),
        Type::Alias(it) => mentions_objects(&it.resolved()),
        _ => false,
    }
}

impl TreeTraversal<'_> {
    /// Returns the keys and values in a container; `None` if the value is not a container.
    fn children(&self, evaluator: &Evaluator<'_>, value: &Value) -> FlowResult<Option<Vec<Value>>> {
        let accepted = match self.containers {
            Some(ty) => types::is_instance(ty, value).ok_or_else(|| {
                ControlFlow::unknown("cannot decide whether the value is a container")
            })?,
            None => true,
        };
        let pair = |key: Value, value: &Value| Value::array(vec![key, value.clone()]);
        let pairs: Vec<Value> = match value {
            Value::Array(items) if accepted => (0i64..)
                .zip(items.iter())
                .map(|(at, it)| pair(Value::Integer(at), it))
                .collect(),
            Value::Hash(entries) if accepted => entries.to_pairs(),
            Value::Object(_) | Value::Type(_) if accepted => {
                return Err(ControlFlow::unknown("traverses objects"));
            }
            _ => return Ok(None),
        };
        evaluator.budget.spend(pairs.len() as u64)?;
        Ok(Some(pairs))
    }

    fn root(&self, evaluator: &Evaluator<'_>, root: &Value) -> FlowResult<Vec<Value>> {
        Ok(self.children(evaluator, root)?.unwrap_or_default())
    }

    fn start(&self, root: &Value) -> Vec<Value> {
        if self.root {
            vec![Value::array(vec![Value::array(vec![]), root.clone()])]
        } else {
            Vec::new()
        }
    }

    fn depth_first(&self, evaluator: &Evaluator<'_>, root: &Value) -> FlowResult<Vec<Value>> {
        let mut nodes = self.start(root);
        let mut levels = vec![self.root(evaluator, root)?.into_iter()];
        let mut path = vec![Value::Undef];
        while let Some(level) = levels.last_mut() {
            let Some((key, value)) = level.next().as_ref().and_then(key_and_value) else {
                levels.pop();
                path.pop();
                continue;
            };
            path.pop();
            path.push(key);
            evaluator.budget.spend(2 + path.len() as u64)?;
            let children = self.children(evaluator, &value)?;
            let wanted = if children.is_some() {
                self.inner
            } else {
                self.values
            };
            if wanted {
                nodes.push(Value::array(vec![Value::array(path.clone()), value]));
            }
            if let Some(children) = children {
                levels.push(children.into_iter());
                path.push(Value::Undef);
            }
        }
        Ok(nodes)
    }

    /// Here, Puppet ignores `include_values`.
    fn breadth_first(&self, evaluator: &Evaluator<'_>, root: &Value) -> FlowResult<Vec<Value>> {
        let mut nodes = self.start(root);
        let mut queue = std::collections::VecDeque::new();
        queue.push_back((Vec::new(), self.root(evaluator, root)?));
        while let Some((path, level)) = queue.pop_front() {
            for (key, value) in level.iter().filter_map(key_and_value) {
                let mut path: Vec<Value> = path.clone();
                path.push(key);
                evaluator.budget.spend(2 + path.len() as u64)?;
                let children = self.children(evaluator, &value)?;
                if children.is_none() || self.inner {
                    nodes.push(Value::array(vec![Value::array(path.clone()), value]));
                }
                if let Some(children) = children {
                    queue.push_back((path, children));
                }
            }
        }
        Ok(nodes)
    }
}

fn key_and_value(pair: &Value) -> Option<(Value, Value)> {
    match pair {
        Value::Array(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
        _ => None,
    }
}
