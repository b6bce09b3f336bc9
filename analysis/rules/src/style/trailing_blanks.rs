use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports blanks at the end of a line.
    ///
    /// ## What it does
    ///
    /// Reports spaces and tabs between the last token of a line and its end, except in comments.
    ///
    /// ## Why it matters
    ///
    /// They are invisible, and editors that remove them cause needless differences between versions.
    ///
    /// ## Example
    ///
    /// Here, `␠` stands for a blank:
    ///
    /// ```puppet wrong
    /// class example {
    ///   # <- below
    ///   $port = 80␠
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $port = 80
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: change the layout at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[trailing-blanks]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// trailing-blanks = "off"
    /// ```
    pub(crate) static TRAILING_BLANKS = {
        code: "trailing-blanks",
        puppet_lint: ["trailing_whitespace"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(
        checker,
        &TRAILING_BLANKS,
        LayoutKind::TrailingBlanks,
        |_, _| "blanks at the end of the line".to_owned(),
    );
}

#[cfg(test)]
mod tests {
    use super::TRAILING_BLANKS;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = 1 \n}\n";
        let expected = "` `: blanks at the end of the line";
        assert_fixable(&TRAILING_BLANKS, code, expected);
        let code = "class m {\n  $a = 1\n   \n  $b = 2\n}\n";
        let expected = "`   `: blanks at the end of the line";
        assert_fixable(&TRAILING_BLANKS, code, expected);
    }

    #[test]
    fn ignores_comments_and_templates() {
        let code = "class m { } # why  \n";
        assert_eq!(reported(&TRAILING_BLANKS, code), [""; 0]);
        let template = "//- modules/m/templates/a.epp\n<% $a = 1  %>  \n";
        assert_eq!(reported(&TRAILING_BLANKS, template), [""; 0]);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $port = 80\n}\n";
        assert_eq!(reported(&TRAILING_BLANKS, code), [""; 0]);
    }
}
