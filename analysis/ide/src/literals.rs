//! Literals: expressions whose value is what is written.

use syntax::SyntaxNode;
use syntax::ast::{AstNode, Expr};

/// Checks whether an expression is a single literal: a number, a string without interpolation, a
/// name, a keyword.
pub(crate) fn is_simple_literal(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Literal(_)
            | Expr::QualifiedName(_)
            | Expr::QualifiedReference(_)
            | Expr::StringLiteral(_)
            | Expr::KeywordWord(_)
    )
}

/// Checks whether an expression is a literal, or an array, a hash or a reference of literals.
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::ArrayExpr(it) => it.syntax().children().all(|it| is_literal_node(&it)),
        Expr::HashExpr(it) => {
            let mut parts = it.syntax().children().flat_map(|it| it.children());
            parts.all(|it| is_literal_node(&it))
        }
        Expr::AccessExpr(it) => {
            matches!(it.base(), Some(Expr::QualifiedReference(_)))
                && it.keys().iter().all(is_literal)
        }
        Expr::UnaryExpr(it) => {
            it.operator().is_some_and(|it| it.text() == "-")
                && it.expr().is_some_and(|it| is_simple_literal(&it))
        }
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_literal(&it)),
        Expr::Heredoc(it) => it
            .body()
            .is_some_and(|it| it.syntax().children().next().is_none()),
        _ => is_simple_literal(expr),
    }
}

fn is_literal_node(node: &SyntaxNode) -> bool {
    Expr::cast(node.clone()).is_some_and(|it| is_literal(&it))
}

/// Returns the literals in an expression, including itself.
pub(crate) fn literals_in(expr: &Expr) -> impl Iterator<Item = SyntaxNode> + use<> {
    expr.syntax().descendants().filter(is_literal_node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::Dialect;

    #[test]
    fn collections_of_literals_are_literals() {
        let first = |source: &str| {
            let parse = syntax::parse(source, Dialect::default());
            parse
                .tree()
                .statements()
                .next()
                .expect("the source has a statement")
        };
        for source in [
            "1",
            "-1",
            "'a'",
            "\"a\"",
            "[1, ['a']]",
            "{ 'a' => [1], b => undef }",
            "File['a']",
        ] {
            assert!(is_literal(&first(source)), "{source}");
        }
        for source in [
            "1 + 1",
            "\"a${b}\"",
            "[$a]",
            "{ 'a' => $b }",
            "$a[1]",
            "f(1)",
            "!true",
        ] {
            assert!(!is_literal(&first(source)), "{source}");
        }
        let found = literals_in(&first("f('a', [1, $x])"));
        let found: Vec<_> = found.map(|it| it.text().to_string()).collect();
        assert_eq!(found, ["f", "'a'", "1"]);
    }
}
