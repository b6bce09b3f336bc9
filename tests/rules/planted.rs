//! Mistakes planted in Debian's modules: each must be reported on its line with the right code,
//! without other new diagnostics in the file.

mod insertions;
mod misspellings;
mod names;
mod sites;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fastrand::Rng;
use pupil_tests::env;
use pupil_tests::workspace::{LineDiagnostic, TestModule, TestWorkspace};

use crate::{debian_modules, fixes};
use names::Names;
use sites::Source;

/// The minimum number of kinds, and of mistakes for a kind to count.
const MIN_KINDS: usize = 24;
const MIN_KINDS_OF_TYPES: usize = 40;
const MIN_VARIANTS: usize = 5;

/// A mistake: a replacement in one file.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    /// The kind of mistake.
    pub(super) kind: &'static str,
    /// The rule that must report it.
    pub(super) code: &'static str,
    /// The replaced range, in bytes.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The replacement.
    pub(super) with: String,
    /// The offset on whose line the diagnostic must start, in the new source.
    pub(super) at: usize,
}

/// A mistake in a file.
struct Planted {
    path: String,
    module: String,
    mistake: Mistake,
}

fn all_mistakes(
    modules: &[TestModule],
    names: &Names,
    mistakes: fn(&Source<'_>) -> Vec<Mistake>,
) -> Vec<Planted> {
    let mut found = Vec::new();
    for module in modules {
        for (path, text) in &module.files {
            let Some(text) = text.as_deref().filter(|_| is_manifest(path)) else {
                continue;
            };
            let source = Source::new(module, path, text, names);
            found.extend(mistakes(&source).into_iter().map(|mistake| Planted {
                path: format!("{}/{path}", module.folder),
                module: module.name.clone(),
                mistake,
            }));
        }
    }
    found
}

fn is_manifest(path: &str) -> bool {
    path.starts_with("manifests/") && path.ends_with(".pp")
}

/// Selects mistakes of each kind from as many modules as possible.
fn chosen(all: Vec<Planted>) -> BTreeMap<&'static str, Vec<Planted>> {
    let mut kinds: BTreeMap<&'static str, Vec<Planted>> = BTreeMap::new();
    for planted in all {
        kinds.entry(planted.mistake.kind).or_default().push(planted);
    }
    let mut rng = Rng::with_seed(4);
    for sites in kinds.values_mut() {
        rng.shuffle(sites);
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        sites.sort_by_cached_key(|it| {
            let times = used.entry(it.module.clone()).or_default();
            *times += 1;
            *times
        });
        sites.truncate(env::planted());
    }
    kinds
}

/// Plants a mistake. Returns the problem if it is not reported as expected.
fn problem(workspace: &mut TestWorkspace, sound: &str, planted: &Planted) -> Option<String> {
    let before = workspace.found(&planted.path);
    let mistake = &planted.mistake;
    let mut text = sound.to_owned();
    text.replace_range(mistake.from..mistake.to, &mistake.with);
    let line = text[..mistake.at].matches('\n').count() + 1;
    workspace.set(&planted.path, &text);
    let new = new_findings(&before, workspace.found(&planted.path));
    workspace.set(&planted.path, sound);
    let shown = text.lines().nth(line - 1).unwrap_or_default().trim();
    let Some(it) = new
        .iter()
        .find(|it| it.line == line && it.code == mistake.code)
    else {
        return Some(format!("not reported: {shown} {new:?}"));
    };
    let mut others = new.iter().filter(|it| it.is_error() && it.line != line);
    let other = others.find(|other| code_and_message(other) != code_and_message(it));
    other.map(|it| format!("also reported: {it:?} with {shown}"))
}

fn code_and_message(found: &LineDiagnostic) -> (&str, &str) {
    (found.code, &found.message)
}

/// Returns the diagnostics that are reported more often than before, ignoring lines.
fn new_findings(before: &[LineDiagnostic], after: Vec<LineDiagnostic>) -> Vec<LineDiagnostic> {
    let times = |list: &[LineDiagnostic], it: &LineDiagnostic| {
        list.iter()
            .filter(|other| code_and_message(other) == code_and_message(it))
            .count()
    };
    let new = after
        .iter()
        .filter(|it| times(&after, it) > times(before, it));
    new.cloned().collect()
}

#[test]
#[ignore = "needs Debian's modules"]
fn planted_mistakes_are_reported() {
    let mistakes = |source: &Source<'_>| {
        let mut mistakes = sites::mistakes(source);
        mistakes.extend(insertions::mistakes(source));
        mistakes
    };
    assert_reported(mistakes, MIN_KINDS, 98);
}

