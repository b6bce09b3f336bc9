use syntax::{Applicability, Edit, SyntaxKind, SyntaxToken, TextRange, TextSize};

use crate::checker::FileChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports block comments: `/* … */`.
    ///
    /// ## What it does
    ///
    /// Reports each block comment. The Puppet style guide allows only comments that start with `#`.
    ///
    /// ## Why it matters
    ///
    /// Puppet Strings reads only comments that start with `#`, and block comments cannot be nested.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// /* Installs the web server. */ # <-
    /// class example {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # Installs the web server.
    /// class example {}
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: starts each line with `#`, and keeps the indentation within the comment. Comments that are followed by
    /// code on the same line have no fix.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[block-comment]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// block-comment = "warning"
    /// ```
    pub(crate) static BLOCK_COMMENT = {
        code: "block-comment",
        puppet_lint: ["star_comments"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    if !checker.text.contains("/*") {
        return;
    }
    let tokens = checker.root().descendants_with_tokens();
    let tokens = tokens.filter_map(|it| it.into_token());
    for comment in tokens.filter(|it| it.kind() == SyntaxKind::BLOCK_COMMENT) {
        let message = "block comment; use `#` instead".to_owned();
        checker.report(&BLOCK_COMMENT, comment.text_range(), message);
        if let Some(edit) = as_line_comments(&comment, checker.text) {
            checker.fix("Start each line with `#`", Applicability::Safe, vec![edit]);
        }
    }
}

/// Returns the edit that starts each line of a comment with `#`; `None` if code follows on its last line.
fn as_line_comments(comment: &SyntaxToken, text: &str) -> Option<Edit> {
    let range = comment.text_range();
    let (before, after) = text.split_at(usize::from(range.end()));
    let before = &before[..usize::from(range.start())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_alone = line.trim().is_empty();
    let rest = after.split('\n').next().unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let is_followed_by_comment = rest.trim_start().starts_with('#');
    let is_last = rest.trim().is_empty();
    let may_follow = is_alone && is_followed_by_comment;
    if !is_last && !may_follow {
        return None;
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut lines: Vec<String> = lines(comment)?.iter().map(|it| line_comment(it)).collect();
    if is_followed_by_comment {
        lines.push(String::new());
    }
    Some(Edit {
        range: TextRange::new(range.start(), range.end() + TextSize::of(&rest[..blanks])),
        text: lines.join(&format!("{break_}{indent}")),
    })
}

fn line_comment(line: &str) -> String {
    match line {
        "" => "#".to_owned(),
        line => format!("# {line}"),
    }
}

/// Returns the lines of a comment without the common indentation, and without empty lines at its start and end.
fn lines(comment: &SyntaxToken) -> Option<Vec<&str>> {
    let content = comment.text().strip_prefix("/*")?.strip_suffix("*/")?;
    let (first, others) = content.split_once('\n').unwrap_or((content, ""));
    let others = without_stars(others.lines().map(str::trim_end).collect());
    let is_blank = |it: &str| it.trim_start().is_empty();
    let indents = others.iter().filter(|it| !is_blank(it));
    let indents = indents.map(|it| it.len() - it.trim_start_matches([' ', '\t']).len());
    let common = indents.min().unwrap_or(0);
    let mut lines = vec![without_star(first.trim()).trim()];
    lines.extend(others.iter().map(|it| it.get(common..).unwrap_or_default()));
    if lines.len() > 1 && lines.last().is_some_and(|it| is_blank(it)) {
        lines.pop();
    }
    if lines.len() > 1 && lines.first().is_some_and(|it| is_blank(it)) {
        lines.remove(0);
    }
    Some(lines)
}

/// Returns lines without the stars that often start the lines of block comments. Stars of some lines are items of a
/// list.
fn without_stars(lines: Vec<&str>) -> Vec<&str> {
    let has_star = |it: &&str| it.is_empty() || it.trim_start().starts_with('*');
    match lines.iter().all(has_star) {
        true => lines.into_iter().map(without_star).collect(),
        false => lines,
    }
}

fn without_star(line: &str) -> &str {
    line.trim_start().strip_prefix('*').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::BLOCK_COMMENT;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_block_comments_outside_of_strings() {
        let code = "/* one */\n$a = '/* two */' # /* three */\n";
        let expected = ["`/* one */`: block comment; use `#` instead"];
        assert_eq!(reported(&BLOCK_COMMENT, code), expected);
    }

    #[test]
    fn starts_each_line_with_a_number_sign() {
        let code = "class m {\n  /*\n   * one\n   *\n   * two */\n  $a = 1\n}\n";
        let expected = "class m {\n  # one\n  #\n  # two\n  $a = 1\n}\n";
        assert_eq!(fixed(&BLOCK_COMMENT, code), expected);
        assert_eq!(fixed(&BLOCK_COMMENT, "$a = /* x */ 1"), "$a = /* x */ 1");
        assert_eq!(fixed(&BLOCK_COMMENT, "$a = 1 /* x */\n"), "$a = 1 # x\n");
    }
    #[test]
    fn keeps_the_indentation_within_the_comment() {
        for (code, expected) in [
            (
                "  /*\n   * @param x\n   *   the text\n   */\n",
                "  # @param x\n  #   the text\n",
            ),
            (
                "/*\n  file { '/a':\n    ensure => file,\n\n  }\n*/\n",
                "# file { '/a':\n#   ensure => file,\n#\n# }\n",
            ),
            (
                "/** One\n  *   two\n  *  three\n  **/\n",
                "# One\n#  two\n# three\n",
            ),
            (
                "/* One:\n   * two\n     three */\n",
                "# One:\n# * two\n#   three\n",
            ),
            ("/*\r\n\tone\r\n\t\ttwo\r\n*/\r\n", "# one\r\n# \ttwo\r\n"),
        ] {
            assert_eq!(fixed(&BLOCK_COMMENT, code), expected);
        }
    }

    #[test]
    fn ends_the_line_after_the_comment() {
        for (code, expected) in [
            ("/* a */ \t\n$a = 1\n", "# a\n$a = 1\n"),
            ("/* a */  \r\n$a = 1\r\n", "# a\r\n$a = 1\r\n"),
            ("/* a*//* b */\n", "/* a*/# b\n"),
            ("/* a*/# b\n", "# a\n# b\n"),
            ("  /* a */ # b\n", "  # a\n  # b\n"),
            ("$a = 1 /* a */ # b\n", "$a = 1 /* a */ # b\n"),
        ] {
            assert_eq!(fixed(&BLOCK_COMMENT, code), expected);
        }
    }
}
