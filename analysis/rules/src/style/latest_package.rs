use syntax::ast::AstNode;
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports packages with `ensure => latest`.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `ensure` of `package` resources, also in defaults, overrides and collectors, and in
    /// the options of a selector.
    ///
    /// ## Why it matters
    ///
    /// Every agent run may upgrade the package, on each machine at a different time. New releases
    /// reach production untested.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { 'nginx':
    ///     ensure => latest, # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'nginx':
    ///     ensure => installed,
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: replaces `latest` with `installed`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[latest-package]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// latest-package = "warning"
    /// ```
    pub(crate) static LATEST_PACKAGE = {
        code: "latest-package",
        puppet_lint: ["package_ensure"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let attribute = attribute_of(node, &["package"], &["ensure"]);
    let Some(value) = attribute.and_then(|it| it.value()) else {
        return;
    };
    for (expr, text) in checker.constant_strings(&value) {
        if text == "latest" {
            let message = "`latest` upgrades the package with each new release".to_owned();
            checker.report(&LATEST_PACKAGE, expr.syntax().text_range(), message);
            let fix = checker.replacement(&expr, "installed");
            checker.fix(fix);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LATEST_PACKAGE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_latest_packages() {
        let code = "class m ($x) { package { 'a': ensure => latest; 'b': ensure => 'latest' } \
                    Package { ensure => latest } $v = 'latest' package { 'c': ensure => ($v) } \
                    package { 'd': ensure => $x ? { 1 => '1.0', default => latest } } }";
        let end = "`latest` upgrades the package with each new release";
        let places = ["latest", "'latest'", "latest", "$v", "latest"];
        let expected = places.map(|it| format!("`{it}`: {end}"));
        assert_eq!(reported(&LATEST_PACKAGE, code), expected);
    }

    #[test]
    fn ignores_other_values() {
        let code = "class m (String $x = 'latest') { package { 'a': ensure => installed; \
                    'b': ensure => '1.2'; 'latest': ensure => $x; 'c': source => 'latest' } \
                    vcsrepo { '/a': ensure => latest } $h = { 'ensure' => 'latest' } }";
        assert_eq!(reported(&LATEST_PACKAGE, code), [""; 0]);
    }

    #[test]
    fn replaces_the_value() {
        let code = "class m { package { 'a': ensure => latest; 'b': ensure => 'latest' } }";
        let expected =
            "class m { package { 'a': ensure => installed; 'b': ensure => 'installed' } }";
        assert_eq!(fixed(&LATEST_PACKAGE, code), expected);
    }
}
