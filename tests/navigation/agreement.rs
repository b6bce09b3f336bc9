//! Definition and references agree in both directions.

use std::collections::BTreeSet;

use analysis::FileId;
use analysis::ide::AccessKind;
use pupil_tests::world::World;
use syntax::{TextRange, TextSize};

use crate::{debian_modules, found_names, middle, puppet_files, seed};

/// How many names are looked at.
const SAMPLES: usize = 2_000;

/// How many uses of each are asked where they lead.
const MAX_USES: usize = 50;

type Place = (FileId, TextRange);

fn definitions(world: &World, file: FileId, at: TextSize) -> BTreeSet<(FileId, u32)> {
    let found = world.analysis().goto_definition(file, at);
    let targets = found.into_iter().flat_map(|it| it.targets);
    targets
        .map(|it| (it.file, it.name_range.start().into()))
        .collect()
}

/// What does not agree about a name, if anything does.
fn disagreement(world: &World, file: FileId, range: TextRange, is_title: bool) -> Option<String> {
    let analysis = world.analysis();
    let here = definitions(world, file, middle(range));
    let Some(uses) = analysis.references(file, middle(range), true) else {
        return Some("it has no references".to_owned());
    };
    let places: BTreeSet<(u32, u32, u32)> = uses
        .iter()
        .map(|it| (it.file.0, it.range.start().into(), it.range.end().into()))
        .collect();
    if !uses.iter().any(|it| (it.file, it.range) == (file, range)) {
        return Some("it is none of its own references".to_owned());
    }
    let declared: BTreeSet<(FileId, u32)> = uses
        .iter()
        .filter(|it| it.access != AccessKind::Read)
        .map(|it| (it.file, it.range.start().into()))
        .collect();
    if !here.is_subset(&declared) {
        return Some(format!("{here:?} are not among {declared:?}"));
    }
    let is_code = |it: &FileId| {
        let text = analysis.text(*it);
        // Ruby is not asked about.
        text.is_some() && world.path(*it).is_some_and(|it| it.ends_with("pp"))
    };
    for found in uses.iter().filter(|it| is_code(&it.file)).take(MAX_USES) {
        let there = definitions(world, found.file, middle(found.range));
        let agrees = match is_title {
            // Of several declarations those that are near.
            true => there.is_subset(&declared) && !there.is_empty(),
            false => there == here,
        };
        if !agrees {
            return Some(format!(
                "from {:?} {found:?} to {there:?}, not {here:?}",
                world.path(found.file)
            ));
        }
    }
    // From the definition there are the same references.
    for (target, start) in here.iter().filter(|it| is_code(&it.0)) {
        let start = TextSize::new(*start);
        let Some(place) = uses
            .iter()
            .find(|it| (it.file, it.range.start()) == (*target, start))
        else {
            return Some("a definition is no reference".to_owned());
        };
        let back = analysis.references(*target, middle(place.range), true);
        let back: BTreeSet<_> = back
            .into_iter()
            .flatten()
            .map(|it| (it.file.0, it.range.start().into(), it.range.end().into()))
            .collect();
        if back != places {
            return Some("its definition has other references".to_owned());
        }
    }
    None
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are for who runs it")]
fn the_ways_there_and_back_agree() {
    let world = World::new(&debian_modules());
    let files = puppet_files(&world);
    let mut random = fastrand::Rng::with_seed(seed());
    let mut samples: Vec<(Place, String, bool)> = Vec::new();
    while samples.len() < SAMPLES {
        let (path, file) = &files[random.usize(..files.len())];
        let names = found_names(&world, *file);
        // Names of files have nothing behind them that could lead back.
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
        if let Some(why) = disagreement(&world, *file, *range, *is_title) {
            bad.push(format!("{shown}: {why}"));
        }
    }
    println!("{} samples, {} disagreements", samples.len(), bad.len());
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
