//! Definitions that are used in place of unknown ones.
//!
//! Any module may define a function or a resource type with an unqualified name. If one of the modules
//! that a module declares is missing, a definition in a module that it does not declare may be another
//! one than its code means.

use salsa::Database;

use super::Item;
use super::resolve::dependencies_of;
use super::ruby_symbols::shipped_with_module;
use base::FileInput;

/// Checks whether the definition of a name in Ruby is used in place of an unknown one.
pub fn is_stand_in(db: &dyn Database, item: Item<'_>, name: &str, definition: FileInput) -> bool {
    let file = item.file(db);
    let (Some(own), Some(theirs)) = (file.module(db), definition.module(db)) else {
        return false;
    };
    let Some(environment) = file.environment(db).filter(|_| !name.contains("::")) else {
        return false;
    };
    let declared = dependencies_of(db, environment, own);
    let module = &**theirs.name(db);
    let is_declared = declared.found.contains(module);
    own != theirs
        && !declared.missing.is_empty()
        && !is_declared
        // No other module defines the types that come with the agent.
        && shipped_with_module(db, name, module).is_none()
}
