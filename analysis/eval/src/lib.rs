//! Evaluation of Puppet code: operators, control flow and the built-in functions.
//!
//! Operators are pure functions on [`types::values`]. The [`Evaluator`] walks a syntax tree,
//! evaluates the operands and applies the operators; [`evaluate`] does so for a whole source.
//! Evaluation has no access to files, the clock or the process environment.
//!
//! Every operation has one of three results (see [`EvalResult`]): a value, the error that Puppet
//! raises, or unknown with a reason. An error is only returned if Puppet raises one, with the same
//! issue code.
#![warn(missing_docs)]

mod access;
mod arithmetic;
mod assignments;
mod budget;
mod calls;
mod closures;
mod comparison;
mod conditionals;
mod context;
mod control_flow;
mod error_position;
mod expressions;
mod failure;
mod functions;
mod leaving;
mod matching;
mod partial_calls;
mod partial_operators;
mod partial_values;
mod rendered;
mod ruby;
mod scope;
mod session;
mod standalone_environment;
mod strings;
mod templates;
mod type_access;
mod unknown;

pub use access::access;
pub use arithmetic::{ArithmeticOperator, arithmetic, expand_splat, negate};
pub use budget::Budget;
pub use closures::Closure;
pub use comparison::{ComparisonOperator, comparison};
pub use context::{Context, Limits, Strictness};
pub use control_flow::{ControlFlow, FlowResult};
pub use expressions::{Environment, Evaluator, arithmetic_operator, comparison_operator, splat};
pub use failure::{Blame, EvalError, EvalFailure, EvalResult, Issue};
pub use functions::digests::hex_digest;
pub use functions::{BuiltInFunctions, FunctionDefinitions, is_evaluable};
pub use matching::{Match, contains, match_operator, option_matches};
pub use partial_values::{known_entries, merge_partly};
pub use scope::{Binding, Scope, ScopeMark};
pub use session::{EvalSettings, Evaluation, ReportedError, Session, TypedValue, evaluate};
pub use unknown::{PartlyKnown, Unknown};
