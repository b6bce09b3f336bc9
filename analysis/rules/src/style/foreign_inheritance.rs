use hir::canonical_name;
use syntax::ast::{AstNode, ClassDefinition};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes that inherit from a class of another module.
    ///
    /// ## What it does
    ///
    /// Compares the first segments of the names of a class and of its parent.
    ///
    /// ## Why it matters
    ///
    /// The class depends on the variables and resources of the parent, which the other module may change in any
    /// release. The Puppet style guide allows inheritance only within a module.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example inherits other { # <-
    /// }
    /// # file: modules/other/manifests/init.pp
    /// class other {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   include other
    /// }
    /// # file: modules/other/manifests/init.pp
    /// class other {}
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the class may use variables of its parent.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[foreign-inheritance]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// foreign-inheritance = "warning"
    /// ```
    pub(crate) static FOREIGN_INHERITANCE = {
        code: "foreign-inheritance",
        puppet_lint: ["inherits_across_namespaces"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CLASS_DEFINITION], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let class = ClassDefinition::cast(node.clone());
    let Some(parent) = class.and_then(|it| it.inherits()?.name()) else {
        return;
    };
    let inherited = canonical_name(&parent.text());
    // The name of a nested class includes those of the classes around it.
    let own = checker.item.name(checker.db);
    if namespace(own) != namespace(&inherited) {
        let message = format!("class inherits from `{inherited}`, a class of another module");
        checker.report(&FOREIGN_INHERITANCE, parent.syntax().text_range(), message);
    }
}

fn namespace(name: &str) -> &str {
    name.split("::").next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::FOREIGN_INHERITANCE;
    use crate::testing::reported;

    #[test]
    fn reports_parents_of_other_modules() {
        assert_eq!(
            reported(&FOREIGN_INHERITANCE, "class m::a inherits ::other::b { }"),
            ["`::other::b`: class inherits from `other::b`, a class of another module"]
        );
        for code in [
            "class m inherits mm { }",
            "class m::a inherits a { }",
            // The parent is looked up from top scope.
            "class m { class n inherits n::base { } }",
            "class m inherits params { }",
        ] {
            assert_eq!(reported(&FOREIGN_INHERITANCE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_parents_of_the_same_module() {
        for code in [
            "class m { }",
            "class m inherits m::params { }",
            "class m::a inherits ::m { }",
            "class M::A inherits m { }",
            "class m { class n inherits m::base { } }",
            "class ::m::b inherits m::a { }",
        ] {
            assert_eq!(reported(&FOREIGN_INHERITANCE, code), [""; 0], "{code}");
        }
    }
}
