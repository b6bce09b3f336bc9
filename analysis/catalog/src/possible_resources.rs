//! The resources that the catalogs with a role may contain, on any node.

use base::EnvironmentInput;
use hir::autoload::NameKey;
use salsa::Database;

use crate::data::ResourceKey;
use crate::node_names::made_up_node;
use crate::sample_nodes::{SampleNode, anonymous, of_any_name, sample_nodes};
use crate::state::Compiler;
use crate::subject::{Mode, Subject, SubjectRequest};

/// Checks whether a class that a node has with the main manifests, or a class or defined type that it uses, may declare a
/// resource. `type_name` is capitalized.
#[salsa::tracked(returns(copy))]
pub fn may_be_declared_by_role<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
    type_name: NameKey<'db>,
    title: NameKey<'db>,
) -> bool {
    let Some(node) = made_up_node(db, environment, None) else {
        return true;
    };
    let key = ResourceKey::new(type_name.text(db).clone(), title.text(db).clone());
    let may_be_declared = |it: &SampleNode| {
        let variables = of_any_name(&anonymous(&it.variables, &node.name));
        let subject = Subject::Role(class.text(db), None);
        let request = SubjectRequest::new(subject, &variables, Mode::Whole);
        request.run(db, environment, |it| it.may_have_declared(&key))
    };
    let on_nodes: Vec<bool> = sample_nodes(db)
        .iter()
        .filter_map(may_be_declared)
        .collect();
    // A class that fails on all nodes may be meant for others.
    on_nodes.is_empty() || on_nodes.contains(&true)
}

impl Compiler<'_> {
    /// Checks whether the evaluated code has declared a resource, or may declare it with other values; `None` if it fails.
    fn may_have_declared(&self, key: &ResourceKey) -> Option<bool> {
        let is_declared = {
            let state = self.state.borrow();
            let is_right = state.errors.is_empty();
            is_right.then(|| state.effects.catalog.resources.contains_key(key))?
        };
        Some(
            is_declared
                || self.may_have_name(key)
                || self.may_be_declared(key)
                || self.may_be_declared_openly(key),
        )
    }
}
