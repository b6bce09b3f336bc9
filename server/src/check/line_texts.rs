//! The texts of the lines with diagnostics, by which diagnostics are recognized after lines have moved.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::finding::Finding;
use crate::source::Source;

/// The different texts of the lines of a file with diagnostics. A line may be as long as the file and have
/// thousands of diagnostics, so that each text is kept and compared once.
#[derive(Default)]
pub(super) struct LineTexts {
    texts: Vec<String>,
    /// The index of the text of each line.
    of_lines: BTreeMap<u32, usize>,
}

impl LineTexts {
    /// Returns the texts of the first lines of diagnostics, trimmed.
    pub(super) fn new(findings: &[Finding], source: &Source) -> LineTexts {
        let mut found = LineTexts::default();
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for line in findings.iter().map(|it| it.span.line) {
            if found.of_lines.contains_key(&line) {
                continue;
            }
            let range = source.line_range(line.saturating_sub(1));
            let text = range.and_then(|it| source.text().get(Range::<usize>::from(it)));
            let text = text.unwrap_or_default().trim();
            let index = *known.entry(text).or_insert_with(|| {
                found.texts.push(text.to_owned());
                found.texts.len() - 1
            });
            found.of_lines.insert(line, index);
        }
        found
    }

    /// Returns a number for the text of the first line of a diagnostic. Equal texts have equal numbers.
    pub(super) fn index(&self, finding: &Finding) -> usize {
        self.of_lines
            .get(&finding.span.line)
            .copied()
            .unwrap_or_default()
    }

    /// Returns the text with a number.
    pub(super) fn text(&self, index: usize) -> &str {
        self.texts.get(index).map_or("", String::as_str)
    }
}
