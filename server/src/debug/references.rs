//! `pupil debug references`: every reference in the files, and how it resolves.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::ide::NameResolution;
use serde::Serialize;

use crate::args::PuppetArgs;
use crate::display_path::display_path;
use crate::find_files;
use crate::loaded_workspace::LoadedWorkspace;
use crate::source::{LineBreaks, PositionEncoding, Source};
use crate::terminal::{self, Failure};

#[derive(Serialize)]
struct ReferenceLine<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    kind: &'static str,
    name: &'a str,
    /// `workspace` or `puppet`; `None` if unresolved.
    found: Option<&'static str>,
    why: Option<&'static str>,
}

/// Writes one reference per line, in file and source order.
pub(super) fn run(paths: &[PathBuf], puppet: &PuppetArgs) -> Result<ExitCode, Failure> {
    let workspace = LoadedWorkspace::load(paths, &puppet.modulepath, puppet.version(paths)?);
    let mut out = terminal::stdout();
    for path in find_files::find(paths).files {
        let Some(file) = workspace.files.id(&path) else {
            continue;
        };
        let Some(text) = workspace.analysis.text(file) else {
            continue;
        };
        let source = Source::new(text, LineBreaks::Puppet);
        let shown = display_path(&path);
        for reference in workspace.analysis.resolved_references(file) {
            let at = source.line_column(reference.range.start(), PositionEncoding::Utf32);
            let (found, why) = match reference.resolution {
                NameResolution::Found => (Some("workspace"), None),
                NameResolution::BuiltIn => (Some("puppet"), None),
                NameResolution::Unresolved(why) => (None, Some(why)),
            };
            let line = ReferenceLine {
                file: &shown,
                line: at.line + 1,
                column: at.column + 1,
                kind: reference.kind,
                name: &reference.name,
                found,
                why,
            };
            serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
