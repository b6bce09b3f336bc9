use hir::ItemKind;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::unused_bindings::unused_bindings;

declare_rule! {
    /// Reports parameters that are never read.
    ///
    /// ## What it does
    ///
    /// Checks the parameters of classes, defined types, functions, plans and lambdas.
    ///
    /// ## Why it matters
    ///
    /// Setting the parameter has no effect. Puppet accepts this without a warning. The name may be
    /// misspelled somewhere, or the parameter may be kept for compatibility, so the severity is a
    /// hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = 80,
    ///   String $user = 'root', # <-
    /// ) {
    ///   notice($port)
    /// }
    /// # file: functions/first.pp
    /// function example::first(Integer $a, Integer $b) { # <-
    ///   $a
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port = 80,
    ///   String $user = 'root',
    /// ) {
    ///   notice($port)
    ///   file { '/etc/example': owner => $user }
    /// }
    /// # file: functions/first.pp
    /// function example::first(Integer $a, Integer $_b) {
    ///   $a
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names that start with an underscore, which marks them as intentionally unused.
    /// * Parameters that another file reads by their qualified names, and those of classes that
    ///   other classes inherit from.
    /// * Code that calls `template`, `epp`, `lookup` or another function that may read any variable
    ///   in scope, such as a function in Ruby with `scope_param`.
    ///
    /// ## Fix
    ///
    /// Suggested: adds an underscore to the name, in functions and lambdas. Parameters of classes
    /// and defined types are part of their interface.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unused-parameter]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unused-parameter = "off"
    /// ```
    pub(crate) static UNUSED_PARAMETER = {
        code: "unused-parameter",
        severity: Hint,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let is_function = checker.item.kind(checker.db) == ItemKind::Function;
    for (scope, binding) in unused_bindings(checker, |it| it.parameter) {
        let message = format!("unused parameter `${}`", binding.name);
        checker.report(&UNUSED_PARAMETER, binding.range, message);
        // Callers pass parameters of classes and defined types by name, so these are not renamed.
        if scope != 0 || is_function {
            checker.mark_as_unused(binding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UNUSED_PARAMETER;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_parameters_that_are_never_read() {
        let code = "class m ($a) { [1].each |$n| { notice(1) } }";
        assert_eq!(
            reported(&UNUSED_PARAMETER, code),
            ["`$a`: unused parameter `$a`", "`$n`: unused parameter `$n`"]
        );
        assert_eq!(
            fixes(&UNUSED_PARAMETER, code),
            ["Rename to `$_n` to mark it as unused"]
        );
    }

    #[test]
    fn ignores_parameters_that_are_read() {
        let code = "class m ($a, $_b, $c = $a) { notice($c) } function m::f($x) { getvar('x') }";
        assert_eq!(reported(&UNUSED_PARAMETER, code), [""; 0]);
    }
}
