//! Functions on types, functions and `Sensitive` values.

use syntax::Dialect;

use super::{Call, Family};
use crate::expressions::Evaluator;
use crate::stop::{Evaluated, Stop};
use crate::{EvalError, Halt, Issue};
use types::values::Value;
use types::{Type, reader};

pub(super) const FUNCTIONS: Family = &[
    (
        "type",
        &[
            ("Callable[Any, Enum['detailed'], 1, 2]", type_detailed),
            ("Callable[Any, Enum['reduced']]", type_reduced),
            ("Callable[Any, Enum['generalized']]", type_generalized),
        ],
    ),
    (
        "assert_type",
        &[
            (
                "Callable[Type, Any, Optional[Callable[Type, Type]]]",
                assert_type,
            ),
            (
                "Callable[String, Any, Optional[Callable[Type, Type]]]",
                assert_type_by_name,
            ),
        ],
    ),
    (
        "call",
        &[
            ("Callable[String, Any, 1, Optional[Callable]]", call_by_name),
            ("Callable[Deferred]", call_deferred),
        ],
    ),
    ("unwrap", &[("Callable[Any, Optional[Callable]]", unwrap)]),
];

fn type_detailed(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    Ok(types::infer_detailed(call.arg(0)).into())
}

fn type_reduced(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    Ok(types::infer(call.arg(0)).into())
}

fn type_generalized(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    Ok(types::generalize(&types::infer(call.arg(0))).into())
}

fn assert_type(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    match call.arg(0) {
        Value::Type(ty) => assert_instance(evaluator, call, ty),
        _ => Err(Stop::unknown("expected a type")),
    }
}

fn assert_type_by_name(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let text = call.arg(0).as_str().unwrap_or_default();
    let parse = syntax::parse(text, Dialect::default());
    if parse.errors().iter().any(|it| it.anchor.is_some()) {
        return Err(Stop::unknown("syntax error in the string of the type"));
    }
    match reader::read(text, evaluator.environment.types()) {
        Ok(ty) => assert_instance(evaluator, call, &ty),
        Err(refused) => Err(match Halt::from(refused) {
            Halt::Error(error) => Stop::runtime(error.message),
            unknown => unknown.into(),
        }),
    }
}

fn assert_instance(evaluator: &mut Evaluator<'_>, call: &Call<'_>, ty: &Type) -> Evaluated {
    let value = call.arg(1);
    // An unresolved type has no instances.
    let known = match ty {
        Type::Reference(_) => Some(false),
        ty => types::is_instance(ty, value),
    };
    match known {
        Some(true) => Ok(value.clone()),
        None => Err(Stop::unknown("cannot decide whether the value matches")),
        Some(false) => {
            let actual = types::infer_detailed(value);
            if call.block.is_some() {
                return call.run_block(evaluator, [Value::Type(ty.clone()), actual.into()]);
            }
            let message = types::mismatch::describe("the value", ty, &actual);
            Err(call.error(message))
        }
    }
}

fn call_by_name(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let name = call.arg(0).as_str().unwrap_or_default();
    let args = call.args.get(1..).unwrap_or_default().to_vec();
    let budget = evaluator.budget;
    let result = budget.deeper(|| evaluator.call_function(name, args, call.block));
    result.map_err(|stop| match stop {
        // Here, the error for an unknown function has no specific issue code.
        Stop::Halted {
            halt:
                Halt::Error(EvalError {
                    issue: Issue::UnknownFunction,
                    message,
                    ..
                }),
            at: None,
        } => Stop::runtime(message),
        other => other,
    })
}

fn call_deferred(_: &mut Evaluator<'_>, _: &Call<'_>) -> Evaluated {
    Err(Stop::unknown("depends on resolving a `Deferred` value"))
}

fn unwrap(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let inner = match call.arg(0) {
        Value::Sensitive(inner) => (**inner).clone(),
        other => other.clone(),
    };
    match call.block {
        Some(_) => call.run_block(evaluator, [inner]),
        None => Ok(inner),
    }
}
