//! Compares our verdicts with recorded ones.

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use syntax::validation::PuppetVersion;

use crate::recordings::{Issue, Recorded, digest};
use crate::verdict::{ReportedDiagnostic, Source, Verdict};

/// Checks whether only Puppet 8 reports this, so that it is missing from recordings of Puppet 7:
/// parameter types that are not literals, and types as duplicate keys.
fn only_in_8(finding: &ReportedDiagnostic, text: &str) -> bool {
    let range: Range<usize> = finding.diagnostic.range.into();
    let key = text.get(range).unwrap_or_default();
    match finding.code() {
        "ILLEGAL_NONLITERAL_PARAMETER_TYPE" => true,
        "DUPLICATE_KEY" => key.starts_with(|it: char| it.is_ascii_uppercase() || it == ':'),
        _ => false,
    }
}

/// The settings of Puppet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Puppet 7 with its default settings: `strict=warning`.
    Stock7,
    /// `strict=error`, the default of Puppet 8, with our rules for 8.
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

/// A kind of difference between two verdicts, from the most to the least severe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Difference {
    /// We panicked.
    Panic,
    /// The tree does not cover the source.
    Text,
    /// We reject code that Puppet accepts.
    FalseError,
    /// We accept code that Puppet rejects.
    MissedError,
    /// Both accept, with different trees.
    Pn,
    /// The first errors are on different lines.
    Line,
    /// The first errors have different codes.
    Code,
    /// The first errors are the same, the others differ.
    OtherErrors,
    /// The warnings differ.
    Warnings,
    /// The first errors are in different columns.
    Column,
}

/// Our verdict with the recorded one.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The recorded verdict in this mode.
    pub expected: Expected,
    /// Our verdict; `None` if we panicked.
    pub ours: Option<Verdict>,
    /// The differences between the verdicts.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Checks whether the verdicts have this difference.
    pub fn has(&self, difference: Difference) -> bool {
        self.differences.contains(&difference)
    }

    /// Checks whether both accept the source or both reject it.
    pub fn same_verdict(&self) -> bool {
        !self
            .differences
            .iter()
            .any(|it| *it <= Difference::MissedError)
    }
}

/// A recorded verdict, adapted to a mode.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The errors, the first one first.
    pub errors: Vec<Issue>,
    /// The warnings.
    pub warnings: Vec<Issue>,
    /// Whether Puppet crashed, in which case the error has no position and no code.
    pub crash: bool,
}

impl Expected {
    /// Adapts a verdict, which was recorded with `strict=warning`. With `strict=error` a duplicate
    /// key is an error, which the validator reports with all others.
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

    /// Checks whether Puppet accepts the source.
    pub fn ok(&self) -> bool {
        self.errors.is_empty() && !self.crash
    }
}

/// Parses and validates a source and compares the verdict with the recorded one.
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
    } else if our.position.map(|it| it.pos) != theirs.2 {
        found.push(Difference::Column);
    }
    // Some errors of Puppet lack a code; ours never do.
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

fn our_issues(diagnostics: &[ReportedDiagnostic]) -> Vec<(String, Option<u32>)> {
    let mut all: Vec<_> = diagnostics
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
