use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arrows that are not separated by one space from the code after them.
    ///
    /// ## What it does
    ///
    /// Reports `=>`, and `->` and `~>` between resources, if there is not exactly one space after them.
    ///
    /// ## Why it matters
    ///
    /// Values that start in different columns are hard to compare.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $ports = { 'http' =>  80 } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $ports = { 'http' => 80 }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[space-after-arrow]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// space-after-arrow = "warning"
    /// ```
    pub(crate) static SPACE_AFTER_ARROW = {
        code: "space-after-arrow",
        puppet_lint: ["manifest_whitespace_arrows_single_space_after"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(
        checker,
        &SPACE_AFTER_ARROW,
        LayoutKind::AfterArrow,
        |_, _| "expected 1 space after the arrow".to_owned(),
    );
}

#[cfg(test)]
mod tests {
    use super::SPACE_AFTER_ARROW;
    use crate::testing::{assert_fixable, fixed, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = { 'b' =>  1 }\n}\n";
        let expected = "`1`: expected 1 space after the arrow";
        assert_fixable(&SPACE_AFTER_ARROW, code, expected);
    }

    #[test]
    fn fixes_both_sides_of_relationship_arrows() {
        for (code, expected) in [
            (
                "class m ($a, $b) {\n  $a~>$b\n}\n",
                "class m ($a, $b) {\n  $a ~> $b\n}\n",
            ),
            (
                "class m ($a, $b) {\n  $a ->  $b\n}\n",
                "class m ($a, $b) {\n  $a -> $b\n}\n",
            ),
        ] {
            assert_eq!(reported(&SPACE_AFTER_ARROW, code).len(), 1);
            assert_eq!(fixed(&SPACE_AFTER_ARROW, code), expected);
        }
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $ports = { 'http' => 80 }\n  File['/a'] -> File['/b']\n}\n";
        assert_eq!(reported(&SPACE_AFTER_ARROW, code), [""; 0]);
    }
}
