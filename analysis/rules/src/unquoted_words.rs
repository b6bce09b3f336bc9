//! Strings without quotes, which the Puppet style guide allows only for keywords such as `present`.

use syntax::ast::{AstNode, Expr};
use syntax::{Fix, SyntaxKind};
use types::values::quote;

use crate::checker::Checker;
use crate::rule::Rule;

/// Returns the bare words that an expression consists of: itself, or elements of an array.
pub(crate) fn unquoted_words(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::QualifiedName(_) => vec![expr.clone()],
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| unquoted_words(&it)).collect(),
        _ => Vec::new(),
    }
}

/// Checks whether an expression is a string without quotes.
pub(crate) fn is_bare_word(expr: &Expr) -> bool {
    match expr {
        Expr::QualifiedName(_) => true,
        Expr::StringLiteral(it) => it.token().is_some_and(|it| it.kind() == SyntaxKind::WORD),
        _ => false,
    }
}

impl Checker<'_> {
    /// Reports a bare word, with a fix that quotes it. The noun is its role.
    pub(crate) fn report_unquoted(&mut self, rule: &'static Rule, word: &Expr, noun: &str) {
        let text = word.syntax().text().to_string();
        let range = word.syntax().text_range();
        self.report(
            rule,
            range,
            format!("{noun} `{text}` is a string without quotes"),
        );
        self.fix(Some(Fix::certain("Quote the string", range, quote(&text))));
    }
}
