//! `pupil check`: reports the diagnostics of files, directories or a whole control repository.

mod baseline;
mod concise;
mod finding;
mod fix;
mod github;
mod gitlab;
mod json;
mod junit;
mod line_texts;
mod sarif;
mod statistics;
mod text;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use analysis::base::Diagnostic;
use analysis::hiera::DataFormat;
use analysis::{Analysis, FileId};
use clap::ValueEnum;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use syntax::validation::PuppetVersion;
use syntax::{Applicability, Severity};

use crate::COULD_NOT_RUN;
use crate::args::CheckArgs;
use crate::config::{Config, FILE_NAME};
use crate::display_path::{display_path, relative_path};
use crate::find_files::{self, FoundFiles};
use crate::loaded_workspace::{LoadedWorkspace, WorkspaceFiles};
use crate::paths::{ModuleLocator, absolute, is_distributed, is_untrusted_remote};
use crate::phrases::plural;
use crate::progress::Progress;
use crate::read_text::{InvalidUtf8, ReadError, is_binary, read_text, read_text_up_to};
use crate::rule_levels::RuleLevels;
use crate::rule_selection::Selection;
use crate::source::{LineBreaks, Source};
use crate::standalone::{FILE, analyze_standalone};
use crate::standard_input::StandardInput;
use crate::terminal::{self, Failure};
use crate::workspace::{MAX_TEXT, Note, project_file};
use baseline::Baseline;
use finding::Finding;
use fix::FixMode;
use line_texts::LineTexts;

/// An output format.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Human-readable messages with source excerpts
    Text,
    /// One line for each diagnostic: path, line, column, severity, message and code
    Concise,
    /// A single JSON object
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// GitHub Actions annotations
    Github,
    /// GitLab Code Quality report, which is a Code Climate report too
    #[value(alias = "codeclimate")]
    Gitlab,
    /// JUnit report, for most continuous integration services
    Junit,
}

/// The exit status if there are errors or warnings.
const EXIT_DIAGNOSTICS: u8 = 1;

/// The result of checking one file.
struct Report {
    /// The path as displayed.
    path: String,
    /// The diagnostics, in source order.
    findings: Vec<Finding>,
    /// The lines of the diagnostics.
    lines: LineTexts,
    /// The rendered diagnostics; empty unless the output format is text.
    rendered: String,
    /// The number of hints that are not reported.
    hidden_hints: usize,
    /// Why the file could not be read.
    problem: Option<String>,
}

impl Report {
    /// Checks whether the report contains errors or warnings.
    fn has_errors_or_warnings(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|it| matches!(it.severity, Severity::Error | Severity::Warning))
    }

    /// Returns a message if the file could not be read.
    fn unreadable(&self) -> Option<String> {
        let problem = self.problem.as_ref()?;
        Some(format!("cannot read {}: {problem}", self.path))
    }
}

/// The settings and state shared by the checks of all files.
struct Checker {
    files: WorkspaceFiles,
    levels: Arc<RuleLevels>,
    /// The rules that the command line selects.
    selection: Selection,
    /// Whether hints are reported; they are meant for editors.
    hints: bool,
    /// Classifies files that are not part of the workspace.
    locator: ModuleLocator,
    version: PuppetVersion,
    /// The diagnostics to suppress.
    baseline: Option<Baseline>,
    input: Option<StandardInput>,
    text: Option<text::TextRenderer>,
}

/// The files to check, and the workspace that they are part of.
struct Loaded {
    checker: Checker,
    workspace: LoadedWorkspace,
    found: FoundFiles,
    /// A message about the files that are not checked because they belong to others.
    left_out: Option<String>,
}

