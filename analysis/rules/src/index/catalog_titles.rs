//! The strings that may become titles of resources in a certain catalog.

use base::{EnvironmentInput, FileInput, ModuleInput};
use catalog::{ClassProblems, ResourceKey};
use hir::autoload::{NameKey, find_item};
use hir::body::{ReferenceName, body};
use hir::resolve::{Definition, function};
use hir::{Item, ItemKind, canonical_name, items};
use infer::ENVIRONMENT_MODULE;
use rustc_hash::FxHashSet;
use salsa::Database;

use super::possible_titles::{Mentions, add_mentions_in_data, add_mentions_in_file};

/// Checks whether the data, or the code that a catalog consists of, contains a string that may be the title of a resource,
/// other than in references.
pub(crate) fn is_mentioned_in_catalog(
    db: &dyn Database,
    environment: EnvironmentInput,
    catalog: &ClassProblems,
    resource: &ResourceKey,
) -> bool {
    let type_name = canonical_name(&resource.type_name);
    let resource = (&*type_name, &*resource.title);
    let mut found = Mentions::default();
    let files = files_of(db, environment, catalog);
    for file in &files {
        add_mentions_in_file(db, *file, resource, &mut found);
    }
    let modules: FxHashSet<ModuleInput> = files.iter().filter_map(|it| it.module(db)).collect();
    let own = environment.modules(db).get(ENVIRONMENT_MODULE).copied();
    for module in modules.into_iter().chain(own) {
        add_mentions_in_data(db, module, resource.1, &mut found);
    }
    found.may_be_title(db, environment, &type_name)
}

/// Returns the files with the code of a catalog: main manifests, classes, defined types, and the functions that these call.
fn files_of(
    db: &dyn Database,
    environment: EnvironmentInput,
    catalog: &ClassProblems,
) -> FxHashSet<FileInput> {
    let name = |it: &String| NameKey::new(db, it.clone());
    let classes = catalog.classes.iter();
    let classes = classes.filter_map(|it| find_item(db, environment, ItemKind::Class, name(it)));
    let types = catalog.defined_types.iter();
    let types = types.filter_map(|it| find_item(db, environment, ItemKind::DefinedType, name(it)));
    let manifests = environment.manifests(db).iter().copied();
    let mut open: Vec<FileInput> = classes.chain(types).map(|it| it.file(db)).collect();
    open.extend(manifests);
    let mut found = FxHashSet::default();
    while let Some(file) = open.pop() {
        if found.insert(file) {
            let items = items(db, file).iter();
            open.extend(items.flat_map(|it| functions_called_in(db, environment, *it)));
        }
    }
    found
}

fn functions_called_in<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    item: Item<'db>,
) -> impl Iterator<Item = FileInput> {
    let references = body(db, item).references.iter();
    references.filter_map(move |it| match &it.name {
        ReferenceName::Function(name) => match function(db, Some(environment), name) {
            Ok(Definition::Item(it)) => Some(it.file(db)),
            _ => None,
        },
        _ => None,
    })
}
