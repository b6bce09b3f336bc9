//! Root keys of data: those of class parameters.

use hiera::LOOKUP_OPTIONS;
use hir::autoload::definitions_of_kind;
use hir::{ItemKind, ParameterSignature, signature};
use rustc_hash::FxHashSet;
use salsa::Database;

use super::item_of;
use crate::completion::{Origins, declared_classes};
use crate::data_files::Cursor;
use crate::{CompletionItem, CompletionKind, DocumentationKey, DocumentedKind};

/// The most keys that are offered without a word before the cursor.
const MAX_CLASSES: usize = 1_000;

/// Returns the keys of class parameters that a file does not have. Those of the own module come first, then those
/// of others by their [origin](Origins), of classes that are declared somewhere, and of parameters without a default.
pub(super) fn root_keys(db: &dyn Database, cursor: &Cursor<'_>, word: &str) -> Vec<CompletionItem> {
    let known: FxHashSet<&str> = cursor.data.entries().iter().map(|it| it.name()).collect();
    let declared = declared_classes(db, cursor.environment);
    let mut classes: Vec<_> = definitions_of_kind(db, cursor.environment, ItemKind::Class)
        .filter(|it| may_start_with(it.0, word))
        .collect();
    let origins = Origins::seen_from(db, Some(cursor.environment), cursor.file);
    classes.sort_by_key(|(name, item)| {
        let origin = origins.of_file(item.file(db));
        (origin, !declared.contains(name))
    });
    let mut items = Vec::new();
    for (class, item) in classes.into_iter().take(MAX_CLASSES) {
        let parameters = signature(db, item).parameters.iter();
        let mut parameters: Vec<&ParameterSignature> = parameters.collect();
        parameters.sort_by_key(|it| !it.is_required());
        for parameter in parameters {
            let key = format!("{class}::{}", parameter.name);
            let is_new = !known.contains(key.as_str()) || key == word;
            if is_new && key.starts_with(word) {
                items.push(parameter_key(&key, class, parameter));
            }
        }
    }
    let is_new = !known.contains(LOOKUP_OPTIONS);
    if is_new && !word.is_empty() && LOOKUP_OPTIONS.starts_with(word) {
        let insert = format!("{LOOKUP_OPTIONS}:");
        items.push(item_of(
            LOOKUP_OPTIONS,
            &insert,
            CompletionKind::Keyword,
            None,
        ));
    }
    items
}

/// Checks whether keys of a class can start with a word.
fn may_start_with(class: &str, word: &str) -> bool {
    class.starts_with(word) || word.starts_with(class)
}

fn parameter_key(key: &str, class: &str, parameter: &ParameterSignature) -> CompletionItem {
    let detail = parameter.type_.clone();
    let mut item = item_of(key, &format!("{key}: "), CompletionKind::Parameter, detail);
    item.documentation_key = Some(DocumentationKey {
        kind: DocumentedKind::Attribute,
        name: format!("class {class} {}", parameter.name),
    });
    item
}
