use syntax::ast::{AccessExpr, AstNode, Expr, InterpolatedString, Segment};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::Type;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports strings that consist of a single variable that is already a string.
    ///
    /// ## What it does
    ///
    /// Checks strings such as `"${name}"` and `"${facts['kernel']}"`, where the type of the variable is `String`.
    ///
    /// ## Why it matters
    ///
    /// The quotes and braces have no effect, and the Puppet style guide does not allow them.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $package) {
    ///   package { "${package}": # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $package, Integer $port) {
    ///   package { $package:
    ///   }
    ///   notice("${port}")
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Variables that may be anything other than a string: the interpolation converts them.
    /// * Keys of hashes and options of selectors.
    ///
    /// ## Fix
    ///
    /// Safe: replaces the string with the variable.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[needless-interpolation]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// needless-interpolation = "warning"
    /// ```
    pub(crate) static NEEDLESS_INTERPOLATION = {
        code: "needless-interpolation",
        puppet_lint: ["only_variable_string"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::INTERPOLATED_STRING], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(expr) = only_variable(node).filter(|_| !is_key(node)) else {
        return;
    };
    let inferred = checker.type_of(&expr);
    if inferred.is_none_or(|it| it.is_a(&Type::STRING) != Some(true)) {
        return;
    }
    let text = expr.syntax().text().to_string();
    let variable = format!("${}", text.strip_prefix('$').unwrap_or(&text));
    let message = format!("needless interpolation: `{variable}` is already a string");
    let range = node.text_range();
    checker.report(&NEEDLESS_INTERPOLATION, range, message);
    let label = format!("Replace with `{variable}`");
    checker.fix(Some(Fix::certain(label, range, variable)));
}

/// Returns the expression of a string without any text around it, if it is a variable or an element of one.
fn only_variable(string: &SyntaxNode) -> Option<Expr> {
    let segments = InterpolatedString::cast(string.clone())?.segments();
    let [Segment::Interpolation(only)] = segments.as_slice() else {
        return None;
    };
    let expr = only.expr()?;
    let base = |it: &Expr| match it {
        Expr::AccessExpr(it) => AccessExpr::base(it),
        _ => None,
    };
    let innermost = std::iter::successors(Some(expr.clone()), base).last();
    let is_variable = matches!(innermost, Some(Expr::VariableExpr(_)));
    is_variable.then_some(expr)
}

/// Checks whether a node is the key of a hash or an option of a selector.
fn is_key(node: &SyntaxNode) -> bool {
    let is_entry = |it: &SyntaxNode| {
        matches!(
            it.kind(),
            SyntaxKind::HASH_ENTRY | SyntaxKind::SELECTOR_ENTRY
        )
    };
    let entry = node.parent().filter(is_entry);
    entry.is_some_and(|it| it.text_range().start() == node.text_range().start())
}

#[cfg(test)]
mod tests {
    use super::NEEDLESS_INTERPOLATION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_strings_in_strings() {
        let code = r#"class m (String $x) { notice("${x}") }"#;
        assert_eq!(
            reported(&NEEDLESS_INTERPOLATION, code),
            [r#"`"${x}"`: needless interpolation: `$x` is already a string"#]
        );
        assert_eq!(
            fixed(&NEEDLESS_INTERPOLATION, code),
            "class m (String $x) { notice($x) }"
        );
        for (code, expected) in [
            (r#"class m (String $x) { notice("$x") }"#, "$x"),
            (r#"class m (Enum['a', 'b'] $x) { notice("${x}") }"#, "$x"),
            (
                r#"class m (Hash[String, String] $x) { $x.each |$k, $v| { notice("${v}") } }"#,
                "$v",
            ),
            (
                r#"class m { $h = { 'a' => 'b' } notice("${h['a']}") }"#,
                "$h['a']",
            ),
            (r#"class m (String $x) { $h = { 'a' => "${x}" } }"#, "$x"),
        ] {
            let fixed = fixed(&NEEDLESS_INTERPOLATION, code);
            assert!(
                fixed.contains(&format!("{expected}) }}")) || fixed.contains("=> $x"),
                "{fixed}"
            );
        }
    }

    #[test]
    fn ignores_other_types() {
        for code in [
            r#"class m (Integer $x) { notice("${x}") }"#,
            r#"class m (SemVer $x) { notice("${x}") }"#,
            r#"class m ($x) { notice("${x}") }"#,
            r#"class m (Optional[String] $x) { notice("${x}") }"#,
            r#"class m (Sensitive[String] $x) { notice("${x}") }"#,
            r#"class m (Boolean $x) { notice("${x}") }"#,
        ] {
            assert_eq!(reported(&NEEDLESS_INTERPOLATION, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_other_strings() {
        for code in [
            r#"class m (String $x) { notice("${x} ") }"#,
            r#"class m (String $x) { notice("${x}${x}") }"#,
            r#"class m (String $x) { $h = { "${x}" => 1 } }"#,
            r#"class m (String $x) { $h = $x ? { "${x}" => 1, default => 2 } }"#,
            r#"class m (String $x) { notice("${x.upcase}") }"#,
            r#"class m (String $x) { notice("${upcase($x)}") }"#,
        ] {
            assert_eq!(reported(&NEEDLESS_INTERPOLATION, code), [""; 0], "{code}");
        }
    }
}
