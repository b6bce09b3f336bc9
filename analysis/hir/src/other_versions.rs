//! Modules that are installed in a version other than the one that code is written for.
//!
//! Their definitions are shown, but never make code wrong: the required version may differ.

use salsa::Database;

use base::{EnvironmentInput, FileInput, ModuleInput};

/// Checks whether the code of `module`, or code outside of modules, requires another version of the
/// module `name`.
pub fn is_other_version(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    module: Option<ModuleInput>,
    name: &str,
) -> bool {
    let module = module.map(|it| &**it.name(db));
    environment.is_some_and(|it| it.other_versions(db).contains(module, name))
}

/// Checks whether the code in `file` requires another version of the module that contains
/// `definition`.
pub fn is_of_other_version(db: &dyn Database, file: FileInput, definition: FileInput) -> bool {
    let (own, theirs) = (file.module(db), definition.module(db));
    let theirs = theirs.filter(|it| own != Some(*it));
    theirs.is_some_and(|it| is_other_version(db, file.environment(db), own, it.name(db)))
}

/// Checks whether all modules that the code of `module` requires are installed in the required versions.
pub fn has_required_versions(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> bool {
    let module = module.map(|it| &**it.name(db));
    let mut others = environment.other_versions(db).required(module);
    others.next().is_none()
}
