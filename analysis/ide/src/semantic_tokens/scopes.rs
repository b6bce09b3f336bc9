//! Tracks which variables are parameters.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Assignment, AstNode, EppParameters, HasParameters, Parameter};
use syntax::{SyntaxKind, SyntaxNode, TextRange, TextSize};

use syntax::ast::assigned_variables;

/// The enclosing scopes. A lambda sees the parameters of enclosing scopes, a definition does not.
#[derive(Default)]
pub(super) struct VariableScopes {
    open: Vec<VariableScope>,
    /// The offsets of the variables that assignments declare.
    assigned: FxHashSet<TextSize>,
}

struct VariableScope {
    /// Whether the enclosing scopes are invisible.
    is_closed: bool,
    /// The names without dollar sign, and whether each is a parameter.
    names: FxHashMap<String, bool>,
}

impl VariableScopes {
    /// Enters a definition, a lambda or a file.
    pub(super) fn enter(&mut self, node: &SyntaxNode) {
        let names = parameters(node).into_iter().filter_map(|it| it.name());
        self.open.push(VariableScope {
            is_closed: node.kind() != SyntaxKind::LAMBDA,
            names: names.map(|it| (it, true)).collect(),
        });
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    /// Records the variables that an assignment declares.
    pub(super) fn assign(&mut self, assignment: &Assignment) {
        for token in assigned_variables(assignment) {
            self.assigned.insert(token.text_range().start());
            if let Some(scope) = self.open.last_mut() {
                let name = bare(token.text()).to_owned();
                // Reassigning a parameter is an error and does not change its role.
                scope.names.entry(name).or_insert(false);
            }
        }
    }

    pub(super) fn is_assigned_here(&self, range: TextRange) -> bool {
        self.assigned.contains(&range.start())
    }

    pub(super) fn is_parameter(&self, variable: &str) -> bool {
        let name = bare(variable);
        for scope in self.open.iter().rev() {
            if let Some(&is_parameter) = scope.names.get(name) {
                return is_parameter;
            }
            if scope.is_closed {
                break;
            }
        }
        false
    }
}

fn bare(variable: &str) -> &str {
    variable.strip_prefix('$').unwrap_or(variable)
}

fn parameters(node: &SyntaxNode) -> Vec<Parameter> {
    let holder = match node.kind() {
        SyntaxKind::TEMPLATE => node.children().find_map(EppParameters::cast),
        _ => {
            let list = node
                .children()
                .find(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
            return list
                .map(|it| it.children().filter_map(Parameter::cast).collect())
                .unwrap_or_default();
        }
    };
    holder.map(|it| it.parameters()).unwrap_or_default()
}
