use base::EnvironmentInput;
use base::suggest::{hint, similar};
use hir::ItemKind;
use infer::{Runnable, RunnableKind, TypeProblem, TypeProblemKind, task_names};
use salsa::Database;

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::definitions;

declare_rule! {
    /// Reports plans and tasks that do not exist.
    ///
    /// ## What it does
    ///
    /// Checks the names that are passed to `run_plan`, `run_task` and `run_task_with`, and those in the steps of plans in
    /// YAML. The plan `example::deploy` is in `plans/deploy.pp` or `plans/deploy.yaml` of the module `example`, the task
    /// `example::restart` is a file such as `tasks/restart.sh`.
    ///
    /// ## Why it matters
    ///
    /// Bolt fails when it runs the call: *Could not find a plan named …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: plans/init.pp
    /// plan example (TargetSpec $targets) {
    ///   run_task('example::restrat', $targets) # <-
    ///   run_plan('example::deploi', $targets) # <-
    /// }
    /// # file: plans/deploy.pp
    /// plan example::deploy (TargetSpec $targets) {
    ///   run_command('uptime', $targets)
    /// }
    /// # file: tasks/restart.sh
    /// #!/bin/sh
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: plans/init.pp
    /// plan example (TargetSpec $targets) {
    ///   run_task('example::restart', $targets)
    ///   run_plan('example::deploy', $targets)
    /// }
    /// # file: plans/deploy.pp
    /// plan example::deploy (TargetSpec $targets) {
    ///   run_command('uptime', $targets)
    /// }
    /// # file: tasks/restart.sh
    /// #!/bin/sh
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Modules that are not on the modulepath: Bolt ships with some.
    /// * Names that are computed.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with the most similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-plan]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-plan = "off"
    /// ```
    pub(crate) static UNKNOWN_PLAN = {
        code: "unknown-plan",
        severity: Warning,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Asset(AssetKind::YamlPlan, check_yaml),
        ],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownRunnable { name, kind } = &problem.kind else {
        return;
    };
    let near = similar_name(checker.db, checker.environment, *kind, name);
    let message = message(*kind, name, near.as_deref());
    checker.report_problem(&UNKNOWN_PLAN, problem, message);
    if let Some(near) = near {
        checker.fix_name(problem.range, name, &near);
    }
}

/// Checks the steps of a plan in YAML.
fn check_yaml(checker: &mut AssetChecker<'_>) {
    let plan = checker.yaml_plan();
    for run in plan.runs() {
        let (db, environment) = (checker.db, checker.environment);
        if Runnable::find(db, environment, run.kind, run.name) == Runnable::Missing {
            let near = similar_name(db, environment, run.kind, run.name);
            let fix = near
                .as_ref()
                .map(|it| checker.replacement(run.name_range, it.clone()));
            let message = message(run.kind, run.name, near.as_deref());
            let reported = checker.report(&UNKNOWN_PLAN, run.name_range, message);
            reported.fixes.extend(fix);
        }
    }
}

fn message(kind: RunnableKind, name: &str, near: Option<&str>) -> String {
    let kind = match kind {
        RunnableKind::Plan => "plan",
        RunnableKind::Task => "task",
    };
    format!("unknown {kind} `{name}`{}", hint(near))
}

/// Returns the plan with the most similar name, or the task of the same module.
fn similar_name(
    db: &dyn Database,
    environment: EnvironmentInput,
    kind: RunnableKind,
    name: &str,
) -> Option<String> {
    match kind {
        RunnableKind::Plan => {
            let plans = definitions(db, environment, ItemKind::Plan);
            similar(name, plans).map(str::to_owned)
        }
        RunnableKind::Task => {
            let (module, rest) = name.split_once("::")?;
            let input = environment.modules(db).get(module)?;
            let near = similar(rest, task_names(db, *input))?;
            Some(format!("{module}::{near}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_PLAN;
    use crate::testing::{fixes, reported};

    const FILES: &str = "\n//- modules/m/plans/x.pp\nplan m::x() { }\n//- modules/m/plans/y.yaml\nsteps: []\n\
                         //- modules/m/tasks/init.sh\n#\n//- modules/m/tasks/restart.json\n{}\n";

    #[test]
    fn reports_plans_and_tasks_that_do_not_exist() {
        let code = "//- modules/m/plans/init.pp\nplan m($t) { run_plan('m::xx') run_task('m::restrat', $t) }";
        let code = format!("{code}{FILES}");
        assert_eq!(
            reported(&UNKNOWN_PLAN, &code),
            [
                "`'m::xx'`: unknown plan `m::xx`; did you mean `m::x`?",
                "`'m::restrat'`: unknown task `m::restrat`; did you mean `m::restart`?"
            ]
        );
        assert_eq!(
            fixes(&UNKNOWN_PLAN, &code),
            ["Replace with `m::x`", "Replace with `m::restart`"]
        );
    }

    #[test]
    fn ignores_known_ones_and_other_modules() {
        let code = "//- modules/m/plans/init.pp\nplan m($t) { run_plan('m::x') run_plan('m::y') \
                    run_plan('reboot') run_task('m', $t) run_task('m::restart', $t) run_plan($t) }";
        assert_eq!(reported(&UNKNOWN_PLAN, &format!("{code}{FILES}")), [""; 0]);
    }
}
