//! Assists in the recorded sources: the values are the same afterwards.

use std::collections::BTreeMap;

use fastrand::Rng;
use pupil_tests::env::seed;
use pupil_tests::evaluations::{RecordedEvaluation, compare, evaluate_with_pupil, recording};
use pupil_tests::workspace::{TestModule, TestWorkspace};
use pupil_tests::{corpus, oracle, recordings};

use crate::{Counts, Offer, apply, offers, print, sampled, syntax_error};

const PATH: &str = "m/manifests/init.pp";

/// A source after an assist.
struct Changed {
    case: usize,
    id: &'static str,
    text: String,
}

/// The sources for which we have a value, and the same as Puppet.
fn cases() -> Vec<RecordedEvaluation> {
    let cases: Vec<RecordedEvaluation> =
        recordings::read(&recording()).expect("the recording is in the repository");
    let is_known = |it: &RecordedEvaluation| {
        it.answer.ok
            && compare(
                &it.source,
                evaluate_with_pupil(&it.source).as_ref(),
                &it.answer,
            )
            .is_right()
    };
    cases.into_iter().filter(is_known).collect()
}

fn workspace() -> TestWorkspace {
    let module = TestModule {
        name: "m".to_owned(),
        folder: "m".to_owned(),
        names: vec!["m".to_owned()],
        files: BTreeMap::from([("manifests/init.pp".to_owned(), Some(String::new()))]),
        ..TestModule::default()
    };
    TestWorkspace::new(&[module])
}

/// Applies assists to some sources.
fn changed(
    cases: &[RecordedEvaluation],
    counts: &mut BTreeMap<&'static str, Counts>,
) -> Vec<Changed> {
    let mut workspace = workspace();
    let mut rng = Rng::with_seed(seed(6));
    let mut all: Vec<Offer> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        workspace.set(PATH, &case.source);
        let offers = offers(&workspace, PATH, &mut rng).into_iter();
        // The path is the index of the source.
        all.extend(offers.map(|it| Offer {
            path: index.to_string(),
            ..it
        }));
    }
    let mut results = Vec::new();
    for offer in sampled(all, &mut rng, counts) {
        let case: usize = offer.path.parse().expect("the path is an index");
        workspace.set(PATH, &cases[case].source);
        let id = offer.assist.id;
        let here = Offer {
            path: PATH.to_owned(),
            ..offer
        };
        let (text, _) = apply(&workspace, &here).expect("an offered assist can be applied");
        counts.entry(id).or_default().applied += 1;
        results.push(Changed { case, id, text });
    }
    results
}

#[test]
fn assists_preserve_values() {
    let cases = cases();
    assert!(
        cases.len() > 5000,
        "only {} sources have values",
        cases.len()
    );
    let mut counts = BTreeMap::new();
    let mut problems = Vec::new();
    for it in changed(&cases, &mut counts) {
        let case = &cases[it.case];
        let same = compare(
            &it.text,
            evaluate_with_pupil(&it.text).as_ref(),
            &case.answer,
        );
        let error = syntax_error(PATH, &it.text);
        if !same.is_right() || error.is_some() {
            counts.entry(it.id).or_default().wrong += 1;
            problems.push(format!(
                "{} {same}: {}\n==>\n{}\n",
                it.id, case.source, it.text
            ));
        }
    }
    print(&counts);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
#[ignore = "needs puppet-agent"]
fn assists_preserve_values_in_puppet() {
    let cases = cases();
    let mut counts = BTreeMap::new();
    let changed = changed(&cases, &mut counts);
    let lines = changed
        .iter()
        .map(|it| format!("{}\n", serde_json::json!({ "source": it.text })));
    let program = corpus::tests_dir().join("oracle/eval");
    let answers = oracle::answers(program, &[], lines.collect());
    assert_eq!(answers.len(), changed.len(), "one answer per question");
    let mut problems = Vec::new();
    for (it, answer) in changed.iter().zip(answers) {
        let case = &cases[it.case];
        if answer["value"].as_str() != case.answer.value.as_deref() || answer["ok"] != true {
            counts.entry(it.id).or_default().wrong += 1;
            problems.push(format!(
                "{}: {answer}\n{}\n==>\n{}\n",
                it.id, case.source, it.text
            ));
        }
    }
    print(&counts);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
