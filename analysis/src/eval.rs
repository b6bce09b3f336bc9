//! Evaluation: what operators and functions do with values.
//!
//! Operators are pure functions over [`crate::values`]; whoever walks a syntax tree evaluates the
//! operands and calls them. Nothing here reads files, the clock or the environment.
//!
//! Every operation has three outcomes (see [`Outcome`]): a value, an error that Puppet would raise
//! at this place, or the honest "unknown" with a reason. An error is only given where Puppet gives
//! one, under the same issue code.

mod access;
mod arithmetic;
mod comparison;
mod context;
mod matching;
mod outcome;
mod type_access;

pub use access::access;
pub use arithmetic::{ArithmeticOperator, arithmetic, negate, unfold};
pub use comparison::{ComparisonOperator, comparison};
pub use context::{Context, Limits, Strictness};
pub use matching::{Match, contains, match_operator, option_matches};
pub use outcome::{Blame, EvalError, Halt, Issue, Outcome};
