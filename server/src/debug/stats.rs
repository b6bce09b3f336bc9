//! `pupil debug stats`: timings and memory usage of a check, and the precision of inference.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis::ide::TypedRangeKind;
use analysis::{Analysis, FileId, rules, types};
use serde::Serialize;
use syntax::ast::{AstNode, Expr};

use crate::args::PuppetArgs;
use crate::find_files;
use crate::loaded_workspace::LoadedWorkspace;
use crate::paths::ModuleLocator;
use crate::read_text::read_text;
use crate::standalone::{FILE, analyze_standalone};
use crate::terminal::{self, Failure};

#[derive(Serialize, Default)]
struct Stats {
    files: usize,
    bytes: usize,
    unreadable: usize,
    /// The time to parse on one core.
    parse_seconds: f64,
    parse_megabytes_per_second: f64,
    /// The time to infer the types of all expressions on one core, including all queries it needs.
    infer_seconds: f64,
    /// The time to run all checks on one core, with cached trees and types.
    check_seconds: f64,
    diagnostics: usize,
    nodes: usize,
    tokens: usize,
    /// The number of expressions in the source.
    expressions: usize,
    /// The number of inferred expressions: all reachable ones, except parts of names and of types.
    inferred: usize,
    /// The number of inferred expressions whose type is narrower than `Any`.
    typed: usize,
    /// The number of inferred expressions whose value is known.
    constant: usize,
    /// The peak memory usage of the process, on Linux only.
    peak_memory_bytes: Option<u64>,
}

/// Runs the measurements on one core, so that times add up.
pub(crate) fn run(paths: &[PathBuf], puppet: &PuppetArgs) -> Result<ExitCode, Failure> {
    let found = find_files::find(paths);
    let locator = ModuleLocator::new(&puppet.modulepath);
    let version = puppet.version(paths)?;
    let workspace = LoadedWorkspace::load(paths, &puppet.modulepath, version);
    let mut stats = Stats::default();
    let mut parsing = Duration::ZERO;
    let mut inferring = Duration::ZERO;
    let mut checking = Duration::ZERO;
    for path in &found.files {
        let Ok(text) = read_text(path) else {
            stats.unreadable += 1;
            continue;
        };
        let spec = locator.spec(path);
        stats.files += 1;
        stats.bytes += text.len();

        let started = Instant::now();
        let parse = syntax::parse(&text, spec.dialect);
        parsing += started.elapsed();
        count_tree(&parse, &mut stats);
        drop(parse);

        let standalone;
        let (analysis, file): (&Analysis, FileId) = match workspace.files.id(path) {
            Some(file) => (&workspace.analysis, file),
            None => {
                standalone = analyze_standalone(spec, Arc::from(text), version);
                (&standalone, FILE)
            }
        };
        inferring += infer(analysis, file, &mut stats);

        let started = Instant::now();
        let found = analysis.diagnostics(file);
        checking += started.elapsed();
        stats.diagnostics += found.iter().filter(|it| rules::is_on(it.code)).count();
    }
    stats.parse_seconds = parsing.as_secs_f64();
    stats.infer_seconds = inferring.as_secs_f64();
    stats.check_seconds = checking.as_secs_f64();
    if !parsing.is_zero() {
        stats.parse_megabytes_per_second = stats.bytes as f64 / 1e6 / stats.parse_seconds;
    }
    stats.peak_memory_bytes = peak_memory();
    let mut out = terminal::stdout();
    serde_json::to_writer(&mut out, &stats).map_err(std::io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Infers a file, updates the counts, and returns the time it took.
fn infer(analysis: &Analysis, file: FileId, stats: &mut Stats) -> Duration {
    let started = Instant::now();
    let places = analysis.inferred_types(file);
    let took = started.elapsed();
    let is_expression = |it: &TypedRangeKind| *it == TypedRangeKind::Expression;
    for place in places.iter().filter(|it| is_expression(&it.kind)) {
        stats.inferred += 1;
        stats.typed += usize::from(place.type_ != types::Type::Any);
        stats.constant += usize::from(place.value.is_some());
    }
    took
}

fn count_tree(parse: &syntax::Parse, stats: &mut Stats) {
    for element in parse.syntax().descendants_with_tokens() {
        match element.into_node() {
            None => stats.tokens += 1,
            Some(node) => {
                stats.nodes += 1;
                stats.expressions += usize::from(Expr::can_cast(node.kind()));
            }
        }
    }
}

/// Reads the peak memory usage from `/proc`.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
