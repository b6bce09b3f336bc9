//! The dependencies of a catalog, as the agent derives them: metaparameters, arrows, and those that resource
//! types add by themselves.

use std::collections::BTreeSet;

use hir::canonical_name;
use hir::ruby_symbols::resource_type;
use indexmap::Equivalent;
use library::RELATIONSHIPS;
use library::signatures::{AutomaticRelation, AutomaticRelationKind};
use rustc_hash::FxHashMap;
use types::capitalize_segments;
use types::values::Value;

use crate::automatic_relations::{Relation, lacks_provider, relations_of};
use crate::cycles::cycles;
use crate::data::{Catalog, Cycle, Edge, EdgeKind, Place, Resource, ResourceKey, UnknownEdges};
use crate::state::{Compiler, State};
use crate::values::referred;

/// The resources that the agent manages, by their names.
pub(crate) struct Managed<'a> {
    pub(crate) catalog: &'a Catalog,
    /// The resources by type and by their aliases, and by the value of the parameter that names them.
    aliases: FxHashMap<(&'a str, &'a str), &'a ResourceKey>,
}

impl<'a> Managed<'a> {
    fn new(compiler: &Compiler<'_>, catalog: &'a Catalog) -> Managed<'a> {
        let mut aliases = FxHashMap::default();
        for (key, resource) in catalog.resources.iter().filter(|it| !it.1.is_virtual) {
            let name = compiler.name_variable_of(key);
            let name = name
                .and_then(|it| resource.known(&it))
                .and_then(Value::as_str);
            if let Some(name) = name {
                let name = match key.type_name.as_str() {
                    "File" if name.len() > 1 => name.trim_end_matches('/'),
                    _ => name,
                };
                aliases.entry((key.type_name.as_str(), name)).or_insert(key);
            }
            for alias in resource.known("alias").into_iter().flat_map(strings) {
                aliases
                    .entry((key.type_name.as_str(), alias))
                    .or_insert(key);
            }
        }
        Managed { catalog, aliases }
    }

    /// Returns a resource by its type, capitalized, and its title or name.
    fn find(&self, type_name: &str, title: &str) -> Option<&'a ResourceKey> {
        let key = BorrowedKey { type_name, title };
        match self.catalog.resources.get_key_value(&key) {
            Some((found, resource)) => (!resource.is_virtual).then_some(found),
            None => self.aliases.get(&(type_name, title)).copied(),
        }
    }

    /// Returns the resources that the values of a metaparameter refer to.
    fn references(&self, values: &[Value]) -> Vec<&'a ResourceKey> {
        let keys = values.iter().filter_map(referred);
        keys.filter_map(|it| self.find(&it.type_name, &it.title))
            .collect()
    }
}

/// The key of a resource for a look-up, hashed like a [`ResourceKey`].
#[derive(Hash)]
struct BorrowedKey<'a> {
    type_name: &'a str,
    title: &'a str,
}

impl Equivalent<ResourceKey> for BorrowedKey<'_> {
    fn equivalent(&self, key: &ResourceKey) -> bool {
        self.type_name == key.type_name && self.title == key.title
    }
}

/// Returns a string, or those in an array.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        value => value.as_str().into_iter().collect(),
    }
}

impl Resource {
    /// Returns the value of a parameter; `None` if it is not given or unknown.
    pub(crate) fn known(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)?.value.as_ref().ok()
    }
}

