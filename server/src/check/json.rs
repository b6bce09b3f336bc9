//! `--format json`: a single JSON object.

use std::io::{self, Write};

use serde::Serialize;

use super::Report;

#[derive(Serialize)]
struct Document<'a> {
    findings: Vec<Finding<'a>>,
    files: usize,
}

#[derive(Serialize)]
struct Finding<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    related: Vec<Related<'a>>,
    fixes: Vec<Fix<'a>>,
}

#[derive(Serialize)]
struct Fix<'a> {
    label: &'a str,
    certain: bool,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct Related<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    message: &'a str,
}

/// Writes all diagnostics and the number of files that could be checked.
pub(super) fn write(out: &mut impl Write, reports: &[Report]) -> io::Result<()> {
    let findings = reports.iter().flat_map(|report| {
        report.findings.iter().map(|finding| Finding {
            file: &report.path,
            line: finding.span.line,
            column: finding.span.column,
            end_line: finding.span.end_line,
            end_column: finding.span.end_column,
            severity: finding.severity_name(),
            code: finding.code,
            message: &finding.message,
            related: related(report, finding),
            fixes: fixes(report, finding),
        })
    });
    let document = Document {
        findings: findings.collect(),
        files: reports.iter().filter(|it| it.problem.is_none()).count(),
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn related<'a>(report: &'a Report, finding: &'a super::Finding) -> Vec<Related<'a>> {
    let related = finding.related.iter().map(|it| Related {
        file: it.path.as_ref().unwrap_or(&report.path),
        line: it.span.line,
        column: it.span.column,
        message: &it.message,
    });
    related.collect()
}

fn fixes<'a>(report: &'a Report, finding: &'a super::Finding) -> Vec<Fix<'a>> {
    let edit = |it: &'a super::finding::Edit| Edit {
        file: it.path.as_ref().unwrap_or(&report.path),
        line: it.span.line,
        column: it.span.column,
        end_line: it.span.end_line,
        end_column: it.span.end_column,
        text: &it.text,
    };
    let fixes = finding.fixes.iter().map(|it| Fix {
        label: &it.label,
        certain: it.is_certain,
        edits: it.edits.iter().map(edit).collect(),
    });
    fixes.collect()
}
