//! Blocks that are steps: each is the text of its file from then on, in one workspace that is kept.
//!
//! After each step, whatever is known of any file must be as if all had been read anew, and the
//! comments of the step must be right.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::base::{EnvironmentLayout, ModuleLayout, ModuleOrigin, WorkspaceLayout};
use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;

use super::block;
use super::document::{Block, Case};
use super::judge::Failure;
use super::revealed;

/// The file that a step is which names none: the main manifest.
const MAIN: &str = "site.pp";

/// What is not as the steps of a section say, each with its block.
pub(super) fn judge(case: &Case) -> Vec<(&Block, Failure)> {
    let mut failures = Vec::new();
    let mut warm = State::default();
    let mut host = AnalysisHost::default();
    for block in case.blocks.iter().filter(|it| it.step) {
        let file = warm.set(block);
        warm.apply(&mut host, Some(file));
        let analysis = host.analysis();
        let examined = block::examine(block);
        let places = analysis.inferred_types(file);
        let found = revealed::held_against(&places, &examined);
        failures.extend(found.into_iter().map(|it| (block, it)));
        let mut anew = AnalysisHost::default();
        warm.apply(&mut anew, None);
        let different = warm.differences(&analysis, &anew.analysis());
        failures.extend(different.into_iter().map(|it| (block, Failure::new(1, it))));
    }
    failures
}

/// The files after some steps.
#[derive(Default)]
struct State {
    version: PuppetVersion,
    /// By path.
    files: BTreeMap<String, (FileId, FileSpec, String)>,
}

impl State {
    /// Takes a step; the file that it is.
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

    /// Makes a host know the layout and the text of one file, or of all.
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
            })
        });
        let environment = EnvironmentLayout {
            name: "test".to_owned(),
            modules: modules.collect(),
            manifests,
            complete: true,
            ..EnvironmentLayout::default()
        };
        WorkspaceLayout {
            environments: vec![environment],
        }
    }

    /// What is known of files now that is not so anew.
    fn differences(&self, now: &Analysis, anew: &Analysis) -> Vec<String> {
        let mut found = Vec::new();
        for (path, (file, ..)) in &self.files {
            let (here, there) = (now.inferred_types(*file), anew.inferred_types(*file));
            if here != there {
                let first = here.iter().find(|it| !there.contains(it));
                let first = first.or_else(|| there.iter().find(|it| !here.contains(it)));
                found.push(format!("{path} is inferred otherwise anew: {first:?}"));
            }
            let (here, there) = (now.diagnostics(*file), anew.diagnostics(*file));
            if here != there {
                found.push(format!("findings in {path}: {here:?}, anew {there:?}"));
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
        let document = document::read("a.md", text).expect("it is one");
        let found = judge(&document.cases[0]).into_iter();
        found
            .map(|(block, it)| (it.line(block), it.told("a.md", block)))
            .collect()
    }

    #[test]
    fn steps_are_texts_of_one_workspace() {
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
    fn what_is_kept_must_be_as_it_is_anew() {
        let one = "# A\n\n```puppet step\n$x = 1\n```\n\n```puppet step\n$x = 2\n```\n";
        let document = document::read("a.md", one).expect("it is one");
        let mut state = State::default();
        let mut host = AnalysisHost::default();
        state.set(&document.cases[0].blocks[0]);
        state.apply(&mut host, None);
        // The second step is not told to the host.
        state.set(&document.cases[0].blocks[1]);
        let mut anew = AnalysisHost::default();
        state.apply(&mut anew, None);
        let found = state.differences(&host.analysis(), &anew.analysis());
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
