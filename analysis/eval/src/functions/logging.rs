//! Log functions, and `fail`.

use super::puppet3_api::convert_arguments;
use super::{Call, Family};
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::ruby;
use types::values::Value;

pub(super) const FUNCTIONS: Family = &[
    ("alert", &[("Callable[Any, 0]", log)]),
    ("crit", &[("Callable[Any, 0]", log)]),
    ("debug", &[("Callable[Any, 0]", log)]),
    ("emerg", &[("Callable[Any, 0]", log)]),
    ("err", &[("Callable[Any, 0]", log)]),
    ("info", &[("Callable[Any, 0]", log)]),
    ("notice", &[("Callable[Any, 0]", log)]),
    ("warning", &[("Callable[Any, 0]", log)]),
    ("fail", &[("Callable[Any, 0, Optional[Callable]]", fail)]),
];

/// Log messages have no effect on the evaluation.
fn log(_: &mut Evaluator<'_>, _: &Call<'_>) -> FlowResult {
    Ok(Value::Undef)
}

fn fail(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let args = convert_arguments(evaluator, call)?;
    let texts = args.iter().map(|it| ruby::to_s(it).unwrap_or_default());
    Err(ControlFlow::runtime(
        texts.collect::<Vec<String>>().join(" "),
    ))
}
