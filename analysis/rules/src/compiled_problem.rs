//! The problems that compilations find.

use std::ops::Deref;

use catalog::ClassProblem;
use hir::Item;

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
