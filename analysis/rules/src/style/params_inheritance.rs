use hir::canonical_name;
use syntax::ast::{AstNode, ClassDefinition};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes that inherit from a `params` class.
    ///
    /// ## What it does
    ///
    /// Checks the class after `inherits`: one with a name such as `apache::params` only provides default values.
    ///
    /// ## Why it matters
    ///
    /// The pattern predates data in modules. Hiera data of the module does the same without code,
    /// and users can override each value.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   String $package = $example::params::package,
    /// ) inherits example::params { # <-
    ///   package { $package: }
    /// }
    /// # file: manifests/params.pp
    /// class example::params {
    ///   $package = 'example'
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   String $package = 'example',
    /// ) {
    ///   package { $package: }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the values must be moved to data.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[params-inheritance]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// params-inheritance = "warning"
    /// ```
    pub(crate) static PARAMS_INHERITANCE = {
        code: "params-inheritance",
        puppet_lint: ["class_inherits_from_params_class"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CLASS_DEFINITION], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let class = ClassDefinition::cast(node.clone());
    let Some(parent) = class.and_then(|it| it.inherits()?.name()) else {
        return;
    };
    let name = canonical_name(&parent.text());
    if name.ends_with("::params") {
        let message = format!("class inherits from the params class `{name}`");
        checker.report(&PARAMS_INHERITANCE, parent.syntax().text_range(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::PARAMS_INHERITANCE;
    use crate::testing::reported;

    #[test]
    fn reports_params_classes() {
        for parent in ["m::params", "::m::params", "other::params", "m::a::params"] {
            let code = format!("class m inherits {parent} {{ }}");
            assert_eq!(reported(&PARAMS_INHERITANCE, &code).len(), 1, "{parent}");
        }
        assert_eq!(
            reported(
                &PARAMS_INHERITANCE,
                "class m { class n inherits ::m::params { } }"
            ),
            ["`::m::params`: class inherits from the params class `m::params`"]
        );
    }

    #[test]
    fn ignores_other_parents() {
        for code in [
            "class m { }",
            "class m inherits m::base { }",
            "class m inherits params { }",
            "class m inherits m::params::base { }",
            "class m::params { }",
            "class m { include m::params }",
        ] {
            assert_eq!(reported(&PARAMS_INHERITANCE, code), [""; 0], "{code}");
        }
    }
}
