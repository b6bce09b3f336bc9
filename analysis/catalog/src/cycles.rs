//! Dependency cycles: resources that the agent cannot put into an order.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::{Cycle, Edge, ResourceKey};

/// The graph of the agent. A container has two nodes: one before all that it contains, and one after it.
struct Graph<'a> {
    graph: DiGraph<&'a ResourceKey, ()>,
    first: FxHashMap<&'a ResourceKey, NodeIndex>,
    last: FxHashMap<&'a ResourceKey, NodeIndex>,
}

impl<'a> Graph<'a> {
    fn node(&mut self, key: &'a ResourceKey, is_container: bool) {
        let first = self.graph.add_node(key);
        self.first.insert(key, first);
        let last = match is_container {
            true => self.graph.add_node(key),
            false => first,
        };
        self.last.insert(key, last);
        if is_container {
            self.graph.add_edge(first, last, ());
        }
    }

    fn edge(&mut self, from: Option<NodeIndex>, to: Option<NodeIndex>) {
        if let Some((from, to)) = from.zip(to) {
            self.graph.add_edge(from, to, ());
        }
    }

    fn contain(&mut self, container: &ResourceKey, content: &ResourceKey) {
        let first = |it| self.first.get(it).copied();
        let last = |it| self.last.get(it).copied();
        let ends = [
            (first(container), first(content)),
            (last(content), last(container)),
        ];
        ends.into_iter().for_each(|(from, to)| self.edge(from, to));
    }
}

/// Returns the dependency cycles.
pub(crate) fn cycles<'a>(
    resources: impl Iterator<Item = (&'a ResourceKey, bool)>,
    containments: impl Iterator<Item = (&'a ResourceKey, &'a ResourceKey)>,
    edges: &[Edge],
) -> Vec<Cycle> {
    let mut graph = Graph {
        graph: DiGraph::new(),
        first: FxHashMap::default(),
        last: FxHashMap::default(),
    };
    for (key, is_container) in resources {
        graph.node(key, is_container);
    }
    for (container, content) in containments {
        graph.contain(container, content);
    }
    for edge in edges {
        let from = graph.last.get(&edge.from).copied();
        let to = graph.first.get(&edge.to).copied();
        graph.edge(from, to);
    }
    let components = tarjan_scc(&graph.graph).into_iter();
    let is_cycle = |it: &Vec<NodeIndex>| it.len() > 1 || graph.graph.contains_edge(it[0], it[0]);
    let components = components.filter(is_cycle);
    let mut cycles: Vec<Cycle> = components.map(|it| graph.cycle(&it)).collect();
    cycles.sort_by(|a, b| a.members.cmp(&b.members));
    cycles
}

impl Graph<'_> {
    /// Describes a strongly connected component.
    fn cycle(&self, component: &[NodeIndex]) -> Cycle {
        let key = |it: &NodeIndex| self.graph[*it].clone();
        let mut members: Vec<ResourceKey> = component.iter().map(key).collect();
        members.sort_unstable();
        members.dedup();
        let mut path: Vec<ResourceKey> = self.shortest(component).iter().map(key).collect();
        path.dedup();
        if path.len() > 1 && path.first() == path.last() {
            path.pop();
        }
        Cycle { members, path }
    }

    /// Returns the shortest way from the first node of a component back to it.
    fn shortest(&self, component: &[NodeIndex]) -> Vec<NodeIndex> {
        let inside: FxHashSet<NodeIndex> = component.iter().copied().collect();
        let start = component.iter().copied().min_by_key(|it| it.index());
        start.map_or_else(Vec::new, |it| self.way_back(it, &inside))
    }

    /// Returns the nodes of the shortest way from a node to itself.
    fn way_back(&self, start: NodeIndex, inside: &FxHashSet<NodeIndex>) -> Vec<NodeIndex> {
        let mut came_from: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for next in self.graph.neighbors(at).filter(|it| inside.contains(it)) {
                if next == start {
                    let mut path = vec![at];
                    while let Some(before) = came_from.get(&path[path.len() - 1]) {
                        path.push(*before);
                    }
                    path.reverse();
                    return path;
                }
                if let Entry::Vacant(entry) = came_from.entry(next) {
                    entry.insert(at);
                    queue.push_back(next);
                }
            }
        }
        Vec::new()
    }
}
