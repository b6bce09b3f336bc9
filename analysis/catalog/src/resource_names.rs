//! The names of resources. Puppet finds a resource by its title, its aliases and the attributes that identify it,
//! and rejects a second one with the same name.

use hir::canonical_name;
use hir::declared_resources::unique_title;
use library::resource_type;
use types::values::Value;

use crate::data::{Place, Resource, ResourceKey};
use crate::state::Compiler;
use crate::values::flattened;

/// Resource types whose name does not identify a resource.
const NOT_UNIQUE: [&str; 2] = ["exec", "tidy"];

/// The attributes that identify a package together with its name.
const OF_PACKAGE: [&str; 2] = ["provider", "command"];

impl Compiler<'_> {
    /// Records the names of a resource that has just been declared, and reports those that another one has.
    pub(crate) fn add_names(&self, key: &ResourceKey, place: Option<Place>) {
        let found = {
            let mut state = self.state.borrow_mut();
            let Some(resource) = state.effects.catalog.resources.get(key) else {
                return;
            };
            if !resource.is_unconditional() {
                return;
            }
            let names = self.names_of(key, resource);
            let resources = &state.effects.catalog.resources;
            let is_certain = |it: &&ResourceKey| {
                let declared = resources.get(*it);
                declared.is_some_and(Resource::is_unconditional)
            };
            let titles = names.iter().filter(|it| *it != key);
            let title = titles.clone().find(is_certain).cloned();
            let known = [key].into_iter().chain(&names);
            let known = known.filter_map(|it| state.effects.names.get_key_value(it));
            let known = known.filter(|it| it.1 != key);
            let other = title.clone().zip(title);
            let other = other.or_else(|| known.map(|it| (it.0.clone(), it.1.clone())).next());
            for name in names.into_iter().filter(|it| it != key) {
                state
                    .effects
                    .names
                    .entry(name)
                    .or_insert_with(|| key.clone());
            }
            other
        };
        if let Some((name, other)) = found {
            let container = {
                let state = self.state.borrow();
                let resource = state.effects.catalog.resources.get(key);
                resource.and_then(|it| it.container.clone())
            };
            self.add_duplicate_name(&without_attributes(name), &other, (place, container));
        }
    }

    /// Returns the names of a resource, as far as they are known.
    fn names_of(&self, key: &ResourceKey, resource: &Resource) -> Vec<ResourceKey> {
        let type_name = canonical_name(&key.type_name);
        let own = |it: &str| ResourceKey::new(key.type_name.clone(), unique_title(&type_name, it));
        let aliases = flattened(resource.known("alias"));
        let aliases = aliases.iter().filter_map(Value::as_str).map(own);
        let mut names: Vec<ResourceKey> = aliases.collect();
        names.push(own(&key.title));
        if type_name == "package" {
            let name = resource.known("name").and_then(Value::as_str);
            let given = |it| match resource.parameters.get(it) {
                None => Some(String::new()),
                Some(it) => Some(it.value.as_ref().ok()?.as_str()?.to_owned()),
            };
            let others: Option<Vec<String>> = OF_PACKAGE.into_iter().map(given).collect();
            if let Some(others) = others {
                let name = name.unwrap_or(&key.title);
                let attributes = others.join(ATTRIBUTE);
                names.push(own(&format!("{name}{ATTRIBUTE}{attributes}")));
            }
        } else if let Some(name) = self.identifying_attribute(&type_name)
            && let Some(value) = resource.known(&name).and_then(Value::as_str)
        {
            names.push(own(value));
        }
        names
    }

    /// Returns the attribute whose value identifies a resource of a type.
    fn identifying_attribute(&self, type_name: &str) -> Option<String> {
        if self.is_defined_type(type_name) {
            return Some("name".to_owned());
        }
        let known = resource_type(type_name, self.version)?;
        let mut names = known.attributes.iter().filter(|it| it.namevar);
        let name = names.next().filter(|_| names.next().is_none())?;
        (!NOT_UNIQUE.contains(&type_name)).then(|| name.name.to_string())
    }
}

/// Separates the name of a package from the other attributes that identify it.
const ATTRIBUTE: &str = "\n";

/// Returns the name of a package without the other attributes.
fn without_attributes(name: ResourceKey) -> ResourceKey {
    match name.title.split_once(ATTRIBUTE) {
        Some((title, _)) => ResourceKey::new(name.type_name, title),
        None => name,
    }
}
