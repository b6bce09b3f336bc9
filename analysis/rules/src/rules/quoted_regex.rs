use library::KnownFunction as F;
use syntax::ast::{AstNode, Expr};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::compared_values::{compared, elements};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports strings that look like regular expressions with their slashes.
    ///
    /// ## What it does
    ///
    /// Checks strings such as `'/^web/'` in options of `case` and selectors, in comparisons, and as patterns of
    /// `regsubst`, `split` and `match`.
    ///
    /// ## Why it matters
    ///
    /// In quotes, the slashes are part of the text: an option is compared with them letter by letter, and a pattern
    /// looks for a slash before the start of the line. Neither ever matches, and Puppet does not warn.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $role = $facts['networking']['hostname'] ? {
    ///     '/^web/' => 'web', # <-
    ///     default  => 'other',
    ///   }
    ///   notice($role)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $role = $facts['networking']['hostname'] ? {
    ///     /^web/  => 'web',
    ///     default => 'other',
    ///   }
    ///   notice($role)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Strings that may be paths: a pattern needs `^` at its start or `$` at its end. In an option, `.*`, `\\d` and the
    ///   like are enough.
    ///
    /// ## Fix
    ///
    /// Suggested: removes the quotes, if the string contains no other slash.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[quoted-regex]` at the end of the line, or on a line of its own above it. To turn the rule
    /// off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// quoted-regex = "off"
    /// ```
    pub(crate) static QUOTED_REGEX = {
        code: "quoted-regex",
        severity: Warning,
        since: "0.3.0",
        checks: [Check::Node(
            &[
                SyntaxKind::BINARY_EXPR,
                SyntaxKind::CASE_EXPR,
                SyntaxKind::SELECTOR_EXPR,
                SyntaxKind::CALL_EXPR,
                SyntaxKind::METHOD_CALL,
            ],
            check
        )],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let is_option = matches!(
        node.kind(),
        SyntaxKind::CASE_EXPR | SyntaxKind::SELECTOR_EXPR
    );
    let values = match compared(node) {
        Some((_, values)) => values,
        None => pattern(node).into_iter().collect(),
    };
    for value in values.iter().flat_map(elements) {
        let Expr::StringLiteral(literal) = &value else {
            continue;
        };
        let text = literal.value();
        let Some(pattern) = regex_in(&text, is_option) else {
            continue;
        };
        let message = format!("`'{text}'` is a string, not a regular expression");
        let range = value.syntax().text_range();
        checker.report(&QUOTED_REGEX, range, message);
        let fix = || Fix::suggested("Remove the quotes", range, text.as_str());
        checker.fix((!pattern.contains('/')).then(fix));
    }
}

/// Returns the pattern that a call looks for.
fn pattern(node: &SyntaxNode) -> Option<Expr> {
    let (name, mut arguments) = Expr::cast(node.clone())?.named_call()?;
    let takes_pattern = matches!(
        F::from_name(name.text())?,
        F::Regsubst | F::Split | F::Match
    );
    (takes_pattern && arguments.len() > 1).then(|| arguments.swap_remove(1))
}

/// Returns the regular expression that a string contains in slashes.
fn regex_in(text: &str, is_option: bool) -> Option<&str> {
    const PARTS: [&str; 6] = [".*", ".+", "\\d", "\\w", "\\s", "(?i"];
    let pattern = text.strip_prefix('/')?.strip_suffix('/')?;
    let is_anchored = pattern.starts_with('^') || pattern.ends_with('$');
    let has_part = || is_option && PARTS.iter().any(|it| pattern.contains(it));
    (is_anchored || has_part()).then_some(pattern)
}

#[cfg(test)]
mod tests {
    use super::QUOTED_REGEX;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_strings_that_look_like_regexes() {
        for code in [
            "$x = $n ? { '/^a/' => 1, default => 2 }",
            "$x = $n ? { '/a.*/' => 1, default => 2 }",
            "case $n { 'b', '/^a/': { } default: { } }",
            "$x = $n == '/a$/'",
            "$x = $n in ['/^a/', 'b']",
            "$x = $n =~ '/^a/'",
            "$x = regsubst($n, '/^a/', 'b')",
            "$x = $n.split('/a$/')",
        ] {
            let code = format!("class m (String $n) {{ {code} }}");
            assert_eq!(reported(&QUOTED_REGEX, &code).len(), 1, "{code}");
        }
        let wrong = "class m (String $n) { $x = $n ? { '/^a/' => 1, default => 2 } notice($x) }";
        assert_eq!(fixed(&QUOTED_REGEX, wrong), wrong.replace("'/^a/'", "/^a/"));
    }

    #[test]
    fn ignores_paths_and_regexes() {
        for code in [
            "$x = $n ? { /^a/ => 1, default => 2 }",
            "case $n { '/etc/', '/': { } default: { } }",
            "$x = $n == '/etc/'",
            "$x = $n =~ '^/etc/'",
            "$x = regsubst($n, '/[^/]+/', '/')",
            "$x = regsubst($n, '/.*/', '/')",
            "notice('/^a/')",
        ] {
            let code = format!("class m (String $n) {{ {code} }}");
            assert_eq!(reported(&QUOTED_REGEX, &code), [""; 0], "{code}");
        }
    }
}
