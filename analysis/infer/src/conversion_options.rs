//! The format of `String($value, '%d')` and the radix of `Integer($value, 16)`, which Puppet refuses for all values of a
//! type.

use eval::{ControlFlow, EvalError, EvalFailure};
use library::KnownFunction;
use types::values::Value;
use types::{Type, generalize};

use super::calls::Call;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::TypeProblemKind;

impl InferenceContext<'_> {
    /// Checks the second argument of a conversion whose value is unknown, and returns whether the call may succeed.
    pub(super) fn check_conversion(&mut self, call: &Call) -> bool {
        let ([target, value, option], Some(range)) =
            (call.arguments.as_slice(), call.ranges.last().copied())
        else {
            return true;
        };
        let (Some(Value::Type(target)), Some(given)) = (&target.value, &option.value) else {
            return true;
        };
        if call.has_unknown_splat || value.value.is_some() || value.is_never() {
            return true;
        }
        let samples = match (target, given) {
            (Type::String(_), Value::String(_)) => samples(value),
            // Puppet checks the radix first.
            (Type::Integer(_), Value::Integer(_)) => Some(vec![Value::from("0")]),
            _ => None,
        };
        let target = Value::Type(generalize(target));
        let samples = samples.unwrap_or_default().into_iter();
        let failures: Option<Vec<EvalError>> = samples
            .map(|it| self.refused_conversion(vec![target.clone(), it, given.clone()]))
            .collect();
        // The first type is that of the message: `undef` comes last.
        let Some(error) = failures.unwrap_or_default().into_iter().next() else {
            return true;
        };
        let kind = TypeProblemKind::EvaluationError {
            function: Some(call.name.clone()),
            issue: error.issue,
            message: error.message,
        };
        self.report(range, kind);
        false
    }

    /// Returns the error of a conversion.
    #[expect(
        clippy::result_large_err,
        reason = "evaluation seldom fails, and the error is dropped at once"
    )]
    fn refused_conversion(&self, arguments: Vec<Value>) -> Option<EvalError> {
        let name = KnownFunction::New.name();
        match self.evaluate(|it| it.call_by_name(name, arguments)) {
            Err(ControlFlow::Failure {
                failure: EvalFailure::Error(error),
                ..
            }) => Some(error),
            _ => None,
        }
    }
}

/// Returns a value of each type that a value may have: which letters a format may have depends on the type alone. `None`
/// if it may have another type.
fn samples(value: &Inferred) -> Option<Vec<Value>> {
    let types = alternatives(&value.type_);
    let mut found: Vec<Value> = types.iter().map(sample).collect::<Option<_>>()?;
    found.sort_by_key(Value::is_undef);
    Some(found)
}

fn sample(type_: &Type) -> Option<Value> {
    Some(match type_ {
        Type::Undef => Value::Undef,
        Type::Boolean(_) => Value::Boolean(true),
        // All formats of floating point numbers apply to integers, too.
        Type::Integer(_) | Type::Numeric => Value::Integer(0),
        Type::Float(_) => Value::Float(0.0),
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Value::from("a"),
        Type::Array(_) | Type::Tuple(_) => Value::array(Vec::new()),
        Type::Hash(_) | Type::Struct(_) => Value::hash([]),
        _ => return None,
    })
}
