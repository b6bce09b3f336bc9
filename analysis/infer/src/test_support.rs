//! Test helpers: inferred types of the expressions of a source.

use super::infer_item;
use super::problem::TypeProblemKind;
use base::FileId;
use fixture::{Sources, database};
use types::display_exact;

use super::{InferredType, TypedRangeKind, inferred_types};
use hir::items;

/// Returns the inferred type of each argument of `notice(…)` in a manifest, in source order; a
/// hyphen for unreachable ones.
pub(crate) fn revealed(manifest: &str) -> Vec<String> {
    revealed_in(&format!("//- modules/m/manifests/init.pp\n{manifest}"))
}

/// Like [`revealed`], for the first file of a workspace.
pub(crate) fn revealed_in(files: &str) -> Vec<String> {
    let sources = Sources::parse(files);
    let db = sources.database();
    let file = db.file(FileId(0)).expect("there is a first file");
    let places = inferred_types(&db, file);
    let manifest = sources.text(FileId(0));
    let starts = manifest.match_indices("notice(").map(|it| it.0 + 7);
    starts.map(|start| at(&places, manifest, start)).collect()
}

fn at(places: &[InferredType], text: &str, start: usize) -> String {
    let rest = &text[start..];
    let mut depth = 0_i32;
    let length = rest.find(|ch| {
        depth += match ch {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    let end = start + length.expect("the argument ends");
    let found = places.iter().find(|it| {
        it.kind == TypedRangeKind::Expression
            && usize::from(it.range.start()) == start
            && usize::from(it.range.end()) == end
    });
    found.map_or_else(|| "-".to_owned(), |it| display_exact(&it.type_))
}

/// Returns the type of an expression where a condition is true and where it is false, in a class
/// with these parameters.
pub(crate) fn narrowed(parameters: &str, condition: &str, expr: &str) -> String {
    let text = format!(
        "class m({parameters}) {{ if {condition} {{ notice({expr}) }} else {{ notice({expr}) }} }}"
    );
    revealed(&text).join(" | ")
}

/// Returns the pointless and missing branches of a manifest in short form.
pub(crate) fn problems(manifest: &str) -> Vec<String> {
    let (db, file) = database(manifest);
    let found = items(&db, file).iter().flat_map(|item| {
        let problems = infer_item(&db, *item).problems.clone();
        let db = &db;
        let found = problems.into_iter();
        found.map(move |it| {
            (
                std::ops::Range::<usize>::from(item.in_file(db, it.range)),
                it.kind,
            )
        })
    });
    let shown = found.map(|(range, kind)| {
        let place = &manifest[range];
        match kind {
            TypeProblemKind::UnreachableOption { .. } => format!("option {place}"),
            TypeProblemKind::MissingOption { left, .. } => {
                format!("missing {}", display_exact(&left))
            }
            TypeProblemKind::ConstantCondition { value, .. } => format!("always {value} {place}"),
            TypeProblemKind::UnknownCaptureGroup { number, count } => {
                format!("no group {number} of {count}")
            }
            other => format!("{other:?}"),
        }
    });
    shown.collect()
}
