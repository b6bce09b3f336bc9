use syntax::ast::{AstNode, HostName};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::values::quote;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::unquoted_words::is_bare_word;

declare_rule! {
    /// Reports names of nodes without quotes.
    ///
    /// ## What it does
    ///
    /// Checks the names of node definitions, except `default` and regular expressions.
    ///
    /// ## Why it matters
    ///
    /// A node name is a string, and names with certain characters need quotes. Quoting all of them is consistent.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// node web01.example.com { # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: environment/manifests/site.pp
    /// node 'web01.example.com' {
    /// }
    /// node /^db\d+$/, default {
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: adds the quotes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unquoted-node-name]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unquoted-node-name = "warning"
    /// ```
    pub(crate) static UNQUOTED_NODE_NAME = {
        code: "unquoted-node-name",
        puppet_lint: ["unquoted_node_name"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::HOST_NAME], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(name) = HostName::cast(node.clone()).and_then(|it| bare_name(&it)) else {
        return;
    };
    let range = node.text_range();
    let message = format!("unquoted node name `{name}`");
    checker.report(&UNQUOTED_NODE_NAME, range, message);
    checker.fix(Some(Fix::certain("Add quotes", range, quote(&name))));
}

/// Returns a name without quotes: a dotted one, or a word with a dash.
fn bare_name(host: &HostName) -> Option<String> {
    let word = host.expr().filter(is_bare_word);
    let word = word.map(|it| it.syntax().text().to_string());
    word.or_else(|| host.dotted_name())
}

#[cfg(test)]
mod tests {
    use super::UNQUOTED_NODE_NAME;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_bare_names() {
        let code = "node a.example.com, b { include c }";
        assert_eq!(
            reported(&UNQUOTED_NODE_NAME, code),
            [
                "`a.example.com`: unquoted node name `a.example.com`",
                "`b`: unquoted node name `b`",
            ]
        );
        assert_eq!(
            fixed(&UNQUOTED_NODE_NAME, code),
            "node 'a.example.com', 'b' { include c }"
        );
        for code in [
            "node a1.b2 { }",
            "node 'a', b { }",
            "node 10.0.0.1 { }",
            "node web-1 { }",
        ] {
            assert_eq!(reported(&UNQUOTED_NODE_NAME, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_names() {
        for code in [
            "node default { }",
            "node 'a' { }",
            "node \"b\" { }",
            "node /c/ { include d }",
            "class m { }",
        ] {
            assert_eq!(reported(&UNQUOTED_NODE_NAME, code), [""; 0], "{code}");
        }
    }
}
