//! What the inference has found wrong with types and values, as findings. Here is only which family
//! words what.

use super::Checker;
use super::wording::actual;
use crate::infer::{Problem, ProblemKind, infer};

pub(super) fn check(checker: &mut Checker<'_>) {
    let inference = infer(checker.db, checker.item);
    checker.types_from = checker.found.len();
    let is_condition = |it: &&Problem| matches!(it.kind, ProblemKind::ConstantCondition { .. });
    let others = inference.problems.iter().filter(|it| !is_condition(it));
    // What makes a condition always the same comes first.
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
    fn problem(&mut self, problem: &Problem) {
        use ProblemKind::*;
        match &problem.kind {
            Mismatch { .. }
            | PossibleMismatch { .. }
            | NoOverload { .. }
            | ArgumentCount { .. }
            | MissingBlock { .. }
            | UnexpectedBlock { .. }
            | BlockArity { .. } => self.mismatch(problem),
            Operand { .. }
            | Fails { .. }
            | IndexOutside { .. }
            | UnknownKey { .. }
            | NoGroup { .. }
            | NoText { .. } => self.wrong_value(problem),
            UnknownParameter { .. } | MissingParameter { .. } => self.template(problem),
            ConstantCondition { .. }
            | UnreachableOption { .. }
            | MissingOption { .. }
            | UnreachableCode
            | NeverEqual { .. } => self.pointless(problem),
        }
    }

    /// Says of the last finding why the types are what they are.
    fn explain(&mut self, problem: &Problem) {
        for reason in &problem.related {
            let message = format!("`${}` is {}", reason.variable, actual(&reason.type_));
            self.relate(self.item, reason.range, message);
        }
    }
}
