//! The modules whose code is counted to rank candidates. Thousands of manifests say what users write; in larger
//! workspaces, the others would only take time and memory.

use base::{EnvironmentInput, ModuleInput, ModuleOrigin};
use hir::autoload::module_puppet_files;
use salsa::Database;

/// The maximum number of files in other modules that are counted.
const MAX_FILES: usize = 4_000;

/// Returns the modules of an environment that are counted, except for one: those that are developed here first.
pub(super) fn counted_modules(
    db: &dyn Database,
    environment: EnvironmentInput,
    except: Option<ModuleInput>,
) -> Vec<ModuleInput> {
    let others = environment.modules(db).values().copied();
    let others = others.filter(|it| Some(*it) != except);
    let is_own = |it: &ModuleInput| it.origin(db) == ModuleOrigin::Workspace;
    let (own, foreign): (Vec<_>, Vec<_>) = others.partition(is_own);
    let modules = own.into_iter().chain(foreign);
    let sized = modules.map(|it| (it, module_puppet_files(db, it).len()));
    within_limit(sized, MAX_FILES).collect()
}

/// Returns the items that fit within the limit together, in order. An item that does not fit is skipped.
fn within_limit<T>(
    sized: impl Iterator<Item = (T, usize)>,
    limit: usize,
) -> impl Iterator<Item = T> {
    let mut left = limit;
    sized.filter_map(move |(it, size)| {
        left = left.checked_sub(size)?;
        Some(it)
    })
}

#[cfg(test)]
mod tests {
    use super::within_limit;

    #[test]
    fn counts_the_first_modules_that_fit() {
        let modules = [("own", 3), ("large", 9), ("small", 2), ("other", 1)];
        let counted: Vec<_> = within_limit(modules.into_iter(), 6).collect();
        assert_eq!(counted, ["own", "small", "other"]);
    }
}
