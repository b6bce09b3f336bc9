//! The resources that the catalogs with a role may contain, on any node.

use base::EnvironmentInput;
use hir::autoload::NameKey;
use salsa::Database;

use crate::data::ResourceKey;
use crate::node_names::made_up_node;
use crate::sample_nodes::{SampleNode, anonymous, of_any_name, sample_nodes};
use crate::state::Compiler;
use crate::subject::{Mode, Subject, SubjectRequest};
use crate::undeclared::Possibility;

/// Returns whether a class that a node has with the main manifests, or a class or defined type that it uses, may declare
/// a resource. `type_name` is capitalized.
#[salsa::tracked(returns(copy))]
pub fn possible_declaration_by_role<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
    type_name: NameKey<'db>,
    title: NameKey<'db>,
) -> Possibility {
    let Some(node) = made_up_node(db, environment, None) else {
        return Possibility::Possible;
    };
    let key = ResourceKey::new(type_name.text(db).clone(), title.text(db).clone());
    let on_node = |it: &SampleNode| {
        let variables = of_any_name(&anonymous(&it.variables, &node.name));
        let subject = Subject::Role(class.text(db), None);
        let request = SubjectRequest::new(subject, &variables, Mode::Whole);
        request.run(db, environment, |it| {
            it.possible_declaration_in_branches(&key)
        })
    };
    let on_nodes = sample_nodes(db).iter().filter_map(on_node);
    // A class that fails on all nodes may be meant for others.
    on_nodes.max().unwrap_or(Possibility::Possible)
}

impl Compiler<'_> {
    /// Returns whether the code, with all branches that may run, declares a resource, or may declare it with other values;
    /// `None` if it fails.
    fn possible_declaration_in_branches(&self, key: &ResourceKey) -> Option<Possibility> {
        let is_declared = || {
            let state = self.state.borrow();
            state.effects.catalog.resources.contains_key(key)
        };
        let is_right = self.state.borrow().errors.is_empty();
        is_right.then(|| {
            if !is_declared() && self.may_be_declared_openly(key) {
                self.evaluate_open();
            }
            match is_declared() {
                true => Possibility::Possible,
                false => self.possible_declaration(key),
            }
        })
    }
}
