use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports package sources and packages whose signatures are not verified.
    ///
    /// ## What it does
    ///
    /// Checks `gpgcheck` of `yumrepo` and `zypprepo`, `allow_unsigned` and `allow_insecure` of `apt::source`,
    /// and options such as `--nogpgcheck` and `--allow-unauthenticated` in `install_options` of `package`.
    ///
    /// ## Why it matters
    ///
    /// Whoever controls the server or the network can replace packages, whose scripts run as
    /// `root`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   yumrepo { 'example':
    ///     baseurl  => 'https://example.org/repo',
    ///     gpgcheck => '0', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   yumrepo { 'example':
    ///     baseurl  => 'https://example.org/repo',
    ///     gpgcheck => '1',
    ///     gpgkey   => 'https://example.org/key',
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Sources of `apt::source` without a `key`: apt verifies them with the installed keys.
    ///
    /// ## Fix
    ///
    /// No fix is available: the key of the source is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unauthenticated-package-source]` at the end of the line, or on a line of its
    /// own above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unauthenticated-package-source = "warning"
    /// ```
    pub(crate) static UNAUTHENTICATED_PACKAGE_SOURCE = {
        code: "unauthenticated-package-source",
        puppet_lint: ["yumrepo_gpgcheck_enabled", "security_apt_no_key"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE], check)],
    }
}

/// The options of package managers that turn the check off.
const OPTIONS: [&str; 7] = [
    "--allow-unauthenticated",
    "--allow-untrusted",
    "--force-yes",
    "--no-gpg-check",
    "--no-gpg-checks",
    "--nogpg",
    "--nogpgcheck",
];

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let value = |types: &[&str], names: &[&str]| attribute_of(node, types, names)?.value();
    if let Some(value) = value(&["yumrepo", "zypprepo"], &["gpgcheck"]) {
        report(checker, &value, is_off);
    } else if let Some(value) = value(&["apt::source"], &["allow_unsigned", "allow_insecure"]) {
        report(checker, &value, |it| *it == Value::Boolean(true));
    } else if let Some(value) = value(&["package"], &["install_options"]) {
        let options = match value {
            Expr::ArrayExpr(list) => list.elements().collect(),
            other => vec![other],
        };
        for option in options {
            report(checker, &option, |it| {
                it.as_str().is_some_and(|it| OPTIONS.contains(&it))
            });
        }
    }
}

fn is_off(value: &Value) -> bool {
    match value {
        Value::Boolean(it) => !it,
        Value::Integer(it) => *it == 0,
        Value::String(it) => {
            let word = it.to_ascii_lowercase();
            matches!(word.as_str(), "0" | "false" | "no")
        }
        _ => false,
    }
}

fn report(checker: &mut Checker<'_>, value: &Expr, is_unchecked: impl Fn(&Value) -> bool) {
    for (expr, constant) in checker.constants(value) {
        if is_unchecked(&constant) {
            let message = "package signatures are not verified".to_owned();
            checker.report(
                &UNAUTHENTICATED_PACKAGE_SOURCE,
                expr.syntax().text_range(),
                message,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UNAUTHENTICATED_PACKAGE_SOURCE;
    use crate::testing::reported;

    #[test]
    fn reports_unchecked_signatures() {
        let code = "class m ($x) { yumrepo { 'a': gpgcheck => 0; 'b': gpgcheck => 'No' } Yumrepo { gpgcheck => false } \
                    zypprepo { 'c': gpgcheck => '0' } apt::source { 'd': allow_unsigned => true; \
                    'e': allow_insecure => true } package { 'f': install_options => ['--nogpgcheck', '-y']; \
                    'g': install_options => '--force-yes' } $off = '0' yumrepo { 'h': gpgcheck => $off } }";
        let values = [
            "0",
            "'No'",
            "false",
            "'0'",
            "true",
            "true",
            "'--nogpgcheck'",
            "'--force-yes'",
            "$off",
        ];
        let expected = values.map(|it| format!("`{it}`: package signatures are not verified"));
        assert_eq!(reported(&UNAUTHENTICATED_PACKAGE_SOURCE, code), expected);
    }

    #[test]
    fn ignores_checked_sources() {
        let code = "class m ($x) { yumrepo { 'a': gpgcheck => 1; 'b': gpgcheck => '1'; 'c': gpgcheck => $x; \
                    'd': enabled => 0; 'e': gpgcheck => absent; 'f': repo_gpgcheck => 0 } \
                    apt::source { 'g': location => 'http://a'; 'h': allow_unsigned => false } \
                    package { 'i': install_options => ['-y', $x]; 'j': uninstall_options => '--nogpgcheck' } \
                    other { 'k': gpgcheck => 0 } }";
        assert_eq!(reported(&UNAUTHENTICATED_PACKAGE_SOURCE, code), [""; 0]);
    }
}
