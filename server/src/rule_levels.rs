//! Applies the rule levels that each project configures.

use std::collections::BTreeMap;

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::base::WorkspaceLayout;
use analysis::rules;
use rustc_hash::FxHashMap;
use syntax::Severity;

use crate::config::Level;
use crate::workspace::Discovery;

/// The rule levels of all projects, and the project of each file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RuleLevels {
    /// The levels by rule code, for each project that configures any.
    projects: Vec<BTreeMap<String, Level>>,
    project_of_file: FxHashMap<FileId, usize>,
}

impl RuleLevels {
    /// Collects the levels; `layout` and `discovery` list the environments in the same order.
    pub(crate) fn new(layout: &WorkspaceLayout, discovery: &Discovery) -> RuleLevels {
        let mut levels = RuleLevels::default();
        for (environment, found) in layout.environments.iter().zip(&discovery.environments) {
            if found.config.rules.is_empty() {
                continue;
            }
            let index = levels.projects.len();
            levels.projects.push(found.config.rules.clone());
            let module_files = environment.modules.iter().flat_map(|it| it.files.values());
            let other_files = environment.manifests.iter().chain(&environment.others);
            for file in module_files.chain(other_files) {
                levels.project_of_file.entry(*file).or_insert(index);
            }
        }
        levels
    }

    /// Applies the levels of a file's project to its diagnostics.
    pub(crate) fn apply(&self, file: FileId, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let rules = self
            .project_of_file
            .get(&file)
            .and_then(|it| self.projects.get(*it));
        apply_levels(rules, found)
    }
}

/// Sets the severity of diagnostics to the configured levels and drops those that are off.
pub(crate) fn apply_levels(
    rules: Option<&BTreeMap<String, Level>>,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    found.retain_mut(|it| match rules.and_then(|rules| rules.get(it.code)) {
        Some(level) => match severity(*level) {
            Some(severity) => {
                it.severity = severity;
                true
            }
            None => false,
        },
        None => rules::is_on(it.code),
    });
    found
}

fn severity(level: Level) -> Option<Severity> {
    match level {
        Level::Off => None,
        Level::Hint => Some(Severity::Hint),
        Level::Info => Some(Severity::Info),
        Level::Warning => Some(Severity::Warning),
        Level::Error => Some(Severity::Error),
    }
}
