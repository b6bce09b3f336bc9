//! Cycles between the resources of an item whose titles have variables: their metaparameters name each other as written.
//!
//! Compiled catalogs contain the others. A variable keeps its value in its scope, so that the same source is the same title.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use hir::body::{AttributeUse, Resource, ResourceForm};
use hir::canonical_name;
use library::RELATIONSHIPS;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AccessExpr, AstNode, AttributeOperation, Expr, ResourceBody};
use syntax::{SyntaxKind, TextRange};

use crate::checker::Checker;
use crate::fixes::{capitalized, node_at};

/// A resource: its type, and the source of its title.
type Key = (String, String);

/// A relationship that a metaparameter adds.
struct Edge {
    from: Key,
    to: Key,
    /// The range of the attribute.
    range: TextRange,
}

/// A cycle, at the relationship that closes it.
pub(crate) struct WrittenCycle {
    pub(crate) range: TextRange,
    /// The resources in order, as references.
    pub(crate) way: Vec<String>,
}

/// Returns the cycles between the resources that the same block of an item declares, one for each block.
pub(crate) fn written_cycles(checker: &Checker<'_>) -> Vec<WrittenCycle> {
    let mut blocks: FxHashMap<(usize, usize), Vec<&Resource>> = FxHashMap::default();
    let declared = checker.body.resources.iter();
    for resource in declared.filter(|it| it.form == ResourceForm::Declaration && !it.guarded) {
        let block = (resource.scope, resource.branch);
        blocks.entry(block).or_default().push(resource);
    }
    let blocks = blocks.into_values().filter(|it| may_have_cycle(it));
    blocks.filter_map(|it| cycle(checker, &it)).collect()
}

/// Checks whether resources have relationships and titles with variables. Does not read the tree, whose nodes are far down
/// in a chain of arrows.
fn may_have_cycle(block: &[&Resource]) -> bool {
    let is_relationship = |it: &AttributeUse| RELATIONSHIPS.contains(&it.name.as_str());
    let mut attributes = block.iter().flat_map(|it| &it.attributes);
    block.iter().any(|it| !it.has_only_literal_titles) && attributes.any(is_relationship)
}

fn cycle(checker: &Checker<'_>, block: &[&Resource]) -> Option<WrittenCycle> {
    let mut places: FxHashMap<Key, usize> = FxHashMap::default();
    let mut edges = Vec::new();
    let root = checker.root();
    for (place, resource) in block.iter().enumerate() {
        let body = node_at(&root, resource.range).and_then(ResourceBody::cast)?;
        let title = body.title().and_then(|it| source(&it));
        let key = resource.type_.clone().zip(title);
        if let Some(key) = key.filter(|_| !is_virtual(&body)) {
            edges.extend(body.operations().flat_map(|it| relationships(&key, &it)));
            places.insert(key, place);
        }
    }
    edges.retain(|it| places.contains_key(&it.from) && places.contains_key(&it.to));
    let components = components(&edges);
    let against_order = edges.iter().filter(|it| places[&it.from] >= places[&it.to]);
    // One relationship of each component stands for all of its cycles.
    let mut seen = FxHashSet::default();
    let closing = against_order.filter(|it| {
        let component = components.get(&it.from);
        component == components.get(&it.to) && seen.insert(component)
    });
    closing.into_iter().find_map(|last| {
        let way = way(&edges, &last.to, &last.from)?;
        let has_variable = way.iter().any(|it| it.1.contains('$'));
        has_variable.then(|| WrittenCycle {
            range: last.range,
            way: way.iter().map(reference).collect(),
        })
    })
}

/// Checks whether a resource is only in the catalog if other code realizes it.
fn is_virtual(body: &ResourceBody) -> bool {
    let mut around = body.syntax().ancestors();
    let outer = around.nth(2).map(|it| it.kind());
    outer == Some(SyntaxKind::VIRTUAL_EXPR)
}

fn reference((type_, title): &Key) -> String {
    format!("{}[{title}]", capitalized(type_))
}

/// Returns the source of a title without calls.
fn source(title: &Expr) -> Option<String> {
    let node = title.syntax();
    let is_title = matches!(
        title,
        Expr::InterpolatedString(_) | Expr::StringLiteral(_) | Expr::VariableExpr(_)
    );
    let mut nodes = node.descendants();
    let calls =
        nodes.any(|it| matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL));
    (is_title && !calls).then(|| node.text().to_string())
}

/// Returns the relationships that an attribute of a resource adds.
fn relationships(own: &Key, operation: &AttributeOperation) -> Vec<Edge> {
    let AttributeOperation::Attribute(attribute) = operation else {
        return Vec::new();
    };
    let (Some(name), Some(value)) = (attribute.name_token(), attribute.value()) else {
        return Vec::new();
    };
    if !RELATIONSHIPS.contains(&name.text()) {
        return Vec::new();
    }
    let is_first = ["before", "notify"].contains(&name.text());
    let range = operation.syntax().text_range();
    let edge = |other: Key| match is_first {
        true => Edge {
            from: own.clone(),
            to: other,
            range,
        },
        false => Edge {
            from: other,
            to: own.clone(),
            range,
        },
    };
    references(&value).into_iter().map(edge).collect()
}

/// Returns the resources that a reference, or an array of references, names.
fn references(value: &Expr) -> Vec<Key> {
    match value {
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| references(&it)).collect(),
        Expr::AccessExpr(it) => named(it),
        _ => Vec::new(),
    }
}

fn named(access: &AccessExpr) -> Vec<Key> {
    let Some(Expr::QualifiedReference(type_)) = access.base() else {
        return Vec::new();
    };
    let type_ = canonical_name(&type_.text());
    let titles = access.keys().into_iter().filter_map(|it| source(&it));
    titles.map(|it| (type_.clone(), it)).collect()
}

/// Returns the resources with relationships, numbered so that those which depend on each other have the same number.
fn components(edges: &[Edge]) -> FxHashMap<&Key, usize> {
    let mut graph = DiGraph::<&Key, ()>::new();
    let mut nodes = FxHashMap::default();
    for edge in edges {
        let [from, to] =
            [&edge.from, &edge.to].map(|it| *nodes.entry(it).or_insert_with(|| graph.add_node(it)));
        graph.add_edge(from, to, ());
    }
    let components = tarjan_scc(&graph).into_iter().enumerate();
    let numbered = components.flat_map(|(number, all)| all.into_iter().map(move |it| (it, number)));
    numbered.map(|(it, number)| (graph[it], number)).collect()
}

/// Returns the resources from one to another along relationships, if there is a way.
fn way(edges: &[Edge], from: &Key, to: &Key) -> Option<Vec<Key>> {
    let mut next: FxHashMap<&Key, Vec<&Key>> = FxHashMap::default();
    for edge in edges {
        next.entry(&edge.from).or_default().push(&edge.to);
    }
    // Each resource with the one before it on the way.
    let mut before: FxHashMap<&Key, Option<&Key>> = FxHashMap::from_iter([(from, None)]);
    let mut pending = VecDeque::from([from]);
    while let Some(at) = pending.pop_front().filter(|it| *it != to) {
        for following in next.get(at).into_iter().flatten().copied() {
            if let Entry::Vacant(entry) = before.entry(following) {
                entry.insert(Some(at));
                pending.push_back(following);
            }
        }
    }
    before.contains_key(to).then(|| {
        let back = std::iter::successors(Some(to), |it| *before.get(*it)?);
        let mut way: Vec<Key> = back.cloned().collect();
        way.reverse();
        way
    })
}
