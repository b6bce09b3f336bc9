use syntax::ast::{AstNode, BinaryExpr, Expr, VariableExpr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::unquoted_words::is_bare_word;

declare_rule! {
    /// Reports variables that are followed by a dash and a word, as if these belonged to the name.
    ///
    /// ## What it does
    ///
    /// Checks `"$name-word"` in strings and `$name-word` in code.
    ///
    /// ## Why it matters
    ///
    /// Names of variables cannot contain a dash. In a string, Puppet interpolates `$name` and keeps `-word`; in
    /// code, it subtracts the string `'word'`, which fails.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $user) {
    ///   notice("/run/$user-data") # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $user) {
    ///   notice("/run/${user}-data")
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Subtractions of numbers and variables, such as `$a-1`.
    ///
    /// ## Fix
    ///
    /// No fix is available: the dash may be meant as part of the name. In strings,
    /// `bare-interpolation` adds braces.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[dash-after-variable]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// dash-after-variable = "warning"
    /// ```
    pub(crate) static DASH_AFTER_VARIABLE = {
        code: "dash-after-variable",
        puppet_lint: ["variable_contains_dash"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::INTERPOLATION, SyntaxKind::BINARY_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let found = match BinaryExpr::cast(node.clone()) {
        Some(it) => subtracted_word(&it),
        None => word_after_interpolation(node),
    };
    if let Some((variable, range)) = found {
        let name = variable.trim_start_matches('$');
        let message = format!("`-` is not part of the variable name `${name}`");
        checker.report(&DASH_AFTER_VARIABLE, range, message);
    }
}

/// Returns the variable of `$name-word` in code, and the range of the whole. The variable may end the left operand, and
/// the word start the right one, as in `1 + $name-word['key']`.
fn subtracted_word(expr: &BinaryExpr) -> Option<(String, TextRange)> {
    let operator = expr
        .operator()
        .filter(|it| it.kind() == SyntaxKind::MINUS)?;
    let variable = operator
        .prev_token()?
        .parent()
        .and_then(VariableExpr::cast)?;
    let word = operator.next_token()?.parent()?;
    let is_called = word
        .parent()
        .is_some_and(|it| it.kind() == SyntaxKind::CALL_EXPR);
    if is_called || !Expr::cast(word.clone()).is_some_and(|it| is_bare_word(&it)) {
        return None;
    }
    let range = variable.syntax().text_range().cover(word.text_range());
    Some((variable.name()?, range))
}

/// Returns the variable of `"$name-word"`, and its range up to the end of the word.
fn word_after_interpolation(node: &SyntaxNode) -> Option<(String, TextRange)> {
    let variable = node
        .first_token()
        .filter(|it| it.kind() == SyntaxKind::VARIABLE)?;
    let next = node.last_token()?.next_token().filter(is_text)?;
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let word = next
        .text()
        .strip_prefix('-')
        .filter(|_| variable.text() != "$")?;
    let word = &word[..word.find(|it| !is_part(it)).unwrap_or(word.len())];
    let end = next.text_range().start() + TextSize::of('-') + TextSize::of(word);
    let range = TextRange::new(variable.text_range().start(), end);
    (!word.is_empty()).then(|| (variable.text().to_owned(), range))
}

fn is_text(token: &SyntaxToken) -> bool {
    matches!(
        token.kind(),
        SyntaxKind::STRING_TEXT | SyntaxKind::HEREDOC_TEXT
    )
}

#[cfg(test)]
mod tests {
    use super::DASH_AFTER_VARIABLE;
    use crate::testing::reported;

    #[test]
    fn reports_words_after_a_dash() {
        let code = "class m ($a) { notice(\"$a-b_1-c d\", $a-b) }";
        assert_eq!(
            reported(&DASH_AFTER_VARIABLE, code),
            ["$a-b_1", "$a-b"]
                .map(|it| format!("`{it}`: `-` is not part of the variable name `$a`"))
        );
        for text in [
            "\"x $a-1\"",
            "\"$m::a-b\"",
            "\"$a-$a-b\"",
            "$a-foo-bar",
            "$a-b['x']",
            "100+$a-b",
            "$a-b*2",
            "3*$a-b",
            "!$a-b",
            "$a-b in ['x']",
        ] {
            let code = format!("class m ($a) {{ notice({text}) }}");
            assert_eq!(reported(&DASH_AFTER_VARIABLE, &code).len(), 1, "{code}");
        }
        let heredoc = "class m ($a) { $y = @(\"A\")\n  $a-b\n  | A\n}\n";
        assert_eq!(reported(&DASH_AFTER_VARIABLE, heredoc).len(), 1);
    }

    #[test]
    fn ignores_other_dashes() {
        for text in [
            "\"${a}-b\"",
            "\"$a -b\"",
            "\"$a- b\"",
            "\"$a-\"",
            "\"$a-$a\"",
            "$a-1",
            "$a-$a",
            "$a - b",
            "'$a-b'",
            "$a-size('b')",
            "$a['x']-b",
            "($a)-b",
        ] {
            let code = format!("class m ($a) {{ notice({text}) }}");
            assert_eq!(reported(&DASH_AFTER_VARIABLE, &code), [""; 0], "{code}");
        }
    }
}
