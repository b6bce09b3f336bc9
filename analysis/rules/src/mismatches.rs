//! Type mismatches, and calls that no overload accepts.

use syntax::Severity;

use super::fixes::{nearest, optional, title, value_fixes};
use super::suggest::hint;
use super::templates::template_name;
use super::wording::{actual, count, counts, expected, mismatch_of_part};
use super::{
    ARGUMENT_COUNT, BLOCK_MISMATCH, Checker, INVALID_ATTRIBUTE_VALUE, INVALID_TITLE,
    POSSIBLE_MISMATCH, Rule, TYPE_MISMATCH,
};
use infer::{Inferred, TypeProblem, TypeProblemKind, ValueTarget};
use types::Type;
use types::mismatch::{self, mismatches};
use types::values::quote;

/// The maximum number of mismatches reported for one value.
const MAX_TOLD: usize = 3;

impl Checker<'_> {
    /// Renders a type problem as a diagnostic.
    pub(super) fn mismatch(&mut self, problem: &TypeProblem) {
        let range = problem.range;
        let (rule, message) = match &problem.kind {
            TypeProblemKind::Mismatch {
                what,
                expected,
                actual,
            } => (rule(what), mismatched(what, expected, actual)),
            TypeProblemKind::PossibleMismatch {
                what,
                expected: wanted,
                misfit,
            } => {
                let (wanted, misfit) = (expected(wanted), actual(misfit));
                let (subject, verb) = (subject(what), verb(what));
                let message = format!("{subject} {verb} {wanted}, but the value may be {misfit}");
                (&POSSIBLE_MISMATCH, message)
            }
            TypeProblemKind::NoOverload {
                function,
                overloads: forms,
                actual: given,
            } => (&TYPE_MISMATCH, no_form(function, forms, given)),
            TypeProblemKind::ArgumentCount {
                function,
                wanted,
                actual,
            } => {
                let wanted = counts(*wanted, "argument");
                let message = format!("`{function}` expects {wanted}, found {actual}");
                (&ARGUMENT_COUNT, message)
            }
            TypeProblemKind::MissingBlock { function } => {
                (&BLOCK_MISMATCH, format!("`{function}` expects a block"))
            }
            TypeProblemKind::UnexpectedBlock { function } => {
                let message = format!("`{function}` does not accept a block");
                (&BLOCK_MISMATCH, message)
            }
            TypeProblemKind::BlockArity {
                function,
                given,
                actual,
            } => {
                let given = counts(*given, "argument");
                let actual = count(*actual, "parameter");
                let message =
                    format!("`{function}` passes {given} to its block, which has {actual}");
                (&BLOCK_MISMATCH, message)
            }
            _ => return,
        };
        let severity = if is_left_open(&problem.kind) {
            Severity::Warning
        } else {
            rule.severity
        };
        self.report_as(rule, severity, range, message);
        self.fix_mismatch(problem);
    }

    fn fix_mismatch(&mut self, problem: &TypeProblem) {
        let TypeProblemKind::Mismatch {
            what,
            expected,
            actual,
        } = &problem.kind
        else {
            return;
        };
        let root = self.root();
        match what {
            ValueTarget::Title => {
                let is_number = matches!(actual, Type::Integer(_) | Type::Float(_));
                self.fix(is_number.then(|| title(&root, problem.range)).flatten());
            }
            ValueTarget::Default(_) if *actual == Type::Undef => {
                self.fix(optional(&root, problem.range));
            }
            _ => {
                for fix in value_fixes(&root, problem.range, expected, actual) {
                    self.fix(Some(fix));
                }
            }
        }
    }
}

/// Checks for the default `undef` on a parameter that does not allow it. Some authors mark required
/// parameters this way, which works as long as every caller passes a value.
fn is_left_open(kind: &TypeProblemKind) -> bool {
    let TypeProblemKind::Mismatch { what, actual, .. } = kind else {
        return false;
    };
    matches!((what, actual), (ValueTarget::Default(_), Type::Undef))
}

fn rule(what: &ValueTarget) -> &'static Rule {
    match what {
        ValueTarget::Attribute(..) => &INVALID_ATTRIBUTE_VALUE,
        ValueTarget::Title => &INVALID_TITLE,
        _ => &TYPE_MISMATCH,
    }
}

fn subject(what: &ValueTarget) -> String {
    match what {
        ValueTarget::Argument(function, name) => format!("argument `{name}` of `{function}`"),
        ValueTarget::Parameter(of, name) => format!("parameter `{name}` of `{of}`"),
        ValueTarget::TemplateParameter(of, name) => {
            format!("parameter `{name}` of {}", template_name(of))
        }
        ValueTarget::Attribute(of, name) => format!("attribute `{name}` of `{of}`"),
        ValueTarget::Default(name) => format!("default value of `${name}`"),
        ValueTarget::Result(function) => format!("return value of `{function}`"),
        ValueTarget::BlockParameter(name) => format!("block parameter `${name}`"),
        ValueTarget::Title => "resource title".to_owned(),
        ValueTarget::Assertion => "`assert_type`".to_owned(),
    }
}

/// The verb between the subject of a message and the expected type.
fn verb(what: &ValueTarget) -> &'static str {
    match what {
        ValueTarget::Default(_) | ValueTarget::Result(_) | ValueTarget::Title => "must be",
        _ => "expects",
    }
}

fn mismatched(what: &ValueTarget, wanted: &Type, given: &Type) -> String {
    let subject = subject(what);
    if let Some(inside) = of_parts(wanted, given) {
        return format!("{subject}{inside}");
    }
    let text = Inferred::of(given.clone()).value;
    let text = text.as_ref().and_then(|it| it.as_str());
    let near = text.and_then(|it| nearest(wanted, it)).map(|it| quote(&it));
    let near = hint(near.as_deref());
    let (wanted, given) = (expected(wanted), actual(given));
    format!("{subject} {} {wanted}, found {given}{near}", verb(what))
}

/// Describes the mismatches of the parts of a value whose own kind is right, to follow the subject of
/// the message.
fn of_parts(wanted: &Type, given: &Type) -> Option<String> {
    let found = mismatches(wanted, given);
    let of_parts = |it: &mismatch::Mismatch| {
        let keys = matches!(
            it.problem,
            mismatch::Problem::Missing(_) | mismatch::Problem::Unknown(_)
        );
        keys || !it.path.is_empty()
    };
    if found.is_empty() || !found.iter().all(of_parts) {
        return None;
    }
    let shown = found.iter().take(MAX_TOLD).enumerate();
    let shown = shown.map(|(index, it)| mismatch_of_part(it, index == 0));
    Some(shown.collect())
}

fn no_form(function: &str, forms: &[String], given: &[Type]) -> String {
    let given: Vec<String> = given.iter().map(actual).collect();
    let forms: Vec<String> = forms.iter().map(|it| format!("`{it}`")).collect();
    format!(
        "no overload of `{function}` accepts {}; expected {}",
        given.join(", "),
        forms.join(" or ")
    )
}
