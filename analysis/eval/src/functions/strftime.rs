//! `strftime`: times as text, as Ruby writes them.

use super::new::SpanFormat;
use super::{Call, Family};
use crate::expressions::Evaluator;
use crate::ruby;
use crate::stop::{Evaluated, Stop};
use types::values::{self, Value};

pub(super) const FUNCTIONS: Family = &[(
    "strftime",
    &[
        ("Callable[Timespan, String]", timespan),
        ("Callable[Timestamp, String, String, 2, 3]", timestamp),
        ("Callable[String, String, 1, 2]", now),
    ],
)];

fn timespan(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    match (call.arg(0), call.arg(1)) {
        (Value::Timespan(span), Value::String(format)) => {
            SpanFormat::new(format)?.format(*span).map(Value::from)
        }
        _ => Err(call.error("a Timespan and a format are needed")),
    }
}

fn now(_: &mut Evaluator<'_>, _: &Call<'_>) -> Evaluated {
    Err(Stop::unknown("it reads the clock"))
}

fn timestamp(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let (Value::Timestamp(time), Value::String(format)) = (call.arg(0), call.arg(1)) else {
        return Err(call.error("a Timestamp and a format are needed"));
    };
    let offset = match call.arg(2).as_str().filter(|it| !it.is_empty()) {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("current") => {
            return Err(Stop::unknown("the time zone of the host"));
        }
        Some(name) => {
            let zone = values::zone(name).map_err(|_| Stop::unknown("a time zone"))?;
            let offset = zone.and_then(|it| it.offset);
            Some(offset.ok_or_else(|| call.error("there is no such time zone"))?)
        }
    };
    // Ruby refuses a whole day, and Puppet drops the seconds.
    if offset.is_some_and(|it| it.unsigned_abs() >= 86_400 || it % 60 != 0) {
        return Err(Stop::unknown("an unusual time zone"));
    }
    ruby::strftime::strftime(*time, offset, format)
        .map(Value::from)
        .map_err(Stop::unknown)
}
