//! The `validate` block of a resource type: the combinations of attributes that it raises an error for.
//!
//! Only conditions on `self[:attribute]` are understood; all others are ignored, with what they guard.

use tree_sitter::Node;

use crate::signatures::{AttributeCondition as Condition, Refusal};

use super::calls::Call;
use super::evaluate::Reader;
use super::source::{children, visit};
use super::value::Value;

/// Returns the combinations of attributes that a `validate` block refuses.
pub(super) fn refusals<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Vec<Refusal> {
    let mut found = Vec::new();
    if let Some(body) = call.body() {
        statements(reader, &children(body), &[], &mut found);
    }
    found
}

/// Reads statements that run under conditions.
fn statements<'t>(
    reader: &mut Reader<'t>,
    all: &[Node<'t>],
    around: &[Condition],
    found: &mut Vec<Refusal>,
) {
    for statement in all.iter().copied().filter(|it| it.kind() != "comment") {
        if let Some(message) = raised(reader, statement) {
            let condition = match around {
                [only] => only.clone(),
                around => Condition::All(around.to_vec()),
            };
            if !around.is_empty() {
                found.push(Refusal { condition, message });
            }
            return;
        }
        guarded(reader, statement, around, found);
        if may_leave(reader, statement) {
            return;
        }
    }
}

/// Reads a conditional statement.
fn guarded<'t>(
    reader: &mut Reader<'t>,
    node: Node<'t>,
    around: &[Condition],
    found: &mut Vec<Refusal>,
) {
    let (is_negated, body) = match node.kind() {
        "if" | "unless" => {
            let body = node.child_by_field_name("consequence").map(children);
            (node.kind() == "unless", body.unwrap_or_default())
        }
        "if_modifier" | "unless_modifier" => {
            let body = node.child_by_field_name("body").into_iter().collect();
            (node.kind() == "unless_modifier", body)
        }
        _ => return,
    };
    let condition = node.child_by_field_name("condition");
    let Some(condition) = condition.and_then(|it| condition_of(reader, it)) else {
        return;
    };
    let mut inside = around.to_vec();
    inside.push(match is_negated {
        true => not(condition),
        false => condition,
    });
    statements(reader, &body, &inside, found);
}

/// Returns the message of a statement that raises an error.
fn raised<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Option<String>> {
    let call = Call::of(reader.source, node)?;
    if call.receiver.is_some() || !matches!(call.method, "raise" | "fail") {
        return None;
    }
    let last = call.arguments.last().copied();
    Some(last.and_then(|it| message(reader, it)))
}

/// Returns a constant message, possibly in a call of `_` that translates it.
fn message<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<String> {
    if let Some(call) = Call::of(reader.source, node).filter(|it| it.method == "_") {
        let only = *call.arguments.first()?;
        return message(reader, only);
    }
    match reader.value(node) {
        Value::Str(it) => Some(it),
        _ => None,
    }
}

/// Checks whether a statement may end the block.
pub(super) fn may_leave<'t>(reader: &Reader<'t>, node: Node<'t>) -> bool {
    let mut found = false;
    visit(node, |it| {
        found |= matches!(it.kind(), "return" | "next" | "break" | "rescue");
        found |= it.kind() == "identifier" && matches!(reader.text(it), "throw" | "exit");
        !found
    });
    found
}

fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Not(inner) => *inner,
        other => Condition::Not(Box::new(other)),
    }
}

/// Reads a condition; returns `None` if it is not understood.
fn condition_of<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Condition> {
    match node.kind() {
        "parenthesized_statements" => match children(node).as_slice() {
            [only] => condition_of(reader, *only),
            _ => None,
        },
        "unary" => {
            let operator = reader.text(node.child_by_field_name("operator")?);
            let operand = node.child_by_field_name("operand")?;
            matches!(operator, "!" | "not").then_some(())?;
            condition_of(reader, operand).map(not)
        }
        "binary" => binary(reader, node),
        "call" => {
            let call = Call::of(reader.source, node)?;
            let name = attribute(reader, call.receiver?)?;
            (call.method == "nil?").then(|| not(Condition::Set(name)))
        }
        _ => attribute(reader, node).map(Condition::Set),
    }
}

fn binary<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Condition> {
    let left = node.child_by_field_name("left")?;
    let right = node.child_by_field_name("right")?;
    let operator = reader.text(node.child_by_field_name("operator")?);
    match operator {
        "&&" | "and" => Some(Condition::All(vec![
            condition_of(reader, left)?,
            condition_of(reader, right)?,
        ])),
        "||" | "or" => Some(Condition::Any(vec![
            condition_of(reader, left)?,
            condition_of(reader, right)?,
        ])),
        "==" | "!=" => {
            let equal = equal(reader, left, right)?;
            Some(if operator == "==" { equal } else { not(equal) })
        }
        _ => None,
    }
}

/// Reads a comparison of an attribute with a constant.
fn equal<'t>(reader: &mut Reader<'t>, left: Node<'t>, right: Node<'t>) -> Option<Condition> {
    let value = reader.value(right);
    if let Some(name) = attribute(reader, left) {
        return match value {
            Value::Nil => Some(not(Condition::Set(name))),
            // Listed values are symbols.
            Value::Sym(it) => Some(Condition::Equals(name, it)),
            _ => None,
        };
    }
    let call = Call::of(reader.source, left).filter(|it| it.method == "to_s")?;
    let name = attribute(reader, call.receiver?)?;
    match value {
        Value::Str(it) => Some(Condition::Equals(name, it)),
        _ => None,
    }
}

/// Returns the name in `self[:name]`.
fn attribute<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<String> {
    let object = node.child_by_field_name("object")?;
    if node.kind() != "element_reference" || object.kind() != "self" {
        return None;
    }
    match children(node).as_slice() {
        [_, key] => match reader.value(*key) {
            Value::Sym(it) => Some(it),
            _ => None,
        },
        _ => None,
    }
}

/// Checks whether code assigns an attribute of a resource, as in `resource[:name] = value`.
pub(super) fn is_assigned(code: &str, name: &str) -> bool {
    let key = format!("[:{name}]");
    code.match_indices(&key).any(|(at, _)| {
        let rest = code.get(at + key.len()..).unwrap_or_default().trim_start();
        let is_comparison = ["==", "=~"].iter().any(|it| rest.starts_with(it));
        !is_comparison
            && (rest.starts_with('=') || rest.starts_with("||=") || rest.starts_with("<<"))
    })
}
