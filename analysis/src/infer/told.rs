//! What a walk through a piece of an item says: a query can keep it, and the walk through the whole
//! item takes it over.
//!
//! All ranges in here are those of the piece; a [`Shift`] puts them where it stands.

use syntax::TextRange;

use super::flow::{Mark, Variable};
use super::inferred::Inferred;
use super::problem::Problem;
use super::walker::{EVALUATION_BUDGET, Frame, Walker};
use super::{Claim, MAX_ROUNDS};

/// What a walk through a piece of an item says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    /// What the piece comes to.
    pub(super) value: Inferred,
    /// What is known of variables behind it that was not known in front of it.
    pub(super) changes: Vec<(String, Option<Variable>)>,
    /// What variables are given.
    assigned: Vec<(String, Inferred)>,
    pub(super) claims: Vec<Claim>,
    pub(super) problems: Vec<Problem>,
    frame: Frame,
    /// Whether nothing gets behind it.
    is_dead: bool,
    steps: usize,
    /// What was spent on constants.
    spent: u64,
}

/// What asks for itself too often is walked through with the rest of the item.
pub(super) fn settle(cycle: &salsa::Cycle<'_>, after: Option<Told>) -> Option<Told> {
    after.filter(|_| cycle.iteration() < MAX_ROUNDS)
}

/// From a piece to the item that it is of.
pub(super) struct Shift {
    /// Where the piece stands in the item.
    piece: TextRange,
    /// Where the variables that it reads were given their values: seen from within, behind its end.
    places: Vec<Option<TextRange>>,
}

impl Shift {
    /// Of a piece that reads the variables that were given their values in these places: the first
    /// one right behind its end, the second one a byte further.
    pub(super) fn new(piece: TextRange, places: Vec<Option<TextRange>>) -> Shift {
        Shift { piece, places }
    }

    /// A range of the piece as one of the item.
    fn range(&self, range: TextRange) -> TextRange {
        range + self.piece.start()
    }

    /// A place where a variable was given its value.
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
    /// What a walk has said since a point; nothing if that is more than can be taken over.
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
            spent: EVALUATION_BUDGET.saturating_sub(self.budget.left()),
        })
    }

    /// Goes on behind a piece of which it is known what it says.
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
        // What is not there any more cannot be spent.
        self.budget
            .refill(self.budget.left().saturating_sub(told.spent));
    }
}
