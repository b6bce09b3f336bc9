//! The positions of resources in a drawing.
//!
//! The resources in a container are placed in layers, from left to right in the order of their dependencies, by a
//! library for layered graphs. Those without dependencies are placed in rows. The container then is a box of its own
//! in the container around it.

use std::collections::{BTreeMap, BTreeSet};

use rust_sugiyama::configure::Config;
use rust_sugiyama::from_vertices_and_edges;

use super::Graph;

/// The space between boxes.
const GAP: f64 = 18.0;

/// The space between layers, for arrows.
const LAYER_GAP: f64 = 40.0;

/// The height of a box, and of the heading of a container.
pub(super) const LINE: f64 = 24.0;

/// The width of a character of the font.
const CHARACTER: f64 = 7.3;

/// The limit of resources that are placed in layers together. More would take long, and cannot be read.
const MAX_LAYERED: usize = 400;

/// The limit of resources for which crossings are reduced with more effort.
const MAX_TRANSPOSED: usize = 60;

/// A box.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Resources that are placed together, and the size of all.
type Group = (Vec<usize>, Rect);

/// The edges between the resources in a container.
type Edges = BTreeSet<(usize, usize)>;

/// Returns the box of each resource, and the size of the drawing.
pub(super) fn boxes(graph: &Graph<'_>, labels: &[String]) -> (Vec<Rect>, Rect) {
    let lifted = lifted_edges(graph);
    let order = inner_first(graph);
    // Positions are relative to the container until all sizes are known.
    let mut rects = vec![Rect::default(); graph.resources.len()];
    for number in &order {
        let label = labels[*number].chars().count() as f64 * CHARACTER + 20.0;
        let children = &graph.children[*number];
        rects[*number].width = label;
        rects[*number].height = LINE;
        if children.is_empty() {
            continue;
        }
        let inside = place(children, lifted.get(&Some(*number)), &mut rects);
        for child in children {
            rects[*child].x += GAP;
            rects[*child].y += LINE + GAP / 2.0;
        }
        rects[*number].width = label.max(inside.width + 2.0 * GAP);
        rects[*number].height = LINE + 1.5 * GAP + inside.height;
    }
    let all = place(&graph.roots, lifted.get(&None), &mut rects);
    for number in order.iter().rev() {
        let (x, y) = match graph.parents[*number] {
            Some(parent) => (rects[parent].x, rects[parent].y),
            None => (GAP, GAP),
        };
        rects[*number].x += x;
        rects[*number].y += y;
    }
    let size = Rect {
        width: all.width + 2.0 * GAP,
        height: all.height + 2.0 * GAP,
        ..all
    };
    (rects, size)
}

/// Returns the resources, each one after those that it contains.
fn inner_first(graph: &Graph<'_>) -> Vec<usize> {
    let mut order = Vec::new();
    let mut open = graph.roots.clone();
    while let Some(number) = open.pop() {
        order.push(number);
        open.extend(&graph.children[number]);
    }
    order.reverse();
    order
}

/// Returns the edges as those between resources in the same container: the ones that contain their ends.
fn lifted_edges(graph: &Graph<'_>) -> BTreeMap<Option<usize>, Edges> {
    let mut lifted: BTreeMap<Option<usize>, Edges> = BTreeMap::new();
    for edge in &graph.edges {
        let from: Vec<usize> = graph.containers(edge.from).collect();
        let to: Vec<usize> = graph.containers(edge.to).collect();
        let pairs = from.iter().rev().zip(to.iter().rev());
        let mut pairs = pairs.skip_while(|it| it.0 == it.1);
        if let Some((from, to)) = pairs.next() {
            let container = graph.parents[*from];
            lifted.entry(container).or_default().insert((*from, *to));
        }
    }
    lifted
}

/// Places resources whose sizes are known, from (0, 0), and returns the size of all.
fn place(numbers: &[usize], edges: Option<&Edges>, rects: &mut [Rect]) -> Rect {
    let mut groups: Vec<Group> = Vec::new();
    let mut layered = BTreeSet::new();
    if let Some(edges) = edges.filter(|_| numbers.len() <= MAX_LAYERED) {
        layered.extend(edges.iter().flat_map(|it| [it.0, it.1]));
        groups.extend(layers(&layered, edges, rects));
    }
    let alone = numbers.iter().filter(|it| !layered.contains(it));
    groups.extend(alone.map(|it| (vec![*it], rects[*it])));
    rows(&groups, rects)
}

