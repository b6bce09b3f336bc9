//! `lookup_options`: keys, options and merge strategies.

use hiera::merge::{DEEP_OPTIONS, STRATEGIES};
use rustc_hash::FxHashSet;
use salsa::Database;

use super::{item_of, keys};
use crate::data_files::position::{Content, Position};
use crate::data_files::typed_path::PathStep;
use crate::data_files::{Cursor, keys_by_name};
use crate::{CompletionItem, CompletionKind};

/// The types to which values are usually converted.
const TYPES: [&str; 9] = [
    "Sensitive",
    "Array",
    "Boolean",
    "Float",
    "Hash",
    "Integer",
    "Numeric",
    "String",
    "Timestamp",
];

/// Returns what `lookup_options` can contain at a path in them, and the word before the cursor.
pub(super) fn items<'a>(
    db: &dyn Database,
    cursor: &Cursor<'_>,
    path: &[PathStep],
    position: &Position<'a>,
    content: Content<'a>,
) -> (Vec<CompletionItem>, &'a str) {
    let step = |at: usize| match path.get(at) {
        Some(PathStep::Key(key)) => Some(key.as_str()),
        _ => None,
    };
    match content {
        Content::Key(word) => {
            let items = match (path.len(), step(1)) {
                (0, _) => data_keys(db, cursor, position, word),
                (1, _) => named(["merge", "convert_to"], position),
                (2, Some("merge")) => named(DEEP_OPTIONS, position),
                (3, Some("convert_to")) => values(TYPES),
                _ => Vec::new(),
            };
            (items, word)
        }
        Content::Value(key, word) => {
            let items = match (path.len(), key) {
                (1, "merge") => values(STRATEGIES),
                (1, "convert_to") => values(TYPES),
                (2, "strategy") => values(STRATEGIES),
                (2, "knockout_prefix") => values(["'--'"]),
                (2, _) if DEEP_OPTIONS.contains(&key) => values(["true", "false"]),
                _ => Vec::new(),
            };
            (items, word)
        }
    }
}

/// Returns the keys of data, and those of class parameters, that have no options yet.
fn data_keys(
    db: &dyn Database,
    cursor: &Cursor<'_>,
    position: &Position<'_>,
    word: &str,
) -> Vec<CompletionItem> {
    let word = word.trim_start_matches(['\'', '"']);
    let mut items: Vec<CompletionItem> = Vec::new();
    let in_data = keys_by_name(db, cursor.environment, |it| it.starts_with(word));
    let known: FxHashSet<&str> = in_data.iter().map(|it| it.0).collect();
    for (key, _) in &in_data {
        items.push(item_of(key, &format!("{key}:"), CompletionKind::Key, None));
    }
    for mut item in keys::root_keys(db, cursor, word) {
        item.insert = format!("{}:", item.label);
        if item.kind == CompletionKind::Parameter && !known.contains(item.label.as_str()) {
            items.push(item);
        }
    }
    items.retain(|it| !position.has(&it.label));
    items
}

fn named<const N: usize>(names: [&str; N], position: &Position<'_>) -> Vec<CompletionItem> {
    let names = names.iter().filter(|it| !position.has(it));
    names
        .map(|it| item_of(it, &format!("{it}: "), CompletionKind::Key, None))
        .collect()
}

fn values<const N: usize>(values: [&str; N]) -> Vec<CompletionItem> {
    let values = values.iter();
    values
        .map(|it| item_of(it, it, CompletionKind::Value, None))
        .collect()
}
