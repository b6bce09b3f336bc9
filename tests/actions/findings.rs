//! Code actions for the diagnostics in Debian's modules: fixes, suppression comments and "fix all".

use std::collections::BTreeMap;

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::ide::certain_edits;
use fastrand::Rng;
use pupil_tests::corpus::modules_dir;
use pupil_tests::environment::seed;
use pupil_tests::world::{World, read_modules};
use syntax::{Edit, apply_edits};

use crate::{Figures, each, files, print, syntax_error};

/// Counts the diagnostics by code and message.
fn said(found: &[Diagnostic]) -> BTreeMap<(&'static str, String), usize> {
    let mut times = BTreeMap::new();
    for it in found {
        *times.entry((it.code, it.message.clone())).or_default() += 1;
    }
    times
}

/// Returns the invariant that the edits for some diagnostics violate.
fn problem(
    world: &mut World,
    path: &str,
    edits: &[&Edit],
    settled: &[&Diagnostic],
) -> Option<String> {
    let sound = world.text(path)?;
    let Some(text) = apply_edits(&sound, edits.iter().copied()) else {
        return Some("the edits overlap".to_owned());
    };
    let before = said(&world.diagnostics(path));
    world.set(path, &text);
    let after = said(&world.diagnostics(path));
    world.set(path, &sound);
    if let Some(message) =
        syntax_error(path, &text).filter(|_| syntax_error(path, &sound).is_none())
    {
        return Some(format!("the result does not parse: {message}"));
    }
    for it in settled {
        let key = (it.code, it.message.clone());
        if after.get(&key) >= before.get(&key) {
            return Some(format!("still reported: {}", it.message));
        }
    }
    let new = after.iter().find(|it| before.get(it.0) < Some(it.1));
    new.map(|it| format!("new: {}: {}", it.0.0, it.0.1))
}

type Action = (&'static str, Vec<Edit>, Vec<Diagnostic>);

/// Returns the code actions for the diagnostics of a file.
fn actions(world: &World, file: FileId, found: &[Diagnostic]) -> Vec<Action> {
    let analysis = world.analysis();
    let mut actions: Vec<Action> = Vec::new();
    for finding in found {
        for fix in &finding.fixes {
            if fix.edits.iter().all(|it| it.0 == file) {
                let edits = fix.edits.iter().map(|it| it.1.clone()).collect();
                actions.push(("fix", edits, vec![finding.clone()]));
            }
        }
        if let Some(edit) = analysis.ignore(file, finding) {
            actions.push(("ignore", vec![edit], vec![finding.clone()]));
        }
    }
    let (edits, settled) = certain_edits(found, file);
    if !settled.is_empty() && analysis.is_sound(file) {
        let settled = settled.into_iter().cloned().collect();
        actions.push(("fix-all", edits, settled));
    }
    actions
}

#[test]
#[ignore = "needs Debian's modules"]
fn what_is_found_in_debian_modules_can_be_settled() {
    let modules = read_modules(&modules_dir()).expect("Debian's modules are installed");
    let mut world = World::new(&modules);
    let mut rng = Rng::with_seed(seed(6));
    let paths = files(&world, &mut rng);
    let mut all: BTreeMap<&'static str, Vec<(&str, Action)>> = BTreeMap::new();
    for path in &paths {
        let Some(file) = world.id(path) else { continue };
        let found = world.diagnostics(path);
        for it in actions(&world, file, &found) {
            all.entry(it.0).or_default().push((path, it));
        }
    }
    let mut figures: BTreeMap<&'static str, Figures> = BTreeMap::new();
    let mut problems = Vec::new();
    for (kind, mut actions) in all {
        let of_kind = figures.entry(kind).or_default();
        of_kind.offered = actions.len();
        rng.shuffle(&mut actions);
        actions.truncate(each());
        for (path, (_, edits, settled)) in &actions {
            of_kind.applied += 1;
            let edits: Vec<&Edit> = edits.iter().collect();
            let settled: Vec<&Diagnostic> = settled.iter().collect();
            if let Some(problem) = problem(&mut world, path, &edits, &settled) {
                of_kind.wrong += 1;
                let about: Vec<_> = settled.iter().map(|it| it.message.as_str()).collect();
                problems.push(format!("{path} {kind} {about:?}: {problem}"));
            }
        }
    }
    print(&figures);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
