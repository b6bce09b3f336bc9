use syntax::ast::{AstNode, ClassDefinition, Definition};

use crate::checker::FileChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes and defined types that are defined inside of a class.
    ///
    /// ## What it does
    ///
    /// Checks definitions in the body of a class.
    ///
    /// ## Why it matters
    ///
    /// Puppet finds the inner definition only after it has loaded the outer one, so whether it exists depends on
    /// the order of evaluation. The Puppet style guide requires a file for each class and defined type.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   class server { # <-
    ///   }
    ///   define site { # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    /// }
    /// # file: manifests/server.pp
    /// class example::server {
    /// }
    /// # file: manifests/site.pp
    /// define example::site {
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: move the definition to a file of its own.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[nested-definition]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// nested-definition = "warning"
    /// ```
    pub(crate) static NESTED_DEFINITION = {
        code: "nested-definition",
        puppet_lint: ["nested_classes_or_defines"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    for definition in Definition::all_in(&checker.root()) {
        let kind = match definition {
            Definition::ClassDefinition(_) => "class",
            Definition::DefineDefinition(_) => "defined type",
            _ => continue,
        };
        let around = definition.syntax().ancestors().skip(1);
        let around = around.filter_map(ClassDefinition::cast).next();
        let outer = around.and_then(|it| Definition::from(it).name());
        if let (Some(name), Some(outer)) = (definition.name(), outer) {
            let (inner, outer) = (name.text(), outer.text());
            let message = format!("{kind} `{inner}` is defined inside of class `{outer}`");
            checker.report(&NESTED_DEFINITION, name.syntax().text_range(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NESTED_DEFINITION;
    use crate::testing::reported;

    #[test]
    fn reports_definitions_in_classes() {
        let code = "class m { class a { define b { } } if $x { class c { } } define m::d { } }";
        assert_eq!(
            reported(&NESTED_DEFINITION, code),
            [
                "`a`: class `a` is defined inside of class `m`",
                "`b`: defined type `b` is defined inside of class `a`",
                "`c`: class `c` is defined inside of class `m`",
                "`m::d`: defined type `m::d` is defined inside of class `m`",
            ]
        );
    }

    #[test]
    fn ignores_other_definitions() {
        for code in [
            "class m { }\nclass m::a { }",
            "class m { }\ndefine m::a { }",
            "class m { class { 'm::a': } }",
            "class m { $x = Class['m::a'] }",
            "function m::f() { 1 }",
            "type M::A = Integer\nclass m { }",
        ] {
            assert_eq!(reported(&NESTED_DEFINITION, code), [""; 0], "{code}");
        }
    }
}
