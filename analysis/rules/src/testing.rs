//! The diagnostics of a small workspace.

use base::Diagnostic;
use catalog::{SampleNode, set_sample_nodes};
use fixture::{Sources, visible_text};
use hir::{Item, items};
use infer::NodeVariables;
use syntax::{Edit, Severity, TextRange, apply_edits};
use types::values::Value;

use crate::assets::{check_asset, is_asset};
use crate::checker::ItemFinding;
use crate::findings::{item_findings, node_findings, whole_file_findings};
use crate::project::{self, InstalledModule, Owner, ProjectContext, ProjectFile};
use crate::rule::{Group, Rule};

/// Returns the diagnostics of all files: `path: code "underlined": message`, one per line. Those of
/// style rules are left out.
pub(crate) fn findings(text: &str) -> String {
    let lines = each_finding(text, |path, place, found| {
        let rule = crate::rule(found.code).filter(|it| it.group == Group::Correctness);
        rule.map(|it| format!("{path}: {} `{place}`: {}", it.code, found.message))
    });
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    lines.join("\n")
}

/// Returns the diagnostics of the files of modules that are not in the Puppet language.
pub(crate) fn asset_findings(text: &str) -> Vec<Diagnostic> {
    let found = each_asset_finding(text).into_iter();
    found.map(|it| it.1).collect()
}

/// Returns the diagnostics of one rule in the files of modules that are not in the Puppet language:
/// "`underlined`: message".
pub(crate) fn reported_in_assets(rule: &Rule, text: &str) -> Vec<String> {
    let found = each_asset_finding(text).into_iter();
    let own = found.filter(|it| it.1.code == rule.code);
    own.map(|(place, it)| format!("`{place}`: {}", it.message))
        .collect()
}

/// Returns the diagnostics of the files of modules that are not in the Puppet language, with the texts that they underline.
fn each_asset_finding(text: &str) -> Vec<(String, Diagnostic)> {
    let sources = Sources::parse(text);
    let db = sources.database();
    let found = sources.iter().flat_map(|(id, _, source)| {
        let file = db.file(id).filter(|it| is_asset(&db, *it));
        let found = file.map(|it| check_asset(&db, it)).unwrap_or_default();
        found
            .into_iter()
            .map(move |it| (visible_text(source, it.range), it))
    });
    found.collect()
}

/// Returns the diagnostics of one rule: "`underlined`: message". `text` is the manifest of a class
/// `m`, or several files, each after a line `//- PATH`.
pub(crate) fn reported(rule: &Rule, text: &str) -> Vec<String> {
    let found = each_finding(text, |_, place, found| {
        (found.code == rule.code).then(|| format!("`{place}`: {}", found.message))
    });
    found.into_iter().flatten().collect()
}

/// Returns the diagnostics of one rule, as [`reported`] does, with a sample node that runs Debian 12.
pub(crate) fn reported_on_debian(rule: &Rule, text: &str) -> Vec<String> {
    let found = each_finding_with(text, vec![debian()], |_, place, found| {
        (found.code == rule.code).then(|| format!("`{place}`: {}", found.message))
    });
    found.into_iter().flatten().collect()
}

fn debian() -> SampleNode {
    let hash = |all: Vec<(&str, Value)>| Value::hash(all.into_iter().map(|(k, v)| (k.into(), v)));
    let release = hash(vec![("full", "12.4".into()), ("major", "12".into())]);
    let os = hash(vec![
        ("family", "Debian".into()),
        ("name", "Debian".into()),
        ("release", release),
    ]);
    let top_scope = [
        ("facts", hash(vec![("os", os)])),
        ("osfamily", "Debian".into()),
        ("operatingsystem", "Debian".into()),
    ];
    SampleNode {
        name: "debian12".into(),
        platform: "Debian 12".into(),
        variables: NodeVariables {
            top_scope: top_scope
                .map(|it| (it.0.to_owned(), it.1))
                .into_iter()
                .collect(),
            ..NodeVariables::default()
        },
    }
}

/// Returns the severities of the diagnostics of one rule.
pub(crate) fn severities(rule: &Rule, text: &str) -> Vec<Severity> {
    let found = each_finding(text, |_, _, found| {
        (found.code == rule.code).then_some(found.severity)
    });
    found.into_iter().flatten().collect()
}

/// Returns the labels of the fixes that a rule offers.
pub(crate) fn fixes(rule: &Rule, text: &str) -> Vec<String> {
    let found = each_finding(text, |_, _, found| {
        let fixes = found.fixes.iter().filter(|_| found.code == rule.code);
        fixes.map(|it| it.label.clone()).collect::<Vec<_>>()
    });
    found.into_iter().flatten().collect()
}

/// Returns the manifest of a class `m` with the first fix of each diagnostic of a rule applied.
pub(crate) fn fixed(rule: &Rule, text: &str) -> String {
    let found = each_finding(text, |_, _, found| {
        let fix = found.fixes.first().filter(|_| found.code == rule.code);
        fix.map_or(Vec::new(), |it| it.edits.clone())
    });
    let edits: Vec<Edit> = found.into_iter().flatten().collect();
    apply_edits(text, &edits).expect("the edits do not overlap")
}

