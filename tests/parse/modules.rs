//! Debian's modules, intact and mutated.

use std::collections::BTreeMap;

use pupil_tests::compare::{Comparison, Difference, Mode, compare};
use pupil_tests::corpus;
use pupil_tests::recordings::{self, RecordedFile, RecordedMutant, digest};
use pupil_tests::tally::Tally;
use pupil_tests::verdict::Source;

/// The required agreement in percent, as promised in the first release.
const MUTANT_VERDICTS: f64 = 99.5;
const MUTANT_LINES: f64 = 95.0;

/// The agreement by kind of difference.
#[derive(Default)]
struct Agreement {
    verdict: Tally,
    pn: Tally,
    text: Tally,
    line: Tally,
    code: Tally,
}

impl Agreement {
    fn add(&mut self, comparison: &Comparison) {
        self.verdict.add(comparison.same_verdict());
        self.text.add(!comparison.has(Difference::Text));
        if comparison.expected.ok() {
            self.pn
                .add(comparison.same_verdict() && !comparison.has(Difference::Pn));
        } else {
            let found = comparison.same_verdict();
            self.line.add(found && !comparison.has(Difference::Line));
            self.code.add(found && !comparison.has(Difference::Code));
        }
    }

    fn print(&self, what: &str) {
        eprintln!(
            "{what}: verdict {}, PN {}, text {}",
            self.verdict, self.pn, self.text
        );
        if self.line.all > 0 {
            eprintln!(
                "{what}: first error's line {}, its code {}",
                self.line, self.code
            );
        }
    }
}

pub(crate) fn texts() -> BTreeMap<String, String> {
    let dir = corpus::modules_dir();
    corpus::read_all(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
}

fn recording(name: &str) -> std::path::PathBuf {
    corpus::tests_dir().join("parse/recordings").join(name)
}

/// The files that only Puppet 8 rejects: since 8.0, its `LiteralEvaluator` evaluates access
/// expressions, so keys such as `Optional['a']` are compared, and this file has a duplicate.
const REFUSED_BY_8: [&str; 1] = ["puppetlabs-apache/types/oidcsettings.pp"];

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn verdicts_on_files_match_puppet() {
    let texts = texts();
    let recorded: Vec<RecordedFile> =
        recordings::read(&recording("files.jsonl.gz")).expect("the recording can be read");
    for mode in [Mode::Stock7, Mode::Strict8] {
        let mut agreement = Agreement::default();
        let skipped = |file: &str| mode == Mode::Strict8 && REFUSED_BY_8.contains(&file);
        for it in recorded.iter().filter(|it| !skipped(&it.file)) {
            let text = texts.get(&it.file).filter(|text| digest(text) == it.text);
            let text =
                text.unwrap_or_else(|| panic!("{}: different from the recorded file", it.file));
            let source = Source::new(text.as_str(), corpus::dialect(&it.file));
            let comparison = compare(&source, &it.answer, mode);
            if comparison
                .differences
                .iter()
                .any(|it| *it <= Difference::Line)
            {
                eprintln!("{}: {:?}", it.file, comparison.differences);
            }
            agreement.add(&comparison);
        }
        agreement.print(&format!("Debian's files, {mode:?}"));
        assert!(agreement.verdict.reaches(100.0));
        assert!(agreement.pn.reaches(100.0));
        assert!(agreement.text.reaches(100.0));
    }
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn verdicts_on_mutants_match_puppet() {
    let texts = texts();
    let mutants: Vec<RecordedMutant> =
        recordings::read(&recording("mutants.jsonl.gz")).expect("the recording can be read");
    assert!(mutants.len() >= 5000);
    for mode in [Mode::Stock7, Mode::Strict8] {
        let mut agreement = Agreement::default();
        for it in &mutants {
            let text = texts.get(&it.file).and_then(|text| it.apply(text));
            let text =
                text.unwrap_or_else(|| panic!("{}: different from the recorded file", it.file));
            let source = Source::new(text, corpus::dialect(&it.file));
            agreement.add(&compare(&source, &it.answer, mode));
        }
        agreement.print(&format!("{} mutants, {mode:?}", mutants.len()));
        assert!(agreement.verdict.reaches(MUTANT_VERDICTS));
        assert!(agreement.line.reaches(MUTANT_LINES));
        assert!(agreement.pn.reaches(99.0));
        assert!(agreement.text.reaches(100.0));
    }
}
