//! Evaluation of Puppet code: operators, control flow and the built-in functions.
//!
//! Operators are pure functions on [`types::values`]. The [`Evaluator`] walks a syntax tree,
//! evaluates the operands and applies the operators; [`evaluate`] does so for a whole source.
//! Evaluation has no access to files, the clock or the process environment.
//!
//! Every operation has one of three results (see [`Outcome`]): a value, the error that Puppet
//! raises, or unknown with a reason. An error is only returned if Puppet raises one, with the same
//! issue code.
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
