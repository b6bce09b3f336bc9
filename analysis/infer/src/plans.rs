//! Calls of plans and tasks: their parameters, and the result of `run_plan`, which is the return type of
//! the plan.

use super::calls::{Call, known_string};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::{RunnableKind, Template, TypeProblemKind};
use super::result_type;
use super::runnables::Runnable;
use super::templates::TemplateParameter;
use hir::autoload::{NameKey, find_item};
use hir::{ItemKind, canonical_name, signature};
use library::{KnownFunction, products};
use syntax::ast::{AstNode, Expr, HasParameters, Lambda, VariableExpr};
use types::Type;
use types::values::Value;

/// The key of the plan arguments that makes `run_plan` return the error of a plan that fails.
const CATCHES: &str = "_catch_errors";

/// The prefix of options of plans and tasks, such as `_run_as`, which are not parameters.
const OPTION: char = '_';

/// The parameters that `run_plan` sets to the targets that are passed as an argument of their own.
const TARGETS: [&str; 2] = ["nodes", "targets"];

impl InferenceContext<'_> {
    /// Checks the plan or task that a function of Bolt runs, and its parameters.
    pub(super) fn check_run(&mut self, call: &Call, expr: &Expr) {
        let kind = match call.known() {
            Some(KnownFunction::RunPlan) => RunnableKind::Plan,
            Some(KnownFunction::RunTask | KnownFunction::RunTaskWith) => RunnableKind::Task,
            _ => return,
        };
        let name = call.arguments.first().and_then(known_string);
        let name = name.filter(|_| !call.has_unknown_splat);
        let (Some(name), Some(environment)) = (name, self.environment) else {
            return;
        };
        let name = canonical_name(&name);
        match (Runnable::find(self.db, environment, kind, &name), kind) {
            (Runnable::Missing, _) => self.report_unknown_runnable(call, name, kind),
            (Runnable::Found(Some(parameters)), RunnableKind::Plan) => {
                self.check_plan(call, expr, name, &parameters);
            }
            (Runnable::Found(Some(parameters)), RunnableKind::Task) => {
                self.check_task(call, expr, name, &parameters);
            }
            (Runnable::Found(None) | Runnable::Unknown, _) => {}
        }
    }

    fn check_plan(
        &mut self,
        call: &Call,
        expr: &Expr,
        name: String,
        parameters: &[TemplateParameter],
    ) {
        let hash = Type::any_hash();
        let is_hash = |it: usize| call.arguments.get(it).map(|it| it.is_a(&hash));
        let (index, has_targets) = match (is_hash(1), is_hash(2)) {
            (None, _) => (1, false),
            (Some(Some(true)), None) => (1, false),
            (Some(Some(false)), None) | (Some(_), Some(Some(true))) => (2, true),
            (Some(None), None) if self.is_target_parameter(call, 1) => (2, true),
            _ => return,
        };
        let positional = TARGETS
            .iter()
            .find(|name| has_targets && declares(parameters, name));
        if has_targets && positional.is_none() {
            return;
        }
        // The targets are checked by Bolt's own types.
        let others = parameters
            .iter()
            .filter(|it| Some(&&*it.name) != positional);
        let others: Vec<_> = others.cloned().collect();
        self.check_run_parameters(call, expr, index, &Template::Plan(name), &others);
    }

    /// Checks whether an argument is a parameter of the plan that only accepts targets.
    fn is_target_parameter(&self, call: &Call, index: usize) -> bool {
        let node = call.ranges.get(index).and_then(|it| self.node_at(*it));
        let mut around = node.iter().flat_map(|it| it.ancestors());
        let Some(name) = around.find_map(VariableExpr::cast).and_then(|it| it.name()) else {
            return false;
        };
        let is_hidden = around.filter_map(Lambda::cast).any(|it| {
            let mut parameters = it.parameters().into_iter();
            parameters.any(|it| it.name().is_some_and(|it| it == name))
        });
        let mut parameters = signature(self.db, self.item).parameters.iter();
        let parameter = parameters.find(|it| it.name == name);
        let type_ = parameter.and_then(|it| it.type_.as_deref());
        !is_hidden && type_.is_some_and(products::is_type_of_targets)
    }

    fn check_task(
        &mut self,
        call: &Call,
        expr: &Expr,
        name: String,
        parameters: &[TemplateParameter],
    ) {
        // The block of the other function returns the parameters.
        if call.known() != Some(KnownFunction::RunTask) || call.arguments.len() < 2 {
            return;
        }
        // A description may precede the parameters.
        let last = call.arguments.len() - 1;
        let hash = Type::any_hash();
        let index = match call.arguments[last].is_a(&hash) {
            _ if last == 1 => 2,
            Some(true) => last,
            Some(false) if last == 2 => 3,
            _ => return,
        };
        self.check_run_parameters(call, expr, index, &Template::Task(name), parameters);
    }

    fn check_run_parameters(
        &mut self,
        call: &Call,
        expr: &Expr,
        index: usize,
        runnable: &Template,
        parameters: &[TemplateParameter],
    ) {
        let Some(mut passed) = self.passed_parameters(call, expr, index) else {
            return;
        };
        passed.retain(|it| !it.name.starts_with(OPTION));
        self.check_named_parameters(runnable, parameters, &passed, call.range);
    }

    fn report_unknown_runnable(&mut self, call: &Call, name: String, kind: RunnableKind) {
        let range = call.ranges.first().copied().unwrap_or(call.range);
        self.report(range, TypeProblemKind::UnknownRunnable { name, kind });
    }

    /// Infers a call of `run_plan`, if the plan is known.
    pub(super) fn plan(&self, call: &Call) -> Option<Inferred> {
        if call.known() != Some(KnownFunction::RunPlan) || call.has_unknown_splat {
            return None;
        }
        let (name, others) = call.arguments.split_first()?;
        if others.iter().any(may_catch) {
            return None;
        }
        let key = NameKey::new(self.db, canonical_name(&known_string(name)?));
        let plan = find_item(self.db, self.environment?, ItemKind::Plan, key)?;
        let is_uncertain = self.is_of_other_version(plan.file(self.db));
        (!is_uncertain).then(|| result_type(self.db, plan).clone())
    }
}

