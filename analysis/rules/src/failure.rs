//! Operations and calls that always fail, which several rules share.

use eval::Issue;
use infer::{TypeProblem, TypeProblemKind};
use library::KnownFunction;
use types::Type;

/// The kind of a failure. Each is reported by one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// A division by zero.
    DivisionByZero,
    /// An arithmetic result that exceeds 64 bits.
    IntegerOverflow,
    /// A string that is not a regular expression.
    Regex,
    /// A format string that does not match its arguments.
    Format,
    /// Any other failure of a call.
    Call,
    /// Any other failure of an operator.
    Operand,
}

impl Failure {
    /// Returns the kind of a problem, if it is a failure.
    pub(crate) fn of(problem: &TypeProblem) -> Option<Failure> {
        match &problem.kind {
            TypeProblemKind::UnsupportedOperand {
                operator,
                left,
                right,
            } => Some(Failure::of_operands(operator, left, right.as_ref())),
            TypeProblemKind::EvaluationError {
                function, issue, ..
            } => Some(Failure::of_issue(function.as_deref(), *issue)),
            _ => None,
        }
    }

    fn of_operands(operator: &str, left: &Type, right: Option<&Type>) -> Failure {
        let is_integer = |it: &Type| matches!(it, Type::Integer(_));
        match (operator, right) {
            ("/" | "%", Some(right)) if *right == Type::integer_value(0) => Failure::DivisionByZero,
            ("+" | "-" | "*", Some(right)) if is_integer(left) && is_integer(right) => {
                Failure::IntegerOverflow
            }
            _ => Failure::Operand,
        }
    }

    fn of_issue(function: Option<&str>, issue: Issue) -> Failure {
        let known = function.and_then(KnownFunction::from_name);
        match (issue, function) {
            (Issue::DivByZero, _) => Failure::DivisionByZero,
            (Issue::NumericOverflow, _) => Failure::IntegerOverflow,
            (Issue::MatchNotRegexp, _) => Failure::Regex,
            _ if known.is_some_and(KnownFunction::takes_regex) => Failure::Regex,
            _ if known.is_some_and(KnownFunction::takes_format) => Failure::Format,
            (_, Some(_)) => Failure::Call,
            _ => Failure::Operand,
        }
    }
}
