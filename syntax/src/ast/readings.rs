//! Readings that expressions of several kinds have in common: text, and calls by name.

use super::{Expr, LiteralKind};
use crate::SyntaxToken;

impl Expr {
    /// Checks whether it is the keyword `default`.
    pub fn is_default(&self) -> bool {
        matches!(self, Expr::Literal(it) if it.kind() == Some(LiteralKind::Default))
    }

    /// Returns the value of a string without interpolation or of a bare word.
    pub fn plain_text(&self) -> Option<String> {
        match self {
            Expr::StringLiteral(it) => Some(it.value()),
            Expr::QualifiedName(it) => Some(it.text()),
            _ => None,
        }
    }

    /// Returns the name of the function and the arguments of a call, with the receiver of a method
    /// call first.
    pub fn named_call(&self) -> Option<(SyntaxToken, Vec<Expr>)> {
        match self {
            Expr::CallExpr(it) => Some((it.name_token()?, it.arguments())),
            Expr::MethodCall(it) => {
                let arguments = it.receiver().into_iter().chain(it.arguments());
                Some((it.name_token()?, arguments.collect()))
            }
            _ => None,
        }
    }
}
