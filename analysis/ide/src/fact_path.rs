//! The paths of facts in code: `$facts['os']['family']` and `fact('os.family')`.

use library::KnownFunction;
use syntax::ast::{AccessExpr, AstNode, CallExpr, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

/// Returns the path of a fact at one of its keys: `["os", "family"]` at the end of
/// `$facts['os']['family']`, and in `fact('os.family')`.
pub(super) fn fact_path_at(token: &SyntaxToken) -> Option<(TextRange, Vec<String>)> {
    let literal = token.parent()?;
    let path = match access_of_key(&literal) {
        Some(access) => fact_path(&access)?,
        None => called_fact_path(&CallExpr::cast(literal.parent()?.parent()?)?)?,
    };
    Some((literal.text_range(), path))
}

/// Returns the path that a call of `fact` reads.
pub(super) fn called_fact_path(call: &CallExpr) -> Option<Vec<String>> {
    let name = call.name_token()?;
    let arguments = call.arguments();
    let path = arguments.first()?.plain_text()?;
    let is_fact = KnownFunction::from_name(name.text()) == Some(KnownFunction::Fact);
    (is_fact && arguments.len() == 1).then(|| path.split('.').map(str::to_owned).collect())
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
