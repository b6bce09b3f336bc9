//! Metaparameters of containers, which Puppet also sets on the resources inside.

use std::collections::VecDeque;

use eval::Issue;
use indexmap::IndexMap;
use infer::refused_tag;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::{CompileErrorKind, Parameter, Place, Resource, ResourceKey};
use crate::state::{Compiler, State};

/// All metaparameters but relationships.
const INHERITED: [&str; 7] = [
    "alias", "audit", "loglevel", "noop", "schedule", "stage", "tag",
];

impl Compiler<'_> {
    /// Reports tags that Puppet refuses, once for each place.
    pub(crate) fn check_tags(&self) {
        if self.is_part {
            return;
        }
        let refused: IndexMap<Option<Place>, String> = {
            let state = self.state.borrow();
            let resources = state.effects.catalog.resources.values();
            let certain = resources.filter(|it| it.is_unconditional());
            let refused = certain.filter_map(|it| {
                let tag = it
                    .parameters
                    .get(library::TAG)
                    .filter(|it| !it.is_undef())?;
                let message = refused_tag(tag.value.as_ref().ok()?)?;
                Some((tag.origin.place().or(it.place), message))
            });
            refused.collect()
        };
        for (place, message) in refused {
            let kind = CompileErrorKind::Evaluation(Issue::RuntimeError);
            self.add_error(kind, message, (place, None));
        }
    }

    /// Sets the metaparameters of containers on the resources inside that lack them, from the class of the main
    /// manifest inwards. Classes are inside of stages, unless a resource contains them. From
    /// `add_resource_metaparams` in `parser/compiler.rb`.
    pub(crate) fn inherit_metaparameters(&self) {
        let mut state = self.state.borrow_mut();
        let resources = state.effects.catalog.resources.iter();
        let mut containers = resources.filter(|it| state.effects.catalog.is_container(it.0));
        let has_any = |it: &Resource| {
            INHERITED
                .iter()
                .any(|name| it.parameters.contains_key(*name))
        };
        if !containers.any(|it| has_any(it.1)) {
            return;
        }
        let contents = state.contents();
        let mut seen = FxHashSet::default();
        let mut queue = VecDeque::from([ResourceKey::new("Class", "main")]);
        while let Some(container) = queue.pop_front() {
            if !seen.insert(container.clone()) {
                continue;
            }
            let given = state.inherited_from(&container);
            for content in contents.get(&container).into_iter().flatten() {
                state.inherit(content, &given);
                queue.push_back(content.clone());
            }
        }
    }
}

impl State {
    /// Returns the resources inside of each container.
    fn contents(&self) -> FxHashMap<ResourceKey, Vec<ResourceKey>> {
        let resources = self.effects.catalog.resources.iter();
        let inside = resources.filter_map(|it| Some((it.1.container.as_ref()?, it.0)));
        let contained = self.effects.containments.keys().map(|it| (&it.0, &it.1));
        let mut contents: FxHashMap<ResourceKey, Vec<ResourceKey>> = FxHashMap::default();
        for (container, content) in inside.chain(contained) {
            let contents = contents.entry(container.clone()).or_default();
            contents.push(content.clone());
        }
        contents
    }

    /// Returns the parameters of a container that the resources inside inherit.
    fn inherited_from(&self, container: &ResourceKey) -> Vec<(&'static str, Parameter)> {
        let Some(resource) = self.effects.catalog.resources.get(container) else {
            return Vec::new();
        };
        let given = |name| Some((name, resource.parameters.get(name)?.clone()));
        let mut given: Vec<_> = INHERITED.into_iter().filter_map(given).collect();
        given.retain(|it| !it.1.is_undef());
        if !resource.is_certain {
            for (_, parameter) in &mut given {
                parameter.value = Err("the container is not certain".into());
            }
        }
        given
    }

    /// Sets parameters on a resource that lacks them.
    fn inherit(&mut self, key: &ResourceKey, given: &[(&'static str, Parameter)]) {
        let is_open = self.effects.open.contains(key);
        let Some(resource) = self.effects.catalog.resources.get_mut(key) else {
            return;
        };
        for (name, parameter) in given {
            let own = resource.parameters.get(*name);
            if own.is_some_and(|it| !it.is_undef()) {
                continue;
            }
            let mut parameter = parameter.clone();
            if is_open {
                parameter.value = Err("some attributes are unknown".into());
            }
            resource.parameters.insert((*name).to_owned(), parameter);
        }
    }
}
