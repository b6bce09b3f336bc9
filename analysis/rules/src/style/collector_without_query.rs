use syntax::ast::{AstNode, CollectExpr, CollectQuery};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports collectors without a query.
    ///
    /// ## What it does
    ///
    /// Checks for `<| |>` and `<<| |>>` without a condition.
    ///
    /// ## Why it matters
    ///
    /// The collector realizes all virtual resources of the type, also those that other modules declare for a
    /// purpose of their own. With attributes, it overrides all resources of the type.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   @user { 'deploy':
    ///     ensure => present,
    ///   }
    ///   User <| |> # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   @user { 'deploy':
    ///     ensure => present,
    ///     tag    => 'example',
    ///   }
    ///   User <| tag == 'example' |>
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: which resources are meant is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[collector-without-query]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// collector-without-query = "warning"
    /// ```
    pub(crate) static COLLECTOR_WITHOUT_QUERY = {
        code: "collector-without-query",
        puppet_lint: ["spaceship_operator_without_tag"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::COLLECT_QUERY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let query = CollectQuery::cast(node.clone()).filter(|it| it.expr().is_none());
    let collector = node.parent().and_then(CollectExpr::cast);
    let type_ = collector.as_ref().and_then(CollectExpr::type_expr);
    let (Some(query), Some(type_)) = (query, type_) else {
        return;
    };
    if checker.owns(node) {
        let kind = if query.is_exported() {
            "exported"
        } else {
            "virtual"
        };
        let type_ = type_.syntax().text();
        let message = format!("collector without a query realizes all {kind} `{type_}` resources");
        checker.report(&COLLECTOR_WITHOUT_QUERY, node.text_range(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::COLLECTOR_WITHOUT_QUERY;
    use crate::testing::reported;

    #[test]
    fn reports_collectors_without_a_query() {
        let code = "class m { User <| |> File <||> { mode => '0644' } Package<| |> -> Foo::Bar <| |> \
                    Sshkey <<| |>> }";
        let message = |query, kind: &str, type_: &str| {
            format!("`{query}`: collector without a query realizes all {kind} `{type_}` resources")
        };
        let expected = [
            message("<| |>", "virtual", "User"),
            message("<||>", "virtual", "File"),
            message("<| |>", "virtual", "Package"),
            message("<| |>", "virtual", "Foo::Bar"),
            message("<<| |>>", "exported", "Sshkey"),
        ];
        assert_eq!(reported(&COLLECTOR_WITHOUT_QUERY, code), expected);
    }

    #[test]
    fn ignores_collectors_with_a_query() {
        let code = "class m { User <| tag == 'a' |> File <| title == '/b' |> { mode => '0644' } \
                    Sshkey <<| tag == 'c' |>> User <| groups != 'd' and tag == 'e' |> realize(User['f']) \
                    Package <| (tag == 'g') |> -> Service <| title == 'h' |> }";
        assert_eq!(reported(&COLLECTOR_WITHOUT_QUERY, code), [""; 0]);
    }
}
