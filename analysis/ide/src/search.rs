//! Finds all uses of a symbol in the workspace.
//!
//! An index by file and by module stores the hashes of all words. A hit in the index is only a
//! candidate: it counts as a use if it resolves to the same symbol.

pub(crate) mod string_names;

use std::collections::BTreeSet;

use salsa::Database;
use syntax::TextRange;

use super::data_files::{FileKind, file_kind};
use super::symbol::{
    AccessKind, Occurrence, Symbol, class_of_variable, occurrences, resolve_occurrence, word_hash,
};
use base::{FileInput, ModuleInput};
use hir::autoload::{module_puppet_files, template_files};
use hir::{Item, ItemKind, items};
use string_names::names_in_strings;

/// An occurrence of a name in an item.
#[derive(Clone, Debug)]
pub(super) struct SymbolUse<'db> {
    /// The item that contains it.
    pub(super) item: Item<'db>,
    /// The occurrence in the item.
    pub(super) occurrence: Occurrence<'db>,
}

impl SymbolUse<'_> {
    pub(super) fn file(&self, db: &dyn Database) -> FileInput {
        self.item.file(db)
    }

    /// Returns its range in the file.
    pub(super) fn range(&self, db: &dyn Database) -> TextRange {
        self.item.in_file(db, self.occurrence.range)
    }

    pub(super) fn access(&self) -> AccessKind {
        self.occurrence.access
    }
}

/// Returns the sorted word hashes of a file, each with the numbers of the items that contain it: a file may have
/// thousands, for each of which the uses are counted.
#[salsa::tracked]
fn file_word_index(db: &dyn Database, file: FileInput) -> Vec<(u64, usize)> {
    let mut found = Vec::new();
    for (index, item) in items(db, file).iter().enumerate() {
        let names = occurrences(db, *item);
        let words = names.iter().map(|it| it.kind.word_hash(db, *item));
        found.extend(words.map(|it| (it, index)));
        let classes = names.iter().filter_map(|it| class_of_variable(&it.kind));
        found.extend(classes.map(|it| (word_hash(&it), index)));
        let in_strings = names_in_strings(db, *item).into_iter();
        found.extend(in_strings.map(|it| (word_hash(&it), index)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the numbers of the items of a file that contain a word.
fn items_with_word(index: &[(u64, usize)], word: u64) -> impl Iterator<Item = usize> {
    let start = index.partition_point(|it| it.0 < word);
    let same = index[start..].iter().take_while(move |it| it.0 == word);
    same.map(|it| it.1)
}

/// Returns the sorted word hashes of the files of a module.
#[salsa::tracked]
fn module_word_index(db: &dyn Database, module: ModuleInput) -> Vec<(u64, FileInput)> {
    let files = module_puppet_files(db, module).iter();
    let files = files.chain(templates(db, module));
    let mut found: Vec<_> = files
        .flat_map(|file| {
            let words = file_word_index(db, *file).chunk_by(|a, b| a.0 == b.0);
            words.filter_map(|it| Some((it.first()?.0, *file)))
        })
        .collect();
    found.sort_unstable_by_key(|it| it.0);
    found
}

/// Returns the EPP templates of a module.
#[salsa::tracked]
fn templates(db: &dyn Database, module: ModuleInput) -> Vec<FileInput> {
    let files = template_files(db, module).filter(|it| it.0.ends_with(".epp"));
    files.map(|it| it.1).collect()
}

/// Returns the files of the environment of `origin` that contain one of the words. The result always
/// includes `origin`, if it is code.
pub(super) fn files_with_words(
    db: &dyn Database,
    origin: FileInput,
    wanted: &[u64],
) -> Vec<FileInput> {
    let mut found = match file_kind(db, origin) {
        FileKind::Code => vec![origin],
        _ => Vec::new(),
    };
    let mut add = |file: FileInput| {
        if !found.contains(&file) {
            found.push(file);
        }
    };
    let Some(environment) = origin.environment(db) else {
        return found;
    };
    for file in environment.manifests(db).iter() {
        let here = file_word_index(db, *file);
        let mut wanted = wanted.iter();
        if wanted.any(|it| items_with_word(here, *it).next().is_some()) {
            add(*file);
        }
    }
    for module in environment.modules(db).values() {
        let here = module_word_index(db, *module);
        for wanted in wanted {
            let start = here.partition_point(|it| it.0 < *wanted);
            let same = here[start..].iter().take_while(|it| it.0 == *wanted);
            same.for_each(|it| add(it.1));
        }
    }
    found
}

/// Returns the items of an environment that contain a word, perhaps only in a string.
pub(super) fn items_with<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    wanted: u64,
) -> Vec<Item<'db>> {
    let files = files_with_words(db, origin, &[wanted]).into_iter();
    let found = files.flat_map(|file| {
        let all = items(db, file);
        items_with_word(file_word_index(db, file), wanted).filter_map(|it| all.get(it).copied())
    });
    found.collect()
}

/// Returns all names of an environment that are indexed under one of the words.
pub(super) fn occurrences_of_words<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    wanted: &[u64],
) -> Vec<SymbolUse<'db>> {
    let files = files_with_words(db, origin, wanted);
    let found = files.into_iter().flat_map(|file| {
        let index = file_word_index(db, file);
        let with_words = wanted.iter().flat_map(|it| items_with_word(index, *it));
        let with_words: BTreeSet<usize> = with_words.collect();
        let all = items(db, file);
        with_words.into_iter().filter_map(|it| all.get(it))
    });
    found
        .flat_map(|it| occurrences_in_item(db, *it, wanted))
        .collect()
}

