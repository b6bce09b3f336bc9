//! Plans: no catalog is made outside of `apply`, and none in the middle of another inside of it.

use super::checker::{Checker, Path};
use crate::model::{BinaryClass, DefinitionClass, Kind, Node};

/// Looks at `node` as the rules of plans do; tells whether the other rules are not to look at it.
///
/// From `tasks_checker.rb`.
pub(super) fn check<'n>(checker: &mut Checker<'_>, node: &'n Node, path: Path<'_, 'n>) -> bool {
    // The outermost object is the program, which Puppet's search stops before.
    let in_apply = path
        .iter()
        .skip(1)
        .any(|it| matches!(it.kind, Kind::ApplyBlock(_)));
    match &node.kind {
        Kind::Collect { query, .. } => {
            let exported = matches!(query.kind, Kind::Query { exported: true, .. });
            match (in_apply, exported) {
                (true, false) => return false,
                (true, true) => {
                    not_compiling(checker, node, "an exported resource cannot be collected")
                }
                (false, _) => not_scripting(checker, node, "a collector"),
            }
        }
        Kind::Definition(it) if it.class == DefinitionClass::Class => {
            not_scripting(checker, node, "a class");
        }
        Kind::Definition(it) if it.class == DefinitionClass::Define => {
            not_scripting(checker, node, "a defined type");
        }
        Kind::NodeDefinition { .. } if !in_apply => not_scripting(checker, node, "a node"),
        Kind::Binary {
            class: BinaryClass::Relationship,
            ..
        } if !in_apply => {
            not_scripting(checker, node, "a relationship");
        }
        Kind::ResourceDefaults { .. } if !in_apply => {
            not_scripting(checker, node, "defaults of resources");
        }
        Kind::Resource { .. } if !in_apply => not_scripting(checker, node, "a resource"),
        Kind::ResourceOverride { .. } if !in_apply => {
            not_scripting(checker, node, "an override of a resource");
        }
        Kind::Apply { .. } if in_apply => {
            not_compiling(checker, node, "`apply` cannot stand inside of `apply`");
        }
        Kind::Apply { .. } => {}
        _ => return false,
    }
    true
}

fn not_scripting(checker: &mut Checker<'_>, node: &Node, what: &str) {
    let message = format!("{what} needs a catalog, which a plan has only inside of `apply`");
    checker.error("EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", node, message);
}

fn not_compiling(checker: &mut Checker<'_>, node: &Node, message: &str) {
    checker.error("EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", node, message);
}
