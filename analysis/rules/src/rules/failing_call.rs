use infer::{TypeProblem, TypeProblemKind};
use syntax::{Severity, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::failure::Failure;
use crate::inline_templates;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports calls that fail for the given values although the types are correct.
    ///
    /// ## What it does
    ///
    /// Evaluates calls to built-in functions whose arguments are known, such as conversions of a
    /// string to a number, a version, a version range or a time. Also reports values that functions of
    /// `stdlib` reject although their types are correct, such as an index that is out of range.
    ///
    /// The format of `String($value, '%d')` and the radix of `Integer($value, 16)` are checked against the type of the value.
    ///
    /// A template that `inline_epp` refuses and that a parameter has by default is a warning.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated, with the error of the function.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $a = Integer('many') # <-
    ///   $b = SemVer('1.x') # <-
    ///   $c = SemVerRange('>=a') # <-
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $text) {
    ///   $a = Integer('12')
    ///   $b = SemVer('1.2.3')
    ///   $c = SemVerRange('>=1.0.0')
    ///   $d = Integer($text)
    ///   notice($a, $b, $c, $d)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Arguments whose values are not known.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended arguments are unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[failing-call]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// failing-call = "off"
    /// ```
    pub(crate) static FAILING_CALL = {
        code: "failing-call",
        aliases: ["call-fails"],
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_default),
        ],
    }
}

/// Reports the default of a parameter that `inline_epp` refuses.
fn check_default(checker: &mut Checker<'_>, node: &SyntaxNode) {
    if let Some((text, error)) = inline_templates::invalid_default(checker, node) {
        let message = format!("invalid EPP template: {error}");
        let range = text.source.text_range();
        checker.report_as(&FAILING_CALL, Severity::Warning, range, message);
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let (Some(Failure::Call), TypeProblemKind::EvaluationError { message, .. }) =
        (Failure::of(problem), &problem.kind)
    {
        checker.report_problem(&FAILING_CALL, problem, message.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::FAILING_CALL;
    use crate::testing::reported;

    #[test]
    fn reports_calls_that_fail_for_their_values() {
        let code = "class m { $x = [Integer('abc'), max(), versioncmp('1', '2')] }";
        assert_eq!(
            reported(&FAILING_CALL, code),
            [
                "`Integer`: `new`: cannot create `Integer` from `String`",
                "`max`: `max`: expected at least 1 argument",
            ]
        );
    }

    #[test]
    fn reports_options_that_no_value_of_the_type_accepts() {
        let parameters = "Integer $i, Float $f, String $s, Boolean $b, Array $l, Hash $h, Numeric $n, $any, \
                          Optional[Integer] $o, Variant[Integer, String] $v";
        let found = |call: &str| {
            let code = format!("class m ({parameters}) {{ $x = {call} }}");
            reported(&FAILING_CALL, &code)
        };
        for (call, expected) in [
            ("String($i, '%z')", "`%z` does not apply to `Integer`"),
            ("String($f, '%c')", "`%c` does not apply to `Float`"),
            ("String($s, '%x')", "`%x` does not apply to `String`"),
            ("String.new($b, '%z')", "`%z` does not apply to `Boolean`"),
            ("String($l, '%d')", "`%d` does not apply to `Array`"),
            ("String($h, '%d')", "`%d` does not apply to `Hash`"),
            ("String($n, '%q')", "`%q` does not apply to `Integer`"),
            ("String($o, '%z')", "`%z` does not apply to `Integer`"),
            ("String($v, '%z')", "`%z` does not apply to `Integer`"),
            ("Integer($s, 7)", "invalid radix 7: expected 2, 8, 10 or 16"),
            (
                "Integer($any, 12)",
                "invalid radix 12: expected 2, 8, 10 or 16",
            ),
            (
                "Integer[1, 5]($s, 7)",
                "invalid radix 7: expected 2, 8, 10 or 16",
            ),
        ] {
            let found = found(call);
            assert!(
                matches!(found.as_slice(), [it] if it.ends_with(expected)),
                "{call}: {found:?}"
            );
        }
        for call in [
            "String($i, '%x')",
            "String($n, '%c')",
            "String($any, '%z')",
            "String($o, '%n')",
            "String($v, '%u')",
            "String($s, \"%${i}s\")",
            "String($i, $s)",
            "String($i, { Integer => '%z' })",
            "String($h, '%a')",
            "Integer($s, 16)",
            "Integer($s, $i)",
            "Integer[1, 5]($s, 10)",
            "Integer($s)",
        ] {
            assert_eq!(found(call), [""; 0], "{call}");
        }
    }

    #[test]
    fn reports_references_in_parentheses() {
        let code = "class m ($p) { notify { 'a': require => File($p) } \
                    notify { 'b': require => [Class($p), File[$p]] } $x = String($p) }";
        assert_eq!(
            reported(&FAILING_CALL, code),
            [
                "`File`: `new`: `File` has no constructor",
                "`Class`: `new`: `Class` has no constructor",
            ]
        );
    }

    #[test]
    fn reports_values_that_functions_of_stdlib_refuse() {
        let functions = [
            "pick",
            "range",
            "delete_at",
            "parsejson",
            "clamp",
            "getparam",
            "ensure_resource",
        ];
        let stdlib = functions.map(|it| {
            format!(
                "//- modules/stdlib/lib/puppet/parser/functions/{it}.rb\nmodule Puppet::Parser::Functions\n\
                 newfunction(:{it}, type: :rvalue) do |arguments|\narguments[0]\nend\nend\n"
            )
        });
        let code = "class m ($s) { $x = [pick('', undef), pick('', 1), pick($s), range('a'), range('1..2'), \
                    range(1, 2), delete_at(['a'], 1), delete_at(['a'], 0), pick(), \
                    parsejson(5), parsejson(5, 'a'), parsejson($s), clamp(1), clamp(1, 2, '3'), clamp([1, 2, 3]), \
                    getparam('File[/a]'), getparam('File[/a]', 1), getparam('File[/a]', 'mode')] \
                    ensure_resource('file') ensure_resource('file', '/a') \
                    ensure_resource('file', ['/a', undef]) ensure_resource('file', $s) }";
        let code = format!(
            "//- modules/m/manifests/init.pp\n{code}\n{}",
            stdlib.concat()
        );
        assert_eq!(
            reported(&FAILING_CALL, &code),
            [
                "`pick`: `pick`: all arguments are `undef` or empty",
                "`range`: `range`: expected two values, or a range such as `1..9`",
                "`delete_at`: `delete_at`: index 1 is out of range: the array has 1 element",
                "`pick`: `pick`: expected at least 1 argument, found 0",
                "`parsejson`: `parsejson`: expected a string",
                "`clamp`: `clamp`: expected 3 values, found 1",
                "`getparam`: `getparam`: missing name of a parameter",
                "`getparam`: `getparam`: expected the name of a parameter",
                "`ensure_resource`: `ensure_resource`: missing title",
                "`ensure_resource`: `ensure_resource`: missing title",
            ]
        );
    }

    #[test]
    fn ignores_unknown_values_and_deliberate_failures() {
        let code = "class m (String $s) { $x = Integer($s) fail('no') }";
        assert_eq!(reported(&FAILING_CALL, code), [""; 0]);
    }
}
