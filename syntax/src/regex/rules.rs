//! What can only be judged when the whole pattern is known: references, recursion, look-behind.

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

/// References by number, which must not stand beside named groups, and must exist.
fn references(tree: &Tree) -> Result<(), RegexError> {
    let total = tree.group_total();
    // Beside groups without a name Ruby looks such a condition up in the wrong place.
    let is_certain = tree.named_groups == 0 || tree.named_groups == total;
    for reference in tree.backrefs.iter().chain(&tree.conditions) {
        if tree.named_groups > 0 && !reference.by_name {
            return Err(RegexError::new(reference.offset, NUMBER_BESIDE_NAMES));
        }
        if reference.group > total && is_certain {
            let message = format!("there is no group {}", reference.group);
            return Err(RegexError::new(reference.offset, message));
        }
    }
    Ok(())
}

const NUMBER_BESIDE_NAMES: &str =
    "groups cannot be referred to by number in a pattern with named groups";

/// The node that each call calls.
fn callees(tree: &Tree) -> Result<Vec<NodeId>, RegexError> {
    let find = |(offset, callee): &(usize, Callee)| {
        let error = |message: String| Err(RegexError::new(*offset, message));
        let number = match callee {
            Callee::Number(0) => 0,
            Callee::Number(_) if tree.named_groups > 0 => {
                return error(NUMBER_BESIDE_NAMES.to_owned());
            }
            Callee::Number(number) => *number,
            Callee::Unknown => return error("no group has the name that is called".to_owned()),
            Callee::Name(name) => match tree.names.get(*name).map(Vec::as_slice) {
                Some([group]) => *group,
                _ => return error("several groups have the name that is called".to_owned()),
            },
        };
        match tree.groups.get(number as usize) {
            Some(node) => Ok(*node),
            None => error(format!("there is no group {number}")),
        }
    };
    tree.calls.iter().map(find).collect()
}

/// A tree and what its calls call.
struct Graph<'t> {
    tree: &'t Tree,
    /// By the number of the call.
    callees: Vec<NodeId>,
}

impl Graph<'_> {
    fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// The nodes below a node: its children, or what it calls.
    fn below<'a>(&'a self, node: &'a super::tree::Node) -> &'a [NodeId] {
        match node {
            super::tree::Node::Call(call) => {
                let callee = self.callees.get(*call as usize);
                callee.map_or(&[], std::slice::from_ref)
            }
            node => self.tree.children_of(node),
        }
    }
}
