//! The positions at which Puppet reports errors in expressions: the operator, the first token of
//! the callee or of the accessed expression, or else the start.

use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxToken, TextSize};

/// Returns the offset at which Puppet reports an error in `expr`.
pub(super) fn error_position(expr: &Expr) -> TextSize {
    let mut at = expr.clone();
    loop {
        let start = at.syntax().text_range().start();
        let inner = match &at {
            Expr::BinaryExpr(it) => return start_of(it.operator(), start),
            Expr::Assignment(it) => return start_of(it.operator(), start),
            Expr::Relationship(it) => return start_of(it.operator(), start),
            Expr::UnbracedHash(it) => {
                let arrow = it.entries().next().and_then(|it| it.arrow());
                return start_of(arrow, start);
            }
            Expr::MethodCall(it) => {
                let paren = it.argument_list().and_then(|it| it.l_paren());
                return start_of(paren.or_else(|| it.dot()), start);
            }
            Expr::AccessExpr(it) => it.base(),
            Expr::SelectorExpr(it) => it.subject(),
            Expr::CallExpr(it) => it.callee(),
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => return start,
        }
    }
}

fn start_of(token: Option<SyntaxToken>, start: TextSize) -> TextSize {
    token.map_or(start, |it| it.text_range().start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::Dialect;

    #[test]
    fn reports_operators_and_first_tokens() {
        let at = |source: &str| {
            let tree = syntax::parse(source, Dialect::default()).tree();
            let expr = tree.statements().next().expect("there is a statement");
            u32::from(error_position(&expr))
        };
        assert_eq!(at("1 + 2 * 3"), 2);
        assert_eq!(at("(1 + 2)[0]"), 0);
        assert_eq!(at("$a[1] ? { 1 => 2 }"), 0);
        assert_eq!(at("$ab.f(1)"), 5);
        assert_eq!(at("$ab.f"), 3);
        assert_eq!(at("Integer[1](2)"), 0);
        assert_eq!(at("[1] - 2"), 4);
    }
}
