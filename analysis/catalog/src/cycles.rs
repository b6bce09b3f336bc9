//! Dependency cycles: resources that the agent cannot put into an order.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::{Cycle, Edge, ResourceKey};

/// The limit of the steps that the search for links of all cycles of a component takes.
const MAX_STEPS: usize = 100_000;

/// The graph of the agent. A container has two nodes: one before all that it contains, and one after it.
struct Graph<'a> {
    graph: DiGraph<&'a ResourceKey, ()>,
    /// The first and the last node of each resource.
    ends: FxHashMap<&'a ResourceKey, (NodeIndex, NodeIndex)>,
}

impl<'a> Graph<'a> {
    fn node(&mut self, key: &'a ResourceKey, is_container: bool) {
        let first = self.graph.add_node(key);
        let last = match is_container {
            true => self.graph.add_node(key),
            false => first,
        };
        self.ends.insert(key, (first, last));
        if is_container {
            self.graph.add_edge(first, last, ());
        }
    }

    /// Returns the first and the last nodes of two resources.
    fn ends(&self, one: &ResourceKey, other: &ResourceKey) -> Option<[(NodeIndex, NodeIndex); 2]> {
        Some([*self.ends.get(one)?, *self.ends.get(other)?])
    }

    fn edge(&mut self, from: &ResourceKey, to: &ResourceKey) {
        if let Some([(_, last), (first, _)]) = self.ends(from, to) {
            self.graph.add_edge(last, first, ());
        }
    }

    fn contain(&mut self, container: &ResourceKey, content: &ResourceKey) {
        if let Some([outer, inner]) = self.ends(container, content) {
            self.graph.add_edge(outer.0, inner.0, ());
            self.graph.add_edge(inner.1, outer.1, ());
        }
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
        ends: FxHashMap::default(),
    };
    for (key, is_container) in resources {
        graph.node(key, is_container);
    }
    for (container, content) in containments {
        graph.contain(container, content);
    }
    for edge in edges {
        graph.edge(&edge.from, &edge.to);
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
        let inside: FxHashSet<NodeIndex> = component.iter().copied().collect();
        let nodes = self.shortest(component, &inside);
        let cuts = self.cuts(&nodes, &inside);
        let mut path: Vec<ResourceKey> = nodes.iter().map(key).collect();
        path.dedup();
        if path.len() > 1 && path.first() == path.last() {
            path.pop();
        }
        Cycle {
            members,
            path,
            cuts,
        }
    }

    /// Returns the links of a cycle that all cycles of its component have; none for large components.
    fn cuts(
        &self,
        cycle: &[NodeIndex],
        inside: &FxHashSet<NodeIndex>,
    ) -> Vec<(ResourceKey, ResourceKey)> {
        let edges = inside.iter().map(|it| self.graph.neighbors(*it).count());
        if cycle.len() * edges.sum::<usize>() > MAX_STEPS {
            return Vec::new();
        }
        let links = cycle.iter().zip(cycle.iter().cycle().skip(1));
        let links = links.filter(|(from, to)| self.graph[**from] != self.graph[**to]);
        let cuts = links.filter(|(from, to)| self.is_acyclic_without((**from, **to), inside));
        cuts.map(|(from, to)| (self.graph[*from].clone(), self.graph[*to].clone()))
            .collect()
    }

    /// Checks whether a component has no cycle without a link, by removing the nodes to which no other leads.
    fn is_acyclic_without(
        &self,
        link: (NodeIndex, NodeIndex),
        inside: &FxHashSet<NodeIndex>,
    ) -> bool {
        let followers = |from: NodeIndex| {
            let all = self.graph.neighbors(from);
            all.filter(move |to| (from, *to) != link && inside.contains(to))
        };
        let mut counts: FxHashMap<NodeIndex, usize> = FxHashMap::default();
        for to in inside.iter().flat_map(|it| followers(*it)) {
            *counts.entry(to).or_default() += 1;
        }
        let is_first = |it: &NodeIndex| !counts.contains_key(it);
        let mut first: Vec<NodeIndex> = inside.iter().copied().filter(is_first).collect();
        let mut removed = 0;
        while let Some(at) = first.pop() {
            removed += 1;
            for to in followers(at) {
                if let Some(count) = counts.get_mut(&to) {
                    *count -= 1;
                    if *count == 0 {
                        first.push(to);
                    }
                }
            }
        }
        removed == inside.len()
    }

    /// Returns the shortest way from the first node of a component back to it.
    fn shortest(&self, component: &[NodeIndex], inside: &FxHashSet<NodeIndex>) -> Vec<NodeIndex> {
        let start = component.iter().copied().min_by_key(|it| it.index());
        start.map_or_else(Vec::new, |it| self.way_back(it, inside))
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
