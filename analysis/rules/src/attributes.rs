//! Unknown attributes and parameters, and missing required parameters of resources.

use syntax::ast::{AstNode, Attribute, ResourceBody};
use syntax::{Fix, TextRange};

use super::fixes::{attribute_insertion, node_at, sample};
use super::suggest::{hint, similar};
use super::usage_index::attributes_set_elsewhere;
use super::{Checker, MISSING_PARAMETER, UNKNOWN_ATTRIBUTE, UNKNOWN_PARAMETER};
use hir::autoload::{NameKey, find_item};
use hir::body::{AttributeUse, Resource, ResourceForm};
use hir::resolve::{Definition, resource_type};
use hir::{Item, ItemKind, Signature, signature};
use infer::declared_parameters;
use library::signatures::ResourceType;

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in body.resources.iter().filter(|it| !it.guarded) {
        checker.resource(resource);
    }
}

impl<'db> Checker<'db> {
    fn resource(&mut self, resource: &Resource) {
        match resource.type_.as_deref() {
            Some("class") => self.class(resource),
            Some(type_) => match resource_type(self.db, Some(self.environment), type_) {
                Ok(Definition::ResourceType(it)) => self.in_ruby(resource, it.declared()),
                Ok(Definition::Item(it)) => self.defined(resource, it, "defined type"),
                _ => {}
            },
            None => {}
        }
    }

    fn class(&mut self, resource: &Resource) {
        for title in &resource.titles {
            let name = hir::canonical(&title.text);
            let key = NameKey::new(self.db, name);
            let class = find_item(self.db, self.environment, ItemKind::Class, key);
            if let Some(class) = class {
                self.unknown_parameters(resource, class, "class");
            }
        }
    }

    fn in_ruby(&mut self, resource: &Resource, type_: &ResourceType) {
        if !type_.complete {
            return;
        }
        for attribute in &resource.attributes {
            let name = attribute.name.as_str();
            let known = type_.attributes.iter().any(|it| it.name == name);
            // Every type accepts `name`. Types with providers also accept `provider`; the providers
            // are in separate files.
            let known = known || matches!(name, "name" | "provider");
            if known || is_metaparameter(name) {
                continue;
            }
            let names = type_.attributes.iter().map(|it| it.name.as_str());
            let shared = library::metaparameters().iter().map(|it| it.name.as_str());
            let near = similar(name, names.chain(shared));
            let hint = hint(near);
            let message = format!("no attribute `{name}` on `{}`{hint}", type_.name);
            self.report(&UNKNOWN_ATTRIBUTE, attribute.range, message);
            self.fix_attribute(resource, attribute, near);
        }
    }

    fn defined(&mut self, resource: &Resource, item: Item<'db>, noun: &str) {
        self.unknown_parameters(resource, item, noun);
        if resource.form == ResourceForm::Declaration {
            self.missing_parameters(resource, item);
        }
    }

    fn unknown_parameters(&mut self, resource: &Resource, item: Item<'db>, noun: &str) {
        let signature = signature(self.db, item);
        for attribute in &resource.attributes {
            let name = attribute.name.as_str();
            if signature.parameter(name).is_some() || is_metaparameter(name) || name == "name" {
                continue;
            }
            let names = signature.parameters.iter().map(|it| it.name.as_str());
            let near = similar(name, names);
            let hint = hint(near);
            let title = item.name(self.db);
            let message = format!("no parameter `{name}` on {noun} `{title}`{hint}");
            self.report(&UNKNOWN_PARAMETER, attribute.range, message);
            self.fix_attribute(resource, attribute, near);
            self.relate(
                item,
                signature.name_range,
                format!("{noun} `{title}` defined here"),
            );
        }
    }

    /// Offers to rename the attribute to a similar one, or to remove it.
    fn fix_attribute(&mut self, resource: &Resource, attribute: &AttributeUse, near: Option<&str>) {
        let given = |name: &str| resource.attributes.iter().any(|it| it.name == name);
        if let Some(near) = near.filter(|it| !given(it)) {
            self.fix_name(attribute.range, &attribute.name, near);
        }
        let node = node_at(&self.root(), attribute.range);
        let node = node.and_then(|it| it.ancestors().find_map(Attribute::cast));
        let label = format!("Remove the attribute `{}`", attribute.name);
        let removed = node.and_then(|it| self.removed_element(&label, it.syntax()));
        self.fix(removed);
    }

    /// Offers to add a missing parameter with a placeholder value of its type.
    fn fix_missing(&mut self, resource: &Resource, item: Item<'db>, name: &str) {
        let parameters = declared_parameters(self.db, item);
        let type_ = parameters.iter().find(|it| it.0 == name).map(|it| &it.1);
        let value = type_.and_then(sample);
        let body = node_at(&self.root(), resource.range).and_then(ResourceBody::cast);
        let (Some(value), Some(body)) = (value, body) else {
            return;
        };
        let edit = attribute_insertion(&body, name, &value);
        self.fix(edit.map(|it| {
            Fix::suggested(
                format!("Add the missing parameter `{name}`"),
                it.range,
                it.text,
            )
        }));
    }

    fn missing_parameters(&mut self, resource: &Resource, item: Item<'db>) {
        if resource.splat {
            return;
        }
        let signature: &Signature = signature(self.db, item);
        let given = |name: &str| {
            let here = resource.attributes.iter().any(|it| it.name == name);
            here || resource.defaults.iter().any(|it| it == name)
        };
        let required = signature.parameters.iter().filter(|it| it.is_required());
        let missing: Vec<_> = required.filter(|it| !given(&it.name)).collect();
        if missing.is_empty() {
            return;
        }
        let name = item.name(self.db);
        let elsewhere = attributes_set_elsewhere(
            self.db,
            self.environment,
            NameKey::new(self.db, name.clone()),
        );
        for parameter in missing {
            if elsewhere.contains(&parameter.name) {
                continue;
            }
            let message = format!(
                "missing required parameter `{}` of `{name}`",
                parameter.name
            );
            self.report(&MISSING_PARAMETER, place(resource), message);
            self.relate(item, parameter.range, "parameter declared here");
            self.fix_missing(resource, item, &parameter.name);
        }
    }
}

/// Returns the range of the first literal title, or the first character of the resource body.
fn place(resource: &Resource) -> TextRange {
    let whole = resource.range;
    match resource.titles.first() {
        Some(title) => title.range,
        None => TextRange::at(whole.start(), whole.len().min(1.into())),
    }
}

fn is_metaparameter(name: &str) -> bool {
    library::metaparameter(name).is_some()
}
