use std::sync::Arc;

use infer::Inferred;
use syntax::ast::{AstNode, Interpolation};
use syntax::{SyntaxNode, TextRange};
use types::Type;

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::rule::{Check, Rule, declare_rule};
use crate::string_conversions::STRING_CONVERSIONS;

declare_rule! {
    /// Reports `Sensitive` values that become part of a string.
    ///
    /// ## What it does
    ///
    /// Checks interpolations in strings, heredocs and templates, and arguments of `join`, `sprintf` and `String`, for
    /// values of the type `Sensitive`.
    ///
    /// ## Why it matters
    ///
    /// Puppet redacts the value: the string contains *Sensitive [value redacted]*, so the
    /// resulting file or command does not work. Puppet does not warn. Unwrap the value, and wrap
    /// the whole string again.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Sensitive[String] $password) {
    ///   file { '/etc/example':
    ///     content => "password=${password}", # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Sensitive[String] $password) {
    ///   file { '/etc/example':
    ///     content => Sensitive("password=${password.unwrap}"),
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that may be `Sensitive` or not.
    ///
    /// ## Fix
    ///
    /// No fix is available: only the author can decide to reveal a secret.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[redacted-sensitive]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// redacted-sensitive = "off"
    /// ```
    pub(crate) static REDACTED_SENSITIVE = {
        code: "redacted-sensitive",
        aliases: ["hidden-text"],
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(STRING_CONVERSIONS, check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    for converted in checker.converted_values(node) {
        if is_sensitive(converted.value) {
            let verb = converted.verb();
            let message = format!("a `Sensitive` value is redacted when {verb}");
            checker.report(&REDACTED_SENSITIVE, converted.range, message);
            checker.relate_variables(node);
        }
    }
}

/// Checks whether a value is certainly `Sensitive`.
fn is_redacted(checker: &Checker<'_>, interpolation: &Interpolation) -> bool {
    let value = interpolation.expr().and_then(|it| checker.type_of(&it));
    value.is_some_and(is_sensitive)
}

fn is_sensitive(value: &Inferred) -> bool {
    value.is_a(&Type::Sensitive(Arc::new(Type::Any))) == Some(true)
}

/// Checks whether the rule reports something in a range.
pub(super) fn reports_in(checker: &Checker<'_>, range: TextRange) -> bool {
    let node = node_at(&checker.root(), range);
    let inside = node.iter().flat_map(|it| it.descendants());
    let mut inside = inside.filter_map(Interpolation::cast);
    inside.any(|it| range.contains_range(it.syntax().text_range()) && is_redacted(checker, &it))
}

#[cfg(test)]
mod tests {
    use super::REDACTED_SENSITIVE;
    use crate::testing::reported;

    #[test]
    fn reports_sensitive_values_in_strings() {
        let code = "class m (Sensitive[String] $p) { notice(\"a ${p}\", \"$p\", @(END))\n\
                    ${Sensitive('b')}\n| END\n}";
        let message = "a `Sensitive` value is redacted when interpolated";
        let expected = ["${p}", "$p"].map(|it| format!("`{it}`: {message}"));
        assert_eq!(reported(&REDACTED_SENSITIVE, code), expected);
    }

    #[test]
    fn reports_sensitive_values_in_calls_that_make_strings() {
        let code = "class m (Sensitive[String] $p) { notice(join(['a', $p], ','), sprintf('%s', $p), \
                    String($p), String.new($p), sprintf('%s', $p.unwrap), join([$p.unwrap])) }";
        let message = "a `Sensitive` value is redacted when converted to a string";
        let expected = ["$p"; 4].map(|it| format!("`{it}`: {message}"));
        assert_eq!(reported(&REDACTED_SENSITIVE, code), expected);
    }

    #[test]
    fn ignores_unwrapped_and_unknown_values() {
        let code = "class m (Sensitive[String] $p, Variant[String, Sensitive] $q, $r) { \
                    notice(\"${p.unwrap} ${q} ${r}\") }";
        assert_eq!(reported(&REDACTED_SENSITIVE, code), [""; 0]);
    }
}
