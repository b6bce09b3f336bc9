//! The evaluator against the real Puppet: generated and written sources with Puppet's recorded
//! answers.
//!
//! `eval/record` makes the sources and records the answers anew. How many answers of each area may
//! be other than Puppet's stands in `eval/ceilings.tsv`, and may only become less; with
//! `PUPIL_BLESS=1` the test writes the counts of now.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use pupil_tests::evaluations::{Agreement, RecordedEvaluation, compare, ours, recording};
use pupil_tests::{corpus, recordings};

type Counts = BTreeMap<Agreement, usize>;

/// What must not become more.
const BAD: [Agreement; 5] = [
    Agreement::Null,
    Agreement::WrongError,
    Agreement::FalseError,
    Agreement::MissedError,
    Agreement::WrongValue,
];

fn counted(cases: &[RecordedEvaluation]) -> BTreeMap<String, Counts> {
    let mut areas: BTreeMap<String, Counts> = BTreeMap::new();
    for case in cases {
        let agreement = compare(&case.source, ours(&case.source).as_ref(), &case.answer);
        let counts = areas.entry(case.area.clone()).or_default();
        *counts.entry(agreement).or_default() += 1;
    }
    areas
}

fn table(areas: &BTreeMap<String, Counts>) -> String {
    let mut text = String::from("area");
    for agreement in BAD {
        let _ = write!(text, "\t{agreement}");
    }
    for (area, counts) in areas {
        let _ = write!(text, "\n{area}");
        for agreement in BAD {
            let _ = write!(text, "\t{}", counts.get(&agreement).unwrap_or(&0));
        }
    }
    text + "\n"
}

fn ceilings_path() -> PathBuf {
    corpus::tests_dir().join("eval/ceilings.tsv")
}

/// The counts of each area in the order of `BAD`.
fn ceilings() -> BTreeMap<String, Vec<usize>> {
    let text = std::fs::read_to_string(ceilings_path()).expect("the table is in the repository");
    let rows = text.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let area = cells.next().unwrap_or_default().to_owned();
        let counts = cells.map(|it| it.parse().expect("a cell is a number"));
        (area, counts.collect())
    });
    rows.collect()
}

#[test]
fn answers_are_puppets_as_far_as_they_were() {
    let cases: Vec<RecordedEvaluation> =
        recordings::read(&recording()).expect("the recording is in the repository");
    assert!(cases.len() >= 8000, "only {} are recorded", cases.len());
    let areas = counted(&cases);
    if std::env::var_os("PUPIL_BLESS").is_some() {
        std::fs::write(ceilings_path(), table(&areas)).expect("the table can be written");
    }
    let ceilings = ceilings();
    let mut worse = String::new();
    for (area, counts) in &areas {
        let ceiling = ceilings.get(area).expect("the table has every area");
        assert_eq!(counts.get(&Agreement::Panic), None, "{area} panics");
        for (agreement, most) in BAD.iter().zip(ceiling) {
            let count = counts.get(agreement).unwrap_or(&0);
            if count > most {
                let _ = writeln!(worse, "{area}: {count} {agreement}, at most {most} before");
            }
        }
    }
    assert!(
        worse.is_empty(),
        "{worse}`cargo run --release -p pupil-tests --bin eval-disagreements` lists them"
    );
}
