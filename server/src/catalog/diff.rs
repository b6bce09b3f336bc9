//! `pupil catalog diff`: the differences between the catalogs of two trees.

mod compare;
mod json;
mod markdown;
mod text;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::request::{CatalogRequest, requests, selected_facts};
use super::revision::Revision;
use super::text_line::plural;
use super::{Compiled, compile_all};
use crate::COULD_NOT_RUN;
use crate::args::{CatalogDiffArgs, CatalogDiffFormat, CatalogSelection};
use crate::fact_sets::FactSet;
use crate::lookup::environment::LoadedEnvironment;
use crate::progress::Progress;
use crate::terminal::{self, Failure};
use compare::{Comparison, compare, unknown_in_both};

/// The exit status if catalogs differ.
const DIFFERENT: u8 = 1;

/// The result of the command.
struct Report<'a> {
    /// The differences, each with the catalogs that have it.
    groups: Vec<(Vec<CatalogRequest<'a>>, Comparison)>,
    /// The number of catalogs that are equal.
    equal: usize,
    /// The number of catalogs that Puppet rejects in both trees.
    rejected: usize,
    /// Why Puppet rejects the first of them.
    reason: Option<String>,
    /// The number of catalogs with unknown parts.
    incomplete: usize,
    /// The values that are unknown in both trees.
    unknown: BTreeSet<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &CatalogDiffArgs) -> Result<ExitCode, Failure> {
    let selection = &arguments.selection;
    let environment = super::load(selection)?;
    let (other, _revision) = load_other(&arguments.other, selection, &environment)?;
    let facts = facts(selection, &environment)?;
    let requests = requests(selection, &[&environment, &other], &facts)?;
    let report = compare_all(requests, &environment, &other)?;
    let colors = terminal::stdout_has_colors(selection.color);
    let mut out = terminal::stdout();
    match arguments.format {
        CatalogDiffFormat::Text => text::write(&report, colors, &mut out)?,
        CatalogDiffFormat::Markdown => markdown::write(&report, &mut out)?,
        CatalogDiffFormat::Json => writeln!(out, "{:#}", json::document(&report))?,
    }
    out.flush()?;
    Ok(report.exit_code())
}

impl Report<'_> {
    fn different(&self) -> usize {
        self.groups.iter().map(|it| it.0.len()).sum()
    }

    fn exit_code(&self) -> ExitCode {
        match (self.different(), self.equal) {
            (0, 0) => ExitCode::from(COULD_NOT_RUN),
            (0, _) => ExitCode::SUCCESS,
            _ => ExitCode::from(DIFFERENT),
        }
    }

    /// Returns sentences about the comparison.
    fn summary(&self) -> Vec<String> {
        let total = self.different() + self.equal + self.rejected;
        let catalogs = |count| plural(count, "catalog", "catalogs");
        let mut lines = Vec::new();
        lines.extend(match self.different() {
            0 if self.equal == 0 => None,
            0 => Some(format!("no differences in {}", catalogs(total))),
            1 => Some(format!("1 of {} differs", catalogs(total))),
            different => Some(format!("{different} of {} differ", catalogs(total))),
        });
        if let Some(reason) = &self.reason {
            let rejected = catalogs(self.rejected);
            lines.push(format!(
                "not compared, because Puppet rejects both sides: {rejected}"
            ));
            lines.push(format!("the first error: {reason}"));
        }
        if self.incomplete > 0 {
            let verb = if self.incomplete == 1 { "has" } else { "have" };
            let incomplete = catalogs(self.incomplete);
            lines.push(format!(
                "{incomplete} {verb} unknown parts, which may hide differences"
            ));
        }
        lines.extend(match (self.unknown.first(), self.unknown.len()) {
            (None, _) => None,
            (Some(first), 1) => Some(format!("{first} is unknown on both sides and may differ")),
            (Some(first), count) => Some(format!(
                "{first} and {} are unknown on both sides and may differ",
                plural(count - 1, "other value", "other values")
            )),
        });
        lines
    }
}

