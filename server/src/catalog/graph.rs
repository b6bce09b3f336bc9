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
            .map(|it| it.shown_in().and_then(number))
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

#[cfg(test)]
mod tests {
    use analysis::catalog::ResourceKey;

    use analysis::catalog::EdgeKind;

    use super::layout::{Rect, boxes};
    use super::*;

    fn resource(title: &str, container: Option<&str>) -> ResourceView {
        let key = ResourceKey::new("Notify", title);
        ResourceView {
            reference: key.puppet_name(),
            key,
            container: container.map(|it| format!("Notify[{it}]")),
            contained_in: Vec::new(),
            place: None,
            parameters: Vec::new(),
            tags: Vec::new(),
            is_virtual: false,
            is_exported: false,
            is_certain: true,
            condition: None,
        }
    }

    fn view(resources: Vec<ResourceView>, edges: &[(&str, &str)]) -> CatalogView {
        let edges = edges.iter().map(|(from, to)| EdgeView {
            from: format!("Notify[{from}]"),
            to: format!("Notify[{to}]"),
            kind: EdgeKind::Before,
            is_automatic: false,
            place: None,
        });
        CatalogView {
            resources,
            classes: Vec::new(),
            edges: edges.collect(),
            unknown_edges: Vec::new(),
            cycles: Vec::new(),
            gaps: Vec::new(),
        }
    }

    fn rects(view: &CatalogView) -> (Graph<'_>, Vec<Rect>) {
        let graph = Graph::new(view);
        let labels = graph.resources.iter().map(|it| it.reference.clone());
        let labels: Vec<String> = labels.collect();
        let (rects, _) = boxes(&graph, &labels);
        (graph, rects)
    }

    fn is_inside(inner: Rect, outer: Rect) -> bool {
        inner.x >= outer.x
            && inner.y >= outer.y
            && inner.x + inner.width <= outer.x + outer.width
            && inner.y + inner.height <= outer.y + outer.height
    }

    fn overlap(a: Rect, b: Rect) -> bool {
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }

    #[test]
    fn places_resources_beside_each_other_in_their_containers() {
        let mut resources = vec![
            resource("outer", None),
            resource("inner", Some("outer")),
            resource("other", None),
        ];
        for (title, container) in [
            ("a", "inner"),
            ("b", "inner"),
            ("c", "inner"),
            ("d", "other"),
        ] {
            resources.push(resource(title, Some(container)));
        }
        resources.extend((0..40).map(|it| resource(&format!("x{it}"), Some("outer"))));
        let view = view(
            resources,
            &[
                ("b", "c"),
                ("c", "a"),
                // A cycle, and edges from and into containers.
                ("a", "b"),
                ("d", "a"),
                ("x1", "x2"),
                ("inner", "x1"),
                ("inner", "b"),
                ("x9", "x9"),
            ],
        );
        let (graph, rects) = rects(&view);
        for (at, rect) in rects.iter().enumerate() {
            let name = &graph.resources[at].reference;
            if let Some(parent) = graph.parents[at] {
                assert!(is_inside(*rect, rects[parent]), "{name}: {rects:?}");
            }
            let is_sibling =
                |other: &usize| *other != at && graph.parents[*other] == graph.parents[at];
            for other in (0..rects.len()).filter(is_sibling) {
                assert!(!overlap(*rect, rects[other]), "{name}: {rects:?}");
            }
        }
    }

    #[test]
    fn places_dependencies_from_left_to_right() {
        let titles = ["z", "c", "a", "b"];
        let resources = titles.iter().map(|it| resource(it, None));
        let view = view(resources.collect(), &[("a", "b"), ("b", "c")]);
        let (graph, rects) = rects(&view);
        let x = |title: &str| {
            let reference = format!("Notify[{title}]");
            let at = graph
                .resources
                .iter()
                .position(|it| it.reference == reference);
            rects[at.expect(title)].x
        };
        assert!(x("a") < x("b") && x("b") < x("c"));
    }

    #[test]
    fn accepts_containers_that_contain_each_other() {
        let resources = vec![resource("a", Some("b")), resource("b", Some("a"))];
        let view = view(resources, &[]);
        for format in [
            CatalogFormat::Dot,
            CatalogFormat::Mermaid,
            CatalogFormat::Svg,
        ] {
            let drawn = draw(&view, format);
            assert!(drawn.contains("[a") && drawn.contains("[b"), "{drawn}");
        }
    }
}
