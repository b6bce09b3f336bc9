//! The classes and defined types that use others of the same module.

use std::collections::{BTreeMap, BTreeSet};

use base::{FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{ClassUse, ReferenceName, body};
use hir::{Item, ItemKind, canonical_name, items};
use salsa::Database;
use syntax::validation::PuppetVersion;

/// The kind and the name of a class or defined type.
pub(crate) type DefinitionKey = (ItemKind, String);

/// The definitions that use a class or defined type, by its name.
type Users = BTreeMap<String, BTreeSet<DefinitionKey>>;

/// Returns the kind and the name of a class or defined type; `None` for other items.
pub(crate) fn definition_key(db: &dyn Database, item: Item<'_>) -> Option<DefinitionKey> {
    let kind = item.kind(db);
    let is_definition = matches!(kind, ItemKind::Class | ItemKind::DefinedType);
    is_definition.then(|| (kind, canonical_name(item.name(db))))
}

#[salsa::tracked]
fn users_in_file(db: &dyn Database, file: FileInput) -> Users {
    let mut found = Users::new();
    for item in items(db, file) {
        let Some(user) = definition_key(db, *item) else {
            continue;
        };
        for reference in &body(db, *item).references {
            let used = match &reference.name {
                ReferenceName::Class(name, ClassUse::Declared | ClassUse::Inherited)
                | ReferenceName::ResourceType(name) => canonical_name(name),
                _ => continue,
            };
            if used != user.1 && !is_built_in(&used) {
                found.entry(used).or_default().insert(user.clone());
            }
        }
    }
    found
}

fn is_built_in(type_: &str) -> bool {
    library::resource_type(type_, PuppetVersion::default()).is_some()
}

#[salsa::tracked]
fn users_in_module(db: &dyn Database, module: ModuleInput) -> Users {
    let mut all = Users::new();
    for file in module_puppet_files(db, module) {
        for (used, users) in users_in_file(db, *file) {
            let known = all.entry(used.clone()).or_default();
            known.extend(users.iter().cloned());
        }
    }
    all
}

/// Returns the classes and defined types that include a class, inherit from it or have instances of a defined type.
#[salsa::tracked]
pub(crate) fn users_of<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    name: NameKey<'db>,
) -> BTreeSet<DefinitionKey> {
    let users = users_in_module(db, module).get(name.text(db));
    users.cloned().unwrap_or_default()
}
