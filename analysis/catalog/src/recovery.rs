//! Recovery from statements whose outcome is unknown: the rest of the code is still certain.

use std::borrow::Cow;

use eval::{ControlFlow, EvalFailure, Evaluator, FlowResult};
use library::{KnownFunction, products};
use syntax::ast::{AstNode, Expr, variables_assigned_in};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxKind, SyntaxNode};

use crate::state::{Additions, Compiler, ScopeId};

impl Compiler<'_> {
    /// Marks the variables that a statement may have assigned as unknown, and records what it may declare.
    pub(crate) fn recover(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        statement: &Expr,
        why: Cow<'static, str>,
    ) -> FlowResult<()> {
        // An exhausted budget ends the compilation.
        if self.budget.remaining() == 0 {
            return Err(ControlFlow::Failure {
                failure: EvalFailure::unknown(why),
                at: None,
            });
        }
        self.state.borrow_mut().forget_failure();
        let node = statement.syntax();
        let may_declare = self.may_declare(node);
        // A function that calls itself without end postpones its statements without end, too.
        let is_postponed = may_declare
            && !self.budget.is_too_deep()
            && self.postpone(scope, evaluator, statement, &why);
        for assigned in variables_assigned_in(node) {
            evaluator.scope_mut().set_possible(&assigned, why.clone());
        }
        if may_declare && !is_postponed {
            let additions = Additions::Code(node.clone());
            self.add_gap_of(additions, scope, Some(node.text_range()), why);
        }
        Ok(())
    }

    /// Checks whether code may add to the catalog.
    fn may_declare(&self, node: &SyntaxNode) -> bool {
        node.descendants().any(|it| match it.kind() {
            SyntaxKind::RESOURCE_EXPR
            | SyntaxKind::RESOURCE_DEFAULTS
            | SyntaxKind::RESOURCE_OVERRIDE
            | SyntaxKind::COLLECT_EXPR
            | SyntaxKind::RELATIONSHIP => true,
            SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL => {
                let call = Expr::cast(it).filter(|it| !is_conversion(it));
                let name = call.and_then(|it| Some(it.named_call()?.0));
                name.is_some_and(|it| !self.declares_nothing(it.text()))
            }
            _ => false,
        })
    }
}

/// Checks whether a call converts a value: `Integer($x)`, `Enum['a']($x)`.
pub(crate) fn is_conversion(call: &Expr) -> bool {
    let callee = match call {
        Expr::CallExpr(it) => it.callee(),
        _ => None,
    };
    matches!(
        callee,
        Some(Expr::QualifiedReference(_) | Expr::AccessExpr(_))
    )
}

/// Checks whether a function certainly declares no resources. Those of the server return values.
pub(crate) fn is_pure(name: &str, version: PuppetVersion) -> bool {
    let declares = matches!(
        KnownFunction::from_name(name),
        Some(
            KnownFunction::Include
                | KnownFunction::Contain
                | KnownFunction::Require
                | KnownFunction::HieraInclude
                | KnownFunction::CreateResources
                | KnownFunction::Realize
        )
    );
    let is_known = eval::is_evaluable(name)
        || library::function(name, version).is_some()
        || products::is_of_server(name);
    !declares && is_known
}
