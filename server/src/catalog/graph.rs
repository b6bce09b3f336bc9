//! The graph of a catalog: resources in their containers, and the dependencies between them.

mod dot;
mod layout;
mod mermaid;
mod svg;

use std::collections::HashMap;

use super::view::{CatalogView, EdgeView, ResourceView};
use crate::args::CatalogFormat;

/// Containers of every catalog, which are not drawn.
const NOT_DRAWN: [&str; 3] = ["Class[Settings]", "Class[main]", "Stage[main]"];

/// The number of resources from which a drawing is hard to read.
pub(super) const MANY: usize = 300;

/// The graph of a catalog. Resources are numbers.
struct Graph<'a> {
    resources: Vec<&'a ResourceView>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// The resources in no container that is drawn.
    roots: Vec<usize>,
    edges: Vec<GraphEdge<'a>>,
}

struct GraphEdge<'a> {
    from: usize,
    to: usize,
    edge: &'a EdgeView,
}

/// Draws a catalog.
pub(super) fn draw(view: &CatalogView, format: CatalogFormat) -> String {
    let graph = Graph::new(view);
    match format {
        CatalogFormat::Svg => svg::document(&graph),
        CatalogFormat::Mermaid => mermaid::document(&graph),
        CatalogFormat::Dot | CatalogFormat::Text | CatalogFormat::Json => dot::document(&graph),
    }
}

impl<'a> Graph<'a> {
    fn new(view: &'a CatalogView) -> Graph<'a> {
        let is_drawn = |it: &&ResourceView| !NOT_DRAWN.contains(&&*it.reference);
        let resources: Vec<&ResourceView> = view.resources.iter().filter(is_drawn).collect();
        let numbers: HashMap<&str, usize> = resources
            .iter()
            .enumerate()
            .map(|(number, it)| (&*it.reference, number))
            .collect();
        let number = |it: &str| numbers.get(it).copied();
        let mut parents: Vec<Option<usize>> = resources
            .iter()
            .map(|it| it.container.as_deref().and_then(number))
            .collect();
        cut_cycles(&mut parents);
        let mut children = vec![Vec::new(); resources.len()];
        let mut roots = Vec::new();
        for (it, parent) in parents.iter().enumerate() {
            match parent {
                Some(parent) => children[*parent].push(it),
                None => roots.push(it),
            }
        }
        let edges = view.edges.iter().filter_map(|edge| {
            let (from, to) = number(&edge.from).zip(number(&edge.to))?;
            Some(GraphEdge { from, to, edge })
        });
        Graph {
            edges: edges.collect(),
            resources,
            parents,
            children,
            roots,
        }
    }

    fn is_container(&self, number: usize) -> bool {
        !self.children[number].is_empty()
    }

    /// Returns a resource and its containers, the innermost first.
    fn containers(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |it| self.parents[*it])
    }
}

/// Makes a root of each resource that contains itself.
fn cut_cycles(parents: &mut [Option<usize>]) {
    for start in 0..parents.len() {
        let mut at = parents[start];
        for _ in 0..parents.len() {
            match at {
                Some(it) if it == start => {
                    parents[start] = None;
                    break;
                }
                Some(it) => at = parents[it],
                None => break,
            }
        }
    }
}
