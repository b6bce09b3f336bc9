//! The problems that a class, a defined type, the definition of a node or the main manifests report.

use std::rc::Rc;

use base::EnvironmentInput;
use catalog::{ClassProblem, class_problems, confirmed_problem};
use hir::autoload::NameKey;
use hir::{Item, ItemKind, canonical_name};
use salsa::Database;

use super::blamed_code::blamed_others;
use super::problem::CompiledProblem;
use super::problem_owners::{ProblemOwners, has_place_in};
use super::roles::{is_compiled_role, is_of_node};
use super::users::{nodes_with, roles_with, users, users_in_code};
use super::{compiled, is_whole_catalog};
use crate::checker::Checker;

/// Returns the problems to report for the class, the defined type or the definition of a node that the checker is at.
/// They are not [`confirmed`] yet. A problem that a contained class or defined type has on its own is reported there
/// instead. A problem between other definitions of the module is reported at its places, too.
pub(crate) fn own_problems<'db>(checker: &Checker<'db>) -> Rc<[CompiledProblem<'db>]> {
    let found = checker.own_problems.get_or_init(|| find(checker).into());
    Rc::clone(found)
}

fn find<'db>(checker: &Checker<'db>) -> Vec<CompiledProblem<'db>> {
    let (db, environment, item) = (checker.db, checker.environment, checker.item);
    let own = problems_of(db, environment, item);
    let mut found: Vec<CompiledProblem<'db>> = own
        .filter(|it| !is_reported_at_places(db, environment, it))
        .collect();
    // They have no name at which to report a problem between other definitions.
    if item.kind(db) == ItemKind::Main {
        found.retain(|it| has_place_in(db, it, item));
    }
    let is_node =
        |it: Item<'db>, problem: &ClassProblem| is_of_node(db, environment, it, &problem.kind);
    let is_blamed =
        |it: &ClassProblem, user: Item<'db>| blamed_others(db, it, user).contains(&item);
    for user in users(db, environment, item) {
        // Most have none, and other definitions need not be compiled then.
        let compiled = compiled(db, environment, user);
        let mut problems = compiled.into_iter().flat_map(|it| &it.problems);
        if !problems.any(|it| is_blamed(it, user)) {
            continue;
        }
        let wrong = problems_of(db, environment, user).filter(|it| is_blamed(it, user));
        for problem in wrong {
            match found.iter_mut().find(|it| it.is_same(&problem)) {
                // The catalog of a node is more precise than that of a sample node.
                Some(known) if is_node(user, &problem) && !is_node(known.definition, &problem) => {
                    *known = problem;
                }
                Some(_) => {}
                None => found.push(problem),
            }
        }
    }
    found
}

/// Returns the problems of a definition, except those that a contained definition has on its own.
fn problems_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    definition: Item<'db>,
) -> impl Iterator<Item = CompiledProblem<'db>> {
    let compiled = compiled(db, environment, definition).filter(|it| !it.problems.is_empty());
    let own = compiled.map(|own| (ProblemOwners::new(db, environment, definition, own), own));
    own.into_iter().flat_map(move |(around, own)| {
        let problems = own.problems.iter().filter(move |it| around.is_own(it));
        problems.map(move |it| CompiledProblem {
            problem: it.clone(),
            definition,
        })
    })
}

/// Checks whether a problem between other definitions is reported at their places.
fn is_reported_at_places<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    problem: &CompiledProblem<'db>,
) -> bool {
    let has_it = |user: Item<'db>| {
        let found = compiled(db, environment, user);
        found.is_some_and(|it| it.problems.iter().any(|it| it.is_same(problem)))
    };
    let is_of_node = is_whole_catalog(db, problem.definition);
    let mut others = blamed_others(db, problem, problem.definition).into_iter();
    others.any(|it| match is_of_node {
        true => nodes_with(db, environment, it).any(has_it),
        false => {
            let users = users_in_code(db, environment, it).into_iter();
            users.chain(roles_with(db, environment, it)).any(has_it)
        }
    })
}

/// Returns a problem with the node on which it occurs; `None` if other parameters may prevent it, or if the class is not
/// meant for the nodes with it. The definition is compiled again for this, so ask only for what would be reported.
pub(crate) fn confirmed<'db>(
    checker: &Checker<'db>,
    problem: &CompiledProblem<'db>,
) -> Option<CompiledProblem<'db>> {
    let (db, environment, definition) = (checker.db, checker.environment, problem.definition);
    let own = compiled(db, environment, definition)?;
    if is_only_on_nodes(checker, problem) {
        return Some(problem.clone());
    }
    let kind = definition.kind(db);
    let name = NameKey::new(db, canonical_name(definition.name(db)));
    let problem = confirmed_problem(db, environment, (kind, name), problem)?;
    let around = ProblemOwners::new(db, environment, definition, own);
    let is_meant = !around.is_for_other_nodes(&problem);
    is_meant.then_some(CompiledProblem {
        problem,
        definition,
    })
}

/// Checks whether a role has a problem that its class does not have by itself.
fn is_only_on_nodes(checker: &Checker<'_>, problem: &CompiledProblem<'_>) -> bool {
    let (db, environment, definition) = (checker.db, checker.environment, problem.definition);
    let of_class = || {
        let name = NameKey::new(db, canonical_name(definition.name(db)));
        &class_problems(db, environment, name).problems
    };
    is_compiled_role(db, environment, definition)
        && !of_class().iter().any(|it| it.is_same(problem))
}
