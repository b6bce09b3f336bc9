//! `strftime`: formats times as Ruby does.

use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::functions::conversion::SpanFormat;
use crate::functions::{Call, Family};
use crate::ruby;
use types::values::{self, Value};

pub(in crate::functions) const FUNCTIONS: Family = &[(
    "strftime",
    &[
        ("Callable[Timespan, String]", timespan),
        ("Callable[Timestamp, String, String, 2, 3]", timestamp),
        ("Callable[String, String, 1, 2]", now),
    ],
)];

fn timespan(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match (call.arg(0), call.arg(1)) {
        (Value::Timespan(span), Value::String(format)) => {
            SpanFormat::new(format)?.format(*span).map(Value::from)
        }
        _ => Err(call.error("expected a `Timespan` and a format")),
    }
}

fn now(_: &mut Evaluator<'_>, _: &Call<'_>) -> FlowResult {
    Err(ControlFlow::unknown("reads the clock"))
}

fn timestamp(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let (Value::Timestamp(time), Value::String(format)) = (call.arg(0), call.arg(1)) else {
        return Err(call.error("expected a `Timestamp` and a format"));
    };
    let offset = match call.arg(2).as_str().filter(|it| !it.is_empty()) {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("current") => {
            return Err(ControlFlow::unknown("depends on the time zone of the host"));
        }
        Some(name) => {
            let zone =
                values::zone(name).map_err(|_| ControlFlow::unknown("unsupported time zone"))?;
            let offset = zone.and_then(|it| it.offset);
            Some(offset.ok_or_else(|| call.error("unknown time zone"))?)
        }
    };
    // Ruby rejects offsets of a day or more, and Puppet truncates seconds.
    if offset.is_some_and(|it| it.unsigned_abs() >= 86_400 || it % 60 != 0) {
        return Err(ControlFlow::unknown("unsupported time zone"));
    }
    ruby::strftime::strftime(*time, offset, format)
        .map(Value::from)
        .map_err(ControlFlow::unknown)
}
