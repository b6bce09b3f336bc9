//! Never-ending recursion: a group that always calls itself, or may do so before it matches a
//! character.

use super::super::RegexError;
use super::super::tree::{Backref, Node, NodeId};
use super::Graph;

/// The maximum number of nodes visited in the search for groups that always call themselves.
const BUDGET: usize = 5_000_000;

/// Checks a pattern that has calls.
pub(super) fn check(graph: &Graph<'_>) -> Result<(), RegexError> {
    let parents = Parents::of(graph);
    let consuming = parents.spread(graph, Spread::Consumes, &seeds(graph));
    if let Some(offset) = left_recursion(graph, &consuming) {
        let message = "never-ending recursion: the call recurses before it matches a character";
        return Err(RegexError::new(offset, message));
    }
    let mut called: Vec<(NodeId, usize)> = graph
        .callees
        .iter()
        .zip(&graph.tree.calls)
        .map(|(node, (offset, _))| (*node, *offset))
        .collect();
    called.sort_unstable();
    called.dedup_by_key(|(node, _)| *node);
    let affordable = BUDGET / graph.len().max(1);
    for (group, offset) in called.into_iter().take(affordable) {
        let target = match graph.tree.node(group) {
            Node::Capture { target, .. } => target,
            _ => continue,
        };
        let calls_group = parents.spread(graph, Spread::Calls, &[group]);
        if is_set(&calls_group, target) {
            let message = "never-ending recursion: every match of the called group calls it again";
            return Err(RegexError::new(offset, message));
        }
    }
    Ok(())
}

fn is_set(flags: &[bool], node: NodeId) -> bool {
    flags.get(node as usize).copied().unwrap_or(false)
}

/// Returns the nodes that match at least one character by themselves.
fn seeds(graph: &Graph<'_>) -> Vec<NodeId> {
    let ids = 0..graph.len() as NodeId;
    let consumes = |node| {
        matches!(
            node,
            Node::Char(_)
                | Node::Dot
                | Node::Set(_)
                | Node::Class(_)
                | Node::LineBreak
                | Node::Grapheme
        )
    };
    ids.filter(|id| consumes(graph.tree.node(*id))).collect()
}

/// A property that propagates from nodes to the nodes above them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spread {
    /// Every match contains at least one character.
    Consumes,
    /// Every match involves a certain group.
    Calls,
}

/// The nodes directly above each node: its parent, and its calls and references.
struct Parents {
    /// The start of the parents of each node in `above`, and the end of the last.
    start: Vec<u32>,
    above: Vec<NodeId>,
}

impl Parents {
    fn of(graph: &Graph<'_>) -> Parents {
        let mut start = vec![0u32; graph.len() + 1];
        Parents::edges(graph, |below, _| {
            if let Some(count) = start.get_mut(below as usize + 1) {
                *count += 1;
            }
        });
        let mut sum = 0;
        for count in &mut start {
            sum += *count;
            *count = sum;
        }
        let mut next = start.clone();
        let mut above = vec![0; sum as usize];
        Parents::edges(graph, |below, node| {
            if let Some(place) = next.get_mut(below as usize) {
                if let Some(slot) = above.get_mut(*place as usize) {
                    *slot = node;
                }
                *place += 1;
            }
        });
        Parents { start, above }
    }

    fn edges(graph: &Graph<'_>, mut edge: impl FnMut(NodeId, NodeId)) {
        for (id, node) in graph.tree.nodes.iter().enumerate() {
            for below in graph.below(node) {
                edge(*below, id as NodeId);
            }
            if let Node::Backref(Backref {
                group,
                is_open: false,
                ..
            }) = node
                && let Some(group) = graph.tree.groups.get(*group as usize)
            {
                edge(*group, id as NodeId);
            }
        }
    }

    fn above(&self, node: NodeId) -> &[NodeId] {
        let place = |index| self.start.get(index).map_or(0, |start| *start as usize);
        let node = node as usize;
        self.above
            .get(place(node)..place(node + 1))
            .unwrap_or_default()
    }

    /// Returns the least set of nodes with the property, given that `seeds` have it.
    fn spread(&self, graph: &Graph<'_>, spread: Spread, seeds: &[NodeId]) -> Vec<bool> {
        let mut has = vec![false; graph.len()];
        // The number of alternatives known to have the property.
        let mut known = vec![0u32; graph.len()];
        let mut queue = seeds.to_vec();
        for seed in seeds {
            if let Some(flag) = has.get_mut(*seed as usize) {
                *flag = true;
            }
        }
        while let Some(node) = queue.pop() {
            for above in self.above(node) {
                let index = *above as usize;
                let spreads = match graph.tree.node(*above) {
                    Node::Alternatives(branches) => known.get_mut(index).is_some_and(|known| {
                        *known += 1;
                        *known as usize == graph.tree.children(branches).len()
                    }),
                    Node::Repeat { lower, .. } => lower > 0,
                    Node::Look { .. } | Node::Absent(_) => spread == Spread::Calls,
                    Node::Backref(_) => spread == Spread::Consumes,
                    _ => true,
                };
                if let Some(flag) = has.get_mut(index)
                    && spreads
                    && !*flag
                {
                    *flag = true;
                    queue.push(*above);
                }
            }
        }
        has
    }
}

/// The state of a node in the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Not,
    Open,
    Done,
}

/// Returns the offset of a call on a cycle of nodes that may come first in a match.
fn left_recursion(graph: &Graph<'_>, consuming: &[bool]) -> Option<usize> {
    let mut visits = vec![Visit::Not; graph.len()];
    // Open nodes, with the index of the next node below.
    let mut path: Vec<(NodeId, usize)> = Vec::new();
    for root in &graph.callees {
        if visits.get(*root as usize) != Some(&Visit::Not) {
            continue;
        }
        path.push((*root, 0));
        while let Some((id, index)) = path.last_mut() {
            let node = graph.tree.node(*id);
            let below = first_below(graph, &node, *index, consuming);
            *index += 1;
            if let Some(visit) = visits.get_mut(*id as usize) {
                *visit = match below {
                    Some(_) => Visit::Open,
                    None => Visit::Done,
                };
            }
            match below {
                None => {
                    path.pop();
                }
                Some(below) => match visits.get(below as usize) {
                    Some(Visit::Not) => path.push((below, 0)),
                    Some(Visit::Open) => return Some(last_call(graph, &path)),
                    _ => {}
                },
            }
        }
    }
    None
}

/// Returns the node at `index` among those below, if it may come first in a match.
fn first_below(graph: &Graph<'_>, node: &Node, index: usize, consuming: &[bool]) -> Option<NodeId> {
    let below = graph.below(node);
    if matches!(node, Node::List(_)) && index > 0 && is_set(consuming, *below.get(index - 1)?) {
        return None;
    }
    below.get(index).copied()
}

fn last_call(graph: &Graph<'_>, path: &[(NodeId, usize)]) -> usize {
    let call = path
        .iter()
        .rev()
        .find_map(|(id, _)| match graph.tree.node(*id) {
            Node::Call(call) => graph.tree.calls.get(call as usize),
            _ => None,
        });
    call.map_or(0, |(offset, _)| *offset)
}
