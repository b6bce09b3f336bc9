//! Values that cannot fit where they are given, and calls that nothing takes.

use syntax::Severity;

use super::fixes::{nearest, optional, title, value_fixes};
use super::suggest::hint;
use super::templates::template_name;
use super::wording::{actual, count, counts, expected};
use super::{
    ARGUMENT_COUNT, BLOCK_MISMATCH, Checker, INVALID_ATTRIBUTE_VALUE, INVALID_TITLE,
    POSSIBLE_MISMATCH, Rule, TYPE_MISMATCH,
};
use crate::infer::{Inferred, Problem, ProblemKind, Target};
use crate::types::Type;
use crate::types::mismatch::{self, mismatches};
use crate::values::quote;

/// So many things that are wrong with one value are told.
const MAX_TOLD: usize = 3;

impl Checker<'_> {
    /// Words one of these.
    pub(super) fn mismatch(&mut self, problem: &Problem) {
        let range = problem.range;
        let (rule, message) = match &problem.kind {
            ProblemKind::Mismatch {
                what,
                expected,
                actual,
            } => (rule(what), mismatched(what, expected, actual)),
            ProblemKind::PossibleMismatch {
                what,
                expected: wanted,
                misfit,
            } => {
                let (wanted, misfit) = (expected(wanted), actual(misfit));
                let message = format!("{} must be {wanted}, and may be {misfit}", subject(what));
                (&POSSIBLE_MISMATCH, message)
            }
            ProblemKind::NoOverload {
                function,
                forms,
                actual: given,
            } => (&TYPE_MISMATCH, no_form(function, forms, given)),
            ProblemKind::ArgumentCount {
                function,
                wanted,
                actual,
            } => {
                let wanted = counts(*wanted, "argument");
                let message = format!("`{function}` takes {wanted}, not {actual}");
                (&ARGUMENT_COUNT, message)
            }
            ProblemKind::MissingBlock { function } => {
                (&BLOCK_MISMATCH, format!("`{function}` needs a block"))
            }
            ProblemKind::UnexpectedBlock { function } => {
                (&BLOCK_MISMATCH, format!("`{function}` takes no block"))
            }
            ProblemKind::BlockArity {
                function,
                given,
                actual,
            } => {
                let given = counts(*given, "argument");
                let actual = count(*actual, "parameter");
                let message = format!("`{function}` gives its block {given}, and it has {actual}");
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

    fn fix_mismatch(&mut self, problem: &Problem) {
        let ProblemKind::Mismatch {
            what,
            expected,
            actual,
        } = &problem.kind
        else {
            return;
        };
        let root = self.root();
        match what {
            Target::Title => {
                let is_number = matches!(actual, Type::Integer(_) | Type::Float(_));
                self.fix(is_number.then(|| title(&root, problem.range)).flatten());
            }
            Target::Default(_) if *actual == Type::Undef => {
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

/// `undef` as a default says that a value must be given: that goes well as long as it is.
fn is_left_open(kind: &ProblemKind) -> bool {
    let ProblemKind::Mismatch { what, actual, .. } = kind else {
        return false;
    };
    matches!((what, actual), (Target::Default(_), Type::Undef))
}

fn rule(what: &Target) -> &'static Rule {
    match what {
        Target::Attribute(..) => &INVALID_ATTRIBUTE_VALUE,
        Target::Title => &INVALID_TITLE,
        _ => &TYPE_MISMATCH,
    }
}

fn subject(what: &Target) -> String {
    match what {
        Target::Argument(function, name) => format!("argument `{name}` of `{function}`"),
        Target::Parameter(of, name) => format!("parameter `{name}` of `{of}`"),
        Target::TemplateParameter(of, name) => {
            format!("parameter `{name}` of {}", template_name(of))
        }
        Target::Attribute(of, name) => format!("attribute `{name}` of `{of}`"),
        Target::Default(name) => format!("the default of `${name}`"),
        Target::Result(function) => format!("the result of `{function}`"),
        Target::BlockParameter(name) => format!("block parameter `${name}`"),
        Target::Title => "the title of a resource".to_owned(),
        Target::Assertion => "what is asserted".to_owned(),
    }
}

fn mismatched(what: &Target, wanted: &Type, given: &Type) -> String {
    let subject = subject(what);
    if let Some(inside) = of_parts(wanted, given) {
        return format!("{subject}{inside}");
    }
    let text = Inferred::of(given.clone()).value;
    let text = text.as_ref().and_then(|it| it.as_str());
    let near = text.and_then(|it| nearest(wanted, it)).map(|it| quote(&it));
    let near = hint(near.as_deref());
    let (wanted, given) = (expected(wanted), actual(given));
    format!("{subject} must be {wanted}, not {given}{near}")
}

/// What is wrong with the parts of a value, if its kind is right.
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
    let told: Vec<String> = found
        .iter()
        .take(MAX_TOLD)
        .map(|it| it.sentence())
        .collect();
    Some(told.join(" and"))
}

fn no_form(function: &str, forms: &[String], given: &[Type]) -> String {
    let given: Vec<String> = given.iter().map(actual).collect();
    let forms: Vec<String> = forms.iter().map(|it| format!("`{it}`")).collect();
    format!(
        "no form of `{function}` takes {}: there is {}",
        given.join(", "),
        forms.join(", ")
    )
}
