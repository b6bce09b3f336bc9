//! The definitions that we read from the Ruby files of Debian's modules, compared with those that
//! Puppet was recorded to load (`oracle/module-definitions`).
//!
//! `unreadable.tsv` lists what cannot be read from the source alone, and the files that Puppet
//! cannot load.

mod compare;
mod damaged;
mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use analysis::ruby;
use pupil_tests::ceilings::assert_list_not_longer;
use pupil_tests::corpus;
use pupil_tests::recordings::{self, digest};
use pupil_tests::tally::Tally;
use pupil_tests::work::{CountingAllocator, Work};

use compare::{Definition, Difference, Recorded};
use files::Files;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The required agreement per kind, in percent.
const EQUAL: f64 = 98.0;

fn recorded() -> Vec<Recorded> {
    let path = corpus::tests_dir().join("ruby/recordings/definitions.jsonl.gz");
    recordings::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The result of all comparisons.
#[derive(Default)]
struct Comparison {
    equal: BTreeMap<&'static str, Tally>,
    differ: Vec<String>,
    wrong: Vec<String>,
    /// `file`, `name`, `why`.
    unreadable: BTreeSet<String>,
}

impl Comparison {
    fn add(&mut self, record: &Recorded, kind: &'static str, differences: Vec<Difference>) {
        let good = differences.is_empty();
        for difference in differences {
            match difference {
                Difference::Unreadable(what) => {
                    self.unreadable.insert(format!("{}\t{what}", record.file));
                }
                Difference::Wrong(what) => {
                    self.wrong.push(format!("{}: {what}", record.file));
                }
                Difference::Differs(what) => {
                    self.differ.push(format!("{}: {what}", record.file));
                }
            }
        }
        self.equal.entry(kind).or_default().add(good);
    }
}

fn compare_all() -> Comparison {
    let files = Files::read(&corpus::modules_dir());
    let mut comparison = Comparison::default();
    for record in recorded() {
        let text = files.text(&record.file);
        assert_eq!(
            digest(text),
            record.digest,
            "{} differs from the recorded file",
            record.file
        );
        match &record.what {
            Definition::Failed { error } => {
                let line = format!("{}\tPuppet cannot load it here: {error}", record.file);
                comparison.unreadable.insert(line);
            }
            Definition::Function4x(theirs) => {
                let found = compare::function4x(theirs, &ruby::functions(text));
                comparison.add(&record, "functions, 4.x", found);
            }
            Definition::Function3x(theirs) => {
                let found = compare::function3x(theirs, &ruby::functions(text));
                comparison.add(&record, "functions, 3.x", found);
            }
            Definition::Type(theirs) => {
                let helpers = files.required_by(&record.file);
                let found = ruby::resource_types_with(text, &helpers);
                for (attribute, differences) in compare::attributes(theirs, &found) {
                    assert!(!attribute.is_empty(), "attributes have names");
                    comparison.add(&record, "attributes", differences);
                }
                let differences = compare::resource_type(theirs, &found, &files);
                comparison.add(&record, "resource types", differences);
            }
        }
    }
    comparison
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn reads_all_files_within_limits() {
    /// The maximum work per byte. A step of the parser is one report of its progress.
    const MAX_WORK: Work = Work {
        allocations: 1,
        allocated: 100,
        syntax_steps: 1,
    };
    let files = Files::read(&corpus::modules_dir());
    let (mut count, mut bytes) = (0, 0);
    let ((), work) = Work::of(|| {
        for (path, text) in files.texts() {
            let path = path.to_string_lossy();
            if path.contains("/functions/") {
                count += ruby::functions(text).len();
            } else if path.contains("/puppet/type/") {
                count += ruby::resource_types(text).len();
            } else if path.contains("/puppet/provider/") {
                count += usize::from(ruby::provider(text).is_some());
            } else if path.contains("/facter/") {
                count += ruby::facts(text).facts.len();
            } else {
                count += ruby::data_types(text).len();
            }
            bytes += text.len();
        }
    });
    eprintln!("{count} definitions in {bytes} bytes: {work}");
    assert!(count > 700, "only {count} definitions");
    work.assert_linear("all files", bytes, MAX_WORK);
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn definitions_match_puppet() {
    let comparison = compare_all();
    for (kind, tally) in &comparison.equal {
        eprintln!("{kind}: {tally} equal");
    }
    for line in comparison.differ.iter().take(60) {
        eprintln!("  {line}");
    }
    assert_eq!(comparison.wrong, Vec::<String>::new());
    assert_eq!(comparison.equal.len(), 4, "a kind is missing");
    assert!(comparison.equal.values().all(|it| it.reaches(EQUAL)));

    let mut list = "# What cannot be read from the Ruby files of Debian's modules without running them, and why. \
        `PUPIL_BLESS=1 cargo test -p pupil-tests --test ruby -- --ignored` regenerates it; it may only get shorter.\n"
        .to_owned();
    for line in &comparison.unreadable {
        writeln!(list, "{line}").expect("a string can be written to");
    }
    assert_list_not_longer("ruby/unreadable.tsv", &list);
}
