//! `pupil demo`: a sample manifest annotated with inferred types and values.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use analysis::ide::ExpressionNote;
use analysis::{rules, truncated};
use anstyle::AnsiColor;
use syntax::validation::PuppetVersion;
use syntax::{Severity, TextSize};

use crate::args::ColorChoice;
use crate::check;
use crate::source::{LineBreaks, PositionEncoding, Source};
use crate::standalone::{FILE, analyze_complete};
use crate::terminal::{self, Failure, paint};

const NAME: &str = "demo.pp";
const MANIFEST: &str = include_str!("demo.pp");

/// The maximum length of a displayed type or value, in characters.
const MAX_SHOWN: usize = 50;

/// Prints the manifest with types and values next to its lines, followed by its diagnostics.
pub(crate) fn run(color: ColorChoice) -> Result<ExitCode, Failure> {
    let colors = terminal::stdout_has_colors(color);
    let text: Arc<str> = MANIFEST.into();
    let source = Source::new(Arc::clone(&text), LineBreaks::Puppet);
    let analysis = analyze_complete(text, PuppetVersion::default());
    let notes = outermost(analysis.expression_notes(FILE));

    let mut out = terminal::stdout();
    let width = noted_width(&notes, &source);
    for (index, line) in MANIFEST.lines().enumerate() {
        let number = format!("{:3} │ ", index + 1);
        let number = paint(AnsiColor::BrightBlue.on_default(), number, colors);
        let beside: Vec<String> = notes
            .iter()
            .filter(|it| first_line(it, &source) == index)
            .map(show)
            .collect();
        if beside.is_empty() {
            writeln!(out, "{number}{line}")?;
        } else {
            let note = format!("# {}", beside.join(", "));
            let note = paint(AnsiColor::Green.on_default(), note, colors);
            writeln!(out, "{number}{line:width$}  {note}")?;
        }
    }
    writeln!(out)?;
    let mut found = analysis.diagnostics(FILE);
    found.retain(|it| it.severity < Severity::Hint && rules::is_on(it.code));
    out.write_all(check::render(NAME, &found, &source, colors).as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Drops the notes that are nested inside others.
fn outermost(mut notes: Vec<ExpressionNote>) -> Vec<ExpressionNote> {
    let mut end = TextSize::default();
    notes.retain(|it| {
        let outside = it.range.start() >= end;
        end = end.max(it.range.end());
        outside
    });
    notes
}

/// Returns the width of the widest line that has a note, in characters.
fn noted_width(notes: &[ExpressionNote], source: &Source) -> usize {
    let lines = notes.iter().map(|it| first_line(it, source));
    let widths = lines.filter_map(|it| Some(MANIFEST.lines().nth(it)?.chars().count()));
    widths.max().unwrap_or(0)
}

fn first_line(note: &ExpressionNote, source: &Source) -> usize {
    source
        .line_column(note.range.start(), PositionEncoding::Utf8)
        .line as usize
}

fn show(note: &ExpressionNote) -> String {
    let type_ = truncated(&note.type_, MAX_SHOWN);
    match &note.value {
        None => type_,
        Some(value) => format!("{type_} = {}", truncated(value, MAX_SHOWN)),
    }
}
