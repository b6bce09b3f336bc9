use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::actual;

declare_rule! {
    /// Reports options of `case` expressions and selectors that never match.
    ///
    /// ## What it does
    ///
    /// Checks each option against the values that its subject can have by its type, without those
    /// that earlier options match.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts the code without a warning, but the option has no effect.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example(Enum['present', 'absent'] $ensure) {
    ///   case $ensure {
    ///     'present': { notice('present') }
    ///     'installed': { notice('never') } # <-
    ///     default: { notice('absent') }
    ///   }
    ///   $number = $ensure ? {
    ///     /^p/      => 1,
    ///     'present' => 2, # <-
    ///     default   => 3,
    ///   }
    ///   notice($number)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example(Enum['present', 'absent'] $ensure, $other) {
    ///   case $ensure {
    ///     'present': { notice('present') }
    ///     'absent': { notice('absent') }
    ///     default: { fail("unknown value ${ensure}") }
    ///   }
    ///   $number = $other ? {
    ///     /^p/      => 1,
    ///     'present' => 2,
    ///     default   => 3,
    ///   }
    ///   notice($number)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * `default`, which is good practice even if no value is left for it.
    ///
    /// The severity is a hint if the subject comes from other classes or facts, for the option
    /// `undef`, and for values that only earlier code (`if $x == 'a' { return() }`) or the definition
    /// of a type alias excludes.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended option is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unreachable-option]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unreachable-option = "off"
    /// ```
    pub(crate) static UNREACHABLE_OPTION = {
        code: "unreachable-option",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnreachableOption { subject, guards } = &problem.kind else {
        return;
    };
    let message = if subject.is_never() {
        "unreachable: earlier options match every value".to_owned()
    } else {
        format!(
            "unreachable: no value of {} is left for this option",
            actual(subject)
        )
    };
    // Defensive code is intended, and other code may change.
    let severity = UNREACHABLE_OPTION.or_hint(*guards || problem.depends_on_external);
    checker.report_problem_as(&UNREACHABLE_OPTION, severity, problem, message);
}

#[cfg(test)]
mod tests {
    use super::UNREACHABLE_OPTION;
    use crate::testing::reported;

    #[test]
    fn reports_options_that_never_match() {
        let code = "class m (Enum['a', 'b'] $e) { $x = $e ? { 'a' => 1, 'c' => 2, 'b' => 3 } \
                    case $e { String: { } 'b': { } } }";
        assert_eq!(
            reported(&UNREACHABLE_OPTION, code),
            [
                "`'c'`: unreachable: no value of `'b'` is left for this option",
                "`'b'`: unreachable: earlier options match every value",
            ]
        );
    }

    #[test]
    fn ignores_options_that_may_match() {
        let code = "class m ($any) { case $any { 'a': { } Integer: { } default: { } } }";
        assert_eq!(reported(&UNREACHABLE_OPTION, code), [""; 0]);
    }
}
