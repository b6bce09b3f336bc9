use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports code that never runs.
    ///
    /// ## What it does
    ///
    /// Checks for code after `fail`, `return`, `next` or `break` in the same block, after a
    /// conditional whose branches all end that way, and in branches whose condition never holds.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts the code without a warning, but it has no effect.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example(Boolean $flag) {
    ///   if $flag {
    ///     fail('no')
    ///     notice('never') # <-
    ///   }
    /// }
    /// # file: functions/sign.pp
    /// function example::sign(Integer $number) {
    ///   if $number < 0 {
    ///     return(-1)
    ///   } else {
    ///     return(1)
    ///   }
    ///   0 # <-
    /// }
    /// # file: manifests/debug.pp
    /// class example::debug {
    ///   $debug = false
    ///   if $debug {
    ///     notice('more') # <-
    ///   }
    ///   unless $debug {
    ///     notice('less')
    ///   } else {
    ///     notice('more') # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example(Boolean $flag) {
    ///   if $flag {
    ///     notice('first')
    ///     fail('no')
    ///   }
    /// }
    /// # file: manifests/debug.pp
    /// class example::debug {
    ///   $mode = 'quiet'
    ///   if $mode == 'quiet' {
    ///     notice('less')
    ///   } else {
    ///     fail("unknown mode ${mode}")
    ///   }
    /// }
    /// # file: functions/sign.pp
    /// function example::sign(Integer $number) {
    ///   if $number < 0 {
    ///     return(-1)
    ///   }
    ///   1
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Code after an error that another rule reports.
    /// * Branches that only call `fail`, which are meant to be unreachable.
    ///
    /// ## Fix
    ///
    /// No fix is available: the code that ends the block may be the actual mistake.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unreachable-code]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unreachable-code = "off"
    /// ```
    pub(crate) static UNREACHABLE_CODE = {
        code: "unreachable-code",
        severity: Hint,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if problem.kind == TypeProblemKind::UnreachableCode {
        checker.report_problem(&UNREACHABLE_CODE, problem, "unreachable code".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::UNREACHABLE_CODE;
    use crate::testing::reported;

    #[test]
    fn reports_code_that_never_runs() {
        let code = "class m { fail('no') notice(1) }\nfunction m::f() { return(1) 2 }";
        assert_eq!(
            reported(&UNREACHABLE_CODE, code),
            ["`notice(1)`: unreachable code", "`2`: unreachable code"]
        );
    }

    #[test]
    fn ignores_code_that_may_run() {
        let code = "class m ($x) { if $x { fail('no') } notice(1) }";
        assert_eq!(reported(&UNREACHABLE_CODE, code), [""; 0]);
    }
}
