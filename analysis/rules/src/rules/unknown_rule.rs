use base::suggest::{hint, is_slip, similar};
use syntax::ast::starts_line;
use syntax::{Applicability, Edit, SyntaxToken, TextRange, TextSize};

use crate::checker::FileChecker;
use crate::puppet_lint_checks;
use crate::rule::{Check, Group, Rule, declare_rule};
use crate::suppressions::{lint_comments, named_rules};

/// The name that users of other tools expect to stand for all checks.
const ALL: &str = "All";

declare_rule! {
    /// Reports unknown rules in comments that suppress diagnostics.
    ///
    /// ## What it does
    ///
    /// Checks the names in `# pupil: ignore[RULE]`, and in `# lint:ignore:CHECK` those that are similar to a check of
    /// puppet-lint. Also reports `# lint:ignore:` without a check, and `# lint:ignore:all`: puppet-lint has no name for
    /// all checks.
    ///
    /// ## Why it matters
    ///
    /// Such a comment has no effect: the diagnostic that it should suppress is reported nevertheless.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice('true') # pupil: ignore[quoted-booelan] # <-
    ///   notice('false') # lint:ignore:quoted_booelans # <-
    ///   notice('true', 'false') # lint:ignore:all # <-
    ///   notice(true) # lint:ignore: # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice('true') # pupil: ignore[quoted-boolean]
    ///   notice('false') # lint:ignore:quoted_booleans
    ///   notice('true', 'false') # pupil: ignore
    ///   notice(true)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names in `# lint:ignore:CHECK` that are not similar to a known check: a plugin may define it.
    /// * Puppet's issue codes, such as `UNRECOGNIZED_ESCAPE`.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with a similar one, and `lint:ignore:all` at the end of a line with `pupil: ignore`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-rule]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-rule = "off"
    /// ```
    pub(crate) static UNKNOWN_RULE = {
        code: "unknown-rule",
        severity: Warning,
        since: "0.3.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    if !["pupil:", "lint:ignore"]
        .iter()
        .any(|it| checker.text.contains(it))
    {
        return;
    }
    for comment in checker.comments() {
        for name in named_rules(comment.text()) {
            check_rule(checker, &comment, name);
        }
        for name in lint_comments::checks(comment.text()) {
            check_lint(checker, &comment, name);
        }
        let empty = lint_comments::command_without_check(comment.text());
        if let Some(range) = empty.and_then(|it| range_of(it, &comment)) {
            let message = "missing check after `lint:ignore:`".to_owned();
            checker.report(&UNKNOWN_RULE, range, message);
        }
    }
}

fn check_rule(checker: &mut FileChecker<'_>, comment: &SyntaxToken, name: &str) {
    let is_issue_code = !name.contains(|it: char| it.is_lowercase());
    if is_issue_code || crate::rule(name).is_some() || Group::from_name(name).is_some() {
        return;
    }
    let codes = crate::all().map(|it| it.code);
    let known = similar(name, codes.chain(Group::ALL.map(Group::name)));
    report(checker, comment, name, ("rule", known));
}

fn check_lint(checker: &mut FileChecker<'_>, comment: &SyntaxToken, name: &str) {
    let is_known = |it: &str| puppet_lint_checks::all().any(|known| known == it);
    if is_known(name) || crate::rule(name).is_some() {
        return;
    }
    if name.eq_ignore_ascii_case(ALL) {
        report_all(checker, comment, name);
    } else if let Some(known) = puppet_lint_checks::all().find(|it| is_slip(name, it)) {
        report(checker, comment, name, ("check", Some(known)));
    }
}

/// Reports the name that users expect to stand for all checks.
fn report_all(checker: &mut FileChecker<'_>, comment: &SyntaxToken, name: &str) {
    let Some(range) = range_of(name, comment) else {
        return;
    };
    let message = "unknown check `all`: puppet-lint requires the name of each check".to_owned();
    checker.report(&UNKNOWN_RULE, range, message);
    let is_only = lint_comments::checks(comment.text()).count() == 1;
    if is_only && comment.text().starts_with('#') && !starts_line(comment) {
        let start = comment.text().find("lint:").unwrap_or_default();
        let start = comment.text_range().start() + TextSize::try_from(start).unwrap_or_default();
        let edit = Edit {
            range: TextRange::new(start, range.end()),
            text: "pupil: ignore".to_owned(),
        };
        let label = "Replace with `pupil: ignore`";
        checker.fix(label, Applicability::Suggested, vec![edit]);
    }
}

fn report(
    checker: &mut FileChecker<'_>,
    comment: &SyntaxToken,
    name: &str,
    (kind, similar): (&str, Option<&str>),
) {
    let Some(range) = range_of(name, comment) else {
        return;
    };
    let message = format!("unknown {kind} `{name}`{}", hint(similar));
    checker.report(&UNKNOWN_RULE, range, message);
    if let Some(similar) = similar {
        let text = similar.to_owned();
        let label = format!("Replace with `{similar}`");
        checker.fix(&label, Applicability::Suggested, vec![Edit { range, text }]);
    }
}

/// Returns the range of a part of a comment's text.
fn range_of(part: &str, comment: &SyntaxToken) -> Option<TextRange> {
    let start = part.as_ptr().addr() - comment.text().as_ptr().addr();
    let start = comment.text_range().start() + TextSize::try_from(start).ok()?;
    Some(TextRange::at(start, TextSize::of(part)))
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_RULE;
    use crate::testing::{fixed, reported};

    #[test]
    fn unknown_names_are_reported() {
        let code = "$a = 1 # pupil: ignore[long-lien, no-such-rule]\n$b = 1 # why # pupil: ignore[stlye]\n";
        assert_eq!(
            reported(&UNKNOWN_RULE, code),
            [
                "`long-lien`: unknown rule `long-lien`; did you mean `long-line`?",
                "`no-such-rule`: unknown rule `no-such-rule`",
                "`stlye`: unknown rule `stlye`; did you mean `style`?",
            ]
        );
        let lint = "# lint:ignore:140char lint:ignore:star_comment\n$a = 1\n# lint:endignore\n";
        assert_eq!(
            reported(&UNKNOWN_RULE, lint),
            [
                "`140char`: unknown check `140char`; did you mean `140chars`?",
                "`star_comment`: unknown check `star_comment`; did you mean `star_comments`?",
            ]
        );
    }

    #[test]
    fn names_of_no_check_are_reported() {
        let code = "$a = 1 # lint:ignore:all why\n# lint:ignore: why\n$a = 1\n# lint:endignore\n$b = 1 # lint:ignore\n";
        assert_eq!(
            reported(&UNKNOWN_RULE, code),
            [
                "`all`: unknown check `all`: puppet-lint requires the name of each check",
                "`lint:ignore:`: missing check after `lint:ignore:`",
                "`lint:ignore`: missing check after `lint:ignore:`",
            ]
        );
        let fixed = fixed(&UNKNOWN_RULE, code);
        assert!(fixed.starts_with("$a = 1 # pupil: ignore why\n# lint:ignore: why"));
    }

    #[test]
    fn known_names_are_not_reported() {
        for code in [
            "$a = 1 # pupil: ignore\n",
            "$a = 1 # pupil: ignore[long-line, 140chars, style, UNRECOGNIZED_ESCAPE]\n",
            "$a = 1 # lint:ignore:140chars lint:ignore:autoloader_layout why not 140char\n",
            "# lint:ignore:slash_comments lint:ignore:our_own_check\n$a = 1\n# lint:endignore\n",
            "$a = '# pupil: ignore[long-lien]'\n",
        ] {
            assert_eq!(reported(&UNKNOWN_RULE, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn names_are_replaced() {
        let code = "$a = 1 # pupil: ignore[long-lien]\n";
        let expected = "$a = 1 # pupil: ignore[long-line]\n";
        assert_eq!(fixed(&UNKNOWN_RULE, code), expected);
    }
}
