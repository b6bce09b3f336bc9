//! `pupil debug lint`: the findings of the rules that replace checks of puppet-lint and its plugins.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::base::Diagnostic;
use analysis::rules;
use analysis::rules::{CheckAt, checks_of};
use serde::Serialize;

use crate::args::PuppetArgs;
use crate::display_path::display_path;
use crate::find_files;
use crate::loaded_workspace::LoadedWorkspace;
use crate::rule_selection::Selection;
use crate::source::{LineBreaks, PositionEncoding, Source};
use crate::terminal::{self, Failure};

#[derive(Serialize)]
struct LintLine<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    /// The name of the check in puppet-lint.
    check: &'a str,
    rule: &'a str,
    message: &'a str,
}

/// Writes one finding per line, in file and source order. All such rules are on.
pub(super) fn run(paths: &[PathBuf], puppet: &PuppetArgs) -> Result<ExitCode, Failure> {
    let replacing = rules::all().filter(|it| it.puppet_lint_checks().next().is_some());
    let selection = Selection {
        selected: replacing.map(|it| it.code.to_owned()).collect(),
        ..Selection::default()
    };
    let version = puppet.version(paths)?;
    let workspace = LoadedWorkspace::load_with(paths, &puppet.modulepath, version, selection);
    let levels = workspace.files.levels();
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
        for found in levels.apply(file, workspace.analysis.diagnostics(file), source.text()) {
            for (check, at) in reporting_checks(&found, source.text()) {
                let at = source.line_column(at, PositionEncoding::Utf32);
                let line = LintLine {
                    file: &shown,
                    line: at.line + 1,
                    column: at.column + 1,
                    check,
                    rule: found.code,
                    message: &found.message,
                };
                serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the checks that correspond to a finding. Checks that report the same problem count once.
fn reporting_checks(found: &Diagnostic, text: &str) -> Vec<CheckAt> {
    let mut checks = checks_of(found, text);
    if found.code != "uppercase-variable" {
        checks.truncate(1);
    }
    checks
}
