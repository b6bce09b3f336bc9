//! The evaluator compared with the recorded answers of Puppet, for generated and handwritten
//! sources.
//!
//! `eval/record` generates the sources and records the answers. `eval/ceilings.tsv` has the number
//! of answers per area that may differ from Puppet's.

use std::collections::BTreeMap;

use pupil_tests::ceilings::assert_within;
use pupil_tests::evaluations::{
    Agreement, RecordedEvaluation, compare, evaluate_with_pupil, recording,
};
use pupil_tests::recordings;
use pupil_tests::tally::Tally;

type Counts = BTreeMap<Agreement, usize>;

fn count_agreements() -> BTreeMap<String, Counts> {
    let cases: Vec<RecordedEvaluation> =
        recordings::read(&recording()).expect("the recording is in the repository");
    assert!(
        cases.len() >= 8000,
        "only {} answers are recorded",
        cases.len()
    );
    let mut areas: BTreeMap<String, Counts> = BTreeMap::new();
    for case in cases {
        let agreement = compare(
            &case.source,
            evaluate_with_pupil(&case.source).as_ref(),
            &case.answer,
        );
        let counts = areas.entry(case.area).or_default();
        *counts.entry(agreement).or_default() += 1;
    }
    areas
}

/// Returns the number of answers that differ from Puppet's.
fn wrong_answers(counts: &Counts) -> usize {
    let bad = counts.iter().filter(|(agreement, _)| !agreement.is_right());
    bad.map(|(_, count)| count).sum()
}

#[test]
fn wrong_answers_do_not_increase() {
    let areas = count_agreements();
    for (area, counts) in &areas {
        assert_eq!(counts.get(&Agreement::Panic), None, "{area} panics");
    }
    let counts = areas.iter().map(|it| (it.0.clone(), wrong_answers(it.1)));
    // `cargo run --release -p pupil-tests --bin eval-disagreements` lists them.
    assert_within("eval/ceilings.tsv", &counts.collect());
}

#[test]
fn most_answers_match_puppet() {
    let (mut right, mut unknown) = (Tally::default(), Tally::default());
    let mut wrong = 0;
    for (agreement, count) in count_agreements().into_values().flatten() {
        for _ in 0..count {
            right.add(agreement.is_right());
            unknown.add(agreement != Agreement::Unknown);
        }
        let errs = [
            Agreement::WrongValue,
            Agreement::FalseError,
            Agreement::MissedError,
        ];
        wrong += usize::from(errs.contains(&agreement)) * count;
    }
    assert_eq!(wrong, 0, "values or errors that differ from Puppet's");
    assert!(right.reaches(99.0), "{right} are right");
    assert!(unknown.reaches(99.0), "{unknown} are known");
}
