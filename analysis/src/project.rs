//! The files around Puppet code: `metadata.json`, `Puppetfile`, `environment.conf`, `hiera.yaml`.
//!
//! A text and what is known around it go in, findings come out: what makes the file unusable, and
//! where it says something about modules that is not so. Nothing is ever run, and no query depends
//! on these files. What Puppet or its tools do not refuse is not reported.

pub(crate) mod data;
pub mod environment_conf;
mod hiera;
mod hover;
mod metadata;
mod puppetfile;

use syntax::{Severity, TextRange};

use crate::ide::{Diagnostic, Ignored};
use crate::rules::Rule;

pub use hover::hover;

/// What a file is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProjectFile {
    /// `metadata.json`: what a module is and what it needs.
    Metadata,
    /// `Puppetfile`: what a tool installs.
    Puppetfile,
    /// `environment.conf`: where an environment has what.
    EnvironmentConf,
    /// `hiera.yaml`: where data comes from.
    Hiera,
}

impl ProjectFile {
    /// All of them.
    pub const ALL: [ProjectFile; 4] = [
        ProjectFile::Metadata,
        ProjectFile::Puppetfile,
        ProjectFile::EnvironmentConf,
        ProjectFile::Hiera,
    ];

    /// The name of the file.
    pub fn name(self) -> &'static str {
        match self {
            ProjectFile::Metadata => "metadata.json",
            ProjectFile::Puppetfile => "Puppetfile",
            ProjectFile::EnvironmentConf => "environment.conf",
            ProjectFile::Hiera => "hiera.yaml",
        }
    }

    /// What a file of this name is.
    pub fn of_name(name: &str) -> Option<ProjectFile> {
        ProjectFile::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// What is known around a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// The modules that there are.
    pub modules: Vec<InstalledModule>,
    /// Whether these are all, so that others are missing.
    pub complete: bool,
    /// Whose folder the file lies in, if that is known.
    pub owner: Option<Owner>,
}

/// Whose folder a file lies in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// An environment's.
    Environment,
    /// A module's.
    Module,
}

/// A module that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledModule {
    /// Its name without its author.
    pub name: String,
    /// The version that its metadata says.
    pub version: Option<String>,
}

impl Surroundings {
    fn module(&self, name: &str) -> Option<&InstalledModule> {
        self.modules.iter().find(|it| it.name == name)
    }
}

/// What is wrong with a file, in the order of its text.
pub fn check(file: ProjectFile, text: &str, around: &Surroundings) -> Vec<Diagnostic> {
    let mut report = Report { found: Vec::new() };
    match file {
        ProjectFile::Metadata => metadata::check(text, around, &mut report),
        ProjectFile::Puppetfile => puppetfile::check(text, around, &mut report),
        ProjectFile::EnvironmentConf => environment_conf::check(text, &mut report),
        ProjectFile::Hiera => hiera::check(text, around, &mut report),
    }
    let mut found = report.found;
    // JSON has no comments of that kind.
    if file != ProjectFile::Metadata {
        // In this file a comment has a line of its own.
        let behind_code = file != ProjectFile::EnvironmentConf;
        let ignored = Ignored::in_lines(text, behind_code);
        found.retain(|it| !ignored.covers(it.code, it.range));
    }
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
    found
}

/// What has been found.
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

/// The name that somebody may have meant.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    /// How unlike the two may be, in edits.
    const MAX_EDITS: usize = 2;
    let near = known.iter().map(|it| (strsim::osa_distance(name, it), *it));
    let near = near.filter(|it| it.0 <= MAX_EDITS.min(it.1.len() / 3));
    near.min().map(|it| it.1)
}

/// A question about the name that somebody may have meant, for the end of a message.
fn did_you_mean(name: &str, known: &[&str]) -> String {
    meant(name, known).map_or(String::new(), |it| format!("; did you mean `{it}`?"))
}

#[cfg(test)]
mod tests;
