//! The classes that have certainly been evaluated: the ancestors of a class, and the classes that
//! it declares unconditionally.

use std::collections::BTreeSet;

use salsa::Database;

use super::autoload::{NameKey, find_item};
use super::body::{ClassUse, ReferenceName, body};
use super::item::{Item, ItemKind, signature};
use base::EnvironmentInput;

/// The maximum number of classes, apart from those that a class declares itself. Each class of a long chain would have the
/// names of all that follow it.
const MAX_CLASSES: usize = 500;

/// Returns the classes that are evaluated before the body of an item: its ancestors and the classes
/// that these declare.
pub fn evaluated_before<'db>(db: &'db dyn Database, item: Item<'db>) -> &'db BTreeSet<String> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    // Only classes have ancestors, and computing a signature may be expensive.
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

/// Returns the classes that are evaluated with a class: itself, its ancestors, and the classes that
/// these declare outside of conditions and lambdas; of very many, only some.
#[salsa::tracked(cycle_initial = |_, _, _, _| BTreeSet::new())]
pub fn evaluated_with<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::from([name.text(db).clone()]);
    let Some(item) = find_item(db, environment, ItemKind::Class, name) else {
        return found;
    };
    let certain = body(db, item).references.iter().filter_map(|it| {
        let ReferenceName::Class(name, used) = &it.name else {
            return None;
        };
        let is_certain = it.branch == 0 && it.scope == 0 && !it.guarded;
        (is_certain && *used != ClassUse::Referenced).then_some(name)
    });
    let certain: Vec<&String> = certain.collect();
    found.extend(certain.iter().copied().cloned());
    for name in certain {
        let left = MAX_CLASSES.saturating_sub(found.len());
        if left == 0 {
            break;
        }
        let key = NameKey::new(db, name.clone());
        let others = evaluated_with(db, environment, key).iter();
        found.extend(others.take(left).cloned());
    }
    found
}
