use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `else` and `elsif` that are not on the line of the preceding closing brace.
    ///
    /// ## What it does
    ///
    /// Reports the keywords `else` and `elsif` that start a line, unless a comment precedes them.
    ///
    /// ## Why it matters
    ///
    /// The style guide puts `else` on the line of the closing brace. With one place for it everywhere, code is
    /// easier to skim.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   if $facts['is_virtual'] {
    ///     notice(1)
    ///   }
    ///   else { # <-
    ///     notice(2)
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
    ///   } else {
    ///     notice(2)
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
    /// Add `# pupil: ignore[uncuddled-else]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// uncuddled-else = "warning"
    /// ```
    pub(crate) static UNCUDDLED_ELSE = {
        code: "uncuddled-else",
        puppet_lint: ["uncuddled_else"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    let text = checker.text;
    check(checker, &UNCUDDLED_ELSE, LayoutKind::Else, |change, _| {
        let rest = &text[usize::from(change.range.end())..];
        let keyword = if rest.starts_with("elsif") {
            "elsif"
        } else {
            "else"
        };
        format!("`{keyword}` is not on the line of the preceding closing brace")
    });
}

#[cfg(test)]
mod tests {
    use super::UNCUDDLED_ELSE;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  if $a {\n    $b = 1\n  }\n  else {\n    $b = 2\n  }\n}\n";
        let expected = "`e`: `else` is not on the line of the preceding closing brace";
        assert_fixable(&UNCUDDLED_ELSE, code, expected);
    }

    #[test]
    fn accepts_else_after_a_comment() {
        let code =
            "class m {\n  if $a {\n    $b = 1\n  }\n  # Otherwise.\n  else {\n    $b = 2\n  }\n}\n";
        assert_eq!(reported(&UNCUDDLED_ELSE, code), [""; 0]);
    }
}
