//! The diagnostics in Debian's modules: `debian-findings.tsv` records every error and warning,
//! `debian-findings.md` explains why they are correct.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use analysis::rules;
use pupil_tests::corpus::tests_dir;
use pupil_tests::env;
use pupil_tests::workspace::{TestModule, TestWorkspace};
use syntax::Severity;

use crate::debian_modules;

/// The diagnostics by module and version: path, line, code.
type Findings = BTreeMap<(String, String), BTreeSet<(String, usize, String)>>;

/// The messages by folder, path, line and code.
type Messages = BTreeMap<(String, String, usize, String), String>;

fn recording() -> PathBuf {
    tests_dir().join("rules/debian-findings.tsv")
}

fn found(modules: &[TestModule]) -> (Findings, Messages) {
    let mut messages = Messages::new();
    let workspace = TestWorkspace::new(modules);
    let mut found = Findings::new();
    for module in modules {
        let key = (module.folder.clone(), module.version.clone());
        let here = found.entry(key).or_default();
        let ours = |it: &&String| it.ends_with(".pp") || it.ends_with(".epp");
        for path in module.files.keys().filter(ours) {
            let full = format!("{}/{path}", module.folder);
            let findings = workspace.found(&full).into_iter();
            let bad =
                findings.filter(|it| matches!(it.severity, Severity::Error | Severity::Warning));
            let bad = bad.filter(|it| rules::is_on(it.code));
            for it in bad {
                let code = it.code.to_owned();
                here.insert((path.clone(), it.line, code.clone()));
                let place = (module.folder.clone(), path.clone(), it.line, code);
                messages.insert(place, it.message);
            }
        }
    }
    (found, messages)
}

/// Writes a line `= module version` per module, followed by a line `path line code` per diagnostic.
fn written(found: &Findings) -> String {
    let mut text = String::new();
    for ((module, version), findings) in found {
        let _ = writeln!(text, "=\t{module}\t{version}");
        for (path, line, code) in findings {
            let _ = writeln!(text, "{path}\t{line}\t{code}");
        }
    }
    text
}

fn read(text: &str) -> Findings {
    let mut found = Findings::new();
    let mut at = None;
    for line in text.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        match *fields {
            ["=", module, version] => {
                let key = (module.to_owned(), version.to_owned());
                found.entry(key.clone()).or_default();
                at = Some(key);
            }
            [path, line, code] => {
                let number = line.parse().expect("the second field is a line");
                let here = at.as_ref().and_then(|it| found.get_mut(it));
                let here = here.expect("a module precedes its diagnostics");
                here.insert((path.to_owned(), number, code.to_owned()));
            }
            _ => panic!("invalid line in the recording: {line}"),
        }
    }
    found
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn diagnostics_in_debian_modules_are_unchanged() {
    let (now, messages) = found(&debian_modules());
    if env::bless() {
        fs::write(recording(), written(&now)).expect("the recording can be written");
    }
    let recorded = fs::read_to_string(recording()).expect("the recording can be read");
    let recorded = read(&recorded);
    let mut compared = 0;
    let mut changes = String::new();
    // Other versions of a module may have other diagnostics.
    for (module, known) in &recorded {
        let Some(now) = now.get(module) else { continue };
        compared += 1;
        for (path, line, code) in now.difference(known) {
            let place = (module.0.clone(), path.clone(), *line, code.clone());
            let message = messages.get(&place).map_or("", String::as_str);
            let _ = writeln!(changes, "new:  {}/{path}:{line} {code} {message}", module.0);
        }
        for (path, line, code) in known.difference(now) {
            let _ = writeln!(changes, "gone: {}/{path}:{line} {code}", module.0);
        }
    }
    assert!(compared > 0, "no module has the recorded version");
    assert!(
        changes.is_empty(),
        "set PUPIL_BLESS=1 to update the recording:\n{changes}"
    );
    println!("{compared} of {} modules compared", recorded.len());
}
