//! Names of types with a hyphen, which Puppet reads as a subtraction.

use syntax::ast::{AstNode, BinaryExpr, Expr};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::fixes::node_at;
use crate::unquoted_words::is_bare_word;

/// Returns the range of a name such as `Apt::Deb-list` if a place is part of it or of its keys.
pub(crate) fn hyphenated_type(root: &SyntaxNode, place: TextRange) -> Option<TextRange> {
    let node = node_at(root, place)?;
    let subtractions = node.ancestors().map_while(|it| match it.kind() {
        SyntaxKind::BINARY_EXPR => Some(BinaryExpr::cast(it)),
        SyntaxKind::ACCESS_EXPR
        | SyntaxKind::ACCESS_KEYS
        | SyntaxKind::QUALIFIED_NAME
        | SyntaxKind::QUALIFIED_REFERENCE => Some(None),
        _ => None,
    });
    let outermost = subtractions.flatten().last()?;
    let last = match outermost.rhs()? {
        Expr::AccessExpr(it) => it.base()?,
        other => other,
    };
    let range = TextRange::new(
        outermost.syntax().text_range().start(),
        last.syntax().text_range().end(),
    );
    (is_bare_word(&last) && begins_with_type(&outermost) && !has_blank(root, range))
        .then_some(range)
}

/// Checks whether the operands of subtractions are a type and words.
fn begins_with_type(subtraction: &BinaryExpr) -> bool {
    let is_minus = subtraction
        .operator()
        .is_some_and(|it| it.kind() == SyntaxKind::MINUS);
    is_minus
        && match subtraction.lhs() {
            Some(Expr::QualifiedReference(_)) => true,
            Some(Expr::BinaryExpr(it)) => {
                it.rhs().is_some_and(|it| is_bare_word(&it)) && begins_with_type(&it)
            }
            _ => false,
        }
}

fn has_blank(root: &SyntaxNode, range: TextRange) -> bool {
    let text = root.text().slice(range).to_string();
    text.contains(char::is_whitespace)
}
