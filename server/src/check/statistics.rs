//! `--statistics`: the number of diagnostics of each rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{Format, Report};

/// The diagnostics of a rule.
#[derive(Serialize)]
struct Count {
    code: &'static str,
    count: usize,
    /// The number that `--fix` can fix.
    fixable: usize,
}

/// Writes a line for each rule, the most frequent one first, or a JSON array.
pub(super) fn write(out: &mut impl Write, reports: &[Report], format: Format) -> io::Result<()> {
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
    Ok(())
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
        count.fixable += usize::from(finding.fixes.iter().any(|it| it.is_safe));
    }
    let mut counts: Vec<Count> = by_code.into_values().collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then(a.code.cmp(b.code)));
    counts
}
