//! Which of the definitions that are compiled together reports a problem.

use base::EnvironmentInput;
use catalog::{
    ClassProblem, ClassProblems, ProblemKind, class_problems, defined_type_problems,
    has_node_definitions, main_problems,
};
use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, ReferenceName, body};
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name, items, signature};
use salsa::Database;

use super::problem::located;
use super::roles::{is_compiled_role, is_of_node};
use crate::data::is_listed;
use crate::index::class_users::users_in_environment;
use crate::index::possible_titles::is_mentioned;

/// A definition, and those that are compiled with it, which report problems too.
pub(super) struct ProblemOwners<'db> {
    db: &'db dyn Database,
    environment: EnvironmentInput,
    definition: Item<'db>,
    /// The name of the definition.
    name: String,
    kind: ItemKind,
    /// The other classes and defined types with their own problems, by name.
    others: Vec<(String, &'db ClassProblems)>,
    /// The problems of the main manifests outside of node definitions; only set for the definition of a node and a role.
    main: Option<&'db ClassProblems>,
}

impl<'db> ProblemOwners<'db> {
    pub(super) fn new(
        db: &'db dyn Database,
        environment: EnvironmentInput,
        definition: Item<'db>,
        own: &'db ClassProblems,
    ) -> ProblemOwners<'db> {
        let kind = definition.kind(db);
        let name = canonical_name(definition.name(db));
        let key = |name: &str| NameKey::new(db, name.to_owned());
        let is_other = |of: ItemKind, it: &String| kind != of || *it != name;
        let classes = own.classes.iter().cloned();
        let classes = classes.filter(|it| is_other(ItemKind::Class, it));
        let classes = classes.map(|it| {
            let found: &ClassProblems = class_problems(db, environment, key(&it));
            (it, found)
        });
        let defined_types = own.defined_types.iter().cloned();
        let defined_types = defined_types.filter(|it| is_other(ItemKind::DefinedType, it));
        let defined_types = defined_types.map(|it| {
            let found: &ClassProblems = defined_type_problems(db, environment, key(&it));
            (it, found)
        });
        ProblemOwners {
            db,
            environment,
            definition,
            others: classes.chain(defined_types).collect(),
            main: is_with_main(db, environment, definition).then(|| main_problems(db, environment)),
            kind,
            name,
        }
    }

    /// Checks whether the definition reports a problem.
    pub(super) fn is_own(&self, problem: &ClassProblem) -> bool {
        !self.is_elsewhere(problem) && !self.is_only_by_itself(problem)
    }

    /// Checks whether another definition reports a problem.
    fn is_elsewhere(&self, problem: &ClassProblem) -> bool {
        let mut of_main = self.main.iter().flat_map(|it| &it.problems);
        if of_main.any(|it| it.is_same(problem)) {
            return true;
        }
        let is_here = || has_place_in(self.db, problem, self.definition);
        if self.kind == ItemKind::Main
            && has_node_definitions(self.db, self.environment)
            && !is_here()
        {
            return true;
        }
        let of_node = is_of_node(self.db, self.environment, self.definition, &problem.kind);
        if of_node && self.is_open_in_classes(problem) {
            return false;
        }
        let mut others = self.others.iter();
        others.any(|(other, found)| self.is_reported_by(problem, other, found))
    }

    /// Checks whether a class does not report a problem by itself, or only as a hint, as less is known than of the catalog
    /// of a node.
    fn is_open_in_classes(&self, problem: &ClassProblem) -> bool {
        let (db, environment) = (self.db, self.environment);
        match &problem.kind {
            ProblemKind::UndeclaredResource(key) if key.type_name == "Class" => true,
            ProblemKind::UndeclaredResource(key) => {
                is_mentioned(db, environment, &key.type_name, &key.title) || !self.takes_data()
            }
            // The rule about it does not report a value that parameters may have.
            ProblemKind::RefusedValue(..) => problem.places.len() == 1,
            ProblemKind::Failure(_)
            | ProblemKind::UnrealizedResource(_)
            | ProblemKind::UnlikelyResource(_)
            // The code around a class may set defaults.
            | ProblemKind::UnqualifiedCommand(..) => true,
            _ => false,
        }
    }

    /// Checks whether data may set parameters of the classes.
    fn takes_data(&self) -> bool {
        let names = self.others.iter().map(|it| &it.0);
        let classes = names.filter_map(|name| {
            let key = NameKey::new(self.db, name.clone());
            find_item(self.db, self.environment, ItemKind::Class, key)
        });
        let mut signatures = classes.map(|it| signature(self.db, it));
        signatures.any(|it| !it.parameters.is_empty())
    }

    fn is_reported_by(&self, problem: &ClassProblem, other: &str, found: &ClassProblems) -> bool {
        let db = self.db;
        found.problems.iter().any(|it| it.is_same(problem))
            && !(found.includes(self.kind, &self.name)
                && is_reported_first(db, problem, &self.name, other))
    }

    /// Checks whether a class that includes this one does not have the problem: one that is only meant to be included
    /// does not declare something twice there.
    fn is_only_by_itself(&self, problem: &ClassProblem) -> bool {
        let mut others = self.others.iter();
        matches!(problem.kind, ProblemKind::DuplicateDeclaration(_))
            && others.any(|(_, found)| {
                found.includes(self.kind, &self.name)
                    && !found.problems.iter().any(|it| it.is_same(problem))
            })
    }

    /// Checks whether the class is not meant for the nodes with the problem: a class that it includes, or each one that
    /// includes it, includes it on other nodes only.
    pub(super) fn is_for_other_nodes(&self, problem: &ClassProblem) -> bool {
        let is_class = problem.node.is_some() && self.kind == ItemKind::Class;
        let mut others = self.others.iter();
        is_class
            && (others.any(|(other, found)| self.is_conditional_in(other, found))
                || self.is_conditional_in_users())
    }

    /// Checks whether all code that includes the class does so on other nodes only.
    fn is_conditional_in_users(&self) -> bool {
        let (db, environment) = (self.db, self.environment);
        let key = |name: &str| NameKey::new(db, name.to_owned());
        let is_included = |item: &Item<'_>| includes(db, *item, &self.name);
        let mut manifests = environment.manifests(db).iter();
        let mut users = users_in_environment(db, environment, key(&self.name)).iter();
        users.len() > 0
            && !manifests.any(|it| items(db, *it).iter().any(is_included))
            && !is_listed(db, environment, &self.name)
            && users.all(|(kind, user)| {
                *kind == ItemKind::Class
                    && self.is_conditional_in(user, class_problems(db, environment, key(user)))
            })
    }

    /// Checks whether another class includes this one, but not on the nodes for which it has been compiled.
    fn is_conditional_in(&self, other: &str, found: &ClassProblems) -> bool {
        !found.includes(self.kind, &self.name)
            && declares(self.db, self.environment, other, &self.name)
    }
}

