//! Lists where our evaluator and the recorded Puppet disagree, as a tool for working on the
//! evaluator.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::eval::Evaluation;
use pupil_tests::evaluations::{
    Agreement, RecordedAnswer, RecordedEvaluation, compare, evaluate_with_pupil, place, recording,
};
use pupil_tests::recordings;

const USAGE: &str = "\
Lists where our evaluator and the recorded Puppet disagree.

usage: eval-disagreements [options]

  --area AREA[,AREA]  only these
  --only KIND[,KIND]  place null wrong-error false-error missed-error wrong-value panic
                      (default: all except place)
  --text TEXT         only sources that contain this
  --why TEXT          only unknown values whose reason contains this
  --code CODE         only where Puppet's or our error has this code
  --limit N           list up to N (default 20); all are counted
  --reasons           count the reasons for unknown values
  --recording FILE    (default tests/eval/recordings/cases.jsonl.gz)
";

struct Options {
    areas: Vec<String>,
    only: Vec<String>,
    text: Option<String>,
    why: Option<String>,
    code: Option<String>,
    limit: usize,
    reasons: bool,
    recording: PathBuf,
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
        areas: Vec::new(),
        only: Vec::new(),
        text: None,
        why: None,
        code: None,
        limit: 20,
        reasons: false,
        recording: recording(),
    };
    let mut args = env::args().skip(1);
    let list = |text: String| text.split(',').map(String::from).collect();
    while let Some(arg) = args.next() {
        let mut value = || {
            args.next()
                .ok_or(format!("{arg} expects a value\n\n{USAGE}"))
        };
        match arg.as_str() {
            "--area" => options.areas = list(value()?),
            "--only" => options.only = list(value()?),
            "--text" => options.text = Some(value()?),
            "--why" => options.why = Some(value()?),
            "--code" => options.code = Some(value()?),
            "--limit" => {
                options.limit = value()?
                    .parse()
                    .map_err(|error| format!("--limit: {error}"))?;
            }
            "--reasons" => options.reasons = true,
            "--recording" => options.recording = value()?.into(),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

#[derive(Default)]
struct Counts {
    by_area: BTreeMap<String, BTreeMap<Agreement, usize>>,
    reasons: BTreeMap<String, usize>,
    listed: usize,
}

fn run(options: &Options) -> Result<(), String> {
    // Panics are counted and listed; their messages would clutter the output.
    std::panic::set_hook(Box::new(|_| ()));
    let path = &options.recording;
    let cases: Vec<RecordedEvaluation> =
        recordings::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut counts = Counts::default();
    for (index, case) in cases.iter().enumerate() {
        if !options.areas.is_empty() && !options.areas.contains(&case.area) {
            continue;
        }
        let answer = evaluate_with_pupil(&case.source);
        let agreement = compare(&case.source, answer.as_ref(), &case.answer);
        let area = counts.by_area.entry(case.area.clone()).or_default();
        *area.entry(agreement).or_default() += 1;
        if let Some(Evaluation::Unknown(why)) = &answer {
            *counts.reasons.entry(why.clone()).or_default() += 1;
        }
        if wanted(options, case, answer.as_ref(), agreement) {
            counts.listed += 1;
            if counts.listed <= options.limit {
                println!("-- {} {index} [{agreement}]", case.area);
                println!("{}", case.source);
                show_theirs(&case.answer);
                show_ours(&case.source, answer.as_ref());
            }
        }
    }
    print_counts(&counts, options.reasons);
    Ok(())
}

fn wanted(
    options: &Options,
    case: &RecordedEvaluation,
    ours: Option<&Evaluation>,
    agreement: Agreement,
) -> bool {
    let kind = if options.only.is_empty() {
        !agreement.is_right()
    } else {
        options.only.contains(&agreement.to_string())
    };
    let holds = |wanted: &Option<String>, text: &str| {
        wanted.as_ref().is_none_or(|it| text.contains(it.as_str()))
    };
    let why = match ours {
        Some(Evaluation::Unknown(why)) => why.as_str(),
        _ => "",
    };
    let our_code = match ours {
        Some(Evaluation::Error(it)) => it.code,
        _ => None,
    };
    kind && holds(&options.text, &case.source)
        && holds(&options.why, why)
        && options.code.as_ref().is_none_or(|code| {
            case.answer.code.as_ref() == Some(code) || our_code == Some(code.as_str())
        })
}

fn show_theirs(theirs: &RecordedAnswer) {
    if theirs.ok {
        let types = [
            theirs.type_exact.as_ref().unwrap_or(&theirs.type_detailed),
            &theirs.type_detailed,
            &theirs.type_reduced,
            &theirs.type_generalized,
        ];
        show_value("Puppet", theirs.value.as_deref(), types);
    } else {
        let stage = theirs.stage.as_deref().unwrap_or("-");
        let code = theirs.code.as_deref().unwrap_or("-");
        let place = (theirs.line, theirs.pos);
        println!("   Puppet: {stage} {code} {}", show_place(place));
    }
}

fn show_ours(source: &str, ours: Option<&Evaluation>) {
    match ours {
        None => println!("   we:     panic"),
        Some(Evaluation::Unknown(why)) => println!("   we:     ? {why}"),
        Some(Evaluation::Value(it)) => {
            let types = [
                &it.type_exact,
                &it.type_detailed,
                &it.type_reduced,
                &it.type_generalized,
            ];
            show_value("we    ", it.value.as_deref(), types);
        }
        Some(Evaluation::Error(it)) => {
            let place = show_place(place(source, it));
            let code = it.code.unwrap_or("-");
            println!("   we:     {} {code} {place} {}", it.stage, it.message);
        }
    }
}

/// Prints the exact, detailed, reduced and generalized types, each unless it equals the previous
/// one.
fn show_value(who: &str, value: Option<&str>, types: [&String; 4]) {
    let mut shown: Vec<&str> = types.iter().map(|it| it.as_str()).collect();
    shown.dedup();
    let value = value.unwrap_or("(no source form)");
    println!("   {who}: {value}  :: {}", shown.join("  |  "));
}

fn show_place((line, pos): (Option<u32>, Option<u32>)) -> String {
    let number = |it: Option<u32>| it.map_or("-".to_owned(), |it| it.to_string());
    format!("{}:{}", number(line), number(pos))
}

fn print_counts(counts: &Counts, reasons: bool) {
    if reasons {
        let mut all: Vec<_> = counts.reasons.iter().collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (why, count) in all.iter().take(60) {
            println!("{count:6}  {why}");
        }
    }
    print!("{:14}{:>8}", "area", "all");
    Agreement::ALL
        .iter()
        .for_each(|it| print!("{:>13}", it.to_string()));
    println!();
    let mut total: BTreeMap<Agreement, usize> = BTreeMap::new();
    for (area, row) in &counts.by_area {
        print_row(area, row);
        for (agreement, count) in row {
            *total.entry(*agreement).or_default() += count;
        }
    }
    print_row("all", &total);
    println!("{} of the selected kinds", counts.listed);
}

fn print_row(name: &str, row: &BTreeMap<Agreement, usize>) {
    print!("{name:14}{:>8}", row.values().sum::<usize>());
    for agreement in Agreement::ALL {
        print!("{:>13}", row.get(&agreement).unwrap_or(&0));
    }
    println!();
}
