use hir::ItemKind;
use library::{KnownFunction, products};
use syntax::ast::{AstNode, CallExpr, MethodCall};
use syntax::{Severity, SyntaxToken};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports functions that do not work where a plan calls them.
    ///
    /// ## What it does
    ///
    /// Checks calls in plans: functions that need a catalog, such as `include` and `realize`, outside of
    /// `apply` blocks, and functions of Bolt, such as `run_task`, inside of them.
    ///
    /// ## Why it matters
    ///
    /// A plan does not compile a catalog, except in its `apply` blocks. Puppet fails: *The catalog
    /// operation 'include' is only available when compiling a catalog*. In `apply` blocks, Bolt
    /// rejects its own functions.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: plans/init.pp
    /// plan example (TargetSpec $targets) {
    ///   include example # <-
    ///   apply($targets) {
    ///     run_command('reboot', $targets) # <-
    ///   }
    /// }
    /// # file: manifests/init.pp
    /// class example {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: plans/init.pp
    /// plan example (TargetSpec $targets) {
    ///   apply($targets) {
    ///     include example
    ///   }
    ///   run_command('reboot', $targets)
    /// }
    /// # file: manifests/init.pp
    /// class example {}
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions that a module defines under the same name.
    ///
    /// The severity is a warning in `apply` blocks.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended place is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[plan-context]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// plan-context = "off"
    /// ```
    pub(crate) static PLAN_CONTEXT = {
        code: "plan-context",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    if checker.item.kind(checker.db) != ItemKind::Plan {
        return;
    }
    let root = checker.root();
    let calls = root
        .descendants()
        .filter_map(|it| match MethodCall::cast(it.clone()) {
            Some(it) => it.name_token(),
            None => CallExpr::cast(it)?.name_token(),
        });
    for name in calls {
        check_call(checker, &name);
    }
}

fn check_call(checker: &mut Checker<'_>, token: &SyntaxToken) {
    let (name, range) = (token.text(), token.text_range());
    let name = name.trim_start_matches("::");
    let known = KnownFunction::from_name(name);
    if checker.is_applied(range) {
        if products::is_limited_to_plans(name) {
            let message = format!("function `{name}` is not available in `apply`");
            checker.report_as(&PLAN_CONTEXT, Severity::Warning, range, message);
        }
    } else if known.is_some_and(KnownFunction::needs_catalog) {
        let message = format!("function `{name}` is not available in a plan outside of `apply`");
        checker.report(&PLAN_CONTEXT, range, message);
    }
}

#[cfg(test)]
mod tests {
    use super::PLAN_CONTEXT;
    use crate::testing::reported;

    #[test]
    fn reports_functions_by_their_place() {
        let code = "//- modules/m/plans/init.pp\nplan m($t) { include m $t.tag \
                    apply($t) { include m run_plan('m') } $r = run_plan('m', facts($t)) }";
        assert_eq!(
            reported(&PLAN_CONTEXT, code),
            [
                "`include`: function `include` is not available in a plan outside of `apply`",
                "`tag`: function `tag` is not available in a plan outside of `apply`",
                "`run_plan`: function `run_plan` is not available in `apply`",
            ]
        );
    }

    #[test]
    fn ignores_other_code() {
        let code = "class m { include m::a tag('a') } function m::f() { include m::a }";
        assert_eq!(reported(&PLAN_CONTEXT, code), [""; 0]);
    }
}
