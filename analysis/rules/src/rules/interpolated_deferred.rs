use infer::Inferred;
use syntax::SyntaxNode;
use types::Type;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::string_conversions::STRING_CONVERSIONS;

declare_rule! {
    /// Reports `Deferred` values that become part of a string.
    ///
    /// ## What it does
    ///
    /// Checks interpolations in strings, heredocs and templates, and arguments of `join`, `sprintf` and `String`, for
    /// values of the type `Deferred`.
    ///
    /// ## Why it matters
    ///
    /// The agent calls the function of a `Deferred` when it applies the catalog. The server makes the string before, and
    /// writes the call into it: *Deferred({'name' => 'unwrap', …})*. Puppet does not warn. Only whole values of
    /// attributes, and elements of arrays and hashes in them, can be deferred.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $password = Deferred('file', ['/etc/example.secret'])
    ///   file { '/etc/example':
    ///     content => "password=${password}", # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $password = Deferred('file', ['/etc/example.secret'])
    ///   file { '/etc/example':
    ///     content => Deferred('sprintf', ['password=%s', $password]),
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that may be `Deferred` or not.
    ///
    /// ## Fix
    ///
    /// No fix is available: another function has to make the string on the agent.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[interpolated-deferred]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// interpolated-deferred = "off"
    /// ```
    pub(crate) static INTERPOLATED_DEFERRED = {
        code: "interpolated-deferred",
        severity: Warning,
        since: "0.3.0",
        checks: [Check::Node(STRING_CONVERSIONS, check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    for converted in checker.converted_values(node) {
        if is_deferred(converted.value) {
            let verb = converted.verb();
            let message = format!("a `Deferred` value is not resolved when {verb}");
            checker.report(&INTERPOLATED_DEFERRED, converted.range, message);
            checker.relate_variables(node);
        }
    }
}

/// Checks whether a value is certainly `Deferred`.
fn is_deferred(value: &Inferred) -> bool {
    value.is_a(&Type::deferred()) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::INTERPOLATED_DEFERRED;
    use crate::testing::reported;

    #[test]
    fn reports_deferred_values_in_strings() {
        let code = "class m { $d = Deferred('file', ['/a']) \
                    notice(\"a ${d}\", \"$d\", \"${Deferred('file', ['/b'])}\") }";
        let message = "a `Deferred` value is not resolved when interpolated";
        let values = ["${d}", "$d", "${Deferred('file', ['/b'])}"];
        let expected = values.map(|it| format!("`{it}`: {message}"));
        assert_eq!(reported(&INTERPOLATED_DEFERRED, code), expected);
    }

    #[test]
    fn reports_deferred_values_in_calls_that_make_strings() {
        let code =
            "class m { $d = Deferred('file', ['/a']) notice(join([$d], ','), sprintf('%s', $d)) }";
        let message = "a `Deferred` value is not resolved when converted to a string";
        let expected = ["$d"; 2].map(|it| format!("`{it}`: {message}"));
        assert_eq!(reported(&INTERPOLATED_DEFERRED, code), expected);
    }

    #[test]
    fn ignores_whole_values_and_unknown_ones() {
        let code = "class m ($p, Variant[String, Deferred] $q) { $d = Deferred('file', ['/a']) \
                    file { '/a': content => $d } notice(\"${p} ${q}\", Deferred('sprintf', ['%s', $d])) }";
        assert_eq!(reported(&INTERPOLATED_DEFERRED, code), [""; 0]);
    }
}
