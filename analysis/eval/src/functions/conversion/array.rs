//! `Array(…)` and `Tuple(…)`.

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::values::{IteratorValue, Value};

/// The index of the signature with the option to wrap.
const WRAPPED: usize = 1;

pub(super) fn array(evaluator: &Evaluator<'_>, which: usize, args: &[Value]) -> FlowResult {
    let from = args.first().unwrap_or(&Value::Undef);
    match from {
        Value::Array(_) => Ok(from.clone()),
        from if which == WRAPPED => Ok(Value::array(vec![from.clone()])),
        Value::Hash(entries) => Ok(Value::array(entries.to_pairs())),
        Value::Binary(bytes) => Ok(Value::array(
            bytes
                .iter()
                .map(|it| Value::Integer((*it).into()))
                .collect(),
        )),
        from => Ok(Value::array(iterated(evaluator, from)?)),
    }
}

/// Returns the elements of an iterable value.
pub(super) fn iterated(evaluator: &Evaluator<'_>, from: &Value) -> FlowResult<Vec<Value>> {
    let Some(iterator) = IteratorValue::over(from) else {
        return Err(conversion_error("the argument is not iterable"));
    };
    if iterator.breaks_off() {
        return Err(conversion_error("the root of the tree is not a container"));
    }
    if iterator.count() > evaluator.context.limits.weight {
        return Err(ControlFlow::unknown("value is too large"));
    }
    evaluator.budget.spend(iterator.count())?;
    Ok(iterator.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn arrays() {
        assert_eq!(run("Array('ab')"), "['a', 'b']");
        assert_eq!(run("Array(3)"), "[0, 1, 2]");
        assert_eq!(run("Array({ a => 1 })"), "[['a', 1]]");
        assert_eq!(run("Array({ a => 1 }, true)"), "[{'a' => 1}]");
        assert_eq!(run("Array([1], true)"), "[1]");
        assert_eq!(run("Array(1.5)"), "error");
        assert_eq!(run("Array(Integer[1, 3])"), "[1, 2, 3]");
        assert_eq!(run("Array(9000000000)"), "?");
        assert_eq!(run("Array(Binary('YQ=='))"), "[97]");
        assert_eq!(run("Tuple[Integer, String]([1, 2])"), "error");
    }
}
