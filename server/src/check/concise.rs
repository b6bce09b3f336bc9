//! `--format concise`: one line for each diagnostic, as compilers and editors read them.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use syntax::Severity;

use super::Report;
use super::finding::Finding;
use super::text::write_summary;
use crate::display_path::one_line;
use crate::terminal::paint;

/// Writes the diagnostics and a summary.
pub(super) fn write(out: &mut impl Write, reports: &[Report], colors: bool) -> io::Result<()> {
    for report in reports {
        for finding in &report.findings {
            write_line(out, &one_line(&report.path), finding, colors)?;
        }
    }
    match reports.is_empty() {
        true => Ok(()),
        false => write_summary(out, reports, colors),
    }
}

fn write_line(out: &mut impl Write, path: &str, finding: &Finding, colors: bool) -> io::Result<()> {
    let (name, color) = match finding.severity {
        Severity::Error => ("error", AnsiColor::Red),
        Severity::Warning => ("warning", AnsiColor::Yellow),
        Severity::Info => ("info", AnsiColor::Blue),
        Severity::Hint => ("hint", AnsiColor::Cyan),
    };
    let severity = paint(Style::new().fg_color(Some(color.into())), name, colors);
    let (line, column) = (finding.span.line, finding.span.column);
    let message = one_line(&finding.message);
    write!(out, "{path}:{line}:{column}: {severity}: {message}")?;
    // Errors of catalogs have no code.
    match finding.code {
        "" => writeln!(out),
        code => writeln!(out, " [{code}]"),
    }
}
