//! Properties of compilations.

use analysis::Analysis;
use analysis::base::FileId;
use analysis::catalog::{Catalog, Compilation, CompileRequest, Place};
use analysis::hiera::Layer;
use analysis::ide::NodeVariables;

use crate::nodes::NAME;

/// A file of each workspace.
const FILE: FileId = FileId(0);

/// Compiles the catalog of a node.
pub fn compile(analysis: &Analysis, node: &NodeVariables) -> Compilation {
    let request = CompileRequest {
        source: None,
        names: vec![NAME.to_owned()],
        node,
    };
    let full_path = |layer: &Layer, path: &str| match layer {
        Layer::Environment => format!("/{path}"),
        Layer::Module(module) => format!("/modules/{module}/{path}"),
    };
    let compiled = analysis.compile(FILE, &request, &full_path);
    compiled.expect("each file belongs to the environment")
}

/// Checks that a compilation does not contradict itself.
pub fn check(analysis: &Analysis, compiled: &Compilation) {
    let catalog = &compiled.catalog;
    let is_whole = compiled.errors.is_empty() && catalog.is_complete();
    for edge in &catalog.edges {
        for key in [&edge.from, &edge.to] {
            let resource = catalog.resources.get(key);
            assert!(
                resource.is_some_and(|it| !it.is_virtual),
                "{edge:?} is not between resources"
            );
        }
    }
    for cycle in &catalog.cycles {
        assert!(cycle.members.is_sorted(), "{cycle:?} is not sorted");
        assert!(!cycle.path.is_empty(), "{cycle:?} has no path");
        for key in &cycle.members {
            assert!(
                catalog.resources.contains_key(key),
                "`{key}` of a cycle is not in the catalog"
            );
        }
    }
    for (key, resource) in &catalog.resources {
        let container = resource.container.as_ref();
        // The declaration of a stage may be wrong or unknown.
        let is_contained =
            !is_whole || container.is_none_or(|it| catalog.resources.contains_key(it));
        assert!(
            is_contained,
            "{container:?} around `{key}` is not in the catalog"
        );
        assert!(
            !(resource.is_certain && resource.condition.is_some()),
            "`{key}` is certain on a condition"
        );
    }
    for place in places(compiled) {
        let file = place.file.expect("all code is in files");
        let text = analysis.text(file).expect("the file has a text");
        assert!(
            crate::contains(&text, place.range),
            "{place:?} is outside of the file"
        );
    }
}

/// Returns all places that a compilation names.
fn places(compiled: &Compilation) -> impl Iterator<Item = Place> {
    let catalog = &compiled.catalog;
    let resources = catalog.resources.values();
    let of_resources = resources.flat_map(|it| {
        let parameters = it.parameters.values().map(|it| it.origin.place());
        parameters.chain([it.place])
    });
    let of_gaps = catalog
        .gaps
        .iter()
        .chain(&catalog.conditions)
        .map(|it| it.place);
    let of_edges = catalog.edges.iter().map(|it| it.place);
    let of_errors = compiled.errors.iter().flat_map(|it| [it.place, it.related]);
    of_resources
        .chain(of_gaps)
        .chain(of_edges)
        .chain(of_errors)
        .flatten()
}

/// Checks that a catalog has what is certain of each node, by the catalog of a node whose facts are unknown.
pub fn check_certain(certain: &Catalog, catalog: &Catalog) {
    for (key, resource) in certain.resources.iter().filter(|it| it.1.is_certain) {
        let Some(found) = catalog.resources.get(key) else {
            panic!("`{key}` is certain, but this node does not have it");
        };
        for (name, parameter) in &resource.parameters {
            let Ok(value) = &parameter.value else {
                continue;
            };
            match found.parameters.get(name).map(|it| &it.value) {
                Some(Ok(other)) => assert!(
                    value == other,
                    "`{name}` of `{key}`: {value:?}, but {other:?} on this node"
                ),
                Some(Err(_)) => {}
                None => panic!("`{name}` of `{key}` is certain, but this node does not have it"),
            }
        }
    }
}
