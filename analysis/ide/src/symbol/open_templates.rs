//! The variables of EPP templates without a parameter list: the keys of the hashes that calls of `epp` pass.

use hir::variables::is_open_template;
use hir::{Item, ItemKind, items};
use rules::{TemplateCalls, template_calls};
use salsa::Database;

use super::{OccurrenceKind, Symbol, resolve_occurrence, word_hash};
use crate::search::{SymbolUse, occurrences_of_words};
use base::FileInput;

/// Returns the parameters that calls pass to an item, if it is a template without a parameter list.
pub(crate) fn calls_of(db: &dyn Database, item: Item<'_>) -> Option<TemplateCalls> {
    let file = item.file(db);
    let environment = file.environment(db)?;
    is_open_template(db, item)
        .then(|| template_calls(db, environment, file))
        .flatten()
}

/// Checks whether a call passes a variable to an item, which is a template without a parameter list.
pub(super) fn is_passed(db: &dyn Database, item: Item<'_>, name: &str) -> bool {
    calls_of(db, item).is_some_and(|it| it.passed.contains(name))
}

/// Returns the symbol of a key that a call passes to a template without a parameter list.
pub(super) fn passed_variable<'db>(
    db: &'db dyn Database,
    template: FileInput,
    name: &str,
) -> Option<Symbol<'db>> {
    let mut main = items(db, template).iter();
    let item = *main.find(|it| it.kind(db) == ItemKind::Main)?;
    is_open_template(db, item).then(|| variable(item, name))
}

/// Returns the symbol of a variable of a template without a parameter list.
pub(super) fn variable<'db>(item: Item<'db>, name: &str) -> Symbol<'db> {
    Symbol::Variable {
        item,
        scope: 0,
        name: name.to_owned(),
    }
}

/// Returns the keys that pass a variable to a template without a parameter list.
pub(crate) fn keys_in_calls<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    name: &str,
) -> Vec<SymbolUse<'db>> {
    if !is_open_template(db, item) {
        return Vec::new();
    }
    let wanted = variable(item, name);
    let mut found = occurrences_of_words(db, item.file(db), &[word_hash(name)]);
    found.retain(|it| {
        matches!(it.occurrence.kind, OccurrenceKind::Implicit(_))
            && resolve_occurrence(db, it.item, &it.occurrence.kind).as_ref() == Some(&wanted)
            && it.occurrence.access == super::AccessKind::Write
    });
    found
}
