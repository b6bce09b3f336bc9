use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, BinaryExpr, Expr};
use syntax::{Applicability, SyntaxKind, TextRange};
use types::Type;
use types::precise::within;

use super::{bare_word, negation_precedence};
use crate::checker::Checker;
use crate::fixes::{node_at, value_fixes};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::actual;

declare_rule! {
    /// Reports comparisons of values that can never be equal.
    ///
    /// ## What it does
    ///
    /// Checks the types and known values of both operands of `==`, `!=` and `in`. Values of
    /// different types are not equal in Puppet: the string `'1'` is not the number 1. Strings are
    /// compared without regard to case.
    ///
    /// ## Why it matters
    ///
    /// The comparison always has the same result. Puppet accepts it without a warning. For a
    /// comparison with `undef`, the severity is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Integer $port, Enum['a', 'b'] $label) {
    ///   if $port == '80' { # <-
    ///     notice('never')
    ///   }
    ///   if $label != 'c' { # <-
    ///     notice('always')
    ///   }
    ///   $missing = $port == undef # <-
    ///   $known = $port in ['80', '443'] # <-
    ///   notice($missing, $known)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Integer $port, Enum['a', 'b'] $label, Optional[String] $other) {
    ///   if $port == 80 {
    ///     notice('http')
    ///   }
    ///   if $label != 'A' {
    ///     notice('b')
    ///   }
    ///   $missing = $other == undef
    ///   $known = $port in [80, 443]
    ///   notice($missing, $known)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values from outside of the code: Hiera data, custom facts, and functions without a declared
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
    let comparison = comparison_at(checker, problem.range);
    let range = comparison.as_ref().map(|it| it.syntax().text_range());
    let has_cause =
        |it| negation_precedence::reports_at(checker, it) || bare_word::reports_in(checker, it);
    if range.is_some_and(has_cause) {
        return;
    }
    let (left, right) = match &problem.kind {
        TypeProblemKind::NeverEqual { left, right } => (left, right),
        TypeProblemKind::NeverIn { value, container } => {
            let subject = comparison.as_ref().and_then(BinaryExpr::lhs);
            let is_certain = has_no_parts(container)
                || subject.is_some_and(|it| are_of_another_kind(checker, &it, container));
            let literal = comparison.and_then(|it| literal_text(&it.rhs()?));
            let container = literal.unwrap_or_else(|| actual(container));
            let message = format!("{} is never in {container}", actual(value));
            let severity = NEVER_EQUAL.or_hint(problem.depends_on_external && !is_certain);
            return checker.report_problem_as(&NEVER_EQUAL, severity, problem, message);
        }
        _ => return,
    };
    let message = format!("{} and {} are never equal", actual(left), actual(right));
    // A redundant check for `undef` does no harm, and other code may change.
    let guards = is_guard(left) || is_guard(right);
    let is_certain = comparison.is_some_and(|it| {
        let of_left = it
            .lhs()
            .is_some_and(|it| checker.is_of_another_kind(&it, right));
        of_left
            || it
                .rhs()
                .is_some_and(|it| checker.is_of_another_kind(&it, left))
    });
    let comparison = comparison_at(checker, problem.range);
    let is_opposed = comparison.is_some_and(|it| is_opposed(&it));
    let is_external = problem.depends_on_external && !is_certain && !is_opposed;
    let severity = NEVER_EQUAL.or_hint(guards || is_external);
    checker.report_problem_as(&NEVER_EQUAL, severity, problem, message);
    fix(checker, problem, left, right);
}

/// Checks whether a type is that of `undef`, or of a value that a condition found to be false or missing.
fn is_guard(type_: &Type) -> bool {
    let missing = Type::optional(Type::Boolean(Some(false)));
    !matches!(type_, Type::Boolean(_)) && within(type_, &missing)
}

/// Checks whether no value is in those of a type, because they are neither collections nor strings.
fn has_no_parts(type_: &Type) -> bool {
    matches!(
        type_,
        Type::Integer(_) | Type::Float(_) | Type::Boolean(_) | Type::Undef
    )
}

/// Checks whether a comparison excludes the one before it, as in `$x != 'a' or $x != 'b'`: then the value does not matter.
fn is_opposed(comparison: &BinaryExpr) -> bool {
    use SyntaxKind::{AND_KW, EQ_EQ, NOT_EQ, OR_KW};
    let kind = |it: &BinaryExpr| it.operator().map(|it| it.kind());
    let around = comparison.syntax().parent().and_then(BinaryExpr::cast);
    let Some(around) = around.filter(|it| {
        it.rhs()
            .is_some_and(|it| it.syntax() == comparison.syntax())
    }) else {
        return false;
    };
    let Some(Expr::BinaryExpr(before)) = around.lhs() else {
        return false;
    };
    let is_pair = matches!(
        (kind(&before), kind(&around), kind(comparison)),
        (Some(EQ_EQ), Some(AND_KW), Some(EQ_EQ)) | (Some(NOT_EQ), Some(OR_KW), Some(NOT_EQ))
    );
    let text = |it: Option<Expr>| it.map(|it| it.syntax().text().to_string());
    is_pair
        && text(before.lhs()) == text(comparison.lhs())
        && before.rhs().is_some_and(|it| it.plain_text().is_some())
        && comparison.rhs().is_some_and(|it| it.plain_text().is_some())
}

