//! The rules that require the whole pattern: references, recursion, look-behind.

mod length;
mod recursion;

use super::RegexError;
use super::tree::{Callee, NodeId, Tree};

/// Checks a parsed pattern.
pub(super) fn check(tree: &Tree) -> Result<(), RegexError> {
    references(tree)?;
    let graph = Graph {
        tree,
        callees: callees(tree)?,
    };
    if !graph.callees.is_empty() {
        recursion::check(&graph)?;
    }
    length::check(&graph)
}

/// Checks references by number: the group must exist, and the pattern must not have named groups.
fn references(tree: &Tree) -> Result<(), RegexError> {
    let total = tree.group_total();
    // With a mix of named and unnamed groups, Ruby looks up such a condition in the wrong place.
    let is_certain = tree.named_groups == 0 || tree.named_groups == total;
    for reference in tree.backrefs.iter().chain(&tree.conditions) {
        if tree.named_groups > 0 && !reference.by_name {
            return Err(RegexError::new(reference.offset, NUMBER_BESIDE_NAMES));
        }
        if reference.group > total && is_certain {
            let message = unknown_group(reference.group, total);
            return Err(RegexError::new(reference.offset, message));
        }
    }
    Ok(())
}

const NUMBER_BESIDE_NAMES: &str =
    "numbered group references are not allowed in a pattern with named groups";

fn unknown_group(group: u32, total: u32) -> String {
    format!("no capture group {group}: the regular expression has {total}")
}

/// Returns the node of the callee of each call.
fn callees(tree: &Tree) -> Result<Vec<NodeId>, RegexError> {
    let find = |(offset, callee): &(usize, Callee)| {
        let error = |message: String| Err(RegexError::new(*offset, message));
        let number = match callee {
            Callee::Number(0) => 0,
            Callee::Number(_) if tree.named_groups > 0 => {
                return error(NUMBER_BESIDE_NAMES.to_owned());
            }
            Callee::Number(number) => *number,
            Callee::Unknown => return error("call of an unknown group".to_owned()),
            Callee::Name(name) => match tree.names.get(*name).map(Vec::as_slice) {
                Some([group]) => *group,
                _ => return error("ambiguous call: several groups have this name".to_owned()),
            },
        };
        match tree.groups.get(number as usize) {
            Some(node) => Ok(*node),
            None => error(unknown_group(number, tree.group_total())),
        }
    };
    tree.calls.iter().map(find).collect()
}

/// A tree with the callees of its calls.
struct Graph<'t> {
    tree: &'t Tree,
    /// The callees by the number of the call.
    callees: Vec<NodeId>,
}

impl Graph<'_> {
    fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Returns the nodes below a node: its children, or its callee.
    fn below<'a>(&'a self, node: &'a super::tree::Node) -> &'a [NodeId] {
        crate::steps::count_steps(1);
        match node {
            super::tree::Node::Call(call) => {
                let callee = self.callees.get(*call as usize);
                callee.map_or(&[], std::slice::from_ref)
            }
            node => self.tree.children_of(node),
        }
    }
}
