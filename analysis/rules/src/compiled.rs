//! Problems that appear when a class, a defined type or a definition of a node is compiled with all that it includes.

pub(crate) mod blamed_code;
pub(crate) mod blamed_failure;
pub(crate) mod endless_instances;
pub(crate) mod failing_code;
pub(crate) mod failing_instance;
pub(crate) mod merged_parameter;
pub(crate) mod missing_resource;
mod own_problems;
pub(crate) mod problem;
mod problem_owners;
pub(crate) mod refused_arguments;
mod report;
pub(crate) mod roles;
#[cfg(test)]
mod tests;
mod users;

use base::{EnvironmentInput, FileInput, ModuleOrigin};
use catalog::{ClassProblems, class_problems, defined_type_problems, main_problems, node_problems};
use hir::autoload::{NameKey, find_item};
use hir::{Item, ItemKind, canonical_name, items, signature};
use salsa::Database;

use crate::checker::Checker;
use crate::data::class_lists;
use crate::enabled_checks::enabled_checks;
use roles::{is_compiled_role, problems_of_role};
use users::{nodes_with, roles_with, users};

pub(crate) use own_problems::{confirmed, own_problems};
pub(crate) use report::{blamed, blamed_reference, relate_definition, report, report_confirmed};

/// Compiles the definitions of a file before the rules that report their problems run. Needs no inferred types, so
/// another thread can infer them meanwhile.
pub fn compile_definitions(db: &dyn Database, file: FileInput) {
    let Some(environment) = file.environment(db) else {
        return;
    };
    if !enabled_checks(db, environment).compile() {
        return;
    }
    for item in items(db, file) {
        compiled(db, environment, *item);
        for user in users(db, environment, *item) {
            compiled(db, environment, user);
        }
    }
}

/// Compiles the nodes with the definitions of a file, the last part of [`compile_definitions`], so that two threads may
/// share the work.
pub fn compile_nodes(db: &dyn Database, file: FileInput) {
    let Some(environment) = file.environment(db) else {
        return;
    };
    if enabled_checks(db, environment).compile() {
        for item in items(db, file) {
            nodes_with(db, environment, *item).for_each(drop);
            roles_with(db, environment, *item);
        }
    }
}

/// Compiles a class, a defined type, the definition of a node or the main manifests. Returns `None` for other items, and
/// for code outside of main manifests.
pub(crate) fn compiled<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    item: Item<'db>,
) -> Option<&'db ClassProblems> {
    let key = || NameKey::new(db, canonical_name(item.name(db)));
    // Puppet loads node definitions only from main manifests.
    let is_in_main_manifest = || environment.manifests(db).contains(&item.file(db));
    Some(match item.kind(db) {
        ItemKind::Class if is_compiled_role(db, environment, item) => {
            problems_of_role(db, environment, key())
        }
        ItemKind::Class => class_problems(db, environment, key()),
        ItemKind::DefinedType => defined_type_problems(db, environment, key()),
        ItemKind::Node if is_in_main_manifest() => node_problems(db, environment, item),
        ItemKind::Main if is_in_main_manifest() => main_problems(db, environment),
        _ => return None,
    })
}

/// Checks whether a definition is compiled as a whole catalog: that of a node, or the main manifests.
pub(crate) fn is_whole_catalog(db: &dyn Database, definition: Item<'_>) -> bool {
    matches!(definition.kind(db), ItemKind::Node | ItemKind::Main)
}

/// Checks whether a definition is compiled as the catalog of a node: a whole catalog, or a role.
pub(crate) fn is_catalog_of_node(
    db: &dyn Database,
    environment: EnvironmentInput,
    definition: Item<'_>,
) -> bool {
    is_whole_catalog(db, definition) || is_compiled_role(db, environment, definition)
}

/// Checks whether no other code adds to the catalog of a definition. A classifier may add classes to main manifests, unless
/// these declare the classes that data lists.
pub(crate) fn is_complete_catalog(db: &dyn Database, definition: Item<'_>) -> bool {
    match definition.kind(db) {
        ItemKind::Node => true,
        ItemKind::Main => {
            let environment = definition.file(db).environment(db);
            environment.is_some_and(|it| class_lists(db, it).values().any(|it| it.is_whole))
        }
        _ => false,
    }
}

/// Checks whether the code of an item is checked, unlike that of installed modules.
pub(crate) fn is_checked(db: &dyn Database, item: Item<'_>) -> bool {
    let module = item.file(db).module(db);
    module.is_none_or(|it| it.origin(db) == ModuleOrigin::Workspace)
}

/// Returns the classes in the catalog of a definition.
pub(crate) fn classes_of<'db>(
    checker: &Checker<'db>,
    definition: Item<'db>,
) -> impl Iterator<Item = &'db String> {
    let found = compiled(checker.db, checker.environment, definition);
    found.into_iter().flat_map(|it| &it.classes)
}

/// Returns the names of the classes with parameters among a class and those that it includes.
pub(crate) fn parameterized_classes<'db>(
    checker: &Checker<'db>,
    definition: Item<'db>,
) -> Vec<String> {
    let (db, environment) = (checker.db, checker.environment);
    let name = canonical_name(definition.name(db));
    if is_whole_catalog(db, definition) {
        let classes = classes_of(checker, definition).cloned();
        return classes.filter(|it| has_parameters(checker, it)).collect();
    }
    let compiled = class_problems(db, environment, NameKey::new(db, name.clone()));
    let others = compiled.classes.iter().filter(|it| **it != name).cloned();
    std::iter::once(name.clone())
        .chain(others)
        .filter(|it| has_parameters(checker, it))
        .collect()
}

/// Checks whether a class has parameters.
pub(crate) fn has_parameters(checker: &Checker<'_>, class: &str) -> bool {
    let key = NameKey::new(checker.db, class.to_owned());
    let class = find_item(checker.db, checker.environment, ItemKind::Class, key);
    class.is_some_and(|it| !signature(checker.db, it).parameters.is_empty())
}
