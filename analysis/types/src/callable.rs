//! Whether a callable accepts arguments of the given types.

use std::sync::Arc;

use super::assign::{Passed, guarded};
use super::guard::Question;
use super::{CallableType, IntRange, ObjectType, TupleType, Type};

/// The reason why Puppet raises an error instead of answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallableError {
    /// The arguments are a tuple with an explicit size.
    SizedArguments,
    /// The arguments are an empty tuple.
    NoArguments,
    /// The type is not a callable itself, or its parameters are unknown.
    NoParameters,
    /// The answer is not known, for example because a limit was reached.
    Unknown,
}

/// Checks whether a value of type `ty` can be called with arguments of type `args`: a `Tuple` whose
/// last type may be that of a block, an `Array`, a `Callable` (only a block), or `Undef`.
///
/// # Errors
///
/// If Puppet raises an error instead of answering.
pub fn callable(ty: &Type, args: &Type) -> Result<bool, CallableError> {
    let question = Question::default();
    let answer = question.is_callable(ty, true, None) && question.args_fit(ty, args, None)?;
    question.certain(answer).ok_or(CallableError::Unknown)
}

/// Checks whether a last argument of this type is a block: a `Callable`, or an `Optional` or
/// `Variant` of such.
pub fn is_block_type(ty: &Type) -> bool {
    Question::default().is_callable(ty, true, None)
}

impl Question {
    /// Checks whether the type is callable; with `optional`, an `Optional` of a callable counts
    /// too.
    pub(super) fn is_callable(&self, ty: &Type, optional: bool, guard: Passed<'_>) -> bool {
        self.deeper(false, || match ty {
            Type::Callable(_) => true,
            Type::Optional(Some(inner)) => optional && self.is_callable(inner, optional, guard),
            Type::Variant(types) => types.iter().all(|it| self.is_callable(it, optional, guard)),
            Type::Alias(alias) => guarded(alias, guard, false, |it, guard| {
                self.is_callable(it, optional, guard)
            }),
            Type::Object(object) => self.parent_callable(object, optional, guard),
            _ => false,
        })
    }

    fn parent_callable(&self, object: &ObjectType, optional: bool, guard: Passed<'_>) -> bool {
        object
            .parent
            .as_ref()
            .is_some_and(|it| self.is_callable(it, optional, guard))
    }

    fn args_fit(&self, ty: &Type, args: &Type, guard: Passed<'_>) -> Result<bool, CallableError> {
        match args {
            Type::Undef => Ok(self.assignable(ty, &Type::Undef, guard)),
            Type::Callable(_) => Ok(self.assignable(ty, args, guard)),
            Type::Tuple(tuple) => self.tuple_fits(ty, tuple, guard),
            Type::Array(_) => {
                let callable = callable_of(ty)?;
                let params = callable.params().cloned().map(Type::Tuple);
                Ok(
                    params.is_none_or(|params| self.assignable(&params, args, guard))
                        && self.block_may_lack(&callable),
                )
            }
            Type::Alias(alias) => guarded(alias, guard, Ok(false), |args, guard| {
                self.args_fit(ty, args, guard)
            }),
            _ => Ok(false),
        }
    }

    fn block_may_lack(&self, callable: &CallableType) -> bool {
        callable
            .block()
            .is_none_or(|block| self.accepts_undef(block))
    }

    fn tuple_fits(
        &self,
        ty: &Type,
        args: &Arc<TupleType>,
        guard: Passed<'_>,
    ) -> Result<bool, CallableError> {
        if args.size().is_some() {
            return Err(CallableError::SizedArguments);
        }
        let callable = callable_of(ty)?;
        let (block, others) = args
            .types()
            .split_last()
            .ok_or(CallableError::NoArguments)?;
        if !self.is_callable(block, true, guard) {
            let params = callable.params().ok_or(CallableError::NoParameters)?;
            let params = Type::Tuple(Arc::clone(params));
            return Ok(
                self.assignable(&params, &Type::Tuple(Arc::clone(args)), guard)
                    && self.block_may_lack(&callable),
            );
        }
        let takes_block = callable
            .block()
            .is_some_and(|it| self.assignable(it, block, guard));
        if !takes_block {
            return Ok(false);
        }
        let params = callable.params().ok_or(CallableError::NoParameters)?;
        let fits = |(index, it)| {
            params
                .at(index)
                .is_none_or(|ty| self.assignable(ty, it, guard))
        };
        Ok(params
            .size_range()
            .covers(IntRange::exactly_len(others.len()))
            && others.iter().enumerate().all(fits))
    }
}

/// Resolves the type to a `Callable`.
fn callable_of(ty: &Type) -> Result<Arc<CallableType>, CallableError> {
    match ty.resolved() {
        Type::Callable(callable) => Ok(callable),
        _ => Err(CallableError::NoParameters),
    }
}
