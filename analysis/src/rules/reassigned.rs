//! Variables that are assigned twice in one scope.

use super::{Checker, REASSIGNED_VARIABLE};
use crate::library;
use crate::workspace::ItemKind;
use crate::workspace::body::Scope;

/// What Puppet keeps for itself.
const RESERVED: [&str; 4] = ["trusted", "facts", "server_facts", "title"];

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
            } else if self.is_set_by_puppet(&binding.name) {
                let message = format!(
                    "`${}` is set by Puppet and cannot be assigned",
                    binding.name
                );
                self.report(&REASSIGNED_VARIABLE, binding.range, message);
            }
        }
    }

    fn is_set_by_puppet(&self, name: &str) -> bool {
        let kind = self.item.kind(self.db);
        let has_title = matches!(kind, ItemKind::Class | ItemKind::Define);
        library::variable(name).is_some()
            && RESERVED.contains(&name)
            && (name != "title" || has_title)
    }
}
