use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check_comma;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports parameter lists and selectors on several lines without a comma at the end.
    ///
    /// ## What it does
    ///
    /// Reports the last parameter of a definition or of a type such as `Struct`, and the last
    /// option of a selector, if the closing bracket is on another line and not preceded by a comma.
    /// All other lists belong to `missing-trailing-comma`.
    ///
    /// ## Why it matters
    ///
    /// With a comma, a new parameter changes only one line.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = 80 # <-
    /// ) {
    ///   notice($port)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port = 80,
    /// ) {
    ///   notice($port)
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-parameter-comma]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// missing-parameter-comma = "warning"
    /// ```
    pub(crate) static MISSING_PARAMETER_COMMA = {
        code: "missing-parameter-comma",
        puppet_lint: [],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check_comma(
        checker,
        &MISSING_PARAMETER_COMMA,
        LayoutKind::ParameterComma,
    );
}

#[cfg(test)]
mod tests {
    use super::MISSING_PARAMETER_COMMA;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let expected = "`1`: missing trailing comma";
        let code = "class m (\n  $a = 1\n) {\n  notice($a)\n}\n";
        assert_fixable(&MISSING_PARAMETER_COMMA, code, expected);
        let code = "class m {\n  $a = $b ? {\n    default => 1\n  }\n}\n";
        assert_fixable(&MISSING_PARAMETER_COMMA, code, expected);
    }

    #[test]
    fn accepts_other_lists() {
        let code = "class m {\n  $a = [\n    1\n  ]\n}\n";
        assert_eq!(reported(&MISSING_PARAMETER_COMMA, code), [""; 0]);
    }
}
