//! Differences as Markdown, for a merge request.

use std::io::{self, Write};

use super::text::lines;
use super::{Report, titles};

/// The limit of titles in a heading. More are listed below it.
const MAX_IN_HEADING: usize = 1;

/// Writes a report.
pub(super) fn write(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let summary = report.summary();
    writeln!(out, "## Catalogs: {}", summary.first().map_or("", |it| it))?;
    for (requests, comparison) in &report.groups {
        let titles = titles(requests);
        match &titles[..] {
            [title] if titles.len() <= MAX_IN_HEADING => writeln!(out, "\n### {}", code(title))?,
            titles => {
                writeln!(out, "\n### {} catalogs\n", requests.len())?;
                for title in titles {
                    writeln!(out, "* {}", code(title))?;
                }
            }
        }
        let lines = lines(comparison);
        // A fence is longer than any in the values.
        let ticks = lines.iter().map(|it| longest_run(&it.text)).max();
        let fence = "`".repeat(ticks.unwrap_or(0).max(2) + 1);
        writeln!(out, "\n{fence}diff")?;
        for line in lines {
            // `diff` knows no sign for changes.
            let sign = match line.sign {
                '~' => ' ',
                sign => sign,
            };
            writeln!(out, "{}", format!("{sign} {}", line.text).trim_end())?;
        }
        writeln!(out, "{fence}")?;
    }
    for line in summary.iter().skip(1) {
        writeln!(out, "\n{line}")?;
    }
    Ok(())
}

/// Returns text as code of Markdown.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    match ticks.len() {
        1 => format!("`{text}`"),
        _ => format!("{ticks} {text} {ticks}"),
    }
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|it| it != '`').map(str::len);
    runs.max().unwrap_or(0)
}