/// Checks whether no element of an array is of the same kind as a value.
fn are_of_another_kind(checker: &Checker<'_>, value: &Expr, container: &Type) -> bool {
    let differs = |it: &Type| checker.is_of_another_kind(value, it);
    match container {
        Type::Array(it) => differs(it.element()),
        Type::Tuple(it) => it.types().iter().all(differs),
        _ => false,
    }
}

/// Returns the comparison at a range, or with its operator there.
fn comparison_at(checker: &Checker<'_>, range: TextRange) -> Option<BinaryExpr> {
    let node = node_at(&checker.root(), range)?;
    let comparison = node.ancestors().find_map(BinaryExpr::cast)?;
    let operator = comparison.operator().map(|it| it.text_range());
    let is_it = comparison.syntax().text_range() == range || operator == Some(range);
    is_it.then_some(comparison)
}

/// Returns the source of a short array or hash literal.
fn literal_text(container: &Expr) -> Option<String> {
    const MAX_LENGTH: usize = 60;
    let text = container.syntax().text().to_string();
    let is_literal = matches!(container, Expr::ArrayExpr(_) | Expr::HashExpr(_));
    let is_short = text.chars().count() <= MAX_LENGTH && !text.contains('\n');
    (is_literal && is_short).then(|| format!("`{text}`"))
}

/// Offers to convert a literal to the type that it is compared with.
fn fix(checker: &mut Checker<'_>, problem: &TypeProblem, left: &Type, right: &Type) {
    let root = checker.root();
    let Some(comparison) = comparison_at(checker, problem.range) else {
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
    use syntax::Severity;

    use super::NEVER_EQUAL;
    use crate::testing::{fixes, reported, severities};

    #[test]
    fn reports_comparisons_of_different_types() {
        let code = "class m (Integer $i, Enum['on', 'off'] $e) { $x = [$i == '5', $e != 'offf'] }";
        assert_eq!(
            reported(&NEVER_EQUAL, code),
            [
                "`==`: `Integer` and `'5'` are never equal",
                "`!=`: `Enum['off', 'on']` and `'offf'` are never equal",
            ]
        );
        assert_eq!(
            fixes(&NEVER_EQUAL, code),
            ["Remove the quotes around `5`", "Replace with `'off'`"]
        );
    }

    #[test]
    fn reports_constants_of_different_types() {
        let code = "class m { $n = 5 if $n == '5' { notice($n) } $x = [$n == 6, $n == undef, true != 'true'] }";
        assert_eq!(
            reported(&NEVER_EQUAL, code),
            [
                "`==`: `5` and `'5'` are never equal",
                "`!=`: `true` and `'true'` are never equal",
            ]
        );
    }

    #[test]
    fn reports_values_that_are_in_no_container() {
        let code = "class m (Integer $i, Array[Integer] $l, String $s) { \
                    $x = [$i in ['5'], 'a' in $l, $s in 5] }";
        assert_eq!(
            reported(&NEVER_EQUAL, code),
            [
                "`in`: `Integer` is never in `['5']`",
                "`in`: `'a'` is never in `Array[Integer]`",
                "`in`: `String` is never in `5`",
            ]
        );
    }

    #[test]
    fn values_of_facts_do_not_matter_if_no_value_fits() {
        let code = "class m ($x = $facts['kernel']) { if $x != 'present' or $x != 'absent' { notice(1) } \
                    if $x == 'present' and $x == 'absent' { notice(1) } if $x in 5 { notice(1) } }";
        assert_eq!(severities(&NEVER_EQUAL, code), [Severity::Warning; 3]);
    }

    #[test]
    fn parts_of_structured_facts_are_no_strings() {
        let code = "class m { if $facts['os'] == 'Debian' { notice(1) } \
                    if $facts['os']['release'] in ['11', '12'] { notice(1) } }";
        assert_eq!(severities(&NEVER_EQUAL, code), [Severity::Warning; 2]);
    }

    #[test]
    fn ignores_values_that_may_be_equal() {
        let code = "class m (Integer $i, Variant[Integer, String] $v) { $x = [$i == 5.0, $v == 'a', $i in [5.0], $v in ['5'], 'A' in ['a'], 'b' in [/b/], \
             'c' in [String], Integer in [$i], 'd' in $v] }";
        assert_eq!(reported(&NEVER_EQUAL, code), [""; 0]);
    }
}