/// Loads the environment to compare with: a directory, or that of a Git revision.
fn load_other(
    name: &str,
    selection: &CatalogSelection,
    environment: &LoadedEnvironment,
) -> Result<(LoadedEnvironment, Option<Revision>), Failure> {
    let puppet = &selection.puppet;
    let load = |folder: &Path, modulepath: &[PathBuf]| {
        LoadedEnvironment::load(folder, modulepath, environment.version())
    };
    if Path::new(name).is_dir() {
        let other = load(Path::new(name), &puppet.modulepath);
        if !other.is_project() {
            let message = format!("`{name}` is neither an environment nor a module");
            return Err(Failure::Message(message));
        }
        return Ok((other, None));
    }
    let revision = Revision::read(environment.root(), name).map_err(Failure::Message)?;
    // Modules that are installed, but not in the repository.
    let mut modulepath = puppet.modulepath.clone();
    modulepath.extend(environment.modulepath());
    let mut other = load(&revision.environment(), &modulepath);
    other.show_paths_below(environment.root());
    Ok((other, Some(revision)))
}

/// Returns the fact sets: those that the user selects, or all.
fn facts(
    selection: &CatalogSelection,
    environment: &LoadedEnvironment,
) -> Result<Vec<FactSet>, Failure> {
    match selection.facts.is_empty() {
        true => {
            let sets = environment.fact_sets();
            Ok(sets.read_all()?)
        }
        false => selected_facts(selection, environment),
    }
}

fn compare_all<'a>(
    requests: Vec<CatalogRequest<'a>>,
    environment: &LoadedEnvironment,
    other: &LoadedEnvironment,
) -> Result<Report<'a>, Failure> {
    // The name of the directory must not make a difference.
    let name = environment.name();
    let progress = Progress::new("Compiling", 2 * requests.len(), "catalogs");
    let old = compile_all(requests.clone(), other, &name, &progress)?;
    let new = compile_all(requests, environment, &name, &progress)?;
    progress.finish();
    let mut report = Report {
        groups: Vec::new(),
        equal: 0,
        rejected: 0,
        reason: None,
        incomplete: 0,
        unknown: BTreeSet::new(),
    };
    for (old, new) in old.iter().zip(new) {
        let comparison = compare(old, &new, (other, environment));
        report.incomplete += usize::from(old.is_incomplete() || new.is_incomplete());
        report.unknown.extend(unknown_in_both(old, &new));
        match comparison {
            Comparison::Equal => report.equal += 1,
            Comparison::BothRejected(reason) => {
                report.rejected += 1;
                report.reason.get_or_insert(reason);
            }
            comparison => report.add(new, comparison),
        }
    }
    Ok(report)
}

impl<'a> Report<'a> {
    /// Adds a difference to the catalogs with the same one.
    fn add(&mut self, compiled: Compiled<'a>, comparison: Comparison) {
        match self.groups.iter_mut().find(|it| it.1 == comparison) {
            Some(group) => group.0.push(compiled.request),
            None => self.groups.push((vec![compiled.request], comparison)),
        }
    }
}

/// Returns the titles of catalogs, with the fact sets of each in one.
fn titles(requests: &[CatalogRequest<'_>]) -> Vec<String> {
    let mut titles: Vec<(String, Vec<&str>)> = Vec::new();
    for request in requests {
        let title = request.subject_title();
        let facts = request.facts.map(|it| &*it.name);
        match titles.iter_mut().find(|it| it.0 == title) {
            Some(known) => known.1.extend(facts),
            None => titles.push((title, facts.into_iter().collect())),
        }
    }
    let titles = titles.into_iter().map(|(title, facts)| match &facts[..] {
        [] => title,
        facts => format!("{title} with facts {}", facts.join(", ")),
    });
    titles.collect()
}
