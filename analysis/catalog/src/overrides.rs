//! Which overrides Puppet refuses.
//!
//! From `parser/resource.rb`, `merge` and `override_parameter`: only the class that declares a resource and those that
//! inherit from it may override it, and a parameter that is set only those that inherit from the class that set it.

use crate::data::{CompileErrorKind, Origin, Parameter, Place, ResourceKey};
use crate::state::{Compiler, ScopeData, ScopeId, ScopeKind};

/// The kind of an error, Puppet's message, and the places of the override and of what it changes.
type Refusal = (CompileErrorKind, String, (Option<Place>, Option<Place>));

impl Compiler<'_> {
    /// Reports an override of a declared resource that Puppet refuses.
    pub(crate) fn check_override<'a>(
        &self,
        scope: ScopeId,
        key: &ResourceKey,
        parameters: impl Iterator<Item = (&'a String, &'a Parameter)>,
        place: Option<Place>,
    ) {
        if let Some((kind, message, places)) = self.refused_override(scope, key, parameters, place)
        {
            self.add_error(kind, message, places);
        }
    }

    fn refused_override<'a>(
        &self,
        scope: ScopeId,
        key: &ResourceKey,
        mut parameters: impl Iterator<Item = (&'a String, &'a Parameter)>,
        place: Option<Place>,
    ) -> Option<Refusal> {
        let state = self.state.borrow();
        let resource = state.effects.catalog.resources.get(key)?;
        let scopes = &state.effects.scopes[..];
        let (own, source) = (scopes.get(scope.0)?, state.effects.sources.get(key)?);
        let declaring = scopes.get(source.0)?;
        let is_known = |it: &ScopeData| it.kind != ScopeKind::Function;
        if !resource.is_certain || !is_known(own) || !is_known(declaring) {
            return None;
        }
        if !is_same_code(own, declaring) && !inherits(scopes, own, declaring) {
            let message = format!("`{key}` is not declared by this class or its ancestors");
            let kind = CompileErrorKind::ForeignOverride(key.clone());
            return Some((kind, message, (place, resource.place)));
        }
        parameters.find_map(|(name, new)| {
            let current = resource.parameters.get(name)?;
            // Resource defaults and default values are set later.
            if !matches!(current.origin, Origin::Declaration(_) | Origin::Override(_)) {
                return None;
            }
            let setter = match state.effects.overriders.get(&(key.clone(), name.clone())) {
                Some(setter) => scopes.get((*setter)?.0)?,
                None => declaring,
            };
            if !is_known(setter) || inherits(scopes, own, setter) {
                return None;
            }
            let message = format!("attribute `{name}` of `{key}` is already set");
            let kind = CompileErrorKind::RepeatedOverride(key.clone(), name.clone());
            let places = (new.origin.place().or(place), current.origin.place());
            Some((kind, message, places))
        })
    }
}

/// Checks whether two scopes are those of the same definition.
fn is_same_code(a: &ScopeData, b: &ScopeData) -> bool {
    let is_same = match a.kind {
        ScopeKind::DefinedType => a.resource.type_name == b.resource.type_name,
        _ => a.resource == b.resource,
    };
    a.kind == b.kind && is_same
}

/// Checks whether the class of a scope inherits from that of another one.
fn inherits(scopes: &[ScopeData], own: &ScopeData, parent: &ScopeData) -> bool {
    let above = |it: &ScopeData| it.inherited.and_then(|it| scopes.get(it.0));
    let mut classes = std::iter::successors(above(own), |it| above(it));
    classes.any(|it| it.kind == ScopeKind::Class && it.resource == parent.resource)
}
