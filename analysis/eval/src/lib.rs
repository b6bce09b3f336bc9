//! Evaluation: what operators and functions do with values.
//!
//! Operators are pure functions over [`types::values`]. The [`Evaluator`] walks a syntax tree,
//! evaluates the operands and calls them; [`evaluate`] does that to a whole source. Nothing here reads files, the clock or the
//! environment.
//!
//! Every operation has three outcomes (see [`Outcome`]): a value, an error that Puppet would raise
//! at this place, or the honest "unknown" with a reason. An error is only given where Puppet gives
//! one, under the same issue code.
#![warn(missing_docs)]

mod access;
mod alone;
mod arithmetic;
mod assignments;
mod budget;
mod calls;
mod closures;
mod comparison;
mod conditionals;
mod context;
mod expressions;
mod functions;
mod matching;
mod outcome;
mod places;
mod program;
mod ruby;
mod scope;
mod stop;
mod strings;
mod type_access;

pub use access::access;
pub use arithmetic::{ArithmeticOperator, arithmetic, negate, unfold};
pub use budget::Budget;
pub use closures::Closure;
pub use comparison::{ComparisonOperator, comparison};
pub use context::{Context, Limits, Strictness};
pub use expressions::{Environment, Evaluator, arithmetic_operator, comparison_operator, splat};
pub use functions::{BuiltInFunctions, FunctionDefinitions, is_pure};
pub use matching::{Match, contains, match_operator, option_matches};
pub use outcome::{Blame, EvalError, Halt, Issue, Outcome};
pub use program::{EvalAnswer, EvalSettings, Failure, Session, ValueAnswer, evaluate};
pub use scope::{Found, Mark, Scope};
pub use stop::{Evaluated, Stop};
