//! Names of classes in class lists.

use base::ModuleOrigin;
use hir::autoload::definitions_of_kind;
use hir::{Item, ItemKind};
use rules::data::class_lists;
use rustc_hash::FxHashSet;
use salsa::Database;

use super::item_of;
use crate::data_files::Cursor;
use crate::data_files::position::Content;
use crate::data_files::typed_path::PathStep;
use crate::{CompletionItem, CompletionKind, DocumentationKey, DocumentedKind};

/// Returns what is written of the name of a class, if the cursor is in a class list.
pub(super) fn word<'a>(
    db: &dyn Database,
    cursor: &Cursor<'_>,
    path: &[PathStep],
    content: Content<'a>,
) -> Option<&'a str> {
    let (key, word) = match (path, content) {
        ([], Content::Value(key, word)) => (key, word),
        ([PathStep::Key(key), rest @ ..], Content::Key(word)) => {
            let is_element = rest.iter().all(|it| *it == PathStep::Element);
            (is_element && !rest.is_empty()).then_some((key.as_str(), word))?
        }
        _ => return None,
    };
    class_lists(db, cursor.environment).get(key)?;
    // Several names may be on one line.
    let word = word.rsplit(['[', ',', ' ', '\'', '"']).next()?;
    Some(word.trim_start_matches(':'))
}

/// Returns the classes that a word may become, those of the workspace first.
pub(super) fn items(db: &dyn Database, cursor: &Cursor<'_>, word: &str) -> Vec<CompletionItem> {
    let known: FxHashSet<String> = listed(cursor);
    let is_own = |item: Item<'_>| {
        let module = item.file(db).module(db);
        module.is_some_and(|it| it.origin(db) == ModuleOrigin::Workspace)
    };
    let classes = definitions_of_kind(db, cursor.environment, ItemKind::Class);
    let mut classes: Vec<_> = classes
        .filter(|it| it.0.contains(word) && (it.0 == word || !known.contains(it.0)))
        .map(|it| (!it.0.starts_with(word), !is_own(it.1), it.0))
        .collect();
    classes.sort_unstable();
    classes.into_iter().map(|it| class(it.2)).collect()
}

/// Returns the strings in the lists of the file.
fn listed(cursor: &Cursor<'_>) -> FxHashSet<String> {
    let entries = cursor.data.entries().iter();
    let names = entries.flat_map(|it| rules::data::class_names(&it.value));
    names.map(|it| hir::canonical_name(it.1)).collect()
}

fn class(name: &str) -> CompletionItem {
    let mut item = item_of(name, name, CompletionKind::Class, None);
    item.documentation_key = Some(DocumentationKey {
        kind: DocumentedKind::Class,
        name: name.to_owned(),
    });
    item
}
