//! `--statistics`: the number of diagnostics of each rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::ValueEnum as _;
use serde::Serialize;

use super::text::write_summary;
use super::{Format, Report};

/// The diagnostics of a rule.
#[derive(Serialize)]
struct Count {
    code: &'static str,
    count: usize,
    /// The number that `--fix` can fix.
    fixable: usize,
}

/// Returns the error for an output format that cannot show statistics.
pub(super) fn unsupported(format: Format) -> Option<String> {
    let is_supported = matches!(format, Format::Text | Format::Concise | Format::Json);
    (!is_supported).then(|| {
        let value = format.to_possible_value();
        let name = value.as_ref().map_or("", |it| it.get_name());
        format!("`--statistics` does not support the format `{name}`; use `text` or `json`")
    })
}

/// Writes a line for each rule, the most frequent one first, and a summary; or a JSON array.
pub(super) fn write(
    out: &mut impl Write,
    reports: &[Report],
    format: Format,
    colors: bool,
) -> io::Result<()> {
    let counts = counts(reports);
    if format == Format::Json {
        serde_json::to_writer_pretty(&mut *out, &counts)?;
        return writeln!(out);
    }
    let width = |it: usize| it.to_string().len();
    let count_width = counts.first().map_or(1, |it| width(it.count));
    let code_width = counts.iter().map(|it| it.code.len()).max().unwrap_or(0);
    for it in &counts {
        let fixable = match it.fixable {
            0 => String::new(),
            fixable => format!("{fixable} fixable with --fix"),
        };
        let line = format!(
            "{:count_width$}  {:code_width$}  {fixable}",
            it.count, it.code
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    match reports.is_empty() {
        true => Ok(()),
        false => write_summary(out, reports, colors),
    }
}

fn counts(reports: &[Report]) -> Vec<Count> {
    let mut by_code: BTreeMap<&'static str, Count> = BTreeMap::new();
    for finding in reports.iter().flat_map(|it| &it.findings) {
        let count = by_code.entry(finding.code).or_insert(Count {
            code: finding.code,
            count: 0,
            fixable: 0,
        });
        count.count += 1;
        count.fixable += usize::from(finding.has_safe_fix());
    }
    let mut counts: Vec<Count> = by_code.into_values().collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then(a.code.cmp(b.code)));
    counts
}
