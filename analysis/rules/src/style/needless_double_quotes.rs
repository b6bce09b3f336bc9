use syntax::ast::{AstNode, Escapes, StringLiteral, unescape_single};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports double-quoted strings that do not need double quotes.
    ///
    /// ## What it does
    ///
    /// Checks strings that have the same value in single quotes: without variables, escapes, single
    /// quotes, tabs and newlines.
    ///
    /// ## Why it matters
    ///
    /// Double quotes make readers look for variables. The Puppet style guide requires single quotes for all
    /// other strings.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { "nginx": # <-
    ///     ensure => installed,
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
    ///   notice("it's fine", "one\n", "\u2713")
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: uses single quotes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[needless-double-quotes]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// needless-double-quotes = "warning"
    /// ```
    pub(crate) static NEEDLESS_DOUBLE_QUOTES = {
        code: "needless-double-quotes",
        puppet_lint: ["double_quoted_strings"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::STRING], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(token) = StringLiteral::cast(node.clone()).and_then(|it| it.token()) else {
        return;
    };
    let inner = token.text().strip_prefix('"');
    let Some(inner) = inner.and_then(|it| it.strip_suffix('"')) else {
        return;
    };
    if token.kind() == SyntaxKind::DOUBLE_QUOTED && is_plain(inner) {
        let range = token.text_range();
        let message = "double-quoted string without variables or escapes".to_owned();
        checker.report(&NEEDLESS_DOUBLE_QUOTES, range, message);
        checker.fix(Some(Fix::certain(
            "Use single quotes",
            range,
            format!("'{inner}'"),
        )));
    }
}

/// Checks whether the text between the quotes means the same in both kinds of quotes.
fn is_plain(inner: &str) -> bool {
    let is_special = |it: char| it == '\'' || it.is_control();
    !inner.contains(is_special)
        && Escapes::DOUBLE_QUOTED.resolve(inner) == inner
        && unescape_single(inner) == inner
}

#[cfg(test)]
mod tests {
    use super::NEEDLESS_DOUBLE_QUOTES;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_plain_strings() {
        let code = r#"class m { notice("a b", "", "c\.d", "€ $", 'x') }"#;
        assert_eq!(
            reported(&NEEDLESS_DOUBLE_QUOTES, code),
            [r#""a b""#, r#""""#, r#""c\.d""#, r#""€ $""#]
                .map(|it| format!("`{it}`: double-quoted string without variables or escapes"))
        );
        assert_eq!(
            fixed(&NEEDLESS_DOUBLE_QUOTES, code),
            r#"class m { notice('a b', '', 'c\.d', '€ $', 'x') }"#
        );
        for code in [
            r#"class m ($h) { notice("${h["a"]}") }"#,
            r#"class m { file { "/a": } }"#,
            r#"node "a" { }"#,
            r#"class m ($a = "x") { }"#,
        ] {
            assert_eq!(reported(&NEEDLESS_DOUBLE_QUOTES, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_strings_that_need_the_quotes() {
        for text in [
            r#""$x""#,
            r#""${x}""#,
            r#""it's""#,
            r#""\n""#,
            r#""\t""#,
            r#""a\\b""#,
            r#""\"q\"""#,
            r#""\$x""#,
            r#""\u2713""#,
            r#""\s""#,
            r#""\r""#,
            "\"a\nb\"",
            "\"a\tb\"",
            "'a'",
        ] {
            let code = format!("class m ($x) {{ notice({text}) }}");
            assert_eq!(reported(&NEEDLESS_DOUBLE_QUOTES, &code), [""; 0], "{code}");
        }
    }
}
