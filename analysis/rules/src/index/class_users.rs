//! The classes and defined types that use others of the same module.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{EnvironmentInput, FileInput, ModuleInput, ModuleOrigin};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{Body, ClassUse, ReferenceName, ResourceForm, body};
use hir::declared_resources::unique_title;
use hir::{Item, ItemKind, canonical_name, items};
use salsa::Database;
use syntax::validation::PuppetVersion;

/// The kind and the name of a class or defined type.
pub(crate) type DefinitionKey = (ItemKind, String);

/// A resource, by its type and the part of the title that identifies it, or a class.
type ResourceName = (String, String);

/// The names that the definitions of a file or a module use, declare and refer to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Uses {
    /// The definitions that use a class or defined type, by its name.
    users: BTreeMap<String, BTreeSet<DefinitionKey>>,
    /// The definition that declares a resource; `None` for several.
    declared: BTreeMap<ResourceName, Option<DefinitionKey>>,
    /// The definition that refers to a resource; `None` for several.
    referenced: BTreeMap<ResourceName, Option<DefinitionKey>>,
}

/// Returns the kind and the name of a class or defined type; `None` for other items.
pub(crate) fn definition_key(db: &dyn Database, item: Item<'_>) -> Option<DefinitionKey> {
    let kind = item.kind(db);
    let is_definition = kind.is_declarable();
    is_definition.then(|| (kind, canonical_name(item.name(db))))
}

/// Returns the classes and defined types that a body uses.
fn used_in(body: &Body) -> impl Iterator<Item = String> {
    let used = body.references.iter().filter_map(|it| match &it.name {
        ReferenceName::Class(name, ClassUse::Declared | ClassUse::Inherited)
        | ReferenceName::ResourceType(name) => Some(canonical_name(name)),
        _ => None,
    });
    let is_built_in = |it: &String| library::resource_type(it, PuppetVersion::default()).is_some();
    used.filter(move |it| !is_built_in(it))
}

/// Returns the classes and defined types that include a class, inherit from it or have instances of a defined type. The
/// main class of the module, which most likely combines its classes, is the first.
#[salsa::tracked]
pub(crate) fn users_of<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    name: NameKey<'db>,
) -> Vec<DefinitionKey> {
    let users = uses_in_module(db, module).users.get(name.text(db));
    let mut users: Vec<DefinitionKey> = users.into_iter().flatten().cloned().collect();
    users.sort_by_key(|it| it.1 != **module.name(db));
    users
}

/// Returns the users of a class or defined type in all modules that an environment develops, those in its own module
/// first.
#[salsa::tracked]
pub(crate) fn users_in_environment<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> Vec<DefinitionKey> {
    let own = name.text(db).split("::").next();
    let users = all_users_in_environment(db, environment).get(name.text(db));
    let mut users: Vec<_> = users.into_iter().flatten().collect();
    users.sort_by_key(|it| Some(&*it.0) != own);
    users.into_iter().map(|it| it.1.clone()).collect()
}

/// The users of classes and defined types, each with its module.
type Users = BTreeMap<String, Vec<(Arc<str>, DefinitionKey)>>;

/// Returns the users of all classes and defined types in the modules that an environment develops.
#[salsa::tracked]
fn all_users_in_environment(db: &dyn Database, environment: EnvironmentInput) -> Users {
    let mut found = Users::default();
    for module in environment.modules(db).values() {
        if module.origin(db) != ModuleOrigin::Workspace {
            continue;
        }
        let module_name = module.name(db);
        for (used, users) in &uses_in_module(db, *module).users {
            let users = users.iter().map(|it| (Arc::clone(module_name), it.clone()));
            found.entry(used.clone()).or_default().extend(users);
        }
    }
    found
}

/// Adds a definition to those of a resource.
fn add(
    all: &mut BTreeMap<ResourceName, Option<DefinitionKey>>,
    name: ResourceName,
    by: Option<&DefinitionKey>,
) {
    let known = all.entry(name).or_insert_with(|| by.cloned());
    if known.as_ref() != by {
        *known = None;
    }
}

