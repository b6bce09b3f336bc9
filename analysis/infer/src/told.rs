//! Summaries: the effects of inferring a part of an item, which a query can memoize and the
//! inference of the whole item applies.
//!
//! Ranges in a summary are relative to the part; a [`Shift`] translates them to ranges of the item.

use syntax::TextRange;

use super::flow::{Mark, Variable};
use super::inferred::Inferred;
use super::problem::Problem;
use super::walker::{EVALUATION_BUDGET, Frame, Walker};
use super::{Claim, MAX_ROUNDS};

/// The effects of inferring a part of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    /// The value of the part.
    pub(super) value: Inferred,
    /// The variables whose state after the part differs from that before it.
    pub(super) changes: Vec<(String, Option<Variable>)>,
    /// The values assigned to variables of the item's own scope.
    assigned: Vec<(String, Inferred)>,
    pub(super) claims: Vec<Claim>,
    pub(super) problems: Vec<Problem>,
    frame: Frame,
    /// Whether control never reaches the end of the part.
    is_dead: bool,
    steps: usize,
    /// The evaluation budget used for constants.
    spent: u64,
}

/// Cycle recovery: a part that still depends on itself after [`MAX_ROUNDS`] has no summary and is
/// inferred with the rest of the item.
pub(super) fn settle(cycle: &salsa::Cycle<'_>, after: Option<Told>) -> Option<Told> {
    after.filter(|_| cycle.iteration() < MAX_ROUNDS)
}

/// Translates ranges relative to a part of an item into ranges of the item.
pub(super) struct Shift {
    /// The range of the part in the item.
    piece: TextRange,
    /// The assignments of the variables that the part reads; in the summary, their ranges are
    /// encoded as offsets past the end of the part.
    places: Vec<Option<TextRange>>,
}

impl Shift {
    /// Creates the translation for a part at `piece`. Inside the part, `places[n]` is represented
    /// by the empty range `n` bytes after the end.
    pub(super) fn new(piece: TextRange, places: Vec<Option<TextRange>>) -> Shift {
        Shift { piece, places }
    }

    fn range(&self, range: TextRange) -> TextRange {
        range + self.piece.start()
    }

    /// Translates the range of an assignment, which may be located before the part.
    fn place(&self, range: TextRange) -> Option<TextRange> {
        match range.start().checked_sub(self.piece.len()) {
            Some(hidden) => self.places.get(usize::from(hidden)).copied().flatten(),
            None => Some(self.range(range)),
        }
    }

    fn variable(&self, variable: &Variable) -> Variable {
        Variable {
            assigned_at: variable.assigned_at.and_then(|it| self.place(it)),
            ..variable.clone()
        }
    }

    fn claim(&self, claim: &Claim) -> Claim {
        Claim {
            range: self.range(claim.range),
            ..claim.clone()
        }
    }

    fn problem(&self, problem: &Problem) -> Problem {
        let mut problem = problem.clone();
        problem.range = self.range(problem.range);
        problem.related.retain_mut(|it| match self.place(it.range) {
            Some(range) => {
                it.range = range;
                true
            }
            None => false,
        });
        problem
    }
}

impl Walker<'_> {
    /// Returns the effects since `start`, or `None` if they include more than a summary can hold.
    pub(super) fn into_told(mut self, start: &Mark, value: Inferred) -> Option<Told> {
        if self.strays || self.flow.groups().is_some() {
            return None;
        }
        let mut assigned: Vec<_> = self.assigned.into_iter().collect();
        assigned.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.claims.shrink_to_fit();
        Some(Told {
            value,
            changes: self.flow.changes_since(start),
            assigned,
            claims: self.claims,
            problems: self.problems,
            frame: self.frames.pop()?,
            is_dead: self.flow.is_dead(),
            steps: self.steps,
            spent: EVALUATION_BUDGET.saturating_sub(self.budget.remaining()),
        })
    }

    /// Applies the summary of a part instead of inferring it.
    pub(super) fn take_over(&mut self, told: &Told, shift: &Shift) {
        for (name, after) in &told.changes {
            let after = after.as_ref().map(|it| shift.variable(it));
            self.flow.change(name, after);
        }
        for (name, inferred) in &told.assigned {
            self.assigned_also(name, inferred.clone());
        }
        let claims = told.claims.iter().map(|it| shift.claim(it));
        self.claims.extend(claims);
        let problems = told.problems.iter().map(|it| shift.problem(it));
        self.problems.extend(problems);
        if let Some(frame) = self.frames.last_mut() {
            frame.extend(&told.frame);
        }
        if told.is_dead {
            self.flow.die();
        }
        self.steps += told.steps;
        // The budget may be smaller than when the summary was computed.
        self.budget
            .refill(self.budget.remaining().saturating_sub(told.spent));
    }
}
