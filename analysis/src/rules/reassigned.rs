//! Variables that are assigned twice in one scope.

use super::{Checker, REASSIGNED_VARIABLE};
use crate::workspace::ItemKind;
use crate::workspace::body::Scope;

/// What Puppet keeps for itself everywhere.
const RESERVED: [&str; 3] = ["trusted", "facts", "server_facts"];
/// What it sets where a class, a resource, a node or the main manifest begins. Blocks and functions
/// have variables of their own, which may have these names.
const SET_AT_START: [&str; 2] = ["title", "name"];

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for scope in &body.scopes {
        checker.once(scope);
    }
}

impl Checker<'_> {
    fn once(&mut self, scope: &Scope) {
        for (index, binding) in scope
            .bindings
            .iter()
            .enumerate()
            .filter(|it| !it.1.parameter)
        {
            let mut earlier = scope.bindings[..index].iter();
            let first = earlier.find(|it| {
                let together = self.body.run_together(it.branch, binding.branch);
                it.name == binding.name && together
            });
            if let Some(first) = first {
                let message = format!("`${}` has a value already", binding.name);
                self.report(&REASSIGNED_VARIABLE, binding.range, message);
                self.relate(self.item, first.range, "it is given here");
            } else if self.is_set_by_puppet(&binding.name, scope) {
                let message = format!(
                    "`${}` is set by Puppet and cannot be assigned",
                    binding.name
                );
                self.report(&REASSIGNED_VARIABLE, binding.range, message);
            }
        }
    }

    fn is_set_by_puppet(&self, name: &str, scope: &Scope) -> bool {
        let begins = match self.item.kind(self.db) {
            ItemKind::Class | ItemKind::Define | ItemKind::Node => true,
            ItemKind::Main => !self.item.file(self.db).spec(self.db).dialect.epp,
            ItemKind::Function | ItemKind::Plan | ItemKind::TypeAlias => false,
        };
        RESERVED.contains(&name)
            || (begins && scope.parent.is_none() && SET_AT_START.contains(&name))
    }
}