#[test]
#[ignore = "needs Debian's modules"]
fn planted_mistakes_in_types_are_reported() {
    assert_reported(types::mistakes, MIN_KINDS_OF_TYPES, 95);
}

/// Plants mistakes and asserts the number of kinds and the percentage that is reported.
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn assert_reported(
    mistakes: fn(&Source<'_>) -> Vec<Mistake>,
    least_kinds: usize,
    least_found: usize,
) {
    let modules = debian_modules();
    let names = Names::of(&modules);
    let kinds = chosen(all_mistakes(&modules, &names, mistakes));
    let mut workspace = TestWorkspace::new(&modules);
    let mut table = String::new();
    let mut problems = String::new();
    let (mut planted, mut found) = (0, 0);
    for (kind, sites) in &kinds {
        let mut good = 0;
        for site in sites {
            let sound = names.text(&site.path).expect("the file has a text");
            match problem(&mut workspace, sound, site) {
                None => good += 1,
                Some(problem) => {
                    let _ = writeln!(problems, "{kind}: {}: {problem}", site.path);
                }
            }
        }
        let modules: BTreeSet<_> = sites.iter().map(|it| &it.module).collect();
        let total = sites.len();
        let _ = writeln!(
            table,
            "{kind:45} {good:3} of {total:3} in {} modules",
            modules.len()
        );
        planted += total;
        found += good;
    }
    println!("{table}\n{found} of {planted} reported\n{problems}");
    let enough = kinds.values().filter(|it| it.len() >= MIN_VARIANTS).count();
    assert!(
        enough >= least_kinds,
        "only {enough} kinds with enough samples"
    );
    let good = found * 100 >= planted * least_found;
    assert!(good, "only {found} of {planted}");
}

/// Diagnostics that a planted mistake may have suppressed: the surrounding code is wrong, and more
/// of its values are known once the mistake is fixed. (Fixes of real diagnostics reveal none, see
/// `fixes.rs`.)
const SUPPRESSED: [&str; 5] = [
    "new: constant-condition",
    "new: never-equal",
    "new: possible-mismatch",
    "new: unreachable-code",
    "new: unreachable-option",
];

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn fixes_of_planted_mistakes_are_sound() {
    let modules = debian_modules();
    let names = Names::of(&modules);
    let all: fn(&Source<'_>) -> Vec<Mistake> = |source| {
        let mut mistakes = sites::mistakes(source);
        mistakes.extend(insertions::mistakes(source));
        mistakes.extend(types::mistakes(source));
        mistakes
    };
    let kinds = chosen(all_mistakes(&modules, &names, all));
    let mut workspace = TestWorkspace::new(&modules);
    let mut problems = String::new();
    let (mut planted, mut fixable, mut tried) = (0, 0, 0);
    for (kind, sites) in &kinds {
        for site in sites {
            let sound = names.text(&site.path).expect("the file has a text");
            let mistake = &site.mistake;
            let before = workspace.diagnostics(&site.path);
            let before = before
                .iter()
                .map(|it| format!("new: {}: {}", it.code, it.message));
            let known: Vec<String> = before.collect();
            let mut text = sound.to_owned();
            text.replace_range(mistake.from..mistake.to, &mistake.with);
            workspace.set(&site.path, &text);
            let line = |at: usize| text[..at].matches('\n').count();
            let found = workspace.diagnostics(&site.path);
            let finding = found.iter().find(|it| {
                it.code == mistake.code && line(it.range.start().into()) == line(mistake.at)
            });
            planted += 1;
            fixable += usize::from(finding.is_some_and(|it| !it.fixes.is_empty()));
            for (finding, fix) in finding
                .iter()
                .flat_map(|it| it.fixes.iter().map(|fix| (*it, fix)))
            {
                tried += 1;
                let problem = fixes::problem(&mut workspace, &site.path, finding, fix);
                let was_hidden = |it: &String| {
                    known.contains(it) || SUPPRESSED.iter().any(|code| it.starts_with(code))
                };
                if let Some(problem) = problem.filter(|it| !was_hidden(it)) {
                    let _ = writeln!(problems, "{kind}: {}: {}: {problem}", site.path, fix.label);
                }
            }
            workspace.set(&site.path, sound);
        }
    }
    println!("{planted} planted, {fixable} with a fix, {tried} fixes tried");
    assert!(problems.is_empty(), "{problems}");
}
