//! Blocks that are steps: each replaces the text of its file, in one workspace.
//!
//! After each step, all results must equal those of a new workspace, and the assertions of the step
//! must hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use analysis::base::{
    EnvironmentLayout, ModuleLayout, ModuleOrigin, ModulepathKind, WorkspaceLayout,
};
use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;

use super::block;
use super::check::Failure;
use super::document::{Block, Case};
use super::revealed;

/// The file of a step without a path: the main manifest.
const MAIN: &str = "site.pp";

/// Returns the failures of the steps of a section, each with its block.
pub(super) fn check(case: &Case) -> Vec<(&Block, Failure)> {
    let mut failures = Vec::new();
    let mut incremental = StepWorkspace::default();
    let mut host = AnalysisHost::default();
    for block in case.blocks.iter().filter(|it| it.step) {
        let file = incremental.set(block);
        incremental.apply(&mut host, Some(file));
        let analysis = host.analysis();
        let parsed = block::parse_block(block);
        let places = analysis.inferred_types(file);
        let found = revealed::check_places(&places, &parsed);
        failures.extend(found.into_iter().map(|it| (block, it)));
        let mut fresh = AnalysisHost::default();
        incremental.apply(&mut fresh, None);
        let different = incremental.differences(&analysis, &fresh.analysis());
        failures.extend(different.into_iter().map(|it| (block, Failure::new(1, it))));
    }
    failures
}

/// The files after some steps.
#[derive(Default)]
struct StepWorkspace {
    version: PuppetVersion,
    /// The texts by path.
    files: BTreeMap<String, (FileId, FileSpec, String)>,
}

impl StepWorkspace {
    /// Applies a step and returns its file.
    fn set(&mut self, block: &Block) -> FileId {
        self.version = block.version;
        let path = block.path.as_deref().unwrap_or(MAIN);
        let next = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let id = self.files.get(path).map_or(next, |it| it.0);
        let source = block::source(block);
        let spec = FileSpec {
            dialect: source.dialect,
            place: source.place,
        };
        self.files.insert(path.to_owned(), (id, spec, source.text));
        id
    }

    /// Sends the layout and the text of one file, or of all, to a host.
    fn apply(&self, host: &mut AnalysisHost, only: Option<FileId>) {
        host.apply_change(Change::SetVersion(self.version));
        host.apply_change(Change::SetWorkspace(Arc::new(self.layout())));
        for (file, spec, text) in self.files.values() {
            if only.is_none_or(|it| it == *file) {
                host.apply_change(Change::SetFile {
                    file: *file,
                    spec: spec.clone(),
                    text: text.as_str().into(),
                });
            }
        }
    }

    fn layout(&self) -> WorkspaceLayout {
        let mut modules: BTreeMap<&str, BTreeMap<String, FileId>> = BTreeMap::new();
        let mut manifests = Vec::new();
        for (path, (file, ..)) in &self.files {
            let in_module = path.strip_prefix("modules/");
            match in_module.and_then(|it| it.split_once('/')) {
                Some((module, path)) => {
                    let files = modules.entry(module).or_default();
                    files.insert(path.to_owned(), *file);
                }
                None => manifests.push(*file),
            }
        }
        let modules = modules.into_iter().map(|(name, files)| {
            Arc::new(ModuleLayout {
                name: name.to_owned(),
                folder: name.to_owned(),
                files,
                origin: ModuleOrigin::Workspace,
                dependencies: Vec::new(),
                absent: BTreeSet::new(),
                is_project: false,
            })
        });
        let environment = EnvironmentLayout {
            name: "test".to_owned(),
            modules: modules.collect(),
            manifests,
            modulepath: ModulepathKind::OfEnvironment,
            ..EnvironmentLayout::default()
        };
        WorkspaceLayout {
            environments: vec![environment],
        }
    }

    /// Returns the results that differ from those of a new workspace.
    fn differences(&self, now: &Analysis, fresh: &Analysis) -> Vec<String> {
        let mut found = Vec::new();
        for (path, (file, ..)) in &self.files {
            let (here, there) = (now.inferred_types(*file), fresh.inferred_types(*file));
            if here != there {
                let first = here.iter().find(|it| !there.contains(it));
                let first = first.or_else(|| there.iter().find(|it| !here.contains(it)));
                found.push(format!(
                    "{path}: inferred differently in a new workspace: {first:?}"
                ));
            }
            let (here, there) = (now.diagnostics(*file), fresh.diagnostics(*file));
            if here != there {
                found.push(format!(
                    "{path}: diagnostics {here:?}, in a new workspace {there:?}"
                ));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use super::*;

    fn failures(text: &str) -> Vec<(usize, String)> {
        let document = document::read("a.md", text).expect("a valid document");
        let found = check(&document.cases[0]).into_iter();
        found
            .map(|(block, it)| (it.line(block), it.rendered("a.md", block)))
            .collect()
    }

    #[test]
    fn steps_share_a_workspace() {
        let text = |last: &str| {
            format!(
                "# A\n\n`modules/m/manifests/init.pp`:\n\n\
                 ```puppet step\nclass m {{ $x = 1 }}\n```\n\n\
                 ```puppet step\ninclude m\n$m::x # revealed: Integer[1, 1]\n```\n\n\
                 `modules/m/manifests/init.pp`:\n\n\
                 ```puppet step\nclass m {{ $x = 'a' }}\n```\n\n\
                 ```puppet step\ninclude m\n$m::x # revealed: {last}\n```\n"
            )
        };
        assert_eq!(failures(&text("String<a>")), []);
        let wrong = failures(&text("Integer[1, 1]"));
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert_eq!(wrong[0].0, 22);
    }

    #[test]
    fn incremental_results_must_equal_fresh_ones() {
        let one = "# A\n\n```puppet step\n$x = 1\n```\n\n```puppet step\n$x = 2\n```\n";
        let document = document::read("a.md", one).expect("a valid document");
        let mut state = StepWorkspace::default();
        let mut host = AnalysisHost::default();
        state.set(&document.cases[0].blocks[0]);
        state.apply(&mut host, None);
        // The host does not receive the second step.
        state.set(&document.cases[0].blocks[1]);
        let mut fresh = AnalysisHost::default();
        state.apply(&mut fresh, None);
        let found = state.differences(&host.analysis(), &fresh.analysis());
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
