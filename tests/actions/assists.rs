//! Assists in Debian's modules.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::ide::InferredType;
use fastrand::Rng;
use pupil_tests::corpus::modules_dir;
use pupil_tests::env::seed;
use pupil_tests::workspace::{TestWorkspace, read_modules};
use syntax::{Edit, TextRange, TextSize};

use crate::{Offer, apply, describe, files, offers, print, sampled, syntax_error};

/// The assists that leave all values and types unchanged.
const EXACT: [&str; 7] = [
    "single-quotes",
    "double-quotes",
    "quote",
    "unquote",
    "add-braces",
    "document",
    "document-rest",
];

/// Counts the diagnostics by code, except those whose message depends on the kind of statement.
fn count_diagnostics(found: &[Diagnostic]) -> BTreeMap<&'static str, usize> {
    let mut times = BTreeMap::new();
    for it in found {
        *times.entry(it.code).or_default() += 1;
    }
    times
}

/// Returns the position of a range after edits; `None` if they overlap it.
fn range_after(range: TextRange, edits: &[Edit]) -> Option<TextRange> {
    let mut shift = 0_i64;
    for edit in edits {
        let is_before = edit.range.end() <= range.start();
        let is_behind = edit.range.start() >= range.end();
        if is_before {
            let length = i64::try_from(edit.text.len()).ok()?;
            shift += length - i64::from(u32::from(edit.range.len()));
        } else if !is_behind {
            return None;
        }
    }
    let by = |it: TextSize| u32::try_from(i64::from(u32::from(it)) + shift).ok();
    Some(TextRange::new(
        by(range.start())?.into(),
        by(range.end())?.into(),
    ))
}

/// Returns the first range outside of the edits whose inferred type or value has changed.
fn changed_type(
    before: &[InferredType],
    after: &[InferredType],
    edits: &[Edit],
    exact: bool,
) -> Option<String> {
    let key = |it: &InferredType| (it.range.start(), it.range.end(), it.kind);
    let after: BTreeMap<_, _> = after.iter().map(|it| (key(it), it)).collect();
    for place in before {
        let Some(range) = range_after(place.range, edits) else {
            continue;
        };
        let Some(now) = after.get(&(range.start(), range.end(), place.kind)) else {
            continue;
        };
        let differs = match (&place.value, &now.value) {
            (Some(then), Some(now)) => then != now,
            _ => exact && (place.type_ != now.type_ || place.value != now.value),
        };
        if differs {
            let shown = |it: &InferredType| analysis::types::display_hover(&it.type_);
            return Some(format!("{:?}: {} is {}", range, shown(place), shown(now)));
        }
    }
    None
}

/// Applies an assist and returns the invariant that it violates.
fn violation(workspace: &mut TestWorkspace, file: FileId, offer: &Offer) -> Result<String, String> {
    let Some((text, edits)) = apply(workspace, offer) else {
        return Err("the edits overlap".to_owned());
    };
    let path = offer.path.as_str();
    let sound = workspace.text(path).unwrap_or_default();
    let exact = EXACT.contains(&offer.assist.id);
    let was_broken = syntax_error(path, &sound).is_some();
    let state = |workspace: &TestWorkspace| {
        let found = count_diagnostics(&workspace.diagnostics(path));
        (found, workspace.analysis().inferred_types(file))
    };
    let before = state(workspace);
    workspace.set(path, &text);
    let after = state(workspace);
    workspace.set(path, &sound);
    if let Some(message) = syntax_error(path, &text).filter(|_| !was_broken) {
        return Err(format!("the result does not parse: {message}"));
    }
    // A diagnostic about a value is reported wherever the value is copied to.
    let is_copied = offer.assist.id == "inline-variable";
    let new = after.0.iter().find(|(code, times)| match is_copied {
        true => !before.0.contains_key(*code),
        false => before.0.get(*code) < Some(*times),
    });
    if let Some((code, _)) = new {
        return Err(format!("new: {code}"));
    }
    match changed_type(&before.1, &after.1, &edits, exact) {
        Some(place) => Err(format!("the inferred type changed at {place}")),
        None => Ok(text),
    }
}

/// Returns the errors of `puppet parser validate` in some sources.
fn validated(texts: &[String]) -> String {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let paths = texts.iter().enumerate().map(|(index, text)| {
        let path = folder.path().join(format!("{index}.pp"));
        std::fs::write(&path, text).expect("the file can be written");
        path
    });
    let paths: Vec<_> = paths.collect();
    let output = Command::new("puppet")
        .args(["parser", "validate"])
        .args(&paths)
        .output()
        .expect("Puppet is installed");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = said.lines().filter(|it| it.contains("Error"));
    errors.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "needs puppet-agent and Debian's modules"]
fn assists_in_debian_modules_are_sound() {
    /// The number of results per assist that Puppet validates.
    const VALIDATED: usize = 50;
    let modules = read_modules(&modules_dir()).expect("Debian's modules are installed");
    let mut workspace = TestWorkspace::new(&modules);
    let mut rng = Rng::with_seed(seed(6));
    let paths = files(&workspace, &mut rng);
    let mut all = Vec::new();
    for path in &paths {
        all.extend(offers(&workspace, path, &mut rng));
    }
    let mut counts = BTreeMap::new();
    let chosen = sampled(all, &mut rng, &mut counts);
    let mut problems = Vec::new();
    // At most one per file: Puppet reports duplicate definitions.
    let mut results: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
    let mut validated_paths = BTreeSet::new();
    for offer in &chosen {
        let of_assist = counts.entry(offer.assist.id).or_default();
        of_assist.applied += 1;
        let Some(file) = workspace.id(&offer.path) else {
            continue;
        };
        match violation(&mut workspace, file, offer) {
            Ok(text) => {
                let texts = results.entry(offer.assist.id).or_default();
                let is_manifest = offer.path.ends_with(".pp") && !offer.path.contains("/plans/");
                let path = offer.path.as_str();
                if texts.len() < VALIDATED && is_manifest && validated_paths.insert(path) {
                    texts.insert(path, text);
                }
            }
            Err(problem) => {
                of_assist.wrong += 1;
                problems.push(format!("{}: {problem}", describe(&workspace, offer)));
            }
        }
    }
    print(&counts);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let texts = results.into_values().flat_map(BTreeMap::into_values);
    let texts: Vec<String> = texts.collect();
    assert_eq!(validated(&texts), "");
}
