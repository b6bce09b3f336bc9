//! Names that get other ones: the code parses, nothing new is found, and the way back leads to the
//! same texts.

use std::collections::BTreeMap;

use analysis::FileId;
use analysis::ide::RenameEdit;
use pupil_tests::world::World;
use syntax::{TextSize, apply_edits};

use crate::{debian_modules, middle, puppet_files};

/// How many names are renamed.
const SAMPLES: usize = 300;

/// Where the edited names start afterwards.
fn places_after(edit: &RenameEdit) -> Vec<(FileId, TextSize)> {
    let mut at = (FileId(u32::MAX), 0_i64);
    let places = edit.edits.iter().map(|(file, it)| {
        if at.0 != *file {
            at = (*file, 0);
        }
        let start = i64::from(u32::from(it.range.start())) + at.1;
        let length = i64::try_from(it.text.len()).expect("names are short");
        at.1 += length - i64::from(u32::from(it.range.len()));
        let start = u32::try_from(start).expect("files are small");
        (*file, TextSize::new(start))
    });
    places.collect()
}

/// The texts of the edited files, and what is found in them and in the files of their modules.
fn state(world: &World, edited: &[FileId]) -> (BTreeMap<FileId, String>, BTreeMap<String, usize>) {
    let analysis = world.analysis();
    let texts = edited
        .iter()
        .filter_map(|it| Some((*it, analysis.text(*it)?.to_string())));
    let mut findings = BTreeMap::new();
    for file in edited {
        for found in analysis.diagnostics(*file) {
            *findings
                .entry(format!("{file:?} {}", found.code))
                .or_default() += 1;
        }
        *findings.entry(format!("{file:?} sound")).or_default() +=
            usize::from(analysis.is_sound(*file));
    }
    (texts.collect(), findings)
}

fn apply(world: &mut World, edit: &RenameEdit) {
    let mut by_file: BTreeMap<FileId, Vec<_>> = BTreeMap::new();
    for (file, it) in &edit.edits {
        by_file.entry(*file).or_default().push(it);
    }
    for (file, edits) in by_file {
        let path = world.path(file).expect("it has one").to_owned();
        let text = world.text(&path).expect("it has one");
        let text = apply_edits(&text, edits).expect("no edit overlaps another");
        world.set(&path, &text);
    }
    for moved in &edit.moves {
        world.move_file(moved.file, &moved.from, &moved.to);
    }
}

/// Renames and renames back; what went wrong, if anything did, or why it was refused.
fn there_and_back(world: &mut World, file: FileId, at: TextSize) -> Result<String, String> {
    let analysis = world.analysis();
    let old = analysis.prepare_rename(file, at).map_err(|it| it.0)?;
    let new = match old.name.starts_with(|it: char| it.is_ascii_uppercase()) {
        true => format!("{}Renamed1", old.name),
        false => format!("{}_renamed1", old.name),
    };
    let edit = match analysis.rename(file, at, &new) {
        Ok(edit) => edit,
        Err(refused) => return Err(refused.0),
    };
    drop(analysis);
    // Who looks at what is renamed need not be edited.
    let mut edited: Vec<_> = edit.edits.iter().map(|it| it.0).collect();
    edited.dedup();
    let before = state(world, &edited);
    apply(world, &edit);
    let after = state(world, &edited);
    let mut wrong = String::new();
    if before.1 != after.1 {
        wrong = format!("`{new}`: {:?} is found instead of {:?}", after.1, before.1);
    }
    let analysis = world.analysis();
    let back = places_after(&edit).into_iter().find_map(|(file, at)| {
        let here = analysis.prepare_rename(file, at).ok()?;
        (here.range.start() == at).then(|| analysis.rename(file, at, &old.name))
    });
    drop(analysis);
    match back {
        Some(Ok(back)) => apply(world, &back),
        Some(Err(refused)) => {
            wrong.push_str(&format!("`{new}` cannot be renamed back: {}", refused.0))
        }
        None => wrong.push_str(&format!("`{new}` is nowhere")),
    }
    if state(world, &edited).0 != before.0 {
        wrong.push_str(&format!("`{new}`: the texts are other ones"));
        for (file, text) in &before.0 {
            let path = world.path(*file).expect("it has one").to_owned();
            world.set(&path, text);
        }
    }
    Ok(wrong)
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are for who runs it")]
fn names_get_other_ones_and_back() {
    let mut world = World::new(&debian_modules());
    let files = puppet_files(&world);
    let mut random = fastrand::Rng::with_seed(6);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut done, mut wrong) = (0, Vec::new());
    while done < SAMPLES {
        let (path, file) = &files[random.usize(..files.len())];
        let names = world.analysis().named_references(*file);
        if names.is_empty() {
            continue;
        }
        let name = &names[random.usize(..names.len())];
        // Most names are variables; the others matter as much.
        if name.kind == "variable" && done > 0 && kinds.get("variable") > Some(&(SAMPLES / 2)) {
            continue;
        }
        let middle = middle(name.range);
        let can = world.analysis().prepare_rename(*file, middle).is_ok();
        if !can {
            continue;
        }
        match there_and_back(&mut world, *file, middle) {
            Ok(bad) => {
                done += 1;
                *kinds.entry(name.kind).or_default() += 1;
                if !bad.is_empty() {
                    wrong.push(format!("{path}: {} {}: {bad}", name.kind, name.name));
                }
            }
            Err(reason) => {
                let plain = reason.split('`').step_by(2).collect::<Vec<_>>().join("…");
                *refused.entry(plain).or_default() += 1;
            }
        }
    }
    println!(
        "{done} renamed {kinds:?}, {} wrong, refused: {refused:#?}",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
