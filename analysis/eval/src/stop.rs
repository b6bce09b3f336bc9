//! The control flow of an evaluation: failures, and jumps out of blocks and functions.

use syntax::TextSize;

use super::{EvalError, Halt, Issue};
use types::values::Value;

/// The reason why the evaluation of an expression ends without a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// The expression fails.
    Halted {
        /// The failure.
        halt: Halt,
        /// The position at which Puppet reports the error, if it does.
        at: Option<TextSize>,
    },
    /// A call of `next`, with the result of the enclosing block or function.
    Next(Value),
    /// A call of `return`, with the result of the enclosing function.
    Return(Value),
    /// A call of `break`, which ends the enclosing iteration.
    Break,
    /// A default value refers to a parameter of this name that is not bound yet.
    Unevaluated(String),
}

/// The result of evaluating an expression.
pub type Evaluated<T = Value> = Result<T, Stop>;

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Stop {
        Stop::Halted { halt, at: None }
    }
}

impl From<EvalError> for Stop {
    fn from(error: EvalError) -> Stop {
        Halt::from(error).into()
    }
}

impl Stop {
    /// Creates an error without a specific issue code, to be reported at the call.
    pub(super) fn runtime(message: impl Into<String>) -> Stop {
        EvalError::new(Issue::RuntimeError, message).into()
    }

    /// Creates an unknown result.
    pub(super) fn unknown(reason: impl Into<std::borrow::Cow<'static, str>>) -> Stop {
        Halt::unknown(reason).into()
    }

    /// Sets the position of an error that has none.
    pub(super) fn or_at(self, place: impl FnOnce() -> TextSize) -> Stop {
        match self {
            Stop::Halted {
                halt: halt @ Halt::Error(_),
                at: None,
            } => Stop::Halted {
                halt,
                at: Some(place()),
            },
            other => other,
        }
    }

    /// Converts to the failure at the top level, where all jumps are illegal.
    pub(super) fn at_the_outside(self) -> (Halt, Option<TextSize>) {
        let illegal = |function: &str| {
            let message = format!("`{function}` is called outside of a block or function");
            EvalError::new(Issue::IllegalJump, message).into()
        };
        match self {
            Stop::Halted { halt, at } => (halt, at),
            Stop::Next(_) => (illegal("next"), None),
            Stop::Return(_) => (illegal("return"), None),
            Stop::Break => (illegal("break"), None),
            Stop::Unevaluated(name) => (
                Halt::unknown(format!("parameter `${name}` is not bound yet")),
                None,
            ),
        }
    }
}
