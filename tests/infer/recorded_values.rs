//! Inferred types compared with the values that Puppet had when it compiled classes of Debian's
//! modules. Recorded with `tests/oracle/trace-corpus` (see `tests/infer/record`).

use pupil_tests::ceilings::{self, Counts};
use pupil_tests::corpus;
use pupil_tests::traces::{TraceInferences, TraceRecord, read_trace};
use pupil_tests::width::{Width, by_kind, is_open, measure};
use pupil_tests::workspace::read_modules;

fn records() -> Vec<TraceRecord> {
    let path = corpus::tests_dir().join("infer/records.jsonl.gz");
    read_trace(&path).expect("the recording can be read")
}

fn inferences() -> TraceInferences {
    let modules = read_modules(&corpus::modules_dir()).expect("Debian's modules are installed");
    TraceInferences::new(&modules)
}

#[test]
#[ignore = "needs Debian's modules"]
fn inferred_types_contain_the_recorded_values() {
    let mut inferences = inferences();
    let (mut checked, mut wrong) = (0, Vec::new());
    for record in records() {
        let Some(inferred) = inferences.of(&record) else {
            continue;
        };
        checked += 1;
        if let Some(problem) = record.contradiction(inferred) {
            let path = record.path().unwrap_or_default();
            wrong.push(format!("{path}:{}: {problem}", record.line()));
        }
    }
    eprintln!("{checked} values checked");
    assert!(checked > 15_000, "{checked}");
    assert!(wrong.is_empty(), "{} of {checked}: {wrong:#?}", wrong.len());
}

/// The number of expressions whose type is wider than the recorded values, by kind, may only fall.
#[test]
#[ignore = "needs Debian's modules"]
fn inferred_types_are_as_narrow_as_the_recorded_values() {
    let measured = measure(&records(), &mut inferences());
    let kinds = by_kind(&measured);
    for (kind, width) in &kinds {
        eprintln!("{kind:32} {:30} exactly {}", width.general, width.exact);
    }
    let all = Width::of(&measured);
    eprintln!("{:32} {:30} exactly {}", "all", all.general, all.exact);
    let others = Width::of(measured.iter().filter(|it| !is_open(&it.kind)));
    let title = "all but parameters without type";
    eprintln!("{title:32} {:30} exactly {}", others.general, others.exact);
    let wide = |it: &Width| it.general.all - it.general.good;
    let counts: Counts = kinds.iter().map(|it| (it.0.clone(), wide(&it.1))).collect();
    ceilings::assert_within("infer/ceilings.tsv", &counts);
}
