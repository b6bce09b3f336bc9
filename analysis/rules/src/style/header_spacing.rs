use format::{LayoutChange, LayoutKind};

use crate::checker::FileChecker;
use crate::layout::{check, expected_spaces};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports the names of definitions that are not surrounded by single spaces.
    ///
    /// ## What it does
    ///
    /// Compares the whitespace in the header of a class, defined type, function or plan with the
    /// layout of `pupil format`.
    ///
    /// ## Why it matters
    ///
    /// Searching for `class example` in a repository finds a definition only if there is exactly
    /// one space before the name.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class   example { # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[header-spacing]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// header-spacing = "warning"
    /// ```
    pub(crate) static HEADER_SPACING = {
        code: "header-spacing",
        puppet_lint: ["manifest_whitespace_class_name_single_space_before", "manifest_whitespace_class_name_single_space_after", "manifest_whitespace_inherits_name_single_space_before"],
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
        &HEADER_SPACING,
        LayoutKind::Header,
        |change, before| expected_spaces(change, before, &place(change, text)),
    );
}

/// Describes the place of a change: before the parameter list or `inherits`, or after a keyword.
fn place(change: &LayoutChange, text: &str) -> String {
    let word = |it: &str| {
        let end = it.find(|it: char| !is_of_word(it)).unwrap_or(it.len());
        it[..end].to_owned()
    };
    let after = &text[usize::from(change.range.end())..];
    if after.starts_with('(') {
        return "before `(`".to_owned();
    }
    if word(after) == "inherits" {
        return "before `inherits`".to_owned();
    }
    let before = &text[..usize::from(change.range.start())];
    let start = before.rfind(|it: char| !is_of_word(it));
    match &before[start.map_or(0, |it| it + 1)..] {
        "" => "next to the name".to_owned(),
        keyword => format!("after `{keyword}`"),
    }
}

fn is_of_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | ':')
}

#[cfg(test)]
mod tests {
    use super::HEADER_SPACING;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class   m {\n}\n";
        let expected = "`m`: expected 1 space after `class`, found 3";
        assert_fixable(&HEADER_SPACING, code, expected);
        let code = "class myclass(\n  $a,\n) {\n}\n";
        let expected = "`(`: expected 1 space before `(`, found 0";
        assert_fixable(&HEADER_SPACING, code, expected);
        let code = "class m  inherits n {\n}\n";
        let expected = "`i`: expected 1 space before `inherits`, found 2";
        assert_fixable(&HEADER_SPACING, code, expected);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n}\n";
        assert_eq!(reported(&HEADER_SPACING, code), [""; 0]);
    }
}