/// Runs the command: checks the files and writes the diagnostics.
pub(crate) fn run(arguments: &CheckArgs) -> Result<ExitCode, Failure> {
    if arguments.statistics
        && let Some(error) = statistics::unsupported(arguments.format)
    {
        return Err(Failure::Message(error));
    }
    let Loaded {
        checker,
        mut workspace,
        found: FoundFiles {
            mut files,
            mut problems,
        },
        left_out,
    } = load(arguments)?;
    if arguments.applies_fixes() {
        find_files::retain_one_path_each(&mut files);
        let outcome = checker.fix(&files, &mut workspace, fix_mode(arguments));
        problems.extend(outcome.problems);
        if arguments.diff {
            return show_diff(&outcome.fixed, &problems);
        }
        for fixed in &outcome.fixed {
            terminal::print_status(&fixed.summary());
        }
    }
    if checker.input.is_none() {
        files.extend(checker.project_files(&arguments.paths, &files));
    }
    if files.is_empty() && problems.is_empty() && left_out.is_none() {
        terminal::print_warning(&find_files::nothing_found(&arguments.paths));
    }
    let reports = checker.check_all(&files, &workspace.analysis);
    // The process is about to exit: freeing the memory would only take time.
    std::mem::forget(workspace);
    if let Some(path) = &arguments.write_baseline {
        let count = Baseline::write(path, &files, &reports)?;
        let (count, path) = (plural(count, "diagnostic"), display_path(path));
        terminal::print_status(&format!("wrote {count} to {path}"));
    }
    write_reports(arguments, &files, &reports, &problems)?;
    if let Some(left_out) = left_out {
        terminal::print_note(&left_out);
    }
    if checker.input.is_none() && !checker.selection.examines_single_files() {
        checker.print_unchecked(&arguments.paths);
    }
    problems.extend(reports.iter().filter_map(Report::unreadable));
    let fails =
        arguments.write_baseline.is_none() && reports.iter().any(Report::has_errors_or_warnings);
    Ok(finish(&problems, fails))
}

/// Finds the files, and loads the workspace around them.
fn load(arguments: &CheckArgs) -> Result<Loaded, Failure> {
    let input = input_of(arguments)?;
    let location = input.as_ref().map(|it| vec![it.location().to_owned()]);
    let paths = location.as_ref().unwrap_or(&arguments.paths);
    let config = config_of(paths)?;
    let version = arguments.puppet.version_for(&config);
    let modulepath = &arguments.puppet.modulepath;
    let baseline = baseline_of(arguments, &config)?;
    let selection = Selection::parse(&arguments.select, &arguments.ignore);
    let selection = selection.map_err(Failure::Message)?;
    // The search reports missing files, which belong to no project. The file of standard input need not exist.
    let exists = |it: &&PathBuf| input.is_some() || it.exists();
    let existing: Vec<PathBuf> = paths.iter().filter(exists).cloned().collect();
    let workspace = || match arguments.is_static {
        true => LoadedWorkspace::default(),
        false => LoadedWorkspace::load_with(&existing, modulepath, version, selection.clone()),
    };
    let find = || match &input {
        Some(input) => FoundFiles::of(&input.path),
        None => find_files::find(paths),
    };
    let (mut found, mut workspace) = rayon::join(find, workspace);
    reject_mistakes(&workspace.notes)?;
    let locator = ModuleLocator::new(modulepath);
    let mut left_out = None;
    match &input {
        Some(_) if arguments.is_static => {}
        Some(input) => workspace.set_text(input, &locator),
        None => {
            let discovery = workspace.files.discovery();
            left_out = discovery.adjust(paths, &mut found.files);
        }
    }
    let colors = terminal::stdout_has_colors(arguments.color);
    let checker = Checker {
        levels: workspace.files.levels(),
        selection,
        hints: arguments.all || arguments.format == Format::Json,
        files: std::mem::take(&mut workspace.files),
        locator,
        version,
        baseline,
        input,
        text: (arguments.format == Format::Text).then(|| text::TextRenderer::with_fixes(colors)),
    };
    Ok(Loaded {
        checker,
        workspace,
        found,
        left_out,
    })
}

/// Writes the reports to standard output.
fn write_reports(
    arguments: &CheckArgs,
    files: &[PathBuf],
    reports: &[Report],
    problems: &[String],
) -> Result<(), Failure> {
    let colors = terminal::stdout_has_colors(arguments.color);
    let mut out = terminal::stdout();
    match arguments.format {
        format if arguments.statistics => statistics::write(&mut out, reports, format, colors)?,
        Format::Text if reports.is_empty() => {}
        Format::Text => text::write(&mut out, reports, colors)?,
        Format::Concise => concise::write(&mut out, reports, colors)?,
        Format::Json => json::write(&mut out, reports)?,
        Format::Sarif => sarif::write(&mut out, reports, problems)?,
        Format::Github => github::write(&mut out, reports)?,
        Format::Gitlab => gitlab::write(&mut out, files, reports)?,
        Format::Junit => junit::write(&mut out, reports)?,
    }
    out.flush()?;
    Ok(())
}

/// Returns how the arguments fix files.
fn fix_mode(arguments: &CheckArgs) -> FixMode {
    FixMode {
        writes: !arguments.diff,
        limit: match arguments.unsafe_fixes {
            true => Applicability::Suggested,
            false => Applicability::Safe,
        },
    }
}

