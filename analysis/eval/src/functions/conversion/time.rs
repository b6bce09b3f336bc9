//! `Timespan(…)` and `Timestamp(…)`.

mod span_format;

pub(in crate::functions) use span_format::SpanFormat;

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use types::values::{self, HashValue, Nanos, Value};

fn beyond_bounds() -> ControlFlow {
    ControlFlow::unknown("time out of range")
}

/// Converts a number of seconds.
fn seconds(value: &Value) -> Option<FlowResult<Nanos>> {
    match value {
        Value::Integer(it) => Some(Ok(Nanos::from_seconds(*it))),
        Value::Float(it) => Some(Nanos::from_float(*it).ok_or_else(beyond_bounds)),
        _ => None,
    }
}

pub(super) fn timespan(args: &[Value]) -> FlowResult {
    let span = match args {
        [only @ (Value::Integer(_) | Value::Float(_))] => {
            seconds(only).unwrap_or_else(|| Err(beyond_bounds()))?
        }
        [Value::String(text)] => parsed_span(text, &Value::Undef)?,
        [Value::String(text), format] => parsed_span(text, format)?,
        [Value::Hash(named)] => match named.get_str("string") {
            Some(Value::String(text)) => {
                parsed_span(text, named.get_str("format").unwrap_or(&Value::Undef))?
            }
            _ => named_fields(named)?,
        },
        fields => {
            let number = |index: usize| fields.get(index).and_then(Value::as_integer);
            from_fields(number)?
        }
    };
    Ok(Value::Timespan(span))
}

fn named_fields(named: &HashValue) -> FlowResult<Nanos> {
    const NAMES: [&str; 7] = [
        "days",
        "hours",
        "minutes",
        "seconds",
        "milliseconds",
        "microseconds",
        "nanoseconds",
    ];
    let number = |index: usize| {
        let name = NAMES.get(index)?;
        named.get_str(name).and_then(Value::as_integer)
    };
    let span = from_fields(number)?;
    let negative = matches!(named.get_str("negative"), Some(Value::Boolean(true)));
    Ok(if negative {
        Nanos::new(-span.get())
    } else {
        span
    })
}

/// Sums days, hours, minutes, seconds, milliseconds, microseconds and nanoseconds. Missing fields
/// count as zero.
fn from_fields(number: impl Fn(usize) -> Option<i64>) -> FlowResult<Nanos> {
    const STEPS: [i128; 7] = [1, 24, 60, 60, 1000, 1000, 1000];
    let mut total = 0i128;
    for (index, step) in STEPS.into_iter().enumerate() {
        let field = i128::from(number(index).unwrap_or(0));
        let scaled = total.checked_mul(step);
        total = scaled
            .and_then(|it| it.checked_add(field))
            .filter(|it| it.unsigned_abs() < 1 << 120)
            .ok_or_else(beyond_bounds)?;
    }
    Ok(Nanos::new(total))
}

fn parsed_span(text: &str, format: &Value) -> FlowResult<Nanos> {
    let refused = || conversion_error(format!("invalid timespan `{}`", values::quote(text)));
    match format {
        Value::String(format) => SpanFormat::new(format)?.parse(text)?.ok_or_else(refused),
        Value::Array(formats) => {
            for format in formats.iter().filter_map(Value::as_str) {
                if let Some(span) = SpanFormat::new(format)?.parse(text)? {
                    return Ok(span);
                }
            }
            Err(refused())
        }
        _ => values::parse_timespan(text).ok_or_else(refused),
    }
}

pub(super) fn timestamp(args: &[Value]) -> FlowResult {
    let part = |named: &HashValue, name| named.get_str(name).cloned().unwrap_or(Value::Undef);
    let (text, format, zone) = match args {
        [] => return Err(ControlFlow::unknown("reads the clock")),
        [only @ (Value::Integer(_) | Value::Float(_))] => {
            let seconds = seconds(only).unwrap_or_else(|| Err(beyond_bounds()))?;
            return Ok(Value::Timestamp(seconds));
        }
        [Value::Hash(named)] => (
            part(named, "string"),
            part(named, "format"),
            part(named, "timezone"),
        ),
        args => {
            let arg = |index: usize| args.get(index).cloned().unwrap_or(Value::Undef);
            (arg(0), arg(1), arg(2))
        }
    };
    let text = text.as_str().unwrap_or_default();
    let formats: Option<Vec<&str>> = match &format {
        Value::String(format) => Some(vec![format]),
        Value::Array(formats) => Some(formats.iter().filter_map(Value::as_str).collect()),
        _ => None,
    };
    let listed = !matches!(format, Value::String(_));
    let time = values::read_timestamp(text, formats.as_deref(), listed, zone.as_str());
    let refused = || conversion_error(format!("invalid timestamp `{}`", values::quote(text)));
    match time {
        Ok(time) => time.map(Value::Timestamp).ok_or_else(refused),
        Err(_) => Err(ControlFlow::unknown("unsupported date or time zone")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn timespans() {
        assert_eq!(run("Timespan(90.5)"), "Timespan('0-00:01:30.5')");
        assert_eq!(run("Timespan(1, 2, 3, 4, 5)"), "Timespan('1-02:03:04.5')");
        assert_eq!(
            run("Timespan({ hours => 1, negative => true })"),
            "Timespan('-0-01:00:00.0')"
        );
        assert_eq!(run("Timespan('1:30', '%M:%S')"), "Timespan('0-00:01:30.0')");
        assert_eq!(
            run("Timespan('90', ['%D-%H', '%-M'])"),
            "Timespan('0-01:30:00.0')"
        );
        assert_eq!(run("Timespan('x')"), "error");
        assert_eq!(run("Timespan('1', '%q')"), "error");
        assert_eq!(run("Timespan({ weeks => 1 })"), "error");
    }

    #[test]
    fn timestamps() {
        let shown = "Timestamp('2020-01-02T03:04:05.000000000 UTC')";
        assert_eq!(run("Timestamp('2020-01-02T03:04:05')"), shown);
        assert_eq!(run("Timestamp('2020-01-02 04:04:05 CET')"), shown);
        assert_eq!(
            run("Timestamp('02.01.2020 3:04:05 am', '%d.%m.%Y %I:%M:%S %p')"),
            shown
        );
        assert_eq!(
            run("Timestamp('2020-01-02T04:04:05', '%FT%T', '+0100')"),
            shown
        );
        assert_eq!(
            run("Timestamp('2020-01-02T04:04:05 CET', '%FT%T %Z', 'CET')"),
            "error"
        );
        assert_eq!(run("Timestamp(1577934245)"), shown);
        assert_eq!(run("Timestamp('x')"), "error");
        assert_eq!(run("Timestamp()"), "?");
    }
}
