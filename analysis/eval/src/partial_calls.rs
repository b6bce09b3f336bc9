//! Calls with unknown arguments: the values and effects that do not depend on them.

use library::KnownFunction;
use types::values::Value;

use super::EvalFailure;
use super::closures::Closure;
use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::Evaluator;
use super::partial_values;
use super::unknown::{PartlyKnown, Unknown};

impl Evaluator<'_> {
    /// Calls a function with unknown arguments, of which `first` is the first.
    pub(super) fn call_partly(
        &mut self,
        name: &str,
        args: &[PartlyKnown],
        block: Option<&Closure>,
        first: Unknown,
    ) -> FlowResult {
        let function = KnownFunction::from_name(name);
        if block.is_none()
            && let Some(value) = function.and_then(|it| partial_values::call(it, args))
        {
            return value.map_err(ControlFlow::UnknownValue);
        }
        let is_each = function == Some(KnownFunction::Each);
        if is_each
            && let ([Err(list)], Some(block)) = (args, block)
            && let Some(all) = block.arity().and_then(|it| arguments_of_each(list, it))
        {
            return self.each_partly(block, all, first);
        }
        let environment = self.environment;
        match environment.call_partly(self, name, args)? {
            Some(value) if block.is_none() => value.map_err(ControlFlow::UnknownValue),
            _ => Err(EvalFailure::Unknown(first.without_known()).into()),
        }
    }

    /// Runs a block for each element of a list, of which some are unknown.
    fn each_partly(
        &mut self,
        block: &Closure,
        all: Vec<Vec<PartlyKnown>>,
        first: Unknown,
    ) -> FlowResult {
        for args in all {
            match self.run_partly(block, args) {
                Err(ControlFlow::Break) => break,
                Ok(_) | Err(ControlFlow::UnknownValue(_)) => {}
                Err(flow) => return Err(flow),
            }
        }
        Err(ControlFlow::UnknownValue(first))
    }
}

/// Returns the arguments of the block of `each` for all elements of a partly known list or hash.
fn arguments_of_each(list: &Unknown, arity: usize) -> Option<Vec<Vec<PartlyKnown>>> {
    if let Some(entries) = list.entries() {
        let entries = entries.iter().cloned();
        let pairs = entries.map(|(key, value)| vec![Ok(key), value]);
        return match arity {
            1 => Some(pairs.map(|it| vec![pair(it)]).collect()),
            2 => Some(pairs.collect()),
            _ => None,
        };
    }
    let elements = (0i64..).zip(list.elements()?.iter().cloned());
    match arity {
        1 => Some(elements.map(|it| vec![it.1]).collect()),
        2 => {
            let pairs = elements.map(|(at, element)| vec![Ok(Value::Integer(at)), element]);
            Some(pairs.collect())
        }
        _ => None,
    }
}

fn pair(values: Vec<PartlyKnown>) -> PartlyKnown {
    Unknown::known_elements(values).map(Value::array)
}
