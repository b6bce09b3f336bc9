//! Holding our answers against recorded ones.

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use syntax::validation::PuppetVersion;

use crate::recordings::{Issue, Recorded, digest};
use crate::verdict::{Finding, Source, Verdict};

/// What Puppet 8 alone refuses, so that a recording of Puppet 7 cannot know it: parameter types that
/// are not literal, and types as duplicate keys.
fn only_in_8(finding: &Finding, text: &str) -> bool {
    let range: Range<usize> = finding.diagnostic.range.into();
    let key = text.get(range).unwrap_or_default();
    match finding.code() {
        "ILLEGAL_NONLITERAL_PARAMETER_TYPE" => true,
        "DUPLICATE_KEY" => key.starts_with(|it: char| it.is_ascii_uppercase() || it == ':'),
        _ => false,
    }
}

/// Which Puppet is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Puppet 7 as it comes: `strict=warning`.
    Stock7,
    /// `strict=error`, as in Puppet 8, and our rules for 8.
    Strict8,
}

impl Mode {
    fn version(self) -> PuppetVersion {
        match self {
            Mode::Stock7 => PuppetVersion::V7,
            Mode::Strict8 => PuppetVersion::V8,
        }
    }
}

/// In what two answers differ; from the gravest to the lightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Difference {
    /// Ours panicked.
    Panic,
    /// The text of our tree is not the text parsed.
    Text,
    /// We refuse what Puppet accepts.
    FalseError,
    /// We accept what Puppet refuses.
    MissedError,
    /// Both accept, but not the same tree.
    Pn,
    /// The first error is on another line.
    Line,
    /// The first error has another code.
    Code,
    /// The same first error, but others besides.
    OtherErrors,
    /// Other warnings.
    Warnings,
    /// The first error is in another column.
    Column,
}

/// Our answer beside the recorded one.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What Puppet says in this mode.
    pub expected: Expected,
    /// What we say; `None` if we panicked.
    pub ours: Option<Verdict>,
    /// In what they differ.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Whether they differ in this.
    pub fn has(&self, difference: Difference) -> bool {
        self.differences.contains(&difference)
    }

    /// Whether both accept the text or both refuse it.
    pub fn same_verdict(&self) -> bool {
        !self
            .differences
            .iter()
            .any(|it| *it <= Difference::MissedError)
    }
}

/// The recorded answer, as it is in a mode.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Errors, the first one first.
    pub errors: Vec<Issue>,
    /// Warnings.
    pub warnings: Vec<Issue>,
    /// Whether Puppet broke, which has no place and no code.
    pub crash: bool,
}

impl Expected {
    /// A recorded answer is that of `strict=warning`. Under `strict=error` a duplicate key is an
    /// error, found in the same stage as all checks.
    pub fn new(recorded: &Recorded, mode: Mode) -> Expected {
        let mut errors = recorded.errors.clone();
        let mut warnings = recorded.warnings.clone();
        let checked = recorded.stage.as_deref() != Some("parse");
        if mode == Mode::Strict8
            && checked
            && warnings.iter().any(|it| it.code() == "DUPLICATE_KEY")
        {
            if recorded.stage.as_deref() != Some("validate") {
                errors.clear();
            }
            let (keys, rest) = warnings
                .into_iter()
                .partition(|it| it.code() == "DUPLICATE_KEY");
            let _: &Vec<Issue> = &keys;
            errors.extend(keys);
            errors.sort_by_key(|it| (it.1, it.2));
            warnings = rest;
        }
        let crash = recorded.stage.as_deref() == Some("crash");
        Expected {
            errors,
            warnings,
            crash,
        }
    }

    /// Whether Puppet accepts.
    pub fn ok(&self) -> bool {
        self.errors.is_empty() && !self.crash
    }
}

/// Parses and checks a text and holds the answer against the recorded one.
pub fn compare(source: &Source, recorded: &Recorded, mode: Mode) -> Comparison {
    let expected = Expected::new(recorded, mode);
    let ours = catch_unwind(AssertUnwindSafe(|| {
        let mut ours = Verdict::of(source, mode.version());
        if mode == Mode::Strict8 {
            ours.errors.retain(|it| !only_in_8(it, &source.text));
        }
        let pn =
            (ours.ok() && recorded.pn.is_some()).then(|| syntax::pn::to_pn(&ours.parse.tree()));
        (ours, pn)
    }));
    let Ok((ours, pn)) = ours else {
        return Comparison {
            expected,
            ours: None,
            differences: vec![Difference::Panic],
        };
    };
    let mut differences = verdict_differences(&expected, &ours);
    if ours.parse.syntax().text() != source.text.as_str() {
        differences.push(Difference::Text);
    }
    if let (Some(pn), Some(recorded)) = (pn, &recorded.pn)
        && expected.ok()
        && pn != *recorded
        && digest(&pn) != *recorded
    {
        differences.push(Difference::Pn);
    }
    differences.sort();
    Comparison {
        expected,
        ours: Some(ours),
        differences,
    }
}

fn verdict_differences(expected: &Expected, ours: &Verdict) -> Vec<Difference> {
    match (expected.ok(), ours.ok()) {
        (true, false) => vec![Difference::FalseError],
        (false, true) => vec![Difference::MissedError],
        (false, false) => error_differences(expected, ours),
        (true, true) => warning_differences(expected, ours),
    }
}

fn error_differences(expected: &Expected, ours: &Verdict) -> Vec<Difference> {
    let mut found = Vec::new();
    let (Some(theirs), Some(our)) = (expected.errors.first(), ours.errors.first()) else {
        return found;
    };
    if expected.crash {
        return found;
    }
    if our.line() != theirs.1 {
        found.push(Difference::Line);
    } else if our.place.map(|it| it.pos) != theirs.2 {
        found.push(Difference::Column);
    }
    // Puppet has no code for some; ours is our own then.
    if theirs.0.as_deref().is_some_and(|code| code != our.code()) {
        found.push(Difference::Code);
    }
    if our.diagnostic.stage == syntax::Stage::Validate
        && sorted(&expected.errors) != our_issues(&ours.errors)
    {
        found.push(Difference::OtherErrors);
    }
    found
}

fn warning_differences(expected: &Expected, ours: &Verdict) -> Vec<Difference> {
    if sorted(&expected.warnings) == our_issues(&ours.warnings) {
        Vec::new()
    } else {
        vec![Difference::Warnings]
    }
}

fn sorted(issues: &[Issue]) -> Vec<(String, Option<u32>)> {
    let mut all: Vec<_> = issues
        .iter()
        .map(|it| (it.code().to_owned(), it.1))
        .collect();
    all.sort();
    all
}

fn our_issues(findings: &[Finding]) -> Vec<(String, Option<u32>)> {
    let mut all: Vec<_> = findings
        .iter()
        .map(|it| (it.code().to_owned(), it.line()))
        .collect();
    all.sort();
    all
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Panic => "panic",
            Difference::Text => "text",
            Difference::FalseError => "false-error",
            Difference::MissedError => "missed-error",
            Difference::Pn => "pn",
            Difference::Line => "line",
            Difference::Code => "code",
            Difference::OtherErrors => "other-errors",
            Difference::Warnings => "warnings",
            Difference::Column => "column",
        })
    }
}
