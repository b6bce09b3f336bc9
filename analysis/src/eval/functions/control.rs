//! Functions that steer the evaluation: jumps, and calls of blocks and of other functions.

use super::{Call, Family};
use crate::eval::expressions::Evaluator;
use crate::eval::stop::{Evaluated, Stop};
use crate::values::Value;

pub(super) const FUNCTIONS: Family = &[
    ("next", &[("Callable[Any, 0, 1]", next)]),
    ("return", &[("Callable[Any, 0, 1]", return_)]),
    ("break", &[("Callable[0, 0]", break_)]),
    ("with", &[("Callable[Any, 0, Callable]", with)]),
    ("then", &[("Callable[Any, Callable[1, 1]]", then)]),
    ("lest", &[("Callable[Any, Callable[0, 0]]", lest)]),
];

fn next(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    Err(Stop::Next(call.arg(0).clone()))
}

fn return_(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    Err(Stop::Return(call.arg(0).clone()))
}

fn break_(_: &mut Evaluator<'_>, _: &Call<'_>) -> Evaluated {
    Err(Stop::Break)
}

fn with(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    call.run_block(evaluator, call.args)
}

fn then(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    match call.arg(0) {
        Value::Undef => Ok(Value::Undef),
        value => call.run_block(evaluator, [value.clone()]),
    }
}

fn lest(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    match call.arg(0) {
        Value::Undef => call.run_block(evaluator, []),
        value => Ok(value.clone()),
    }
}
