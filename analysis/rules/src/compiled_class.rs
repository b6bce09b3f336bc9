//! Problems that appear when a class, a defined type or a definition of a node is compiled with all that it includes.

use std::rc::Rc;

use base::{EnvironmentInput, FileInput};
use catalog::{
    ClassProblem, ClassProblems, ProblemKind, ProblemPlace, ResourceKey, class_problems,
    defined_type_problems, main_problems, node_problems,
};
use hir::autoload::NameKey;
use hir::body::{ClassUse, ReferenceName, body};
use hir::other_versions::is_of_other_version;
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name, items, signature};
use salsa::Database;
use syntax::TextRange;

use crate::checker::Checker;
use crate::mentions::is_mentioned;
use crate::rule::Rule;
use crate::wording::reference;

/// The rules that report what compilations find.
const CATALOG_RULES: [&str; 6] = [
    "dependency-cycle",
    "duplicate-resource",
    "early-defined",
    "failing-class",
    "invalid-override",
    "unknown-reference",
];

/// Returns the problems of the class, the defined type or the definition of a node that the checker is at, without those
/// that one of the classes or defined types in it has by itself: they are reported there.
pub(crate) fn own_problems(checker: &Checker<'_>) -> Rc<[ClassProblem]> {
    let found = checker.own_problems.get_or_init(|| find(checker).into());
    Rc::clone(found)
}

