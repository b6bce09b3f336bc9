//! Checks the names in plans in YAML: the variables that code reads, and the parameters of plans and tasks.

use base::suggest::{hint, similar};
use infer::{Runnable, RunnableKind, Template};
use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, HasParameters, Lambda, VariableExpr, variables_assigned_in};
use syntax::{Parse, Severity, SyntaxNode};

use crate::assets::AssetChecker;
use crate::rule::Rule;
use crate::templates::{severity_of, template_name};
use crate::yaml_plan::{Code, RETURN, Run};
use hiera::document::Node;

/// Reports variables in code that are neither parameters of the plan nor names of earlier steps.
pub(crate) fn check_variables(checker: &mut AssetChecker<'_>, rule: &'static Rule) {
    let plan = checker.yaml_plan();
    let parameters = plan.parameters().iter().map(|it| it.key.as_str());
    let mut known: Vec<&str> = parameters.collect();
    for step in plan.steps() {
        check_code(checker, rule, &plan.code(step), &known);
        known.extend(step.get("name").and_then(Node::string));
    }
    if let Some(value) = plan.get(RETURN) {
        check_code(checker, rule, &plan.code(value), &known);
    }
}

fn check_code(
    checker: &mut AssetChecker<'_>,
    rule: &'static Rule,
    all: &[Code<'_>],
    known: &[&str],
) {
    for code in all {
        let mut reported = FxHashSet::default();
        for name in free_variables(&code.parse()) {
            if known.contains(&name.as_str()) || !reported.insert(name.clone()) {
                continue;
            }
            let near = hint(similar(&name, known.iter().copied()));
            let message = format!("unknown variable `${name}`{near}");
            let range = code.place_of_variable(&name);
            checker.report_as(rule, Severity::Warning, range, message);
        }
    }
}

/// Returns the variables that code reads, but does not set.
fn free_variables(parse: &Parse) -> impl Iterator<Item = String> {
    let root = parse.syntax();
    let set = own_variables(&root);
    // Code with errors is reported as such.
    let reads = root.descendants().filter(|_| parse.errors().is_empty());
    let reads = reads.filter_map(VariableExpr::cast);
    let names = reads.filter_map(|it| it.name());
    let is_free = move |it: &String| !it.contains("::") && !set.contains(it) && !is_number(it);
    names.filter(is_free).collect::<Vec<_>>().into_iter()
}

/// Returns the variables of assignments and of parameters of lambdas.
fn own_variables(root: &SyntaxNode) -> FxHashSet<String> {
    let lambdas = root.descendants().filter_map(Lambda::cast);
    let parameters = lambdas.flat_map(|it| it.parameters());
    let parameters = parameters.filter_map(|it| it.name());
    variables_assigned_in(root).chain(parameters).collect()
}

/// Checks whether a name is that of a match variable.
fn is_number(name: &str) -> bool {
    name.bytes().all(|it| it.is_ascii_digit())
}

/// Reports parameters that the plan or task of a step does not have.
pub(crate) fn check_passed_parameters(checker: &mut AssetChecker<'_>, rule: &'static Rule) {
    let plan = checker.yaml_plan();
    for run in plan.runs() {
        let Runnable::Found(Some(known)) = find(checker, &run) else {
            continue;
        };
        let known: Vec<&str> = known.iter().map(|it| it.name.as_str()).collect();
        let passed = run.step.get("parameters").and_then(Node::entries);
        for entry in passed.unwrap_or_default() {
            // Options of Bolt start with `_`.
            if entry.key.starts_with('_') || known.contains(&entry.key.as_str()) {
                continue;
            }
            let near = hint(similar(&entry.key, known.iter().copied()));
            let template = run.template();
            let name = template_name(&template);
            let message = format!("no parameter `{}` on {name}{near}", entry.key);
            let severity = severity_of(&template);
            checker.report_as(rule, severity, entry.key_range, message);
        }
    }
}

/// Reports required parameters of the plan or task of a step that the step does not pass.
pub(crate) fn check_required_parameters(checker: &mut AssetChecker<'_>, rule: &'static Rule) {
    let plan = checker.yaml_plan();
    for run in plan.runs() {
        let Runnable::Found(Some(declared)) = find(checker, &run) else {
            continue;
        };
        let parameters = run.step.get("parameters");
        // Code may compute them.
        let passed = match parameters {
            Some(it) if it.entries().is_none() => continue,
            it => it.and_then(Node::entries).unwrap_or_default(),
        };
        let has_targets = run.kind == RunnableKind::Plan && run.step.get("targets").is_some();
        let is_passed = |name: &str| {
            passed.iter().any(|it| it.key == name)
                || has_targets && matches!(name, "nodes" | "targets")
        };
        let missing = declared.iter().filter(|it| !it.has_default());
        for parameter in missing.filter(|it| !is_passed(&it.name)) {
            let template = run.template();
            let (name, of) = (&parameter.name, template_name(&template));
            let message = format!("missing required parameter `{name}` of {of}");
            let severity = severity_of(&template);
            checker.report_as(rule, severity, run.name_range, message);
        }
    }
}

fn find(checker: &AssetChecker<'_>, run: &Run<'_>) -> Runnable {
    Runnable::find(checker.db, checker.environment, run.kind, run.name)
}

impl Run<'_> {
    fn template(&self) -> Template {
        match self.kind {
            RunnableKind::Plan => Template::Plan(self.name.to_owned()),
            RunnableKind::Task => Template::Task(self.name.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{MISSING_PARAMETER, UNKNOWN_PARAMETER, UNKNOWN_PLAN, UNKNOWN_VARIABLE};
    use crate::testing::{reported, reported_in_assets};

    const MODULE: &str = "//- modules/m/plans/q.pp\nplan m::q(TargetSpec $targets, Integer $count, $mode = 1) { }\n\
        //- modules/m/tasks/restart.sh\n#!/bin/sh\n\
        //- modules/m/tasks/restart.json\n{ \"parameters\": { \"service\": { \"type\": \"String\" } } }\n\
        //- modules/m/plans/p.yaml\n";

    #[test]
    fn reports_variables_that_have_no_value_yet() {
        for (plan, expected) in [
            (
                "parameters: { nodes: }\nsteps: [{ command: a, targets: $node }]",
                "`$node`: unknown variable `$node`; did you mean `nodes`?",
            ),
            (
                "steps:\n  - message: \"a ${out} b\"\n  - { name: out, command: a, targets: b }",
                "`out`: unknown variable `$out`",
            ),
            (
                "steps:\n  - eval: |\n      $x = 1\n      [$x, $y]",
                "`$y`: unknown variable `$y`",
            ),
            ("steps: []\nreturn: $out", "`$out`: unknown variable `$out`"),
        ] {
            let found = reported_in_assets(&UNKNOWN_VARIABLE, &format!("{MODULE}{plan}\n"));
            assert_eq!(found, [expected], "{plan}");
        }
        for plan in [
            "parameters: { nodes: }\nsteps:\n  - { name: out, command: 'echo $x', targets: $nodes }\n\
             \x20 - eval: $out.map |$it| { $it.value }\nreturn: $out",
            "steps:\n  - message: costs 5 $ or $x\n",
            "steps:\n  - message: $m::x\n",
        ] {
            let found = reported_in_assets(&UNKNOWN_VARIABLE, &format!("{MODULE}{plan}\n"));
            assert_eq!(found, [""; 0], "{plan}");
        }
    }

    #[test]
    fn reports_plans_tasks_and_parameters_that_do_not_exist() {
        let plan = "steps:\n  - task: m::restrat\n    targets: a\n  - plan: m::qq\n  - task: other::x\n    targets: a\n\
                    \x20 - task: m::restart\n    targets: a\n    parameters: { servce: b, _noop: true }\n\
                    \x20 - plan: m::q\n    targets: a\n    parameters: { count: 1 }\n  - plan: m::q\n";
        let text = format!("{MODULE}{plan}");
        assert_eq!(
            reported_in_assets(&UNKNOWN_PLAN, &text),
            [
                "`m::restrat`: unknown task `m::restrat`; did you mean `m::restart`?",
                "`m::qq`: unknown plan `m::qq`; did you mean `m::q`?",
            ]
        );
        assert_eq!(
            reported_in_assets(&UNKNOWN_PARAMETER, &text),
            ["`servce`: no parameter `servce` on task `m::restart`; did you mean `service`?"]
        );
        assert_eq!(
            reported_in_assets(&MISSING_PARAMETER, &text),
            [
                "`m::restart`: missing required parameter `service` of task `m::restart`",
                "`m::q`: missing required parameter `targets` of plan `m::q`",
                "`m::q`: missing required parameter `count` of plan `m::q`",
            ]
        );
    }

    #[test]
    fn plans_in_yaml_have_parameters() {
        let code = "//- modules/m/plans/y.yaml\nparameters: { count: { type: Integer }, mode: { default: 1 } }\nsteps: []\n\
                    //- modules/m/plans/init.pp\nplan m() {\n  run_plan('m::y', 'cuont' => 1)\n}\n";
        assert_eq!(
            reported(&UNKNOWN_PARAMETER, code),
            ["`'cuont'`: no parameter `cuont` on plan `m::y`; did you mean `count`?"]
        );
        assert_eq!(
            reported(&MISSING_PARAMETER, code),
            ["`run_plan`: missing required parameter `count` of plan `m::y`"]
        );
    }
}
