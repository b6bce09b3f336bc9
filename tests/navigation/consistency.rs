//! Definitions and references are consistent in both directions.

use std::collections::BTreeSet;

use analysis::FileId;
use analysis::ide::AccessKind;
use pupil_tests::workspace::TestWorkspace;
use syntax::{TextRange, TextSize};

use crate::{debian_modules, middle, puppet_files, resolved_names, seed};

/// The number of names.
const SAMPLES: usize = 2_000;

/// The maximum number of uses of a name whose definition is queried.
const MAX_USES: usize = 50;

type FileRange = (FileId, TextRange);

fn definitions(workspace: &TestWorkspace, file: FileId, at: TextSize) -> BTreeSet<(FileId, u32)> {
    let found = workspace.analysis().goto_definition(file, at);
    let targets = found.into_iter().flat_map(|it| it.targets);
    targets
        .map(|it| (it.file, it.name_range.start().into()))
        .collect()
}

/// Returns how the definitions and references of a name are inconsistent.
fn inconsistency(
    workspace: &TestWorkspace,
    file: FileId,
    range: TextRange,
    is_title: bool,
) -> Option<String> {
    let analysis = workspace.analysis();
    let here = definitions(workspace, file, middle(range));
    let Some(uses) = analysis.references(file, middle(range), true) else {
        return Some("no references".to_owned());
    };
    let places: BTreeSet<(u32, u32, u32)> = uses
        .iter()
        .map(|it| (it.file.0, it.range.start().into(), it.range.end().into()))
        .collect();
    if !uses.iter().any(|it| (it.file, it.range) == (file, range)) {
        return Some("not among its own references".to_owned());
    }
    let declared: BTreeSet<(FileId, u32)> = uses
        .iter()
        .filter(|it| it.access != AccessKind::Read)
        .map(|it| (it.file, it.range.start().into()))
        .collect();
    if !here.is_subset(&declared) {
        return Some(format!("{here:?} is missing from {declared:?}"));
    }
    let is_code = |it: &FileId| {
        let text = analysis.text(*it);
        // Ruby files are not queried.
        text.is_some() && workspace.path(*it).is_some_and(|it| it.ends_with("pp"))
    };
    for found in uses.iter().filter(|it| is_code(&it.file)).take(MAX_USES) {
        let there = definitions(workspace, found.file, middle(found.range));
        let agrees = match is_title {
            // Of several declarations, the nearest ones.
            true => there.is_subset(&declared) && !there.is_empty(),
            false => there == here,
        };
        if !agrees {
            return Some(format!(
                "{:?} {found:?} leads to {there:?}, expected {here:?}",
                workspace.path(found.file)
            ));
        }
    }
    // The definition must have the same references.
    for (target, start) in here.iter().filter(|it| is_code(&it.0)) {
        let start = TextSize::new(*start);
        let Some(place) = uses
            .iter()
            .find(|it| (it.file, it.range.start()) == (*target, start))
        else {
            return Some("a definition is missing from the references".to_owned());
        };
        let back = analysis.references(*target, middle(place.range), true);
        let back: BTreeSet<_> = back
            .into_iter()
            .flatten()
            .map(|it| (it.file.0, it.range.start().into(), it.range.end().into()))
            .collect();
        if back != places {
            return Some("its definition has different references".to_owned());
        }
    }
    None
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn definitions_and_references_are_consistent() {
    let workspace = TestWorkspace::new(&debian_modules());
    let files = puppet_files(&workspace);
    let mut random = fastrand::Rng::with_seed(seed());
    let mut samples: Vec<(FileRange, String, bool)> = Vec::new();
    while samples.len() < SAMPLES {
        let (path, file) = &files[random.usize(..files.len())];
        let names = resolved_names(&workspace, *file);
        // File names have no definition that leads back.
        let names: Vec<_> = names
            .into_iter()
            .filter(|it| !matches!(it.kind, "template" | "file"))
            .collect();
        for _ in 0..names.len().min(5) {
            let name = &names[random.usize(..names.len())];
            let shown = format!("{path}: {} {}", name.kind, name.name);
            samples.push(((*file, name.range), shown, name.kind == "resource"));
        }
    }
    samples.truncate(SAMPLES);
    let mut bad = Vec::new();
    for ((file, range), shown, is_title) in &samples {
        if let Some(why) = inconsistency(&workspace, *file, *range, *is_title) {
            bad.push(format!("{shown}: {why}"));
        }
    }
    println!("{} samples, {} disagreements", samples.len(), bad.len());
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
