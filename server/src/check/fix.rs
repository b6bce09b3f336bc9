//! `pupil check --fix`: applies the safe fixes, and with `--unsafe-fixes` the suggested ones too.
//!
//! Overlapping fixes cannot be applied at once, so each file is fixed in rounds until no fixes
//! remain. The result is checked before it is written: if it has a new diagnostic or does not parse, the fixes of the
//! rule to blame are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::Diagnostic;
use analysis::ide::fix_edits;
use analysis::rules::is_about_style;
use analysis::{AnalysisHost, Change, FileId, FileSpec};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Applicability, Severity, apply_edits};

use super::finding::Finding;
use super::line_texts::LineTexts;
use super::{Checker, Report};
use crate::display_path::display_path;
use crate::file_rewrite::FileRewrite;
use crate::loaded_workspace::LoadedWorkspace;
use crate::read_text::read_text;
use crate::source::{LineBreaks, Source};
use crate::standalone::FILE;

/// The maximum number of rounds per file, in case fixes undo each other.
const MAX_ROUNDS: usize = 100;

const DOES_NOT_PARSE: &str = "the fixed code does not parse";

/// How files are fixed.
#[derive(Clone, Copy)]
pub(super) struct FixMode {
    /// Whether to write the fixed files.
    pub(super) writes: bool,
    /// The most doubtful fixes to apply.
    pub(super) limit: Applicability,
}

/// A file to which fixes were applied.
pub(super) struct FixedFile {
    /// The change of the file.
    pub(super) rewrite: FileRewrite,
    /// The number of fixed diagnostics by code.
    fixed_by_rule: BTreeMap<&'static str, usize>,
    /// The rule whose fixes are left out, and the reason.
    left_out: Option<LeftOut>,
}

/// A rule whose fixes are left out.
struct LeftOut {
    code: &'static str,
    why: String,
}

/// The fixes to apply.
#[derive(Clone, Copy)]
struct Selected {
    /// The most doubtful ones.
    limit: Applicability,
    /// The code of the rule whose fixes are left out.
    left_out: Option<&'static str>,
}

/// Why a file was not fixed.
struct FailedFix {
    why: String,
    /// The codes of the fixes that may be the cause.
    suspects: BTreeSet<&'static str>,
}

/// The result of fixing files.
#[derive(Default)]
pub(super) struct FixOutcome {
    /// The changed files, in the order of the command line.
    pub(super) fixed: Vec<FixedFile>,
    /// Errors about files that could not be fixed.
    pub(super) problems: Vec<String>,
}

impl FixedFile {
    /// Returns a one-line summary.
    pub(super) fn summary(&self) -> String {
        let total: usize = self.fixed_by_rule.values().sum();
        let noun = if total == 1 {
            "diagnostic"
        } else {
            "diagnostics"
        };
        let rules = self.fixed_by_rule.iter();
        let rules = rules.map(|(code, times)| format!("{code} ({times})"));
        let rules: Vec<_> = rules.collect();
        let path = display_path(&self.rewrite.path);
        format!("fixed {total} {noun} in {path}: {}", rules.join(", "))
    }

    /// Returns the result of both changes.
    fn followed_by(self, later: FixedFile) -> FixedFile {
        let mut fixed_by_rule = self.fixed_by_rule;
        for (code, times) in later.fixed_by_rule {
            *fixed_by_rule.entry(code).or_default() += times;
        }
        FixedFile {
            rewrite: FileRewrite {
                before: self.rewrite.before,
                ..later.rewrite
            },
            fixed_by_rule,
            left_out: later.left_out.or(self.left_out),
        }
    }

    /// Returns an error about fixes that are left out.
    fn problem(&self) -> Option<String> {
        let LeftOut { code, why } = self.left_out.as_ref()?;
        let path = display_path(&self.rewrite.path);
        Some(format!("cannot fix `{code}` in {path}: {why}"))
    }

    /// Writes the new text if the mode says so.
    fn write_if(&self, mode: FixMode) -> Result<(), String> {
        match mode.writes {
            true => self.rewrite.write(),
            false => Ok(()),
        }
    }
}

/// A file of the workspace with fixes to apply.
struct Candidate<'f> {
    /// The index among the files to check.
    index: usize,
    path: &'f Path,
    file: FileId,
    spec: FileSpec,
    /// The reported diagnostics.
    found: Vec<Diagnostic>,
}

