//! Values that code compares with others: operands, options of `case` and selectors, and the keys of a hash that is indexed.

use syntax::ast::{AccessExpr, AstNode, BinaryExpr, CaseExpr, Expr, SelectorExpr};
use syntax::{SyntaxKind, SyntaxNode};

/// The nodes that may compare values.
pub(crate) const COMPARISONS: &[SyntaxKind] = &[
    SyntaxKind::BINARY_EXPR,
    SyntaxKind::CASE_EXPR,
    SyntaxKind::SELECTOR_EXPR,
    SyntaxKind::ACCESS_EXPR,
];

/// Returns the values that a comparison is about, and those that they are compared with.
pub(crate) fn compared(node: &SyntaxNode) -> Option<(Vec<Expr>, Vec<Expr>)> {
    if let Some(case) = CaseExpr::cast(node.clone()) {
        let values = case
            .options()
            .flat_map(|it| it.values().collect::<Vec<_>>());
        return Some((vec![case.subject()?], values.collect()));
    }
    if let Some(selector) = SelectorExpr::cast(node.clone()) {
        let values = selector.entries().filter_map(|it| it.matching());
        return Some((vec![selector.subject()?], values.collect()));
    }
    if let Some(access) = AccessExpr::cast(node.clone()) {
        let base = access.base()?;
        return Some((access.keys(), vec![base])).filter(|it| it.0.len() == 1);
    }
    let comparison = BinaryExpr::cast(node.clone())?;
    let (left, right) = (comparison.lhs()?, comparison.rhs()?);
    match comparison.operator()?.kind() {
        SyntaxKind::EQ_EQ | SyntaxKind::NOT_EQ => {
            let both = vec![left, right];
            Some((both.clone(), both))
        }
        SyntaxKind::IN_KW | SyntaxKind::MATCH | SyntaxKind::NOT_MATCH => {
            Some((vec![left], vec![right]))
        }
        _ => None,
    }
}

/// Returns the elements of an array or a splat, or else the expression itself.
pub(crate) fn elements(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::ArrayExpr(it) => it.elements().collect(),
        Expr::UnaryExpr(it)
            if it
                .operator()
                .is_some_and(|it| it.kind() == SyntaxKind::STAR) =>
        {
            it.expr().iter().flat_map(elements).collect()
        }
        _ => vec![expr.clone()],
    }
}
