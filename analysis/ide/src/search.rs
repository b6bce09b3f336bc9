//! Finds all uses of a symbol in the workspace.
//!
//! An index by file and by module stores the hashes of all words. A hit in the index is only a
//! candidate: it counts as a use if it resolves to the same symbol.

use salsa::Database;
use syntax::TextRange;

use super::symbol::{
    Access, Occurrence, SpecialName, Symbol, What, class_of_variable, occurrences, symbol_of, word,
};
use base::db::{FileInput, ModuleInput};
use hir::autoload::module_puppet_files;
use hir::body::Name;
use hir::{Item, ItemKind, items};

/// An occurrence of a name in an item.
#[derive(Clone, Debug)]
pub(super) struct Use<'db> {
    /// The item that contains it.
    pub(super) item: Item<'db>,
    /// The occurrence in the item.
    pub(super) occurrence: Occurrence<'db>,
}

impl Use<'_> {
    pub(super) fn file(&self, db: &dyn Database) -> FileInput {
        self.item.file(db)
    }

    /// Returns its range in the file.
    pub(super) fn range(&self, db: &dyn Database) -> TextRange {
        self.item.in_file(db, self.occurrence.range)
    }

    /// Checks whether it reads a variable.
    pub(super) fn is_variable(&self) -> bool {
        match self.occurrence.what {
            What::Reference(it) => matches!(it.name, Name::Variable(_)),
            What::Special(it) => matches!(it.name, SpecialName::Variable(..)),
            _ => false,
        }
    }

    pub(super) fn access(&self) -> Access {
        self.occurrence.access
    }
}

/// Returns the sorted word hashes of a file.
#[salsa::tracked]
fn words(db: &dyn Database, file: FileInput) -> Vec<u64> {
    let mut found = Vec::new();
    for item in items(db, file) {
        let names = occurrences(db, *item);
        found.extend(names.iter().map(|it| it.what.word(db, *item)));
        let classes = names.iter().filter_map(|it| class_of_variable(&it.what));
        found.extend(classes.map(|it| word(&it)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the sorted word hashes of the files of a module.
#[salsa::tracked]
fn module_words(db: &dyn Database, module: ModuleInput) -> Vec<(u64, FileInput)> {
    let files = module_puppet_files(db, module).iter();
    let files = files.chain(templates(db, module));
    let mut found: Vec<_> = files
        .flat_map(|file| words(db, *file).iter().map(|it| (*it, *file)))
        .collect();
    found.sort_unstable_by_key(|it| it.0);
    found
}

/// Returns the EPP templates of a module.
#[salsa::tracked]
fn templates(db: &dyn Database, module: ModuleInput) -> Vec<FileInput> {
    let files = module.files(db).range("templates/".to_owned()..);
    let files = files.take_while(|it| it.0.starts_with("templates/"));
    let files = files.filter(|it| it.0.ends_with(".epp"));
    files.map(|it| *it.1).collect()
}

/// Returns the files of the environment of `origin` that contain one of the words. The result always
/// includes `origin`.
pub(super) fn files_with(db: &dyn Database, origin: FileInput, wanted: &[u64]) -> Vec<FileInput> {
    let mut found = vec![origin];
    let mut add = |file: FileInput| {
        if !found.contains(&file) {
            found.push(file);
        }
    };
    let Some(environment) = origin.environment(db) else {
        return found;
    };
    for file in environment.manifests(db).iter() {
        let here = words(db, *file);
        if wanted.iter().any(|it| here.binary_search(it).is_ok()) {
            add(*file);
        }
    }
    for module in environment.modules(db).values() {
        let here = module_words(db, *module);
        for wanted in wanted {
            let start = here.partition_point(|it| it.0 < *wanted);
            let same = here[start..].iter().take_while(|it| it.0 == *wanted);
            same.for_each(|it| add(it.1));
        }
    }
    found
}

/// Returns all names of an environment that are indexed under one of the words.
pub(super) fn names_with<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    wanted: &[u64],
) -> Vec<Use<'db>> {
    let files = files_with(db, origin, wanted);
    let items = files.into_iter().flat_map(|it| items(db, it));
    items.flat_map(|it| in_item(db, *it, wanted)).collect()
}

fn in_item<'db>(db: &'db dyn Database, item: Item<'db>, wanted: &[u64]) -> Vec<Use<'db>> {
    let names = occurrences(db, item).into_iter();
    let same = names.filter(|it| wanted.contains(&it.what.word(db, item)));
    same.map(|occurrence| Use { item, occurrence }).collect()
}

/// Returns all uses of a symbol including its declarations, grouped by file in source order.
pub(super) fn uses<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    symbol: &Symbol<'db>,
) -> Vec<Use<'db>> {
    let wanted = symbol_words(db, symbol);
    let names = match only_item(db, symbol) {
        Some(item) => in_item(db, item, &wanted),
        None => names_with(db, origin, &wanted),
    };
    of_symbol(db, names, symbol)
}

