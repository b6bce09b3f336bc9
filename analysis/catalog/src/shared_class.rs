//! The effect of a class on a catalog, as it is copied into others.

use std::collections::VecDeque;

use base::{FileId, FileInput};
use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;

use crate::data::{Catalog, Place, ResourceKey};
use crate::shared_code::{SharedAdditions, SharedStatement};
use crate::state::{
    Collector, PendingOverride, PendingRelationship, ScopeData, ScopeId, ScopeKind, State, TOP,
    Undeclared,
};

/// The resources that every catalog has.
const BUILT_IN: usize = 3;

/// The variable with the name of the module whose code declares a class.
pub(crate) const CALLER: &str = "caller_module_name";

/// The effect of a class, with the classes that it includes, on an empty catalog.
#[derive(Debug)]
pub(crate) struct SharedClass {
    /// The resources and classes, without the built-in ones.
    pub(crate) catalog: Catalog,
    /// The scopes without top scope, which is that of the code around the class.
    pub(crate) scopes: Vec<ScopeData>,
    pub(crate) classes: FxHashMap<String, Option<ScopeId>>,
    pub(crate) names: FxHashMap<ResourceKey, ResourceKey>,
    pub(crate) overrides: Vec<PendingOverride>,
    pub(crate) sources: FxHashMap<ResourceKey, ScopeId>,
    pub(crate) overriders: FxHashMap<(ResourceKey, String), Option<ScopeId>>,
    pub(crate) collectors: Vec<Collector>,
    pub(crate) relationships: Vec<PendingRelationship>,
    pub(crate) virtual_instances: FxHashMap<ResourceKey, ScopeId>,
    pub(crate) realized: Vec<(ResourceKey, Option<Place>)>,
    pub(crate) open: FxHashSet<ResourceKey>,
    pub(crate) containments: FxHashMap<(ResourceKey, ResourceKey), Option<Place>>,
    pub(crate) arrows: FxHashMap<ResourceKey, FxHashMap<ResourceKey, (&'static str, Place)>>,
    pub(crate) files: FxHashMap<FileId, FileInput>,
    pub(crate) undeclared: Vec<Undeclared>,
    pub(crate) missed: Vec<(ResourceKey, Option<Place>)>,
    pub(crate) missed_classes: FxHashSet<String>,
    pub(crate) open_statements: Vec<SharedStatement>,
    /// Those of the gaps of the catalog.
    pub(crate) additions: Vec<SharedAdditions>,
    /// The difference of `earlier_depth` where classes were first included by name.
    pub(crate) included: FxHashMap<String, usize>,
    pub(crate) uncertain_instances: VecDeque<(ResourceKey, ScopeId)>,
    /// The part of the budget that the evaluation takes.
    pub(crate) cost: u64,
    /// The number of classes that include each other in the longest chain.
    pub(crate) depth: usize,
}

impl SharedClass {
    /// Takes what a class has added to an empty catalog; `None` if that depends on other code.
    pub(crate) fn new(db: &dyn Database, mut state: State, cost: u64) -> Option<SharedClass> {
        let open_statements = std::mem::take(&mut state.open_statements).into_iter();
        let open_statements: Option<Vec<SharedStatement>> = open_statements
            .map(|it| SharedStatement::new(it, &state))
            .collect();
        let open_statements = open_statements?;
        let additions = std::mem::take(&mut state.additions).into_iter();
        let additions = additions.zip(&state.catalog.gaps);
        let additions =
            additions.map(|(it, gap)| SharedAdditions::new(it, gap.place, &state.files));
        let additions = additions.collect::<Option<Vec<_>>>()?;
        let State {
            mut catalog,
            mut scopes,
            classes,
            names,
            overrides,
            sources,
            overriders,
            collectors,
            relationships,
            virtual_instances,
            realized,
            open,
            containments,
            arrows,
            files,
            undeclared,
            missed,
            missed_classes,
            uncertain_instances,
            errors,
            max_class_depth,
            is_order_dependent,
            included,
            // These are taken above.
            open_statements: _,
            additions: _,
            // The following only matter during the evaluation.
            node: _,
            class_depth: _,
            earlier_depth: _,
            inheriting: _,
            pending: _,
            has_copies: _,
            has_copied_instances: _,
            failed_at: _,
            failed_in: _,
            failed_call: _,
            failed_key: _,
        } = state;
        scopes.remove(TOP.0);
        let of_code_around = scopes.iter().filter(|it| is_in_code_around(it));
        let mut read_by = of_code_around.filter_map(|it| files.get(&it.origin?.file?));
        if is_order_dependent || !errors.is_empty() || read_by.any(|it| reads_caller(db, *it)) {
            return None;
        }
        catalog.resources.drain(..BUILT_IN);
        catalog.classes.remove(0);
        Some(SharedClass {
            catalog,
            scopes,
            classes,
            names,
            overrides,
            sources,
            overriders,
            collectors,
            relationships,
            virtual_instances,
            realized,
            open,
            containments,
            arrows,
            files,
            undeclared,
            missed,
            missed_classes,
            open_statements,
            additions,
            included,
            uncertain_instances,
            cost,
            depth: max_class_depth,
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
