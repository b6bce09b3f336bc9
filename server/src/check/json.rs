//! `--format json`: a single JSON object.

use std::io::{self, Write};

use analysis::rules::{self, Group};
use serde::Serialize;

use super::Report;

#[derive(Serialize)]
struct JsonDocument<'a> {
    findings: Vec<JsonFinding<'a>>,
    files: usize,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    /// The check of puppet-lint that the rule replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    puppet_lint: Option<&'static str>,
    related: Vec<JsonRelated<'a>>,
    fixes: Vec<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    label: &'a str,
    certain: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    message: &'a str,
}

/// Writes all diagnostics and the number of files that could be checked.
pub(super) fn write(out: &mut impl Write, reports: &[Report]) -> io::Result<()> {
    let findings = reports.iter().flat_map(|report| {
        report.findings.iter().map(|finding| JsonFinding {
            file: &report.path,
            line: finding.span.line,
            column: finding.span.column,
            end_line: finding.span.end_line,
            end_column: finding.span.end_column,
            severity: finding.severity_name(),
            code: finding.code,
            message: &finding.message,
            puppet_lint: puppet_lint(finding.code),
            related: related(report, finding),
            fixes: fixes(report, finding),
        })
    });
    let document = JsonDocument {
        findings: findings.collect(),
        files: reports.iter().filter(|it| it.problem.is_none()).count(),
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn puppet_lint(code: &str) -> Option<&'static str> {
    let rule = rules::rule(code).filter(|it| it.group != Group::Correctness)?;
    rule.puppet_lint.first().copied()
}

fn related<'a>(report: &'a Report, finding: &'a super::Finding) -> Vec<JsonRelated<'a>> {
    let related = finding.related.iter().map(|it| JsonRelated {
        file: it.path.as_ref().unwrap_or(&report.path),
        line: it.span.line,
        column: it.span.column,
        message: &it.message,
    });
    related.collect()
}

fn fixes<'a>(report: &'a Report, finding: &'a super::Finding) -> Vec<JsonFix<'a>> {
    let edit = |it: &'a super::finding::Edit| JsonEdit {
        file: it.path.as_ref().unwrap_or(&report.path),
        line: it.span.line,
        column: it.span.column,
        end_line: it.span.end_line,
        end_column: it.span.end_column,
        text: &it.text,
    };
    let fixes = finding.fixes.iter().map(|it| JsonFix {
        label: &it.label,
        certain: it.is_safe,
        edits: it.edits.iter().map(edit).collect(),
    });
    fixes.collect()
}