/// Prints the fixes as a diff. The exit status reports whether there are any.
fn show_diff(fixed: &[fix::FixedFile], problems: &[String]) -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    for it in fixed {
        it.rewrite.write_diff(&mut out)?;
    }
    out.flush()?;
    Ok(finish(problems, !fixed.is_empty()))
}

/// Prints the problems that kept the command from doing its work, and returns the exit status.
fn finish(problems: &[String], fails: bool) -> ExitCode {
    for problem in problems {
        terminal::print_error(problem);
    }
    if !problems.is_empty() {
        ExitCode::from(COULD_NOT_RUN)
    } else if fails {
        ExitCode::from(EXIT_DIAGNOSTICS)
    } else {
        ExitCode::SUCCESS
    }
}

/// Reads standard input if the arguments ask for it.
fn input_of(arguments: &CheckArgs) -> Result<Option<StandardInput>, Failure> {
    let name = arguments.stdin_filename.as_deref();
    let input = StandardInput::read(&arguments.paths, name).map_err(Failure::Message)?;
    if input.is_some() && arguments.applies_fixes() {
        let error = "fixes cannot be applied to standard input; use `pupil format -` to format it";
        return Err(Failure::Message(error.to_owned()));
    }
    Ok(input)
}

/// Checks whether a file is YAML or JSON, by its name.
fn has_format_of_data(path: &Path) -> bool {
    DataFormat::of_path(&path.to_string_lossy()).is_some()
}

/// Returns the configuration of the first path's project, and reports problems with it.
pub(crate) fn config_of(paths: &[PathBuf]) -> Result<Config, Failure> {
    let mut notes = Vec::new();
    let first = paths.first().map(|it| absolute(it)).unwrap_or_default();
    let config = Config::find(&first, &mut notes);
    for note in notes.iter().filter(|it| !it.is_error) {
        terminal::print_warning(note);
    }
    reject_mistakes(&notes)?;
    Ok(config)
}

/// Reports mistakes in `pupil.toml`.
fn reject_mistakes(notes: &[Note]) -> Result<(), Failure> {
    let mut mistakes = notes.iter().filter(|it| it.is_error).peekable();
    if mistakes.peek().is_none() {
        return Ok(());
    }
    mistakes.for_each(|it| terminal::print_error(it));
    Err(Failure::Reported)
}

/// Reads the baseline given on the command line, or else in `pupil.toml`. Returns `None` if a new
/// baseline is to be written.
fn baseline_of(arguments: &CheckArgs, config: &Config) -> Result<Option<Baseline>, Failure> {
    if arguments.write_baseline.is_some() {
        return Ok(None);
    }
    if let Some(path) = &arguments.baseline {
        return Baseline::read(path).map(Some);
    }
    let Some(named) = &config.check.baseline else {
        return Ok(None);
    };
    let path = config.folder.join(named);
    if is_untrusted_remote(&path, std::slice::from_ref(&config.folder)) {
        let file = config.folder.join(FILE_NAME);
        let named = named.display().to_string();
        terminal::print_warning(&Note::remote(&file, &named));
        return Ok(None);
    }
    Baseline::read(&path).map(Some)
}

/// Renders a diagnostic of a file as `pupil check` does. `other_file` returns the name and source of other
/// files.
pub(crate) fn render_in(
    path: &str,
    diagnostic: &Diagnostic,
    file: FileId,
    source: &Source,
    other_file: &dyn Fn(FileId) -> Option<(String, Source)>,
    colors: bool,
) -> String {
    let finding = Finding::new(diagnostic, file, source, other_file);
    text::TextRenderer::new(colors).render(path, &[finding], source)
}

/// Renders the diagnostics of one source as `pupil check` does.
pub(crate) fn render(
    path: &str,
    diagnostics: &[Diagnostic],
    source: &Source,
    colors: bool,
) -> String {
    let findings = diagnostics.iter();
    let findings = findings.map(|it| Finding::new(it, FILE, source, &|_| None));
    let findings: Vec<Finding> = findings.collect();
    text::TextRenderer::new(colors).render(path, &findings, source)
}

impl Checker {
    /// Checks all files, and returns their reports in the same order.
    fn check_all(&self, files: &[PathBuf], analysis: &Analysis) -> Vec<Report> {
        let progress = Progress::new("Checking", files.len(), "files");
        let largest_first = self.largest_first(files, analysis);
        run_in_parallel(&largest_first, analysis, |analysis, index| {
            if let Some(file) = files.get(index).and_then(|it| self.files.id(it)) {
                analysis.prime(file);
            }
        });
        let mut reports = run_in_parallel(&largest_first, analysis, |analysis, index| {
            let report = files.get(index).map(|it| self.check(it, analysis));
            progress.advance();
            (index, report)
        });
        progress.finish();
        reports.sort_unstable_by_key(|it| it.0);
        reports.into_iter().filter_map(|it| it.1).collect()
    }

