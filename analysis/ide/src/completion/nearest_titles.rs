//! How near the declarations of resources in this file are: what refers to a resource mostly follows it.

use rustc_hash::FxHashMap;

use super::super::cursor::CursorContext;
use hir::body::{ResourceForm, body};
use hir::items;

/// How much less likely each declaration is than the one before it, if they are sorted by their distance.
const FARTHER: f64 = 0.25;

/// Returns the factors of the resources of the file by type and title: those before the cursor first, nearest first.
pub(super) fn nearest_titles(cursor: &CursorContext<'_>) -> FxHashMap<(String, String), f64> {
    let db = cursor.db;
    let mut found = Vec::new();
    for item in items(db, cursor.file) {
        let resources = body(db, *item).resources.iter();
        let declared = resources.filter(|it| it.form == ResourceForm::Declaration);
        for resource in declared {
            let Some(type_) = &resource.type_ else {
                continue;
            };
            for title in &resource.titles {
                let start = item.in_file(db, title.range).start();
                let is_after = start > cursor.offset;
                let distance = match is_after {
                    true => start - cursor.offset,
                    false => cursor.offset - start,
                };
                found.push((is_after, distance, type_, &title.text));
            }
        }
    }
    found.sort_unstable();
    let mut factors = FxHashMap::default();
    for ((_, _, type_, title), rank) in found.into_iter().zip(0..) {
        let resource = (type_.clone(), title.clone());
        let factor = 1.0 / (1.0 + FARTHER * f64::from(rank));
        factors.entry(resource).or_insert(factor);
    }
    factors
}
