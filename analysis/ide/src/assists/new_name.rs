//! Suggests a name for a new variable: derived from the use of its value, and unique in its scope.

use syntax::ast::{AccessExpr, AstNode, Attribute, CallExpr, Expr, HashEntry, MethodCall};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::AssistContext;
use crate::rename::{may_capture_variable, may_read_variable};
use crate::symbol::{OccurrenceKind, occurrences};
use hir::body::body;
use hir::{Item, ItemKind};

/// The number of candidates tried before giving up.
const MAX_TRIES: usize = 100;

/// Returns a variable name for the value of an expression that is unused in the scope of a place in the item.
pub(super) fn new_name(
    cx: &AssistContext<'_>,
    item: Item<'_>,
    place: &SyntaxNode,
    expr: &Expr,
) -> Option<String> {
    let hint = name_hint(expr).unwrap_or_default();
    let base = to_variable_name(&hint).unwrap_or_else(|| "value".to_owned());
    let numbered = (2..MAX_TRIES).map(|it| format!("{base}_{it}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    names.find(|it| is_free(cx, item, place, it))
}

/// Returns a word that describes an expression: the attribute or hash key that it is the value of, or
/// else its own last key or function name.
fn name_hint(expr: &Expr) -> Option<String> {
    let own = match expr {
        Expr::AccessExpr(it) => last_key(it),
        Expr::CallExpr(it) => CallExpr::name_token(it).map(|it| it.text().to_owned()),
        Expr::MethodCall(it) => MethodCall::name_token(it).map(|it| it.text().to_owned()),
        _ => None,
    };
    let node = expr.syntax();
    let parent = node.parent()?;
    let target = Attribute::cast(parent.clone()).and_then(|it| it.name_token());
    let target = target.map(|it| it.text().to_owned()).or_else(|| {
        let entry = HashEntry::cast(parent)?;
        let is_value = entry.value().as_ref() == Some(expr);
        is_value.then(|| entry.key()?.plain_text()).flatten()
    });
    target.or(own)
}

fn last_key(access: &AccessExpr) -> Option<String> {
    access.keys().last().and_then(Expr::plain_text)
}

/// Converts a string to a variable name.
fn to_variable_name(text: &str) -> Option<String> {
    let last = text.rsplit("::").next()?.to_ascii_lowercase();
    let clean: String = last
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '_' })
        .collect();
    let clean = clean.trim_matches('_').to_owned();
    let starts_well = clean.starts_with(|it: char| it.is_ascii_lowercase());
    (starts_well && clean.len() <= 30).then_some(clean)
}

/// Checks whether a name is neither reserved nor used for a variable in code that would see the new one.
fn is_free(cx: &AssistContext<'_>, item: Item<'_>, place: &SyntaxNode, name: &str) -> bool {
    let db = cx.db;
    let is_reserved = matches!(name, "title" | "name" | "facts" | "trusted" | "environment")
        || SyntaxKind::from_keyword(name, true).is_some()
        || library::fact(name).is_some()
        || library::legacy_fact(name).is_some()
        || library::variable(name).is_some()
        || library::metaparameter(name).is_some();
    if is_reserved || is_used_near(cx, item, place, name) || may_read_variable(db, item, name) {
        return false;
    }
    // Variables of a class are visible to inheriting classes and by qualified names.
    let is_seen = !matches!(item.kind(db), ItemKind::Function | ItemKind::Plan);
    !is_seen || !may_capture_variable(db, cx.file, item, name)
}

/// Checks whether a new variable of this name would be bound twice in its scope, would hide another one, or would be
/// read in place of another one.
fn is_used_near(cx: &AssistContext<'_>, item: Item<'_>, place: &SyntaxNode, name: &str) -> bool {
    let body = body(cx.db, item);
    let lambda = lambda_around(place);
    let is_inside = |range: TextRange| lambda.is_none_or(|it| it.contains_range(range));
    let is_around = |range: TextRange| {
        let node = cx.root.covering_element(range);
        let node = node.as_node().cloned().or_else(|| node.parent());
        let scope = node.and_then(|it| lambda_around(&it));
        scope.is_none_or(|it| it.contains_range(place.text_range()))
    };
    occurrences(cx.db, item).iter().any(|it| {
        let range = item.in_file(cx.db, it.range);
        match it.kind {
            OccurrenceKind::Binding(_, bound) => bound == name && is_around(range),
            OccurrenceKind::Reference(read) if it.kind.variable() == Some(name) => {
                let mut scopes = body.scopes_from(read.scope);
                is_inside(range) && !scopes.any(|it| body.scopes[it].binds(name))
            }
            kind => kind.variable() == Some(name) && is_inside(range),
        }
    })
}

/// Returns the range of the innermost lambda, which has a scope of its own, around a place.
fn lambda_around(place: &SyntaxNode) -> Option<TextRange> {
    let lambda = place.ancestors().find(|it| it.kind() == SyntaxKind::LAMBDA);
    lambda.map(|it| it.text_range())
}
