use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::failure::Failure;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arithmetic whose result does not fit in a 64-bit integer.
    ///
    /// ## What it does
    ///
    /// Checks arithmetic on integers with known values or ranges.
    ///
    /// ## Why it matters
    ///
    /// Integers in Puppet range from -9223372036854775808 to 9223372036854775807. Compilation fails
    /// when the expression is evaluated: *resulted in a value outside of Puppet Integer max range*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer[8] $exbibytes = 8,
    /// ) {
    ///   $never = 9223372036854775807
    ///   $expires = $never + 86400 # <-
    ///   $bytes = $exbibytes * 1024 * 1024 * 1024 * 1024 * 1024 * 1024 # <-
    ///   notice($expires, $bytes)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer[8] $gibibytes = 8,
    /// ) {
    ///   $never = 253402300799
    ///   $expires = $never + 86400
    ///   $bytes = $gibibytes * 1024 * 1024 * 1024
    ///   notice($expires, $bytes)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Results that may overflow, but do not always.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended calculation is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[integer-overflow]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// integer-overflow = "off"
    /// ```
    pub(crate) static INTEGER_OVERFLOW = {
        code: "integer-overflow",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if Failure::of(problem) != Some(Failure::IntegerOverflow) {
        return;
    }
    let message = match &problem.kind {
        TypeProblemKind::EvaluationError { message, .. } => message.clone(),
        _ => "integer overflow: the result does not fit in 64 bits".to_owned(),
    };
    checker.report_problem(&INTEGER_OVERFLOW, problem, message);
}

#[cfg(test)]
mod tests {
    use super::INTEGER_OVERFLOW;
    use crate::testing::reported;

    #[test]
    fn reports_results_that_exceed_64_bits() {
        let code = "class m (Integer[1] $i) { $most = 9223372036854775807 \
                    $x = [$most + 1, $most + $i] }";
        assert_eq!(
            reported(&INTEGER_OVERFLOW, code),
            [
                "`+`: integer overflow: the result of `+` does not fit in 64 bits",
                "`+`: integer overflow: the result does not fit in 64 bits",
            ]
        );
    }

    #[test]
    fn ignores_results_that_may_fit() {
        let code = "class m (Integer $i) { $x = [$i * 2, 9223372036854775806 + 1] }";
        assert_eq!(reported(&INTEGER_OVERFLOW, code), [""; 0]);
    }
}
