use format::{LayoutChange, LayoutKind};

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports files that do not end with exactly one newline.
    ///
    /// ## What it does
    ///
    /// Reports a missing newline at the end of a file, and empty lines there.
    ///
    /// ## Why it matters
    ///
    /// Many tools expect every line to end with a newline. Without it, adding a line also changes
    /// the line before it in a diff.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {} # <-
    ///
    ///
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {}
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[end-of-file]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// end-of-file = "warning"
    /// ```
    pub(crate) static END_OF_FILE = {
        code: "end-of-file",
        puppet_lint: ["manifest_whitespace_missing_newline_end_of_file", "manifest_whitespace_double_newline_end_of_file", "trailing_newline"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(checker, &END_OF_FILE, LayoutKind::EndOfFile, |change, _| {
        end_of_file(change)
    });
}

fn end_of_file(change: &LayoutChange) -> String {
    match change.range.is_empty() {
        true => "missing newline at the end of the file".to_owned(),
        false => "empty lines at the end of the file".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::END_OF_FILE;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m { }";
        let expected = "`class m { }`: missing newline at the end of the file";
        assert_fixable(&END_OF_FILE, code, expected);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example { }\n";
        assert_eq!(reported(&END_OF_FILE, code), [""; 0]);
    }
}