impl Compiler<'_> {
    /// Returns the dependencies between the resources.
    pub(crate) fn edges(&self) -> Vec<Edge> {
        let state = self.state.borrow();
        let managed = Managed::new(self, &state.effects.catalog);
        let managed_resources = || {
            let all = state.effects.catalog.resources.iter();
            all.filter(|it| !it.1.is_virtual)
        };
        let mut edges = Edges::default();
        for (key, resource) in managed_resources() {
            for name in RELATIONSHIPS {
                let parameter = resource.parameters.get(name);
                let Some(parameter) = parameter else {
                    continue;
                };
                let mut others = managed.references(&parameter.known_values());
                // Another arrow makes the parameter unknown: use its known arrows.
                if parameter.value.is_err() {
                    let targets = arrow_targets(&state, key, name).into_iter();
                    others.extend(targets.filter_map(|it| managed.find(&it.type_name, &it.title)));
                }
                for other in others {
                    let (from, to, kind) = match name {
                        "before" => (key, other, EdgeKind::Before),
                        "notify" => (key, other, EdgeKind::Notify),
                        "require" => (other, key, EdgeKind::Before),
                        _ => (other, key, EdgeKind::Notify),
                    };
                    let arrow = state.effects.arrows.get(key).and_then(|it| it.get(other));
                    let arrow = arrow.map(|it| it.1);
                    let attribute = || parameter.origin.place();
                    let place = arrow.or_else(attribute).or(resource.place);
                    edges.add((from, to), kind, false, place);
                }
            }
        }
        let mut relations_of_types: FxHashMap<&str, _> = FxHashMap::default();
        for (key, resource) in managed_resources() {
            let declared = relations_of_types
                .entry(&key.type_name)
                .or_insert_with(|| self.automatic_relations(&key.type_name));
            let Some(declared) = declared else {
                continue;
            };
            for relation in relations_of(key, resource, declared) {
                edges.add_automatic(&managed, (key, resource), &relation);
            }
        }
        edges.all
    }

    /// Returns the relations in the code of a resource type. Puppet skips those with classes and defined types (see
    /// `Puppet::Type#autorelation`).
    /// `None` for a defined type, which has none.
    fn automatic_relations(&self, type_name: &str) -> Option<Vec<AutomaticRelation>> {
        let known =
            |name: &str| resource_type(self.db, Some(self.environment), &canonical_name(name));
        let of_type = known(type_name);
        if of_type.is_none() && self.is_defined_type(&canonical_name(type_name)) {
            return None;
        }
        let relations = of_type
            .iter()
            .flat_map(|it| &it.declared().automatic_relations);
        let of_resources = relations.filter(|it| known(&it.type_name).is_some());
        Some(of_resources.cloned().collect())
    }

    /// Returns the dependencies that resource types compute.
    pub(crate) fn unknown_edges(&self) -> BTreeSet<UnknownEdges> {
        let state = self.state.borrow();
        let managed = state.effects.catalog.resources.iter();
        let managed = managed.filter(|it| !it.1.is_virtual);
        let types: BTreeSet<&str> = managed.clone().map(|it| it.0.type_name.as_str()).collect();
        let mut found = BTreeSet::new();
        for own in &types {
            let of_type = managed.clone().filter(|it| it.0.type_name == *own);
            let relations = self.automatic_relations(own);
            let is_unknown = |it: &&AutomaticRelation| {
                it.titles.is_none() || of_type.clone().any(|own| lacks_provider(it, own.1))
            };
            for relation in relations.iter().flatten().filter(is_unknown) {
                let other = capitalize_segments(&relation.type_name);
                if !types.contains(other.as_str()) {
                    continue;
                }
                let own = (*own).to_owned();
                let (from, to) = match relation.kind {
                    AutomaticRelationKind::Require | AutomaticRelationKind::Subscribe => {
                        (other, own)
                    }
                    AutomaticRelationKind::Before | AutomaticRelationKind::Notify => (own, other),
                };
                found.insert(UnknownEdges { from, to });
            }
        }
        found
    }

    /// Returns the dependency cycles.
    pub(crate) fn cycles(&self, edges: &[Edge]) -> Vec<Cycle> {
        let state = self.state.borrow();
        let managed = state.effects.catalog.resources.iter();
        let managed = managed.filter(|it| !it.1.is_virtual);
        let resources = managed
            .clone()
            .map(|it| (it.0, state.effects.catalog.is_container(it.0)));
        let containers = managed.filter_map(|it| Some((it.1.container.as_ref()?, it.0)));
        let containments =
            containers.chain(state.effects.containments.keys().map(|it| (&it.0, &it.1)));
        cycles(resources, containments, edges)
    }
}

/// Returns the known targets of the arrows from a resource that add to a metaparameter, sorted.
fn arrow_targets<'s>(
    state: &'s State,
    source: &ResourceKey,
    parameter: &str,
) -> Vec<&'s ResourceKey> {
    let arrows = state.effects.arrows.get(source).into_iter().flatten();
    let arrows = arrows.filter(|(_, (of, _))| *of == parameter);
    let mut targets: Vec<_> = arrows.map(|it| it.0).collect();
    targets.sort_unstable();
    targets
}

/// Edges, and the kinds of those between two resources.
#[derive(Default)]
struct Edges<'a> {
    all: Vec<Edge>,
    pairs: FxHashMap<(&'a ResourceKey, &'a ResourceKey), Vec<EdgeKind>>,
}

impl<'a> Edges<'a> {
    fn add(
        &mut self,
        (from, to): (&'a ResourceKey, &'a ResourceKey),
        kind: EdgeKind,
        is_automatic: bool,
        place: Option<Place>,
    ) {
        let kinds = self.pairs.entry((from, to)).or_default();
        if !kinds.contains(&kind) {
            kinds.push(kind);
            self.all.push(Edge {
                from: from.clone(),
                to: to.clone(),
                kind,
                is_automatic,
                place,
            });
        }
    }

    /// Adds the edges of a relation. Those that the code declares take precedence, in both directions.
    fn add_automatic(
        &mut self,
        managed: &Managed<'a>,
        (key, resource): (&'a ResourceKey, &Resource),
        relation: &Relation,
    ) {
        let limit = match relation.is_first_only {
            true => 1,
            false => usize::MAX,
        };
        let titles = relation.titles.iter();
        let others = titles.filter_map(|it| managed.find(&relation.type_name, it));
        for other in others.take(limit) {
            let (from, to) = match relation.kind {
                AutomaticRelationKind::Require | AutomaticRelationKind::Subscribe => (other, key),
                AutomaticRelationKind::Before | AutomaticRelationKind::Notify => (key, other),
            };
            if self.pairs.contains_key(&(from, to)) || self.pairs.contains_key(&(to, from)) {
                continue;
            }
            let kind = match relation.kind {
                AutomaticRelationKind::Require | AutomaticRelationKind::Before => EdgeKind::Before,
                AutomaticRelationKind::Subscribe | AutomaticRelationKind::Notify => {
                    EdgeKind::Notify
                }
            };
            self.add((from, to), kind, true, resource.place);
        }
    }
}