/// Checks whether a definition is compiled with the main manifests.
fn is_with_main(db: &dyn Database, environment: EnvironmentInput, definition: Item<'_>) -> bool {
    definition.kind(db) == ItemKind::Node || is_compiled_role(db, environment, definition)
}

/// Checks whether the code of a class declares another one, under whatever condition.
fn declares(db: &dyn Database, environment: EnvironmentInput, class: &str, other: &str) -> bool {
    let Ok(Definition::Item(item)) = resolve::class(db, Some(environment), class) else {
        return false;
    };
    includes(db, item, other)
}

/// Checks whether code declares a class, under whatever condition.
fn includes(db: &dyn Database, item: Item<'_>, class: &str) -> bool {
    let mut references = body(db, item).references.iter();
    references.any(
        |it| matches!(&it.name, ReferenceName::Class(name, ClassUse::Declared) if name == class),
    )
}

/// Checks whether a problem has a place in an item.
pub(super) fn has_place_in(db: &dyn Database, problem: &ClassProblem, item: Item<'_>) -> bool {
    let file = item.file(db);
    let mut places = problem.places.iter().filter(|it| it.file == file);
    places.any(|it| located(db, it).is_some_and(|it| it.0 == item))
}

/// Checks whether the first of two classes that include each other reports their common problem: the one that
/// contains the place to blame, or the resource.
fn is_reported_first(db: &dyn Database, problem: &ClassProblem, name: &str, other: &str) -> bool {
    let place = problem.blamed_place().and_then(|it| located(db, it));
    let blamed = place.map(|(item, _)| canonical_name(item.name(db)));
    let mut owners = [blamed.as_deref(), problem.container.as_deref()]
        .into_iter()
        .flatten();
    match owners.find(|it| [name, other].contains(it)) {
        Some(owner) => owner == name,
        None => name < other,
    }
}
