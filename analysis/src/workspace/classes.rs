//! Which classes have certainly been evaluated: those that a class inherits from, and those that it
//! declares whatever happens.

use std::collections::BTreeSet;

use salsa::Database;

use super::autoload::{NameKey, find_item};
use super::body::{ClassUse, Name, body};
use super::item::{Item, ItemKind, signature};
use crate::db::EnvironmentInput;

/// The classes that have been evaluated before the body of an item is: its ancestors, with what
/// they declare.
pub(crate) fn evaluated_before<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> &'db BTreeSet<String> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    // Nothing else has ancestors, and a signature may be long.
    let is_class = item.kind(db) == ItemKind::Class;
    let parent = is_class.then(|| signature(db, item).inherits.as_ref());
    let parent = parent.flatten();
    let environment = item.file(db).environment(db);
    match (parent, environment) {
        (Some(parent), Some(environment)) => {
            evaluated_with(db, environment, NameKey::new(db, parent.clone()))
        }
        _ => &NONE,
    }
}

/// The classes that have been evaluated when a class has been: itself, its ancestors, and what
/// they declare outside of conditions and blocks.
#[salsa::tracked(cycle_initial = |_, _, _, _| BTreeSet::new())]
pub(crate) fn evaluated_with<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::from([name.text(db).clone()]);
    let Some(item) = find_item(db, environment, ItemKind::Class, name) else {
        return found;
    };
    let certain = body(db, item).references.iter().filter_map(|it| {
        let Name::Class(name, used) = &it.name else {
            return None;
        };
        let is_certain = it.branch == 0 && it.scope == 0 && !it.guarded;
        (is_certain && *used != ClassUse::Referenced).then_some(name)
    });
    for name in certain {
        let key = NameKey::new(db, name.clone());
        found.extend(evaluated_with(db, environment, key).iter().cloned());
    }
    found
}
