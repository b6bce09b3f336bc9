use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arrows in resources that are not separated by one space from the name before them.
    ///
    /// ## What it does
    ///
    /// Reports `=>` of attributes, and of hashes in resources, that are not aligned with others, if
    /// there is not exactly one space before it.
    ///
    /// ## Why it matters
    ///
    /// Additional spaces suggest an alignment where arrows are not aligned.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/motd': ensure   => file } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/motd': ensure => file }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// Arrows that are in one column with those of the lines above or below, if these have the same form.
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[space-before-arrow]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// space-before-arrow = "warning"
    /// ```
    pub(crate) static SPACE_BEFORE_ARROW = {
        code: "space-before-arrow",
        puppet_lint: ["space_before_arrow"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(
        checker,
        &SPACE_BEFORE_ARROW,
        LayoutKind::BeforeArrow,
        |_, _| "expected 1 space before the arrow".to_owned(),
    );
}

#[cfg(test)]
mod tests {
    use super::SPACE_BEFORE_ARROW;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  n { 'a': b   => 1 }\n}\n";
        let expected = "`=`: expected 1 space before the arrow";
        assert_fixable(&SPACE_BEFORE_ARROW, code, expected);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  file { '/etc/motd': ensure => file }\n}\n";
        assert_eq!(reported(&SPACE_BEFORE_ARROW, code), [""; 0]);
    }
}
