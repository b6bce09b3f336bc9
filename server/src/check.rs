//! `pupil check`: everything that is wrong with files, folders, a whole control repository.

mod finding;
mod github;
mod json;
mod progress;
mod sarif;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use rayon::prelude::*;
use syntax::Diagnostic;
use syntax::validation::PuppetVersion;

use crate::COULD_NOT_RUN;
use crate::args::{CheckArgs, Format};
use crate::disk::{ReadError, read_text};
use crate::files;
use crate::place::Layout;
use crate::single::{FILE, analyse};
use crate::source::{LineBreaks, Source};
use crate::terminal::{self, Failure};
use finding::Finding;
use progress::Progress;

/// What a process that found something exits with.
const FINDINGS: u8 = 1;

/// What became of one file.
struct Report {
    /// As it is shown.
    path: String,
    /// In the order of the text.
    findings: Vec<Finding>,
    /// Findings as text, if that is what is asked for.
    rendered: String,
    /// Why the file could not be checked.
    problem: Option<ReadError>,
}

/// How files are checked and shown; the same for all of them.
struct Checker {
    layout: Layout,
    version: PuppetVersion,
    text: Option<text::Style>,
}

/// Checks, writes what was found, and tells by the exit status.
pub(crate) fn run(arguments: &CheckArgs) -> Result<ExitCode, Failure> {
    let found = files::find(&arguments.paths);
    let colors = terminal::stdout_has_colors(arguments.color);
    let checker = Checker {
        layout: Layout::new(&arguments.puppet.modulepath),
        version: arguments.puppet.release.into(),
        text: (arguments.format == Format::Text).then(|| text::Style::new(colors)),
    };
    let reports = checker.check_all(&found.files);

    let mut out = terminal::stdout();
    match arguments.format {
        Format::Text => text::write(&mut out, &reports, colors)?,
        Format::Json => json::write(&mut out, &reports)?,
        Format::Sarif => sarif::write(&mut out, &reports, &found.problems)?,
        Format::Github => github::write(&mut out, &reports)?,
    }
    out.flush()?;
    drop(out);

    let mut problems = found.problems;
    for report in &reports {
        if let Some(problem) = &report.problem {
            problems.push(format!("{}: {problem}", report.path));
        }
    }
    for problem in &problems {
        terminal::complain(problem);
    }
    Ok(if !problems.is_empty() {
        ExitCode::from(COULD_NOT_RUN)
    } else if reports.iter().any(|it| !it.findings.is_empty()) {
        ExitCode::from(FINDINGS)
    } else {
        ExitCode::SUCCESS
    })
}

/// Diagnostics of one text as `pupil check` shows them.
pub(crate) fn render(
    path: &str,
    diagnostics: &[Diagnostic],
    source: &Source,
    colors: bool,
) -> String {
    let findings = diagnostics.iter().map(|it| Finding::new(it, source));
    let findings: Vec<Finding> = findings.collect();
    text::Style::new(colors).render(path, &findings, source)
}

impl Checker {
    /// One report a file, in the order of the files.
    fn check_all(&self, files: &[PathBuf]) -> Vec<Report> {
        let progress = Progress::new(files.len());
        let reports = files
            .par_iter()
            .map(|path| {
                let report = self.check(path);
                progress.advance();
                report
            })
            .collect();
        progress.finish();
        reports
    }

    fn check(&self, path: &Path) -> Report {
        let mut report = Report {
            path: files::shown(path),
            findings: Vec::new(),
            rendered: String::new(),
            problem: None,
        };
        match read_text(path) {
            Ok(text) => {
                let text: Arc<str> = text.into();
                let spec = self.layout.spec(path);
                let analysis = analyse(spec, Arc::clone(&text), self.version);
                let diagnostics = analysis.diagnostics(FILE);
                if !diagnostics.is_empty() {
                    let source = Source::new(text, LineBreaks::Puppet);
                    let findings = diagnostics.iter().map(|it| Finding::new(it, &source));
                    self.fill(&mut report, findings.collect(), &source);
                }
            }
            // Puppet refuses such a file too: it is not that we could not look.
            Err(ReadError::NotUtf8(invalid)) => {
                let source = Source::new(invalid.lossy().into(), LineBreaks::Puppet);
                let finding = Finding::not_utf8(&invalid, &source);
                self.fill(&mut report, vec![finding], &source);
            }
            Err(problem) => report.problem = Some(problem),
        }
        report
    }

    fn fill(&self, report: &mut Report, findings: Vec<Finding>, source: &Source) {
        report.findings = findings;
        report.findings.sort_by_key(|it| it.range.start());
        if let Some(style) = &self.text {
            report.rendered = style.render(&report.path, &report.findings, source);
        }
    }
}
