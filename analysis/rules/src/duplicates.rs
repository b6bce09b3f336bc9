//! Duplicate resource declarations and duplicate attributes.

use rustc_hash::FxHashMap;

use syntax::ast::{AstNode, Attribute};
use syntax::{Fix, TextRange, element_removal};

use super::fixes::node_at;
use super::wording::reference;
use super::{Checker, DUPLICATE_ATTRIBUTE, DUPLICATE_RESOURCE};
use hir::body::{Resource, ResourceForm, Title};

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in &body.resources {
        checker.attributes_once(resource);
    }
    checker.resources_once();
}

impl Checker<'_> {
    fn attributes_once(&mut self, resource: &Resource) {
        let mut seen = FxHashMap::default();
        for attribute in &resource.attributes {
            if let Some(first) = seen.insert(attribute.name.as_str(), attribute.range) {
                let message = format!("duplicate attribute `{}`", attribute.name);
                self.report(&DUPLICATE_ATTRIBUTE, attribute.range, message);
                self.relate(self.item, first, "first set here");
                self.fix_twice(&attribute.name, first, attribute.range);
            }
        }
    }

    /// Offers to remove one of two attributes. If they are identical, it does not matter which.
    fn fix_twice(&mut self, name: &str, first: TextRange, again: TextRange) {
        let root = self.root();
        let attribute = |range| {
            let node = node_at(&root, range)?;
            let attribute = node.ancestors().find_map(Attribute::cast)?;
            Some(attribute.syntax().clone())
        };
        let (Some(first), Some(again)) = (attribute(first), attribute(again)) else {
            return;
        };
        if first.text() == again.text() {
            let range = element_removal(&again);
            let label = format!("Remove the duplicate attribute `{name}`");
            self.fix(Some(Fix::certain(label, range, "")));
        } else {
            let label = format!("Remove the duplicate attribute `{name}`");
            self.fix(self.removed_element(&label, &again));
            let label = format!("Remove the first attribute `{name}`");
            self.fix(self.removed_element(&label, &first));
        }
    }

    /// Reports duplicate titles. Two declarations collide if one only runs when the other one does.
    fn resources_once(&mut self) {
        let mut seen: FxHashMap<(&str, &str), Vec<(&Resource, &Title)>> = FxHashMap::default();
        for resource in &self.body.resources {
            let Some(type_) = resource.type_.as_deref() else {
                continue;
            };
            if resource.form != ResourceForm::Declaration || resource.guarded {
                continue;
            }
            for title in &resource.titles {
                let earlier = seen.entry((type_, &title.text)).or_default();
                let collides = earlier
                    .iter()
                    .find(|it| self.body.run_together(it.0.branch, resource.branch));
                if let Some((_, first)) = collides.copied() {
                    let resource = reference(type_, &title.text);
                    let message =
                        format!("duplicate declaration: `{resource}` is already declared");
                    self.report(&DUPLICATE_RESOURCE, title.range, message);
                    self.relate(self.item, first.range, "first declared here");
                }
                earlier.push((resource, title));
            }
        }
    }
}