/// Places resources with dependencies in layers, and returns those that are connected, with their size.
fn layers(numbers: &BTreeSet<usize>, edges: &Edges, rects: &mut [Rect]) -> Vec<Group> {
    // The library counts vertices from 0.
    let numbers: Vec<usize> = numbers.iter().copied().collect();
    let vertex = |it: usize| numbers.binary_search(&it).map_or(0, |it| it as u32);
    let edges = without_cycles(&numbers, edges);
    let edges: Vec<(u32, u32)> = edges
        .iter()
        .map(|it| (vertex(it.0), vertex(it.1)))
        .collect();
    // It places layers below each other: widths and heights change places.
    let size = |it: &usize| (rects[*it].height, rects[*it].width + LAYER_GAP);
    let vertices: Vec<(u32, (f64, f64))> =
        numbers.iter().map(|it| (vertex(*it), size(it))).collect();
    let config = Config {
        vertex_spacing: GAP,
        transpose: numbers.len() <= MAX_TRANSPOSED,
        ..Config::default()
    };
    let layouts = from_vertices_and_edges(&vertices, &edges, &config);
    let mut groups = Vec::new();
    for (places, _, _) in layouts {
        let mut group = Vec::new();
        for (vertex, (across, along)) in places {
            let Some(number) = numbers.get(vertex) else {
                continue;
            };
            let rect = &mut rects[*number];
            rect.x = along - rect.width / 2.0;
            rect.y = across - rect.height / 2.0;
            group.push(*number);
        }
        let size = to_origin(&group, rects);
        groups.push((group, size));
    }
    groups
}

/// Moves resources to (0, 0), and returns the size of all.
fn to_origin(group: &[usize], rects: &mut [Rect]) -> Rect {
    let x = group.iter().map(|it| rects[*it].x).fold(f64::MAX, f64::min);
    let y = group.iter().map(|it| rects[*it].y).fold(f64::MAX, f64::min);
    let mut size = Rect::default();
    for it in group {
        let rect = &mut rects[*it];
        rect.x -= x;
        rect.y -= y;
        size.width = size.width.max(rect.x + rect.width);
        size.height = size.height.max(rect.y + rect.height);
    }
    size
}

/// Returns the edges without those that close a cycle.
fn without_cycles(numbers: &[usize], edges: &Edges) -> Edges {
    let targets = |it: usize| -> Vec<usize> {
        let own = edges.range((it, 0)..=(it, usize::MAX));
        own.map(|it| it.1).collect()
    };
    let mut kept = Edges::new();
    let mut seen = BTreeSet::new();
    let mut in_progress = BTreeSet::new();
    for start in numbers {
        if !seen.insert(*start) {
            continue;
        }
        in_progress.insert(*start);
        let mut open = vec![(*start, targets(*start))];
        while let Some((at, rest)) = open.last_mut() {
            let at = *at;
            let Some(next) = rest.pop() else {
                in_progress.remove(&at);
                open.pop();
                continue;
            };
            if in_progress.contains(&next) {
                continue;
            }
            kept.insert((at, next));
            if seen.insert(next) {
                in_progress.insert(next);
                open.push((next, targets(next)));
            }
        }
    }
    kept
}

/// Places groups beside and below each other, and returns the size of all.
fn rows(groups: &[Group], rects: &mut [Rect]) -> Rect {
    let area = |it: &Rect| (it.width + GAP) * (it.height + GAP);
    let total: f64 = groups.iter().map(|it| area(&it.1)).sum();
    let widest = groups.iter().map(|it| it.1.width).fold(0.0, f64::max);
    let limit = widest.max((total * 1.6).sqrt());
    let mut size = Rect::default();
    let (mut x, mut y, mut height) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (group, rect) in groups {
        if x > 0.0 && x + rect.width > limit {
            y += height + GAP;
            (x, height) = (0.0, 0.0);
        }
        for it in group {
            rects[*it].x += x;
            rects[*it].y += y;
        }
        x += rect.width + GAP;
        height = height.max(rect.height);
        size.width = size.width.max(x - GAP);
        size.height = size.height.max(y + height);
    }
    size
}
