//! The answers of the binary compared with those of the installed Puppet, without recordings.

use pupil_tests::corpus;
use pupil_tests::oracle::answers;
use pupil_tests::program::pupil;
use pupil_tests::recordings::{self, RecordedMutant};
use pupil_tests::tally::Tally;
use pupil_tests::verdict::Source;
use serde_json::{Value, json};
use syntax::ast::{AstNode, Heredoc};

use crate::cases::recorded_cases;
use crate::modules::texts;

fn puppet(args: &[&str], input: String) -> Vec<Value> {
    let args = [&["--strict", "warning"], args].concat();
    answers(corpus::tests_dir().join("oracle/parse"), &args, input)
}

fn ours(args: &[&str], input: String) -> Vec<Value> {
    let args = [&["debug", "parse", "--puppet", "7"], args].concat();
    answers(pupil(), &args, input)
}

/// The fields that must be equal.
fn compared_fields(answer: &Value) -> (&Value, &Value) {
    (&answer["ok"], &answer["ast"])
}

/// Counts equal answers, and prints the first few that differ.
fn tally(
    what: &str,
    theirs: &[Value],
    ours: &[Value],
    same: impl Fn(&Value, &Value) -> bool,
) -> Tally {
    assert_eq!(theirs.len(), ours.len(), "the same number of answers");
    let mut tally = Tally::default();
    for (theirs, ours) in theirs.iter().zip(ours) {
        let same = same(theirs, ours);
        tally.add(same);
        if !same && tally.all - tally.good <= 10 {
            eprintln!("Puppet {theirs:.300}\nwe     {ours:.300}");
        }
    }
    eprintln!("{what}: {tally}");
    tally
}

#[test]
#[ignore = "needs puppet-agent and Debian's Puppet modules"]
fn debug_parse_matches_puppet_for_files() {
    let dir = corpus::modules_dir();
    let paths: String = texts()
        .keys()
        .map(|name| format!("{}\n", dir.join(name).display()))
        .collect();
    let theirs = puppet(&["--ast", "pn"], paths.clone());
    let ours = ours(&["--ast", "pn"], paths);
    let same = tally("debug parse, Debian's files", &theirs, &ours, |a, b| {
        compared_fields(a) == compared_fields(b)
    });
    assert!(same.reaches(100.0));
}

fn questions(sources: impl Iterator<Item = (String, String)>) -> String {
    let line = |(id, (source, path)): (usize, (String, String))| {
        json!({ "id": id, "source": source, "path": path }).to_string() + "\n"
    };
    sources.enumerate().map(line).collect()
}

fn kind_path(epp: bool, tasks: bool) -> String {
    format!(
        "{}/case.{}",
        if tasks { "/plans" } else { "" },
        if epp { "epp" } else { "pp" }
    )
}

#[test]
#[ignore = "needs puppet-agent"]
fn debug_parse_matches_puppet_for_snippets() {
    let mut cases = recorded_cases();
    // The path of the oracle only selects the kind of file, not a place in a module.
    cases.retain(|(case, recorded)| {
        case.source.place.is_none() && recorded.answer.stage.as_deref() != Some("crash")
    });
    let all = cases.len();
    cases.retain(|(case, _)| !shares_lines(&case.source));
    // Our tree covers every byte once, so it differs where Puppet reads text twice.
    assert!(all - cases.len() <= 3, "{}", all - cases.len());
    let sources = cases.into_iter().map(|(case, _)| {
        let dialect = case.source.dialect;
        (case.source.text, kind_path(dialect.epp, dialect.tasks))
    });
    let questions = questions(sources);
    let theirs = puppet(&["--json", "--ast", "pn"], questions.clone());
    let ours = ours(&["--json", "--ast", "pn"], questions);
    // Puppet cannot convert some expressions of plans to PN.
    let same =
        |a: &Value, b: &Value| a["ok"] == b["ok"] && (a["ast"].is_null() || a["ast"] == b["ast"]);
    let same = tally("debug parse, snippets", &theirs, &ours, same);
    assert!(same.reaches(100.0));
}

/// Checks whether heredoc lines are part of another token too: of a comment, a string, or the text
/// of a template.
fn shares_lines(source: &Source) -> bool {
    let parse = syntax::parse(&source.text, source.dialect);
    let mut heredocs = parse.syntax().descendants().filter_map(Heredoc::cast);
    parse.errors().is_empty() && heredocs.any(|it| it.tag().is_some() && it.body().is_none())
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn debug_parse_matches_puppet_for_mutants() {
    let texts = texts();
    let path = corpus::tests_dir().join("parse/recordings/mutants.jsonl.gz");
    let mutants: Vec<RecordedMutant> = recordings::read(&path).expect("the recording can be read");
    let sources = mutants.iter().map(|it| {
        let text = texts.get(&it.file).and_then(|text| it.apply(text));
        let text = text.unwrap_or_else(|| panic!("{}: different from the recorded file", it.file));
        let dialect = corpus::dialect(&it.file);
        (text, kind_path(dialect.epp, dialect.tasks))
    });
    let ours = ours(&["--json"], questions(sources));
    let theirs: Vec<_> = mutants
        .iter()
        .map(|it| json!({ "ok": it.answer.ok, "id": it.id }))
        .collect();
    let verdict = tally("debug parse, mutants", &theirs, &ours, |a, b| {
        a["ok"] == b["ok"]
    });
    assert!(verdict.reaches(99.5));
}
