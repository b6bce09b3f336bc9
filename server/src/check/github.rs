//! `--format github`: workflow commands, which GitHub shows as annotations.

use std::fmt::Write as _;
use std::io::{self, Write};

use syntax::Severity;

use super::Report;
use crate::display_path::escaped;

/// Writes one command per diagnostic.
pub(super) fn write(out: &mut impl Write, reports: &[Report]) -> io::Result<()> {
    for report in reports {
        for finding in &report.findings {
            let command = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info | Severity::Hint => "notice",
            };
            let span = finding.span;
            write!(out, "::{command} file={}", escape(&report.path, true))?;
            write!(out, ",line={},endLine={}", span.line, span.end_line)?;
            // GitHub rejects columns of ranges that span several lines.
            if span.line == span.end_line {
                write!(out, ",col={},endColumn={}", span.column, span.end_column)?;
            }
            write!(out, ",title={}", escape(finding.code, true))?;
            let mut message = finding.message.clone();
            for related in &finding.related {
                let line = related.span.line;
                // Writing to a string cannot fail.
                let _ = match &related.path {
                    Some(path) => write!(message, "\n{path}, line {line}: {}", related.message),
                    None => write!(message, "\nline {line}: {}", related.message),
                };
            }
            writeln!(out, "::{}", escape(&message, false))?;
        }
    }
    Ok(())
}

/// Escapes a message or property as the runner expects it, and control characters, because the log shows them.
fn escape(text: &str, property: bool) -> String {
    let text = escaped(text);
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '%' => escaped.push_str("%25"),
            '\n' => escaped.push_str("%0A"),
            ':' if property => escaped.push_str("%3A"),
            ',' if property => escaped.push_str("%2C"),
            _ => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn escapes_delimiters() {
        assert_eq!(escape("100%\r\n::x", false), "100%25\\r%0A::x");
        assert_eq!(escape("a,b:c.pp", true), "a%2Cb%3Ac.pp");
        assert_eq!(escape("\u{1b}[31m\u{9b}", false), "\\u{1b}[31m\\u{9b}");
    }
}
