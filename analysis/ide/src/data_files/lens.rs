//! Code lenses about the levels that have a key.

use std::collections::BTreeSet;

use base::FileInput;
use hiera::Layer;
use hir::{ItemKind, items, signature};
use salsa::Database;
use syntax::TextRange;

use super::Cursor;
use super::levels::{KeySource, sources_of_root};
use super::mentions::MentionKind;
use crate::symbol::AccessKind;
use crate::{CodeLens, LensSubject, ReferenceLocation};

/// The maximum number of places of a key, the highest first.
const MAX_PLACES: usize = 30;

/// The maximum number of keys of a file that have a lens.
const MAX_KEYS: usize = 500;

/// Returns the lenses above the keys of a data file that several files have.
pub(crate) fn key_lenses(db: &dyn Database, file: FileInput) -> Vec<CodeLens> {
    let Some(cursor) = Cursor::new(db, file) else {
        return Vec::new();
    };
    let keys = cursor
        .keys(db, file)
        .filter(|it| it.kind == MentionKind::Key);
    let lenses = keys.take(MAX_KEYS).filter_map(|it| {
        let sources = sources_of_root(db, cursor.environment, it.name(cursor.text));
        (sources.len() > 1).then(|| lens(db, it.range, &sources))
    });
    lenses.collect()
}

/// Returns the lenses above the parameters of the classes of a file that data sets. A module's own default
/// in its data is as usual as one in its code.
pub(crate) fn parameter_lenses(db: &dyn Database, file: FileInput) -> Vec<CodeLens> {
    let Some(environment) = file.environment(db) else {
        return Vec::new();
    };
    let classes = items(db, file).iter();
    let classes = classes.filter(|it| it.kind(db) == ItemKind::Class);
    let lenses = classes.flat_map(|class| {
        let parameters = signature(db, *class).parameters.iter();
        parameters.filter_map(move |it| {
            let key = format!("{}::{}", class.name(db), it.name);
            let sources = sources_of_root(db, environment, &key);
            let is_set = match sources.as_slice() {
                [] => false,
                [only] => only.layer == Layer::Environment,
                _ => true,
            };
            is_set.then(|| lens(db, class.in_file(db, it.name_range), &sources))
        })
    });
    lenses.collect()
}

fn lens(db: &dyn Database, range: TextRange, sources: &[KeySource]) -> CodeLens {
    let levels = sources
        .iter()
        .map(|it| (it.layer == Layer::Environment, it.level()));
    let levels: BTreeSet<_> = levels.collect();
    let places = sources.iter().take(MAX_PLACES);
    CodeLens {
        range,
        subject: LensSubject::Levels {
            levels: levels.len(),
            files: sources.len(),
        },
        references: places
            .map(|it| ReferenceLocation {
                file: it.file.id(db),
                range: it.key_range,
                access: AccessKind::Write,
            })
            .collect(),
    }
}
