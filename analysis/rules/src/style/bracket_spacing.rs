use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check_beside;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports missing and extra spaces beside brackets.
    ///
    /// ## What it does
    ///
    /// Compares the whitespace before and after `[` and `]` with the layout of `pupil format`.
    ///
    /// ## Why it matters
    ///
    /// Consistent spacing makes lists easy to read.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $ports = [ 80, 443] # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $ports = [80, 443]
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Parentheses: `pupil format` removes the spaces inside of them.
    /// * Elements in one column with those of the lines above or below, if these have the same form.
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[bracket-spacing]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// bracket-spacing = "warning"
    /// ```
    pub(crate) static BRACKET_SPACING = {
        code: "bracket-spacing",
        puppet_lint: ["manifest_whitespace_opening_bracket_before", "manifest_whitespace_opening_bracket_after", "manifest_whitespace_closing_bracket_before", "manifest_whitespace_closing_bracket_after"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    let brackets = ['[', ']', '(', ')'];
    check_beside(checker, &BRACKET_SPACING, LayoutKind::Bracket, &brackets);
}

#[cfg(test)]
mod tests {
    use super::BRACKET_SPACING;
    use crate::testing::{assert_fixable, fixed, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = [ 1]\n}\n";
        let expected = "`1`: expected no space after `[`, found 1";
        assert_fixable(&BRACKET_SPACING, code, expected);
        let code = "class m (\n  Array[String]$a,\n) {\n}\n";
        let expected = "`$`: expected 1 space after `]`, found 0";
        assert_fixable(&BRACKET_SPACING, code, expected);
    }

    #[test]
    fn reports_lists_on_several_lines() {
        let code = "class m {\n  $a = [ { 'a' => 1 },\n    { 'b' => 1 }]\n}\n";
        assert_eq!(reported(&BRACKET_SPACING, code), [""; 0]);
        let code = "class m {\n  $a = [ 'a',\n    'b' ]\n}\n";
        assert_eq!(reported(&BRACKET_SPACING, code).len(), 2);
    }

    #[test]
    fn fixes_both_sides_of_an_equals_sign() {
        for code in ["class m {\n  $a=[1]\n}\n", "class m (\n  $a=[1],\n) {\n}\n"] {
            assert_eq!(fixed(&BRACKET_SPACING, code), code.replace('=', " = "));
        }
    }

    #[test]
    fn fixes_both_sides_of_an_operator() {
        let code = "class m {\n  $a = $b[1]==1\n}\n";
        assert_eq!(fixed(&BRACKET_SPACING, code), code.replace("==", " == "));
    }

    #[test]
    fn fixes_both_ends_of_parentheses() {
        let code = "class m {\n  $a = ( $b + [1] )\n}\n";
        assert_eq!(reported(&BRACKET_SPACING, code).len(), 1);
        assert_eq!(
            fixed(&BRACKET_SPACING, code),
            "class m {\n  $a = ($b + [1])\n}\n"
        );
        for code in [
            "class m {\n  notice( 'a' )\n}\n",
            "class m {\n  $a = ( $b )\n}\n",
        ] {
            assert_eq!(reported(&BRACKET_SPACING, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_commas_on_one_line() {
        let code = "class m {\n  $a = ['a',]\n  $b = { 'a' => 1, }\n}\n";
        assert_eq!(reported(&BRACKET_SPACING, code), [""; 0]);
        let code = "class m {\n  $a = [['a'], ]\n}\n";
        let expected = "`]`: expected no space before `]`, found 1";
        assert_fixable(&BRACKET_SPACING, code, expected);
    }

    #[test]
    fn ignores_the_alignment_of_parameters() {
        let code = "class m (\n  Array[String]  $a,\n  Optional[String] $b,\n) {\n}\n";
        assert_eq!(reported(&BRACKET_SPACING, code), [""; 0]);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $ports = [80, 443]\n}\n";
        assert_eq!(reported(&BRACKET_SPACING, code), [""; 0]);
    }
}
