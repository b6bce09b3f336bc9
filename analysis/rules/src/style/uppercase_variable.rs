use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports variables whose names contain an uppercase letter.
    ///
    /// ## What it does
    ///
    /// Checks where a variable gets its name: parameters of definitions and lambdas, and assignments.
    ///
    /// ## Why it matters
    ///
    /// Puppet distinguishes `$docRoot` and `$docroot`, and readers mistake one for the other. The Puppet style
    /// guide allows only lowercase letters, digits and underscores.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   String $docRoot, # <-
    /// ) {
    ///   $fullPath = "${docRoot}/index.html" # <-
    ///   notice($fullPath)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   String $doc_root,
    /// ) {
    ///   $full_path = "${doc_root}/index.html"
    ///   notice($full_path)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names that start with an uppercase letter, which Puppet rejects (`ILLEGAL_VAR_NAME`).
    ///
    /// ## Fix
    ///
    /// No fix is available: rename the variable in the editor, which changes all its uses in the workspace.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[uppercase-variable]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// uppercase-variable = "warning"
    /// ```
    pub(crate) static UPPERCASE_VARIABLE = {
        code: "uppercase-variable",
        puppet_lint: ["variable_is_lowercase", "variable_contains_upcase"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let is_upper = |it: char| it.is_ascii_uppercase();
    for scope in &checker.body.scopes {
        for binding in &scope.bindings {
            let name = binding.name.as_str();
            let first = scope.bindings_of(name).next();
            let is_first = first.is_some_and(|it| it.range == binding.range);
            if is_first && name.contains(is_upper) && !name.starts_with(is_upper) {
                let message = format!("variable `${name}` contains an uppercase letter");
                checker.report(&UPPERCASE_VARIABLE, binding.range, message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UPPERCASE_VARIABLE;
    use crate::testing::reported;

    #[test]
    fn reports_where_variables_are_named() {
        let code = "class m ($aB) { $cD = $aB [1].each |$eF| { notice($eF) } }";
        assert_eq!(
            reported(&UPPERCASE_VARIABLE, code),
            ["$aB", "$cD", "$eF"]
                .map(|it| format!("`{it}`: variable `{it}` contains an uppercase letter"))
        );
        for code in [
            "define m::d ($aB = 1) { }",
            "function m::f($aB) { $aB }",
            "class m { [$aB, $c] = [1, 2] }",
            "class m { if $x { $aB = 1 } else { $aB = 2 } }",
            "class m { $x_Y = 1 notice($m::x_Y) }",
        ] {
            assert_eq!(reported(&UPPERCASE_VARIABLE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_lower_case_and_other_names() {
        for code in [
            "class m ($a_b1) { $c = $a_b1 }",
            "class m { notice($other::camelCase) }",
            "class m { $x = { 'aB' => 1 } notice($x['aB']) }",
            "class m { notice(\"${facts['aB']}\") }",
            "type M::AbC = Integer",
        ] {
            assert_eq!(reported(&UPPERCASE_VARIABLE, code), [""; 0], "{code}");
        }
    }
}
