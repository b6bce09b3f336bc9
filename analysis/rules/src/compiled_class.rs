//! Problems that appear when a class, a defined type or a definition of a node is compiled with all that it includes.

use std::rc::Rc;

use base::{EnvironmentInput, FileInput, ModuleInput};
use catalog::{
    ClassProblem, ClassProblems, ProblemKind, ProblemPlace, class_problems, confirmed_problem,
    defined_type_problems, has_node_definitions, main_problems, node_problems,
};
use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, Reference, ReferenceName, body};
use hir::other_versions::is_of_other_version;
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name, items, signature};
use salsa::Database;
use syntax::TextRange;

use crate::blamed_code::{blamed_others, is_checked};
use crate::checker::Checker;
use crate::class_users::{
    DefinitionKey, definition_key, may_conflict, users_in_environment, users_of,
};
use crate::compiled_problem::{CompiledProblem, located};
use crate::data::class_lists;
use crate::enabled_checks::enabled_checks;
use crate::possible_titles::is_mentioned;
use crate::rule::Rule;

/// The largest number of nodes with a class whose compilations are searched for problems. Each edit of the class
/// compiles them anew.
const MAX_NODES: usize = 6;

/// The largest number of these whose problems are reported at the class.
const MAX_WRONG_NODES: usize = 2;

/// The largest number of users of a class, direct and indirect ones, whose compilations are searched for problems.
const MAX_USERS: usize = 4;

/// Returns the problems to report for the class, the defined type or the definition of a node that the checker is at.
/// They are not [`confirmed`] yet. A problem that a contained class or defined type has on its own is reported there
/// instead. A problem between other definitions of the module is reported at its places, too.
pub(crate) fn own_problems<'db>(checker: &Checker<'db>) -> Rc<[CompiledProblem<'db>]> {
    let found = checker.own_problems.get_or_init(|| find(checker).into());
    Rc::clone(found)
}

/// Compiles the definitions of a file ahead of the rules that report what is found. This does not need their types, so
/// that it can run while another thread infers them.
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

