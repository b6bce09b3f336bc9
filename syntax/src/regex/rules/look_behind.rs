//! Look-behind: it must have a fixed length, except between its outermost alternatives, and must
//! not contain certain constructs.

use super::super::RegexError;
use super::super::tree::{Anchor, Node, NodeId, Tree};

/// Checks the look-behinds of a pattern without calls.
pub(super) fn check(tree: &Tree) -> Result<(), RegexError> {
    if tree.look_behinds.is_empty() || !tree.calls.is_empty() {
        return Ok(());
    }
    let contents = contents(tree);
    let of = |id: NodeId| contents.get(id as usize).copied().unwrap_or_default();
    for (offset, id) in &tree.look_behinds {
        let Node::Look {
            target, negative, ..
        } = tree.node(*id)
        else {
            continue;
        };
        let inside = of(target);
        let is_fixed = match tree.node(inner(tree, target)) {
            Node::Alternatives(branches) => {
                let mut branches = tree.children(branches).iter();
                branches.all(|branch| of(*branch).length.is_some())
            }
            _ => inside.length.is_some(),
        };
        let message = if inside.is_banned {
            "invalid look-behind: it cannot contain references, look-aheads, `\\z`, `\\Z`, `\\R`, \
             `\\X`, conditions, atomic groups or absent groups"
        } else if negative && inside.captures {
            "invalid look-behind: a negative look-behind cannot contain capture groups"
        } else if !is_fixed {
            "invalid look-behind: it must have a fixed length, except between its outermost \
             alternatives"
        } else {
            continue;
        };
        return Err(RegexError::new(*offset, message));
    }
    Ok(())
}

/// Returns the node within groups that do not capture.
fn inner(tree: &Tree, mut id: NodeId) -> NodeId {
    while let Node::Capture { target, name, .. } = tree.node(id)
        && !tree.captures(name)
    {
        id = target;
    }
    id
}

/// The properties of a node that matter in a look-behind.
#[derive(Clone, Copy, Default)]
struct Contents {
    /// The length of its matches in characters, if it is fixed.
    length: Option<u64>,
    /// Whether it contains something that no look-behind may contain.
    is_banned: bool,
    /// Whether it contains a capture group.
    captures: bool,
}

/// Returns the properties of each node.
fn contents(tree: &Tree) -> Vec<Contents> {
    let mut all: Vec<Contents> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let of = |id: &NodeId| all.get(*id as usize).copied().unwrap_or_default();
        let mut below = tree.children_of(node).iter().map(of);
        let is_banned = match node {
            Node::Anchor(anchor) => matches!(anchor, Anchor::TextEnd | Anchor::LastLineEnd),
            Node::Look { behind, .. } => !behind,
            Node::LineBreak
            | Node::Grapheme
            | Node::Backref(_)
            | Node::Atomic(_)
            | Node::Absent(_)
            | Node::Condition(_) => true,
            _ => false,
        };
        let captures = matches!(node, Node::Capture { name, .. } if tree.captures(*name));
        all.push(Contents {
            length: length(node, below.clone().map(|child| child.length)),
            is_banned: is_banned || below.clone().any(|child| child.is_banned),
            captures: captures || below.any(|child| child.captures),
        });
    }
    all
}

/// Returns the length of a node, given those of its children.
fn length(node: &Node, mut below: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    match node {
        Node::Empty | Node::Anchor(_) | Node::Absent(_) | Node::Look { .. } => Some(0),
        Node::Char(_) | Node::Dot | Node::Set(_) | Node::Class(_) => Some(1),
        Node::LineBreak | Node::Grapheme | Node::Backref(_) | Node::Call => None,
        Node::List(_) => below.try_fold(0u64, |sum, length| Some(sum.saturating_add(length?))),
        Node::Alternatives(_) => {
            let first = below.next().flatten()?;
            below.all(|length| length == Some(first)).then_some(first)
        }
        Node::Repeat { lower, upper, .. } => {
            let length = below.next().flatten()?;
            (*upper == Some(*lower)).then(|| length.saturating_mul(u64::from(*lower)))
        }
        Node::Capture { .. } | Node::Atomic(_) | Node::Options { .. } | Node::Condition(_) => {
            below.next().flatten()
        }
    }
}
