//! Converts the problems of type inference to diagnostics, by dispatching them to the families of
//! rules.

use super::Checker;
use super::wording::actual;
use infer::{TypeProblem, TypeProblemKind, infer_item};

pub(super) fn check(checker: &mut Checker<'_>) {
    let inference = infer_item(checker.db, checker.item);
    checker.types_from = checker.found.len();
    let is_condition =
        |it: &&TypeProblem| matches!(it.kind, TypeProblemKind::ConstantCondition { .. });
    let others = inference.problems.iter().filter(|it| !is_condition(it));
    // Report the cause of a constant condition before the condition itself.
    let all = others.chain(inference.problems.iter().filter(is_condition));
    for problem in all {
        let before = checker.found.len();
        checker.problem(problem);
        if checker.found.len() > before {
            checker.explain(problem);
            checker.explain_template(problem);
        }
    }
}

impl Checker<'_> {
    fn problem(&mut self, problem: &TypeProblem) {
        use TypeProblemKind::*;
        match &problem.kind {
            Mismatch { .. }
            | PossibleMismatch { .. }
            | NoOverload { .. }
            | ArgumentCount { .. }
            | MissingBlock { .. }
            | UnexpectedBlock { .. }
            | BlockArity { .. } => self.mismatch(problem),
            UnsupportedOperand { .. }
            | EvaluationError { .. }
            | IndexOutOfRange { .. }
            | UnknownKey { .. }
            | UnknownCaptureGroup { .. }
            | NotStringifiable { .. } => self.wrong_value(problem),
            UnknownParameter { .. } | MissingParameter { .. } => self.template(problem),
            ConstantCondition { .. }
            | UnreachableOption { .. }
            | MissingOption { .. }
            | UnreachableCode
            | NeverEqual { .. } => self.pointless(problem),
        }
    }

    /// Adds the variables that explain the types to the last diagnostic.
    fn explain(&mut self, problem: &TypeProblem) {
        for reason in &problem.related {
            let message = format!("`${}` is {}", reason.variable, actual(&reason.type_));
            self.relate(self.item, reason.range, message);
        }
    }
}
