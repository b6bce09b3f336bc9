use syntax::ast::{AstNode, Expr, LiteralKind, ResourceBody};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::values::quote;

use crate::checker::Checker;
use crate::file_modes::mode_of_file;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports file modes that are numbers.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `mode` of `file` and `concat`, where no other rule reports the number as an error.
    ///
    /// ## Why it matters
    ///
    /// An unquoted `0644` is the number 420, which Puppet does not accept as a mode.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   concat { '/etc/example':
    ///     mode => 0644, # <-
    ///   }
    /// }
    /// # file: modules/concat/manifests/init.pp
    /// define concat ($mode) {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   concat { '/etc/example':
    ///     mode => '0644',
    ///   }
    /// }
    /// # file: modules/concat/manifests/init.pp
    /// define concat ($mode) {}
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * The type `file`, whose modes `invalid-attribute-value` checks, and modes that do not have the type of
    ///   the parameter, which `type-mismatch` reports.
    ///
    /// ## Fix
    ///
    /// Suggested: adds quotes around the number.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unquoted-file-mode]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unquoted-file-mode = "warning"
    /// ```
    pub(crate) static UNQUOTED_FILE_MODE = {
        code: "unquoted-file-mode",
        puppet_lint: ["unquoted_file_mode"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_BODY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let mode = ResourceBody::cast(node.clone()).and_then(|it| mode_of_file(&it));
    let Some(Expr::Literal(literal)) = mode else {
        return;
    };
    let Some(LiteralKind::Number(number)) = literal.kind() else {
        return;
    };
    let range = literal.syntax().text_range();
    if checker.problems().iter().any(|it| it.range == range) {
        return;
    }
    checker.report(
        &UNQUOTED_FILE_MODE,
        range,
        format!("unquoted mode `{number}`"),
    );
    let label = format!("Add quotes around `{number}`");
    checker.fix(Some(Fix::suggested(label, range, quote(&number))));
}

#[cfg(test)]
mod tests {
    use super::UNQUOTED_FILE_MODE;
    use crate::rules::INVALID_ATTRIBUTE_VALUE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_numbers() {
        let code = "class m { concat { '/a': mode => 0644 } }";
        assert_eq!(
            reported(&UNQUOTED_FILE_MODE, code),
            ["`0644`: unquoted mode `0644`"]
        );
        assert_eq!(
            fixed(&UNQUOTED_FILE_MODE, code),
            "class m { concat { '/a': mode => '0644' } }"
        );
        for code in [
            "class m { concat { '/a': owner => 'x', mode => 644 } }",
            "class m { @concat { '/a': mode => 0644 } }",
            "class m { concat { default: mode => 0644; '/a': } }",
        ] {
            assert_eq!(reported(&UNQUOTED_FILE_MODE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn leaves_errors_to_other_rules() {
        let code = "class m { file { '/a': mode => 0644 } }";
        assert_eq!(reported(&UNQUOTED_FILE_MODE, code), [""; 0]);
        assert_eq!(reported(&INVALID_ATTRIBUTE_VALUE, code).len(), 1);
        let code = "//- modules/concat/manifests/init.pp\ndefine concat (String $mode) { }\n\
                    //- modules/m/manifests/init.pp\nclass m { concat { '/a': mode => 0644 } }";
        assert_eq!(reported(&UNQUOTED_FILE_MODE, code), [""; 0]);
    }

    #[test]
    fn ignores_strings_and_other_types() {
        for code in [
            "class m { concat { '/a': mode => '0644' } }",
            "class m ($x) { concat { '/a': mode => $x } }",
            "class m { concat { '/a': mode => undef } }",
            "class m { m::d { '/a': mode => 3 } }",
            "class m { concat { '/a': order => 10 } }",
        ] {
            assert_eq!(reported(&UNQUOTED_FILE_MODE, code), [""; 0], "{code}");
        }
    }
}
