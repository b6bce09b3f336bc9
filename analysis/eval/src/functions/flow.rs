//! Functions that control the evaluation: jumps, and calls of blocks and functions.

use super::{Call, Family};
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::{EvalError, EvalFailure, Issue};
use types::values::Value;

pub(super) const FUNCTIONS: Family = &[
    ("next", &[("Callable[Any, 0, 1]", next)]),
    ("return", &[("Callable[Any, 0, 1]", return_)]),
    ("break", &[("Callable[0, 0]", break_)]),
    ("with", &[("Callable[Any, 0, Callable]", with)]),
    ("then", &[("Callable[Any, Callable[1, 1]]", then)]),
    ("lest", &[("Callable[Any, Callable[0, 0]]", lest)]),
    (
        "call",
        &[
            ("Callable[String, Any, 1, Optional[Callable]]", call_by_name),
            ("Callable[Deferred]", call_deferred),
        ],
    ),
];

fn next(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Err(ControlFlow::Next(call.arg(0).clone()))
}

fn return_(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Err(ControlFlow::Return(call.arg(0).clone()))
}

fn break_(_: &mut Evaluator<'_>, _: &Call<'_>) -> FlowResult {
    Err(ControlFlow::Break)
}

fn with(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    call.run_block(evaluator, call.args)
}

fn then(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.arg(0) {
        Value::Undef => Ok(Value::Undef),
        value => call.run_block(evaluator, [value.clone()]),
    }
}

fn lest(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.arg(0) {
        Value::Undef => call.run_block(evaluator, []),
        value => Ok(value.clone()),
    }
}

fn call_by_name(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let name = call.arg(0).as_str().unwrap_or_default();
    let args = call.args.get(1..).unwrap_or_default().to_vec();
    let budget = evaluator.budget;
    let result = budget.recurse(|| evaluator.call_function(name, args, call.block));
    result.map_err(|flow| match flow {
        // Here, the error for an unknown function has no specific issue code.
        ControlFlow::Failure {
            failure:
                EvalFailure::Error(EvalError {
                    issue: Issue::UnknownFunction,
                    message,
                    ..
                }),
            at: None,
        } => ControlFlow::runtime(message),
        other => other,
    })
}

fn call_deferred(_: &mut Evaluator<'_>, _: &Call<'_>) -> FlowResult {
    Err(ControlFlow::unknown(
        "depends on resolving a `Deferred` value",
    ))
}
