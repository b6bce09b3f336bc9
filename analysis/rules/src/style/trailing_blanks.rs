use std::ops::Range;

use format::{LayoutChange, LayoutKind};
use syntax::{Applicability, Edit};

use crate::checker::FileChecker;
use crate::layout::{blanks_on_lines, check};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports whitespace at the end of a line.
    ///
    /// ## What it does
    ///
    /// Reports spaces and tabs between the last token of a line and its end, except in comments.
    ///
    /// ## Why it matters
    ///
    /// It is invisible, and editors that remove it cause needless differences between versions.
    ///
    /// ## Example
    ///
    /// Here, `␠` stands for a space:
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
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[trailing-blanks]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// trailing-blanks = "warning"
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
        |_, _| MESSAGE.to_owned(),
    );
    check_removed_lines(checker);
}

/// Reports blanks on empty lines and after arrows that the formatter removes together with a line break. The rules
/// about these may be off.
fn check_removed_lines(checker: &mut FileChecker<'_>) {
    let changes = checker.layout();
    let text = checker.text;
    let is_removed = |it: &&LayoutChange| match it.kind {
        LayoutKind::EmptyLines | LayoutKind::EndOfFile => true,
        // Blanks at the end of a comment are part of it.
        LayoutKind::RelationshipArrow => !text[Range::from(it.range)].contains(['#', '*']),
        _ => false,
    };
    for change in changes.iter().filter(is_removed) {
        for range in blanks_on_lines(change.range, checker.text) {
            checker.report(&TRAILING_BLANKS, range, MESSAGE.to_owned());
            let text = String::new();
            checker.fix(
                "Remove the trailing whitespace",
                Applicability::Safe,
                vec![Edit { range, text }],
            );
        }
    }
}

const MESSAGE: &str = "trailing whitespace";

#[cfg(test)]
mod tests {
    use super::{MESSAGE, TRAILING_BLANKS};
    use crate::testing::{assert_fixable, fixed, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = 1 \n}\n";
        let expected = "` `: trailing whitespace";
        assert_fixable(&TRAILING_BLANKS, code, expected);
        let code = "class m {\n  $a = 1\n   \n  $b = 2\n}\n";
        let expected = "`   `: trailing whitespace";
        assert_fixable(&TRAILING_BLANKS, code, expected);
    }

    #[test]
    fn reports_and_fixes_blanks_on_superfluous_lines() {
        let code = "class m {\n  \n\n \t\n  $a = 1\n}\n  ";
        let expected = ["`  `", "` \t`", "`  `"].map(|it| format!("{it}: {MESSAGE}"));
        assert_eq!(reported(&TRAILING_BLANKS, code), expected);
        assert_eq!(
            fixed(&TRAILING_BLANKS, code),
            "class m {\n\n\n\n  $a = 1\n}\n"
        );
    }

    #[test]
    fn reports_and_fixes_blanks_after_arrows() {
        let code = "class m {\n  A['x'] -> \n  B['y'] ~>\t\n\n  C['z'] ->\n  D['w']\n}\n";
        let expected = ["` `", "`\t`"].map(|it| format!("{it}: {MESSAGE}"));
        assert_eq!(reported(&TRAILING_BLANKS, code), expected);
        assert_eq!(
            fixed(&TRAILING_BLANKS, code),
            "class m {\n  A['x'] ->\n  B['y'] ~>\n\n  C['z'] ->\n  D['w']\n}\n"
        );
    }

    #[test]
    fn ignores_comments_and_templates() {
        for code in [
            "class m { } # why  \n",
            "class m {\n  A['x'] -> # why  \n  B['y']\n}\n",
        ] {
            assert_eq!(reported(&TRAILING_BLANKS, code), [""; 0]);
        }
        let template = "//- modules/m/templates/a.epp\n<% $a = 1  %>  \n";
        assert_eq!(reported(&TRAILING_BLANKS, template), [""; 0]);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $port = 80\n}\n";
        assert_eq!(reported(&TRAILING_BLANKS, code), [""; 0]);
    }
}
