//! The built-in functions whose results only depend on their arguments.
//!
//! Most submodules cover a family of functions, and have the name of its stub in the crate
//! `library` and its module in the crate `infer`; the others contain code that several families
//! share. A function is a list of overloads: a signature in Puppet's notation, as Puppet declares
//! it, and its implementation. Functions that read the catalog, files, the clock, facts or random
//! numbers are listed in `external_state`, with the reason why their results are unknown.
//! Implementations have access to their arguments only.

mod collections;
mod conversion;
pub(crate) mod digests;
mod elements;
mod external_state;
mod flow;
mod format_spec;
mod iteration;
mod logging;
mod navigation;
mod numbers;
mod puppet3_api;
mod strings;

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::closures::Closure;
use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::Evaluator;
use types::reader::{self, BuiltInTypes};
use types::values::Value;
use types::{CallableType, TupleType, Type};

/// The functions written in Puppet.
pub trait FunctionDefinitions {
    /// Looks up a function by name, without leading `::`.
    fn lookup(&self, name: &str) -> Option<&Closure>;
}

/// A source of functions that provides only the built-in ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltInFunctions;

impl FunctionDefinitions for BuiltInFunctions {
    fn lookup(&self, _name: &str) -> Option<&Closure> {
        None
    }
}

/// A call of an overload whose signature accepts the arguments.
pub(super) struct Call<'a> {
    /// The name of the function.
    pub(super) name: &'static str,
    /// The arguments.
    pub(super) args: &'a [Value],
    pub(super) block: Option<&'a Closure>,
}

/// The implementation of an overload. Errors without a position are reported at the call.
type Implementation = fn(&mut Evaluator<'_>, &Call<'_>) -> FlowResult;

/// Functions with their overloads, in the order in which Puppet tries them.
type Family = &'static [(&'static str, &'static [(&'static str, Implementation)])];

static FAMILIES: &[Family] = &[
    collections::FUNCTIONS,
    conversion::FUNCTIONS,
    digests::FUNCTIONS,
    flow::FUNCTIONS,
    iteration::FUNCTIONS,
    iteration::iterators::FUNCTIONS,
    logging::FUNCTIONS,
    navigation::FUNCTIONS,
    numbers::FUNCTIONS,
    strings::FUNCTIONS,
    strings::patterns::FUNCTIONS,
    strings::strftime::FUNCTIONS,
];

struct Function {
    name: &'static str,
    overloads: Vec<(Arc<CallableType>, Implementation)>,
}

static FUNCTIONS: LazyLock<FxHashMap<&'static str, Function>> = LazyLock::new(|| {
    let functions = FAMILIES.iter().copied().flatten();
    functions
        .map(|&(name, overloads)| {
            let overloads = overloads.iter().map(|&(it, run)| (signature(it), run));
            let overloads = overloads.collect();
            (name, Function { name, overloads })
        })
        .collect()
});

fn signature(text: &str) -> Arc<CallableType> {
    match reader::read(text, &BuiltInTypes) {
        Ok(Type::Callable(callable)) => callable,
        other => unreachable!("{text} is not a signature: {other:?}"),
    }
}

impl Call<'_> {
    /// Returns an argument; `undef` if it is missing.
    pub(super) fn arg(&self, index: usize) -> &Value {
        self.args.get(index).unwrap_or(&Value::Undef)
    }

    /// Runs the block, which the signature requires.
    pub(super) fn run_block(
        &self,
        evaluator: &mut Evaluator<'_>,
        args: impl Into<Vec<Value>>,
    ) -> FlowResult {
        match self.block {
            Some(block) => evaluator.run_closure(block, args.into()),
            None => Err(ControlFlow::runtime(format!(
                "`{}` expects a block",
                self.name
            ))),
        }
    }

    /// Creates an error of this function.
    pub(super) fn error(&self, message: impl std::fmt::Display) -> ControlFlow {
        ControlFlow::runtime(format!("`{}`: {message}", self.name))
    }
}

/// Checks whether calls of a built-in function can be evaluated: its result only depends on its
/// arguments, and calls for their effects, such as `notice`, have none on the evaluated code.
pub fn is_evaluable(name: &str) -> bool {
    FUNCTIONS.contains_key(name)
}

