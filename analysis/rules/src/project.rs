//! Checks of project files: `metadata.json`, `Puppetfile`, `environment.conf` and `hiera.yaml`.
//!
//! A check takes the text of a file and its context, and returns diagnostics: for anything that makes
//! the file unusable, and for dependencies that do not match the installed modules. No code is ever
//! run, and no query depends on these files. Anything that Puppet and its tools accept is not
//! reported.

pub(crate) mod dependencies;
pub mod environment_conf;
pub(crate) mod hiera_config;

pub use dependencies::{author, short_name};
pub use hir::possible_facts::words as fact_words;

use std::collections::BTreeSet;

use base::Diagnostic;
use syntax::validation::PuppetVersion;
use syntax::{Severity, TextRange};

use crate::file_diagnostics::FileDiagnostics;
use crate::rule::{Check, Rule};
use crate::suppressions::Suppressions;
use dependencies::Dependency;

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
pub struct ProjectContext {
    /// The installed modules.
    pub modules: Vec<InstalledModule>,
    /// Whether the list of modules is complete, so that any other module is missing.
    pub complete: bool,
    /// The owner of the folder that contains the file, if known.
    pub owner: Option<Owner>,
    /// The version of Puppet.
    pub version: PuppetVersion,
    /// The files in the folder of a `hiera.yaml` that may be data, as relative paths.
    pub data_files: Vec<String>,
    /// The names of the facts that modules define; only set for `hiera.yaml`.
    pub custom_facts: BTreeSet<String>,
    /// The words in the sources of these facts, in lower case: programs and code may define others.
    pub fact_words: BTreeSet<Box<str>>,
    /// The names of the functions that modules define; only set for `hiera.yaml`.
    pub functions: BTreeSet<String>,
    /// The names of the variables that the main manifests assign at their top; `None` if unknown. Only set for
    /// `hiera.yaml`.
    pub variables: Option<BTreeSet<String>>,
}

impl ProjectContext {
    /// Checks whether the source of a fact contains a word, in any case.
    pub(crate) fn has_fact_word(&self, word: &str) -> bool {
        self.fact_words.contains(&*word.to_ascii_lowercase())
    }
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
    /// The author in the metadata of the module.
    pub author: Option<String>,
    /// The version in the metadata of the module.
    pub version: Option<String>,
    /// Whether it is installed for the whole machine rather than for the project.
    pub is_of_machine: bool,
}

impl ProjectContext {
    /// Returns the installed module with a name.
    pub fn module(&self, name: &str) -> Option<&InstalledModule> {
        self.modules.iter().find(|it| it.name == name)
    }
}

/// Checks a project file and returns the diagnostics, sorted by range.
pub fn check(file: ProjectFile, text: &str, around: &ProjectContext) -> Vec<Diagnostic> {
    let dependencies = dependencies::dependencies(file, text);
    // JSON has no comments, so there is nothing to suppress diagnostics with. `environment.conf` does not support comments
    // after a value.
    let after_code = file != ProjectFile::EnvironmentConf;
    let suppressions =
        (file != ProjectFile::Metadata).then(|| Suppressions::in_lines(text, after_code));
    let mut checker = ProjectChecker {
        file,
        text,
        context: around,
        dependencies: &dependencies,
        suppressions,
        diagnostics: FileDiagnostics::default(),
    };
    for check in crate::all().flat_map(|it| it.checks) {
        if let Check::ProjectFile(check) = check {
            check(&mut checker);
        }
    }
    let suppressions = checker.suppressions.as_ref();
    let is_suppressed =
        |it: &Diagnostic| suppressions.is_some_and(|all| all.covers(it.code, it.range));
    checker.diagnostics.finish(is_suppressed)
}

/// The context of the checks of a project file, and the diagnostics reported so far.
pub(crate) struct ProjectChecker<'a> {
    pub(crate) file: ProjectFile,
    pub(crate) text: &'a str,
    pub(crate) context: &'a ProjectContext,
    /// The modules that the file requires.
    pub(crate) dependencies: &'a [Dependency],
    /// The comments that suppress diagnostics, if the file can have any.
    suppressions: Option<Suppressions>,
    diagnostics: FileDiagnostics,
}

impl ProjectChecker<'_> {
    /// Checks whether a comment suppresses the diagnostics of a rule in a range.
    pub(crate) fn is_suppressed(&self, code: &str, range: TextRange) -> bool {
        let suppressions = self.suppressions.as_ref();
        suppressions.is_some_and(|it| it.covers(code, range))
    }

    /// Reports a diagnostic with the default severity of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) {
        self.report_as(rule, rule.severity, range, message);
    }

    /// Reports a diagnostic.
    pub(crate) fn report_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) {
        self.diagnostics
            .add(rule.diagnostic(severity, range, message));
    }
}

#[cfg(test)]
pub(crate) mod tests;
