//! Functions that control the evaluation: jumps, calls of blocks, and log functions.

use super::{Call, Family};
use crate::expressions::Evaluator;
use crate::stop::{Evaluated, Stop};
use types::values::Value;

pub(super) const FUNCTIONS: Family = &[
    ("next", &[("Callable[Any, 0, 1]", next)]),
    ("return", &[("Callable[Any, 0, 1]", return_)]),
    ("break", &[("Callable[0, 0]", break_)]),
    ("with", &[("Callable[Any, 0, Callable]", with)]),
    ("then", &[("Callable[Any, Callable[1, 1]]", then)]),
    ("lest", &[("Callable[Any, Callable[0, 0]]", lest)]),
    ("alert", &[("Callable[Any, 0]", log)]),
    ("crit", &[("Callable[Any, 0]", log)]),
    ("debug", &[("Callable[Any, 0]", log)]),
    ("emerg", &[("Callable[Any, 0]", log)]),
    ("err", &[("Callable[Any, 0]", log)]),
    ("info", &[("Callable[Any, 0]", log)]),
    ("notice", &[("Callable[Any, 0]", log)]),
    ("warning", &[("Callable[Any, 0]", log)]),
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

/// Log messages have no effect on the evaluation.
fn log(_: &mut Evaluator<'_>, _: &Call<'_>) -> Evaluated {
    Ok(Value::Undef)
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
