use infer::{TypeProblem, TypeProblemKind};

use super::redacted_sensitive;
use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports conditions that are always true or always false.
    ///
    /// ## What it does
    ///
    /// Checks the conditions of `if`, `elsif` and `unless` whose inferred type decides the result.
    /// In Puppet, only `undef` and `false` are false: empty strings, empty arrays, empty hashes and
    /// the number 0 are true.
    ///
    /// ## Why it matters
    ///
    /// One of the branches never runs. Puppet accepts the code without a warning.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example(
    ///   Hash $settings = {},
    ///   Integer $port = 80,
    /// ) {
    ///   if $settings { # <-
    ///     notice($settings)
    ///   }
    ///   if ! $port =~ String { # <-
    ///     notice('binds as (! $port) =~ String')
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example(
    ///   Hash $settings = {},
    ///   Integer $port = 80,
    /// ) {
    ///   unless $settings.empty {
    ///     notice($settings)
    ///   }
    ///   if !($port in [80, 443]) {
    ///     notice($port)
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Conditions with operands of unknown type.
    ///
    /// The severity is a hint if the condition depends on facts or on variables of other classes,
    /// if the branch that never runs only calls `fail`, and for the last `elsif` of a chain that
    /// tests every value of a variable.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended condition is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[constant-condition]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// constant-condition = "off"
    /// ```
    pub(crate) static CONSTANT_CONDITION = {
        code: "constant-condition",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::ConstantCondition { value, guards } = problem.kind else {
        return;
    };
    if has_reported_cause(checker, problem) {
        return;
    }
    let message = format!("condition is always {value}");
    // Defensive code is intended, and other code may change.
    let severity = CONSTANT_CONDITION.or_hint(guards || problem.depends_on_external);
    checker.report_problem_as(&CONSTANT_CONDITION, severity, problem, message);
}

/// Checks whether the diagnostic of a part of the condition explains why it is constant. Of a
/// condition and a part of it with the same start, the part is reported.
fn has_reported_cause(checker: &Checker<'_>, condition: &TypeProblem) -> bool {
    let problems = checker.problems();
    let is_condition =
        |it: &TypeProblem| matches!(it.kind, TypeProblemKind::ConstantCondition { .. });
    let own = problems.iter().position(|it| std::ptr::eq(it, condition));
    let is_reported = |(at, it): (usize, &TypeProblem)| !is_condition(it) || Some(at) < own;
    let mut inside = problems
        .iter()
        .enumerate()
        .filter(|(_, it)| condition.range.contains_range(it.range));
    inside.any(is_reported) || redacted_sensitive::reports_in(checker, condition.range)
}

#[cfg(test)]
mod tests {
    use super::CONSTANT_CONDITION;
    use crate::testing::reported;

    #[test]
    fn reports_conditions_with_one_outcome() {
        let code = "class m (String $s) { if $s { notice(1) } \
                    unless $s =~ Integer { notice(2) } }";
        assert_eq!(
            reported(&CONSTANT_CONDITION, code),
            [
                "`$s`: condition is always true",
                "`$s =~ Integer`: condition is always false",
            ]
        );
    }

    #[test]
    fn ignores_flags_and_conditions_whose_cause_is_reported() {
        for code in [
            "class m (Optional[String] $s) { $debug = false if $s or $debug { notice(1) } }",
            "class m (String $s) { if $s == 1 { notice(1) } }",
            "class m (Sensitive $s) { if \"${s}\" { notice(1) } }",
        ] {
            assert_eq!(reported(&CONSTANT_CONDITION, code), [""; 0], "{code}");
        }
    }
}
