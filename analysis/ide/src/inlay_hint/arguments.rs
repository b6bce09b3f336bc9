//! Parameter name hints for arguments.

use salsa::Database;
use syntax::ast::{AstNode, Expr, LiteralKind};
use syntax::{SyntaxKind, SyntaxNode};

use super::super::hover;
use super::{HintCollector, HintKind, HintSubject};
use hir::{Item, canonical_name};
use infer::candidate_parameters;
use library::signatures::Arity;

impl HintCollector<'_> {
    /// Adds the parameter names of the arguments of a call.
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
        let (Some(name), false) = (name, arguments.is_empty()) else {
            return;
        };
        let Some(parameters) = candidate_parameters(self.db, self.item, &call) else {
            return;
        };
        let is_obvious = parameters.are_single();
        for (argument, index) in arguments.iter().zip(before..) {
            let Some(parameter) = parameters.of(index) else {
                continue;
            };
            let repeats = matches!(parameter.arity, Arity::Repeated | Arity::RequiredRepeated);
            if repeats
                || names_parameter(argument, &parameter.name)
                || is_obvious && !is_unexplained_literal(argument)
            {
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

/// Checks whether an argument is a variable, key or function call named like the parameter.
fn names_parameter(argument: &Expr, parameter: &str) -> bool {
    let name = match argument {
        Expr::VariableExpr(it) => it.name(),
        Expr::AccessExpr(it) => match it.keys().as_slice() {
            [Expr::StringLiteral(key)] => Some(key.value()),
            _ => None,
        },
        Expr::CallExpr(it) => it.name_token().map(|it| it.text().to_owned()),
        Expr::MethodCall(it) => it.name_token().map(|it| it.text().to_owned()),
        _ => None,
    };
    let Some(name) = name else { return false };
    let last = name.rsplit("::").next().unwrap_or(&name);
    let rest = last.strip_suffix(parameter);
    rest.is_some_and(|it| it.is_empty() || it.ends_with('_')) || parameter.ends_with(last)
}

/// Checks whether an argument is a literal that does not explain itself.
fn is_unexplained_literal(argument: &Expr) -> bool {
    let Expr::Literal(literal) = argument else {
        return false;
    };
    !matches!(literal.kind(), None | Some(LiteralKind::Regex(_)))
}
