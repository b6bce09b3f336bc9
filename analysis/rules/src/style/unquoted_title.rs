use syntax::ast::{AstNode, Expr, ResourceBody};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::values::quote;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::unquoted_words::is_bare_word;

declare_rule! {
    /// Reports titles of resources without quotes.
    ///
    /// ## What it does
    ///
    /// Checks bare words as titles, alone or in a list.
    ///
    /// ## Why it matters
    ///
    /// A title is a string. Most titles need quotes because of their characters, so the Puppet style guide
    /// requires them for all.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { nginx: # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'nginx':
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: adds the quotes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unquoted-title]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unquoted-title = "warning"
    /// ```
    pub(crate) static UNQUOTED_TITLE = {
        code: "unquoted-title",
        puppet_lint: ["unquoted_resource_title"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_BODY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let titles = match ResourceBody::cast(node.clone()).and_then(|it| it.title()) {
        Some(Expr::ArrayExpr(it)) => it.elements().collect(),
        Some(title) => vec![title],
        None => return,
    };
    for title in titles.iter().filter(|it| is_bare_word(it)) {
        let Some(text) = title.plain_text() else {
            continue;
        };
        let range = title.syntax().text_range();
        checker.report(&UNQUOTED_TITLE, range, format!("unquoted title `{text}`"));
        checker.fix(Some(Fix::certain("Add quotes", range, quote(&text))));
    }
}

#[cfg(test)]
mod tests {
    use super::UNQUOTED_TITLE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_bare_words() {
        let code = "class m { package { nginx: } user { [a, 'b', c-d]: } class { m::n: } }";
        assert_eq!(
            reported(&UNQUOTED_TITLE, code),
            ["nginx", "a", "c-d", "m::n"].map(|it| format!("`{it}`: unquoted title `{it}`"))
        );
        assert_eq!(
            fixed(&UNQUOTED_TITLE, code),
            "class m { package { 'nginx': } user { ['a', 'b', 'c-d']: } class { 'm::n': } }"
        );
        for code in [
            "class m { user { 'a': ; b: } }",
            "class m { @user { a: uid => 1 } }",
        ] {
            assert_eq!(reported(&UNQUOTED_TITLE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_titles() {
        for code in [
            "class m { package { 'nginx': } }",
            "class m { package { \"nginx\": } }",
            "class m ($x) { package { $x: } }",
            "class m { file { default: mode => '0644'; '/a': } }",
            "class m ($x) { case $x { foo: { } default: { } } }",
            "class m { package { ['a', 'b']: ensure => present } }",
            "class m { $x = { a => [b] } }",
        ] {
            assert_eq!(reported(&UNQUOTED_TITLE, code), [""; 0], "{code}");
        }
    }
}
