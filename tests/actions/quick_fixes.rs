//! Code actions for the diagnostics in Debian's modules: fixes, suppression comments and "fix all".

use std::collections::BTreeMap;

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::ide::fix_edits;
use fastrand::Rng;
use pupil_tests::corpus::modules_dir;
use pupil_tests::env::{self, seed};
use pupil_tests::workspace::{TestWorkspace, read_modules};
use syntax::{Applicability, Edit, apply_edits};

use crate::{Counts, files, print, syntax_error};

/// Counts the diagnostics by code and message.
fn count_diagnostics(found: &[Diagnostic]) -> BTreeMap<(&'static str, String), usize> {
    let mut times = BTreeMap::new();
    for it in found {
        *times.entry((it.code, it.message.clone())).or_default() += 1;
    }
    times
}

/// Returns the invariant that the edits for some diagnostics violate.
fn violation(
    workspace: &mut TestWorkspace,
    path: &str,
    edits: &[&Edit],
    resolved: &[&Diagnostic],
) -> Option<String> {
    let sound = workspace.text(path)?;
    let Some(text) = apply_edits(&sound, edits.iter().copied()) else {
        return Some("the edits overlap".to_owned());
    };
    let before = count_diagnostics(&workspace.diagnostics(path));
    workspace.set(path, &text);
    let after = count_diagnostics(&workspace.diagnostics(path));
    workspace.set(path, &sound);
    if let Some(message) =
        syntax_error(path, &text).filter(|_| syntax_error(path, &sound).is_none())
    {
        return Some(format!("the result does not parse: {message}"));
    }
    for it in resolved {
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
fn actions(workspace: &TestWorkspace, file: FileId, found: &[Diagnostic]) -> Vec<Action> {
    let analysis = workspace.analysis();
    let mut actions: Vec<Action> = Vec::new();
    for finding in found {
        for fix in &finding.fixes {
            if fix.edits.iter().all(|it| it.0 == file) {
                let edits = fix.edits.iter().map(|it| it.1.clone()).collect();
                actions.push(("fix", edits, vec![finding.clone()]));
            }
        }
        if let Some(edit) = analysis.suppression_edit(file, finding) {
            actions.push(("ignore", vec![edit], vec![finding.clone()]));
        }
    }
    let (edits, resolved) = fix_edits(found, file, Applicability::Safe);
    if !resolved.is_empty() && analysis.is_well_formed(file) {
        let resolved = resolved.into_iter().cloned().collect();
        actions.push(("fix-all", edits, resolved));
    }
    actions
}

#[test]
#[ignore = "needs Debian's modules"]
fn code_actions_remove_diagnostics_in_debian_modules() {
    let modules = read_modules(&modules_dir()).expect("Debian's modules are installed");
    let mut workspace = TestWorkspace::new(&modules);
    let mut rng = Rng::with_seed(seed(6));
    let paths = files(&workspace, &mut rng);
    let mut all: BTreeMap<&'static str, Vec<(&str, Action)>> = BTreeMap::new();
    for path in &paths {
        let Some(file) = workspace.id(path) else {
            continue;
        };
        let found = workspace.diagnostics(path);
        for it in actions(&workspace, file, &found) {
            all.entry(it.0).or_default().push((path, it));
        }
    }
    let mut counts: BTreeMap<&'static str, Counts> = BTreeMap::new();
    let mut problems = Vec::new();
    for (kind, mut actions) in all {
        let of_kind = counts.entry(kind).or_default();
        of_kind.offered = actions.len();
        rng.shuffle(&mut actions);
        actions.truncate(env::actions());
        for (path, (_, edits, resolved)) in &actions {
            of_kind.applied += 1;
            let edits: Vec<&Edit> = edits.iter().collect();
            let resolved: Vec<&Diagnostic> = resolved.iter().collect();
            if let Some(problem) = violation(&mut workspace, path, &edits, &resolved) {
                of_kind.wrong += 1;
                let about: Vec<_> = resolved.iter().map(|it| it.message.as_str()).collect();
                problems.push(format!("{path} {kind} {about:?}: {problem}"));
            }
        }
    }
    print(&counts);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
