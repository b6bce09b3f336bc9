use base::suggest::similar;
use syntax::ast::{AstNode, Expr};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::fixes::text_like;
use crate::resource_attributes::{body_with_attribute, named_attribute};
use crate::rule::{Check, Rule, declare_rule};

/// The values of `ensure` with a meaning of their own.
const VALUES: [&str; 5] = ["absent", "directory", "file", "link", "present"];

/// Words that other types and tools use, and the values of `ensure` with their meaning.
const SYNONYMS: [(&str, &str); 9] = [
    ("created", "present"),
    ("deleted", "absent"),
    ("exists", "present"),
    ("folder", "directory"),
    ("installed", "present"),
    ("purged", "absent"),
    ("removed", "absent"),
    ("softlink", "link"),
    ("symlink", "link"),
];

/// The minimum length of an abbreviation.
const MIN_LENGTH: usize = 3;

declare_rule! {
    /// Reports misspelled values of `ensure` that make a file a symbolic link.
    ///
    /// ## What it does
    ///
    /// Checks whether the value of `ensure` of a `file` is similar to `present`, `directory` or another of its values,
    /// abbreviates it, or is another word for it, such as `symlink` or `installed`.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts any string: it creates a symbolic link to a path of that name.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example':
    ///     ensure => 'dir', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example':
    ///     ensure => directory,
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values with a slash or a dot, which are paths.
    /// * Words for `link`, such as `symlink`, beside `target`, which is what the link points to.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the value with the similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unintended-symlink]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unintended-symlink = "off"
    /// ```
    pub(crate) static UNINTENDED_SYMLINK = {
        code: "unintended-symlink",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_BODY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let ensure = body_with_attribute(node, "file", "ensure");
    let Some(value) = ensure.and_then(|it| it.1.value()) else {
        return;
    };
    let Some((text, near)) = misspelled(checker, &value) else {
        return;
    };
    if near == "link" && named_attribute(node, "target").is_some() {
        return;
    }
    let message = format!("`{text}` creates a symbolic link to `{text}`; did you mean `{near}`?");
    let range = value.syntax().text_range();
    checker.report(&UNINTENDED_SYMLINK, range, message);
    if !matches!(value, Expr::VariableExpr(_)) {
        let label = format!("Replace with `{near}`");
        checker.fix(Some(Fix::suggested(label, range, text_like(&value, near))));
    }
}

/// Returns the value of an expression, and the value of `ensure` that it is meant to be.
fn misspelled(checker: &Checker<'_>, expr: &Expr) -> Option<(String, &'static str)> {
    let value = checker.type_of(expr).and_then(|it| it.value.as_ref());
    let text = value.and_then(Value::as_str)?;
    let is_path = text.contains(['/', '.', '\\']);
    // Puppet takes `false` for `absent`.
    if is_path || text.len() < MIN_LENGTH || VALUES.contains(&text) || text == "false" {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let abbreviated = || VALUES.into_iter().find(|it| it.starts_with(&lower));
    let synonym = SYNONYMS.into_iter().find(|it| it.0 == lower);
    let near = synonym.map(|it| it.1).or_else(abbreviated);
    let near = near.or_else(|| similar(&lower, VALUES))?;
    Some((text.to_owned(), near))
}

#[cfg(test)]
mod tests {
    use super::UNINTENDED_SYMLINK;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_values_similar_to_those_of_ensure() {
        let code = "class m { file { '/a': ensure => 'presnt' } file { '/b': ensure => dir } \
                    file { '/c': ensure => 'Directory' } file { '/d': ensure => 'symlink' } }";
        assert_eq!(
            reported(&UNINTENDED_SYMLINK, code),
            [
                "`'presnt'`: `presnt` creates a symbolic link to `presnt`; did you mean `present`?",
                "`dir`: `dir` creates a symbolic link to `dir`; did you mean `directory`?",
                "`'Directory'`: `Directory` creates a symbolic link to `Directory`; did you mean `directory`?",
                "`'symlink'`: `symlink` creates a symbolic link to `symlink`; did you mean `link`?",
            ]
        );
        assert_eq!(
            fixes(&UNINTENDED_SYMLINK, code),
            [
                "Replace with `present`",
                "Replace with `directory`",
                "Replace with `directory`",
                "Replace with `link`"
            ]
        );
    }

    #[test]
    fn ignores_words_for_links_with_a_target() {
        let code = "class m { file { '/a': ensure => 'symlink', target => '/b' } }";
        assert_eq!(reported(&UNINTENDED_SYMLINK, code), [""; 0]);
    }

    #[test]
    fn ignores_values_and_paths() {
        for value in [
            "present",
            "'absent'",
            "false",
            "'/etc/presnt'",
            "'file.conf'",
            "'nginx'",
            "$x",
        ] {
            let code = format!("class m ($x) {{ file {{ '/a': ensure => {value} }} }}");
            assert_eq!(reported(&UNINTENDED_SYMLINK, &code), [""; 0], "{value}");
        }
    }
}
