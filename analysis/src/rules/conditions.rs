//! Code that does nothing: conditions that are always the same, options that no value gets to, code
//! behind what never returns, values that are never equal.

use syntax::{Severity, TextRange};

use super::wording::actual;
use super::{
    CONSTANT_CONDITION, Checker, MISSING_OPTION, NEVER_EQUAL, Rule, UNREACHABLE_CODE,
    UNREACHABLE_OPTION,
};
use crate::infer::{Problem, ProblemKind};
use crate::types::Type;

impl Checker<'_> {
    /// Words one of these.
    pub(super) fn pointless(&mut self, problem: &Problem) {
        let range = problem.range;
        match &problem.kind {
            ProblemKind::ConstantCondition { value, guards } => {
                // What makes it so may have been told already.
                let told = self.found[self.types_from..].iter();
                if !told.clone().any(|it| range.contains_range(it.range)) {
                    let message = format!("this is always {value}");
                    let milder = *guards || problem.foreign;
                    self.milder(milder, &CONSTANT_CONDITION, range, message);
                }
            }
            ProblemKind::UnreachableOption { subject, guards } => {
                let message = if subject.is_never() {
                    "nothing gets here: the options before take all that comes".to_owned()
                } else {
                    format!("nothing gets here: what is left is {}", actual(subject))
                };
                let milder = *guards || problem.foreign;
                self.milder(milder, &UNREACHABLE_OPTION, range, message);
            }
            ProblemKind::MissingOption { left, fatal } => {
                let left = actual(left);
                if *fatal {
                    let message = format!("no option takes {left}, and Puppet fails then");
                    self.report(&MISSING_OPTION, range, message);
                } else {
                    let message = format!("no option takes {left}");
                    self.report_as(&MISSING_OPTION, Severity::Hint, range, message);
                }
            }
            ProblemKind::UnreachableCode => {
                let message = "nothing gets here".to_owned();
                self.report(&UNREACHABLE_CODE, range, message);
            }
            ProblemKind::NeverEqual { left, right } => {
                // To ask whether nothing is there does no harm.
                let guards = [left, right].contains(&&Type::Undef);
                let (left, right) = (actual(left), actual(right));
                let message = format!("{left} and {right} are never equal");
                let milder = guards || problem.foreign;
                self.milder(milder, &NEVER_EQUAL, range, message);
            }
            _ => {}
        }
    }

    /// Reports something that is only a hint if it keeps to what is meant, or is so because of
    /// other code, which may change.
    fn milder(&mut self, milder: bool, rule: &'static Rule, range: TextRange, message: String) {
        let severity = if milder {
            Severity::Hint
        } else {
            rule.severity
        };
        self.report_as(rule, severity, range, message);
    }
}
