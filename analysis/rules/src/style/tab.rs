use format::{LayoutChange, LayoutKind};

use crate::checker::FileChecker;
use crate::layout::{check, check_if};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports tabs between tokens and in indentation.
    ///
    /// ## What it does
    ///
    /// Reports each tab outside of strings and comments.
    ///
    /// ## Why it matters
    ///
    /// Editors show tabs with different widths, so aligned code looks different for each reader.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    /// 	$port = 80 # <-
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
    /// Add `# pupil: ignore[tab]` at the end of the line, or on a line of its own above it. The rule is off
    /// by default. To turn it on for a project, add this to `pupil.toml`, or `style = "warning"` for the
    /// whole group:
    ///
    /// ```toml
    /// [rules]
    /// tab = "warning"
    /// ```
    pub(crate) static TAB = {
        code: "tab",
        puppet_lint: ["hard_tabs"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(checker, &TAB, LayoutKind::Tab, |_, before| tabs(before));
    // The change that moves an arrow to its right operand includes the white space before that.
    let has_tab = |_: &LayoutChange, before: &str| {
        let blanks = before.trim_end().len();
        before[blanks..].contains('\t')
    };
    check_if(
        checker,
        &TAB,
        LayoutKind::RelationshipArrow,
        has_tab,
        |_, before| tabs(before),
    );
}

fn tabs(before: &str) -> String {
    match before.matches('\t').count() {
        1 => "tab used as whitespace".to_owned(),
        _ => "tabs used as whitespace".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::TAB;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n\t$a = 1\n}\n";
        let expected = "`\t`: tab used as whitespace";
        assert_fixable(&TAB, code, expected);
        let code = "class m {\n  A['a'] ->\n\tB['b']\n}\n";
        let expected = "`->`: tab used as whitespace";
        assert_fixable(&TAB, code, expected);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  $port = 80\n}\n";
        assert_eq!(reported(&TAB, code), [""; 0]);
        let code = "class m {\n  A['a'] ->\n  B['b']\n}\n";
        assert_eq!(reported(&TAB, code), [""; 0]);
    }
}
