//! Code that may leave the block, function or class around it, because it is unknown whether a call of `next`, `break`
//! or `return` is reached.

use library::KnownFunction;
use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, has_token};

/// How far code may leave.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Leaving {
    /// The block.
    Block,
    /// The iteration that calls the block.
    Iteration,
    /// The function, class or defined type.
    Definition,
}

impl Leaving {
    /// Returns how far a statement may leave; `None` if it does not.
    pub(super) fn of(statement: &SyntaxNode) -> Option<Leaving> {
        let functions = [
            KnownFunction::Return,
            KnownFunction::Break,
            KnownFunction::Next,
        ];
        if !has_token(statement, &functions.map(KnownFunction::name)) {
            return None;
        }
        let calls = statement
            .descendants()
            .filter(|it| matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL));
        let leaving = calls.filter_map(|call| {
            let (name, _) = Expr::cast(call.clone())?.named_call()?;
            match KnownFunction::from_name(name.text())? {
                KnownFunction::Return => Some(Leaving::Definition),
                // Inside of a block of the statement, they end that.
                _ if is_in_block(&call, statement) => None,
                KnownFunction::Break => Some(Leaving::Iteration),
                KnownFunction::Next => Some(Leaving::Block),
                _ => None,
            }
        });
        leaving.max()
    }
}

/// Checks whether a node is in a block that is part of a statement.
fn is_in_block(node: &SyntaxNode, statement: &SyntaxNode) -> bool {
    let mut around = node.ancestors().take_while(|it| it != statement);
    around.any(|it| it.kind() == SyntaxKind::LAMBDA)
}
