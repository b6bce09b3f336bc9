//! The argument conversion of functions with the Puppet 3.x API. They accept any arguments and
//! receive them converted: `undef` becomes an empty string, and types that Puppet 3 lacks become
//! strings.

use super::Call;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::Type;
use types::values::{HashValue, Value, interpolated};

/// Converts the arguments as the 3.x API does.
pub(super) fn convert_arguments(
    evaluator: &Evaluator<'_>,
    call: &Call<'_>,
) -> FlowResult<Vec<Value>> {
    let items = call.args.iter().map(|it| match it {
        Value::Undef => Ok(Value::from("")),
        other => changed(evaluator, call, other),
    });
    items.collect()
}

fn changed(evaluator: &Evaluator<'_>, call: &Call<'_>, value: &Value) -> FlowResult {
    evaluator.budget.spend(1)?;
    let inner = |it: &Value| changed(evaluator, call, it);
    Ok(match value {
        Value::Array(items) => Value::array(
            items
                .iter()
                .map(inner)
                .collect::<FlowResult<Vec<Value>>>()?,
        ),
        Value::Hash(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| Ok((inner(key)?, inner(value)?)));
            Value::Hash(entries.collect::<FlowResult<HashValue>>()?)
        }
        Value::Regexp(it) => Value::from(it.to_string()),
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Timespan(_)
        | Value::Timestamp(_) => Value::from(interpolated(value).unwrap_or_default().to_string()),
        Value::Iterator(_) => return Err(call.error("iterators are not supported")),
        Value::Type(Type::CatalogEntry | Type::Class(_) | Type::Resource(_)) => {
            return Err(ControlFlow::unknown("depends on the catalog"));
        }
        other => other.clone(),
    })
}
