use syntax::ast::AstNode;
use syntax::ast::Definition;
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports uppercase letters in the names of classes and defined types.
    ///
    /// ## What it does
    ///
    /// Checks names that Puppet accepts, such as `example::webServer`.
    ///
    /// ## Why it matters
    ///
    /// Puppet converts the name to lower case, and looks for the file `webserver.pp`. On most systems it does not
    /// find `webServer.pp`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/webserver.pp
    /// # @summary Installs the web server
    /// class example::webServer { # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/webserver.pp
    /// # @summary Installs the web server
    /// class example::webserver {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names with a segment that starts with an uppercase letter, which Puppet rejects
    ///   (`ILLEGAL_DEFINITION_NAME`).
    ///
    /// ## Fix
    ///
    /// Safe: converts the name to lower case, as Puppet does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[uppercase-definition]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// uppercase-definition = "warning"
    /// ```
    pub(crate) static UPPERCASE_DEFINITION = {
        code: "uppercase-definition",
        puppet_lint: ["names_containing_uppercase"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CLASS_DEFINITION, SyntaxKind::DEFINE_DEFINITION], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let definition = Definition::cast(node.clone());
    let Some(token) = definition.and_then(|it| it.name()?.token()) else {
        return;
    };
    let name = token.text();
    let is_upper = |it: char| it.is_ascii_uppercase();
    if !name.contains(is_upper) || name.split("::").any(|it| it.starts_with(is_upper)) {
        return;
    }
    let message = format!("`{name}` contains an uppercase letter");
    checker.report(&UPPERCASE_DEFINITION, token.text_range(), message);
    let lower = name.to_ascii_lowercase();
    let label = format!("Replace with `{lower}`");
    checker.fix(Some(Fix::certain(label, token.text_range(), lower)));
}

#[cfg(test)]
mod tests {
    use super::UPPERCASE_DEFINITION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_upper_case_letters() {
        let code = "class m::camelCase { define aB($cC) { } }\ndefine m::a::bC { }";
        assert_eq!(
            reported(&UPPERCASE_DEFINITION, code),
            ["m::camelCase", "aB", "m::a::bC"]
                .map(|it| format!("`{it}`: `{it}` contains an uppercase letter"))
        );
        assert_eq!(
            fixed(&UPPERCASE_DEFINITION, code),
            "class m::camelcase { define ab($cC) { } }\ndefine m::a::bc { }"
        );
        assert_eq!(
            fixed(&UPPERCASE_DEFINITION, "class ::m::x1Y inherits m::aB { }"),
            "class ::m::x1y inherits m::aB { }"
        );
    }

    #[test]
    fn ignores_other_names() {
        for code in [
            "class m { }",
            "class m::a_b1 { }",
            "class M::A { }",
            "define m::Abc { }",
            "type M::Port = Integer",
            "function m::camelCase() { 1 }",
            "class m { include m::camelCase }",
        ] {
            assert_eq!(reported(&UPPERCASE_DEFINITION, code), [""; 0], "{code}");
        }
    }
}
