//! Conditions about the value of a variable.

use syntax::ast::{AstNode, IfExpr, StringLiteral, UnlessExpr};
use syntax::{SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::fixes::node_at;

/// Checks whether the code names a variable in a string, as in `defined('$name')`.
pub(crate) fn tests_for(checker: &Checker<'_>, name: &str) -> bool {
    let names = checker.named_in_strings.get_or_init(|| {
        let strings = checker.root().descendants().filter_map(StringLiteral::cast);
        let names = strings.map(|it| it.value().trim_start_matches('$').to_owned());
        names.collect()
    });
    names.contains(name)
}

/// Checks whether the code in a range is in the condition of the code in another one: `if !$name { $name = 1 }`.
pub(crate) fn is_condition_of(checker: &Checker<'_>, range: TextRange, other: TextRange) -> bool {
    let node = node_at(&checker.root(), range);
    let around = node.iter().flat_map(SyntaxNode::ancestors);
    let mut conditions = around.filter_map(|it| {
        let condition = match IfExpr::cast(it.clone()) {
            Some(it) => it.condition(),
            None => UnlessExpr::cast(it.clone())?.condition(),
        };
        Some((condition?, it.text_range()))
    });
    conditions.any(|(condition, whole)| {
        condition.syntax().text_range().contains_range(range) && whole.contains_range(other)
    })
}
