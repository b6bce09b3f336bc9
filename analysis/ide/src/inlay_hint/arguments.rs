//! Parameter name hints for arguments.

use salsa::Database;
use syntax::ast::{AstNode, Expr, LiteralKind};
use syntax::{SyntaxKind, SyntaxNode};

use super::super::hover;
use super::super::literals::is_literal;
use super::{HintCollector, HintKind, HintSubject};
use hir::{Item, canonical_name};
use infer::candidate_parameters;
use library::signatures::Arity;

/// The minimum number of arguments of a call whose arguments are labeled. The meaning of one or two
/// is usually clear from the name of the function.
const MIN_ARGUMENTS: usize = 3;

impl HintCollector<'_> {
    /// Adds the parameter names of the literal arguments of a call.
    pub(super) fn arguments(&mut self, node: &SyntaxNode) {
        if !matches!(node.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL) {
            return;
        }
        let Some(call) = Expr::cast(node.clone()) else {
            return;
        };
        let (name, arguments, before) = match &call {
            Expr::CallExpr(it) => (it.name_token(), it.arguments(), 0),
            Expr::MethodCall(it) => (it.name_token(), it.arguments(), 1),
            _ => return,
        };
        let (Some(name), true) = (name, arguments.len() >= MIN_ARGUMENTS) else {
            return;
        };
        let Some(parameters) = candidate_parameters(self.db, self.item, &call) else {
            return;
        };
        for (argument, index) in arguments.iter().zip(before..) {
            let Some(parameter) = parameters.of(index) else {
                continue;
            };
            let repeats = matches!(parameter.arity, Arity::Repeated | Arity::RequiredRepeated);
            if repeats || !is_telling(&parameter.name) || !is_unexplained(argument) {
                continue;
            }
            let label = format!("{}:", parameter.name);
            let function = canonical_name(name.text());
            let subject = HintSubject::Argument(self.item, function, parameter.name.clone());
            let start = argument.syntax().text_range().start();
            self.add(start, HintKind::Argument, label, subject);
        }
    }
}

/// Returns the tooltip of a parameter name.
pub(super) fn tooltip(
    db: &dyn Database,
    item: Item<'_>,
    function: &str,
    parameter: &str,
) -> Option<String> {
    let environment = item.file(db).environment(db);
    hover::function_parameter_documentation(db, environment, function, parameter)
}

/// Checks whether the name of a parameter says more than its position: `arg2` stands for a name that is not known.
fn is_telling(name: &str) -> bool {
    let rest = name.strip_prefix("arg").unwrap_or(name);
    let is_number = rest.bytes().all(|it| it.is_ascii_digit());
    name.chars().count() > 1 && !is_number && name != "args"
}

/// Checks whether an argument is a literal that does not explain itself.
fn is_unexplained(argument: &Expr) -> bool {
    match argument {
        Expr::Literal(it) => !matches!(it.kind(), None | Some(LiteralKind::Regex(_))),
        Expr::QualifiedReference(_) => false,
        _ => is_literal(argument),
    }
}

#[cfg(test)]
mod tests {
    use super::is_telling;

    #[test]
    fn only_real_names_are_shown() {
        assert!(is_telling("separator") && is_telling("argument"));
        assert!(!is_telling("x") && !is_telling("arg2") && !is_telling("args"));
    }
}
