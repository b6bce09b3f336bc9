//! The snippets of `cases/`: verdict, tree and first error of each.

use std::collections::{BTreeMap, BTreeSet};

use pupil_tests::cases::{self, Case};
use pupil_tests::compare::{Comparison, Difference, Mode, compare};
use pupil_tests::corpus;
use pupil_tests::recordings::{self, RecordedCase, digest};
use pupil_tests::tally::Tally;

/// Returns all snippets with their recorded answers.
pub(crate) fn recorded_cases() -> Vec<(Case, RecordedCase)> {
    let parse = corpus::tests_dir().join("parse");
    let cases = cases::read_all(&parse.join("cases")).expect("the cases can be read");
    let recorded = recordings::read::<RecordedCase>(&parse.join("recordings/cases.jsonl.gz"))
        .expect("the recording can be read");
    let mut by_id: BTreeMap<_, _> = recorded.into_iter().map(|it| (it.id.clone(), it)).collect();
    let pairs: Vec<_> = cases
        .into_iter()
        .map(|case| {
            let recorded = by_id.remove(&case.id);
            let recorded = recorded.filter(|it| it.text == digest(&case.source.text));
            let id = case.id.clone();
            (
                case,
                recorded.unwrap_or_else(|| panic!("{id}: not recorded; run `oracle/record cases`")),
            )
        })
        .collect();
    assert!(
        by_id.is_empty(),
        "recorded, but removed: {:?}",
        by_id.keys()
    );
    pairs
}

fn compare_all(mode: Mode) -> Vec<(Case, Comparison)> {
    let compared = recorded_cases().into_iter().map(|(case, recorded)| {
        let comparison = compare(&case.source, &recorded.answer, mode);
        (case, comparison)
    });
    compared.collect()
}

/// Counts the snippets without a difference and prints the names of the others.
fn tally(
    compared: &[(Case, Comparison)],
    what: &str,
    wrong: impl Fn(&Comparison) -> bool,
) -> Tally {
    let mut tally = Tally::default();
    let mut names = Vec::new();
    for (case, comparison) in compared {
        tally.add(!wrong(comparison));
        if wrong(comparison) {
            names.push(case.id.as_str());
        }
    }
    names.truncate(20);
    eprintln!("snippets, {what}: {tally} {names:?}");
    tally
}

/// Snippets whose heredoc lines are part of another token too: of a comment, a string or the text
/// of a template. Puppet reads such text twice. Our tree covers every byte once and assigns it to
/// the other token.
const LINES_READ_TWICE: [&str; 3] = [
    "epp/heredoc-in-code-expression",
    "heredocs/after-block-comment",
    "heredocs/with-string-over-line",
];

#[test]
fn names_are_unique() {
    let cases = recorded_cases();
    let names: BTreeSet<_> = cases.iter().map(|(case, _)| &case.id).collect();
    assert_eq!(names.len(), cases.len());
}

#[test]
fn verdicts_on_snippets_match_puppet_7() {
    // Where Puppet crashes, a reference is missing.
    let (broken, compared): (Vec<_>, Vec<_>) = compare_all(Mode::Stock7)
        .into_iter()
        .partition(|(_, it)| it.expected.crash);
    tally(&broken, "refused as Puppet breaks", |it| !it.same_verdict());
    let verdict = tally(&compared, "verdict of 7", |it| !it.same_verdict());
    let trees: Vec<_> = compared
        .iter()
        .filter(|(case, _)| !LINES_READ_TWICE.contains(&case.id.as_str()))
        .cloned()
        .collect();
    let tree = tally(&trees, "PN", |it| it.has(Difference::Pn));
    let text = tally(&compared, "text of the tree", |it| it.has(Difference::Text));
    let refused: Vec<_> = compared
        .into_iter()
        .filter(|(_, it)| !it.expected.ok())
        .collect();
    let line = tally(&refused, "first error's line", |it| {
        it.has(Difference::Line)
    });
    let code = tally(&refused, "first error's code", |it| {
        it.has(Difference::Code)
    });
    assert!(verdict.reaches(100.0) && tree.reaches(100.0) && text.reaches(100.0));
    assert!(line.reaches(99.0) && code.reaches(99.0));
}

#[test]
fn verdicts_on_snippets_match_strict_error() {
    let compared: Vec<_> = compare_all(Mode::Strict8)
        .into_iter()
        // Code that only Puppet 8 rejects is flagged; see `puppet_8_matches_the_flags`.
        .filter(|(case, it)| case.flag("8").is_none() && !it.expected.crash)
        .collect();
    let verdict = tally(&compared, "verdict under strict=error", |it| {
        !it.same_verdict()
    });
    assert!(verdict.reaches(100.0));
}
