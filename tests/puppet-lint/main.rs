//! Compares the rules of style with the plugins of puppet-lint that they replace, in `cases/`.
//!
//! `record` wrote what the plugins report. Accepted differences are in `differences.tsv`, each with its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use pupil_tests::{corpus, env, program};
use serde::Deserialize;

/// The problems that the plugins report in a case.
#[derive(Deserialize)]
struct Recorded {
    case: String,
    /// The checks with the lines where they report a problem.
    problems: Vec<Problem>,
}

type Problem = (String, u32);

/// A line that `pupil debug lint` writes.
#[derive(Deserialize)]
struct Found {
    check: String,
    line: u32,
}

#[test]
fn plugins_and_rules_report_the_same() {
    let dir = corpus::tests_dir().join("puppet-lint");
    let recorded = fs::read_to_string(dir.join("recording.jsonl")).expect("it is recorded");
    let recorded = recorded.lines().map(|line| {
        let it: Recorded = serde_json::from_str(line).expect("`record` writes JSON");
        (it.case, it.problems)
    });
    let recorded: BTreeMap<String, Vec<Problem>> = recorded.collect();
    let checks: BTreeSet<&String> = recorded.values().flatten().map(|it| &it.0).collect();
    let cases = cases(&dir.join("cases"));
    assert_eq!(cases.len(), recorded.len(), "record the cases anew");

    let mut differences = BTreeSet::new();
    for (case, code) in &cases {
        let plugins: BTreeSet<Problem> = recorded[case].iter().cloned().collect();
        let mut rules = found_in(code);
        rules.retain(|it| checks.contains(&it.0));
        let line = |side: &str, (check, line): &Problem| format!("{case}\t{check}\t{line}\t{side}");
        differences.extend(plugins.difference(&rules).map(|it| line("plugin", it)));
        differences.extend(rules.difference(&plugins).map(|it| line("rule", it)));
    }
    assert_accepted(&dir.join("differences.tsv"), &differences);
}

/// Returns the cases by file and number.
fn cases(dir: &Path) -> BTreeMap<String, String> {
    let mut cases = BTreeMap::new();
    for (path, text) in corpus::read_all(dir).expect("the cases are readable") {
        let name = path.trim_end_matches(".pp");
        let texts = text.split("---\n").enumerate();
        cases.extend(texts.map(|(index, code)| (format!("{name} {}", index + 1), code.to_owned())));
    }
    cases
}

/// Returns what `pupil debug lint` reports in a file of its own.
fn found_in(code: &str) -> BTreeSet<Problem> {
    let dir = tempfile::tempdir().expect("a directory can be created");
    let file = dir.path().join("case.pp");
    fs::write(&file, code).expect("the file can be written");
    let output = Command::new(program::pupil())
        .args(["debug", "lint"])
        .arg(&file)
        .output()
        .expect("pupil can be run");
    let lines = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let lines = lines.lines().map(|line| {
        let it: Found = serde_json::from_str(line).expect("`debug lint` writes JSON");
        (it.check, it.line)
    });
    lines.collect()
}

/// Compares the differences with the accepted ones, without their reasons.
fn assert_accepted(path: &Path, differences: &BTreeSet<String>) {
    let text = fs::read_to_string(path).expect("the file is in the repository");
    let accepted = text.lines().filter_map(|it| it.rsplit_once('\t'));
    let accepted: BTreeMap<&str, &str> = accepted.collect();
    if env::bless() {
        let line = |it: &String| {
            let reason = accepted.get(it.as_str()).unwrap_or(&"");
            format!("{it}\t{reason}\n")
        };
        let text: String = differences.iter().map(line).collect();
        fs::write(path, text).expect("the file can be written");
        return;
    }
    let accepted: BTreeSet<String> = accepted
        .into_iter()
        .filter(|it| !it.1.is_empty())
        .map(|it| it.0.to_owned())
        .collect();
    let new: Vec<&String> = differences.difference(&accepted).collect();
    let gone: Vec<&String> = accepted.difference(differences).collect();
    assert!(new.is_empty(), "without a reason: {new:#?}");
    assert!(gone.is_empty(), "no longer different: {gone:#?}");
}
