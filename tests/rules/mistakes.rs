//! Mistakes of all kinds and correct code that resembles them: the documents in `mistakes`.
//!
//! A section is a kind of mistake. A block marked ```` ```puppet error CODE ```` must produce an error
//! of that rule on each line that ends with `# <-`, and no other error or warning; `warning CODE`
//! and `hint CODE` are the other severities. ```` ```puppet right ```` must produce neither errors
//! nor warnings. Puppet refuses to compile `include example` with the first kind of block, and
//! compiles the others, which `--ignored` verifies. Blocks contain files as on the pages of rules.

use std::collections::{BTreeMap, BTreeSet};

use analysis::rules::is_on;
use fastrand::Rng;
use pupil_tests::markdown::fenced_blocks;
use pupil_tests::{env, oracle, repository};
use serde_json::json;
use syntax::Severity;

use crate::pages::Example;

/// The minimum number of blocks per kind of mistake.
const MIN_VARIANTS: usize = 5;

/// A block of a document.
struct Case {
    /// The document, the kind, and the number of the block.
    name: String,
    /// The expected diagnostics: the severity and the code of the rule; `None` in correct code.
    expected: Option<(Severity, String)>,
    example: Example,
}

fn cases() -> Vec<Case> {
    let documents = repository::texts(|path| {
        path.starts_with("tests/rules/mistakes/") && path.ends_with(".md")
    });
    documents
        .iter()
        .flat_map(|it| cases_of(&it.0, &it.1))
        .collect()
}

/// Returns the examples with mistakes.
pub(super) fn wrong_examples() -> impl Iterator<Item = Example> {
    let wrong = cases().into_iter().filter(|it| it.expected.is_some());
    wrong.map(|it| it.example)
}

fn cases_of(path: &str, text: &str) -> Vec<Case> {
    let path = path.rsplit('/').next().unwrap_or(path);
    let blocks = fenced_blocks(text).into_iter();
    let blocks = blocks.filter(|it| it.info.starts_with("puppet"));
    let cases = blocks.enumerate().map(|(index, block)| {
        let info = block.info;
        let name = format!("{path}, {}, block {}", block.heading, index + 1);
        Case {
            expected: expected(&info).unwrap_or_else(|| panic!("{name}: {info}")),
            example: Example::new(info != "puppet right", &block.text),
            name,
        }
    });
    cases.collect()
}

/// Returns the expectation that the mark of a block states.
fn expected(info: &str) -> Option<Option<(Severity, String)>> {
    match info.split_whitespace().collect::<Vec<_>>()[..] {
        ["puppet", "right"] => Some(None),
        ["puppet", severity, code] => {
            let severity = match severity {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                "hint" => Severity::Hint,
                _ => return None,
            };
            Some(Some((severity, code.to_owned())))
        }
        _ => None,
    }
}

impl Case {
    /// Returns the differences between the diagnostics and the marks.
    fn problems(&self) -> Vec<String> {
        let workspace = self.example.workspace();
        let mut problems = Vec::new();
        let mut reported = BTreeSet::new();
        let is_checked = |it: &&str| [".pp", ".epp", ".rb"].iter().any(|end| it.ends_with(end));
        for path in workspace.paths().filter(is_checked) {
            for found in workspace.found(path) {
                let at = format!("{}: {path}:{}", self.name, found.line);
                match &self.expected {
                    Some((severity, code)) if found.code == code => {
                        let is_hint = |it| matches!(it, Severity::Hint | Severity::Info);
                        let same = found.severity == *severity
                            || is_hint(found.severity) && is_hint(*severity);
                        if !same {
                            problems.push(format!("{at}: reported as {:?}", found.severity));
                        }
                        reported.insert((path.to_owned(), found.line));
                    }
                    _ if matches!(found.severity, Severity::Error | Severity::Warning)
                        && is_on(found.code) =>
                    {
                        problems.push(format!("{at}: {}: {}", found.code, found.message));
                    }
                    _ => {}
                }
            }
        }
        let marked: BTreeSet<_> = self.example.marked().into_iter().collect();
        if marked.is_empty() != self.expected.is_none() {
            problems.push(format!("{}: mistakes have marked lines", self.name));
        }
        for (path, line) in marked.difference(&reported) {
            problems.push(format!("{}: {path}:{line}: not reported", self.name));
        }
        for (path, line) in reported.difference(&marked) {
            problems.push(format!(
                "{}: {path}:{line}: reported, not marked",
                self.name
            ));
        }
        problems
    }
}

#[test]
fn mistakes_are_reported_and_correct_code_is_not() {
    let cases = cases();
    let problems: Vec<_> = cases.iter().flat_map(Case::problems).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_kind_has_variants() {
    let mut kinds = BTreeMap::<String, usize>::new();
    for case in cases().iter().filter(|it| it.expected.is_some()) {
        let kind = case.name.rsplit_once(", ").map_or("", |it| it.0);
        *kinds.entry(kind.to_owned()).or_default() += 1;
    }
    kinds.retain(|_, count| *count < MIN_VARIANTS);
    assert!(kinds.is_empty(), "kinds with fewer variants: {kinds:#?}");
}

#[test]
#[ignore = "needs Puppet"]
fn puppet_refuses_the_mistakes_and_nothing_else() {
    let mut cases = cases();
    Rng::with_seed(env::seed(5)).shuffle(&mut cases);
    cases.truncate(env::compiled());
    let requests = cases.iter().enumerate().map(|(id, case)| {
        let request = json!({"id": id, "files": case.example.paths(), "code": "include example"});
        format!("{request}\n")
    });
    let program = repository::root().join("tests/oracle/compile");
    let answers = oracle::answers(program, &[], requests.collect());
    assert_eq!(answers.len(), cases.len());
    let mut problems = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        let is_error = matches!(case.expected, Some((Severity::Error, _)));
        if (answer["ok"] == true) == is_error {
            let verdict = answer["error"].as_str().unwrap_or("compiled");
            problems.push(format!("{}: {verdict}", case.name));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
