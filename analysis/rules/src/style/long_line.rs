use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use crate::checker::FileChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lines of more than 140 characters.
    ///
    /// ## What it does
    ///
    /// Counts the characters of each line. Lines with `://` or `template(` may be longer, because
    /// URLs and paths cannot be broken, and so may lines of templates with text, which is the output.
    ///
    /// ## Why it matters
    ///
    /// Long lines are hard to read, and do not fit side by side in a review.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $colors = ['red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet', 'white', 'gray', 'black', 'brown', 'pink', 'beige', 'turquoise'] # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $colors = [
    ///     'red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet',
    ///     'white', 'gray', 'black', 'brown', 'pink', 'beige', 'turquoise',
    ///   ]
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: there are many ways to break a line.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[long-line]` at the end of the line, or on a line of its own above it. The rule
    /// is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// long-line = "warning"
    /// ```
    pub(crate) static LONG_LINE = {
        code: "long-line",
        puppet_lint: ["140chars"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

/// The limit of the Puppet style guide.
const LIMIT: usize = 140;

fn check(checker: &mut FileChecker<'_>) {
    for (range, length) in lines_over(checker, LIMIT) {
        let message = format!("line too long ({length} > {LIMIT} characters)");
        checker.report(&LONG_LINE, range, message);
    }
}

/// Returns the lines that have more characters than the limit, with their lengths, without the text of templates, whose
/// lines are those of the output.
pub(super) fn lines_over(checker: &FileChecker<'_>, limit: usize) -> Vec<(TextRange, usize)> {
    let mut found = lines_of_text_over(checker.text, limit);
    let root = checker.root();
    if root.kind() == SyntaxKind::TEMPLATE {
        found.retain(|it| !has_text(&root, it.0));
    }
    found
}

/// Checks whether a line of a template has text outside of tags.
fn has_text(root: &SyntaxNode, line: TextRange) -> bool {
    let first = root.token_at_offset(line.start()).right_biased();
    let tokens = std::iter::successors(first, SyntaxToken::next_token);
    let mut tokens = tokens.take_while(|it| it.text_range().start() < line.end());
    tokens.any(|it| {
        let own = it.text_range().intersect(line).unwrap_or_default();
        let text = &it.text()[own - it.text_range().start()];
        it.kind() == SyntaxKind::EPP_TEXT && !text.trim().is_empty()
    })
}

fn lines_of_text_over(text: &str, limit: usize) -> Vec<(TextRange, usize)> {
    let mut found = Vec::new();
    let mut start = TextSize::new(0);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let length = content.chars().count();
        if length > limit && !content.contains("://") && !content.contains("template(") {
            found.push((TextRange::at(start, TextSize::of(content)), length));
        }
        start += TextSize::of(line);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::LONG_LINE;
    use crate::testing::reported;

    #[test]
    fn reports_lines_over_the_limit() {
        let long = format!("$a = '{}'", "ä".repeat(134));
        let found = reported(&LONG_LINE, &format!("$b = 1\n{long}\r\n"));
        let expected = format!("`{long}`: line too long (141 > 140 characters)");
        assert_eq!(found, [expected]);
    }

    #[test]
    fn ignores_addresses() {
        let code = format!("$a = 'https://{}'", "x".repeat(140));
        assert_eq!(reported(&LONG_LINE, &code), [""; 0]);
        let code = format!("$a = '{}'", "x".repeat(133));
        assert_eq!(reported(&LONG_LINE, &code), [""; 0]);
    }
}