fn declared_in(body: &Body) -> impl Iterator<Item = ResourceName> {
    let resources = body.resources.iter();
    let declared = resources.filter(|it| it.form == ResourceForm::Declaration && !it.guarded);
    declared.flat_map(|it| {
        let type_ = it.type_.clone().unwrap_or_default();
        let titles = it.titles.iter();
        titles.map(move |it| (type_.clone(), unique_title(&type_, &it.text).to_owned()))
    })
}

fn referenced_in(body: &Body) -> impl Iterator<Item = ResourceName> {
    body.references.iter().filter_map(|it| match &it.name {
        ReferenceName::Title(type_, title) => {
            Some((type_.clone(), unique_title(type_, title).to_owned()))
        }
        ReferenceName::Class(name, ClassUse::Referenced) => {
            Some(("class".to_owned(), name.clone()))
        }
        _ => None,
    })
}

#[salsa::tracked]
fn uses_in_file(db: &dyn Database, file: FileInput) -> Uses {
    let mut found = Uses::default();
    for item in items(db, file) {
        let Some(by) = definition_key(db, *item) else {
            continue;
        };
        let body = body(db, *item);
        for used in used_in(body).filter(|it| *it != by.1) {
            found.users.entry(used).or_default().insert(by.clone());
        }
        declared_in(body).for_each(|it| add(&mut found.declared, it, Some(&by)));
        referenced_in(body).for_each(|it| add(&mut found.referenced, it, Some(&by)));
    }
    found
}

#[salsa::tracked]
fn uses_in_module(db: &dyn Database, module: ModuleInput) -> Uses {
    let mut all = Uses::default();
    for file in module_puppet_files(db, module) {
        let uses = uses_in_file(db, *file);
        for (used, users) in &uses.users {
            let known = all.users.entry(used.clone()).or_default();
            known.extend(users.iter().cloned());
        }
        for (name, by) in &uses.declared {
            add(&mut all.declared, name.clone(), by.as_ref());
        }
        for (name, by) in &uses.referenced {
            add(&mut all.referenced, name.clone(), by.as_ref());
        }
    }
    all
}

/// Checks whether a class or defined type may conflict with others of its module:
///
/// * It declares what another one declares, or the same for each instance.
/// * It overrides resources.
/// * It is in relationships in both directions.
/// * It refers to a class that includes it.
/// * It declares a class like a resource that others include.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_conflict<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    item: Item<'db>,
) -> bool {
    let body = body(db, item);
    let uses = uses_in_module(db, module);
    let Some(own) = definition_key(db, item) else {
        return false;
    };
    let is_other =
        |it: Option<&Option<DefinitionKey>>| it.is_some_and(|it| it.as_ref() != Some(&own));
    let is_declared_again =
        |it: ResourceName| own.0 == ItemKind::DefinedType || is_other(uses.declared.get(&it));
    let is_referenced = |it: ResourceName| is_other(uses.referenced.get(&it));
    let class = ("class".to_owned(), own.1.clone());
    let is_related = |it: &ReferenceName| match it {
        ReferenceName::Title(..) => true,
        ReferenceName::Class(_, it) => *it != ClassUse::Inherited,
        _ => false,
    };
    // A class that is declared like a resource must not be included before.
    let is_included_too = |(type_, name): &ResourceName| {
        let users = uses.users.get(name).filter(|_| type_ == "class");
        users.is_some_and(|it| it.iter().any(|it| *it != own))
    };
    let users = uses.users.get(&own.1);
    let is_user = |it: &ReferenceName| match it {
        ReferenceName::Class(name, ClassUse::Referenced) => {
            let user = (ItemKind::Class, canonical_name(name));
            users.is_some_and(|it| it.contains(&user))
        }
        _ => false,
    };
    let mut resources = body.resources.iter();
    resources.any(|it| it.form == ResourceForm::Override)
        || body.references.iter().any(|it| is_user(&it.name))
        || declared_in(body).any(|it| is_included_too(&it) || is_declared_again(it))
        || body.references.iter().any(|it| is_related(&it.name))
            && declared_in(body).chain([class]).any(is_referenced)
}
