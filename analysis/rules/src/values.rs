//! Operations that fail for the given values, and missing elements, keys and capture groups.

use syntax::ast::{AstNode, Expr};
use syntax::{Fix, Severity, TextRange};

use super::fixes::{expr_at, literal_in, text_like};
use super::suggest::{hint, similar};
use super::wording::{actual, count};
use super::{
    CALL_FAILS, Checker, DIVISION_BY_ZERO, HIDDEN_TEXT, INDEX_OUTSIDE, INTEGER_OVERFLOW,
    INVALID_FORMAT, INVALID_OPERAND, INVALID_REGEX, Rule, UNKNOWN_GROUP, UNKNOWN_KEY,
};
use eval::Issue;
use infer::{TypeProblem, TypeProblemKind};
use types::Type;

/// Functions that take a format string.
const FORMATS: [&str; 2] = ["sprintf", "strftime"];
/// Functions that take a regular expression as a string.
const PATTERNS: [&str; 3] = ["match", "regsubst", "split"];

impl Checker<'_> {
    /// Renders a problem with values as a diagnostic.
    pub(super) fn wrong_value(&mut self, problem: &TypeProblem) {
        let (rule, message) = match &problem.kind {
            TypeProblemKind::UnsupportedOperand {
                operator,
                left,
                right,
            } => operand(operator, left, right.as_ref()),
            TypeProblemKind::EvaluationError {
                function,
                issue,
                message,
            } => (failure(function.as_deref(), *issue), message.clone()),
            TypeProblemKind::IndexOutOfRange { index, size } => {
                let size = usize::try_from(*size).unwrap_or(usize::MAX);
                let size = count(size, "element");
                let message = format!("index {index} is out of range: the array has {size}");
                (&INDEX_OUTSIDE, message)
            }
            TypeProblemKind::UnknownKey { key, known } => {
                let near = hint(similar(key, known.iter().map(String::as_str)));
                let hash = self.hash_at(problem.range);
                (&UNKNOWN_KEY, format!("no key `{key}`{hash}{near}"))
            }
            TypeProblemKind::UnknownCaptureGroup { number, count } => {
                let groups = match count {
                    0 => "none".to_owned(),
                    count => count.to_string(),
                };
                let message =
                    format!("no capture group {number}: the regular expression has {groups}");
                (&UNKNOWN_GROUP, message)
            }
            TypeProblemKind::NotStringifiable { .. } => {
                let message = "a `Sensitive` value is redacted when interpolated".to_owned();
                (&HIDDEN_TEXT, message)
            }
            _ => return,
        };
        let absent = matches!(
            problem.kind,
            TypeProblemKind::IndexOutOfRange { .. } | TypeProblemKind::UnknownKey { .. }
        );
        let severity = if absent && problem.depends_on_external {
            Severity::Hint
        } else {
            rule.severity
        };
        self.report_as(rule, severity, problem.range, message);
        if let TypeProblemKind::UnknownKey { key, known } = &problem.kind
            && let Some(near) = similar(key, known.iter().map(String::as_str))
            && let Some(written) = literal_in(&self.root(), problem.range, key)
        {
            let range = written.syntax().text_range();
            let text = text_like(&written, near);
            let label = format!("Replace with `{near}`");
            self.fix(Some(Fix::suggested(label, range, text)));
        }
    }

    /// Names the hash of an access expression, if it is a variable.
    fn hash_at(&self, access: TextRange) -> String {
        let access = expr_at(&self.root(), access);
        let base = match access {
            Some(Expr::AccessExpr(it)) => it.base(),
            _ => None,
        };
        let name = match base {
            Some(Expr::VariableExpr(it)) => it.name(),
            _ => None,
        };
        name.map_or(String::new(), |it| format!(" in `${it}`"))
    }
}

fn operand(operator: &str, left: &Type, right: Option<&Type>) -> (&'static Rule, String) {
    let zero = right.is_some_and(|it| *it == Type::integer_value(0));
    let message = match (operator, right) {
        ("/" | "%", Some(_)) if zero => {
            return (&DIVISION_BY_ZERO, "division by zero".to_owned());
        }
        ("+" | "-" | "*", Some(right)) if is_integer(left) && is_integer(right) => {
            let message = "integer overflow: the result does not fit into 64 bits".to_owned();
            return (&INTEGER_OVERFLOW, message);
        }
        ("[]", Some(right)) => {
            let (left, right) = (actual(left), actual(right));
            format!("cannot index {left} with {right}")
        }
        (_, Some(right)) => {
            let (left, right) = (actual(left), actual(right));
            format!("operator `{operator}` does not apply to {left} and {right}")
        }
        (_, None) => format!("operator `{operator}` does not apply to {}", actual(left)),
    };
    (&INVALID_OPERAND, message)
}

fn is_integer(type_: &Type) -> bool {
    matches!(type_, Type::Integer(_))
}

/// Returns the rule for a failure, by its issue code and the function that fails.
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
