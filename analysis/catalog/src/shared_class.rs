//! The effect of a class on a catalog, as it is copied into others.

use base::FileInput;
use library::KnownFunction;
use salsa::Database;

use crate::shared_code::{SharedAdditions, SharedStatement};
use crate::state::{Effects, ScopeData, ScopeKind, State, TOP};

/// The number of resources that every catalog starts with.
const BUILT_IN: usize = 3;

/// The name of the variable `$caller_module_name`, whose value differs for each code that includes a shared class.
pub(crate) const CALLER: &str = "caller_module_name";

/// The effects of a class, with the classes that it includes, on an empty catalog.
#[derive(Debug)]
pub(crate) struct SharedClass {
    /// The effects, except for the built-in resources and the variables of top scope, which the including compilation
    /// supplies.
    pub(crate) effects: Effects,
    pub(crate) open_statements: Vec<SharedStatement>,
    /// The resources that each gap of the catalog may declare, in the order of [`Catalog::gaps`].
    pub(crate) additions: Vec<SharedAdditions>,
    /// The part of the budget that the evaluation takes.
    pub(crate) cost: u64,
    /// The number of classes that include each other in the longest chain.
    pub(crate) depth: usize,
}

impl SharedClass {
    /// Takes what a class has added to an empty catalog; `None` if that depends on other code.
    pub(crate) fn new(db: &dyn Database, mut state: State, cost: u64) -> Option<SharedClass> {
        let statements = std::mem::take(&mut state.open_statements).into_iter();
        let statements = statements.map(|it| SharedStatement::new(it, &state));
        let open_statements = statements.collect::<Option<Vec<_>>>()?;
        let mut effects = state.effects;
        let additions = state.additions.into_iter().zip(&effects.catalog.gaps);
        let additions =
            additions.map(|(it, gap)| SharedAdditions::new(it, gap.place, &effects.files));
        let additions = additions.collect::<Option<Vec<_>>>()?;
        effects.scopes.remove(TOP.0);
        let of_code_around = effects.scopes.iter().filter(|it| is_in_code_around(it));
        let mut read_by = of_code_around.filter_map(|it| effects.files.get(&it.origin?.file?));
        if state.is_order_dependent
            || !state.errors.is_empty()
            || read_by.any(|it| reads_caller(db, *it))
        {
            return None;
        }
        effects.catalog.resources.drain(..BUILT_IN);
        effects.catalog.classes.remove(0);
        Some(SharedClass {
            effects,
            open_statements,
            additions,
            cost,
            depth: state.max_class_depth,
        })
    }
}

/// Checks whether a scope is inside of that of the code that includes a shared class.
pub(crate) fn is_in_code_around(scope: &ScopeData) -> bool {
    scope.parent == Some(TOP) && scope.kind != ScopeKind::Function
}

/// Checks whether code may depend on the module of the code that declares it.
fn reads_caller(db: &dyn Database, file: FileInput) -> bool {
    let text = file.text(db).as_deref().unwrap_or_default();
    text.contains(CALLER) || text.contains(KnownFunction::AssertPrivate.name())
}
