//! Reports problems of compiled items at the code to blame, with the other places.

use base::EnvironmentInput;
use catalog::{ClassProblem, ProblemPlace};
use hir::body::{ClassUse, Reference, ReferenceName, body};
use hir::other_versions::is_of_other_version;
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, signature};
use salsa::Database;
use syntax::TextRange;

use super::problem::{CompiledProblem, located};
use super::{compiled, confirmed};
use crate::checker::Checker;
use crate::index::class_users::{DefinitionKey, definition_key};
use crate::rule::Rule;

/// Returns the range at which to report a problem, and the index of the place that it is. A problem between other
/// classes is reported at the instance of a defined type that has it, at the reference to one of the classes, or else at
/// the name of the class.
pub(crate) fn blamed(checker: &Checker<'_>, problem: &ClassProblem) -> (TextRange, Option<usize>) {
    let own = |it: &ProblemPlace| {
        let found = located(checker.db, it).filter(|it| it.0 == checker.item);
        found.map(|it| it.1)
    };
    let mut places = problem.places.iter().enumerate();
    let place = places.find_map(|(index, it)| Some((own(it)?, Some(index))));
    let mut instances = problem.instances.iter().flatten();
    let mut classes = problem.classes.iter();
    let mut other = || {
        let instance = instances.find_map(own);
        let reference = instance.or_else(|| used_reference(checker, problem));
        let reference = reference.or_else(|| classes.find_map(own));
        reference.unwrap_or_else(|| signature(checker.db, checker.item).name_range)
    };
    place.unwrap_or_else(|| (other(), None))
}

/// Returns the range of the reference in the item to the definition with the first place of a problem, or else the name
/// of the item.
pub(crate) fn blamed_reference(checker: &Checker<'_>, problem: &ClassProblem) -> TextRange {
    let reference = used_reference(checker, problem);
    reference.unwrap_or_else(|| signature(checker.db, checker.item).name_range)
}

/// Returns the range of the only call in the item to a function that has a place of a problem.
fn failing_call(checker: &Checker<'_>, problem: &ClassProblem) -> Option<TextRange> {
    let db = checker.db;
    let places = problem.places.iter().filter_map(|it| located(db, it));
    let functions: Vec<Item<'_>> = places
        .map(|it| it.0)
        .filter(|it| it.kind(db) == ItemKind::Function && *it != checker.item)
        .collect();
    if functions.is_empty() {
        return None;
    }
    let is_call = |it: &&Reference| matches!(it.name, ReferenceName::Function(_));
    let calls = checker.body.references.iter().filter(is_call);
    let mut calls = calls.filter(|it| match resolve::resolve(db, checker.item, it) {
        Ok(Definition::Item(called)) => functions.contains(&called),
        _ => false,
    });
    let only = calls.next().filter(|_| calls.next().is_none());
    only.map(|it| it.range)
}

/// Returns the range of the code in the item that leads to a problem: a call to the failing function, a reference to
/// the definition that contains the first place, or a reference to a definition that includes it. Otherwise tries the
/// next place.
fn used_reference(checker: &Checker<'_>, problem: &ClassProblem) -> Option<TextRange> {
    let (db, environment) = (checker.db, checker.environment);
    if let Some(call) = failing_call(checker, problem) {
        return Some(call);
    }
    let places = problem.places.iter().filter_map(|it| located(db, it));
    let owners = places.filter_map(|it| definition_key(db, it.0));
    let references = checker.body.references.iter();
    let used: Vec<(TextRange, Item<'_>)> = references
        .filter_map(|it| Some((it.range, used_definition(db, environment, &it.name)?)))
        .collect();
    let to_owner = |owner: DefinitionKey| {
        let is_direct = |it: Item<'_>| definition_key(db, it).as_ref() == Some(&owner);
        let is_user = |it: Item<'_>| {
            compiled(db, environment, it).is_some_and(|it| it.includes(owner.0, &owner.1))
                || uses(db, environment, it, &owner)
        };
        let direct = used.iter().find(|it| is_direct(it.1));
        direct.or_else(|| used.iter().find(|it| is_user(it.1)))
    };
    let found = owners.filter_map(to_owner).next();
    found.map(|it| it.0)
}

/// Checks whether the code of a definition declares another one by its name.
fn uses(
    db: &dyn Database,
    environment: EnvironmentInput,
    item: Item<'_>,
    wanted: &DefinitionKey,
) -> bool {
    let mut references = body(db, item).references.iter();
    references.any(|it| {
        let used = used_definition(db, environment, &it.name);
        used.and_then(|it| definition_key(db, it)).as_ref() == Some(wanted)
    })
}

/// Returns the class or defined type that code declares by a name.
fn used_definition<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: &ReferenceName,
) -> Option<Item<'db>> {
    let found = match name {
        ReferenceName::Class(name, ClassUse::Declared | ClassUse::Inherited) => {
            resolve::class(db, Some(environment), name)
        }
        ReferenceName::ResourceType(name) => resolve::resource_type(db, Some(environment), name),
        _ => return None,
    };
    match found {
        Ok(Definition::Item(item)) => Some(item),
        _ => None,
    }
}

/// Reports a problem, if it is [`confirmed`], at a range, which is that of one of its places or of the name of the class,
/// with the other places. `label` describes the place with an index.
pub(crate) fn report<'db>(
    checker: &mut Checker<'db>,
    rule: &'static Rule,
    problem: &CompiledProblem<'db>,
    (range, own): (TextRange, Option<usize>),
    message: String,
    label: impl Fn(usize) -> &'static str,
) {
    if let Some(problem) = confirmed(checker, problem) {
        report_confirmed(checker, rule, &problem, (range, own), message, label);
    }
}

/// Reports a problem that is [`confirmed`], like [`report`].
pub(crate) fn report_confirmed<'db>(
    checker: &mut Checker<'db>,
    rule: &'static Rule,
    problem: &CompiledProblem<'db>,
    (range, own): (TextRange, Option<usize>),
    message: String,
    label: impl Fn(usize) -> &'static str,
) {
    let message = match &problem.node {
        Some(node) => format!("{message} on nodes such as `{node}`"),
        None => message,
    };
    let own_file = checker.item.file(checker.db);
    let mut files = problem.places.iter().map(|it| it.file);
    let is_uncertain = files.any(|it| is_of_other_version(checker.db, own_file, it));
    checker.check_uncertain(is_uncertain, |it| it.report(rule, range, message));
    let others = problem.places.iter().enumerate();
    for (index, place) in others.filter(|it| Some(it.0) != own) {
        if let Some((item, range)) = located(checker.db, place) {
            checker.relate(item, range, label(index));
        }
    }
    relate_definition(checker, problem.definition);
}

/// Adds the definition whose compilation finds a problem in the item to the last diagnostic.
pub(crate) fn relate_definition<'db>(checker: &mut Checker<'db>, definition: Item<'db>) {
    if definition == checker.item {
        return;
    }
    let name = signature(checker.db, definition).name_range;
    let message = match definition.kind(checker.db) {
        ItemKind::Class => "in the catalog of this class".to_owned(),
        ItemKind::Node => {
            let node = definition.name(checker.db);
            format!(
                "in the catalog of node `{}`",
                node.trim_matches(['\'', '"'])
            )
        }
        ItemKind::Main => "in the catalog of the main manifest".to_owned(),
        _ => "in each instance of this defined type".to_owned(),
    };
    checker.relate(definition, name, message);
}
