use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::{count, counts};

declare_rule! {
    /// Reports calls with a missing block, an unexpected block, or a block with the wrong parameters.
    ///
    /// ## What it does
    ///
    /// Checks whether the function requires or accepts a block (lambda), and whether the block has
    /// as many parameters as the function passes arguments to it. In plans, calls to functions of Bolt
    /// are warnings.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated: *expects a block*, *does not expect a block*,
    /// or *block expects … arguments, got …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $a = [1, 2].map # <-
    ///   $b = upcase('a') |$x| { $x } # <-
    ///   [1, 2].each |$x, $y, $z| { notice($x, $y, $z) } # <-
    ///   $c = [1, 2].filter || { true } # <-
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $a = [1, 2].map |$x| { $x }
    ///   $b = upcase('a')
    ///   [1, 2].each |$index, $x| { notice($index, $x) }
    ///   $c = [1, 2].filter |*$all| { true }
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions that do not declare the type of their block.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended block is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[block-mismatch]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// block-mismatch = "off"
    /// ```
    pub(crate) static BLOCK_MISMATCH = {
        code: "block-mismatch",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let (function, message) = match &problem.kind {
        TypeProblemKind::MissingBlock { function } => {
            (function, format!("`{function}` expects a block"))
        }
        TypeProblemKind::UnexpectedBlock { function } => {
            (function, format!("`{function}` does not accept a block"))
        }
        TypeProblemKind::BlockArity {
            function,
            given,
            actual,
        } => {
            let given = counts(*given, "argument");
            let actual = count(*actual, "parameter");
            let message = format!("`{function}` passes {given} to its block, which has {actual}");
            (function, message)
        }
        _ => return,
    };
    let severity = checker.severity_of_call(&BLOCK_MISMATCH, function);
    checker.report_problem_as(&BLOCK_MISMATCH, severity, problem, message);
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::BLOCK_MISMATCH;
    use crate::testing::{reported, severities};

    #[test]
    fn reports_missing_and_unexpected_blocks() {
        let code = "class m { [1].each upcase('a') |$x| { } [1].map |$a, $b, $c| { $a } }";
        assert_eq!(
            reported(&BLOCK_MISMATCH, code),
            [
                "`each`: `each` expects a block",
                "`upcase`: `upcase` does not accept a block",
                "`|$a, $b, $c|`: `map` passes 1 to 2 arguments to its block, which has 3 parameters",
            ]
        );
    }

    #[test]
    fn reports_functions_of_bolt_without_a_block() {
        let code = "//- modules/m/plans/init.pp\nplan m(TargetSpec $t) { \
                    catch_errors(['a/b']) parallelize([$t]) run_task_with('m::t', $t) \
                    catch_errors() || { run_command('a', $t) } $f = background('x') || { 1 } }";
        assert_eq!(
            reported(&BLOCK_MISMATCH, code),
            [
                "`catch_errors`: `catch_errors` expects a block",
                "`parallelize`: `parallelize` expects a block",
                "`run_task_with`: `run_task_with` expects a block",
            ]
        );
        assert_eq!(severities(&BLOCK_MISMATCH, code), [Severity::Warning; 3]);
    }

    #[test]
    fn ignores_optional_blocks_and_parameters() {
        let code = "class m { with(1) |$a, $b = 2| { [$a, $b] } $x = [1].unique |$a| { $a } }";
        assert_eq!(reported(&BLOCK_MISMATCH, code), [""; 0]);
    }
}
