//! `pupil debug stats`: what checking costs.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use syntax::ast::{AstNode, Expr};

use crate::args::PuppetArgs;
use crate::disk::read_text;
use crate::files;
use crate::place::Layout;
use crate::single::{FILE, analyse};
use crate::terminal::{self, Failure};

#[derive(Serialize, Default)]
struct Stats {
    files: usize,
    bytes: usize,
    unreadable: usize,
    /// One core, in seconds; the tree alone.
    parse_seconds: f64,
    parse_megabytes_per_second: f64,
    /// One core, in seconds; the tree again, and all checks.
    check_seconds: f64,
    diagnostics: usize,
    nodes: usize,
    tokens: usize,
    expressions: usize,
    /// Statements whose type is known, and those whose value is.
    typed: usize,
    constant: usize,
    /// The most memory that the process ever had, where the system tells.
    peak_memory_bytes: Option<u64>,
}

/// Measures on one core, so that times add up.
pub(crate) fn run(paths: &[PathBuf], puppet: &PuppetArgs) -> Result<ExitCode, Failure> {
    let found = files::find(paths);
    let layout = Layout::new(&puppet.modulepath);
    let mut stats = Stats::default();
    let mut parsing = Duration::ZERO;
    let mut checking = Duration::ZERO;
    for path in &found.files {
        let Ok(text) = read_text(path) else {
            stats.unreadable += 1;
            continue;
        };
        let spec = layout.spec(path);
        stats.files += 1;
        stats.bytes += text.len();

        let started = Instant::now();
        let parse = syntax::parse(&text, spec.dialect);
        parsing += started.elapsed();
        count_tree(&parse, &mut stats);

        let started = Instant::now();
        let analysis = analyse(spec, Arc::from(text), puppet.version());
        stats.diagnostics += analysis.diagnostics(FILE).len();
        checking += started.elapsed();

        let notes = analysis.expression_notes(FILE);
        stats.typed += notes.iter().filter(|it| it.type_ != "Any").count();
        stats.constant += notes.iter().filter(|it| it.value.is_some()).count();
    }
    stats.parse_seconds = parsing.as_secs_f64();
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

/// Linux tells it in a file.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
