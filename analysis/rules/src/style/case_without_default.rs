use syntax::ast::{AstNode, CaseExpr, CaseOption, Expr};
use syntax::{Applicability, Fix, SyntaxKind, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::fixes::option_insertion;
use crate::rule::{Check, Rule, declare_rule};
use crate::rules::single_values;

declare_rule! {
    /// Reports `case` statements without a `default` option.
    ///
    /// ## What it does
    ///
    /// Checks `case` statements whose subject may have any number of values, such as a string.
    ///
    /// ## Why it matters
    ///
    /// If no option matches, no code runs, and it is not obvious whether that is meant. The Puppet style
    /// guide requires a `default`, if only an empty one or one that fails.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   case $facts['os']['name'] { # <-
    ///     'Debian': { include example::debian }
    ///   }
    /// }
    /// # file: manifests/debian.pp
    /// class example::debian {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   case $facts['os']['name'] {
    ///     'Debian': { include example::debian }
    ///     default: { fail("unsupported: ${facts['os']['name']}") }
    ///   }
    /// }
    /// # file: manifests/debian.pp
    /// class example::debian {}
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Subjects with few possible values, such as `Boolean` or `Enum['a', 'b']`, if the values of the options
    ///   are known: `missing-option` reports those that no option covers, and if all are covered, a `default`
    ///   is unreachable.
    ///
    /// ## Fix
    ///
    /// Suggested: adds an empty `default` option.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[case-without-default]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// case-without-default = "warning"
    /// ```
    pub(crate) static CASE_WITHOUT_DEFAULT = {
        code: "case-without-default",
        puppet_lint: ["case_without_default"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CASE_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(case) = CaseExpr::cast(node.clone()) else {
        return;
    };
    let Some(last) = case.options().last() else {
        return;
    };
    if case.options().any(|it| has_default(&it)) || is_complete_or_checked(checker, &case) {
        return;
    }
    let keyword = node.first_token().map(|it| it.text_range());
    let subject = case.subject().map(|it| it.syntax().text_range());
    let (Some(keyword), Some(subject)) = (keyword, subject) else {
        return;
    };
    let range = TextRange::new(keyword.start(), subject.end());
    let message = "missing `default` option in `case`".to_owned();
    checker.report(&CASE_WITHOUT_DEFAULT, range, message);
    checker.fix(Some(Fix {
        label: "Add a `default` option".to_owned(),
        applicability: Applicability::Suggested,
        edits: vec![option_insertion(&last, "default: { }")],
    }));
}

fn has_default(option: &CaseOption) -> bool {
    option.values().any(|it| it.is_default())
}

/// Checks whether the values of the subject can be listed and those of the options are known, so that
/// `missing-option` decides.
fn is_complete_or_checked(checker: &Checker<'_>, case: &CaseExpr) -> bool {
    let subject = case.subject().and_then(|it| checker.type_of(&it));
    let has_few = subject.is_some_and(|it| single_values(&it.type_, &mut Vec::new()).is_some());
    let is_known = |it: Expr| checker.type_of(&it).is_some_and(|it| it.value.is_some());
    has_few && case.options().flat_map(|it| it.values()).all(is_known)
}

#[cfg(test)]
mod tests {
    use super::CASE_WITHOUT_DEFAULT;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_cases_of_any_value() {
        let code = "class m (String $a) {\n  case $a {\n    'x': { }\n  }\n}\n";
        assert_eq!(
            reported(&CASE_WITHOUT_DEFAULT, code),
            ["`case $a`: missing `default` option in `case`"]
        );
        assert_eq!(
            fixed(&CASE_WITHOUT_DEFAULT, code),
            "class m (String $a) {\n  case $a {\n    'x': { }\n    default: { }\n  }\n}\n"
        );
        for code in [
            "class m ($a) { case $a { 'x': { } } }",
            "class m { case $facts['os']['family'] { 'x', 'y': { } } }",
            "class m (String $a) { case $a { 'x': { case $a { default: { } } } } }",
            "class m (String $a) { case $a { 'default': { } } }",
            "class m ($a) { case true { $a: { } } }",
        ] {
            assert_eq!(reported(&CASE_WITHOUT_DEFAULT, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_defaults_and_few_values() {
        for code in [
            "class m (String $a) { case $a { 'x': { } default: { } } }",
            "class m (String $a) { case $a { 'x', default: { } } }",
            "class m (String $a) { case $a { default: { } 'x': { } } }",
            "class m (Boolean $a) { case $a { true: { } false: { } } }",
            "class m (Enum['x', 'y'] $a) { case $a { 'x': { } 'y': { } } }",
            "class m (Enum['x', 'y'] $a) { case $a { 'x': { } } }",
            "class m (String $a) { $x = $a ? { 'x' => 1 } }",
        ] {
            assert_eq!(reported(&CASE_WITHOUT_DEFAULT, code), [""; 0], "{code}");
        }
    }
}
