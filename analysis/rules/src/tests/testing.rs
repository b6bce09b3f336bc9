//! The diagnostics of a small workspace.

use fixture::{Sources, visible_text};
use hir::items;

use crate::item_findings;

/// The diagnostics of all files: `path: code "underlined": message`, one per line.
pub(super) fn findings(text: &str) -> String {
    let sources = Sources::parse(text);
    let db = sources.database();
    let mut lines = Vec::new();
    for (id, path, text) in sources.iter() {
        let file = db.file(id).expect("the file is one of the sources");
        for item in items(&db, file) {
            for found in item_findings(&db, *item) {
                let range = item.in_file(&db, found.range);
                let place = visible_text(text, range);
                lines.push((
                    id,
                    range.start(),
                    format!("{path}: {} `{place}`: {}", found.code, found.message),
                ));
            }
        }
    }
    lines.sort_by_key(|it| (it.0, it.1));
    lines
        .into_iter()
        .map(|it| it.2)
        .collect::<Vec<_>>()
        .join("\n")
}