/// Returns the manifest of a class `m` with the first fix of the first diagnostic of a rule applied.
pub(crate) fn fixed_first(rule: &Rule, text: &str) -> String {
    let found = each_finding(text, |_, _, found| {
        let fix = found.fixes.first().filter(|_| found.code == rule.code);
        fix.map(|it| it.edits.clone())
    });
    let edits = found.into_iter().flatten().next();
    apply_edits(text, &edits.unwrap_or_default()).expect("the edits do not overlap")
}

/// Asserts that a rule reports one place of a manifest, and none after its fix.
#[track_caller]
pub(crate) fn assert_fixable(rule: &Rule, text: &str, expected: &str) {
    assert_eq!(reported(rule, text), [expected]);
    let fixed = fixed(rule, text);
    assert_ne!(fixed, text);
    assert_eq!(reported(rule, &fixed), [""; 0]);
}

/// A diagnostic with ranges in its file.
struct Found<'a> {
    code: &'static str,
    severity: Severity,
    message: &'a str,
    range: TextRange,
    fixes: Vec<FoundFix>,
}

struct FoundFix {
    label: String,
    edits: Vec<Edit>,
}

/// Renders all diagnostics, in the order of the files and of the ranges.
fn each_finding<T>(text: &str, render: impl Fn(&str, &str, &Found<'_>) -> T) -> Vec<T> {
    each_finding_with(text, Vec::new(), render)
}

/// The same, with sample nodes.
fn each_finding_with<T>(
    text: &str,
    nodes: Vec<SampleNode>,
    render: impl Fn(&str, &str, &Found<'_>) -> T,
) -> Vec<T> {
    let text = match text.starts_with("//- ") {
        true => text.to_owned(),
        false => format!("//- modules/m/manifests/init.pp\n{text}"),
    };
    let sources = Sources::parse(&text);
    let mut db = sources.database();
    if !nodes.is_empty() {
        set_sample_nodes(&mut db, nodes);
    }
    let db = db;
    let mut all = Vec::new();
    for (id, path, text) in sources.iter() {
        let file = db.file(id).expect("the file is one of the sources");
        let mut add = |found: &Found<'_>| {
            let rendered = render(path, &visible_text(text, found.range), found);
            all.push((id, found.range.start(), rendered));
        };
        for item in items(&db, file) {
            let of_item = item_findings(&db, *item).iter();
            for found in of_item.chain(node_findings(&db, *item)) {
                add(&in_file(&db, *item, found));
            }
        }
        for found in whole_file_findings(&db, file) {
            add(&of_file(&found));
        }
    }
    all.sort_by_key(|it| (it.0, it.1));
    all.into_iter().map(|it| it.2).collect()
}

fn in_file<'a>(db: &dyn salsa::Database, item: Item<'_>, found: &'a ItemFinding<'_>) -> Found<'a> {
    let fixes = found.fixes.iter().map(|it| FoundFix {
        label: it.label.clone(),
        edits: it
            .edits
            .iter()
            .map(|it| Edit {
                range: item.in_file(db, it.range),
                text: it.text.clone(),
            })
            .collect(),
    });
    Found {
        code: found.code,
        severity: found.severity,
        message: &found.message,
        range: item.in_file(db, found.range),
        fixes: fixes.collect(),
    }
}

fn of_file(found: &Diagnostic) -> Found<'_> {
    let fixes = found.fixes.iter().map(|it| FoundFix {
        label: it.label.clone(),
        edits: it.edits.iter().map(|it| it.1.clone()).collect(),
    });
    Found {
        code: found.code,
        severity: found.severity,
        message: &found.message,
        range: found.range,
        fixes: fixes.collect(),
    }
}

/// Returns the messages for a project file of an environment or module without known modules.
pub(crate) fn project_messages(file: ProjectFile, text: &str, owner: Option<Owner>) -> Vec<String> {
    let around = ProjectContext {
        owner,
        ..ProjectContext::default()
    };
    let found = project::check(file, text, &around);
    found.into_iter().map(|it| it.message).collect()
}

/// Returns the messages of one rule about a project file, in an environment with `stdlib` 8.5.0.
pub(crate) fn messages_with_stdlib(
    rule: &Rule,
    file: ProjectFile,
    text: &str,
    complete: bool,
) -> Vec<String> {
    let around = ProjectContext {
        modules: vec![InstalledModule {
            name: "stdlib".to_owned(),
            author: Some("puppetlabs".to_owned()),
            version: Some("8.5.0".to_owned()),
            is_of_machine: false,
        }],
        complete,
        ..ProjectContext::default()
    };
    let found = project::check(file, text, &around).into_iter();
    let found = found.filter(|it| it.code == rule.code);
    found.map(|it| it.message).collect()
}
