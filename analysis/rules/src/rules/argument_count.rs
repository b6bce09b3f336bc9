use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::counts;

declare_rule! {
    /// Reports calls with too few or too many arguments.
    ///
    /// ## What it does
    ///
    /// Checks the number of arguments in calls to functions that are built into Puppet, written in
    /// the Puppet language, or written in Ruby with declared parameters. In plans, it also checks
    /// calls to functions of Bolt, where the severity is a warning.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated: *expects … arguments, got …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $a = upcase() # <-
    ///   $b = example::double(1, 2) # <-
    ///   $c = 'x'.regsubst('a') # <-
    ///   notice($a, $b, $c)
    /// }
    /// # file: functions/double.pp
    /// function example::double(Integer $number) {
    ///   $number * 2
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $arguments = [1]
    ///   $a = upcase('a')
    ///   $b = example::double(*$arguments)
    ///   $c = 'x'.regsubst('a', 'b')
    ///   notice($a, $b, $c)
    /// }
    /// # file: functions/double.pp
    /// function example::double(Integer $number) {
    ///   $number * 2
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Calls that splat an array of unknown length (`*$arguments`).
    /// * Functions of the legacy API (`Puppet::Parser::Functions`), which check their arguments
    ///   themselves.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended arguments are unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[argument-count]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// argument-count = "off"
    /// ```
    pub(crate) static ARGUMENT_COUNT = {
        code: "argument-count",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::ArgumentCount {
        function,
        wanted,
        actual,
    } = &problem.kind
    else {
        return;
    };
    let wanted = counts(*wanted, "argument");
    let message = format!("`{function}` expects {wanted}, found {actual}");
    let severity = checker.severity_of_call(&ARGUMENT_COUNT, function);
    checker.report_problem_as(&ARGUMENT_COUNT, severity, problem, message);
}

#[cfg(test)]
mod tests {
    use super::ARGUMENT_COUNT;
    use crate::testing::reported;

    const FIRST: &str = "//- modules/m/manifests/init.pp\n";

    #[test]
    fn reports_too_few_and_too_many_arguments() {
        let code = "class m { notice(join()) m::d(1, 2) }\n\
                    //- modules/m/functions/d.pp\nfunction m::d($a) { $a }";
        assert_eq!(
            reported(&ARGUMENT_COUNT, &format!("{FIRST}{code}")),
            [
                "`join`: `join` expects 1 to 2 arguments, found 0",
                "`m::d`: `m::d` expects 1 argument, found 2",
            ]
        );
    }

    #[test]
    fn checks_functions_of_bolt_in_plans() {
        let code = "//- modules/m/plans/init.pp\nplan m(TargetSpec $nodes, Array $all) {\n\
                    run_command('ls') upload_file('/a', $nodes) fail_plan() $nodes.get_target\n\
                    run_command('ls', $nodes, '_run_as' => 'root') run_plan('m::a', *$all) }";
        assert_eq!(
            reported(&ARGUMENT_COUNT, code),
            [
                "`run_command`: `run_command` expects 2 to 4 arguments, found 1",
                "`upload_file`: `upload_file` expects 3 to 5 arguments, found 2",
                "`fail_plan`: `fail_plan` expects 1 to 4 arguments, found 0",
            ]
        );
    }

    #[test]
    fn ignores_splats_and_optional_parameters() {
        let code = "class m (Array $all) { notice(join(*$all), m::d(), m::d(1, 2, 3)) }\n\
                    //- modules/m/functions/d.pp\nfunction m::d($a = 1, *$b) { [$a, $b] }";
        let found = reported(&ARGUMENT_COUNT, &format!("{FIRST}{code}"));
        assert_eq!(found, [""; 0]);
    }
}
