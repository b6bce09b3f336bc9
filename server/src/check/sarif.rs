//! `--format sarif`: SARIF 2.1.0, the exchange format of code scanning services.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use analysis::rules::{self, Rule};
use serde_json::{Value, json};
use syntax::Severity;

use super::Report;
use super::finding::{Finding, Fix, Span};
use crate::issue_codes;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a log with one run; `problems` are errors that do not belong to a file.
pub(super) fn write(
    out: &mut impl Write,
    reports: &[Report],
    problems: &[String],
) -> io::Result<()> {
    let codes: BTreeSet<&str> = reports
        .iter()
        .flat_map(|it| it.findings.iter().map(|it| it.code))
        .collect();
    let rules: Vec<Value> = codes.iter().map(|code| descriptor(code)).collect();
    let results: Vec<Value> = reports
        .iter()
        .flat_map(|report| report.findings.iter().map(|it| result(report, it)))
        .collect();
    let file_notifications = reports
        .iter()
        .filter_map(|it| Some(notification(it, it.problem.as_deref()?)));
    let other_notifications = problems
        .iter()
        .map(|it| json!({"level": "error", "message": {"text": it}}));
    let notifications: Vec<Value> = file_notifications.chain(other_notifications).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "pupil",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

/// Describes a rule or an issue code.
fn descriptor(code: &str) -> Value {
    let mut descriptor = json!({"id": code});
    let rule = rules::rule(code);
    let summary = rule
        .map(Rule::summary)
        .or_else(|| issue_codes::summary(code));
    if let Some(summary) = summary {
        descriptor["shortDescription"] = json!({"text": summary});
    }
    if let Some(address) = issue_codes::address(code) {
        descriptor["helpUri"] = address.into();
    }
    if let Some(rule) = rule {
        descriptor["defaultConfiguration"] = json!({"level": level(rule.severity)});
    }
    descriptor
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}

fn result(report: &Report, finding: &Finding) -> Value {
    let mut result = json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": {"text": finding.message},
        "locations": [location(&report.path, finding.span)],
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|it| {
            let mut location = location(it.path.as_ref().unwrap_or(&report.path), it.span);
            location["message"] = json!({"text": it.message});
            location
        });
        result["relatedLocations"] = related.collect();
    }
    if !finding.fixes.is_empty() {
        let fixes = finding.fixes.iter().map(|it| fix(report, it));
        result["fixes"] = fixes.collect();
    }
    result
}

fn notification(report: &Report, problem: &str) -> Value {
    json!({
        "level": "error",
        "message": {"text": problem},
        "locations": [{"physicalLocation": artifact(&report.path)}],
    })
}

fn location(path: &str, span: Span) -> Value {
    let mut physical = artifact(path);
    physical["region"] = region(span);
    json!({"physicalLocation": physical})
}

fn region(span: Span) -> Value {
    json!({
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    })
}

/// Converts a fix; SARIF cannot express its applicability.
fn fix(report: &Report, fix: &Fix) -> Value {
    let mut changes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let path = edit.path.as_ref().unwrap_or(&report.path);
        let replacement = json!({
            "deletedRegion": region(edit.span),
            "insertedContent": {"text": edit.text},
        });
        changes.entry(path).or_default().push(replacement);
    }
    let changes = changes.into_iter().map(|(path, replacements)| {
        let mut change = artifact(path);
        change["replacements"] = replacements.into();
        change
    });
    json!({
        "description": {"text": fix.label},
        "artifactChanges": changes.collect::<Vec<_>>(),
    })
}

fn artifact(path: &str) -> Value {
    json!({"artifactLocation": {"uri": uri(path)}})
}

/// Converts a path to a URI, which is relative if the path is.
fn uri(path: &str) -> String {
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/ü.pp"), "a%20b/%C3%BC.pp");
        assert_eq!(uri("/etc/x.pp"), "file:///etc/x.pp");
    }
}
