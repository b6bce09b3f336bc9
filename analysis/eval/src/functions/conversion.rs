//! Type conversions and checks: `new` and `convert_to` with the constructors of all types, `type`,
//! `assert_type` and `unwrap`.
//!
//! The signatures of constructors are part of the types (`types::constructors`). Each submodule
//! implements the constructors of one kind of type. Puppet reports all failures at the call without
//! a specific issue code.

mod array;
mod binary;
mod hash;
mod init;
mod number;
mod object;
mod scalar;
mod string;
mod time;
mod uri;
mod version;

use std::sync::Arc;

pub(super) use time::SpanFormat;

use super::{Call, Family, accepts_all};
use crate::EvalFailure;
use crate::access::describe_type;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use syntax::Dialect;
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
    ("unwrap", &[("Callable[Any, Optional[Callable]]", unwrap)]),
    (
        "new",
        &[("Callable[Type, Any, 1, default, Optional[Callable]]", new)],
    ),
    (
        "convert_to",
        &[(
            "Callable[Any, Type, Any, 2, default, Optional[Callable[1, 1]]]",
            convert_to,
        )],
    ),
];

fn type_detailed(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(types::infer_detailed(call.arg(0)).into())
}

fn type_reduced(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(types::infer(call.arg(0)).into())
}

fn type_generalized(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    Ok(types::generalize(&types::infer(call.arg(0))).into())
}

fn assert_type(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.arg(0) {
        Value::Type(ty) => assert_instance(evaluator, call, ty),
        _ => Err(ControlFlow::unknown("expected a type")),
    }
}

fn assert_type_by_name(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let text = call.arg(0).as_str().unwrap_or_default();
    let parse = syntax::parse(text, Dialect::default());
    if parse.errors().iter().any(|it| it.anchor.is_some()) {
        return Err(ControlFlow::unknown(
            "syntax error in the string of the type",
        ));
    }
    match reader::read(text, evaluator.environment.types()) {
        Ok(ty) => assert_instance(evaluator, call, &ty),
        Err(refused) => Err(match EvalFailure::from(refused) {
            EvalFailure::Error(error) => ControlFlow::runtime(error.message),
            unknown => unknown.into(),
        }),
    }
}