impl Candidate<'_> {
    fn in_progress<'h>(&self, host: &'h mut AnalysisHost) -> FileInProgress<'h> {
        FileInProgress {
            host,
            file: self.file,
            spec: self.spec.clone(),
        }
    }

    fn has_fixes(&self, found: &[Diagnostic], limit: Applicability) -> bool {
        !fix_edits(found, self.file, limit).1.is_empty()
    }
}

/// An analysis host and the file in it that is being fixed.
struct FileInProgress<'a> {
    host: &'a mut AnalysisHost,
    file: FileId,
    spec: FileSpec,
}

impl FileInProgress<'_> {
    fn set(&mut self, text: &Arc<str>) {
        self.host.apply_change(Change::SetFile {
            file: self.file,
            spec: self.spec.clone(),
            text: Arc::clone(text),
        });
    }
}

impl Checker {
    /// Fixes files. Afterwards the analysis of `workspace` contains the new texts, except of files that could not be
    /// written.
    pub(super) fn fix(
        &self,
        files: &[PathBuf],
        workspace: &mut LoadedWorkspace,
        mode: FixMode,
    ) -> FixOutcome {
        let candidates = self.candidates(files, workspace, mode);
        // The host accepts no changes while a snapshot exists.
        drop(std::mem::take(&mut workspace.analysis));
        let mut fixed = self.fix_workspace_files(&candidates, &mut workspace.host, mode);
        let mut outcome = FixOutcome::default();
        let mut candidates = candidates.into_iter().peekable();
        for (index, path) in files.iter().enumerate() {
            let fixed = match candidates.next_if(|it| it.index == index) {
                Some(it) => fixed.remove(&index).map(|fixed| {
                    let working = it.in_progress(&mut workspace.host);
                    fixed.and_then(|fixed| write_or_restore(mode, fixed, working))
                }),
                None if self.files.id(path).is_none() => self.fix_standalone_file(path, mode),
                None => None,
            };
            match fixed {
                None => {}
                Some(Ok(fixed)) => {
                    outcome.problems.extend(fixed.problem());
                    outcome.fixed.push(fixed);
                }
                Some(Err(why)) => {
                    let problem = format!("cannot fix {}: {why}", display_path(path));
                    outcome.problems.push(problem);
                }
            }
        }
        workspace.analysis = workspace.host.analysis();
        outcome
    }

