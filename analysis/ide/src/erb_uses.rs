//! The uses of variables in ERB templates: `@name` and `scope['name']` in the templates that the code of the variable
//! renders, and `scope['class::name']` in all templates.

mod open_template;

use library::ruby::ErbRead;
use rules::erb_template;
use salsa::Database;

use crate::ReferenceLocation;
use crate::symbol::{AccessKind, Symbol};
use crate::type_hierarchy::subclasses;
use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::template_files;
use hir::body::{PathKind, ReferenceName, body};
use hir::resolve::{Definition, resolve};
use hir::{Item, ItemKind};

pub(crate) use open_template::{completions_in_template, highlights_in_template};

/// Returns the uses of a variable of a class or a defined type in ERB templates, by file in source order.
pub(crate) fn erb_uses(
    db: &dyn Database,
    origin: FileInput,
    symbol: &Symbol<'_>,
) -> Vec<ReferenceLocation> {
    let Symbol::Variable {
        item,
        scope: 0,
        name,
    } = symbol
    else {
        return Vec::new();
    };
    if !item.kind(db).is_declarable() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for reader in readers(db, origin, *item, name) {
        for (file, _) in rendered_templates(db, reader) {
            let uses = unqualified_uses(db, file, name);
            found.extend(uses.map(|it| (file.id(db), it.plain_range())));
        }
    }
    if let Some(environment) = item.file(db).environment(db)
        && item.kind(db) == ItemKind::Class
    {
        let full = format!("{}::{name}", item.name(db));
        for (file, _, _) in templates_with(db, environment, &full) {
            let uses = erb_template(db, file).variables();
            let uses = uses.filter(|it| it.plain_name() == full);
            found.extend(uses.map(|it| (file.id(db), it.plain_range())));
        }
    }
    found.sort_unstable_by_key(|it| (it.0, it.1.start()));
    found.dedup();
    let locations = found.into_iter().map(|(file, range)| ReferenceLocation {
        file,
        range,
        access: AccessKind::Read,
    });
    locations.collect()
}

/// Returns the definitions whose templates see a variable of an item by its unqualified name: the item itself, and the
/// classes that inherit it.
pub(crate) fn readers<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    item: Item<'db>,
    name: &str,
) -> Vec<Item<'db>> {
    let mut readers = vec![item];
    let mut at = 0;
    while item.kind(db) == ItemKind::Class && at < readers.len() {
        for class in subclasses(db, origin, readers[at]) {
            let hides = body(db, class).own_bindings(name).next().is_some();
            if !hides && !readers.contains(&class) {
                readers.push(class);
            }
        }
        at += 1;
    }
    readers
}

/// Returns the ERB templates that an item renders by constant paths, with these paths.
pub(crate) fn rendered_templates<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> impl Iterator<Item = (FileInput, &'db str)> {
    let references = body(db, item).references.iter();
    references.filter_map(move |reference| {
        let ReferenceName::Path(PathKind::Template, path) = &reference.name else {
            return None;
        };
        match resolve(db, item, reference) {
            Ok(Definition::File(file)) => Some((file, path.as_str())),
            _ => None,
        }
    })
}

/// Returns the places where a template names a variable of the code that renders it.
pub(crate) fn unqualified_uses<'db>(
    db: &'db dyn Database,
    template: FileInput,
    name: &str,
) -> impl Iterator<Item = &'db ErbRead> {
    let all = erb_template(db, template).variables();
    all.filter(move |it| it.name == name)
}

/// Returns the ERB templates that contain a string, with their modules and paths.
pub(crate) fn templates_with<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    text: &str,
) -> Vec<(FileInput, ModuleInput, &'db String)> {
    let modules = environment.modules(db).values();
    let all = modules.flat_map(|it| erb_templates(db, *it).map(|(path, file)| (file, *it, path)));
    // Most templates do not contain the name at all.
    let with_text = all.filter(|it| it.0.text(db).as_deref().is_some_and(|it| it.contains(text)));
    with_text.collect()
}

/// Returns the templates of a module that are not EPP.
pub(crate) fn erb_templates(
    db: &dyn Database,
    module: ModuleInput,
) -> impl Iterator<Item = (&String, FileInput)> {
    template_files(db, module).filter(|it| !it.0.ends_with(".epp"))
}
