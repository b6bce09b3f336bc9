use syntax::ast::{AstNode, Expr, SelectorEntry};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports options of a selector that are strings without quotes.
    ///
    /// ## What it does
    ///
    /// Checks the options of a selector for bare words, and for capitalized words that are the name of neither a data
    /// type nor a resource type. Data types, regular expressions, numbers and `default` are fine.
    ///
    /// ## Why it matters
    ///
    /// A bare word looks like the name of something, and becomes another value if it happens to be a keyword. A
    /// capitalized word is a type, which no string matches.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $message = $facts['kernel'] ? {
    ///     linux   => 'free', # <-
    ///     default => 'other',
    ///   }
    ///   notice($message)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $message = $facts['kernel'] ? {
    ///     'linux' => 'free',
    ///     default => 'other',
    ///   }
    ///   notice($message)
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: quotes a lowercase word.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unquoted-selector-option]` at the end of the line, or on a line of its own
    /// above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unquoted-selector-option = "warning"
    /// ```
    pub(crate) static UNQUOTED_SELECTOR_OPTION = {
        code: "unquoted-selector-option",
        puppet_lint: ["unquoted_string_in_selector"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::SELECTOR_ENTRY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let option = SelectorEntry::cast(node.clone()).filter(|_| checker.owns(node));
    let values: Vec<Expr> = option.map_or(Vec::new(), |it| it.matching().into_iter().collect());
    for value in values {
        checker.report_unquoted_option(&UNQUOTED_SELECTOR_OPTION, &value);
    }
}

#[cfg(test)]
mod tests {
    use super::UNQUOTED_SELECTOR_OPTION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_bare_words() {
        let code = "class m ($x) { $y = $x ? { a => 1, 'b' => 2, c_d => 3, [e, 'f'] => 4, g::h => 5, i-j => 7, default => 6 } }";
        let words = ["a", "c_d", "e", "g::h", "i-j"];
        let expected = words.map(|it| format!("`{it}`: unquoted option `{it}`"));
        assert_eq!(reported(&UNQUOTED_SELECTOR_OPTION, code), expected);
    }

    #[test]
    fn ignores_other_options() {
        let code = "class m ($x) { $y = $x ? { 'a' => b, \"c\" => 'd', 1 => e, /f/ => g, String => h, \
                    Foo::Bar => i, undef => j, true => k, $x => l, default => n } case $x { o: { } } }";
        assert_eq!(reported(&UNQUOTED_SELECTOR_OPTION, code), [""; 0]);
    }

    #[test]
    fn quotes_the_words() {
        let code = "class m ($x) { $y = $x ? { a => b, 'b' => c, d => e } }";
        assert_eq!(
            fixed(&UNQUOTED_SELECTOR_OPTION, code),
            "class m ($x) { $y = $x ? { 'a' => b, 'b' => c, 'd' => e } }"
        );
    }
}
