//! Suggests a name for a new variable: derived from the use of its value, and unique in its scope.

use syntax::SyntaxKind;
use syntax::ast::{AccessExpr, AstNode, Attribute, CallExpr, Expr, HashEntry, MethodCall};

use super::AssistContext;
use crate::rename::may_read_variable;
use crate::search::occurrences_of_words;
use crate::symbol::word_hash;
use hir::body::{ReferenceName, body};
use hir::{Item, ItemKind};

/// The number of candidates tried before giving up.
const MAX_TRIES: usize = 100;

/// Returns an unused variable name for the value of an expression.
pub(super) fn new_name(cx: &AssistContext<'_>, item: Item<'_>, expr: &Expr) -> Option<String> {
    let hint = name_hint(expr).unwrap_or_default();
    let base = to_variable_name(&hint).unwrap_or_else(|| "value".to_owned());
    let numbered = (2..MAX_TRIES).map(|it| format!("{base}_{it}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    names.find(|it| is_free(cx, item, it))
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

/// Checks whether a name is neither reserved nor used for a variable in an item or in code that sees
/// the item's variables.
fn is_free(cx: &AssistContext<'_>, item: Item<'_>, name: &str) -> bool {
    let db = cx.db;
    let own = body(db, item);
    let is_taken = matches!(name, "title" | "name" | "facts" | "trusted" | "environment")
        || SyntaxKind::from_keyword(name, true).is_some()
        || library::fact(name).is_some()
        || library::legacy_fact(name).is_some()
        || library::variable(name).is_some()
        || library::metaparameter(name).is_some();
    let is_bound = || own.scopes.iter().any(|it| it.binds(name));
    let is_read = || {
        let mut names = own.references.iter();
        names.any(|it| matches!(&it.name, ReferenceName::Variable(it) if it == name))
    };
    if is_taken || is_bound() || is_read() || may_read_variable(db, item, name) {
        return false;
    }
    // Variables of a class are visible to inheriting classes and by qualified names.
    let is_seen = !matches!(item.kind(db), ItemKind::Function | ItemKind::Plan);
    !is_seen
        || occurrences_of_words(db, cx.file, &[word_hash(name)])
            .iter()
            .all(|it| !it.is_variable())
}
