use syntax::ast::{AstNode, CaseOption, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports options of `case` that are strings without quotes.
    ///
    /// ## What it does
    ///
    /// Checks the options of `case` for bare words, and for capitalized words that are the name of neither a data type
    /// nor a resource type. Data types, regular expressions, numbers and `default` are fine.
    ///
    /// ## Why it matters
    ///
    /// A bare word looks like the name of something, and becomes another value if it happens to be a keyword. A
    /// capitalized word is a type, which no string matches.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   case $facts['kernel'] {
    ///     linux: { notice('free') } # <-
    ///     default: { notice('other') }
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   case $facts['kernel'] {
    ///     'linux': { notice('free') }
    ///     default: { notice('other') }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: quotes a lowercase word.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unquoted-case-option]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unquoted-case-option = "warning"
    /// ```
    pub(crate) static UNQUOTED_CASE_OPTION = {
        code: "unquoted-case-option",
        puppet_lint: ["unquoted_string_in_case"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CASE_OPTION], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let option = CaseOption::cast(node.clone()).filter(|_| checker.owns(node));
    let values: Vec<Expr> = option.map_or(Vec::new(), |it| it.values().collect());
    for value in values {
        checker.report_unquoted_option(&UNQUOTED_CASE_OPTION, &value);
    }
}

#[cfg(test)]
mod tests {
    use super::UNQUOTED_CASE_OPTION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_bare_words() {
        let code = "class m ($x) { case $x { a: { } 'b', c_d: { } [e, 'f']: { } g::h: { } (i): { } default: { } } }";
        let words = ["a", "c_d", "e", "g::h", "i"];
        let expected = words.map(|it| format!("`{it}`: unquoted option `{it}`"));
        assert_eq!(reported(&UNQUOTED_CASE_OPTION, code), expected);
    }

    #[test]
    fn ignores_other_options() {
        let code = "class m ($x) { case $x { 'a': { } \"b\": { } 1: { } /c/: { } String: { } Foo::Bar: { } \
                    undef, true: { } $x: { } default: { notice(d) $y = { e => f } } } $y = $x ? { g => h } }";
        assert_eq!(reported(&UNQUOTED_CASE_OPTION, code), [""; 0]);
    }

    #[test]
    fn reports_names_of_unknown_types() {
        let code = "class m ($x) { case $x { Debian: { } [RedHat, String]: { } File: { } M::T: { } } }\n\
                    type M::T = String";
        let words = ["Debian", "RedHat"];
        let expected =
            words.map(|it| format!("`{it}`: unquoted option `{it}` refers to an unknown type"));
        assert_eq!(reported(&UNQUOTED_CASE_OPTION, code), expected);
    }

    #[test]
    fn quotes_the_words() {
        let code = "class m ($x) { case $x { a, 'b': { } c: { } } }";
        assert_eq!(
            fixed(&UNQUOTED_CASE_OPTION, code),
            "class m ($x) { case $x { 'a', 'b': { } 'c': { } } }"
        );
    }
}
