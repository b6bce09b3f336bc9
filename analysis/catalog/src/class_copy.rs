//! Copies of shared classes in the state of a compilation.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use types::values::Value;

use crate::data::{Catalog, OuterTags, Place, Resource};
use crate::shared_class::{CALLER, SharedClass, is_in_code_around};
use crate::state::{
    Collector, Effects, Missing, Operand, PendingOverride, PendingRelationship, ScopeData, ScopeId,
    ScopeKind, State, TOP, Undeclared,
};

/// The position of a copy in the state of a compilation.
pub(crate) struct ClassCopy {
    /// The scope of the code that includes the class.
    pub(crate) around: ScopeId,
    /// The number of scopes before the copy.
    pub(crate) scopes: usize,
    /// The number of collectors before the copy.
    pub(crate) collectors: usize,
}

impl ClassCopy {
    pub(crate) fn add(&self, shared: &SharedClass, place: Option<Place>, state: &mut State) {
        let Effects {
            catalog,
            scopes,
            classes,
            included,
            names,
            titles,
            overrides,
            sources,
            overriders,
            collectors,
            relationships,
            virtual_instances,
            realized,
            open,
            containments,
            arrows,
            files,
            uncertain_instances,
            undeclared,
            early_lookups,
            early_class_reads,
        } = &shared.effects;
        state.has_copies = true;
        state.has_copied_instances |= !catalog.defined_types.is_empty();
        state.max_class_depth = state.max_class_depth.max(state.class_depth + shared.depth);
        self.add_scopes(scopes, state);
        self.add_catalog(catalog, place, state);
        let earlier_depth = state.earlier_depth;
        let to = &mut state.effects;
        let scoped = |it: &Option<ScopeId>| it.map(|it| self.scope(it));
        to.classes.extend(copied(classes, scoped));
        to.included
            .extend(copied(included, |it| earlier_depth + it));
        to.names.extend(copied(names, Clone::clone));
        to.titles.extend(copied(titles, Clone::clone));
        to.overrides
            .extend(overrides.iter().map(|it| PendingOverride {
                scope: scoped(&it.scope),
                ..it.clone()
            }));
        to.sources.extend(copied(sources, |it| self.scope(*it)));
        to.overriders.extend(copied(overriders, scoped));
        to.collectors
            .extend(collectors.iter().cloned().map(|it| Collector {
                alternative: it.alternative.map(|it| self.operand(it)),
                ..it
            }));
        let relationships = relationships.iter().cloned();
        let relationships = relationships.map(|it| PendingRelationship {
            from: self.operand(it.from),
            to: self.operand(it.to),
            ..it
        });
        to.relationships.extend(relationships);
        let instances = copied(virtual_instances, |it| self.scope(*it));
        to.virtual_instances.extend(instances);
        to.realized.extend(realized.iter().cloned());
        to.open.extend(open.iter().cloned());
        to.containments.extend(copied(containments, |it| *it));
        for (from, arrows) in arrows {
            let known = to.arrows.entry(from.clone()).or_default();
            known.extend(copied(arrows, |it| *it));
        }
        to.files.extend(files);
        let instances = uncertain_instances.iter();
        let instances = instances.map(|(key, scope)| (key.clone(), self.scope(*scope)));
        to.uncertain_instances.extend(instances);
        let undeclared = undeclared.iter().cloned();
        to.undeclared.extend(undeclared.map(|it| Undeclared {
            missing: match it.missing {
                Missing::EarlierStage(scope) => Missing::EarlierStage(self.scope(scope)),
                other => other,
            },
            ..it
        }));
        to.early_lookups.extend(early_lookups.iter().cloned());
        to.early_class_reads
            .extend(early_class_reads.iter().cloned());
    }

    fn add_scopes(&self, shared: &[ScopeData], state: &mut State) {
        let scopes = &mut state.effects.scopes;
        let around = scopes.get(self.around.0);
        let module = around.and_then(|it| it.module.clone());
        let caller = Value::from(module.unwrap_or_default().as_str());
        for scope in shared {
            let mut scope = scope.clone();
            if is_in_code_around(&scope) {
                let caller = Ok(caller.clone());
                scope.variables.insert(CALLER.to_owned(), caller);
            }
            if scope.kind != ScopeKind::Function {
                scope.parent = scope.parent.map(|it| self.scope(it));
            }
            scope.inherited = scope.inherited.map(|it| self.scope(it));
            scopes.push(scope);
        }
    }

    fn add_catalog(&self, shared: &Catalog, place: Option<Place>, state: &mut State) {
        let catalog = &mut state.effects.catalog;
        let added = copied(&shared.resources, Resource::clone);
        catalog.resources.extend(added.map(|(key, mut it)| {
            if key.type_name == "Class" {
                it.place = it.place.or(place);
            }
            (key, it)
        }));
        catalog.classes.extend(shared.classes.iter().cloned());
        let defined_types = shared.defined_types.iter().cloned();
        catalog.defined_types.extend(defined_types);
        catalog.gaps.extend(shared.gaps.iter().cloned());
        catalog.conditions.extend(shared.conditions.iter().cloned());
        self.renew_tags(shared, state);
    }

    /// Adds the tags of the code around the shared class to those that the copied classes have.
    fn renew_tags(&self, shared: &Catalog, state: &mut State) {
        let Some(around) = state.tags_of_scope(self.around).map(Arc::new) else {
            return;
        };
        let mut renewed = FxHashMap::default();
        for key in shared.resources.keys() {
            if let Some(resource) = state.effects.catalog.resources.get_mut(key)
                && let Some(outer) = &resource.outer_tags
            {
                resource.outer_tags = Some(inside_of(&around, outer, &mut renewed));
            }
        }
    }

    pub(crate) fn scope(&self, shared: ScopeId) -> ScopeId {
        match shared {
            TOP => self.around,
            // Top scope is not copied.
            ScopeId(index) => ScopeId(self.scopes + index - 1),
        }
    }

    fn operand(&self, shared: Operand) -> Operand {
        match shared {
            Operand::Collector(index) => Operand::Collector(self.collectors + index),
            other => other,
        }
    }
}

/// Returns the entries of a map with changed values.
fn copied<'a, K: Clone + 'a, V: 'a, T>(
    map: impl IntoIterator<Item = (&'a K, &'a V)>,
    change: impl Fn(&V) -> T,
) -> impl Iterator<Item = (K, T)> {
    let entries = map.into_iter();
    entries.map(move |(key, it)| (key.clone(), change(it)))
}

/// Returns tags inside of others, which take the place of the outermost ones. Classes share them.
fn inside_of(
    around: &Arc<OuterTags>,
    inner: &Arc<OuterTags>,
    renewed: &mut FxHashMap<*const OuterTags, Arc<OuterTags>>,
) -> Arc<OuterTags> {
    if let Some(known) = renewed.get(&Arc::as_ptr(inner)) {
        return Arc::clone(known);
    }
    let new = match &inner.outer {
        None => Arc::clone(around),
        Some(outer) => Arc::new(OuterTags {
            tags: inner.tags.clone(),
            outer: Some(inside_of(around, outer, renewed)),
        }),
    };
    renewed.insert(Arc::as_ptr(inner), Arc::clone(&new));
    new
}