/// Returns the variables that are qualified with a class.
pub(super) fn variables_of_class<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    class: &str,
) -> Vec<Use<'db>> {
    let files = files_with(db, origin, &[word(class)]).into_iter();
    let items = files.flat_map(|it| items(db, it)).copied();
    let names = items.flat_map(|item| {
        let names = occurrences(db, item).into_iter();
        names.map(move |occurrence| Use { item, occurrence })
    });
    let is_named = |it: &Use<'_>| class_of_variable(&it.occurrence.what).as_deref() == Some(class);
    names.filter(is_named).collect()
}

/// Returns the uses of a symbol in one file.
pub(super) fn uses_in<'db>(
    db: &'db dyn Database,
    file: FileInput,
    symbol: &Symbol<'db>,
) -> Vec<Use<'db>> {
    let wanted = symbol_words(db, symbol);
    let names = items(db, file)
        .iter()
        .flat_map(|it| in_item(db, *it, &wanted));
    of_symbol(db, names, symbol)
}

/// Filters names by the symbol that they resolve to and sorts them by file and range.
fn of_symbol<'db>(
    db: &'db dyn Database,
    names: impl IntoIterator<Item = Use<'db>>,
    symbol: &Symbol<'db>,
) -> Vec<Use<'db>> {
    let is_same =
        |it: &Use<'db>| symbol_of(db, it.item, &it.occurrence.what).as_ref() == Some(symbol);
    let mut found: Vec<_> = names.into_iter().filter(is_same).collect();
    let key = |it: &Use<'_>| {
        let range = it.range(db);
        (it.file(db).id(db), range.start(), range.end())
    };
    found.sort_by_key(|it| (key(it), it.access()));
    found.dedup_by_key(|it| key(it));
    found
}

/// Returns the item that contains all uses of a local variable.
fn only_item<'db>(db: &'db dyn Database, symbol: &Symbol<'db>) -> Option<Item<'db>> {
    match symbol {
        Symbol::Variable { item, scope, .. } => {
            let is_closed = *scope > 0 || item.kind(db) == ItemKind::Function;
            is_closed.then_some(*item)
        }
        _ => None,
    }
}

/// Returns the words under which the uses of a symbol are indexed.
fn symbol_words(db: &dyn Database, symbol: &Symbol<'_>) -> Vec<u64> {
    match symbol {
        Symbol::Item(item) => vec![word(item.name(db))],
        Symbol::Variable { name, .. }
        | Symbol::Outside { name, .. }
        | Symbol::Attribute { name, .. } => vec![word(name), word(super::symbol::last_part(name))],
        Symbol::Title(_, title) => vec![word(title)],
        Symbol::File(file) => module_path(db, *file)
            .map(|(module, path)| vec![word(&format!("{module}/{}", behind_folder(&path)))])
            .unwrap_or_default(),
    }
}

/// Returns the module of a file and its path within the module.
pub(crate) fn module_path(db: &dyn Database, file: FileInput) -> Option<(String, String)> {
    let module = file.module(db)?;
    let mut files = module.files(db).iter();
    let path = files.find(|it| *it.1 == file)?.0;
    Some((module.name(db).to_string(), path.clone()))
}

/// Strips the first folder of a path.
pub(super) fn behind_folder(path: &str) -> &str {
    path.split_once('/').map_or(path, |it| it.1)
}
