use syntax::ast::{AstNode, VariableExpr};
use syntax::{Dialect, Fix, SyntaxKind, SyntaxNode, parse};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports variables in strings without braces.
    ///
    /// ## What it does
    ///
    /// Checks interpolations such as `"$name"` in strings and heredocs.
    ///
    /// ## Why it matters
    ///
    /// It is not obvious where the name ends: in `"$name[0]"` and `"$name.length"`, only `$name` is interpolated.
    /// The Puppet style guide requires the braces.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $user) {
    ///   notice("/home/$user/.ssh") # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $user) {
    ///   notice("/home/${user}/.ssh")
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: adds braces around exactly the part that Puppet interpolates today.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[bare-interpolation]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// bare-interpolation = "warning"
    /// ```
    pub(crate) static BARE_INTERPOLATION = {
        code: "bare-interpolation",
        puppet_lint: ["variables_not_enclosed"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::INTERPOLATION], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let token = node.first_token();
    let Some(token) = token.filter(|it| it.kind() == SyntaxKind::VARIABLE) else {
        return;
    };
    let name = token.text().strip_prefix('$').filter(|it| !it.is_empty());
    let Some(name) = name else {
        return;
    };
    let range = token.text_range();
    let message = format!("missing braces around interpolated variable `${name}`");
    checker.report(&BARE_INTERPOLATION, range, message);
    checker.fix(Some(Fix::certain("Add braces", range, braced(name))));
}

/// Writes the interpolation of a variable with braces, and with the dollar sign in them if the name needs it.
fn braced(name: &str) -> String {
    let short = format!("${{{name}}}");
    let parsed = parse(&format!("\"{short}\""), Dialect::default());
    let mut variables = parsed.syntax().descendants().filter_map(VariableExpr::cast);
    let is_same = variables.next().and_then(|it| it.name()).as_deref() == Some(name);
    match is_same && parsed.errors().is_empty() {
        true => short,
        false => format!("${{${name}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::BARE_INTERPOLATION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_variables_without_braces() {
        let code = "class m ($x) { notice(\"a $x b\") }";
        assert_eq!(
            reported(&BARE_INTERPOLATION, code),
            ["`$x`: missing braces around interpolated variable `$x`"]
        );
    }

    #[test]
    fn encloses_only_the_variable() {
        for (text, expected) in [
            ("\"$x\"", "\"${x}\""),
            ("\"$x[0]\"", "\"${x}[0]\""),
            ("\"$x.y\"", "\"${x}.y\""),
            ("\"$x-y\"", "\"${x}-y\""),
            ("\"$::m::x:y\"", "\"${::m::x}:y\""),
            ("\"$x$y\"", "\"${x}${y}\""),
            ("\"$if\"", "\"${if}\""),
            ("\"$_x\"", "\"${_x}\""),
            ("\"${f(\"$x\")}\"", "\"${f(\"${x}\")}\""),
            ("\"\\$a $x\"", "\"\\$a ${x}\""),
        ] {
            let code = |it: &str| format!("class m ($x) {{ notice({it}) }}");
            assert_eq!(fixed(&BARE_INTERPOLATION, &code(text)), code(expected));
        }
        let heredoc = "class m ($x) { $y = @(\"A\")\n  a $x\n  | A\n}\n";
        assert_eq!(
            fixed(&BARE_INTERPOLATION, heredoc),
            heredoc.replace("$x\n", "${x}\n")
        );
    }

    #[test]
    fn ignores_other_strings() {
        for text in [
            "\"${x}\"",
            "'$x'",
            "$x",
            "\"\\$x\"",
            "\"$\"",
            "\"${$x}\"",
            "\"${x[0]}\"",
        ] {
            let code = format!("class m ($x) {{ notice({text}) }}");
            assert_eq!(reported(&BARE_INTERPOLATION, &code), [""; 0], "{code}");
        }
    }
}
