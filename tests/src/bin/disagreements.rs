//! Lists where our parser and the recorded Puppet disagree, as a tool for working on the parser.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fmt};

use pupil_tests::compare::{Comparison, Difference, Mode, compare};
use pupil_tests::recordings::{
    self, Issue, Recorded, RecordedCase, RecordedFile, RecordedMutant, digest,
};
use pupil_tests::verdict::{ReportedDiagnostic, Source};
use pupil_tests::{cases, corpus};

const USAGE: &str = "\
Lists where our parser and the recorded Puppet disagree.

usage: disagreements [options] [files|mutants|cases]...   (all three if none is named)

  --only KIND[,KIND]  panic text false-error missed-error pn line code other-errors warnings
                      column (default: panic to line)
  --code CODE         only where Puppet's or our first error has this code
  --id TEXT           only those whose name contains this
  --limit N           list up to N per set (default 20); all are counted
  --strict            rules of 8 with strict=error, instead of stock Puppet 7
  --source            print the whole source of each
  --errors            print all errors and warnings of both
  --recordings DIR    (default tests/parse/recordings)
";

struct Options {
    sets: BTreeSet<String>,
    only: Vec<String>,
    code: Option<String>,
    id: Option<String>,
    limit: usize,
    mode: Mode,
    source: bool,
    errors: bool,
    recordings: PathBuf,
}

/// A source that was compared.
struct Subject {
    name: String,
    source: Source,
    recorded: Recorded,
    /// The range of the mutation.
    mark: Option<(usize, usize)>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        sets: BTreeSet::new(),
        only: ["panic", "text", "false-error", "missed-error", "pn", "line"]
            .map(String::from)
            .into(),
        code: None,
        id: None,
        limit: 20,
        mode: Mode::Stock7,
        source: false,
        errors: false,
        recordings: corpus::tests_dir().join("parse/recordings"),
    };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || {
            args.next()
                .ok_or(format!("{arg} expects a value\n\n{USAGE}"))
        };
        match arg.as_str() {
            "files" | "mutants" | "cases" => {
                options.sets.insert(arg);
            }
            "--only" => options.only = value()?.split(',').map(String::from).collect(),
            "--code" => options.code = Some(value()?),
            "--id" => options.id = Some(value()?),
            "--limit" => {
                options.limit = value()?
                    .parse()
                    .map_err(|error| format!("--limit: {error}"))?;
            }
            "--strict" => options.mode = Mode::Strict8,
            "--source" => options.source = true,
            "--errors" => options.errors = true,
            "--recordings" => options.recordings = value()?.into(),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if options.sets.is_empty() {
        options.sets = ["files", "mutants", "cases"].map(String::from).into();
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    // Panics are counted and listed; their messages would clutter the output.
    std::panic::set_hook(Box::new(|_| ()));
    for set in &options.sets {
        let subjects = subjects(set, options).map_err(|error| format!("{set}: {error}"))?;
        report(set, &subjects, options);
    }
    Ok(())
}

fn subjects(set: &str, options: &Options) -> std::io::Result<Vec<Subject>> {
    let recording = options.recordings.join(format!("{set}.jsonl.gz"));
    if set == "cases" {
        return case_subjects(&recording);
    }
    let texts = corpus::read_all(&corpus::modules_dir())?;
    let missing = |file: &str| println!("{file}: different from the recorded file; skipped");
    let mut subjects = Vec::new();
    if set == "files" {
        for it in recordings::read::<RecordedFile>(&recording)? {
            match texts.get(&it.file).filter(|text| digest(text) == it.text) {
                None => missing(&it.file),
                Some(text) => subjects.push(Subject {
                    source: Source::new(text.as_str(), corpus::dialect(&it.file)),
                    name: it.file,
                    recorded: it.answer,
                    mark: None,
                }),
            }
        }
        return Ok(subjects);
    }
    for it in recordings::read::<RecordedMutant>(&recording)? {
        match texts.get(&it.file).and_then(|text| it.apply(text)) {
            None => missing(&it.file),
            Some(text) => subjects.push(Subject {
                name: format!("#{} {} {}", it.id, it.op, it.file),
                source: Source::new(text, corpus::dialect(&it.file)),
                recorded: it.answer,
                mark: Some((it.at, it.at + it.replacement.len())),
            }),
        }
    }
    Ok(subjects)
}

fn case_subjects(recording: &std::path::Path) -> std::io::Result<Vec<Subject>> {
    let recorded: BTreeMap<_, _> = recordings::read::<RecordedCase>(recording)?
        .into_iter()
        .map(|it| (it.id.clone(), it))
        .collect();
    let cases = cases::read_all(&corpus::tests_dir().join("parse/cases"))?;
    let subject = |case: cases::Case| {
        let recorded = recorded
            .get(&case.id)
            .filter(|it| it.text == digest(&case.source.text))?;
        Some(Subject {
            name: case.id,
            source: case.source,
            recorded: recorded.answer.clone(),
            mark: None,
        })
    };
    Ok(cases.into_iter().filter_map(subject).collect())
}

fn report(set: &str, subjects: &[Subject], options: &Options) {
    let mut counts: BTreeMap<Difference, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut listed = 0;
    for subject in subjects {
        let comparison = compare(&subject.source, &subject.recorded, options.mode);
        for &difference in &comparison.differences {
            *counts.entry(difference).or_default() += 1;
        }
        if !wanted(subject, &comparison, options) {
            continue;
        }
        *pairs.entry(first_codes(&comparison)).or_default() += 1;
        listed += 1;
        if listed <= options.limit {
            print_one(subject, &comparison, options);
        }
    }
    println!(
        "== {set}: {} compared; {listed} of the selected kinds",
        subjects.len()
    );
    for (difference, count) in &counts {
        let share = 100.0 * ratio(*count, subjects.len());
        println!("   {count:5}  {share:6.2}%  {difference}");
    }
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for ((theirs, ours), count) in pairs.iter().take(30) {
        println!("   {count:5}  Puppet {theirs}, we {ours}");
    }
}

#[expect(clippy::cast_precision_loss, reason = "a percentage with two decimals")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn wanted(subject: &Subject, comparison: &Comparison, options: &Options) -> bool {
    let kind = |it: &Difference| options.only.contains(&it.to_string());
    let (theirs, ours) = first_codes(comparison);
    comparison.differences.iter().any(kind)
        && options
            .code
            .as_ref()
            .is_none_or(|code| *code == theirs || *code == ours)
        && options
            .id
            .as_ref()
            .is_none_or(|id| subject.name.contains(id.as_str()))
}

