use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arrows of relationships at the end of a line.
    ///
    /// ## What it does
    ///
    /// Reports `->` and `~>` if the resource after them starts on another line.
    ///
    /// ## Why it matters
    ///
    /// An arrow at the start of a line shows at once that the resource depends on the one before it.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { 'ntp': } -> # <-
    ///   service { 'ntp': }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'ntp': }
    ///   -> service { 'ntp': }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[arrow-at-line-end]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// arrow-at-line-end = "warning"
    /// ```
    pub(crate) static ARROW_AT_LINE_END = {
        code: "arrow-at-line-end",
        puppet_lint: ["arrow_on_right_operand_line"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(
        checker,
        &ARROW_AT_LINE_END,
        LayoutKind::RelationshipArrow,
        |_, _| "arrow at the end of the line".to_owned(),
    );
}

#[cfg(test)]
mod tests {
    use super::ARROW_AT_LINE_END;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  A['x'] ->\n  B['y']\n}\n";
        let expected = "`->`: arrow at the end of the line";
        assert_fixable(&ARROW_AT_LINE_END, code, expected);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  package { 'ntp': }\n  -> service { 'ntp': }\n}\n";
        assert_eq!(reported(&ARROW_AT_LINE_END, code), [""; 0]);
    }
}
