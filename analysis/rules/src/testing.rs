//! The diagnostics of a small workspace.

use fixture::{Sources, visible_text};
use hir::items;

use crate::checker::{ItemFinding, item_findings};
use crate::project::{self, InstalledModule, Owner, ProjectFile, Surroundings};
use crate::rule::Rule;

/// The diagnostics of all files: `path: code "underlined": message`, one per line.
pub(crate) fn findings(text: &str) -> String {
    let lines = each_finding(text, |path, place, found| {
        format!("{path}: {} `{place}`: {}", found.code, found.message)
    });
    lines.join("\n")
}

/// The diagnostics of one rule: "`underlined`: message". `text` is the manifest of a class `m`, or
/// several files, each after a line `//- PATH`.
pub(crate) fn reported(rule: &Rule, text: &str) -> Vec<String> {
    let found = each_finding(text, |_, place, found| {
        (found.code == rule.code).then(|| format!("`{place}`: {}", found.message))
    });
    found.into_iter().flatten().collect()
}

/// The labels of the fixes that a rule offers.
pub(crate) fn fixes(rule: &Rule, text: &str) -> Vec<String> {
    let found = each_finding(text, |_, _, found| {
        let fixes = found.fixes.iter().filter(|_| found.code == rule.code);
        fixes.map(|it| it.label.clone()).collect::<Vec<_>>()
    });
    found.into_iter().flatten().collect()
}

/// Renders all diagnostics, in the order of the files and of the ranges.
fn each_finding<T>(text: &str, render: impl Fn(&str, &str, &ItemFinding<'_>) -> T) -> Vec<T> {
    let text = match text.starts_with("//- ") {
        true => text.to_owned(),
        false => format!("//- modules/m/manifests/init.pp\n{text}"),
    };
    let sources = Sources::parse(&text);
    let db = sources.database();
    let mut all = Vec::new();
    for (id, path, text) in sources.iter() {
        let file = db.file(id).expect("the file is one of the sources");
        for item in items(&db, file) {
            for found in item_findings(&db, *item) {
                let range = item.in_file(&db, found.range);
                let rendered = render(path, &visible_text(text, range), found);
                all.push((id, range.start(), rendered));
            }
        }
    }
    all.sort_by_key(|it| (it.0, it.1));
    all.into_iter().map(|it| it.2).collect()
}

/// The messages for a project file of an environment or module without known modules.
pub(crate) fn project_messages(file: ProjectFile, text: &str, owner: Option<Owner>) -> Vec<String> {
    let around = Surroundings {
        owner,
        ..Surroundings::default()
    };
    let found = project::check(file, text, &around);
    found.into_iter().map(|it| it.message).collect()
}

/// The messages of one rule about a project file, in an environment with `stdlib` 8.5.0.
pub(crate) fn messages_with_stdlib(
    rule: &Rule,
    file: ProjectFile,
    text: &str,
    complete: bool,
) -> Vec<String> {
    let around = Surroundings {
        modules: vec![InstalledModule {
            name: "stdlib".to_owned(),
            version: Some("8.5.0".to_owned()),
        }],
        complete,
        ..Surroundings::default()
    };
    let found = project::check(file, text, &around).into_iter();
    let found = found.filter(|it| it.code == rule.code);
    found.map(|it| it.message).collect()
}
