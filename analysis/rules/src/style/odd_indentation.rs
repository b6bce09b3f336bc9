use format::{LayoutChange, LayoutKind};

use super::indentation::expected_spaces;
use crate::checker::FileChecker;
use crate::layout::{check_if, columns};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lines that are indented by an odd number of spaces.
    ///
    /// ## What it does
    ///
    /// Reports the lines that `indentation` reports too and whose number of spaces is odd. It is
    /// meant for projects that do not check more than that.
    ///
    /// ## Why it matters
    ///
    /// Each level is indented by two spaces, so an odd number is a mistake.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///    $port = 80 # <-
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
    /// Add `# pupil: ignore[odd-indentation]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// odd-indentation = "warning"
    /// ```
    pub(crate) static ODD_INDENTATION = {
        code: "odd-indentation",
        puppet_lint: ["2sp_soft_tabs"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    // The text of a heredoc may have any indentation.
    let is_odd =
        |_: &LayoutChange, before: &str| !before.contains('\n') && columns(before) % 2 == 1;
    let kind = LayoutKind::Indentation;
    check_if(checker, &ODD_INDENTATION, kind, is_odd, expected_spaces);
}

#[cfg(test)]
mod tests {
    use super::ODD_INDENTATION;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n   $a = 1\n}\n";
        let expected = "`$`: expected 2 spaces of indentation, found 3";
        assert_fixable(&ODD_INDENTATION, code, expected);
    }

    #[test]
    fn accepts_an_even_number_of_spaces() {
        let code = "class m {\n    $a = 1\n}\n";
        assert_eq!(reported(&ODD_INDENTATION, code), [""; 0]);
    }

    #[test]
    fn accepts_the_text_of_heredocs() {
        let code = "class m {\n  $a = @(A)\n     text\n     | A\n}\n";
        assert_eq!(reported(&ODD_INDENTATION, code), [""; 0]);
    }
}
