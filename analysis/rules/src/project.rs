//! Checks of project files: `metadata.json`, `Puppetfile`, `environment.conf` and `hiera.yaml`.
//!
//! A check takes the text of a file and its context, and returns diagnostics: for anything that makes
//! the file unusable, and for dependencies that do not match the installed modules. No code is ever
//! run, and no query depends on these files. Anything that Puppet and its tools accept is not
//! reported.

pub mod data;
pub mod environment_conf;
mod hiera;
mod metadata;
mod puppetfile;

pub use metadata::short_name;

use syntax::{Severity, TextRange};

use crate::{Rule, Suppressions};
use base::Diagnostic;

/// The kind of a project file, which its name determines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProjectFile {
    /// `metadata.json`: the metadata and dependencies of a module.
    Metadata,
    /// `Puppetfile`: the modules that r10k or Code Manager installs.
    Puppetfile,
    /// `environment.conf`: the settings of an environment.
    EnvironmentConf,
    /// `hiera.yaml`: the Hiera hierarchy.
    Hiera,
}

impl ProjectFile {
    /// All kinds.
    pub const ALL: [ProjectFile; 4] = [
        ProjectFile::Metadata,
        ProjectFile::Puppetfile,
        ProjectFile::EnvironmentConf,
        ProjectFile::Hiera,
    ];

    /// Returns the file name.
    pub fn name(self) -> &'static str {
        match self {
            ProjectFile::Metadata => "metadata.json",
            ProjectFile::Puppetfile => "Puppetfile",
            ProjectFile::EnvironmentConf => "environment.conf",
            ProjectFile::Hiera => "hiera.yaml",
        }
    }

    /// Returns the kind of a file with this name.
    pub fn of_name(name: &str) -> Option<ProjectFile> {
        ProjectFile::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The context of a project file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// The installed modules.
    pub modules: Vec<InstalledModule>,
    /// Whether the list of modules is complete, so that any other module is missing.
    pub complete: bool,
    /// The owner of the folder that contains the file, if known.
    pub owner: Option<Owner>,
}

/// The owner of a folder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// An environment.
    Environment,
    /// A module.
    Module,
}

/// An installed module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledModule {
    /// The name, without the author.
    pub name: String,
    /// The version in the metadata of the module.
    pub version: Option<String>,
}

impl Surroundings {
    /// The installed module with a name.
    pub fn module(&self, name: &str) -> Option<&InstalledModule> {
        self.modules.iter().find(|it| it.name == name)
    }
}

/// Checks a project file and returns the diagnostics, sorted by range.
pub fn check(file: ProjectFile, text: &str, around: &Surroundings) -> Vec<Diagnostic> {
    let mut report = Report { found: Vec::new() };
    match file {
        ProjectFile::Metadata => metadata::check(text, around, &mut report),
        ProjectFile::Puppetfile => puppetfile::check(text, around, &mut report),
        ProjectFile::EnvironmentConf => environment_conf::check(text, &mut report),
        ProjectFile::Hiera => hiera::check(text, around, &mut report),
    }
    let mut found = report.found;
    // JSON has no comments, so there is nothing to suppress diagnostics with.
    if file != ProjectFile::Metadata {
        // `environment.conf` does not support comments after a value.
        let after_code = file != ProjectFile::EnvironmentConf;
        let suppressions = Suppressions::in_lines(text, after_code);
        found.retain(|it| !suppressions.covers(it.code, it.range));
    }
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
    found
}

/// Collects diagnostics.
struct Report {
    found: Vec<Diagnostic>,
}

impl Report {
    fn add(&mut self, rule: &'static Rule, range: TextRange, message: impl Into<String>) {
        self.add_as(rule, rule.severity, range, message);
    }

    fn add_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) {
        self.found.push(Diagnostic {
            code: rule.code,
            severity,
            message: message.into(),
            range,
            related: Vec::new(),
            fixes: Vec::new(),
        });
    }
}

/// Returns the known name that is most similar to a misspelled one.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    /// The maximum edit distance.
    const MAX_EDITS: usize = 2;
    let near = known.iter().map(|it| (strsim::osa_distance(name, it), *it));
    let near = near.filter(|it| it.0 <= MAX_EDITS.min(it.1.len() / 3));
    near.min().map(|it| it.1)
}

/// Renders a suggestion of a similar name to append to a message.
fn did_you_mean(name: &str, known: &[&str]) -> String {
    meant(name, known).map_or(String::new(), |it| format!("; did you mean `{it}`?"))
}

#[cfg(test)]
mod tests;
