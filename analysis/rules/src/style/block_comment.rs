use syntax::{Applicability, Edit, SyntaxKind, SyntaxToken};

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
    /// Safe: starts each line with `#`. Comments that are followed by code on the same line have no
    /// fix.
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
        if let Some(text) = as_line_comments(&comment, checker.text) {
            let range = comment.text_range();
            let edits = vec![Edit { range, text }];
            checker.fix("Start each line with `#`", Applicability::Safe, edits);
        }
    }
}

/// Returns the comment with `#` at the start of each line; `None` if code follows on its last line.
fn as_line_comments(comment: &SyntaxToken, text: &str) -> Option<String> {
    let (before, rest) = text.split_at(usize::from(comment.text_range().end()));
    let rest = rest.split('\n').next().unwrap_or_default();
    let rest = rest.trim();
    if !rest.is_empty() && !rest.starts_with('#') {
        return None;
    }
    let before = &before[..usize::from(comment.text_range().start())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let indent = &line[..line.len() - line.trim_start().len()];
    let content = comment.text().strip_prefix("/*")?.strip_suffix("*/")?;
    let mut lines: Vec<&str> = content.lines().map(without_star).collect();
    let is_empty = |it: Option<&&str>| it.is_some_and(|it| it.is_empty());
    if lines.len() > 1 && is_empty(lines.last()) {
        lines.pop();
    }
    if lines.len() > 1 && is_empty(lines.first()) {
        lines.remove(0);
    }
    let lines = lines.into_iter().map(|it| match it {
        "" => "#".to_owned(),
        it => format!("# {it}"),
    });
    let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
    Some(lines.collect::<Vec<_>>().join(&format!("{break_}{indent}")))
}

/// Returns the text of a line without the star that often starts the lines of block comments.
fn without_star(line: &str) -> &str {
    let text = line.trim();
    text.strip_prefix('*').unwrap_or(text).trim()
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
}
