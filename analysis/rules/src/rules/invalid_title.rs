use infer::{TypeProblem, TypeProblemKind, ValueTarget};
use syntax::ast::{Expr, Number};
use syntax::{Fix, SyntaxNode, TextRange};
use types::Type;
use types::values::quote;

use crate::checker::Checker;
use crate::fixes::expr_at;
use crate::mismatch::refusal_message;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports resource titles that are not strings.
    ///
    /// ## What it does
    ///
    /// Checks that a title is a string or an array of strings.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the resource is evaluated: *Illegal title type*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Integer $port) {
    ///   notify { 5: } # <-
    ///   notify { $port: } # <-
    ///   file { { 'path' => '/etc' }: ensure => directory } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Integer $port) {
    ///   notify { '5': }
    ///   notify { "${port}": }
    ///   file { ['/etc/a', '/etc/b']: ensure => directory }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values from outside of the code: Hiera data, facts, and functions without a declared
    ///   return type.
    ///
    /// ## Fix
    ///
    /// Suggested: converts a number to a string.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-title]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-title = "off"
    /// ```
    pub(crate) static INVALID_TITLE = {
        code: "invalid-title",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::RefusedValue {
        what: target @ ValueTarget::Title,
        description,
        actual,
        ..
    } = &problem.kind
    else {
        return;
    };
    let message = refusal_message(target, description, actual);
    checker.report_problem(&INVALID_TITLE, problem, message);
    if matches!(actual, Type::Integer(_) | Type::Float(_)) {
        checker.fix(as_string(&checker.root(), problem.range));
    }
}

/// Returns a fix that converts a numeric title to a string.
fn as_string(root: &SyntaxNode, range: TextRange) -> Option<Fix> {
    let text = match expr_at(root, range)? {
        Expr::Literal(it) => {
            let text = it.token()?.text().to_owned();
            Number::parse(&text).map(|_| quote(&text))?
        }
        Expr::VariableExpr(it) => format!("\"${{{}}}\"", it.name()?),
        _ => return None,
    };
    Some(Fix::suggested("Convert to a string", range, text))
}

#[cfg(test)]
mod tests {
    use super::INVALID_TITLE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_titles_that_are_not_strings() {
        let code = "class m { user { 1000: } group { true: } }";
        let found = reported(&INVALID_TITLE, code);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("`1000`: resource title expects "),
            "{found:?}"
        );
        assert_eq!(fixes(&INVALID_TITLE, code), ["Convert to a string"]);
    }

    #[test]
    fn reports_the_element_of_a_list() {
        let code = "class m { package { ['a', undef, 'b']: } package { ['a', ['']]: } }";
        let found = reported(&INVALID_TITLE, code);
        assert!(found[0].starts_with("`undef`: "), "{found:?}");
        assert!(found[1].starts_with("`['']`: "), "{found:?}");
    }

    #[test]
    fn ignores_strings_and_unknown_values() {
        let code = "class m ($x, Array $all) { user { ['a', $x]: } group { $all: } }";
        assert_eq!(reported(&INVALID_TITLE, code), [""; 0]);
    }
}