/// Compiles the definitions of a file ahead of the rules that report what is found. This does not need their types, so
/// that it can run while another thread infers them.
pub fn compile_definitions(db: &dyn Database, file: FileInput) {
    let Some(environment) = file.environment(db) else {
        return;
    };
    let off = environment.disabled_rules(db);
    if CATALOG_RULES.iter().all(|it| off.contains(*it)) {
        return;
    }
    for item in items(db, file) {
        compiled(db, environment, *item);
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

fn find(checker: &Checker<'_>) -> Vec<ClassProblem> {
    let (db, environment) = (checker.db, checker.environment);
    let key = |name: &str| NameKey::new(db, name.to_owned());
    let of_class = |name: &str| class_problems(db, environment, key(name));
    let of_defined_type = |name: &str| defined_type_problems(db, environment, key(name));
    let kind = checker.item.kind(db);
    let is_node = kind == ItemKind::Node;
    let is_main = kind == ItemKind::Main;
    let Some(all) = compiled(db, environment, checker.item) else {
        return Vec::new();
    };
    if all.problems.is_empty() {
        return Vec::new();
    }
    let name = canonical_name(checker.item.name(db));
    let is_class = kind == ItemKind::Class;
    let is_defined_type = kind == ItemKind::DefinedType;
    let classes = all.classes.iter().filter(|it| !(is_class && **it == name));
    let classes = classes.map(|it| (it.clone(), of_class(it)));
    let defined_types = all.defined_types.iter().map(|it| canonical_name(it));
    let defined_types = defined_types.filter(|it| !(is_defined_type && *it == name));
    let defined_types = defined_types.map(|it| (it.clone(), of_defined_type(&it)));
    let others: Vec<_> = classes.chain(defined_types).collect();
    let includes_own = |found: &ClassProblems| match kind {
        ItemKind::Class => found.classes.contains(&name),
        ItemKind::DefinedType => {
            let mut defined_types = found.defined_types.iter();
            defined_types.any(|it| canonical_name(it) == name)
        }
        _ => false,
    };
    let is_reported = |problem: &ClassProblem, other: &str, found: &ClassProblems| {
        found.problems.iter().any(|it| it.is_same(problem))
            && !(includes_own(found) && is_reported_first(db, problem, &name, other))
    };
    // A class reports less by itself than is known of the catalog of a node.
    let is_open_in_classes = |it: &ClassProblem| match &it.kind {
        ProblemKind::UndeclaredResource(key) if key.type_name == "Class" => true,
        ProblemKind::UndeclaredResource(key) => {
            is_mentioned(db, environment, NameKey::new(db, key.title.clone()))
        }
        ProblemKind::Failure(_) => true,
        _ => false,
    };
    let of_main = is_node.then(|| main_problems(db, environment));
    let of_main = of_main.as_ref().map(|it| it.problems.as_slice());
    let is_elsewhere = |it: &&ClassProblem| {
        let mut of_main = of_main.into_iter().flatten();
        if of_main.any(|other| other.is_same(it)) || is_main && !has_own_place(checker, it) {
            return true;
        }
        if is_node && is_open_in_classes(it) {
            return false;
        }
        let mut others = others.iter();
        others.any(|(other, found)| is_reported(it, other, found))
    };
    // A class that is only meant to be included by another one does not declare it twice there.
    let is_only_by_itself = |problem: &&ClassProblem| {
        let mut others = others.iter();
        matches!(problem.kind, ProblemKind::DuplicateDeclaration(_))
            && others.any(|(_, found)| {
                includes_own(found) && !found.problems.iter().any(|it| it.is_same(problem))
            })
    };
    // A class that includes this one on other nodes only says that it is not meant for this one.
    let is_for_other_nodes = |problem: &&ClassProblem| {
        let mut others = others.iter();
        let is_class = problem.node.is_some() && is_class;
        is_class
            && others.any(|(other, found)| !includes_own(found) && declares(checker, other, &name))
    };
    let own = all
        .problems
        .iter()
        .filter(|it| !is_elsewhere(it) && !is_only_by_itself(it) && !is_for_other_nodes(it));
    own.cloned().collect()
}

/// Checks whether the code of a class declares another one, under whatever condition.
fn declares(checker: &Checker<'_>, class: &str, other: &str) -> bool {
    let db = checker.db;
    let Ok(Definition::Item(item)) = resolve::class(db, Some(checker.environment), class) else {
        return false;
    };
    let mut references = body(db, item).references.iter();
    references.any(
        |it| matches!(&it.name, ReferenceName::Class(name, ClassUse::Declared) if name == other),
    )
}

/// Checks whether a problem has a place in the item that the checker is at.
fn has_own_place(checker: &Checker<'_>, problem: &ClassProblem) -> bool {
    let mut places = problem.places.iter();
    places.any(|it| located(checker.db, it).is_some_and(|it| it.0 == checker.item))
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

/// Returns the reference to a resource, as it is written in code.
pub(crate) fn written(key: &ResourceKey) -> String {
    let title = match key.type_name.as_str() {
        "Class" => canonical_name(&key.title),
        _ => key.title.clone(),
    };
    reference(&key.type_name.to_lowercase(), &title)
}

/// Returns the range at which to report a problem, and the index of the place that it is. A problem between other
/// classes is reported at the name of the class.
pub(crate) fn blamed(checker: &Checker<'_>, problem: &ClassProblem) -> (TextRange, Option<usize>) {
    let mut places = problem.places.iter().enumerate();
    let own = places.find_map(|(index, it)| {
        let (item, range) = located(checker.db, it)?;
        (item == checker.item).then_some((range, Some(index)))
    });
    own.unwrap_or_else(|| (signature(checker.db, checker.item).name_range, None))
}

/// Reports a problem at a range, which is that of one of its places or of the name of the class, with the other
/// places. `label` describes the place with an index.
pub(crate) fn report(
    checker: &mut Checker<'_>,
    rule: &'static Rule,
    problem: &ClassProblem,
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
}

/// Returns the definition that contains a place, and the range in its tree.
pub(crate) fn located<'db>(
    db: &'db dyn Database,
    place: &ProblemPlace,
) -> Option<(Item<'db>, TextRange)> {
    let file: FileInput = place.file;
    let mut items = items(db, file).iter();
    items.find_map(|item| {
        let start = item.offset(db);
        let range = place.range.checked_sub(start)?;
        let is_inside = item.syntax(db).text_range().contains_range(range);
        is_inside.then_some((*item, range))
    })
}
