use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::failure::Failure;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports format strings that do not match their arguments.
    ///
    /// ## What it does
    ///
    /// Checks calls to `sprintf` and `strftime` whose format string is known.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated: the format requires more arguments than there
    /// are, or arguments of another type.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $label) {
    ///   $a = sprintf('%s has %d', $label) # <-
    ///   $b = sprintf('%d', 'many') # <-
    ///   notice($a, $b)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $label) {
    ///   $a = sprintf('%s has %d', $label, 3)
    ///   $b = sprintf('%d', '12')
    ///   notice($a, $b)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Format strings that are not known, and arguments that may match.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended format is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-format]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-format = "off"
    /// ```
    pub(crate) static INVALID_FORMAT = {
        code: "invalid-format",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let (Some(Failure::Format), TypeProblemKind::EvaluationError { message, .. }) =
        (Failure::of(problem), &problem.kind)
    {
        checker.report_problem(&INVALID_FORMAT, problem, message.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::INVALID_FORMAT;
    use crate::testing::reported;

    #[test]
    fn reports_formats_that_do_not_match_the_arguments() {
        let code = "class m (String $s) { $x = [sprintf('%d', 'a'), sprintf('%s %s', $s)] }";
        let found = reported(&INVALID_FORMAT, code);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn ignores_values_that_may_match() {
        let code = "class m (String $s, $any) { $x = [sprintf('%d', $any), sprintf($s, 1)] }";
        assert_eq!(reported(&INVALID_FORMAT, code), [""; 0]);
    }
}
