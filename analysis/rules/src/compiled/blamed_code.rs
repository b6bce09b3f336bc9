//! The code to blame for a problem that appears when several definitions are compiled together.

use catalog::{ClassProblem, ProblemKind};
use hir::body::{Resource, body};
use hir::{Item, ItemKind, canonical_name};
use salsa::Database;

use super::problem::located;
use super::roles::is_of_node;
use super::{is_checked, is_whole_catalog};

/// Returns the definitions to blame for a problem between definitions other than the one that has it. In the catalog of
/// a node, the wrong code is to blame, not the node definition.
pub(crate) fn blamed_others<'db>(
    db: &'db dyn Database,
    problem: &ClassProblem,
    definition: Item<'db>,
) -> Vec<Item<'db>> {
    let places = problem.places.iter().filter_map(|it| located(db, it));
    let mut all: Vec<Item<'db>> = match problem.kind {
        ProblemKind::DuplicateDeclaration(_) => {
            let declaring = (0..problem.places.len()).map(|it| declaring_item(db, problem, it));
            declaring.collect::<Option<_>>().unwrap_or_default()
        }
        ProblemKind::Failure(_) => failing_items(db, problem),
        _ => places.map(|it| it.0).collect(),
    };
    if includes_by_data(db, problem, definition) {
        all.retain(|it| *it != definition);
    }
    if all.contains(&definition) {
        return Vec::new();
    }
    // The code of installed modules is not checked.
    let checked = all.into_iter().filter(|it| is_checked(db, *it));
    checked
        .take(blamed_count(db, problem, definition))
        .collect()
}

/// Checks whether code of main manifests or nodes without the name of a class that is declared twice declares it: data
/// has the name.
fn includes_by_data(db: &dyn Database, problem: &ClassProblem, definition: Item<'_>) -> bool {
    let ProblemKind::DuplicateDeclaration(key) = &problem.kind else {
        return false;
    };
    if key.type_name != "Class" || !is_whole_catalog(db, definition) {
        return false;
    }
    let name = canonical_name(&key.title);
    let places = problem.places.iter().filter_map(|it| located(db, it));
    let mut own = places.filter(|it| it.0 == definition);
    own.any(|(item, range)| {
        let code = item.syntax(db).covering_element(range).to_string();
        !code.to_lowercase().contains(&name)
    })
}

/// Returns the definition with the declaration whose arguments let code fail, if there is one, and that which fails by
/// itself or calls the function or template that does.
fn failing_items<'db>(db: &'db dyn Database, problem: &ClassProblem) -> Vec<Item<'db>> {
    let declarations = problem.places.iter().skip(1).rev();
    let code = problem.call.as_ref().or(problem.blamed_place());
    let places = declarations.chain(code).filter_map(|it| located(db, it));
    places.map(|it| it.0).collect()
}

/// Returns how many of the places of a problem are wrong.
fn blamed_count(db: &dyn Database, problem: &ClassProblem, definition: Item<'_>) -> usize {
    match problem.kind {
        // The code that passes a value has it in any catalog, except for a value of data.
        ProblemKind::RefusedValue(..) if problem.places.len() > 1 => 0,
        ProblemKind::ConflictingAttributes(..) => 0,
        _ if is_in_node(db, problem, definition) => 1,
        // The code that fails may be right, and the arguments wrong.
        ProblemKind::Failure(_) => 0,
        ProblemKind::DuplicateDeclaration(_) | ProblemKind::DependencyCycle(_) => usize::MAX,
        ProblemKind::ForeignOverride(_) | ProblemKind::RepeatedOverride(..) => 1,
        _ => 0,
    }
}

fn is_in_node(db: &dyn Database, problem: &ClassProblem, definition: Item<'_>) -> bool {
    let environment = definition.file(db).environment(db);
    environment.is_some_and(|it| is_of_node(db, it, definition, &problem.kind))
}

/// Returns the definition that decides what the declaration at a place declares. If its title is computed in a defined
/// type, that is the definition with the instance.
fn declaring_item<'db>(
    db: &'db dyn Database,
    problem: &ClassProblem,
    index: usize,
) -> Option<Item<'db>> {
    let instances = problem.instances.get(index).into_iter().flatten();
    let mut places = problem.places.get(index).into_iter().chain(instances);
    places.find_map(|it| {
        let (item, range) = located(db, it)?;
        let mut resources = body(db, item).resources.iter();
        let is_literal =
            |it: &Resource| it.range.contains_range(range) && it.has_only_literal_titles;
        let is_decisive = item.kind(db) != ItemKind::DefinedType || resources.any(is_literal);
        is_decisive.then_some(item)
    })
}
