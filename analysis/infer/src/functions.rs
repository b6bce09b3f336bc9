//! Return types of functions whose results depend on their arguments in ways that a signature
//! cannot express: the element type that `map` returns, the Struct that `merge` builds.
//!
//! Each submodule covers a family of functions with pure functions of the argument types, and has
//! the name of the family's stub in the crate `library` and module in the crate `eval`. `None` means
//! that the declared return type is as precise as possible. The rules follow the Ruby source of the
//! functions, as far as it guarantees a result.

mod collections;
mod conversion;
mod data;
mod digests;
mod flow;
mod iteration;
mod navigation;
mod numbers;
mod stdlib;
pub(super) mod stdlib_arguments;
pub(super) mod stdlib_validation;
mod strings;
#[cfg(test)]
mod test_support;

use super::arity::ArityRange;
use super::inferred::Inferred;
use super::lambdas::LambdaResult;
use super::operators::alternatives;
use library::KnownFunction;
use types::precise::union;
use types::{IntRange, Type};

/// A function that is implemented in Ruby.
#[derive(Clone, Copy)]
pub(super) struct RubyFunction<'a> {
    pub(super) name: &'a str,
    /// The module that defines it; `None` for functions shipped with Puppet.
    pub(super) module: Option<&'a str>,
    /// Whether it uses the Puppet 3.x function API.
    pub(super) is_3x: bool,
}

pub(super) struct Arguments<'a> {
    pub(super) types: &'a [Inferred],
    /// Whether `types` contains all arguments.
    pub(super) complete: bool,
}

impl RubyFunction<'_> {
    /// Returns the function, if the analysis knows its name.
    pub(super) fn known(self) -> Option<KnownFunction> {
        KnownFunction::from_name(self.name)
    }
}

impl<'a> Arguments<'a> {
    fn type_(&self, index: usize) -> Option<&'a Type> {
        self.types.get(index).map(|it| &it.type_)
    }

    /// Returns all arguments, if all of them are known.
    fn all(&self) -> Option<&'a [Inferred]> {
        self.complete.then_some(self.types)
    }
}

fn array(element: Type, size: IntRange) -> Type {
    Type::array(element, Some(size).filter(|it| *it != IntRange::SIZE))
}

fn hash(key: Type, value: Type, size: IntRange) -> Type {
    Type::hash(key, value, Some(size).filter(|it| *it != IntRange::SIZE))
}

fn text(size: IntRange) -> Type {
    match size == IntRange::SIZE {
        true => Type::STRING,
        false => Type::string_sized(size),
    }
}

/// Applies `one` to each alternative of an argument type. `one` returns `Some(None)` if the
/// function rejects the alternative, and `None` if the result is unknown. Returns `None` if any
/// result is unknown or all alternatives are rejected.
fn of_each(type_: &Type, one: impl Fn(Type) -> Option<Option<Type>>) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        found.extend(one(it)?);
    }
    (!found.is_empty()).then(|| union(found))
}

/// Returns the size of a collection whose elements may have been merged: not larger, and not empty
/// unless the original is.
fn joined_size(size: IntRange) -> IntRange {
    let some = i64::from(size.min().unwrap_or(0) > 0);
    IntRange::new(Some(some), size.max()).unwrap_or(IntRange::SIZE)
}

/// Returns the range from zero to the maximum of `size`.
fn without_minimum(size: IntRange) -> IntRange {
    IntRange::new(Some(0), size.max()).unwrap_or(IntRange::SIZE)
}

/// Returns the types of a lambda's parameters; `None` if they are unknown.
pub(super) fn lambda_arguments(
    function: RubyFunction<'_>,
    arguments: &Arguments<'_>,
    taken: ArityRange,
) -> Option<Vec<Inferred>> {
    if function.module.is_some() {
        return None;
    }
    let known = function.known()?;
    iteration::lambda_arguments(known, arguments, taken)
        .or_else(|| collections::lambda_arguments(known, arguments))
        .or_else(|| conversion::lambda_arguments(known, arguments))
        .or_else(|| flow::lambda_arguments(known, arguments))
        .or_else(|| numbers::lambda_arguments(known, arguments))
        .or_else(|| strings::lambda_arguments(known))
}

/// Returns the parameter types of the lambda of `reduce` in its first run: the accumulator and an
/// element.
pub(super) fn reduce_arguments(arguments: &Arguments<'_>) -> Option<(Inferred, Inferred)> {
    iteration::reduce_arguments(arguments)
}

/// Checks whether `break` in the lambda of a function only ends the function's iteration, rather
/// than propagating to the enclosing scope.
pub(super) fn catches_break(function: RubyFunction<'_>, arguments: &Arguments<'_>) -> bool {
    let known = function.known().filter(|_| function.module.is_none());
    known.is_some_and(|it| iteration::catches_break(it, arguments))
}

/// Returns the type of `get` for these arguments.
pub(super) fn navigated(all: &[Inferred], block: Option<&LambdaResult>) -> Option<Inferred> {
    let arguments = Arguments {
        types: all,
        complete: true,
    };
    navigation::result(KnownFunction::Get, &arguments, block)
}

/// Returns the type of a function's result.
pub(super) fn result(
    function: RubyFunction<'_>,
    arguments: &Arguments<'_>,
    block: Option<(&LambdaResult, ArityRange)>,
) -> Option<Inferred> {
    let known = function.known()?;
    match function.module {
        Some("stdlib") if block.is_none() => stdlib::result(known, function.is_3x, arguments),
        Some(_) => None,
        None => iteration::result(known, arguments, block)
            .or_else(|| collections::result(known, arguments, block.map(|it| it.0)))
            .or_else(|| navigation::result(known, arguments, block.map(|it| it.0)))
            .or_else(|| strings::result(known, arguments, block.map(|it| it.0)))
            .or_else(|| numbers::result(known, arguments))
            .or_else(|| data::result(known, arguments))
            .or_else(|| digests::result(known))
            .or_else(|| flow::result(known, arguments, block.map(|it| it.0)))
            .or_else(|| conversion::result(known, arguments, block.map(|it| it.0))),
    }
}
