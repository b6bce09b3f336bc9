use syntax::{Applicability, Edit, SyntaxToken};

use crate::canonical_code;
use crate::checker::FileChecker;
use crate::rule::{Check, Rule, declare_rule};
use crate::suppressions::lint_comments::{self, LintComments};

declare_rule! {
    /// Reports puppet-lint comments that have no effect because their block is not closed.
    ///
    /// ## What it does
    ///
    /// Reports `# lint:ignore:CHECK` on a line of its own without a later `# lint:endignore`, and
    /// `# lint:endignore` without an earlier `# lint:ignore:CHECK`.
    ///
    /// ## Why it matters
    ///
    /// puppet-lint and Pupil ignore such comments: the diagnostics are not suppressed.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # lint:ignore:140chars # <-
    /// class example {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # lint:ignore:140chars
    /// class example {}
    /// # lint:endignore
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the comment with `# pupil: ignore[RULE]`, which covers the next line.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unclosed-suppression]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unclosed-suppression = "warning"
    /// ```
    pub(crate) static UNCLOSED_SUPPRESSION = {
        code: "unclosed-suppression",
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    if !lint_comments::may_be_in(checker.text) {
        return;
    }
    let comments: Vec<SyntaxToken> = checker.comments().collect();
    let found = LintComments::of(&comments, &[]);
    for comment in &found.unclosed {
        let message = "unclosed `lint:ignore`: missing `lint:endignore`".to_owned();
        checker.report(&UNCLOSED_SUPPRESSION, comment.text_range(), message);
        let codes: Vec<&str> = lint_comments::checks(comment.text())
            .map(canonical_code)
            .collect();
        // After a block comment, the line may go on.
        let ends_line = comment.text().starts_with('#');
        if ends_line && codes.iter().all(|it| crate::rule(it).is_some()) {
            let edits = vec![Edit {
                range: comment.text_range(),
                text: format!("# pupil: ignore[{}]", codes.join(", ")),
            }];
            checker.fix(
                "Suppress the rule in the next line only",
                Applicability::Suggested,
                edits,
            );
        }
    }
    for comment in &found.without_start {
        let message = "unmatched `lint:endignore`".to_owned();
        checker.report(&UNCLOSED_SUPPRESSION, comment.text_range(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::UNCLOSED_SUPPRESSION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_what_has_no_counterpart() {
        let code = "# lint:ignore:140chars\n$a = 1\n# lint:endignore\n# lint:endignore\n\
                    # lint:ignore:140chars\n";
        assert_eq!(
            reported(&UNCLOSED_SUPPRESSION, code),
            [
                "`# lint:endignore`: unmatched `lint:endignore`",
                "`# lint:ignore:140chars`: unclosed `lint:ignore`: missing `lint:endignore`",
            ]
        );
        let closed = "$a = 1 # lint:ignore:140chars\n";
        assert_eq!(reported(&UNCLOSED_SUPPRESSION, closed), [""; 0]);
    }

    #[test]
    fn names_the_rules() {
        let code = "# lint:ignore:140chars lint:ignore:star_comments\n$a = 1\n";
        let expected = "# pupil: ignore[long-line, block-comment]\n$a = 1\n";
        assert_eq!(fixed(&UNCLOSED_SUPPRESSION, code), expected);
        let code = "$a = { /* lint:ignore:hard_tabs */ 'b' => 1 }\n";
        assert_eq!(fixed(&UNCLOSED_SUPPRESSION, code), code);
        let code = "# lint:ignore:no_such_check\n$a = 1\n";
        assert_eq!(fixed(&UNCLOSED_SUPPRESSION, code), code);
    }
}
