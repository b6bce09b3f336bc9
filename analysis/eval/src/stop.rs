//! How the evaluation of an expression ends without a value: by an error, by not knowing, or by a
//! jump out of a block or function.

use syntax::TextSize;

use super::{EvalError, Halt, Issue};
use types::values::Value;

/// Why an evaluation ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// There is no value.
    Halted {
        /// Puppet's error, or why it is not known what happens.
        halt: Halt,
        /// Where Puppet reports the error, if it says where.
        at: Option<TextSize>,
    },
    /// The function `next` was called: the block or function it is in has this value.
    Next(Value),
    /// The function `return` was called: the function written in Puppet has this value.
    Return(Value),
    /// The function `break` was called: the iteration it is in ends.
    Break,
    /// The default of a parameter asked for one that has no value yet, of this name.
    Unevaluated(String),
}

/// A value, or why there is none.
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
    /// An error without a code of its own, reported where the function is called.
    pub(super) fn runtime(message: impl Into<String>) -> Stop {
        EvalError::new(Issue::RuntimeError, message).into()
    }

    /// Not known, for this reason.
    pub(super) fn unknown(reason: impl Into<std::borrow::Cow<'static, str>>) -> Stop {
        Halt::unknown(reason).into()
    }

    /// An error that has no place yet, at this place.
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

    /// What is left of it outside of everything that a jump could leave.
    pub(super) fn at_the_outside(self) -> (Halt, Option<TextSize>) {
        let illegal = |function: &str| {
            let message = format!("{function}() is called where there is nothing to leave");
            EvalError::new(Issue::IllegalJump, message).into()
        };
        match self {
            Stop::Halted { halt, at } => (halt, at),
            Stop::Next(_) => (illegal("next"), None),
            Stop::Return(_) => (illegal("return"), None),
            Stop::Break => (illegal("break"), None),
            Stop::Unevaluated(name) => (Halt::unknown(format!("${name} has no value yet")), None),
        }
    }
}
