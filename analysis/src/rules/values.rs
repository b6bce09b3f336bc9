//! Operations that fail with the values that they are given, and parts that are not there.

use syntax::ast::AstNode;
use syntax::{Fix, Severity};

use super::fixes::{literal_in, text_like};
use super::suggest::{hint, similar};
use super::wording::{actual, count};
use super::{
    CALL_FAILS, Checker, DIVISION_BY_ZERO, HIDDEN_TEXT, INDEX_OUTSIDE, INTEGER_OVERFLOW,
    INVALID_FORMAT, INVALID_OPERAND, INVALID_REGEX, Rule, UNKNOWN_GROUP, UNKNOWN_KEY,
};
use crate::eval::Issue;
use crate::infer::{Problem, ProblemKind};
use crate::types::Type;

/// Functions that read a format or another small language.
const FORMATS: [&str; 2] = ["sprintf", "strftime"];
/// Functions that read regular expressions.
const PATTERNS: [&str; 3] = ["match", "regsubst", "split"];

impl Checker<'_> {
    /// Words one of these.
    pub(super) fn wrong_value(&mut self, problem: &Problem) {
        let (rule, message) = match &problem.kind {
            ProblemKind::Operand {
                operator,
                left,
                right,
            } => operand(operator, left, right.as_ref()),
            ProblemKind::Fails {
                function,
                issue,
                message,
            } => (failure(function.as_deref(), *issue), message.clone()),
            ProblemKind::IndexOutside { index, size } => {
                let size = usize::try_from(*size).unwrap_or(usize::MAX);
                let size = count(size, "element");
                let message = format!("there is nothing at {index}: the array has {size}");
                (&INDEX_OUTSIDE, message)
            }
            ProblemKind::UnknownKey { key, known } => {
                let near = hint(similar(key, known.iter().map(String::as_str)));
                (&UNKNOWN_KEY, format!("there is no key `{key}`{near}"))
            }
            ProblemKind::NoGroup { number, count } => {
                let groups = super::wording::count(*count, "group");
                let message = format!("`${number}` is never set: the match has {groups}");
                (&UNKNOWN_GROUP, message)
            }
            ProblemKind::NoText { actual: type_ } => {
                let message = format!("{} does not show its value in a text", actual(type_));
                (&HIDDEN_TEXT, message)
            }
            _ => return,
        };
        let absent = matches!(
            problem.kind,
            ProblemKind::IndexOutside { .. } | ProblemKind::UnknownKey { .. }
        );
        let severity = if absent && problem.foreign {
            Severity::Hint
        } else {
            rule.severity
        };
        self.report_as(rule, severity, problem.range, message);
        if let ProblemKind::UnknownKey { key, known } = &problem.kind
            && let Some(near) = similar(key, known.iter().map(String::as_str))
            && let Some(written) = literal_in(&self.root(), problem.range, key)
        {
            let range = written.syntax().text_range();
            let text = text_like(&written, near);
            self.fix(Some(Fix::suggested(format!("Write `{near}`"), range, text)));
        }
    }
}

fn operand(operator: &str, left: &Type, right: Option<&Type>) -> (&'static Rule, String) {
    let zero = right.is_some_and(|it| *it == Type::integer_value(0));
    let message = match (operator, right) {
        ("/" | "%", Some(_)) if zero => {
            return (&DIVISION_BY_ZERO, "this divides by zero".to_owned());
        }
        ("+" | "-" | "*", Some(right)) if is_integer(left) && is_integer(right) => {
            let message = "the result is too large: integers have 64 bits".to_owned();
            return (&INTEGER_OVERFLOW, message);
        }
        ("[]", Some(right)) => {
            let (left, right) = (actual(left), actual(right));
            format!("{left} has no part {right}")
        }
        (_, Some(right)) => {
            let (left, right) = (actual(left), actual(right));
            format!("`{operator}` cannot be applied to {left} and {right}")
        }
        (_, None) => format!("`{operator}` cannot be applied to {}", actual(left)),
    };
    (&INVALID_OPERAND, message)
}

fn is_integer(type_: &Type) -> bool {
    matches!(type_, Type::Integer(_))
}

/// The rule of a failure, by Puppet's name for it and the function it is in.
fn failure(function: Option<&str>, issue: Issue) -> &'static Rule {
    match (issue, function) {
        (Issue::DivByZero, _) => &DIVISION_BY_ZERO,
        (Issue::NumericOverflow, _) => &INTEGER_OVERFLOW,
        (Issue::MatchNotRegexp, _) => &INVALID_REGEX,
        (_, Some(it)) if PATTERNS.contains(&it) => &INVALID_REGEX,
        (_, Some(it)) if FORMATS.contains(&it) => &INVALID_FORMAT,
        (_, Some(_)) => &CALL_FAILS,
        _ => &INVALID_OPERAND,
    }
}
