//! Cycles between the resources of an item whose titles have variables: their metaparameters name each other as written.
//!
//! Compiled catalogs contain the others. A variable keeps its value in its scope, so that the same source is the same title.

use hir::body::{Resource, ResourceForm};
use hir::canonical_name;
use library::RELATIONSHIPS;
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
    let blocks = blocks.into_values().filter(|it| it.len() > 1);
    blocks.filter_map(|it| cycle(checker, &it)).collect()
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
    let against_order = edges.iter().filter(|it| places[&it.from] >= places[&it.to]);
    against_order.into_iter().find_map(|last| {
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

/// Returns the resources from one to another along relationships, if there is a way.
fn way(edges: &[Edge], from: &Key, to: &Key) -> Option<Vec<Key>> {
    let mut next: FxHashMap<&Key, Vec<&Key>> = FxHashMap::default();
    for edge in edges {
        next.entry(&edge.from).or_default().push(&edge.to);
    }
    let mut seen: FxHashSet<&Key> = FxHashSet::from_iter([from]);
    let mut ways = vec![vec![from]];
    while let Some(way) = ways.pop() {
        let last = way.last().copied()?;
        if last == to {
            return Some(way.into_iter().cloned().collect());
        }
        for following in next.get(last).into_iter().flatten() {
            if seen.insert(following) {
                let mut longer = way.clone();
                longer.push(following);
                ways.push(longer);
            }
        }
    }
    None
}
