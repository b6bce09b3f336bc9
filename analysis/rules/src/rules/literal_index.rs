use syntax::ast::{AstNode, Expr, Interpolation};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange, TextSize};
use types::Type;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arrays and hashes in a string whose index is outside of the interpolation.
    ///
    /// ## What it does
    ///
    /// Checks variables in strings, heredocs and templates, such as `$facts` and `${facts}`, that hold an array or a
    /// hash, and are followed by text such as `['os']` or `[0]`.
    ///
    /// ## Why it matters
    ///
    /// Without braces around all of it, only the variable is interpolated: the string contains the whole hash,
    /// followed by `['os']`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice("runs on $facts['os']['name']") # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice("runs on ${facts['os']['name']}")
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Variables that may hold a string: text in brackets may be meant to follow it.
    ///
    /// ## Fix
    ///
    /// Suggested: puts braces around the variable and its indexes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[literal-index]` at the end of the line, or on a line of its own above it. To turn the
    /// rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// literal-index = "off"
    /// ```
    pub(crate) static LITERAL_INDEX = {
        code: "literal-index",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::Node(&[SyntaxKind::INTERPOLATION], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((name, text)) = unbraced(node) else {
        return;
    };
    let keys = keys(&text);
    if keys.is_empty() {
        return;
    }
    let value = Interpolation::cast(node.clone()).and_then(|it| it.expr());
    let value = value.and_then(|it| checker.type_of(&it));
    let collection = Type::variant([Type::any_array(), Type::any_hash()]);
    let is_collection = value.is_some_and(|it| it.is_a(&collection) == Some(true));
    if !is_collection {
        return;
    }
    let written: String = keys.iter().map(|it| format!("[{it}]")).collect();
    let start = node.text_range().start();
    let len = TextSize::try_from(written.len()).unwrap_or_default();
    let range = TextRange::new(start, node.text_range().end() + len);
    let message = format!("`{written}` is literal text after `${name}`: missing braces");
    checker.report(&LITERAL_INDEX, range, message);
    let keys: String = keys.iter().map(|it| format!("[{}]", quoted(it))).collect();
    let text = format!("${{{name}{keys}}}");
    let fix = Fix::suggested(format!("Replace with `{text}`"), range, text);
    checker.fix(Some(fix));
}

/// Returns the name of an interpolated variable and the text after it.
fn unbraced(node: &SyntaxNode) -> Option<(String, String)> {
    let Some(Expr::VariableExpr(variable)) = Interpolation::cast(node.clone())?.expr() else {
        return None;
    };
    let text = node.next_sibling_or_token()?.into_token()?;
    let is_text = matches!(
        text.kind(),
        SyntaxKind::STRING_TEXT | SyntaxKind::HEREDOC_TEXT
    );
    is_text.then_some((variable.name()?, text.text().to_owned()))
}

/// Returns the keys at the start of a string: `'os'` and `0` in `['os'][0]: …`.
fn keys(mut text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while let Some((key, rest)) = text.strip_prefix('[').and_then(|it| it.split_once(']')) {
        if !is_key(key) {
            break;
        }
        all.push(key);
        text = rest;
    }
    all
}

/// Checks for a string in single quotes, an integer or a word.
fn is_key(text: &str) -> bool {
    let string = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    match string {
        Some(it) => !it.is_empty() && !it.contains(['\'', '\\', '\n']),
        None => is_word(text) || text.parse::<i32>().is_ok(),
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_lowercase())
        && text
            .chars()
            .all(|it| it == '_' || it.is_ascii_lowercase() || it.is_ascii_digit())
}

fn quoted(key: &str) -> String {
    match is_word(key) {
        true => format!("'{key}'"),
        false => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::LITERAL_INDEX;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_indexes_outside_of_interpolations() {
        let code = "class m (Array[String] $l) {\n notify { \"a $facts['os']['family'] b\": }\n \
                    notice(\"${facts}[os]\", \"$l[0]\", @(\"END\"))\n $l[-1]\n | END\n}";
        assert_eq!(
            reported(&LITERAL_INDEX, code),
            [
                "`$facts['os']['family']`: `['os']['family']` is literal text after `$facts`: missing braces",
                "`${facts}[os]`: `[os]` is literal text after `$facts`: missing braces",
                "`$l[0]`: `[0]` is literal text after `$l`: missing braces",
                "`$l[-1]`: `[-1]` is literal text after `$l`: missing braces",
            ]
        );
    }

    #[test]
    fn ignores_text_after_strings_and_unknown_values() {
        let code = "class m (String $s, $x, Variant[String, Array] $v, Hash $h) {\n \
                    notice(\"$s[0] $x['a'] $v[1] ${h['a']}[0] $h [a] $h[ x ] $h\\[a]\")\n}";
        assert_eq!(reported(&LITERAL_INDEX, code), [""; 0]);
    }

    #[test]
    fn puts_braces_around_the_indexes() {
        let code = "class m { notice(\"a $facts[os]['name']!\") }";
        assert_eq!(
            fixed(&LITERAL_INDEX, code),
            "class m { notice(\"a ${facts['os']['name']}!\") }"
        );
    }
}