    /// Prints what is not checked in the environments of `paths`.
    fn print_unchecked(&self, paths: &[PathBuf]) {
        let paths: Vec<PathBuf> = paths.iter().map(|it| absolute(it)).collect();
        let mut printed = BTreeSet::new();
        for environment in &self.files.discovery().environments {
            let root = &environment.root;
            let is_checked = |it: &PathBuf| it.starts_with(root) || root.starts_with(it);
            for reason in environment.unchecked() {
                if paths.iter().any(is_checked) && printed.insert(reason.clone()) {
                    match display_path(root).as_str() {
                        "." => terminal::print_note(&reason),
                        root => {
                            let noun = environment.kind.noun();
                            terminal::print_note(&format_args!("{noun} `{root}`: {reason}"));
                        }
                    }
                }
            }
        }
    }

    /// Returns the project files (such as `metadata.json`), data files and other files of modules below `paths` that are
    /// not in `known`.
    fn project_files(&self, paths: &[PathBuf], known: &[PathBuf]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let known: HashSet<&PathBuf> = known.iter().collect();
        let discovery = self.files.discovery();
        let data_files = discovery.data_files();
        let others = data_files.into_iter().chain(discovery.assets());
        for file in discovery.project_files().into_iter().chain(others) {
            // Displayed relative to the given path, like the files found by the search.
            let shown = paths.iter().find_map(|path| {
                let rest = file.strip_prefix(absolute(path)).ok()?;
                Some(path.join(rest))
            });
            found.extend(shown.filter(|it| !known.contains(it)));
        }
        found
    }

    /// Returns the indices of the files, largest file first.
    fn largest_first(&self, files: &[PathBuf], analysis: &Analysis) -> Vec<usize> {
        let length = |path: &PathBuf| Some(analysis.text(self.files.id(path)?)?.len());
        let mut all: Vec<usize> = (0..files.len()).collect();
        all.sort_by_cached_key(|it| std::cmp::Reverse(files.get(*it).and_then(length)));
        all
    }

    fn check(&self, path: &Path, analysis: &Analysis) -> Report {
        let mut report = Report {
            path: relative_path(path),
            findings: Vec::new(),
            lines: LineTexts::default(),
            rendered: String::new(),
            hidden_hints: 0,
            problem: None,
        };
        if project_file(path).is_some() {
            self.check_project_file(path, &mut report);
            return report;
        }
        let file = self.files.id(path);
        if let Some(asset) = self.files.id_without_text(path)
            && let Some(found) = analysis.asset_diagnostics(asset)
        {
            let text = analysis.text(asset).unwrap_or_default();
            self.add_diagnostics(path, &mut report, analysis, (asset, text), found);
            return report;
        }
        let is_data = file.is_some_and(|it| analysis.is_data(it));
        if !is_data && self.input.is_none() && has_format_of_data(path) {
            self.report_unchecked_data(path, &mut report);
            return report;
        }
        if let Some(file) = file
            && let Some(text) = analysis.text(file)
        {
            self.diagnose(path, &mut report, analysis, file, text);
            return report;
        }
        let read = match &self.input {
            Some(input) => Ok(Arc::clone(&input.text)),
            None => read_text(path).map(Arc::from),
        };
        match read {
            Ok(text) => {
                let standalone =
                    analyze_standalone(self.locator.spec(path), Arc::clone(&text), self.version);
                self.diagnose(path, &mut report, &standalone, FILE, text);
            }
            // Modules distribute files, and binary policies of SELinux end in `.pp`.
            Err(ReadError::NotUtf8(_)) if is_distributed(path) => {}
            Err(ReadError::NotUtf8(invalid)) => {
                self.report_invalid_utf8(path, &mut report, &invalid);
            }
            Err(problem) => report.problem = Some(problem.to_string()),
        }
        report
    }

    /// Reports why a file of YAML or JSON is not checked.
    fn report_unchecked_data(&self, path: &Path, report: &mut Report) {
        match read_text_up_to(path, MAX_TEXT) {
            Ok(text) if is_binary(&text) => report.problem = Some("binary file".to_owned()),
            Ok(_) => report.problem = Some("Hiera does not read this file".to_owned()),
            Err(ReadError::NotUtf8(invalid)) => self.report_invalid_utf8(path, report, &invalid),
            Err(problem) => report.problem = Some(problem.to_string()),
        }
    }

