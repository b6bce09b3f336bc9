//! Baselines: known diagnostics that are suppressed, so that old code can be checked for new ones.
//!
//! A diagnostic is identified by its file, its code and the text of its line, so that lines may
//! move. A baseline counts how often each of them occurs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use analysis::rules;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Report;
use crate::file_rewrite::write_whole;
use crate::paths::absolute;
use crate::read_text::read_text;
use crate::terminal::Failure;

/// The version of the file format.
const VERSION: u32 = 1;

/// The known diagnostics and the number of times each occurs.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// The directory that file paths are relative to.
    folder: PathBuf,
    counts: BTreeMap<BaselineKey, usize>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct BaselineKey {
    file: String,
    code: String,
    line: String,
}

#[derive(Serialize, Deserialize)]
struct BaselineFile {
    version: u32,
    findings: Vec<BaselineEntry>,
}

#[derive(Serialize, Deserialize)]
struct BaselineEntry {
    /// Relative to the directory of the baseline, separated by slashes.
    file: String,
    code: String,
    /// The text of the first line of the diagnostic, trimmed.
    line: String,
    count: usize,
}

impl Baseline {
    /// Reads a baseline. A missing file is an error, because it would suppress nothing.
    pub(super) fn read(path: &Path) -> Result<Baseline, Failure> {
        let problem = |it: &dyn std::fmt::Display| {
            Failure::Message(format!("cannot read baseline {}: {it}", path.display()))
        };
        let text = read_text(path).map_err(|it| problem(&it))?;
        let document: BaselineFile =
            serde_json::from_str(&text).map_err(|it| problem(&json_problem(&it)))?;
        if document.version != VERSION {
            let message = format!("expected version {VERSION}, found {}", document.version);
            return Err(problem(&message));
        }
        let mut baseline = Baseline {
            folder: folder_of(path),
            counts: BTreeMap::new(),
        };
        for entry in document.findings {
            let key = BaselineKey {
                file: entry.file,
                code: rules::canonical_code(&entry.code).to_owned(),
                line: entry.line,
            };
            *baseline.counts.entry(key).or_default() += entry.count;
        }
        Ok(baseline)
    }

    /// Removes the known diagnostics of a file, each up to the number of times it is known.
    pub(super) fn filter(&self, path: &Path, report: &mut Report) {
        let file = self.name(path);
        let lines = &report.lines;
        let mut left: FxHashMap<(&'static str, usize), usize> = FxHashMap::default();
        report.findings.retain(|finding| {
            let line = lines.index(finding);
            let left = left.entry((finding.code, line)).or_insert_with(|| {
                let key = BaselineKey {
                    file: file.clone(),
                    code: finding.code.to_owned(),
                    line: lines.text(line).to_owned(),
                };
                self.counts.get(&key).copied().unwrap_or_default()
            });
            let is_new = *left == 0;
            *left = left.saturating_sub(1);
            is_new
        });
    }

    /// Writes a baseline with the diagnostics of all reports, and returns their number; `paths` are those of the
    /// reports.
    pub(super) fn write(
        path: &Path,
        paths: &[PathBuf],
        reports: &[Report],
    ) -> Result<usize, Failure> {
        let mut baseline = Baseline {
            folder: folder_of(path),
            counts: BTreeMap::new(),
        };
        for (file, report) in paths.iter().zip(reports) {
            let file = baseline.name(file);
            let mut counts: FxHashMap<(&'static str, usize), usize> = FxHashMap::default();
            for finding in &report.findings {
                let key = (finding.code, report.lines.index(finding));
                *counts.entry(key).or_default() += 1;
            }
            for ((code, line), count) in counts {
                let key = BaselineKey {
                    file: file.clone(),
                    code: code.to_owned(),
                    line: report.lines.text(line).to_owned(),
                };
                *baseline.counts.entry(key).or_default() += count;
            }
        }
        let entries = baseline
            .counts
            .into_iter()
            .map(|(key, count)| BaselineEntry {
                file: key.file,
                code: key.code,
                line: key.line,
                count,
            });
        let document = BaselineFile {
            version: VERSION,
            findings: entries.collect(),
        };
        let problem = |it: &dyn std::fmt::Display| {
            Failure::Message(format!("cannot write baseline {}: {it}", path.display()))
        };
        let mut text = serde_json::to_vec_pretty(&document).map_err(|it| problem(&it))?;
        text.push(b'\n');
        write_whole(path, &text).map_err(|it| problem(&it))?;
        Ok(reports.iter().map(|it| it.findings.len()).sum())
    }

    /// Returns the name of a file in the baseline.
    fn name(&self, path: &Path) -> String {
        let path = absolute(path);
        let relative = path.strip_prefix(&self.folder).unwrap_or(&path);
        let parts: Vec<_> = relative.iter().map(|it| it.to_string_lossy()).collect();
        parts.join("/")
    }
}

/// Returns why the text of a baseline is not valid.
fn json_problem(error: &serde_json::Error) -> String {
    let line = error.line();
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    match error.is_data() {
        true => format!("not a baseline: {message} at line {line}"),
        false => format!("invalid JSON at line {line}: {message}"),
    }
}

fn folder_of(path: &Path) -> PathBuf {
    let path = absolute(path);
    path.parent().unwrap_or(&path).to_owned()
}
