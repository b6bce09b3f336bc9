//! The names that the list at the cursor has already: other arguments of the call, elements of the array,
//! alternatives of the type, options of the case or selector, or titles in the relationship. They are hardly repeated,
//! unlike variables in a string.

use rustc_hash::FxHashSet;
use syntax::ast::{AccessExpr, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::cursor::CursorContext;

/// The types whose parameters are alternatives.
const ALTERNATIVES: [&str; 2] = ["Variant", "Enum"];

/// Returns the variables, with their dollar signs, names and strings in the innermost list around the cursor.
pub(super) fn sibling_names(cursor: &CursorContext<'_>) -> FxHashSet<String> {
    if let Some(option) = option_at(cursor) {
        return other_options(&option);
    }
    if let Some(reference) = reference_at(cursor) {
        return related_titles(&reference);
    }
    let mut around = cursor.token.parent_ancestors();
    let list = around.find(|it| is_list(it) || is_boundary(it.kind()));
    let others = list.filter(is_list).into_iter();
    let others = others.flat_map(|it| it.children());
    others
        .filter(|it| !cursor.is_within(it))
        .filter_map(|it| name(&it))
        .collect()
}

/// Returns the option of a case or selector whose value is at the cursor.
fn option_at(cursor: &CursorContext<'_>) -> Option<SyntaxNode> {
    let value = cursor.token.parent()?;
    let option = value.parent().filter(|it| is_option(it.kind()))?;
    let is_result = option.kind() == SyntaxKind::SELECTOR_ENTRY && value.prev_sibling().is_some();
    (!is_result).then_some(option)
}

fn is_option(kind: SyntaxKind) -> bool {
    matches!(kind, SyntaxKind::CASE_OPTION | SyntaxKind::SELECTOR_ENTRY)
}

/// Returns the values of all options of a case or selector except for one.
fn other_options(option: &SyntaxNode) -> FxHashSet<String> {
    let all = option.parent().into_iter().flat_map(|it| it.children());
    let others = all.filter(|it| is_option(it.kind()) && it != option);
    let values = others.flat_map(|it| match it.kind() {
        SyntaxKind::SELECTOR_ENTRY => it.children().take(1).collect::<Vec<_>>(),
        _ => it.children().collect(),
    });
    values
        .filter_map(|it| match it.text() == "default" {
            true => Some("default".to_owned()),
            false => name(&it),
        })
        .collect()
}

/// Returns the reference in a relationship whose title is at the cursor.
fn reference_at(cursor: &CursorContext<'_>) -> Option<AccessExpr> {
    let mut around = cursor.token.parent_ancestors();
    let keys = around.find(|it| is_boundary(it.kind()))?;
    let access = keys.parent().and_then(AccessExpr::cast);
    access.filter(|it| chain_of(it).is_some())
}

/// Returns the whole relationship that a reference is in.
fn chain_of(reference: &AccessExpr) -> Option<SyntaxNode> {
    let around = reference.syntax().ancestors().skip(1);
    let operands = around.take_while(|it| {
        matches!(
            it.kind(),
            SyntaxKind::RELATIONSHIP | SyntaxKind::ARRAY | SyntaxKind::PAREN_EXPR
        )
    });
    operands.last()
}

/// Returns the titles of other references to the same type in the relationship.
fn related_titles(reference: &AccessExpr) -> FxHashSet<String> {
    let type_ = |it: &AccessExpr| it.base().map(|it| it.syntax().text());
    let all = chain_of(reference).into_iter();
    let all = all
        .flat_map(|it| it.descendants())
        .filter_map(AccessExpr::cast);
    let others = all.filter(|it| it != reference && type_(it) == type_(reference));
    let titles = others.flat_map(|it| it.keys());
    titles.filter_map(|it| it.plain_text()).collect()
}

fn is_list(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    match node.kind() {
        ARGUMENT_LIST | ARRAY => true,
        ACCESS_KEYS => has_alternatives(node),
        _ => false,
    }
}

/// Checks whether what a node contains belongs to none of the lists around it.
fn is_boundary(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        HASH | UNBRACED_HASH | LAMBDA | RESOURCE_BODY | ACCESS_KEYS | INTERPOLATED_STRING
    )
}

fn has_alternatives(keys: &SyntaxNode) -> bool {
    let base = keys.prev_sibling().map(|it| it.text().to_string());
    base.is_some_and(|it| ALTERNATIVES.contains(&it.trim()))
}

/// Returns a variable with its dollar sign, a bare name, or the content of a string.
fn name(node: &SyntaxNode) -> Option<String> {
    match Expr::cast(node.clone())? {
        Expr::VariableExpr(it) => it.name().map(|it| format!("${it}")),
        Expr::QualifiedReference(it) => Some(it.text()),
        it => it.plain_text(),
    }
}
