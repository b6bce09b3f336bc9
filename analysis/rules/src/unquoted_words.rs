//! Strings without quotes, which the Puppet style guide allows only for keywords such as `present`.

use hir::resolve;
use syntax::ast::{AstNode, Expr};
use syntax::{Fix, SyntaxKind};
use types::values::quote;

use crate::checker::Checker;
use crate::rule::Rule;

/// Returns the bare words that an expression consists of: itself, also in parentheses, or elements of an array.
pub(crate) fn unquoted_words(expr: &Expr) -> Vec<Expr> {
    let mut words = elements(expr);
    words.retain(is_bare_word);
    words
}

/// Returns the elements of an array and of those in it, or the expression itself without parentheses.
fn elements(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| elements(&it)).collect(),
        Expr::ParenExpr(it) => it.expr().map_or(Vec::new(), |it| elements(&it)),
        other => vec![other.clone()],
    }
}

/// Checks whether an expression is a capitalized word without quotes that is not the name of a data type or resource
/// type.
fn is_unknown_type(checker: &Checker<'_>, expr: &Expr) -> bool {
    let Expr::QualifiedReference(name) = expr else {
        return false;
    };
    let name = name.text();
    !name.contains("::")
        && resolve::type_name(checker.db, Some(checker.environment), &name).is_err()
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
    /// Reports the words without quotes in an option of a `case` or selector.
    pub(crate) fn report_unquoted_option(&mut self, rule: &'static Rule, option: &Expr) {
        for word in unquoted_words(option) {
            self.report_unquoted(rule, &word, "option");
        }
        let words = elements(option).into_iter();
        let unknown: Vec<Expr> = words.filter(|it| is_unknown_type(self, it)).collect();
        for word in unknown {
            let text = word.syntax().text().to_string();
            let range = word.syntax().text_range();
            let message = format!("unquoted option `{text}` refers to an unknown type");
            self.report(rule, range, message);
        }
    }

    /// Reports a bare word, with a fix that quotes it. The noun is its role.
    pub(crate) fn report_unquoted(&mut self, rule: &'static Rule, word: &Expr, noun: &str) {
        let text = word.syntax().text().to_string();
        let range = word.syntax().text_range();
        self.report(rule, range, format!("unquoted {noun} `{text}`"));
        self.fix(Some(Fix::certain("Quote the string", range, quote(&text))));
    }
}
