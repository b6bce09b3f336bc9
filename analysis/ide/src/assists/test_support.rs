//! Shared helpers for tests of assists.

use std::collections::BTreeMap;

use syntax::{Dialect, TextRange, TextSize, apply_edits};

use super::Assist;
use crate::fixture::{Fixture, parse};
use base::FileId;

const FILE: FileId = FileId(0);
const MARK: &str = "<^>";

/// Splits a source into its text without marks and the marked selection: one mark is a cursor, two
/// are the ends of a range.
fn selection(source: &str) -> (String, TextRange) {
    let start = source.find(MARK).expect("source contains a mark");
    let text = source.replacen(MARK, "", 1);
    let end = text.find(MARK).unwrap_or(start);
    let text = text.replacen(MARK, "", 1);
    let size = |it: usize| TextSize::new(it as u32);
    (text, TextRange::new(size(start), size(end)))
}

/// An empty file for tests that need no other files.
pub(super) const NO_OTHERS: &str = "modules/m/manifests/none.pp\n";

/// Returns the assists offered in a source, in a workspace with other files.
pub(super) fn offered(source: &str, others: &str) -> Vec<Assist> {
    offered_at("modules/m/manifests/init.pp", source, others)
}

/// Like [`offered`], for a file at a certain path.
pub(super) fn offered_at(path: &str, source: &str, others: &str) -> Vec<Assist> {
    let (text, range) = selection(source);
    let fixture = Fixture::new(&format!("//- {path}\n{text}//- {others}"));
    fixture.analysis().assists(FILE, range)
}

/// Returns the source after an assist was applied, `none` if it is not offered, or the reason why
/// it is disabled. Asserts that the result parses and has no additional diagnostics.
pub(super) fn applied_with(id: &str, source: &str, others: &str) -> String {
    applied_in("modules/m/manifests/init.pp", id, source, others)
}

/// Like [`applied_with`], for a file at a certain path.
pub(super) fn applied_in(path: &str, id: &str, source: &str, others: &str) -> String {
    let (text, range) = selection(source);
    let fixture = |text: &str| Fixture::with_style(&format!("//- {path}\n{text}//- {others}"));
    let before = fixture(&text);
    let analysis = before.analysis();
    let Some(assist) = analysis
        .assists(FILE, range)
        .into_iter()
        .find(|it| it.id == id)
    else {
        return "none".to_owned();
    };
    if let Some(reason) = assist.disabled {
        return reason;
    }
    let edit = analysis.assist_edit(FILE, range, id, &assist.title);
    let edits = edit.expect("offered assist has edits").edits;
    assert!(edits.iter().all(|it| it.0 == FILE), "{edits:?}");
    let edits: Vec<_> = edits.into_iter().map(|it| it.1).collect();
    let changed = apply_edits(&text, &edits).expect("edits apply");
    let dialect = Dialect {
        epp: path.ends_with(".epp"),
        ..Dialect::default()
    };
    let sound = |it: &str| parse(it, dialect).errors().is_empty();
    assert!(!sound(&text) || sound(&changed), "{changed}");
    let after = fixture(&changed);
    let (counts, new) = (diagnostic_counts(&before), diagnostic_counts(&after));
    let is_new = |it: &(&str, usize)| counts.get(it.0) < Some(&it.1);
    let new: Vec<_> = new.into_iter().filter(is_new).collect();
    assert!(
        new.is_empty(),
        "{new:?}: {}\n{changed}",
        after.render_diagnostics()
    );
    changed
}

/// Returns the number of diagnostics of the file by code.
fn diagnostic_counts(fixture: &Fixture) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for it in fixture.analysis().diagnostics(FILE) {
        *counts.entry(it.code).or_default() += 1;
    }
    counts
}

/// Like [`applied_with`], without other files.
pub(super) fn applied(id: &str, source: &str) -> String {
    applied_with(id, source, NO_OTHERS)
}

/// Returns the title, path and text of the file that an assist offers to create in a source, or `none`.
pub(super) fn created(source: &str) -> String {
    let (text, range) = selection(source);
    let fixture = Fixture::new(&format!("//- modules/m/manifests/init.pp\n{text}"));
    let analysis = fixture.analysis();
    let mut offered = analysis.assists(FILE, range).into_iter();
    let Some(assist) = offered.find(|it| it.creates_file) else {
        return "none".to_owned();
    };
    let edit = analysis.assist_edit(FILE, range, assist.id, &assist.title);
    let created = edit.and_then(|it| it.created);
    let created = created.expect("the assist creates a file");
    assert_eq!(created.sibling, FILE);
    format!("# {}: {}\n{}", assist.title, created.path, created.text)
}
