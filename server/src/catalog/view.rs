//! A catalog as users see it: with paths and lines instead of offsets.

use analysis::catalog::{Catalog, EdgeKind, Origin, Resource, ResourceKey};
use analysis::values::Value;

use super::data_places::DataPlaces;
use super::place::{PlaceView, Places};
use super::request::CatalogRequest;
use crate::lookup::environment::LoadedEnvironment;

/// A catalog.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CatalogView {
    /// The resources in the order of their declaration.
    pub(super) resources: Vec<ResourceView>,
    /// The names of the classes, sorted.
    pub(super) classes: Vec<String>,
    pub(super) edges: Vec<EdgeView>,
    pub(super) cycles: Vec<Vec<String>>,
    /// The parts of the code with unknown effects.
    pub(super) gaps: Vec<GapView>,
}

/// A resource.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ResourceView {
    pub(super) key: ResourceKey,
    pub(super) reference: String,
    pub(super) container: Option<String>,
    pub(super) place: Option<PlaceView>,
    pub(super) parameters: Vec<ParameterView>,
    pub(super) tags: Vec<String>,
    pub(super) is_virtual: bool,
    pub(super) is_exported: bool,
    pub(super) is_certain: bool,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ParameterView {
    pub(super) name: String,
    /// The value, or why it is unknown.
    pub(super) value: Result<Value, String>,
    pub(super) origin: OriginKind,
    /// The Hiera key of the value.
    pub(super) key: Option<String>,
    pub(super) place: Option<PlaceView>,
}

/// The kind of code or data that sets a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OriginKind {
    Declaration,
    DefaultValue,
    ResourceDefault,
    Override,
    Data,
    Title,
    Relationship,
}

/// A dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EdgeView {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) kind: EdgeKind,
    pub(super) is_automatic: bool,
    pub(super) place: Option<PlaceView>,
}

/// A part of the code with unknown effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GapView {
    pub(super) place: Option<PlaceView>,
    pub(super) why: String,
}

impl CatalogView {
    /// Describes a catalog that was compiled in an environment, which the node knows by a name.
    pub(super) fn new(
        catalog: &Catalog,
        request: &CatalogRequest<'_>,
        environment: &LoadedEnvironment,
        name: &str,
    ) -> CatalogView {
        let places = Places::new(request, environment);
        let data = DataPlaces::find(catalog, request, environment, name);
        let resources = catalog.resources.iter();
        let mut classes = catalog.classes.clone();
        classes.sort_unstable();
        CatalogView {
            resources: resources
                .map(|(key, it)| resource(key, it, &places, &data))
                .collect(),
            classes,
            edges: catalog
                .edges
                .iter()
                .map(|it| EdgeView {
                    from: it.from.to_string(),
                    to: it.to.to_string(),
                    kind: it.kind,
                    is_automatic: it.is_automatic,
                    place: places.find(it.place),
                })
                .collect(),
            cycles: catalog
                .cycles
                .iter()
                .map(|it| it.path.iter().map(ResourceKey::to_string).collect())
                .collect(),
            gaps: catalog
                .gaps
                .iter()
                .map(|it| GapView {
                    place: places.find(it.place),
                    why: it.why.clone(),
                })
                .collect(),
        }
    }
}

fn resource(
    key: &ResourceKey,
    resource: &Resource,
    places: &Places<'_>,
    data: &DataPlaces,
) -> ResourceView {
    let parameters = resource.parameters.iter().map(|(name, it)| {
        let key = match &it.origin {
            Origin::Data { key } => Some(key.clone()),
            _ => None,
        };
        let of_data = key.as_deref().and_then(|it| data.get(it));
        ParameterView {
            name: name.clone(),
            value: it.value.clone(),
            origin: origin_kind(&it.origin),
            key,
            place: of_data.or_else(|| places.find(it.origin.place())),
        }
    });
    ResourceView {
        reference: key.to_string(),
        key: key.clone(),
        container: resource.container.as_ref().map(ResourceKey::to_string),
        place: places.find(resource.place),
        parameters: parameters.collect(),
        tags: resource.tags.iter().cloned().collect(),
        is_virtual: resource.is_virtual,
        is_exported: resource.is_exported,
        is_certain: resource.is_certain,
    }
}

fn origin_kind(origin: &Origin) -> OriginKind {
    match origin {
        Origin::Declaration(_) => OriginKind::Declaration,
        Origin::DefaultValue(_) => OriginKind::DefaultValue,
        Origin::ResourceDefault(_) => OriginKind::ResourceDefault,
        Origin::Override(_) => OriginKind::Override,
        Origin::Data { .. } => OriginKind::Data,
        Origin::Title => OriginKind::Title,
        Origin::Relationship(_) => OriginKind::Relationship,
    }
}
