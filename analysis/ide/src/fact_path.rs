//! The paths of facts in code: `$facts['os']['family']`.

use syntax::ast::{AccessExpr, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

/// Returns the path of a fact at one of its keys: `["os", "family"]` at the end of
/// `$facts['os']['family']`.
pub(super) fn fact_path_at(token: &SyntaxToken) -> Option<(TextRange, Vec<String>)> {
    let literal = token.parent()?;
    let path = fact_path(&access_of_key(&literal)?)?;
    Some((literal.text_range(), path))
}

fn access_of_key(key: &SyntaxNode) -> Option<AccessExpr> {
    let keys = key
        .parent()
        .filter(|it| it.kind() == SyntaxKind::ACCESS_KEYS)?;
    keys.parent().and_then(AccessExpr::cast)
}

fn fact_path(access: &AccessExpr) -> Option<Vec<String>> {
    let keys = access.keys();
    let [Expr::StringLiteral(key)] = keys.as_slice() else {
        return None;
    };
    let mut path = match access.base()? {
        Expr::VariableExpr(it) => {
            let name = it.name()?;
            match name.trim_start_matches("::") {
                "facts" => Vec::new(),
                name => vec![library::fact(name)?.name.clone()],
            }
        }
        Expr::AccessExpr(it) => fact_path(&it)?,
        _ => return None,
    };
    path.push(key.value());
    Some(path)
}