    /// Returns the workspace files that have fixes to apply.
    fn candidates<'f>(
        &self,
        files: &'f [PathBuf],
        workspace: &LoadedWorkspace,
        mode: FixMode,
    ) -> Vec<Candidate<'f>> {
        let known = files.iter().enumerate();
        let known = known.filter_map(|(index, path)| {
            let file = self.files.id(path)?;
            Some(Candidate {
                index,
                path,
                file,
                spec: self.files.spec(file)?,
                found: Vec::new(),
            })
        });
        let known: Vec<Candidate<'_>> = known.collect();
        let found = self.diagnose_all(&known, &workspace.analysis);
        let known = known.into_iter().zip(found);
        let known = known.map(|(it, found)| Candidate { found, ..it });
        known
            .filter(|it| it.has_fixes(&it.found, mode.limit))
            .collect()
    }

    /// Returns the reported diagnostics of files.
    fn diagnose_all(
        &self,
        files: &[Candidate<'_>],
        analysis: &analysis::Analysis,
    ) -> Vec<Vec<Diagnostic>> {
        files
            .par_iter()
            .for_each_with(analysis.clone(), |analysis, it| analysis.prime(it.file));
        let found = files.par_iter().map_with(analysis.clone(), |analysis, it| {
            let text = analysis.text(it.file).unwrap_or_default();
            let found = self.leveled(it.file, analysis.diagnostics(it.file), &text);
            self.reported(it.path, found, it.file, &text)
        });
        found.collect()
    }

    /// Fixes files of the workspace. Returns the results by the index of the file.
    ///
    /// Each changed file would compile the catalogs of all nodes anew, so the fixes are first applied without them. Files
    /// in which catalogs find something new, or something to fix, are fixed again with them.
    fn fix_workspace_files(
        &self,
        candidates: &[Candidate<'_>],
        host: &mut AnalysisHost,
        mode: FixMode,
    ) -> FxHashMap<usize, Result<FixedFile, String>> {
        let mut all = FxHashMap::default();
        host.apply_change(Change::SetCompilesCatalogs(false));
        for it in candidates {
            let mut working = it.in_progress(host);
            let fixed = self.fix_file(it.path, &mut working, mode.limit);
            all.extend(fixed.map(|fixed| (it.index, fixed)));
        }
        host.apply_change(Change::SetCompilesCatalogs(true));
        let found = self.diagnose_all(candidates, &host.analysis());
        for (it, found) in candidates.iter().zip(found) {
            let mut working = it.in_progress(host);
            let mut earlier = match all.remove(&it.index) {
                // The same fixes would fail again.
                Some(failed @ Err(_)) => {
                    all.insert(it.index, failed);
                    continue;
                }
                Some(Ok(fixed)) => Some(fixed),
                None => None,
            };
            if let Some(fixed) = earlier.take_if(|_| first_new(&found, &it.found).is_some()) {
                working.set(&fixed.rewrite.before);
            } else if !it.has_fixes(&found, mode.limit) {
                all.extend(earlier.map(|fixed| (it.index, Ok(fixed))));
                continue;
            }
            let later = self.fix_file(it.path, &mut working, mode.limit);
            let fixed = match (earlier, later) {
                (Some(earlier), Some(Ok(later))) => Some(Ok(earlier.followed_by(later))),
                (Some(earlier), _) => Some(Ok(earlier)),
                (None, later) => later,
            };
            all.extend(fixed.map(|fixed| (it.index, fixed)));
        }
        all
    }

    /// Fixes a file that is not part of the workspace.
    fn fix_standalone_file(&self, path: &Path, mode: FixMode) -> Option<Result<FixedFile, String>> {
        // Checking the file later reports why it cannot be read.
        let text: Arc<str> = read_text(path).ok()?.into();
        let mut host = AnalysisHost::default();
        host.apply_change(Change::SetVersion(self.version));
        let mut working = FileInProgress {
            host: &mut host,
            file: FILE,
            spec: self.locator.spec(path),
        };
        working.set(&text);
        let fixed = self.fix_file(path, &mut working, mode.limit)?;
        Some(fixed.and_then(|it| it.write_if(mode).map(|()| it)))
    }

    /// Fixes a file whose text is in the analysis. Returns `None` if there is nothing to fix.
    fn fix_file(
        &self,
        path: &Path,
        working: &mut FileInProgress<'_>,
        limit: Applicability,
    ) -> Option<Result<FixedFile, String>> {
        let left_out = None;
        match self.apply(path, working, Selected { limit, left_out })? {
            Ok(fixed) => Some(Ok(fixed)),
            // A suggested fix may be wrong; the safe ones are useful without it.
            Err(_) if limit > Applicability::Safe => {
                self.fix_file(path, working, Applicability::Safe)
            }
            Err(failed) => Some(self.fix_without_culprit(path, working, failed)),
        }
    }

    /// Applies the safe fixes of all rules but the one whose fixes are the cause of a failure.
    fn fix_without_culprit(
        &self,
        path: &Path,
        working: &mut FileInProgress<'_>,
        failed: FailedFix,
    ) -> Result<FixedFile, String> {
        for code in failed.suspects {
            let selected = Selected {
                limit: Applicability::Safe,
                left_out: Some(code),
            };
            match self.apply(path, working, selected) {
                Some(Ok(fixed)) => {
                    let why = failed.why;
                    let left_out = Some(LeftOut { code, why });
                    return Ok(FixedFile { left_out, ..fixed });
                }
                Some(Err(_)) => {}
                None => return Err(failed.why),
            }
        }
        Err(failed.why)
    }

    /// Applies the selected fixes. Returns `None` if there are none.
    fn apply(
        &self,
        path: &Path,
        working: &mut FileInProgress<'_>,
        selected: Selected,
    ) -> Option<Result<FixedFile, FailedFix>> {
        let before = working.host.analysis().text(working.file)?;
        let mut text = Arc::clone(&before);
        let mut fixed_by_rule = BTreeMap::new();
        let first = self.diagnose_for_fix(path, working, selected, &text)?;
        let mut found = first.clone();
        for _ in 0..MAX_ROUNDS {
            let (edits, of) = fix_edits(&found, working.file, selected.limit);
            let changed = apply_edits(&text, &edits).filter(|it| **it != *text);
            let Some(changed) = changed else { break };
            for finding in &of {
                *fixed_by_rule.entry(finding.code).or_default() += 1;
            }
            text = changed.into();
            working.set(&text);
            let Some(now) = self.diagnose_for_fix(path, working, selected, &text) else {
                return Some(Err(FailedFix {
                    why: restore(working, &before, DOES_NOT_PARSE),
                    suspects: of.iter().map(|it| it.code).collect(),
                }));
            };
            found = now;
        }
        if fixed_by_rule.is_empty() {
            return None;
        }
        if let Some(new) = first_new(&found, &first) {
            let why = format!("the fixes would introduce {}: {}", new.code, new.message);
            return Some(Err(FailedFix {
                why: restore(working, &before, &why),
                suspects: fixed_by_rule.into_keys().collect(),
            }));
        }
        let rewrite = FileRewrite {
            path: path.to_owned(),
            before,
            after: text,
        };
        Some(Ok(FixedFile {
            rewrite,
            fixed_by_rule,
            left_out: None,
        }))
    }

    /// Returns the reported diagnostics of a file with their selected fixes, or `None` if it does not parse.
    fn diagnose_for_fix(
        &self,
        path: &Path,
        working: &FileInProgress<'_>,
        selected: Selected,
        text: &Arc<str>,
    ) -> Option<Vec<Diagnostic>> {
        let analysis = working.host.analysis();
        if !analysis.is_well_formed(working.file) {
            return None;
        }
        let mut found = self.leveled(working.file, analysis.diagnostics(working.file), text);
        for it in &mut found {
            if selected.left_out == Some(it.code) {
                it.fixes.clear();
            }
        }
        Some(self.reported(path, found, working.file, text))
    }

    /// Drops hints and the diagnostics of the baseline.
    fn reported(
        &self,
        path: &Path,
        mut found: Vec<Diagnostic>,
        file: FileId,
        text: &Arc<str>,
    ) -> Vec<Diagnostic> {
        found.retain(|it| it.severity != Severity::Hint);
        let Some(baseline) = &self.baseline else {
            return found;
        };
        let source = Source::new(Arc::clone(text), LineBreaks::Puppet);
        let findings = found.iter();
        let findings = findings.map(|it| Finding::new(it, file, &source, &|_| None));
        let findings: Vec<Finding> = findings.collect();
        let mut report = Report {
            path: String::new(),
            lines: LineTexts::new(&findings, &source),
            findings,
            rendered: String::new(),
            hidden_hints: 0,
            problem: None,
        };
        baseline.filter(path, &mut report);
        let left = report.findings.iter().map(|it| (it.code, it.range));
        let left: FxHashSet<_> = left.collect();
        found.retain(|it| left.contains(&(it.code, it.range)));
        found
    }
}

/// Writes a file if the mode says so.
fn write_or_restore(
    mode: FixMode,
    fixed: FixedFile,
    mut working: FileInProgress<'_>,
) -> Result<FixedFile, String> {
    match fixed.write_if(mode) {
        Ok(()) => Ok(fixed),
        Err(why) => Err(restore(&mut working, &fixed.rewrite.before, &why)),
    }
}

/// Restores the text before the fixes, and returns the reason as an owned string.
fn restore(working: &mut FileInProgress<'_>, before: &Arc<str>, why: &str) -> String {
    working.set(before);
    why.to_owned()
}

/// Returns the first new diagnostic of a rule that reports more than before. Its message differs from all earlier ones:
/// messages of others may change too, such as with the length of their line. Fixes may cause diagnostics about style.
fn first_new<'a>(found: &'a [Diagnostic], before: &'a [Diagnostic]) -> Option<&'a Diagnostic> {
    let counts = |all: &'a [Diagnostic]| {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for it in all {
            *counts.entry(it.code).or_default() += 1;
        }
        counts
    };
    let (now, earlier) = (counts(found), counts(before));
    let mut known: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for it in before {
        *known.entry((it.code, &it.message)).or_default() += 1;
    }
    let mut new = found.iter().filter(|it| {
        let left = known.entry((it.code, &it.message)).or_default();
        let is_new = *left == 0;
        *left = left.saturating_sub(1);
        is_new
    });
    new.find(|it| !is_about_style(it.code) && now.get(it.code) > earlier.get(it.code))
}
