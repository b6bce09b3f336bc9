//! The problems that compilations find.

use std::ops::Deref;

use catalog::{ClassProblem, ProblemPlace};
use hir::{Item, item_at};
use salsa::Database;
use syntax::TextRange;

/// A problem, and the definition whose compilation finds it.
#[derive(Clone)]
pub(crate) struct CompiledProblem<'db> {
    pub(crate) problem: ClassProblem,
    pub(crate) definition: Item<'db>,
}

impl Deref for CompiledProblem<'_> {
    type Target = ClassProblem;

    fn deref(&self) -> &ClassProblem {
        &self.problem
    }
}

/// Returns the definition that contains a place, and the range in its tree.
pub(crate) fn located<'db>(
    db: &'db dyn Database,
    place: &ProblemPlace,
) -> Option<(Item<'db>, TextRange)> {
    item_at(db, place.file, place.range)
}
