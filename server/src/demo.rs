//! `pupil demo`: what Pupil sees in a small manifest.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use analysis::ide::ExpressionNote;
use anstyle::AnsiColor;
use syntax::validation::PuppetVersion;

use crate::args::ColorChoice;
use crate::check;
use crate::single::{FILE, analyse_all};
use crate::source::{LineBreaks, Source, Unit};
use crate::terminal::{self, Failure, paint};

const NAME: &str = "demo.pp";
const MANIFEST: &str = include_str!("demo.pp");

/// How much of a value is shown, in characters.
const MAX_VALUE: usize = 40;

/// Prints the manifest with types and values beside its lines and what is wrong under it.
pub(crate) fn run(color: ColorChoice) -> Result<ExitCode, Failure> {
    let colors = terminal::stdout_has_colors(color);
    let text: Arc<str> = MANIFEST.into();
    let source = Source::new(Arc::clone(&text), LineBreaks::Puppet);
    let analysis = analyse_all(text, PuppetVersion::default());
    let notes = analysis.expression_notes(FILE);

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
    let found = analysis.diagnostics(FILE);
    out.write_all(check::render(NAME, &found, &source, colors).as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The width of the widest line with a note, in characters.
fn noted_width(notes: &[ExpressionNote], source: &Source) -> usize {
    let lines = notes.iter().map(|it| first_line(it, source));
    let widths = lines.filter_map(|it| Some(MANIFEST.lines().nth(it)?.chars().count()));
    widths.max().unwrap_or(0)
}

fn first_line(note: &ExpressionNote, source: &Source) -> usize {
    source.line_column(note.range.start(), Unit::Utf8).line as usize
}

fn show(note: &ExpressionNote) -> String {
    match &note.value {
        None => note.type_.clone(),
        Some(value) if value.chars().count() > MAX_VALUE => {
            let start: String = value.chars().take(MAX_VALUE).collect();
            format!("{} = {start}…", note.type_)
        }
        Some(value) => format!("{} = {value}", note.type_),
    }
}
