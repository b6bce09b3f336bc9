use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check_beside;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports missing and extra spaces beside braces.
    ///
    /// ## What it does
    ///
    /// Compares the whitespace before and after `{` and `}` with the layout of `pupil format`.
    ///
    /// ## Why it matters
    ///
    /// Spaces around braces show where a block starts and ends.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   if $facts['is_virtual']{ # <-
    ///     notice(1)
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   if $facts['is_virtual'] {
    ///     notice(1)
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[brace-spacing]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// brace-spacing = "warning"
    /// ```
    pub(crate) static BRACE_SPACING = {
        code: "brace-spacing",
        puppet_lint: ["manifest_whitespace_opening_brace_before", "manifest_whitespace_opening_brace_after", "manifest_whitespace_closing_brace_before", "manifest_whitespace_closing_brace_after"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check_beside(checker, &BRACE_SPACING, LayoutKind::Brace, &['{', '}']);
}

#[cfg(test)]
mod tests {
    use super::BRACE_SPACING;
    use crate::testing::{assert_fixable, fixed, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  if $a{\n    $b = 1\n  }\n}\n";
        let expected = "`{`: expected 1 space before `{`, found 0";
        assert_fixable(&BRACE_SPACING, code, expected);
    }

    #[test]
    fn reports_braces_of_class_resources() {
        let code = "class m {\n  class{ 'n': }\n}\n";
        let expected = "`{`: expected 1 space before `{`, found 0";
        assert_fixable(&BRACE_SPACING, code, expected);
    }

    #[test]
    fn reports_lists_of_hashes_on_several_lines() {
        let code = "class m {\n  $a = [ { 'a' => 1 },\n    { 'b' => 1 } ]\n}\n";
        assert_eq!(
            reported(&BRACE_SPACING, code),
            [
                "`{`: expected no space before `{`, found 1",
                "`]`: expected no space after `}`, found 1",
            ]
        );
    }

    #[test]
    fn keeps_lines_aligned_with_the_first_pair() {
        let code = "class m {\n  $a = {b => 1,\n        c => 2,\n  }\n}\n";
        assert_eq!(reported(&BRACE_SPACING, code).len(), 1);
        assert_eq!(fixed(&BRACE_SPACING, code), code);
        let code = "class m {\n  $a = {b => 1, c => 2 }\n}\n";
        let expected = "`b`: expected 1 space after `{`, found 0";
        assert_fixable(&BRACE_SPACING, code, expected);
    }

    #[test]
    fn fixes_both_ends_of_parentheses() {
        let code = "class m {\n  $a = ( $b ? { default => 1 } )\n}\n";
        assert_eq!(
            fixed(&BRACE_SPACING, code),
            "class m {\n  $a = ($b ? { default => 1 })\n}\n"
        );
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  if $facts['is_virtual'] {\n    notice(1)\n  }\n}\n";
        assert_eq!(reported(&BRACE_SPACING, code), [""; 0]);
    }
}
