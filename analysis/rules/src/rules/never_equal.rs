use infer::{TypeProblem, TypeProblemKind};
use syntax::Applicability;
use syntax::ast::{AstNode, BinaryExpr};
use types::Type;

use crate::checker::Checker;
use crate::fixes::{node_at, value_fixes};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::actual;

declare_rule! {
    /// Reports comparisons of values that can never be equal.
    ///
    /// ## What it does
    ///
    /// Checks the types and known values of both operands of `==` and `!=`. Values of different
    /// types are not equal in Puppet: the string `'1'` is not the number 1. Strings are compared
    /// without regard to case.
    ///
    /// ## Why it matters
    ///
    /// The comparison always has the same result. Puppet accepts it without a warning. For a
    /// comparison with `undef`, the severity is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example(Integer $port, Enum['a', 'b'] $label) {
    ///   if $port == '80' { # <-
    ///     notice('never')
    ///   }
    ///   if $label != 'c' { # <-
    ///     notice('always')
    ///   }
    ///   $missing = $port == undef # <-
    ///   notice($missing)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example(Integer $port, Enum['a', 'b'] $label, Optional[String] $other) {
    ///   if $port == 80 {
    ///     notice('http')
    ///   }
    ///   if $label != 'A' {
    ///     notice('b')
    ///   }
    ///   $missing = $other == undef
    ///   notice($missing)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values from outside of the code: Hiera data, facts, and functions without a declared
    ///   return type.
    ///
    /// ## Fix
    ///
    /// Suggested: adds quotes around a number or Boolean or removes them, or replaces a string with
    /// the most similar one that the other operand can have.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[never-equal]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// never-equal = "off"
    /// ```
    pub(crate) static NEVER_EQUAL = {
        code: "never-equal",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::NeverEqual { left, right } = &problem.kind else {
        return;
    };
    let message = format!("{} and {} are never equal", actual(left), actual(right));
    // A redundant check for `undef` does no harm, and other code may change.
    let guards = [left, right].contains(&&Type::Undef);
    let severity = NEVER_EQUAL.or_hint(guards || problem.depends_on_external);
    checker.report_problem_as(&NEVER_EQUAL, severity, problem, message);
    fix(checker, problem, left, right);
}

/// Offers to convert a literal to the type that it is compared with.
fn fix(checker: &mut Checker<'_>, problem: &TypeProblem, left: &Type, right: &Type) {
    let root = checker.root();
    let comparison = node_at(&root, problem.range);
    let comparison = comparison.and_then(|it| it.ancestors().find_map(BinaryExpr::cast));
    let is_it = |it: &BinaryExpr| {
        let operator = it.operator().map(|it| it.text_range());
        it.syntax().text_range() == problem.range || operator == Some(problem.range)
    };
    let Some(comparison) = comparison.filter(is_it) else {
        return;
    };
    for (side, own, other) in [
        (comparison.lhs(), left, right),
        (comparison.rhs(), right, left),
    ] {
        let range = side.map(|it| it.syntax().text_range());
        let fixes = range.map(|it| value_fixes(&root, it, other, own));
        for fix in fixes.into_iter().flatten() {
            checker.fix(Some(fix.with(Applicability::Suggested)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NEVER_EQUAL;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_comparisons_of_different_types() {
        let code = "class m (Integer $i, Enum['a', 'b'] $e) { $x = [$i == '5', $e != 'c'] }";
        assert_eq!(
            reported(&NEVER_EQUAL, code),
            [
                "`==`: `Integer` and `'5'` are never equal",
                "`!=`: `String<a,b>` and `'c'` are never equal",
            ]
        );
        assert_eq!(
            fixes(&NEVER_EQUAL, code),
            ["Remove the quotes around `5`", "Replace with `'a'`"]
        );
    }

    #[test]
    fn ignores_values_that_may_be_equal() {
        let code =
            "class m (Integer $i, Variant[Integer, String] $v) { $x = [$i == 5.0, $v == 'a'] }";
        assert_eq!(reported(&NEVER_EQUAL, code), [""; 0]);
    }
}
