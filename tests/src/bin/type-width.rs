//! Lists where inferred types contradict the values that the real Puppet had, and where they are
//! wider, as a tool for working on inference.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use pupil_tests::corpus;
use pupil_tests::traces::{TraceInferences, TraceRecord, read_trace};
use pupil_tests::width::{MeasuredExpression, Width, by_function, by_kind, is_open, measure};
use pupil_tests::workspace::read_modules;

const USAGE: &str = "\
Lists where inferred types are wider than the values that the real Puppet had.

usage: type-width [options] [RECORDING]

RECORDING is the output of `oracle/trace-corpus`; by default, infer/records.jsonl.gz

  --kind TEXT   list only kinds of expressions that contain this
  --text TEXT   list only expressions whose path or source contains this
  --exact       list those that are not exactly as narrow
  --limit N     list up to N (default 20); all are counted";

struct Options {
    recording: PathBuf,
    kind: String,
    text: String,
    exact: bool,
    limit: usize,
}

fn options() -> Option<Options> {
    let mut options = Options {
        recording: corpus::tests_dir().join("infer/records.jsonl.gz"),
        kind: String::new(),
        text: String::new(),
        exact: false,
        limit: 20,
    };
    let mut arguments = env::args().skip(1);
    while let Some(it) = arguments.next() {
        match it.as_str() {
            "--kind" => options.kind = arguments.next()?,
            "--text" => options.text = arguments.next()?,
            "--exact" => options.exact = true,
            "--limit" => options.limit = arguments.next()?.parse().ok()?,
            it if it.starts_with('-') => return None,
            path => options.recording = path.into(),
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        println!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let records = match read_trace(&options.recording) {
        Ok(it) => it,
        Err(error) => {
            println!("{}: {error}", options.recording.display());
            return ExitCode::FAILURE;
        }
    };
    let modules = match read_modules(&corpus::modules_dir()) {
        Ok(it) => it,
        Err(error) => {
            println!("{}: {error}", corpus::modules_dir().display());
            return ExitCode::FAILURE;
        }
    };
    let mut inferences = TraceInferences::new(&modules);
    list_contradictions(&records, &mut inferences);
    let measured = measure(&records, &mut inferences);
    list(&measured, &options);
    for (kind, width) in by_kind(&measured) {
        print_width(&kind, &width);
    }
    for (function, width) in by_function(&measured).iter().take(40) {
        print_width(function, width);
    }
    let others = measured.iter().filter(|it| !is_open(&it.kind));
    print_width("all but parameters without type", &Width::of(others));
    print_width("all", &Width::of(&measured));
    ExitCode::SUCCESS
}

fn list_contradictions(records: &[TraceRecord], inferences: &mut TraceInferences) {
    let (mut checked, mut wrong) = (0, 0);
    for record in records {
        let Some(inferred) = inferences.of(record) else {
            continue;
        };
        checked += 1;
        if let Some(problem) = record.contradiction(inferred) {
            wrong += 1;
            let path = record.path().unwrap_or_default();
            println!("contradiction: {path}:{}: {problem}", record.line());
        }
    }
    println!("{wrong} contradictions in {checked} values");
}

fn print_width(name: &str, width: &Width) {
    println!("{name:32} {:30} exactly {}", width.general, width.exact);
}

fn list(measured: &[MeasuredExpression], options: &Options) {
    let listed = measured.iter().filter(|it| {
        let is_wide = !it.is_narrow || options.exact && !it.is_exact;
        let text = &options.text;
        is_wide
            && it.kind.contains(&options.kind)
            && (it.path.contains(text) || it.source.contains(text))
    });
    for it in listed.take(options.limit) {
        let inferred = it.inferred.as_ref();
        let inferred = inferred.map_or_else(|| "-".to_owned(), ToString::to_string);
        let source: String = it.source.chars().take(80).collect();
        let source = source.replace('\n', " ");
        println!(
            "{}:{} [{}] {source} || {inferred} || {}",
            it.path, it.line, it.kind, it.seen
        );
    }
}