    // Puppet rejects such a file too, so this is an error in the file.
    fn report_invalid_utf8(&self, path: &Path, report: &mut Report, invalid: &InvalidUtf8) {
        let source = Source::new(invalid.lossy().into(), LineBreaks::Puppet);
        let finding = Finding::not_utf8(invalid, &source);
        self.fill(path, report, vec![finding], &source);
    }

    fn check_project_file(&self, path: &Path, report: &mut Report) {
        let text = match read_text_up_to(path, MAX_TEXT) {
            Ok(text) => text,
            Err(problem) => {
                report.problem = Some(problem.to_string());
                return;
            }
        };
        let discovery = self.files.discovery();
        let mut found = discovery.project_findings(&absolute(path), &text);
        report.hidden_hints = self.hide_hints(&mut found);
        let source = Source::new(text.into(), LineBreaks::Puppet);
        let found = found.iter();
        let found = found.map(|it| Finding::new(it, FILE, &source, &|_| None));
        self.fill(path, report, found.collect(), &source);
    }

    fn diagnose(
        &self,
        path: &Path,
        report: &mut Report,
        analysis: &Analysis,
        file: FileId,
        text: Arc<str>,
    ) {
        let found = analysis.diagnostics(file);
        self.add_diagnostics(path, report, analysis, (file, text), found);
    }

    /// Adds diagnostics to a report, with the levels of their project.
    fn add_diagnostics(
        &self,
        path: &Path,
        report: &mut Report,
        analysis: &Analysis,
        (file, text): (FileId, Arc<str>),
        found: Vec<Diagnostic>,
    ) {
        let mut diagnostics = self.leveled(file, found, &text);
        report.hidden_hints = self.hide_hints(&mut diagnostics);
        if diagnostics.is_empty() {
            return;
        }
        let source = Source::new(text, LineBreaks::Puppet);
        let others = RefCell::new(FxHashMap::default());
        let other_file = |other: FileId| {
            let find = || {
                let path = self.files.path(other)?;
                let source = Source::new(analysis.text(other)?, LineBreaks::Puppet);
                Some((relative_path(path), source))
            };
            others
                .borrow_mut()
                .entry(other)
                .or_insert_with(find)
                .clone()
        };
        let findings = diagnostics.iter();
        let findings = findings.map(|it| Finding::new(it, file, &source, &other_file));
        let mut findings: Vec<Finding> = findings.collect();
        if !analysis.is_well_formed(file) {
            findings.iter_mut().for_each(|it| it.automatic_fix = None);
        }
        self.fill(path, report, findings, &source);
    }

    /// Applies the levels of a file's project to its diagnostics, and drops the fixes of those that are not selected.
    fn leveled(&self, file: FileId, found: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
        let mut found = self.levels.apply(file, found, text);
        for it in &mut found {
            if !self.selection.fixes(it.code) {
                it.fixes.clear();
            }
        }
        found
    }

    /// Removes hints unless they are reported, and returns their number.
    fn hide_hints(&self, diagnostics: &mut Vec<Diagnostic>) -> usize {
        let all = diagnostics.len();
        diagnostics.retain(|it| self.hints || it.severity != Severity::Hint);
        all - diagnostics.len()
    }

    fn fill(&self, path: &Path, report: &mut Report, findings: Vec<Finding>, source: &Source) {
        report.findings = findings;
        report.findings.sort_by_key(|it| it.range.start());
        report.lines = LineTexts::new(&report.findings, source);
        if let Some(baseline) = &self.baseline {
            baseline.filter(path, report);
        }
        if let Some(style) = self.text.as_ref().filter(|_| !report.findings.is_empty()) {
            report.rendered = style.render(&report.path, &report.findings, source);
        }
    }
}

/// Applies `work` to all indices in parallel, each idle thread taking the next index in order.
/// Rayon's splitting into halves would leave large files to the end.
fn run_in_parallel<T: Send>(
    all: &[usize],
    analysis: &Analysis,
    work: impl Fn(&Analysis, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let workers: Vec<Analysis> = vec![analysis.clone(); rayon::current_num_threads()];
    let worker = |analysis: Analysis| {
        let take = || all.get(next.fetch_add(1, Ordering::Relaxed)).copied();
        std::iter::from_fn(take)
            .map(|it| work(&analysis, it))
            .collect::<Vec<T>>()
    };
    workers
        .into_par_iter()
        .with_max_len(1)
        .flat_map_iter(worker)
        .collect()
}
