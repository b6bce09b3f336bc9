use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::check;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports needless empty lines.
    ///
    /// ## What it does
    ///
    /// Reports empty lines at the start of a file, after an opening bracket and before a closing one, and
    /// several empty lines in a row.
    ///
    /// ## Why it matters
    ///
    /// Empty lines separate parts of the code. Elsewhere, they only take space.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $port = 80 # <-
    ///
    ///
    ///   $host = 'localhost'
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $port = 80
    ///
    ///   $host = 'localhost'
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[empty-lines]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// empty-lines = "warning"
    /// ```
    pub(crate) static EMPTY_LINES = {
        code: "empty-lines",
        puppet_lint: ["manifest_whitespace_two_empty_lines", "manifest_whitespace_newline_beginning_of_file"],
        also_in_puppet_lint: ["manifest_whitespace_opening_brace_after", "manifest_whitespace_closing_brace_before", "manifest_whitespace_opening_bracket_after", "manifest_whitespace_closing_bracket_before"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    let text = checker.text;
    check(
        checker,
        &EMPTY_LINES,
        LayoutKind::EmptyLines,
        |change, _| {
            let before = text[..usize::from(change.range.start())].trim_end();
            let after = text[usize::from(change.range.end())..].trim_start();
            match (before.chars().next_back(), after.chars().next()) {
                (None, _) => "empty lines at the start of the file".to_owned(),
                (Some(bracket @ ('{' | '(' | '[')), _) => format!("empty line after `{bracket}`"),
                (_, Some(bracket @ ('}' | ')' | ']'))) => format!("empty line before `{bracket}`"),
                _ => "more than one empty line".to_owned(),
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::EMPTY_LINES;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = 1\n\n\n  $b = 2\n}\n";
        let expected = "`  $a = 1`: more than one empty line";
        assert_fixable(&EMPTY_LINES, code, expected);
    }

    #[test]
    fn reports_lines_beside_brackets() {
        let code = "class m {\n\n  $a = 1\n}\n";
        assert_fixable(&EMPTY_LINES, code, "`class m {`: empty line after `{`");
        let code = "class m {\n  $a = 1\n\n}\n";
        assert_fixable(&EMPTY_LINES, code, "`  $a = 1`: empty line before `}`");
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $port = 80\n\n  $host = 'localhost'\n}\n";
        assert_eq!(reported(&EMPTY_LINES, code), [""; 0]);
    }
}
