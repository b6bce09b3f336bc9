//! The defaults of parameters where code uses the parameters: a default that is refused fails for users who do not pass
//! another value.

use syntax::ast::{AstNode, Expr, Parameter, VariableExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::branch_values::{MAX_STATEMENTS, unconditional_statement};
use super::flow::Origin;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use types::values::Value;

impl InferenceContext<'_> {
    /// Checks the default of the parameter that an expression is, if the code of a class or defined type always evaluates
    /// the expression: a condition may test for the default.
    pub(super) fn check_default(
        &mut self,
        expr: &Expr,
        whole: &Inferred,
        check: impl FnOnce(&mut Self, &Expr, &Inferred),
    ) {
        if let Some((default, value)) = self.default_of(expr, whole) {
            let before = std::mem::replace(&mut self.is_default, true);
            check(self, &default, &value);
            self.is_default = before;
        }
    }

    fn default_of(&self, expr: &Expr, whole: &Inferred) -> Option<(Expr, Inferred)> {
        let Expr::VariableExpr(variable) = expr else {
            return None;
        };
        if whole.value.is_some() || self.is_suppressed() {
            return None;
        }
        let name = variable.name()?;
        let state = self.flow.get(&name)?;
        if state.origin != Origin::Parameter {
            return None;
        }
        let statement = unconditional_statement(variable.syntax())?;
        let kind = statement.parent()?.parent()?.kind();
        let has_parameters = matches!(
            kind,
            SyntaxKind::CLASS_DEFINITION | SyntaxKind::DEFINE_DEFINITION
        );
        if !has_parameters || is_tested_before(&statement, &name) {
            return None;
        }
        let declared = self.node_at(state.assigned_at?)?;
        let parameter = declared.ancestors().find_map(Parameter::cast)?;
        let default = parameter.default()?;
        let value = self.recorded(&default)?;
        // These stand for a value that users have to pass.
        let is_empty = |it: &Value| it.is_undef() || it.as_str() == Some("");
        let is_known = value.value.as_ref().is_some_and(|it| !is_empty(it));
        // Code before the expression may exclude the default.
        let is_possible = value.is_a(&whole.type_) == Some(true);
        (is_known && is_possible).then(|| (default, value.clone()))
    }
}

/// Checks whether one of the statements before another tests a variable, such as to fail for its default.
fn is_tested_before(statement: &SyntaxNode, name: &str) -> bool {
    let before = std::iter::successors(statement.prev_sibling(), SyntaxNode::prev_sibling);
    let conditions = before.take(MAX_STATEMENTS).filter_map(|it| {
        Some(match Expr::cast(it)? {
            Expr::IfExpr(it) => it.condition()?,
            Expr::UnlessExpr(it) => it.condition()?,
            Expr::CaseExpr(it) => it.subject()?,
            _ => return None,
        })
    });
    let mut nodes = conditions.flat_map(|it| it.syntax().descendants().collect::<Vec<_>>());
    nodes.any(|it| {
        VariableExpr::cast(it)
            .and_then(|it| it.name())
            .is_some_and(|it| it == name)
    })
}
