//! Navigation and rename in Debian's modules: names lead to their definitions, definitions and
//! references are consistent, and renamed code keeps its meaning.

mod consistency;
mod renames;

use analysis::FileId;
use analysis::ide::{NameResolution, ResolvedReference};
use pupil_tests::corpus::modules_dir;
use pupil_tests::env;
use pupil_tests::workspace::{TestModule, TestWorkspace, read_modules};
use syntax::{TextRange, TextSize};

fn debian_modules() -> Vec<TestModule> {
    read_modules(&modules_dir()).expect("Debian's modules are installed")
}

/// The Puppet files with their paths.
fn puppet_files(workspace: &TestWorkspace) -> Vec<(String, FileId)> {
    let paths = workspace.paths().filter(|it| {
        let code = ["manifests/", "functions/", "types/", "plans/"];
        let path = it.split_once('/').map_or("", |it| it.1);
        path.ends_with(".epp")
            || path.ends_with(".pp") && code.iter().any(|it| path.starts_with(it))
    });
    let files = paths.filter_map(|it| Some((it.to_owned(), workspace.id(it)?)));
    files.collect()
}

/// Returns the middle of a range.
fn middle(range: TextRange) -> TextSize {
    range.start() + TextSize::new(u32::from(range.len()) / 2)
}

fn seed() -> u64 {
    env::seed(6)
}

/// Returns the names of a file that have a definition in the workspace.
fn resolved_names(workspace: &TestWorkspace, file: FileId) -> Vec<ResolvedReference> {
    let names = workspace.analysis().resolved_references(file).into_iter();
    names
        .filter(|it| it.resolution == NameResolution::Found)
        .collect()
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn every_name_leads_to_its_definition() {
    let workspace = TestWorkspace::new(&debian_modules());
    let (mut all, mut found) = (0_usize, 0_usize);
    let mut missed = Vec::new();
    for (path, file) in puppet_files(&workspace) {
        for name in resolved_names(&workspace, file) {
            all += 1;
            let targets = workspace
                .analysis()
                .goto_definition(file, middle(name.range));
            match targets.is_some_and(|it| !it.targets.is_empty()) {
                true => found += 1,
                false => missed.push(format!(
                    "{path} {:?} {} {}",
                    name.range, name.kind, name.name
                )),
            }
        }
    }
    missed.truncate(20);
    println!("{found} of {all} names\n{}", missed.join("\n"));
    assert!(found * 100 >= all * 99, "{found} of {all}");
}