fn declares(parameters: &[TemplateParameter], name: &str) -> bool {
    parameters.iter().any(|it| it.name == name)
}

/// Checks whether plan arguments may set `_catch_errors`.
fn may_catch(argument: &Inferred) -> bool {
    if let Some(value) = &argument.value {
        return matches!(value, Value::Hash(it) if it.get_str(CATCHES).is_some());
    }
    match &argument.type_ {
        Type::Struct(it) => it.get(CATCHES).is_some(),
        // A target or a list of targets.
        Type::String(_) | Type::Enum(_) | Type::Array(_) | Type::Tuple(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::revealed_in;

    fn result(body: &str, call: &str) -> Vec<String> {
        revealed_in(&format!(
            "//- modules/m/plans/init.pp\nplan m(String $s, Hash $h) {{ notice({call}) }}\n\
             //- modules/m/plans/other.pp\nplan m::other(Integer $i = 1) {{ {body} }}"
        ))
    }

    #[test]
    fn run_plan_returns_the_result_of_the_plan() {
        for (body, call, expected) in [
            ("return($i)", "run_plan('m::other')", "Integer"),
            (
                "if $i > 1 { return('x') }",
                "run_plan('m::other')",
                "Optional['x']",
            ),
            ("5", "run_plan('m::other')", "Undef"),
            (
                "return(5)",
                "run_plan('m::other', 'localhost')",
                "Integer[5, 5]",
            ),
            (
                "return(5)",
                "run_plan('m::other', $s, { i => 2 })",
                "Integer[5, 5]",
            ),
            ("return(5)", "run_plan('m::other', $h)", "Any"),
            (
                "return(5)",
                "run_plan('m::other', _catch_errors => true)",
                "Any",
            ),
            ("return(5)", "run_plan('m::nowhere')", "Any"),
            ("return(5)", "run_plan($s)", "Any"),
            (
                "[1].each |$x| { return($x) }",
                "run_plan('m::other')",
                "Optional[Integer[1, 1]]",
            ),
        ] {
            assert_eq!(result(body, call), [expected], "{body} {call}");
        }
    }
}
