//! The definitions and nodes whose catalogs include a class or have instances of a defined type.

use base::{EnvironmentInput, ModuleInput};
use catalog::has_node_definitions;
use hir::autoload::NameKey;
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, is_site, items};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::ast::{AstNode, HasBody, NodeDefinition};

use super::roles::is_compiled_role;
use super::{compiled, is_checked};
use crate::index::class_users::{definition_key, may_conflict, users_in_environment, users_of};

/// The largest number of nodes with a class whose compilations are searched for problems. Each edit of the class
/// compiles them anew.
const MAX_NODES: usize = 6;

/// The largest number of these whose problems are reported at the class.
const MAX_WRONG_NODES: usize = 2;

/// The largest number of users of a class, direct and indirect ones, whose compilations are searched for problems.
const MAX_USERS: usize = 4;

/// The largest number of users among which roles are searched.
const MAX_INDIRECT_USERS: usize = 100;

/// Returns the first definitions that use a class or defined type, and the first nodes and roles with it.
pub(super) fn users<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> impl Iterator<Item = Item<'db>> {
    let in_code = users_in_code(db, environment, used).into_iter();
    let nodes = nodes_with(db, environment, used);
    in_code
        .chain(nodes)
        .chain(roles_with(db, environment, used))
}

/// Returns the first roles that include a class or have instances of a defined type, and are wrong.
pub(super) fn roles_with<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> Vec<Item<'db>> {
    let module = used.file(db).module(db).filter(|_| is_checked(db, used));
    let Some(module) = module.filter(|_| is_site(db, environment)) else {
        return Vec::new();
    };
    let is_role = |it: &Item<'_>| is_compiled_role(db, environment, *it);
    let users = users_up_to(db, environment, (module, used), MAX_INDIRECT_USERS);
    let roles = users.into_iter().filter(is_role).take(MAX_NODES);
    let has_problems =
        |it: &Item<'db>| compiled(db, environment, *it).is_some_and(|it| !it.problems.is_empty());
    roles.filter(has_problems).take(MAX_WRONG_NODES).collect()
}

/// Returns the first definitions of nodes whose catalogs include a class or have instances of a defined type, and are
/// wrong. The catalog of each node includes the code of main manifests outside of node definitions.
pub(super) fn nodes_with<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> impl Iterator<Item = Item<'db>> {
    let key = definition_key(db, used);
    let is_in_all = used.kind(db) == ItemKind::Main && has_node_definitions(db, environment);
    let is_used = is_in_all || key.is_some();
    let nodes = is_used.then(|| different_catalogs(db, environment).iter());
    let nodes = nodes.into_iter().flatten().copied();
    let has_used = move |node: &Item<'db>| {
        let found = compiled(db, environment, *node);
        found.is_some_and(|found| match &key {
            Some((kind, name)) => found.includes(*kind, name),
            None => true,
        })
    };
    let nodes = nodes.filter(has_used).take(MAX_NODES);
    let has_problems = move |it: &Item<'db>| {
        compiled(db, environment, *it).is_some_and(|it| !it.problems.is_empty())
    };
    nodes.filter(has_problems).take(MAX_WRONG_NODES)
}

/// Returns the definitions of nodes, without those that have the same code as an earlier one: most of their problems are
/// the same, and each edit of a class compiles the nodes with it anew. Without definitions of nodes, the main manifests
/// have the only catalog.
#[salsa::tracked]
pub(super) fn different_catalogs<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
) -> Vec<Item<'db>> {
    let manifests = environment.manifests(db).iter();
    let all = manifests.flat_map(|it| items(db, *it)).copied();
    if !has_node_definitions(db, environment) {
        let mut main = all.filter(|it| it.kind(db) == ItemKind::Main);
        return main.next().into_iter().collect();
    }
    let mut known = FxHashSet::default();
    let nodes = all.filter(|it| it.kind(db) == ItemKind::Node);
    nodes
        .filter(|it| {
            let body = NodeDefinition::cast(it.syntax(db)).and_then(|it| it.body());
            body.is_none_or(|it| known.insert(it.syntax().text().to_string()))
        })
        .collect()
}

/// Returns the first definitions that use a class or defined type, and those that use these: the definitions of the
/// same module, if it may conflict with others, and in a control repository those of all its own modules.
pub(super) fn users_in_code<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> Vec<Item<'db>> {
    let is_site = is_site(db, environment);
    let module = used.file(db).module(db).filter(|_| is_checked(db, used));
    let Some(module) = module.filter(|it| is_site || may_conflict(db, *it, used)) else {
        return Vec::new();
    };
    users_in_module(db, environment, module, used)
}

/// Returns the first definitions that use a class or defined type, directly or indirectly.
pub(super) fn all_users<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    used: Item<'db>,
) -> Vec<Item<'db>> {
    match used.file(db).module(db) {
        Some(module) => users_in_module(db, environment, module, used),
        None => Vec::new(),
    }
}

fn users_in_module<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
    used: Item<'db>,
) -> Vec<Item<'db>> {
    users_up_to(db, environment, (module, used), MAX_USERS)
}

/// Returns the first definitions that use a class or defined type, and those that use these, up to a number.
fn users_up_to<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    (module, used): (ModuleInput, Item<'db>),
    maximum: usize,
) -> Vec<Item<'db>> {
    let mut found = vec![used];
    let mut next = 0;
    while let Some(of) = found.get(next).filter(|_| found.len() <= maximum) {
        for user in direct_users(db, environment, module, *of) {
            if !found.contains(&user) {
                found.push(user);
            }
        }
        next += 1;
    }
    found.truncate(maximum + 1);
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
    let keys = match is_site(db, environment) {
        true => users_in_environment(db, environment, name),
        false => users_of(db, module, name),
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
