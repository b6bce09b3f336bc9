//! `--format junit`: a JUnit report, which most continuous integration services show. Each file is a test
//! suite, and each diagnostic a failed test case.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Report;
use super::finding::Finding;

/// Writes the report as XML.
pub(super) fn write(out: &mut impl Write, reports: &[Report]) -> io::Result<()> {
    let all: usize = reports.iter().map(test_count).sum();
    let failed: usize = reports.iter().map(failure_count).sum();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuites name="pupil" tests="{all}" failures="{failed}">"#
    )?;
    for report in reports {
        write_suite(out, report)?;
    }
    writeln!(out, "</testsuites>")
}

/// Returns the number of test cases: one per diagnostic, or one that passes.
fn test_count(report: &Report) -> usize {
    failure_count(report).max(1)
}

fn failure_count(report: &Report) -> usize {
    report.findings.len() + usize::from(report.problem.is_some())
}

fn write_suite(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let path = escape(&report.path);
    let (tests, failures) = (test_count(report), failure_count(report));
    writeln!(
        out,
        r#"  <testsuite name="{path}" tests="{tests}" failures="{failures}">"#
    )?;
    if failures == 0 {
        writeln!(
            out,
            r#"    <testcase name="no diagnostics" classname="{path}"/>"#
        )?;
    }
    for finding in &report.findings {
        write_case(out, report, finding)?;
    }
    if let Some(problem) = &report.problem {
        writeln!(
            out,
            r#"    <testcase name="cannot be read" classname="{path}">"#
        )?;
        writeln!(out, r#"      <failure message="{}"/>"#, escape(problem))?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

fn write_case(out: &mut impl Write, report: &Report, finding: &Finding) -> io::Result<()> {
    let path = escape(&report.path);
    let (line, column) = (finding.span.line, finding.span.column);
    let (code, message) = (finding.code, escape(&finding.message));
    let severity = finding.severity_name();
    writeln!(
        out,
        r#"    <testcase name="{code} at line {line}, column {column}" classname="{path}" file="{path}" line="{line}">"#
    )?;
    writeln!(
        out,
        r#"      <failure type="{severity}" message="{message}">{path}:{line}:{column}: {severity}[{code}]: {message}</failure>"#
    )?;
    writeln!(out, "    </testcase>")
}

/// Escapes text for an attribute or an element. XML cannot contain most control characters at all.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' | '\t' => {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "&#{};", u32::from(char));
            }
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            char if char.is_control() && u32::from(char) < 0x80 => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{escape, write};
    use crate::check::Report;
    use crate::check::line_texts::LineTexts;

    #[test]
    fn escapes_markup_and_control_characters() {
        let escaped = escape("a<b> & \"c\"\n\u{1b}[31m\u{7f}é");
        assert_eq!(
            escaped,
            "a&lt;b&gt; &amp; &quot;c&quot;&#10;\u{fffd}[31m\u{fffd}é"
        );
    }

    #[test]
    fn files_without_diagnostics_pass() {
        let reports = ["a.pp", "b.pp"].map(|path| Report {
            path: path.to_owned(),
            findings: Vec::new(),
            lines: LineTexts::default(),
            rendered: String::new(),
            hidden_hints: 0,
            problem: (path == "b.pp").then(|| "binary file".to_owned()),
        });
        let mut out = Vec::new();
        write(&mut out, &reports).expect("memory can be written");
        let text = String::from_utf8(out).expect("XML is text");
        assert_eq!(
            text,
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="pupil" tests="2" failures="1">
  <testsuite name="a.pp" tests="1" failures="0">
    <testcase name="no diagnostics" classname="a.pp"/>
  </testsuite>
  <testsuite name="b.pp" tests="1" failures="1">
    <testcase name="cannot be read" classname="b.pp">
      <failure message="binary file"/>
    </testcase>
  </testsuite>
</testsuites>
"#
        );
    }
}
