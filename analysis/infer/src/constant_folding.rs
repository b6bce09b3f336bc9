//! Constant folding of calls, by evaluating them.

use std::sync::Arc;

use syntax::SyntaxNode;
use syntax::ast::Expr;

use super::calls::Call;
use super::combinations::combinations;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::TypeProblemKind;
use eval::{self, ControlFlow, Environment, EvalFailure, EvalResult, Evaluator};
use types::Type;
use types::reader::TypeNames;
use types::values::Value;

/// The evaluation budget of one call.
const CALL_BUDGET: u64 = 50_000;

/// The maximum number of calls that are evaluated to cover all combinations of possible argument
/// values.
const MAX_CALLS: usize = 32;

/// The maximum size of an integer range whose values are enumerated.
const MAX_NUMBERS: u64 = 8;

impl InferenceContext<'_> {
    /// Evaluates a built-in function with constant arguments; `None` if an argument is unknown or
    /// the result depends on other state.
    #[expect(
        clippy::result_large_err,
        reason = "evaluation seldom fails, and the error is dropped at once"
    )]
    pub(super) fn fold_call(&mut self, name: &str, call: &Call, expr: &Expr) -> Option<Inferred> {
        if call.has_unknown_splat || !eval::is_evaluable(name) {
            return None;
        }
        let values: Option<Vec<Value>> = call.arguments.iter().map(|it| it.value.clone()).collect();
        let values = values?;
        let outcome = self.evaluate(|evaluator| match &call.lambda {
            Some(_) => evaluator.expr(expr),
            None => evaluator.call_by_name(name, values),
        });
        match outcome {
            Ok(value) => {
                if let Some(lambda) = &call.lambda {
                    self.check_lambda(call, name, lambda);
                }
                Some(Inferred::value(value))
            }
            Err(ControlFlow::Failure {
                failure: EvalFailure::Error(error),
                ..
            }) if call.lambda.is_none() => {
                let kind = TypeProblemKind::EvaluationError {
                    function: Some(name.to_owned()),
                    issue: error.issue,
                    message: error.message,
                };
                self.report(call.range, kind);
                Some(Inferred::UNKNOWN)
            }
            Err(_) => None,
        }
    }

    /// Evaluates a built-in function for each combination of arguments that each have few possible
    /// values. Combinations for which it fails do not contribute to the result.
    #[expect(
        clippy::result_large_err,
        reason = "evaluation seldom fails, and the error is dropped at once"
    )]
    pub(super) fn fold_finite_calls(&mut self, name: &str, call: &Call) -> Option<Inferred> {
        if call.has_unknown_splat || call.lambda.is_some() || !eval::is_evaluable(name) {
            return None;
        }
        let choices: Option<Vec<Vec<Value>>> = call.arguments.iter().map(finite_values).collect();
        let lists = combinations(&choices?, MAX_CALLS)?;
        let mut found = Vec::new();
        for list in lists {
            match self.evaluate(|evaluator| evaluator.call_by_name(name, list)) {
                Ok(value) => found.push(Inferred::value(value)),
                Err(ControlFlow::Failure {
                    failure: EvalFailure::Error(_),
                    ..
                }) => {}
                Err(_) => return None,
            }
        }
        (!found.is_empty()).then(|| Inferred::union(found))
    }

    #[expect(
        clippy::result_large_err,
        reason = "evaluation seldom fails, and the error is dropped at once"
    )]
    pub(super) fn evaluate(
        &self,
        run: impl FnOnce(&mut Evaluator<'_>) -> eval::FlowResult,
    ) -> eval::FlowResult {
        let left = self.budget.remaining();
        let granted = left.min(CALL_BUDGET);
        self.budget.refill(granted);
        let environment = FlowEnvironment(self);
        let mut evaluator = Evaluator::new(&self.eval_context, &environment, &self.budget, false);
        let outcome = run(&mut evaluator);
        let spent = granted - self.budget.remaining().min(granted);
        self.budget.refill(left - spent);
        outcome
    }
}

/// Returns the values of a type, if there are only a few.
fn finite_values(inferred: &Inferred) -> Option<Vec<Value>> {
    if let Some(value) = &inferred.value {
        return Some(vec![value.clone()]);
    }
    let mut found = Vec::new();
    for it in alternatives(&inferred.type_) {
        match &it {
            Type::Undef => found.push(Value::Undef),
            Type::Default => found.push(Value::Default),
            Type::Boolean(Some(it)) => found.push(Value::Boolean(*it)),
            Type::Boolean(None) => found.extend([Value::Boolean(false), Value::Boolean(true)]),
            Type::String(it) => found.push(Value::String(Arc::clone(it.value()?))),
            Type::Enum(it) if !it.case_insensitive() => {
                found.extend(it.values().iter().cloned().map(Value::String));
            }
            Type::Integer(it) if it.count().is_some_and(|it| it <= MAX_NUMBERS) => {
                found.extend((it.min()?..=it.max()?).map(Value::Integer));
            }
            _ => return None,
        }
        if found.len() > MAX_CALLS {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Provides the constant variables at a call to the evaluator.
struct FlowEnvironment<'a, 'db>(&'a InferenceContext<'db>);

impl Environment for FlowEnvironment<'_, '_> {
    fn variable(&self, _at: &SyntaxNode, name: &str) -> EvalResult {
        let not_known = || EvalFailure::unknown(format!("`${name}` is not constant"));
        self.0.constant_variable(name).ok_or_else(not_known)
    }

    fn types(&self) -> &dyn TypeNames {
        &self.0.types
    }
}
