//! The examples on the pages of rules about data, project files and tasks. Their blocks are marked with the path of a
//! file, and `wrong` or `right`; blocks with a path alone belong to the next example.

use analysis::base::Diagnostic;
use analysis::project::{self, InstalledModule, ProjectContext, ProjectFile};
use analysis::rules::{PROJECT_RULES, Rule};
use fixture::HIERA_CONFIG;
use pupil_tests::markdown::fenced_blocks;

use crate::pages::Example;

/// The mark of a line with a diagnostic.
const MARK: &str = " # <-";

/// Returns the diagnostics of the wrong examples on the page of a rule.
pub(super) fn diagnostics(rule: &Rule) -> Vec<Diagnostic> {
    let is_of_project = PROJECT_RULES.iter().any(|it| it.code == rule.code);
    let mut found = Vec::new();
    let mut files: Vec<(String, String)> = Vec::new();
    for block in fenced_blocks(&rule.page()) {
        let (path, verdict) = block.info.split_once(' ').unwrap_or((&block.info, ""));
        let text = block.text.replace(MARK, "");
        match (path, ProjectFile::of_name(path).filter(|_| is_of_project)) {
            (_, Some(file)) if verdict == "wrong" => {
                found.extend(project::check(file, &text, &surroundings()));
            }
            (_, Some(_)) | ("puppet" | "toml", _) => {}
            ("json", _) => {
                let task = [("tasks/t.json", &*text), ("tasks/t.sh", "x\n")];
                let task = task.map(|it| (it.0.to_owned(), it.1.to_owned()));
                found.extend(in_workspace(&task));
            }
            _ if path.contains(['.', '/']) => {
                files.push((path.to_owned(), text));
                match verdict {
                    "wrong" => found.extend(in_workspace(&std::mem::take(&mut files))),
                    "right" => files.clear(),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns an environment with a few installed modules.
fn surroundings() -> ProjectContext {
    let module = |name: &str, version: Option<&str>| InstalledModule {
        name: name.to_owned(),
        author: None,
        version: version.map(str::to_owned),
        is_of_machine: false,
    };
    ProjectContext {
        modules: vec![
            module("stdlib", Some("8.5.0")),
            module("concat", None),
            module("mine", None),
        ],
        complete: true,
        ..ProjectContext::default()
    }
}

/// Returns the diagnostics of files in an environment.
fn in_workspace(files: &[(String, String)]) -> Vec<Diagnostic> {
    let path = |path: &str| match path.starts_with("modules/") || path.starts_with("tasks/") {
        true => path.to_owned(),
        false => format!("environment/{path}"),
    };
    let mut files: Vec<_> = files.iter().map(|it| (path(&it.0), &*it.1)).collect();
    for owner in ["environment", "modules/ntp"] {
        let config = format!("{owner}/hiera.yaml");
        let has_data = files
            .iter()
            .any(|it| it.0.starts_with(&format!("{owner}/data/")));
        if has_data && files.iter().all(|it| it.0 != config) {
            files.push((config, HIERA_CONFIG));
        }
    }
    let blocks = files
        .iter()
        .map(|(path, text)| format!("# file: {path}\n{text}"));
    let workspace = Example::new(true, &blocks.collect::<String>()).workspace();
    workspace
        .paths()
        .flat_map(|it| workspace.diagnostics(it))
        .collect()
}
