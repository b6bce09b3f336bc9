//! The names that the list at the cursor has already: other arguments of the call, elements of the array,
//! or alternatives of the type. They are hardly repeated, unlike variables in a string.

use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::cursor::CursorContext;

/// The types whose parameters are alternatives.
const ALTERNATIVES: [&str; 2] = ["Variant", "Enum"];

/// Returns the variables, with their dollar signs, names and strings in the innermost list around the cursor.
pub(super) fn sibling_names(cursor: &CursorContext<'_>) -> FxHashSet<String> {
    let mut around = cursor.token.parent_ancestors();
    let list = around.find(|it| is_list(it) || is_boundary(it.kind()));
    let others = list.filter(is_list).into_iter();
    let others = others.flat_map(|it| it.children());
    others
        .filter(|it| !cursor.is_within(it))
        .filter_map(|it| name(&it))
        .collect()
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
