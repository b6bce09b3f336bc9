//! Variables that are assigned more than once in a scope.

use super::{Checker, REASSIGNED_VARIABLE};
use hir::ItemKind;
use hir::body::Scope;

/// The variable names that are reserved everywhere.
const RESERVED: [&str; 3] = ["trusted", "facts", "server_facts"];
/// The variables that Puppet sets in the scope of a class, a defined type, a node definition or the
/// main manifest. The local scopes of lambdas and functions may assign them.
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
                let message = format!("cannot reassign variable `${}`", binding.name);
                self.report(&REASSIGNED_VARIABLE, binding.range, message);
                let declared = match first.parameter {
                    true => "parameter declared here",
                    false => "first assigned here",
                };
                self.relate(self.item, first.range, declared);
            } else if self.is_set_by_puppet(&binding.name, scope) {
                let message = format!(
                    "cannot assign to variable `${}`, which Puppet sets",
                    binding.name
                );
                self.report(&REASSIGNED_VARIABLE, binding.range, message);
            }
        }
    }

    fn is_set_by_puppet(&self, name: &str, scope: &Scope) -> bool {
        let begins = match self.item.kind(self.db) {
            ItemKind::Class | ItemKind::DefinedType | ItemKind::Node => true,
            ItemKind::Main => !self.item.file(self.db).spec(self.db).dialect.epp,
            ItemKind::Function | ItemKind::Plan | ItemKind::TypeAlias => false,
        };
        RESERVED.contains(&name)
            || (begins && scope.parent.is_none() && SET_AT_START.contains(&name))
    }
}
