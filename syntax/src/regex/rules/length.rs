//! Look-behind: it must have a fixed length, except between its alternatives, and must not contain
//! certain constructs.

use super::super::RegexError;
use super::super::tree::{Anchor, Node, NodeId};
use super::Graph;

/// Checks the look-behinds of a pattern.
pub(super) fn check(graph: &Graph<'_>) -> Result<(), RegexError> {
    if graph.tree.look_behinds.is_empty() {
        return Ok(());
    }
    let lengths = lengths(graph);
    let length = |id: NodeId| lengths.get(id as usize).copied().flatten();
    let bans = bans(graph);
    for (offset, id) in &graph.tree.look_behinds {
        let Node::Look {
            target, negative, ..
        } = graph.tree.node(*id)
        else {
            continue;
        };
        let ban = bans.get(target as usize).copied().unwrap_or_default();
        if ban.always || (ban.if_negative && negative) {
            let message = if ban.always {
                "invalid look-behind: it cannot contain references, look-aheads, `\\z`, `\\Z`, \
                 `\\R`, `\\X`, conditions, atomic groups or absent groups"
            } else {
                "invalid look-behind: a negative look-behind cannot contain capture groups"
            };
            return Err(RegexError::new(*offset, message));
        }
        let is_fixed = match graph.tree.node(inner(graph, target)) {
            Node::Alternatives(branches) => {
                let branches = graph.tree.children(branches);
                branches.iter().all(|branch| length(*branch).is_some())
            }
            _ => length(target).is_some(),
        };
        if !is_fixed {
            let message = "invalid look-behind: it must have a fixed length, except between its \
                           outermost alternatives";
            return Err(RegexError::new(*offset, message));
        }
    }
    Ok(())
}

/// Returns the node within idle captures.
fn inner(graph: &Graph<'_>, mut id: NodeId) -> NodeId {
    while let Node::Capture { target, name, .. } = graph.tree.node(id)
        && !graph.tree.captures(name)
    {
        id = target;
    }
    id
}

/// The constructs of a node that a look-behind must not contain.
#[derive(Clone, Copy, Default)]
struct Ban {
    always: bool,
    if_negative: bool,
}

fn bans(graph: &Graph<'_>) -> Vec<Ban> {
    let mut bans: Vec<Ban> = Vec::with_capacity(graph.len());
    for node in &graph.tree.nodes {
        let mut ban = match node {
            Node::Anchor(Anchor::TextEnd | Anchor::LastLineEnd)
            | Node::LineBreak
            | Node::Grapheme
            | Node::Backref(_)
            | Node::Atomic(_)
            | Node::Absent(_)
            | Node::Condition(_) => Ban {
                always: true,
                if_negative: false,
            },
            Node::Look { behind, .. } => Ban {
                always: !behind,
                if_negative: false,
            },
            Node::Capture { name, .. } => Ban {
                always: false,
                if_negative: graph.tree.captures(*name),
            },
            _ => Ban::default(),
        };
        for child in graph.tree.children_of(node) {
            let child = bans.get(*child as usize).copied().unwrap_or_default();
            ban.always |= child.always;
            ban.if_negative |= child.if_negative;
        }
        bans.push(ban);
    }
    bans
}

/// Returns for each node the length of its matches in characters, if it is fixed.
fn lengths(graph: &Graph<'_>) -> Vec<Option<u64>> {
    let mut lengths = vec![None; graph.len()];
    let mut set = |id: NodeId| {
        let length = length(graph, &graph.tree.node(id), &lengths);
        if let Some(slot) = lengths.get_mut(id as usize) {
            *slot = length;
        }
    };
    if graph.callees.is_empty() {
        (0..graph.len() as NodeId).for_each(set);
    } else {
        bottom_up(graph, |circle| {
            let is_recursive = circle.len() > 1;
            for id in circle {
                // The length of a recursive call is unknown.
                if !is_recursive || !matches!(graph.tree.node(*id), Node::Call(_)) {
                    set(*id);
                }
            }
        });
    }
    lengths
}

/// Returns the length of a node, given those of the nodes below it.
fn length(graph: &Graph<'_>, node: &Node, lengths: &[Option<u64>]) -> Option<u64> {
    let known = |id: &NodeId| lengths.get(*id as usize).copied().flatten();
    match node {
        Node::Empty | Node::Anchor(_) | Node::Absent(_) | Node::Look { .. } => Some(0),
        Node::Char(_) | Node::Dot | Node::Set(_) | Node::Class(_) => Some(1),
        Node::LineBreak | Node::Grapheme | Node::Backref(_) => None,
        Node::List(children) => graph
            .tree
            .children(*children)
            .iter()
            .try_fold(0u64, |sum, child| Some(sum.saturating_add(known(child)?))),
        Node::Alternatives(children) => {
            let mut branches = graph.tree.children(*children).iter().map(known);
            let first = branches.next().flatten()?;
            branches
                .all(|length| length == Some(first))
                .then_some(first)
        }
        Node::Repeat {
            target,
            lower,
            upper,
            ..
        } => {
            let length = known(target)?;
            (*upper == Some(*lower)).then(|| length.saturating_mul(u64::from(*lower)))
        }
        Node::Capture { .. }
        | Node::Atomic(_)
        | Node::Options { .. }
        | Node::Condition(_)
        | Node::Call(_) => graph.below(node).first().and_then(known),
    }
}

/// Visits all nodes bottom up; the nodes of a cycle of containment and calls are visited together,
/// children first. This is Tarjan's algorithm for strongly connected components, with an explicit
/// stack.
fn bottom_up(graph: &Graph<'_>, mut visit: impl FnMut(&[NodeId])) {
    const UNSEEN: u32 = u32::MAX;
    const FINISHED: u32 = u32::MAX - 1;
    // The low-link: the earliest reachable node in the order of discovery.
    let mut low = vec![UNSEEN; graph.len()];
    let mut discovered = vec![0u32; graph.len()];
    let mut count = 0;
    let mut pending: Vec<NodeId> = Vec::new();
    let mut path: Vec<(NodeId, usize)> = Vec::new();
    let get = |list: &[u32], id: NodeId| list.get(id as usize).copied().unwrap_or(FINISHED);
    for root in 0..graph.len() as NodeId {
        if get(&low, root) == UNSEEN {
            path.push((root, 0));
        }
        while let Some((id, index)) = path.last_mut() {
            let (id, at) = (*id, *index);
            *index += 1;
            if at == 0 {
                low[id as usize] = count;
                discovered[id as usize] = count;
                count += 1;
                pending.push(id);
            }
            let node = graph.tree.node(id);
            match graph.below(&node).get(at) {
                Some(below) if get(&low, *below) == UNSEEN => path.push((*below, 0)),
                Some(below) => {
                    let below = get(&low, *below);
                    if below != FINISHED && below < get(&low, id) {
                        low[id as usize] = below;
                    }
                }
                None => {
                    path.pop();
                    let reach = get(&low, id);
                    if reach == get(&discovered, id) {
                        let first = pending.iter().rposition(|open| *open == id).unwrap_or(0);
                        let mut circle = pending.split_off(first);
                        circle.sort_unstable();
                        for member in &circle {
                            low[*member as usize] = FINISHED;
                        }
                        visit(&circle);
                    }
                    if let Some((above, _)) = path.last()
                        && reach < get(&low, *above)
                    {
                        low[*above as usize] = reach;
                    }
                }
            }
        }
    }
}
