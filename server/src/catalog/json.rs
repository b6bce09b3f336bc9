//! Catalogs as JSON. The format is documented in the book.

use analysis::catalog::UnknownEdges;
use serde_json::{Map, Value, json};

use super::place::PlaceView;
use super::request::{CatalogRequest, NodeName, Subject};
use super::view::{CatalogView, OriginKind, ParameterView, ResourceView};
use super::{Compiled, error, value};
use crate::lookup::environment::LoadedEnvironment;

/// Describes catalogs.
pub(super) fn document(compiled: &[Compiled<'_>], environment: &LoadedEnvironment) -> Value {
    let catalogs = compiled.iter().map(|it| {
        let mut object = request(&it.request);
        match &it.outcome {
            Ok(view) => object.extend(catalog(view)),
            Err(errors) => {
                let errors = errors.iter().map(|error| {
                    let mut found = Map::new();
                    found.insert("message".to_owned(), error.message.as_str().into());
                    let place = error::place(error.place, &it.request, environment);
                    insert_place(&mut found, place.as_ref());
                    let related = error::place(error.related, &it.request, environment);
                    if let Some(related) = related {
                        let mut place = Map::new();
                        insert_place(&mut place, Some(&related));
                        found.insert("related".to_owned(), place.into());
                    }
                    Value::Object(found)
                });
                object.insert("errors".to_owned(), errors.collect());
            }
        }
        Value::Object(object)
    });
    json!({"catalogs": catalogs.collect::<Vec<Value>>()})
}

/// Describes the node, the code and the facts of a catalog.
pub(super) fn request(request: &CatalogRequest<'_>) -> Map<String, Value> {
    let mut object = Map::new();
    let mut insert = |name: &str, value: &str| {
        object.insert(name.to_owned(), value.into());
    };
    match &request.node {
        NodeName::Name(name) => insert("node", name),
        NodeName::DefaultDefinition => insert("node", "default"),
        NodeName::Unnamed => {}
    }
    match &request.subject {
        Subject::Manifests => {}
        Subject::Class(name) => insert("class", name),
        Subject::Code(code) => insert("code", code),
    }
    if let Some(set) = request.facts {
        insert("facts", &set.name);
    }
    object
}

fn catalog(view: &CatalogView) -> Map<String, Value> {
    let edges = view.edges.iter().map(|it| {
        let mut edge = Map::new();
        edge.insert("from".to_owned(), it.from.as_str().into());
        edge.insert("to".to_owned(), it.to.as_str().into());
        edge.insert("kind".to_owned(), it.kind.as_str().into());
        edge.insert("automatic".to_owned(), it.is_automatic.into());
        insert_place(&mut edge, it.place.as_ref());
        Value::Object(edge)
    });
    let unknown_edges = view.unknown_edges.iter().map(unknown_edges);
    let gaps = view.gaps.iter().map(|it| {
        let mut gap = Map::new();
        gap.insert("why".to_owned(), it.why.as_str().into());
        insert_place(&mut gap, it.place.as_ref());
        Value::Object(gap)
    });
    let mut object = Map::new();
    let mut insert = |name: &str, value: Value| object.insert(name.to_owned(), value);
    insert("resources", view.resources.iter().map(resource).collect());
    insert("classes", view.classes.clone().into());
    insert("edges", edges.collect());
    insert("unknown_edges", unknown_edges.collect());
    insert("cycles", view.cycles.clone().into());
    insert("unknown", gaps.collect());
    object
}

/// Describes dependencies between resources of two types that are not known.
pub(crate) fn unknown_edges(edges: &UnknownEdges) -> Value {
    json!({"from": edges.from, "to": edges.to})
}

fn resource(resource: &ResourceView) -> Value {
    let mut object = Map::new();
    let mut insert = |name: &str, value: Value| object.insert(name.to_owned(), value);
    insert("ref", resource.reference.as_str().into());
    insert("type", resource.key.type_name.as_str().into());
    insert("title", resource.key.title.as_str().into());
    if let Some(container) = &resource.container {
        insert("container", container.as_str().into());
    }
    if !resource.contained_in.is_empty() {
        insert("contained_in", resource.contained_in.clone().into());
    }
    insert("certain", resource.is_certain.into());
    if let Some(condition) = &resource.condition {
        insert("condition", condition.as_str().into());
    }
    insert("virtual", resource.is_virtual.into());
    insert("exported", resource.is_exported.into());
    insert("tags", resource.tags.clone().into());
    insert_place(&mut object, resource.place.as_ref());
    let parameters = resource.parameters.iter();
    let parameters = parameters.map(|it| (it.name.clone(), parameter(it)));
    object.insert("parameters".to_owned(), Value::Object(parameters.collect()));
    Value::Object(object)
}

fn parameter(parameter: &ParameterView) -> Value {
    let mut object = value(&parameter.value);
    let origin = origin_name(parameter.origin);
    object.insert("origin".to_owned(), origin.into());
    if let Some(key) = &parameter.key {
        object.insert("key".to_owned(), key.as_str().into());
    }
    insert_place(&mut object, parameter.place.as_ref());
    Value::Object(object)
}

/// Describes a value, or why it is unknown.
pub(super) fn value(value: &Result<analysis::values::Value, String>) -> Map<String, Value> {
    let (name, value) = match value {
        Ok(value) => ("value", value::to_json(value)),
        Err(why) => ("unknown", why.as_str().into()),
    };
    Map::from_iter([(name.to_owned(), value)])
}

pub(crate) fn origin_name(origin: OriginKind) -> &'static str {
    match origin {
        OriginKind::Declaration => "declaration",
        OriginKind::DefaultValue => "default",
        OriginKind::ResourceDefault => "resource-default",
        OriginKind::Override => "override",
        OriginKind::Data => "data",
        OriginKind::Title => "title",
        OriginKind::Relationship => "relationship",
    }
}

/// Adds the file and line of a place.
pub(super) fn insert_place(object: &mut Map<String, Value>, place: Option<&PlaceView>) {
    if let Some(place) = place {
        object.insert("file".to_owned(), place.file.as_str().into());
        object.insert("line".to_owned(), place.line.into());
    }
}
