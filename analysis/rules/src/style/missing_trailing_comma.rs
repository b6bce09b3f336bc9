use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check_comma;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lists on several lines whose last element has no comma.
    ///
    /// ## What it does
    ///
    /// Reports the last attribute of a resource, element of an array or pair of a hash if the
    /// closing bracket is on another line and not preceded by a comma. Parameters and options of
    /// selectors belong to `missing-parameter-comma`.
    ///
    /// ## Why it matters
    ///
    /// With a comma, a new element changes only one line.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $ports = [
    ///     80,
    ///     443 # <-
    ///   ]
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $ports = [
    ///     80,
    ///     443,
    ///   ]
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-trailing-comma]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// missing-trailing-comma = "warning"
    /// ```
    pub(crate) static MISSING_TRAILING_COMMA = {
        code: "missing-trailing-comma",
        puppet_lint: ["trailing_comma"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check_comma(checker, &MISSING_TRAILING_COMMA, LayoutKind::TrailingComma);
}

#[cfg(test)]
mod tests {
    use super::MISSING_TRAILING_COMMA;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = [\n    1\n  ]\n}\n";
        let expected = "`1`: missing trailing comma";
        assert_fixable(&MISSING_TRAILING_COMMA, code, expected);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $ports = [\n    80,\n    443,\n  ]\n}\n";
        assert_eq!(reported(&MISSING_TRAILING_COMMA, code), [""; 0]);
    }
}
