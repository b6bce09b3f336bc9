//! The problems that compilations find.

use std::ops::Deref;

use base::FileInput;
use catalog::{ClassProblem, ProblemPlace};
use hir::{Item, items};
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
    let file: FileInput = place.file;
    let mut items = items(db, file).iter();
    items.find_map(|item| {
        let start = item.offset(db);
        let range = place.range.checked_sub(start)?;
        let is_inside = item.syntax(db).text_range().contains_range(range);
        is_inside.then_some((*item, range))
    })
}
