//! Summaries: the effects of inferring a part of an item, which a query can memoize and the
//! inference of the whole item applies.
//!
//! Ranges in a summary are relative to the part; a [`RangeTranslation`] translates them to
//! ranges of the item.

use syntax::TextRange;

use super::flow::{Checkpoint, VariableState};
use super::inference_context::{EVALUATION_BUDGET, ExitScope, InferenceContext};
use super::inferred::Inferred;
use super::problem::TypeProblem;
use super::{MAX_ROUNDS, TypedRange};

/// The effects of inferring a part of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InferenceSummary {
    /// The value of the part.
    pub(super) value: Inferred,
    /// The variables whose state after the part differs from that before it.
    pub(super) changes: Vec<(String, Option<VariableState>)>,
    /// The values assigned to variables of the item's own scope.
    assigned: Vec<(String, Inferred)>,
    pub(super) typed_ranges: Vec<TypedRange>,
    pub(super) problems: Vec<TypeProblem>,
    exit_scope: ExitScope,
    /// Whether control never reaches the end of the part.
    is_unreachable: bool,
    steps: usize,
    /// The evaluation budget used for constants.
    spent: u64,
}

/// Cycle recovery: a part that still depends on itself after [`MAX_ROUNDS`] has no summary and is
/// inferred with the rest of the item.
pub(super) fn recover_summary(
    cycle: &salsa::Cycle<'_>,
    after: Option<InferenceSummary>,
) -> Option<InferenceSummary> {
    after.filter(|_| cycle.iteration() < MAX_ROUNDS)
}

/// Translates ranges relative to a part of an item into ranges of the item.
pub(super) struct RangeTranslation {
    /// The range of the part in the item.
    part_range: TextRange,
    /// The assignments of the variables that the part reads; in the summary, their ranges are
    /// encoded as offsets past the end of the part.
    assignment_ranges: Vec<Option<TextRange>>,
}

impl RangeTranslation {
    /// Creates the translation for a part at `part_range`. Inside the part, `assignment_ranges[n]`
    /// is represented by the empty range `n` bytes after the end.
    pub(super) fn new(
        part_range: TextRange,
        assignment_ranges: Vec<Option<TextRange>>,
    ) -> RangeTranslation {
        RangeTranslation {
            part_range,
            assignment_ranges,
        }
    }

    fn range(&self, range: TextRange) -> TextRange {
        range + self.part_range.start()
    }

    /// Translates the range of an assignment, which may be located before the part.
    fn assignment_range(&self, range: TextRange) -> Option<TextRange> {
        match range.start().checked_sub(self.part_range.len()) {
            Some(hidden) => self
                .assignment_ranges
                .get(usize::from(hidden))
                .copied()
                .flatten(),
            None => Some(self.range(range)),
        }
    }

    fn variable(&self, variable: &VariableState) -> VariableState {
        VariableState {
            assigned_at: variable
                .assigned_at
                .and_then(|it| self.assignment_range(it)),
            ..variable.clone()
        }
    }

    fn typed_range(&self, typed_range: &TypedRange) -> TypedRange {
        TypedRange {
            range: self.range(typed_range.range),
            ..typed_range.clone()
        }
    }

    fn problem(&self, problem: &TypeProblem) -> TypeProblem {
        let mut problem = problem.clone();
        problem.range = self.range(problem.range);
        problem
            .related
            .retain_mut(|it| match self.assignment_range(it.range) {
                Some(range) => {
                    it.range = range;
                    true
                }
                None => false,
            });
        problem
    }
}

impl InferenceContext<'_> {
    /// Returns the effects since `start`, or `None` if they include more than a summary can hold.
    pub(super) fn into_summary(
        mut self,
        start: &Checkpoint,
        value: Inferred,
    ) -> Option<InferenceSummary> {
        if self.reads_unlisted || self.flow.match_variables().is_some() {
            return None;
        }
        let mut assigned: Vec<_> = self.assigned.into_iter().collect();
        assigned.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.typed_ranges.shrink_to_fit();
        Some(InferenceSummary {
            value,
            changes: self.flow.changes_since(start),
            assigned,
            typed_ranges: self.typed_ranges,
            problems: self.problems,
            exit_scope: self.exit_scopes.pop()?,
            is_unreachable: self.flow.is_unreachable(),
            steps: self.steps,
            spent: EVALUATION_BUDGET.saturating_sub(self.budget.left()),
        })
    }

    /// Applies the summary of a part instead of inferring it.
    pub(super) fn apply_summary(
        &mut self,
        summary: &InferenceSummary,
        translation: &RangeTranslation,
    ) {
        for (name, after) in &summary.changes {
            let after = after.as_ref().map(|it| translation.variable(it));
            self.flow.apply_change(name, after);
        }
        for (name, inferred) in &summary.assigned {
            self.join_assigned(name, inferred.clone());
        }
        let typed_ranges = summary
            .typed_ranges
            .iter()
            .map(|it| translation.typed_range(it));
        self.typed_ranges.extend(typed_ranges);
        let problems = summary.problems.iter().map(|it| translation.problem(it));
        self.problems.extend(problems);
        if let Some(exit_scope) = self.exit_scopes.last_mut() {
            exit_scope.extend(&summary.exit_scope);
        }
        if summary.is_unreachable {
            self.flow.mark_unreachable();
        }
        self.steps += summary.steps;
        // The budget may be smaller than when the summary was computed.
        self.budget
            .refill(self.budget.left().saturating_sub(summary.spent));
    }
}
