//! Applies the rule levels that each project configures.

use std::path::Path;

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::base::WorkspaceLayout;
use rustc_hash::FxHashMap;

use crate::config::Levels;
use crate::workspace::{Discovery, Exclude};

/// The rule levels of all projects, and the project of each file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RuleLevels {
    /// The levels for each project that configures any.
    projects: Vec<Levels>,
    project_of_file: FxHashMap<FileId, usize>,
}

impl RuleLevels {
    /// Collects the levels; `layout` and `discovery` list the environments in the same order. `path_of`
    /// returns the path of a file.
    pub(crate) fn new<'a>(
        layout: &WorkspaceLayout,
        discovery: &Discovery,
        path_of: impl Fn(FileId) -> Option<&'a Path>,
    ) -> RuleLevels {
        let mut levels = RuleLevels::default();
        for (environment, found) in layout.environments.iter().zip(&discovery.environments) {
            let config = &found.config;
            if config.rules == Levels::default() {
                continue;
            }
            let all = levels.add(config.rules.clone());
            let without_style = levels.add(config.rules.without_style());
            let exclude = Exclude::from_style(config, &mut Vec::new());
            let module_files = environment.modules.iter().flat_map(|it| it.files.values());
            let other_files = environment.manifests.iter().chain(&environment.others);
            for file in module_files.chain(other_files) {
                let is_excluded = !config.style.exclude.is_empty()
                    && path_of(*file).is_some_and(|it| exclude.has(it, false));
                let index = if is_excluded { without_style } else { all };
                levels.project_of_file.entry(*file).or_insert(index);
            }
        }
        levels
    }

    fn add(&mut self, levels: Levels) -> usize {
        self.projects.push(levels);
        self.projects.len() - 1
    }

    /// Applies the levels of a file's project to its diagnostics; `text` is that of the file.
    pub(crate) fn apply(
        &self,
        file: FileId,
        found: Vec<Diagnostic>,
        text: &str,
    ) -> Vec<Diagnostic> {
        let project = self.project_of_file.get(&file);
        match project.and_then(|it| self.projects.get(*it)) {
            Some(levels) => apply_levels(levels, found, text),
            None => apply_levels(&Levels::default(), found, text),
        }
    }
}

/// Sets the severity of diagnostics to the configured levels and drops those that are off.
pub(crate) fn apply_levels(
    levels: &Levels,
    mut found: Vec<Diagnostic>,
    text: &str,
) -> Vec<Diagnostic> {
    found.retain_mut(|it| match levels.severity_of(it, text) {
        Some(severity) => {
            it.severity = severity;
            true
        }
        None => false,
    });
    found
}
