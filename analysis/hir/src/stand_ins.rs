//! Definitions that are used in place of unknown ones.
//!
//! Any module may define a function or a resource type with an unqualified name. If one of the modules
//! that a module declares is missing, a definition in a module that it does not declare may be another
//! one than its code means.

use std::collections::BTreeSet;

use salsa::Database;

use super::Item;
use base::{EnvironmentInput, FileInput, ModuleInput};

/// The modules that a module declares, directly or indirectly.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct DeclaredModules {
    names: BTreeSet<String>,
    /// Whether some of them are missing.
    is_incomplete: bool,
}

#[salsa::tracked]
fn declared_modules(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
) -> DeclaredModules {
    let mut found = DeclaredModules::default();
    let mut left = module.dependencies(db).to_vec();
    while let Some(name) = left.pop() {
        let Some(module) = environment.modules(db).get(&name) else {
            found.is_incomplete = true;
            continue;
        };
        if found.names.insert(name) {
            left.extend(module.dependencies(db).iter().cloned());
        }
    }
    found
}

/// Checks whether the definition of a name in Ruby is used in place of an unknown one.
pub fn is_stand_in(db: &dyn Database, item: Item<'_>, name: &str, definition: FileInput) -> bool {
    let file = item.file(db);
    let (Some(own), Some(theirs)) = (file.module(db), definition.module(db)) else {
        return false;
    };
    let Some(environment) = file.environment(db).filter(|_| !name.contains("::")) else {
        return false;
    };
    let declared = declared_modules(db, environment, own);
    own != theirs && declared.is_incomplete && !declared.names.contains(&**theirs.name(db))
}
