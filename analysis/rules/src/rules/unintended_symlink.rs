use base::suggest::similar;
use hir::signature;
use infer::finite_strings;
use syntax::ast::{AstNode, AttributeSplat, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::{attribute_of, named_attribute, owner_type};
use crate::rule::{Check, Rule, declare_rule};

/// The values of `ensure` with a meaning of their own.
const VALUES: [&str; 5] = ["absent", "directory", FILE, "link", "present"];

/// The resource type, and a value of `ensure`.
const FILE: &str = "file";

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
        checks: [Check::Node(
            &[SyntaxKind::ATTRIBUTE, SyntaxKind::ATTRIBUTE_SPLAT],
            check
        )],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(value) = ensure_of_file(node) else {
        return;
    };
    let has_target = || {
        let attributes = node.parent();
        attributes.is_some_and(|it| named_attribute(&it, "target").is_some())
    };
    for (expr, text) in values(checker, &value) {
        let Some(near) = misspelled(&text).filter(|it| *it != "link" || !has_target()) else {
            continue;
        };
        let message =
            format!("`{text}` creates a symbolic link to `{text}`; did you mean `{near}`?");
        checker.report(&UNINTENDED_SYMLINK, expr.syntax().text_range(), message);
        checker.fix(checker.replacement(&expr, near));
    }
}

/// Returns the value of `ensure` that an attribute, or a hash of attributes, sets for files.
fn ensure_of_file(node: &SyntaxNode) -> Option<Expr> {
    if let Some(attribute) = attribute_of(node, &[FILE], &["ensure"]) {
        return attribute.value();
    }
    let splat = AttributeSplat::cast(node.clone())?;
    let Expr::HashExpr(hash) = splat.value()? else {
        return None;
    };
    let is_ensure = |it: &Expr| it.plain_text().is_some_and(|it| it == "ensure");
    let mut entries = hash.entries();
    let ensure = entries.find(|it| it.key().as_ref().is_some_and(is_ensure))?;
    let type_ = owner_type(&node.parent()?);
    ensure.value().filter(|_| type_.as_deref() == Some(FILE))
}

/// Returns the strings that an expression may evaluate to, with the expressions that they come from.
fn values(checker: &Checker<'_>, expr: &Expr) -> Vec<(Expr, String)> {
    let constants = checker.constant_strings(expr);
    if !constants.is_empty() {
        return constants;
    }
    // Users may pass each of the values that a parameter accepts. A function may return fewer than it declares.
    let parameter = match expr {
        Expr::VariableExpr(it) => it.name(),
        _ => None,
    };
    let signature = signature(checker.db, checker.item);
    let is_parameter = parameter.is_some_and(|it| signature.parameter(&it).is_some());
    let value = checker.type_of(expr).filter(|_| is_parameter);
    let strings = value.and_then(finite_strings).into_iter().flatten();
    strings.map(|it| (expr.clone(), it)).collect()
}

/// Returns the value of `ensure` that a string is meant to be.
fn misspelled(text: &str) -> Option<&'static str> {
    let is_path = text.contains(['/', '.', '\\']);
    // Puppet takes `false` for `absent`.
    if is_path || text.len() < MIN_LENGTH || VALUES.contains(&text) || text == "false" {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let abbreviated = || VALUES.into_iter().find(|it| it.starts_with(&lower));
    let synonym = SYNONYMS.into_iter().find(|it| it.0 == lower);
    let near = synonym.map(|it| it.1).or_else(abbreviated);
    near.or_else(|| similar(&lower, VALUES))
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
    fn reports_all_values_of_an_expression() {
        let parameter = "Enum['present', 'directroy'] $e";
        for code in [
            "file { '/a': ensure => $facts['x'] ? { 1 => 'directroy', default => absent } }",
            "file { '/a': * => { 'ensure' => 'directroy' } }",
            "File { ensure => 'directroy' }",
            "$d = 'directroy' file { '/a': ensure => $d }",
            "file { '/a': ensure => $e }",
        ] {
            let code = format!("class m ({parameter} = 'present') {{ {code} }}");
            let found = reported(&UNINTENDED_SYMLINK, &code);
            assert_eq!(found.len(), 1, "{code}: {found:?}");
        }
        let code = "class m { file { '/a': ensure => m::f() } }\n\
                    function m::f() >> Enum['present', 'directroy'] { lookup('a') }";
        assert_eq!(reported(&UNINTENDED_SYMLINK, code), [""; 0]);
        let code = "class m { user { 'a': * => { 'ensure' => 'presnt' } } }";
        assert_eq!(reported(&UNINTENDED_SYMLINK, code), [""; 0]);
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
