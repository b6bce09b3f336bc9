use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::failure::Failure;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports divisions and modulo operations whose divisor is zero.
    ///
    /// ## What it does
    ///
    /// Checks the operators `/` and `%` for a divisor that is known to be 0.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the expression is evaluated: *Division by zero*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Integer $total) {
    ///   $parts = 0
    ///   $a = $total / $parts # <-
    ///   $b = $total % 0 # <-
    ///   notice($a, $b)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Integer $total, Integer $parts) {
    ///   $a = $total / 2
    ///   $b = $total % $parts
    ///   notice($a, $b)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Divisors that may be zero, but are not known to be.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended divisor is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[division-by-zero]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// division-by-zero = "off"
    /// ```
    pub(crate) static DIVISION_BY_ZERO = {
        code: "division-by-zero",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if Failure::of(problem) != Some(Failure::DivisionByZero) {
        return;
    }
    let message = match &problem.kind {
        TypeProblemKind::EvaluationError { message, .. } => message.clone(),
        _ => "division by zero".to_owned(),
    };
    checker.report_problem(&DIVISION_BY_ZERO, problem, message);
}

#[cfg(test)]
mod tests {
    use super::DIVISION_BY_ZERO;
    use crate::testing::reported;

    #[test]
    fn reports_divisors_that_are_zero() {
        let code = "class m (Integer $i) { $zero = 0 $x = [$i / $zero, 5 % 0] }";
        let found = reported(&DIVISION_BY_ZERO, code);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], "`/`: division by zero");
        assert!(found[1].starts_with("`%`: "), "{found:?}");
    }

    #[test]
    fn ignores_divisors_that_may_be_zero() {
        let code = "class m (Integer $i) { $x = [5 / $i, 5 % 2] }";
        assert_eq!(reported(&DIVISION_BY_ZERO, code), [""; 0]);
    }
}
