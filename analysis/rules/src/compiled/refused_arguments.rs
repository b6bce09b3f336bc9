//! Finds declarations whose arguments the declared class or defined type rejects with `fail`.

use catalog::{ClassProblem, ProblemKind, class_problems, fails_with_any_parameters};
use hir::autoload::NameKey;
use hir::body::{Resource, ResourceForm, body};
use hir::{Item, ItemKind, canonical_name, signature};
use syntax::TextRange;

use crate::checker::Checker;
use crate::compiled::problem::{CompiledProblem, located};
use crate::index::default_reach::may_be_set_elsewhere;

/// The declaration of a class with arguments, or of an instance of a defined type.
pub(crate) struct Declaration<'db> {
    /// The item that contains it.
    pub(crate) item: Item<'db>,
    pub(crate) range: TextRange,
    /// Whether it sets all parameters, so that neither data nor defaults matter.
    pub(crate) is_complete: bool,
}

/// Returns the declaration whose arguments make the declared definition fail, if the declaring class always fails
/// because of it, whatever its parameters are.
pub(crate) fn refused_declaration<'db>(
    checker: &Checker<'db>,
    problem: &CompiledProblem<'db>,
    failing: Item<'db>,
) -> Option<Declaration<'db>> {
    let (db, environment, user) = (checker.db, checker.environment, problem.definition);
    let (item, range) = located(db, problem.failing_declaration()?)?;
    let mut resources = body(db, item).resources.iter();
    let resource = resources.find(|it| it.range == range && declares(checker, it, failing))?;
    let key = || NameKey::new(db, canonical_name(user.name(db)));
    let is_certain = user.kind(db) == ItemKind::Class
        && !fails_by_itself(checker, failing, problem)
        && !may_have_more_arguments(checker, (item, resource), failing)
        && fails_with_any_parameters(db, environment, key(), problem);
    let title = resource.titles.first();
    is_certain.then(|| Declaration {
        item,
        range: title.map_or(range, |it| it.range),
        is_complete: sets_all_parameters(checker, resource, failing),
    })
}

/// Checks whether a resource declares a class, or an instance of a defined type.
fn declares(checker: &Checker<'_>, resource: &Resource, definition: Item<'_>) -> bool {
    let name = canonical_name(definition.name(checker.db));
    match definition.kind(checker.db) {
        ItemKind::Class => {
            let mut titles = resource.titles.iter();
            resource.type_.as_deref() == Some("class")
                && titles.any(|it| canonical_name(&it.text) == name)
        }
        ItemKind::DefinedType => resource.type_.as_ref() == Some(&name),
        _ => false,
    }
}

/// Checks whether a resource sets all parameters of a definition.
fn sets_all_parameters(checker: &Checker<'_>, resource: &Resource, definition: Item<'_>) -> bool {
    let parameters = &signature(checker.db, definition).parameters;
    let is_set = |name: &String| resource.attributes.iter().any(|it| it.name == *name);
    parameters.iter().all(|it| is_set(&it.name))
}

/// Checks whether code elsewhere may set parameters of an instance of a defined type that neither the instance nor the
/// resource defaults of the item set.
fn may_have_more_arguments(
    checker: &Checker<'_>,
    (item, resource): (Item<'_>, &Resource),
    definition: Item<'_>,
) -> bool {
    let db = checker.db;
    if definition.kind(db) != ItemKind::DefinedType {
        return false;
    }
    let name = canonical_name(definition.name(db));
    let all = body(db, item).resources.iter();
    let defaults =
        all.filter(|it| it.form == ResourceForm::Defaults && it.type_.as_ref() == Some(&name));
    let own = defaults
        .flat_map(|it| &it.attributes)
        .chain(&resource.attributes);
    let own = own.map(|it| &it.name).chain(&resource.default_attributes);
    let own: Vec<&String> = own.collect();
    let parameters = signature(db, definition).parameters.iter();
    let mut open = parameters.filter(|it| !own.contains(&&it.name));
    open.any(|it| may_be_set_elsewhere(checker, &name, &it.name))
}

/// Checks whether a class fails at the same place with its default parameters: then it needs others, which data may
/// set.
fn fails_by_itself(checker: &Checker<'_>, definition: Item<'_>, failure: &ClassProblem) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    if definition.kind(db) != ItemKind::Class {
        return false;
    }
    let key = NameKey::new(db, canonical_name(definition.name(db)));
    let mut own = class_problems(db, environment, key).problems.iter();
    own.any(|it| {
        matches!(it.kind, ProblemKind::Failure(_)) && it.blamed_place() == failure.blamed_place()
    })
}
