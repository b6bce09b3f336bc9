//! The code that the resource defaults of a class or defined type may apply to: its own, and that of all classes and
//! defined types that it declares, directly or through others.
//!
//! From `lookupdefaults` in `scope.rb`: the scope of a class is within the scope of the code that declares it first, or
//! of the class that it inherits from.

use std::collections::BTreeSet;

use base::EnvironmentInput;
use hir::autoload::{NameKey, definitions_of_kind, find_item, module_puppet_files};
use hir::body::{ClassUse, ReferenceName, body};
use hir::resolve::{Definition, function};
use hir::{Item, ItemKind, canonical_name};
use library::KnownFunction;
use salsa::Database;
use syntax::ast::{AstNode, Expr, ResourceExpr};

use crate::checker::Checker;
use crate::index::class_users::{DefinitionKey, definition_key};
use crate::index::computed_classes::{OwnNames, computed_in};
use crate::index::usage_index::{
    CodeOwner, children_of, default_owners, file_usage_index, may_be_overridden,
};

/// Checks whether a default, an override or a hash of attributes elsewhere may set an attribute of a resource.
pub(crate) fn may_be_set_elsewhere(checker: &Checker<'_>, type_: &str, name: &str) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let type_ = NameKey::new(db, type_.to_owned());
    let name = NameKey::new(db, name.to_owned());
    may_be_overridden(checker, type_.text(db), name.text(db))
        || is_set_in_file(checker, type_.text(db), name.text(db))
        || match default_reach(db, environment, type_, name) {
            Reach::Everywhere => true,
            Reach::Definitions(reached) => match definition_key(db, checker.item) {
                Some(it) => reached.contains(&it),
                // A function is in the scope of its caller.
                None => !reached.is_empty() && checker.item.kind(db) == ItemKind::Function,
            },
        }
}

/// Checks whether a file that may be applied by itself, such as an example, sets an attribute of a type anywhere.
fn is_set_in_file(checker: &Checker<'_>, type_: &str, name: &str) -> bool {
    let (db, file) = (checker.db, checker.item.file(checker.db));
    !is_loaded(checker) && file_usage_index(db, file).may_set(type_, name)
}

/// Checks whether Puppet finds the file of an item by itself: in a module, or as a main manifest.
pub(crate) fn is_loaded(checker: &Checker<'_>) -> bool {
    let (db, file) = (checker.db, checker.item.file(checker.db));
    match file.module(db) {
        Some(module) => module_puppet_files(db, module).contains(&file),
        None => checker.environment.manifests(db).contains(&file),
    }
}

/// The code that resource defaults may apply to.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Reach {
    Definitions(BTreeSet<DefinitionKey>),
    Everywhere,
}

/// Returns the code that the resource defaults for an attribute of a type may apply to.
#[salsa::tracked]
fn default_reach<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    name: NameKey<'db>,
) -> Reach {
    let mut open = Vec::new();
    for owner in default_owners(db, environment, type_, name) {
        match owner {
            CodeOwner::Definition(it) => open.push((it.clone(), true)),
            CodeOwner::Other => return Reach::Everywhere,
        }
    }
    let mut visited = BTreeSet::new();
    while let Some((key, is_owner)) = open.pop() {
        if !visited.insert((key.clone(), is_owner)) {
            continue;
        }
        let (kind, name) = key;
        let name = NameKey::new(db, name);
        let mut reached = Vec::new();
        if kind == ItemKind::Class {
            let children = children_of(db, environment, name).iter();
            reached.extend(children.map(|it| (ItemKind::Class, it.clone())));
        }
        if let Some(item) = find_item(db, environment, kind, name) {
            let declared = declared_by(db, item);
            for start in &declared.computed {
                if start.is_empty() {
                    return Reach::Everywhere;
                }
                let classes = definitions_of_kind(db, environment, ItemKind::Class);
                let named = classes.filter(|it| it.0.starts_with(start));
                reached.extend(named.map(|it| (ItemKind::Class, it.0.to_owned())));
            }
            reached.extend(declared.definitions.iter().cloned());
            // The code that declares a class declares its parent, before the class sets its defaults.
            let parent = declared.parent.iter().filter(|_| !is_owner);
            reached.extend(parent.cloned());
        }
        open.extend(reached.into_iter().map(|it| (it, false)));
    }
    Reach::Definitions(visited.into_iter().map(|it| it.0).collect())
}

/// The classes and defined types that code declares.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Declared {
    /// The definitions with literal names, and the called functions.
    definitions: BTreeSet<DefinitionKey>,
    /// The class that a class inherits from.
    parent: Option<DefinitionKey>,
    /// The constant prefixes of computed names. An empty prefix matches every name.
    computed: BTreeSet<String>,
}

#[salsa::tracked]
fn declared_by<'db>(db: &'db dyn Database, item: Item<'db>) -> Declared {
    let mut declared = Declared::default();
    let environment = item.file(db).environment(db);
    for reference in &body(db, item).references {
        match &reference.name {
            ReferenceName::Class(name, ClassUse::Declared) => declared.add(ItemKind::Class, name),
            ReferenceName::Class(name, ClassUse::Inherited) => {
                declared.parent = Some((ItemKind::Class, canonical_name(name)));
            }
            ReferenceName::ResourceType(name) | ReferenceName::Type(name) => {
                declared.add(ItemKind::DefinedType, name);
            }
            ReferenceName::Function(name) => {
                if let Ok(Definition::Item(_)) = function(db, environment, name) {
                    declared.add(ItemKind::Function, name);
                }
            }
            _ => {}
        }
    }
    let names = OwnNames::of(db, item);
    for node in item.syntax(db).descendants() {
        let computed = match ResourceExpr::cast(node.clone()) {
            Some(it) => computed_titles(&it),
            None => Expr::cast(node).map_or_else(Vec::new, |it| computed_arguments(&it)),
        };
        let starts = computed.iter().map(|it| names.start_of(it));
        declared.computed.extend(starts);
    }
    declared
}

impl Declared {
    fn add(&mut self, kind: ItemKind, name: &str) {
        self.definitions.insert((kind, canonical_name(name)));
    }
}

/// Returns the names of classes and types in a resource declaration that are not literals.
fn computed_titles(resource: &ResourceExpr) -> Vec<Expr> {
    if resource.class_keyword().is_some() {
        let titles = resource.bodies().filter_map(|it| it.title());
        return titles.flat_map(|it| computed_in(&it)).collect();
    }
    match resource.type_name() {
        Some(Expr::QualifiedName(_)) | None => Vec::new(),
        Some(it) => vec![it],
    }
}

/// Returns the names of classes and types in a call that are not literals.
fn computed_arguments(call: &Expr) -> Vec<Expr> {
    let Some((name, arguments)) = call.named_call() else {
        return Vec::new();
    };
    use KnownFunction as F;
    let names = match KnownFunction::from_name(name.text()) {
        Some(F::Include | F::Contain | F::Require) => arguments,
        Some(F::CreateResources | F::EnsureResource | F::EnsureResources) => {
            let is_class = |it: &Expr| it.plain_text().is_some_and(|it| it == "class");
            let count = if arguments.first().is_some_and(is_class) {
                2
            } else {
                1
            };
            arguments.into_iter().take(count).collect()
        }
        Some(F::HieraInclude) => return vec![call.clone()],
        _ => return Vec::new(),
    };
    names.iter().flat_map(computed_in).collect()
}
