//! Checks of plans: a catalog is compiled only in `apply`, which cannot be nested.

use super::checker::{Checker, Path};
use crate::model::{BinaryClass, DefinitionClass, Kind, Node};

/// Runs the checks of plans on `node`. Returns whether to skip the other checks.
///
/// From `tasks_checker.rb`.
pub(super) fn check<'n>(checker: &mut Checker<'_>, node: &'n Node, path: Path<'_, 'n>) -> bool {
    // Puppet's search excludes the outermost object, the program.
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
                    not_compiling(checker, node, "cannot collect exported resources in a plan")
                }
                (false, _) => not_scripting(checker, node, "a collector"),
            }
        }
        Kind::Definition(it) if it.class == DefinitionClass::Class => {
            scripting_error(checker, node, "cannot define a class in a plan");
        }
        Kind::Definition(it) if it.class == DefinitionClass::Define => {
            scripting_error(checker, node, "cannot define a defined type in a plan");
        }
        Kind::NodeDefinition { .. } if !in_apply => {
            not_scripting(checker, node, "a node definition")
        }
        Kind::Binary {
            class: BinaryClass::Relationship,
            ..
        } if !in_apply => {
            not_scripting(checker, node, "a relationship");
        }
        Kind::ResourceDefaults { .. } if !in_apply => {
            not_scripting(checker, node, "resource defaults");
        }
        Kind::Resource { .. } if !in_apply => not_scripting(checker, node, "a resource"),
        Kind::ResourceOverride { .. } if !in_apply => {
            not_scripting(checker, node, "a resource override");
        }
        Kind::Apply { .. } if in_apply => {
            not_compiling(checker, node, "cannot use `apply` inside `apply`");
        }
        Kind::Apply { .. } => {}
        _ => return false,
    }
    true
}

fn not_scripting(checker: &mut Checker<'_>, node: &Node, what: &str) {
    let message = format!("cannot use {what} in a plan outside of `apply`");
    scripting_error(checker, node, &message);
}

fn scripting_error(checker: &mut Checker<'_>, node: &Node, message: &str) {
    checker.error("EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", node, message);
}

fn not_compiling(checker: &mut Checker<'_>, node: &Node, message: &str) {
    checker.error("EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", node, message);
}
