//! The control flow of an evaluation: failures, and jumps out of blocks and functions.

use std::borrow::Cow;

use syntax::TextSize;

use super::unknown::Unknown;
use super::{EvalError, EvalFailure, Issue};
use types::values::Value;

/// The reason why the evaluation of an expression ends without a value.
#[derive(Clone, PartialEq, Debug)]
pub enum ControlFlow {
    /// The expression fails.
    Failure {
        /// The failure.
        failure: EvalFailure,
        /// The position at which Puppet reports the error, if it does.
        at: Option<TextSize>,
    },
    /// The effects of the expression have happened, but its value is unknown, for this reason. Only if
    /// the environment recovers from unknown outcomes.
    UnknownValue(Unknown),
    /// A call of `next`, with the result of the enclosing block or function.
    Next(Value),
    /// A call of `return`, with the result of the enclosing function.
    Return(Value),
    /// A call of `break`, which ends the enclosing iteration.
    Break,
    /// A default value refers to a parameter of this name that is not bound yet.
    UnboundParameter(String),
}

/// The result of evaluating an expression.
pub type FlowResult<T = Value> = Result<T, ControlFlow>;

impl From<EvalFailure> for ControlFlow {
    fn from(failure: EvalFailure) -> ControlFlow {
        ControlFlow::Failure { failure, at: None }
    }
}

impl From<EvalError> for ControlFlow {
    fn from(error: EvalError) -> ControlFlow {
        EvalFailure::from(error).into()
    }
}

impl ControlFlow {
    /// Creates an error without a specific issue code, to be reported at the call.
    pub(super) fn runtime(message: impl Into<String>) -> ControlFlow {
        EvalError::new(Issue::RuntimeError, message).into()
    }

    /// Creates an unknown result.
    pub(super) fn unknown(reason: impl Into<Cow<'static, str>>) -> ControlFlow {
        EvalFailure::unknown(reason).into()
    }

    /// Returns the unknown value, if that is the reason.
    pub fn unknown_value(&self) -> Option<&Unknown> {
        match self {
            ControlFlow::Failure {
                failure: EvalFailure::Unknown(unknown),
                ..
            }
            | ControlFlow::UnknownValue(unknown) => Some(unknown),
            _ => None,
        }
    }

    /// Changes the unknown value, if that is the reason.
    pub(super) fn map_unknown(self, change: impl FnOnce(Unknown) -> Unknown) -> ControlFlow {
        match self {
            ControlFlow::Failure {
                failure: EvalFailure::Unknown(unknown),
                at,
            } => ControlFlow::Failure {
                failure: EvalFailure::Unknown(change(unknown)),
                at,
            },
            ControlFlow::UnknownValue(unknown) => ControlFlow::UnknownValue(change(unknown)),
            flow => flow,
        }
    }

    /// Forgets what is known about the unknown value, if that is the reason.
    pub(super) fn without_known(self) -> ControlFlow {
        self.map_unknown(Unknown::without_known)
    }

    /// Sets the position of an error that has none.
    pub(super) fn or_at(self, place: impl FnOnce() -> TextSize) -> ControlFlow {
        match self {
            ControlFlow::Failure {
                failure: failure @ EvalFailure::Error(_),
                at: None,
            } => ControlFlow::Failure {
                failure,
                at: Some(place()),
            },
            other => other,
        }
    }

    /// Converts to the failure at the top level, where all jumps are illegal.
    pub fn into_failure(self) -> (EvalFailure, Option<TextSize>) {
        let illegal = |function: &str| {
            let message = format!("`{function}` is called outside of a block or function");
            EvalError::new(Issue::IllegalJump, message).into()
        };
        match self {
            ControlFlow::Failure { failure, at } => (failure, at),
            ControlFlow::UnknownValue(why) => (EvalFailure::Unknown(why), None),
            ControlFlow::Next(_) => (illegal("next"), None),
            ControlFlow::Return(_) => (illegal("return"), None),
            ControlFlow::Break => (illegal("break"), None),
            ControlFlow::UnboundParameter(name) => (
                EvalFailure::unknown(format!("parameter `${name}` is not bound yet")),
                None,
            ),
        }
    }
}
