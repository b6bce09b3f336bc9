//! Reads the bodies of resource expressions as they are written.

use hir::canonical_name;
use syntax::SyntaxKind;
use syntax::ast::{
    AstNode, Attribute, AttributeOperation, Expr, ResourceBody, ResourceExpr, StringLiteral,
};

/// Returns the canonical name of the type that a body declares, `class` for a class; `None` if it is computed.
pub(crate) fn declared_type(body: &ResourceBody) -> Option<String> {
    let resource = body.syntax().parent().and_then(ResourceExpr::cast)?;
    if resource.class_keyword().is_some() {
        return Some("class".to_owned());
    }
    match resource.type_name()? {
        Expr::QualifiedName(it) => Some(canonical_name(&it.text())),
        _ => None,
    }
}

/// Returns the first attribute of a name.
pub(crate) fn attribute(body: &ResourceBody, name: &str) -> Option<Attribute> {
    let attributes = body.operations().filter_map(|it| match it {
        AttributeOperation::Attribute(it) => Some(it),
        AttributeOperation::AttributeSplat(_) => None,
    });
    let is_named = |it: &Attribute| it.name_token().is_some_and(|it| it.text() == name);
    attributes.into_iter().find(is_named)
}

/// Returns the value of `mode` if the body declares a `file` or `concat`.
pub(crate) fn mode_of_file(body: &ResourceBody) -> Option<Expr> {
    let type_ = declared_type(body)?;
    let is_file = matches!(&*type_, "file" | "concat");
    is_file.then(|| attribute(body, "mode")?.value()).flatten()
}

/// Checks whether an expression is a string without quotes.
pub(crate) fn is_bare_word(expr: &Expr) -> bool {
    match expr {
        Expr::QualifiedName(_) => true,
        Expr::StringLiteral(it) => {
            let token = StringLiteral::token(it);
            token.is_some_and(|it| it.kind() == SyntaxKind::WORD)
        }
        _ => false,
    }
}
