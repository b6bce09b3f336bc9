//! A catalog as users see it: with paths and lines instead of offsets.

use analysis::catalog::{Catalog, EdgeKind, Origin, Resource, ResourceKey, UnknownEdges};
use analysis::values::Value;
use rustc_hash::FxHashMap;

use super::data_places::DataPlaces;
use super::place::{PlaceView, Places};
use super::request::CatalogRequest;
use crate::lookup::environment::LoadedEnvironment;

/// A catalog.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CatalogView {
    /// The resources in the order of their declaration.
    pub(crate) resources: Vec<ResourceView>,
    /// The names of the classes, sorted.
    pub(crate) classes: Vec<String>,
    pub(crate) edges: Vec<EdgeView>,
    /// The further dependencies that the resources may have.
    pub(crate) unknown_edges: Vec<UnknownEdges>,
    pub(crate) cycles: Vec<Vec<String>>,
    /// The parts of the code with unknown effects.
    pub(crate) gaps: Vec<GapView>,
}

/// A resource.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ResourceView {
    pub(crate) key: ResourceKey,
    pub(crate) reference: String,
    pub(crate) container: Option<String>,
    /// The classes and defined types that `contain` the class, sorted.
    pub(crate) contained_in: Vec<String>,
    pub(crate) place: Option<PlaceView>,
    pub(crate) parameters: Vec<ParameterView>,
    pub(crate) tags: Vec<String>,
    pub(crate) is_virtual: bool,
    pub(crate) is_exported: bool,
    pub(crate) is_certain: bool,
    /// The conditions with unknown values under which it is declared.
    pub(crate) condition: Option<String>,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ParameterView {
    pub(crate) name: String,
    /// The value, or why it is unknown.
    pub(crate) value: Result<Value, String>,
    pub(crate) origin: OriginKind,
    /// The Hiera key of the value.
    pub(crate) key: Option<String>,
    pub(crate) place: Option<PlaceView>,
}

/// The kind of code or data that sets a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OriginKind {
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
pub(crate) struct EdgeView {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: EdgeKind,
    pub(crate) is_automatic: bool,
    pub(crate) place: Option<PlaceView>,
}

/// A part of the code with unknown effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GapView {
    pub(crate) place: Option<PlaceView>,
    pub(crate) why: String,
}

impl CatalogView {
    /// Describes a catalog that was compiled in an environment, which the node knows by a name.
    pub(crate) fn new(
        catalog: &Catalog,
        request: &CatalogRequest<'_>,
        environment: &LoadedEnvironment,
        name: &str,
    ) -> CatalogView {
        let places = Places::new(request, environment);
        let data = DataPlaces::find(catalog, request, environment, name);
        let contained_in = contained_in(catalog);
        let resources = catalog.resources.iter();
        let mut classes = catalog.classes.clone();
        classes.sort_unstable();
        CatalogView {
            resources: resources
                .map(|(key, it)| ResourceView {
                    contained_in: contained_in.get(key).cloned().unwrap_or_default(),
                    ..resource(key, it, &places, &data)
                })
                .collect(),
            classes,
            edges: catalog
                .edges
                .iter()
                .map(|it| EdgeView {
                    from: it.from.puppet_name(),
                    to: it.to.puppet_name(),
                    kind: it.kind,
                    is_automatic: it.is_automatic,
                    place: places.find(it.place),
                })
                .collect(),
            unknown_edges: catalog.unknown_edges.iter().cloned().collect(),
            cycles: catalog
                .cycles
                .iter()
                .map(|it| it.path.iter().map(ResourceKey::puppet_name).collect())
                .collect(),
            gaps: catalog
                .gaps
                .iter()
                .chain(&catalog.conditions)
                .map(|it| GapView {
                    place: places.find(it.place),
                    why: it.why.clone(),
                })
                .collect(),
        }
    }
}

impl ResourceView {
    /// Returns the resource that it is shown in: the first one that contains the class, or else the one that declares it.
    pub(crate) fn shown_in(&self) -> Option<&str> {
        let first = self.contained_in.first().or(self.container.as_ref());
        first.map(String::as_str)
    }
}

impl CatalogView {
    /// Replaces the places in the code of the request.
    pub(crate) fn replace_code(&mut self, place: &PlaceView) {
        let of_resources = self.resources.iter_mut().flat_map(|it| {
            let parameters = it.parameters.iter_mut().map(|it| &mut it.place);
            parameters.chain([&mut it.place])
        });
        let of_edges = self.edges.iter_mut().map(|it| &mut it.place);
        let of_gaps = self.gaps.iter_mut().map(|it| &mut it.place);
        for it in of_resources.chain(of_edges).chain(of_gaps) {
            if it.as_ref().is_some_and(|it| it.target.is_none()) {
                *it = Some(place.clone());
            }
        }
    }
}

/// Returns the sorted containers of each class that others `contain`.
fn contained_in(catalog: &Catalog) -> FxHashMap<&ResourceKey, Vec<String>> {
    let mut found: FxHashMap<_, Vec<String>> = FxHashMap::default();
    for (container, class) in catalog.containments.keys() {
        found
            .entry(class)
            .or_default()
            .push(container.puppet_name());
    }
    found.values_mut().for_each(|it| it.sort_unstable());
    found
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
            value: it.value.clone().map_err(String::from),
            origin: origin_kind(&it.origin),
            key,
            place: of_data.or_else(|| places.find(it.origin.place())),
        }
    });
    ResourceView {
        reference: key.puppet_name(),
        key: key.clone(),
        container: resource.container.as_ref().map(ResourceKey::puppet_name),
        contained_in: Vec::new(),
        place: places.find(resource.place),
        parameters: parameters.collect(),
        tags: resource.tags().into_iter().collect(),
        is_virtual: resource.is_virtual,
        is_exported: resource.is_exported,
        is_certain: resource.is_certain,
        condition: condition(resource),
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

/// Returns the conditions of a resource, if there are any.
fn condition(resource: &Resource) -> Option<String> {
    let condition = resource.condition.as_deref();
    condition.filter(|it| !it.is_empty()).map(str::to_owned)
}
