//! Copies of shared classes in the state of a compilation.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use types::values::Value;

use crate::data::{OuterTags, Place};
use crate::shared_class::{CALLER, SharedClass, is_in_code_around};
use crate::state::{
    Collector, Operand, PendingOverride, PendingRelationship, ScopeId, ScopeKind, State, TOP,
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
        state.has_copies = true;
        state.has_copied_instances |= !shared.catalog.defined_types.is_empty();
        self.add_scopes(shared, state);
        self.add_resources(shared, place, state);
        let overrides = shared.overrides.iter().cloned();
        state.overrides.extend(overrides.map(|it| PendingOverride {
            scope: it.scope.map(|it| self.scope(it)),
            ..it
        }));
        let collectors = shared.collectors.iter().cloned();
        state.collectors.extend(collectors.map(|it| Collector {
            alternative: it.alternative.map(|it| self.operand(it)),
            ..it
        }));
        let relationships = shared.relationships.iter().cloned();
        let relationships = relationships.map(|it| PendingRelationship {
            from: self.operand(it.from),
            to: self.operand(it.to),
            ..it
        });
        state.relationships.extend(relationships);
        state.realized.extend(shared.realized.iter().cloned());
        state.undeclared.extend(shared.undeclared.iter().cloned());
        state.missed.extend(shared.missed.iter().cloned());
        let missed = shared.missed_classes.iter().cloned();
        state.missed_classes.extend(missed);
        state.files.extend(&shared.files);
        let instances = shared.uncertain_instances.iter();
        let instances = instances.map(|(key, scope)| (key.clone(), self.scope(*scope)));
        state.uncertain_instances.extend(instances);
        state.max_class_depth = state.max_class_depth.max(state.class_depth + shared.depth);
    }

    fn add_scopes(&self, shared: &SharedClass, state: &mut State) {
        let module = state
            .scopes
            .get(self.around.0)
            .and_then(|it| it.module.clone());
        let caller = Value::from(module.unwrap_or_default().as_str());
        for scope in &shared.scopes {
            let mut scope = scope.clone();
            if is_in_code_around(&scope) {
                scope
                    .variables
                    .insert(CALLER.to_owned(), Ok(caller.clone()));
            }
            if scope.kind != ScopeKind::Function {
                scope.parent = scope.parent.map(|it| self.scope(it));
            }
            scope.inherited = scope.inherited.map(|it| self.scope(it));
            state.scopes.push(scope);
        }
        let depth = state.earlier_depth;
        for (name, scope) in &shared.classes {
            let scope = scope.map(|it| self.scope(it));
            state.classes.insert(name.clone(), scope);
        }
        for (name, included) in &shared.included {
            state.included.insert(name.clone(), depth + included);
        }
    }

    fn add_resources(&self, shared: &SharedClass, place: Option<Place>, state: &mut State) {
        let catalog = &mut state.catalog;
        let added = shared.catalog.resources.iter();
        catalog.resources.extend(added.map(|(key, it)| {
            let mut resource = it.clone();
            if key.type_name == "Class" {
                resource.place = resource.place.or(place);
            }
            (key.clone(), resource)
        }));
        let classes = shared.catalog.classes.iter().cloned();
        catalog.classes.extend(classes);
        let defined_types = shared.catalog.defined_types.iter().cloned();
        catalog.defined_types.extend(defined_types);
        catalog.gaps.extend(shared.catalog.gaps.iter().cloned());
        let conditions = shared.catalog.conditions.iter().cloned();
        catalog.conditions.extend(conditions);
        self.renew_tags(shared, state);
        let names = shared.names.iter();
        let names = names.map(|(name, key)| (name.clone(), key.clone()));
        state.names.extend(names);
        state.open.extend(shared.open.iter().cloned());
        for (key, scope) in &shared.sources {
            state.sources.insert(key.clone(), self.scope(*scope));
        }
        for (parameter, scope) in &shared.overriders {
            let scope = scope.map(|it| self.scope(it));
            state.overriders.insert(parameter.clone(), scope);
        }
        for (key, scope) in &shared.virtual_instances {
            let scope = self.scope(*scope);
            state.virtual_instances.insert(key.clone(), scope);
        }
        let containments = shared.containments.iter();
        let containments = containments.map(|(ends, place)| (ends.clone(), *place));
        state.containments.extend(containments);
        for (from, arrows) in &shared.arrows {
            let arrows = arrows.iter().map(|(to, it)| (to.clone(), *it));
            state.arrows.entry(from.clone()).or_default().extend(arrows);
        }
    }

    /// Adds the tags of the code around the shared class to those that the copied classes have.
    fn renew_tags(&self, shared: &SharedClass, state: &mut State) {
        let Some(around) = state.tags_of_scope(self.around).map(Arc::new) else {
            return;
        };
        let mut renewed = FxHashMap::default();
        for key in shared.catalog.resources.keys() {
            if let Some(resource) = state.catalog.resources.get_mut(key)
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