fn assert_instance(evaluator: &mut Evaluator<'_>, call: &Call<'_>, ty: &Type) -> FlowResult {
    let value = call.arg(1);
    // An unresolved type has no instances.
    let known = match ty {
        Type::Reference(_) => Some(false),
        ty => types::is_instance(ty, value),
    };
    match known {
        Some(true) => Ok(value.clone()),
        None => Err(ControlFlow::unknown(
            "cannot decide whether the value matches",
        )),
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

fn unwrap(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let inner = match call.arg(0) {
        Value::Sensitive(inner) => (**inner).clone(),
        other => other.clone(),
    };
    match call.block {
        Some(_) => call.run_block(evaluator, [inner]),
        None => Ok(inner),
    }
}

fn new(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.args {
        [Value::Type(ty), args @ ..] => {
            if let Some(same) = unchanged(ty, args) {
                return Ok(same);
            }
            let result = evaluator.instance(ty, args)?;
            with_block(evaluator, call, result)
        }
        _ => Err(call.error("expected a type")),
    }
}

fn convert_to(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match call.args {
        [value, Value::Type(ty), rest @ ..] => {
            let args: Vec<Value> = [std::slice::from_ref(value), rest].concat();
            let result = evaluator.new_instance(ty, &args)?;
            with_block(evaluator, call, result)
        }
        _ => Err(call.error("expected a type")),
    }
}

fn with_block(evaluator: &mut Evaluator<'_>, call: &Call<'_>, result: Value) -> FlowResult {
    match call.block {
        Some(block) => evaluator.run_closure(block, vec![result]),
        None => Ok(result),
    }
}

/// Returns the only argument if it needs no conversion.
fn unchanged(ty: &Type, args: &[Value]) -> Option<Value> {
    match args {
        [only] if !matches!(ty, Type::Init(_)) && types::is_instance(ty, only) == Some(true) => {
            Some(only.clone())
        }
        _ => None,
    }
}

/// Creates the error of a failed conversion.
fn conversion_error(message: impl std::fmt::Display) -> ControlFlow {
    ControlFlow::runtime(format!("`new`: {message}"))
}

/// Returns the result for an integer that Puppet supports, but that does not fit in 64 bits here.
fn beyond_64_bits() -> ControlFlow {
    ControlFlow::unknown("integer does not fit in 64 bits")
}

/// Returns the radix of a new integer if Puppet does not support it. From `PIntegerType`, `assert_radix`.
fn invalid_radix(ty: &Type, args: &[Value]) -> Option<i64> {
    let radix = match (ty, args) {
        (Type::Integer(_), [Value::Hash(named)]) => named.get_str("radix"),
        (Type::Integer(_), [_, radix] | [_, radix, Value::Boolean(_)]) => Some(radix),
        _ => None,
    };
    let radix = radix.and_then(Value::as_integer);
    radix.filter(|it| !matches!(it, 2 | 8 | 10 | 16))
}

impl Evaluator<'_> {
    /// Evaluates `new` with the given arguments.
    pub(super) fn new_instance(&mut self, ty: &Type, args: &[Value]) -> FlowResult {
        match unchanged(ty, args) {
            Some(same) => Ok(same),
            None => self.instance(ty, args),
        }
    }

    fn instance(&mut self, ty: &Type, args: &[Value]) -> FlowResult {
        let budget = self.budget;
        let value = budget.recurse(|| self.construct(ty, args))?;
        let value = self.charge_value(value)?;
        match types::is_instance(ty, &value) {
            Some(true) => Ok(value),
            Some(false) => {
                let actual = types::infer_detailed(&value);
                let subject = format!("the result of `{}.new`", types::display(ty));
                Err(ControlFlow::runtime(types::mismatch::describe(
                    &subject, ty, &actual,
                )))
            }
            None => Err(ControlFlow::unknown(
                "cannot decide whether the value matches",
            )),
        }
    }

    /// Calls the constructor of a type.
    fn construct(&mut self, ty: &Type, args: &[Value]) -> FlowResult {
        let unsupported =
            || conversion_error(format!("`{}` has no constructor", types::display(ty)));
        match ty {
            Type::Alias(alias) => return self.construct(&alias.resolved(), args),
            Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => {
                return self.construct(inner, args);
            }
            Type::NotUndef(None) => return self.construct(&Type::Unit, args),
            Type::Init(Some(init)) => return init::init(self, init, args),
            _ => {}
        }
        let signatures = types::constructors(ty).ok_or_else(unsupported)?;
        let which = self.matching_signature(ty, &signatures, args)?;
        match ty {
            Type::Unit => Ok(args.first().cloned().unwrap_or(Value::Undef)),
            Type::Numeric => number::numeric(args),
            Type::Integer(_) => number::integer(args),
            Type::Float(_) => number::float(args),
            Type::String(_) => string::string(self, args),
            Type::Boolean(_) => scalar::boolean(args),
            Type::Regexp(_) => scalar::regexp(args),
            Type::Sensitive(_) => scalar::sensitive(args),
            Type::Type(_) => scalar::type_from(self, args),
            Type::Array(_) | Type::Tuple(_) => array::array(self, which, args),
            Type::Hash(_) | Type::Struct(_) => hash::hash(self, which, args),
            Type::Binary => binary::binary(args),
            Type::SemVer(_) => version::version(args),
            Type::SemVerRange => version::range(args),
            Type::Timespan(_) => time::timespan(args),
            Type::Timestamp(_) => time::timestamp(args),
            Type::Uri(_) => uri::uri(args),
            Type::Object(ty) => object::object(ty, which, args),
            Type::ObjectExtension(ty) => object::object(&ty.base, which, args),
            _ => Err(unsupported()),
        }
    }

    /// Returns the index of the signature that accepts the arguments.
    fn matching_signature(
        &mut self,
        ty: &Type,
        signatures: &[Arc<types::TupleType>],
        args: &[Value],
    ) -> FlowResult<usize> {
        let list = Value::array(args.to_vec());
        self.budget.spend(1 + args.len() as u64)?;
        for (index, signature) in signatures.iter().enumerate() {
            match accepts_all(signature, &list) {
                Some(true) => return Ok(index),
                Some(false) => {}
                None => {
                    return Err(ControlFlow::unknown(
                        "cannot decide whether the arguments match",
                    ));
                }
            }
        }
        if let Some(radix) = invalid_radix(ty, args) {
            return Err(conversion_error(format!(
                "invalid radix {radix}: expected 2, 8, 10 or 16"
            )));
        }
        let given: Vec<String> = args
            .iter()
            .map(|it| format!("`{}`", describe_type(it)))
            .collect();
        Err(conversion_error(format!(
            "cannot create `{}` from {}",
            types::display(&types::generalize(ty)),
            if given.is_empty() {
                "no arguments".to_owned()
            } else {
                given.join(", ")
            }
        )))
    }
}

#[cfg(test)]
mod tests {
    use crate::{EvalSettings, Evaluation, evaluate};

    /// Renders the value of a source, `error`, or `?` if the result is unknown.
    pub(super) fn run(source: &str) -> String {
        match evaluate(source, EvalSettings::default()) {
            Evaluation::Value(it) => it.value.unwrap_or_else(|| "no source form".to_owned()),
            Evaluation::Error(_) => "error".to_owned(),
            Evaluation::Unknown(_) => "?".to_owned(),
        }
    }

    #[test]
    fn instances_are_returned_unchanged_without_running_the_block() {
        assert_eq!(run("Variant[Integer, String](1)"), "1");
        assert_eq!(run("Variant[Integer, String](1.0)"), "error");
        assert_eq!(run("Integer('1') |$x| { $x + 1 }"), "2");
        assert_eq!(run("Integer(1) |$x| { $x + 1 }"), "1");
        assert_eq!(run("'5'.convert_to(Integer, 8) |$x| { $x + 1 }"), "6");
        assert_eq!(run("1.convert_to(Integer) |$x| { $x + 1 }"), "2");
        assert_eq!(run("new(Optional[Integer], '7')"), "7");
        assert_eq!(run("type A = Integer\nA('1')"), "1");
        assert_eq!(run("Any(1, 2)"), "error");
        assert_eq!(run("Optional(1)"), "error");
    }

    #[test]
    fn invalid_radixes_are_named() {
        for source in ["Integer('12', 99)", "Integer({from => '12', radix => 99})"] {
            let Evaluation::Error(error) = evaluate(source, EvalSettings::default()) else {
                panic!("{source} has a value");
            };
            let message = "`new`: invalid radix 99: expected 2, 8, 10 or 16";
            assert_eq!(error.message, message);
        }
    }
}