/// Compiles a class, a defined type, the definition of a node or the main manifests. Returns `None` for other items, and
/// for code outside of main manifests.
pub(crate) fn compiled<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    item: Item<'db>,
) -> Option<&'db ClassProblems> {
    let key = || NameKey::new(db, canonical_name(item.name(db)));
    // Others are not loaded.
    let is_in_main_manifest = || environment.manifests(db).contains(&item.file(db));
    Some(match item.kind(db) {
        ItemKind::Class => class_problems(db, environment, key()),
        ItemKind::DefinedType => defined_type_problems(db, environment, key()),
        ItemKind::Node if is_in_main_manifest() => node_problems(db, environment, item),
        ItemKind::Main if is_in_main_manifest() => main_problems(db, environment),
        _ => return None,
    })
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
    let is_node = |it: Item<'db>| is_whole(db, it);
    let is_blamed = |it: &CompiledProblem<'db>| blamed_others(db, it).contains(&item);
    for user in users(db, environment, item) {
        // Most have none, and other definitions need not be compiled then.
        let compiled = compiled(db, environment, user);
        let problems = compiled.into_iter().flat_map(|it| &it.problems);
        let mut problems = problems.map(|it| CompiledProblem {
            problem: it.clone(),
            definition: user,
        });
        if !problems.any(|it| is_blamed(&it)) {
            continue;
        }
        for problem in problems_of(db, environment, user).filter(is_blamed) {
            match found.iter_mut().find(|it| it.is_same(&problem)) {
                // The catalog of a node is more precise than that of a sample node.
                Some(known) if is_node(user) && !is_node(known.definition) => *known = problem,
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
    let own = compiled.map(|own| (Surroundings::new(db, environment, definition, own), own));
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
    let is_of_node = is_whole(db, problem.definition);
    blamed_others(db, problem)
        .into_iter()
        .any(|it| match is_of_node {
            true => nodes_with(db, environment, it).any(has_it),
            false => users_in_code(db, environment, it).into_iter().any(has_it),
        })
}

/// Checks whether a definition is compiled as a whole catalog: that of a node, or the main manifests.
pub(crate) fn is_whole(db: &dyn Database, definition: Item<'_>) -> bool {
    matches!(definition.kind(db), ItemKind::Node | ItemKind::Main)
}

/// Checks whether no other code adds to the catalog of a definition. A classifier may add classes to main manifests, unless
/// these declare the classes that data lists.
pub(crate) fn is_closed(db: &dyn Database, definition: Item<'_>) -> bool {
    match definition.kind(db) {
        ItemKind::Node => true,
        ItemKind::Main => {
            let environment = definition.file(db).environment(db);
            environment.is_some_and(|it| class_lists(db, it).values().any(|it| it.is_whole))
        }
        _ => false,
    }
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
    if is_whole(db, definition) {
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

/// Returns the first definitions that use a class or defined type, and the first nodes with it.
fn users<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> impl Iterator<Item = Item<'db>> {
    let in_code = users_in_code(db, environment, used).into_iter();
    in_code.chain(nodes_with(db, environment, used))
}

/// Returns the first definitions of nodes whose catalogs include a class or have instances of a defined type, and are
/// wrong.
fn nodes_with<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> impl Iterator<Item = Item<'db>> {
    let key = definition_key(db, used);
    let manifests = key.as_ref().map(|_| environment.manifests(db).iter());
    let all = manifests.into_iter().flatten();
    let all = all.flat_map(|it| items(db, *it));
    // Without definitions of nodes, the main manifests have the only catalog.
    let (kind, count) = match has_node_definitions(db, environment) {
        true => (ItemKind::Node, usize::MAX),
        false => (ItemKind::Main, 1),
    };
    let nodes = all.filter(move |it| it.kind(db) == kind).copied();
    let nodes = nodes.take(count);
    let has_used = move |node: &Item<'db>| {
        let found = compiled(db, environment, *node);
        let both = found.zip(key.as_ref());
        both.is_some_and(|(found, (kind, name))| found.includes(*kind, name))
    };
    let nodes = nodes.filter(has_used).take(MAX_NODES);
    let has_problems = move |it: &Item<'db>| {
        compiled(db, environment, *it).is_some_and(|it| !it.problems.is_empty())
    };
    nodes.filter(has_problems).take(MAX_WRONG_NODES)
}

/// Returns the first definitions that use a class or defined type, and those that use these: the definitions of the
/// same module, if it may conflict with others, and in a control repository those of all its own modules.
fn users_in_code<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> Vec<Item<'db>> {
    let is_site = !environment.manifests(db).is_empty();
    let module = used.file(db).module(db).filter(|_| is_checked(db, used));
    let Some(module) = module.filter(|it| is_site || may_conflict(db, *it, used)) else {
        return Vec::new();
    };
    let mut found = vec![used];
    let mut next = 0;
    while let Some(of) = found.get(next).filter(|_| found.len() <= MAX_USERS) {
        for user in direct_users(db, environment, module, *of) {
            if !found.contains(&user) {
                found.push(user);
            }
        }
        next += 1;
    }
    found.truncate(MAX_USERS + 1);
    found.split_off(1)
}

/// Returns the definitions that use a class or defined type: those of a module, or in a control repository those of all
/// its own modules.
fn direct_users<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
    used: Item<'db>,
) -> Vec<Item<'db>> {
    let Some((_, name)) = definition_key(db, used) else {
        return Vec::new();
    };
    let name = NameKey::new(db, name);
    let keys = match environment.manifests(db).is_empty() {
        true => users_of(db, module, name),
        false => users_in_environment(db, environment, name),
    };
    let users = keys.iter().filter_map(|(kind, name)| {
        let found = match kind {
            ItemKind::Class => resolve::class(db, Some(environment), name),
            _ => resolve::resource_type(db, Some(environment), name),
        };
        match found {
            Ok(Definition::Item(user)) => Some(user),
            _ => None,
        }
    });
    users.collect()
}

