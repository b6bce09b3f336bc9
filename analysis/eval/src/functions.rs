//! The functions that Puppet ships, as far as they are functions of their arguments.
//!
//! A family of functions a file. Each function is a list of overloads: a signature in Puppet's
//! notation, as the real one declares it, and what to run. Those that read the catalog, files, the
//! clock, facts or chance are listed in `outside` with the reason why their results are not known.
//! Nothing here may read anything but the arguments.

mod collections;
mod control;
mod directive;
mod elements;
mod iteration;
mod lazy;
mod legacy;
mod navigation;
mod new;
mod numbers;
mod outside;
mod patterns;
mod reflection;
mod strftime;
mod text;

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::closures::Closure;
use super::expressions::Evaluator;
use super::stop::{Evaluated, Stop};
use types::reader::{self, BuiltInTypes};
use types::values::Value;
use types::{CallableType, TupleType, Type};

/// The functions that are written in Puppet.
pub trait FunctionDefinitions {
    /// The function of this name, which is without leading colons.
    fn lookup(&self, name: &str) -> Option<&Closure>;
}

/// No functions but Puppet's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltInFunctions;

impl FunctionDefinitions for BuiltInFunctions {
    fn lookup(&self, _name: &str) -> Option<&Closure> {
        None
    }
}

/// What an overload is called with: arguments that fit its signature.
pub(super) struct Call<'a> {
    /// The name of the function.
    pub(super) name: &'static str,
    /// The arguments.
    pub(super) args: &'a [Value],
    /// The block behind them.
    pub(super) block: Option<&'a Closure>,
}

/// What an overload does. Errors without a place are reported at the call.
type Run = fn(&mut Evaluator<'_>, &Call<'_>) -> Evaluated;

/// A function by its overloads, in the order in which Puppet tries them.
type Family = &'static [(&'static str, &'static [(&'static str, Run)])];

static FAMILIES: &[Family] = &[
    collections::FUNCTIONS,
    control::FUNCTIONS,
    iteration::FUNCTIONS,
    lazy::FUNCTIONS,
    legacy::FUNCTIONS,
    navigation::FUNCTIONS,
    new::FUNCTIONS,
    numbers::FUNCTIONS,
    patterns::FUNCTIONS,
    reflection::FUNCTIONS,
    strftime::FUNCTIONS,
    text::FUNCTIONS,
];

struct Function {
    name: &'static str,
    overloads: Vec<(Arc<CallableType>, Run)>,
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
    /// An argument by its number; undef if it was left out.
    pub(super) fn arg(&self, index: usize) -> &Value {
        self.args.get(index).unwrap_or(&Value::Undef)
    }

    /// Runs the block, which the signature asks for.
    pub(super) fn run_block(
        &self,
        evaluator: &mut Evaluator<'_>,
        args: impl Into<Vec<Value>>,
    ) -> Evaluated {
        match self.block {
            Some(block) => evaluator.run_closure(block, args.into()),
            None => Err(Stop::runtime(format!("{}() needs a block", self.name))),
        }
    }

    /// An error of this function.
    pub(super) fn error(&self, message: impl std::fmt::Display) -> Stop {
        Stop::runtime(format!("{}(): {message}", self.name))
    }
}

/// Whether what a function of Puppet's own gives depends on its arguments only, and is known here.
pub fn is_pure(name: &str) -> bool {
    FUNCTIONS.contains_key(name)
}

impl Evaluator<'_> {
    /// Calls a function without a block.
    pub fn call_by_name(&mut self, name: &str, args: Vec<Value>) -> Evaluated {
        self.call_function(name, args, None)
    }

    /// Calls a function by its name.
    pub(super) fn call_function(
        &mut self,
        name: &str,
        args: Vec<Value>,
        block: Option<&Closure>,
    ) -> Evaluated {
        let name = name.strip_prefix("::").unwrap_or(name);
        let environment = self.environment;
        // What a source defines comes before what Puppet ships.
        if let Some(function) = environment.functions().lookup(name) {
            return self.run_function(function, args, block);
        }
        if let Some(function) = FUNCTIONS.get(name) {
            return self.dispatch(function, &args, block);
        }
        match outside::reason(name) {
            Some(reason) => Err(Stop::unknown(reason)),
            None => Err(environment.unknown_function(name).into()),
        }
    }

    fn dispatch(
        &mut self,
        function: &Function,
        args: &[Value],
        block: Option<&Closure>,
    ) -> Evaluated {
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
                    return self.made(value);
                }
                Some(false) => {}
                None => return Err(Stop::unknown("whether the arguments fit is not known")),
            }
        }
        Err(Stop::runtime(mismatch(
            function,
            &list,
            block_type.as_ref(),
        )))
    }
}

/// Whether a signature accepts the arguments and the block; nothing if that is not known.
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

/// Whether parameters accept a list of arguments; nothing if that is not known.
fn accepts_all(params: &Arc<TupleType>, args: &Value) -> Option<bool> {
    types::is_instance(&Type::Tuple(Arc::clone(params)), args)
}

/// What is wrong with arguments that no overload accepts.
fn mismatch(function: &Function, args: &Value, block: Option<&Type>) -> String {
    let name = function.name;
    let actual = types::infer_detailed(args);
    match function.overloads.as_slice() {
        [(only, _)] => match only.params() {
            Some(params)
                if types::is_instance(&Type::Tuple(Arc::clone(params)), args) == Some(false) =>
            {
                let expected = Type::Tuple(Arc::clone(params));
                types::mismatch::describe(&format!("the arguments of {name}()"), &expected, &actual)
            }
            _ if block.is_some() => format!("{name}() does not take such a block"),
            _ => format!("{name}() needs a block"),
        },
        all => {
            let shown = all
                .iter()
                .map(|(it, _)| types::display(&Type::Callable(Arc::clone(it))));
            let shown: Vec<String> = shown.collect();
            let block = if block.is_some() { " and a block" } else { "" };
            format!(
                "{name}() takes one of\n  {}\nnot {}{block}",
                shown.join("\n  "),
                types::display(&actual)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_can_be_read() {
        assert!(FUNCTIONS.len() > 5);
        let names = FUNCTIONS.keys().filter(|it| outside::reason(it).is_some());
        assert_eq!(names.count(), 0);
    }
}
