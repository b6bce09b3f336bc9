use std::ops::Range;

use syntax::{Applicability, Edit, SyntaxKind, TextRange, TextSize};

use crate::checker::FileChecker;
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
    /// Safe: removes the whitespace.
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
    let parse = base::parse(checker.db, checker.file);
    let root = parse.syntax();
    if root.kind() != SyntaxKind::SOURCE_FILE || !parse.is_well_formed() {
        return;
    }
    // Blanks at the end of a comment are part of it. The formatter removes them, but puppet-lint accepts them, and they
    // are frequent.
    let tokens = root
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    for space in tokens.filter(|it| it.kind() == SyntaxKind::WHITESPACE) {
        for range in blanks_at_line_ends(space.text_range(), checker.text) {
            checker.report(&TRAILING_BLANKS, range, MESSAGE.to_owned());
            let edit = Edit {
                range,
                text: String::new(),
            };
            checker.fix(
                "Remove the trailing whitespace",
                Applicability::Safe,
                vec![edit],
            );
        }
    }
}

/// Returns the ranges of the blanks at the ends of the lines of white space.
fn blanks_at_line_ends(range: TextRange, text: &str) -> Vec<TextRange> {
    let rest = &text[usize::from(range.end())..];
    let ends_line = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let mut start = range.start();
    let mut found = Vec::new();
    for line in text[Range::from(range)].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let is_whole = content.len() < line.len() || ends_line;
        if is_whole && !content.is_empty() {
            found.push(TextRange::at(start, TextSize::of(content)));
        }
        start += TextSize::of(line);
    }
    found
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
    fn reports_and_fixes_blanks_inside_of_expressions() {
        for (code, expected) in [
            (
                "class m {\n  $x = $y ?\t\n  { 1 => 2 }\n}\n",
                "class m {\n  $x = $y ?\n  { 1 => 2 }\n}\n",
            ),
            (
                "class m {\n  $x = { a =>  \n 1, \r\n  }\n}\n",
                "class m {\n  $x = { a =>\n 1,\r\n  }\n}\n",
            ),
            (
                "class m {\n  A['x'] ->\n     \n  # c  \n  B['y']\n}\n",
                "class m {\n  A['x'] ->\n\n  # c  \n  B['y']\n}\n",
            ),
            (
                "class m {\n  $x = @(A) \n    b  \n    | A\n}\n",
                "class m {\n  $x = @(A)\n    b  \n    | A\n}\n",
            ),
        ] {
            assert_eq!(fixed(&TRAILING_BLANKS, code), expected);
            assert_eq!(reported(&TRAILING_BLANKS, expected), [""; 0]);
        }
    }

    #[test]
    fn ignores_comments_and_templates() {
        for code in [
            "class m { } # why  \n",
            "class m {\n  A['x'] -> # why  \n  B['y']\n}\n",
            "class m {\n  $a = 'b  \n  \n  c'\n}\n",
            "class m {\n  $a = 1  \n  $b = ]\n}\n",
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