impl Evaluator<'_> {
    /// Calls a function without a block.
    pub fn call_by_name(&mut self, name: &str, args: Vec<Value>) -> FlowResult {
        self.call_function(name, args, None)
    }

    /// Calls a function.
    pub(super) fn call_function(
        &mut self,
        name: &str,
        args: Vec<Value>,
        block: Option<&Closure>,
    ) -> FlowResult {
        let name = name.strip_prefix("::").unwrap_or(name);
        let environment = self.environment;
        if let Some(outcome) = environment.call(self, name, &args, block) {
            return outcome;
        }
        // Functions of the source shadow the built-in functions.
        if let Some(function) = environment.functions().lookup(name) {
            return self.run_function(function, args, block);
        }
        if let Some(function) = FUNCTIONS.get(name) {
            return self.dispatch(function, &args, block);
        }
        match external_state::unknown_reason(name) {
            Some(reason) => Err(ControlFlow::unknown(format!("`{name}` {reason}"))),
            None => Err(environment.unknown_function(name).into()),
        }
    }

    fn dispatch(
        &mut self,
        function: &Function,
        args: &[Value],
        block: Option<&Closure>,
    ) -> FlowResult {
        let list = Value::array(args.to_vec());
        self.budget.spend(1 + args.len() as u64)?;
        let block_type = match block {
            Some(block) => Some(Type::Callable(self.signature(block)?)),
            None => None,
        };
        for (signature, run) in &function.overloads {
            match accepts(signature, &list, block_type.as_ref()) {
                Some(true) => {
                    let call = Call {
                        name: function.name,
                        args,
                        block,
                    };
                    let value = run(self, &call)?;
                    return self.charge_value(value);
                }
                Some(false) => {}
                None => {
                    return Err(ControlFlow::unknown(
                        "cannot decide whether the arguments match",
                    ));
                }
            }
        }
        Err(ControlFlow::runtime(mismatch(
            function,
            &list,
            block_type.as_ref(),
        )))
    }
}

/// Checks whether a signature accepts the arguments and the block; `None` if that is unknown.
fn accepts(signature: &CallableType, args: &Value, block: Option<&Type>) -> Option<bool> {
    let Some(params) = signature.params() else {
        return Some(true);
    };
    let fits = accepts_all(params, args)?;
    let block_fits = match (signature.block(), block) {
        (None, block) => block.is_none(),
        (Some(expected), None) => types::assignable(expected, &Type::Undef),
        (Some(expected), Some(block)) => types::assignable(expected, block),
    };
    Some(fits && block_fits)
}

/// Checks whether parameters accept a list of arguments; `None` if that is unknown.
fn accepts_all(params: &Arc<TupleType>, args: &Value) -> Option<bool> {
    types::is_instance(&Type::Tuple(Arc::clone(params)), args)
}

/// Describes why no overload accepts the arguments.
fn mismatch(function: &Function, args: &Value, block: Option<&Type>) -> String {
    let name = function.name;
    let actual = types::infer_detailed(args);
    match function.overloads.as_slice() {
        [(only, _)] => match only.params() {
            Some(params)
                if types::is_instance(&Type::Tuple(Arc::clone(params)), args) == Some(false) =>
            {
                let expected = Type::Tuple(Arc::clone(params));
                types::mismatch::describe_arguments(&format!("`{name}`"), &expected, &actual)
            }
            _ if block.is_some() => format!("`{name}` does not accept this block"),
            _ => format!("`{name}` expects a block"),
        },
        all => {
            let shown = all.iter().map(|(it, _)| {
                let signature = Type::Callable(Arc::clone(it));
                format!("`{}`", types::display(&signature))
            });
            let shown: Vec<String> = shown.collect();
            let block = if block.is_some() { " and a block" } else { "" };
            format!(
                "no overload of `{name}` accepts `{}`{block}; expected {}",
                types::display(&actual),
                shown.join(" or ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_all_signatures() {
        assert!(FUNCTIONS.len() > 5);
        let names = FUNCTIONS
            .keys()
            .filter(|it| external_state::unknown_reason(it).is_some());
        assert_eq!(names.count(), 0);
    }
}