/// Returns a problem with the node on which it occurs; `None` if other parameters may prevent it, or if the class is not
/// meant for the nodes with it. The definition is compiled again for this, so ask only for what would be reported.
pub(crate) fn confirmed<'db>(
    checker: &Checker<'db>,
    problem: &CompiledProblem<'db>,
) -> Option<CompiledProblem<'db>> {
    let (db, environment, definition) = (checker.db, checker.environment, problem.definition);
    let own = compiled(db, environment, definition)?;
    let kind = definition.kind(db);
    let name = NameKey::new(db, canonical_name(definition.name(db)));
    let problem = confirmed_problem(db, environment, (kind, name), problem)?;
    let around = Surroundings::new(db, environment, definition, own);
    let is_meant = !around.is_for_other_nodes(&problem);
    is_meant.then_some(CompiledProblem {
        problem,
        definition,
    })
}

/// A definition, and those that are compiled with it, which report problems too.
struct Surroundings<'db> {
    db: &'db dyn Database,
    environment: EnvironmentInput,
    definition: Item<'db>,
    /// The name of the definition.
    name: String,
    kind: ItemKind,
    /// The other classes and defined types with their own problems, by name.
    others: Vec<(String, &'db ClassProblems)>,
    /// The problems of the main manifests outside of node definitions; only set for a node definition.
    main: Option<&'db ClassProblems>,
}

impl<'db> Surroundings<'db> {
    fn new(
        db: &'db dyn Database,
        environment: EnvironmentInput,
        definition: Item<'db>,
        own: &'db ClassProblems,
    ) -> Surroundings<'db> {
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
        Surroundings {
            db,
            environment,
            definition,
            others: classes.chain(defined_types).collect(),
            main: (kind == ItemKind::Node).then(|| &**main_problems(db, environment)),
            kind,
            name,
        }
    }

    /// Checks whether the definition reports a problem.
    fn is_own(&self, problem: &ClassProblem) -> bool {
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
        if is_whole(self.db, self.definition) && self.is_open_in_classes(problem) {
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
            ProblemKind::Failure(_)
            | ProblemKind::UnrealizedResource(_)
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

    /// Checks whether the class is not meant for the nodes with the problem: a class that it includes, includes it on
    /// other nodes only.
    fn is_for_other_nodes(&self, problem: &ClassProblem) -> bool {
        let mut others = self.others.iter();
        let is_class = problem.node.is_some() && self.kind == ItemKind::Class;
        is_class
            && others.any(|(other, found)| {
                !found.includes(self.kind, &self.name)
                    && declares(self.db, self.environment, other, &self.name)
            })
    }
}

/// Checks whether the code of a class declares another one, under whatever condition.
fn declares(db: &dyn Database, environment: EnvironmentInput, class: &str, other: &str) -> bool {
    let Ok(Definition::Item(item)) = resolve::class(db, Some(environment), class) else {
        return false;
    };
    let mut references = body(db, item).references.iter();
    references.any(
        |it| matches!(&it.name, ReferenceName::Class(name, ClassUse::Declared) if name == other),
    )
}

/// Checks whether a problem has a place in an item.
fn has_place_in(db: &dyn Database, problem: &ClassProblem, item: Item<'_>) -> bool {
    let file = item.file(db);
    let mut places = problem.places.iter().filter(|it| it.file == file);
    places.any(|it| located(db, it).is_some_and(|it| it.0 == item))
}

/// Checks whether the first of two classes that include each other reports their common problem: the one that
/// contains the place to blame, or the resource.
fn is_reported_first(db: &dyn Database, problem: &ClassProblem, name: &str, other: &str) -> bool {
    let place = problem.places.first().and_then(|it| located(db, it));
    let blamed = place.map(|(item, _)| canonical_name(item.name(db)));
    let mut owners = [blamed.as_deref(), problem.container.as_deref()]
        .into_iter()
        .flatten();
    match owners.find(|it| [name, other].contains(it)) {
        Some(owner) => owner == name,
        None => name < other,
    }
}

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

/// Returns the range of the call in the item to the function that has a place of a problem, of the reference to the
/// definition with the first place, or else to one whose code uses that definition. For other references, continues with
/// the next place.
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

#[cfg(test)]
mod tests;