fn first_codes(comparison: &Comparison) -> (String, String) {
    let expected = &comparison.expected;
    let theirs = match expected.errors.first() {
        _ if expected.crash => "crash".to_owned(),
        Some(issue) => issue.code().to_owned(),
        None => "ok".to_owned(),
    };
    let ours = match &comparison.ours {
        None => "panic".to_owned(),
        Some(ours) => ours
            .errors
            .first()
            .map_or("ok", ReportedDiagnostic::code)
            .to_owned(),
    };
    (theirs, ours)
}

fn print_one(subject: &Subject, comparison: &Comparison, options: &Options) {
    let kinds: Vec<_> = comparison
        .differences
        .iter()
        .map(Difference::to_string)
        .collect();
    println!("-- {} [{}]", subject.name, kinds.join(" "));
    let stage = subject.recorded.stage.as_deref().unwrap_or("ok");
    let expected = &comparison.expected;
    let shown = if options.errors { usize::MAX } else { 1 };
    println!(
        "   Puppet: {stage} {}",
        list(expected.errors.iter().take(shown).map(show_issue))
    );
    if options.errors && !expected.warnings.is_empty() {
        println!(
            "           warns {}",
            list(expected.warnings.iter().map(show_issue))
        );
    }
    if let Some(ours) = &comparison.ours {
        let errors = list(ours.errors.iter().take(shown).map(show_diagnostic));
        println!("   we:     {}", if ours.ok() { "ok" } else { &errors });
        if options.errors && !ours.warnings.is_empty() {
            println!(
                "           warn {}",
                list(ours.warnings.iter().map(show_diagnostic))
            );
        }
        print_pn(subject, comparison);
    }
    if options.source {
        println!("{}", subject.source.text);
    } else {
        print_excerpt(subject, comparison);
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join("; ")
}

fn show_issue(issue: &Issue) -> String {
    format!("{} {}", issue.code(), place(issue.1, issue.2))
}

fn show_diagnostic(finding: &ReportedDiagnostic) -> String {
    let at = finding.position;
    let at = place(at.map(|it| it.line), at.map(|it| it.pos));
    format!("{} {at} {}", finding.code(), finding.diagnostic.message)
}

fn place(line: Option<u32>, pos: Option<u32>) -> String {
    let number = |it: Option<u32>| it.map_or("-".to_owned(), |it| it.to_string());
    format!("{}:{}", number(line), number(pos))
}

/// Prints both trees from their first difference. Where only a digest is recorded, queries Puppet.
fn print_pn(subject: &Subject, comparison: &Comparison) {
    let (Some(theirs), Some(ours)) = (&subject.recorded.pn, &comparison.ours) else {
        return;
    };
    if !comparison.has(Difference::Pn) {
        return;
    }
    let theirs = if theirs.starts_with('(') {
        Some(theirs.clone())
    } else {
        query_pn(subject)
    };
    let Some(theirs) = theirs else {
        println!("   (the PN differs; install Puppet to see the difference)");
        return;
    };
    let ours = syntax::pn::to_pn(&ours.parse.tree());
    let same = theirs
        .chars()
        .zip(ours.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let from = same.saturating_sub(40);
    let cut = |text: &str| text.chars().skip(from).take(140).collect::<String>();
    println!("   Puppet's PN: {}", cut(&theirs));
    println!("   our PN:      {}", cut(&ours));
}

/// Returns the PN of the installed Puppet.
fn query_pn(subject: &Subject) -> Option<String> {
    let kind = if subject.source.dialect.epp {
        "epp"
    } else {
        "pp"
    };
    let folder = if subject.source.dialect.tasks {
        "/plans"
    } else {
        ""
    };
    let question = serde_json::json!({
        "id": 0, "source": subject.source.text, "path": format!("{folder}/case.{kind}"),
    });
    let mut oracle = Command::new(corpus::tests_dir().join("oracle/parse"))
        .args(["--json", "--ast", "pn", "--strict", "warning"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    writeln!(oracle.stdin.take()?, "{question}").ok()?;
    let output = oracle.wait_with_output().ok()?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(answer.get("ast")?.as_str()?.to_owned())
}

/// Prints the lines around the mutation and around both errors.
fn print_excerpt(subject: &Subject, comparison: &Comparison) {
    let mut lines = BTreeSet::new();
    let mut around = |line: usize, more: usize| {
        lines.extend(line.saturating_sub(more).max(1)..=line + more);
    };
    let marked = subject.mark.map(|mark| {
        let text = with_mark(&subject.source.text, mark);
        around(1 + line_of(&subject.source.text, mark.0), 2);
        text
    });
    let theirs = comparison.expected.errors.first().and_then(|it| it.1);
    let ours = comparison
        .ours
        .as_ref()
        .and_then(|it| it.errors.first()?.line());
    for line in [theirs, ours].into_iter().flatten() {
        around(line as usize, 1);
    }
    let text = marked.as_deref().unwrap_or(&subject.source.text);
    if lines.is_empty() {
        lines.extend(1..=6);
    }
    let mut last = 0;
    for (index, line) in text
        .lines()
        .enumerate()
        .filter(|(index, _)| lines.contains(&(index + 1)))
    {
        if last + 1 < index + 1 && last != 0 {
            println!("       …");
        }
        last = index + 1;
        println!("  {last:5} {}", Truncated(line));
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
}

/// Puts `⟦ ⟧` around the mutation.
fn with_mark(text: &str, (from, to): (usize, usize)) -> String {
    format!("{}⟦{}⟧{}", &text[..from], &text[from..to], &text[to..])
}

/// A line, truncated if it is very long.
struct Truncated<'a>(&'a str);

impl fmt::Display for Truncated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut: String = self.0.chars().take(160).collect();
        f.write_str(&cut)
    }
}