fn occurrences_in_item<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    wanted: &[u64],
) -> Vec<SymbolUse<'db>> {
    let names = occurrences(db, item).into_iter();
    let same = names.filter(|it| wanted.contains(&it.kind.word_hash(db, item)));
    same.map(|occurrence| SymbolUse { item, occurrence })
        .collect()
}

/// Returns all uses of a symbol in code including its declarations, grouped by file in source order.
pub(super) fn symbol_uses<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    symbol: &Symbol<'db>,
) -> Vec<SymbolUse<'db>> {
    let wanted = symbol_word_hashes(db, symbol);
    let names = match single_item(db, symbol) {
        Some(item) => occurrences_in_item(db, item, &wanted),
        None => occurrences_of_words(db, origin, &wanted),
    };
    filter_by_symbol(db, names, symbol)
}

/// Returns the variables that are qualified with a class.
pub(super) fn qualified_variables<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    class: &str,
) -> Vec<SymbolUse<'db>> {
    let files = files_with_words(db, origin, &[word_hash(class)]).into_iter();
    let items = files.flat_map(|it| items(db, it)).copied();
    let names = items.flat_map(|item| {
        let names = occurrences(db, item).into_iter();
        names.map(move |occurrence| SymbolUse { item, occurrence })
    });
    let is_named =
        |it: &SymbolUse<'_>| class_of_variable(&it.occurrence.kind).as_deref() == Some(class);
    names.filter(is_named).collect()
}

/// Returns the uses of a symbol in one file of code.
pub(super) fn symbol_uses_in_file<'db>(
    db: &'db dyn Database,
    file: FileInput,
    symbol: &Symbol<'db>,
) -> Vec<SymbolUse<'db>> {
    let wanted = symbol_word_hashes(db, symbol);
    let names = items(db, file)
        .iter()
        .flat_map(|it| occurrences_in_item(db, *it, &wanted));
    filter_by_symbol(db, names, symbol)
}

/// Filters names by the symbol that they resolve to and sorts them by file and range.
fn filter_by_symbol<'db>(
    db: &'db dyn Database,
    names: impl IntoIterator<Item = SymbolUse<'db>>,
    symbol: &Symbol<'db>,
) -> Vec<SymbolUse<'db>> {
    let is_same = |it: &SymbolUse<'db>| {
        resolve_occurrence(db, it.item, &it.occurrence.kind).as_ref() == Some(symbol)
    };
    let mut found: Vec<_> = names.into_iter().filter(is_same).collect();
    let key = |it: &SymbolUse<'_>| {
        let range = it.range(db);
        (it.file(db).id(db), range.start(), range.end())
    };
    found.sort_by_key(|it| (key(it), it.access()));
    found.dedup_by_key(|it| key(it));
    found
}

/// Returns the item that contains all uses of a local variable.
fn single_item<'db>(db: &'db dyn Database, symbol: &Symbol<'db>) -> Option<Item<'db>> {
    match symbol {
        Symbol::Variable { item, scope, .. } => {
            let is_closed = *scope > 0 || item.kind(db) == ItemKind::Function;
            is_closed.then_some(*item)
        }
        _ => None,
    }
}

/// Returns the hashes of the words under which the uses of a symbol are indexed.
fn symbol_word_hashes(db: &dyn Database, symbol: &Symbol<'_>) -> Vec<u64> {
    match symbol {
        Symbol::Item(item) => vec![word_hash(item.name(db))],
        Symbol::Variable { name, .. }
        | Symbol::External { name, .. }
        | Symbol::Attribute { name, .. } => vec![
            word_hash(name),
            word_hash(super::symbol::last_segment(name)),
        ],
        Symbol::Title(_, title) => vec![word_hash(title)],
        Symbol::DataKey(key) => vec![word_hash(super::symbol::last_segment(key))],
        Symbol::File(file) => module_path(db, *file)
            .map(|(module, path)| paths_of_template(&module, strip_first_folder(&path)))
            .unwrap_or_default()
            .iter()
            .map(|it| word_hash(it))
            .collect(),
    }
}

/// Returns the module of a file and its path within the module.
pub(crate) fn module_path(db: &dyn Database, file: FileInput) -> Option<(String, String)> {
    let module = file.module(db)?;
    let mut files = module.files(db).iter();
    let path = files.find(|it| *it.1 == file)?.0;
    Some((module.name(db).to_string(), path.clone()))
}

/// Returns the ways to name a file of a module: the extension of an EPP template may be missing.
pub(crate) fn paths_of_template(module: &str, path: &str) -> Vec<String> {
    let full = format!("{module}/{path}");
    let short = full.strip_suffix(".epp").map(str::to_owned);
    [full].into_iter().chain(short).collect()
}

/// Strips the first folder of a path.
pub(super) fn strip_first_folder(path: &str) -> &str {
    path.split_once('/').map_or(path, |it| it.1)
}
