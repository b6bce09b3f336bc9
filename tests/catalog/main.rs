//! Compiled catalogs against recordings of the real Puppet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::{FileId, FileSpec};
use analysis::catalog::{self, Catalog, Compilation, CompileRequest, ResourceKey};
use analysis::hiera::Layer;
use analysis::ide::NodeVariables;
use analysis::{Analysis, AnalysisHost, Change};
use pupil_tests::facts::{self, value};
use pupil_tests::recordings;
use serde::Deserialize;
use syntax::validation::PuppetVersion;

/// A case, and the parameters of its resources.
#[derive(Deserialize)]
struct Case {
    source: String,
    /// `None` if the compilation fails.
    resources: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// The dependencies; `None` if the agent would reject the catalog.
    edges: Option<BTreeSet<[String; 3]>>,
    cycles: Option<Vec<Vec<String>>>,
}

fn recording() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/recordings");
    folder.join("catalogs.jsonl.gz")
}

/// Returns a snapshot of an empty environment.
fn environment() -> (Analysis, FileId) {
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetVersion(PuppetVersion::V7));
    let file = FileId(0);
    host.apply_change(Change::SetFile {
        file,
        spec: FileSpec::default(),
        text: "".into(),
    });
    let paths = [("modules/environment/environment.conf", file)];
    host.apply_change(Change::SetWorkspace(Arc::new(fixture::layout(paths))));
    (host.analysis(), file)
}

fn node() -> NodeVariables {
    let facts = facts::host("debian12");
    let trusted = serde_json::json!({"certname": "node1.example.com", "domain": "example.com"});
    let mut node = NodeVariables {
        is_complete: true,
        ..NodeVariables::default()
    };
    for (name, fact) in &facts {
        node.top_scope.insert(name.clone(), value(fact));
    }
    node.top_scope
        .insert("facts".to_owned(), value(&facts.into()));
    node.top_scope.insert("trusted".to_owned(), value(&trusted));
    node.top_scope.insert("module_name".to_owned(), "".into());
    node
}

/// Describes how a catalog differs from the recorded resources.
fn differences(
    catalog: &Catalog,
    recorded: &BTreeMap<String, BTreeMap<String, String>>,
) -> Vec<String> {
    let mut found = Vec::new();
    for (key, resource) in catalog.resources.iter().filter(|it| it.1.is_certain) {
        let Some(expected) = recorded.get(&key.puppet_name()) else {
            found.push(format!("`{key}` is not declared"));
            continue;
        };
        for (name, parameter) in &resource.parameters {
            let Some(value) = parameter.value.as_ref().ok().and_then(catalog::source) else {
                found.push(format!("`{name}` of `{key}` is unknown"));
                continue;
            };
            if expected.get(name) != Some(&value) {
                found.push(format!(
                    "`{name}` of `{key}`: {value}, not {:?}",
                    expected.get(name)
                ));
            }
        }
        let missing = expected
            .keys()
            .filter(|it| !resource.parameters.contains_key(*it));
        found.extend(missing.map(|it| format!("`{key}` lacks `{it}`")));
    }
    let known = catalog.resources.keys().map(ResourceKey::puppet_name);
    let known: Vec<String> = known.collect();
    let missing = recorded.keys().filter(|it| !known.contains(it));
    found.extend(missing.map(|it| format!("`{it}` is missing")));
    found.extend(catalog.gaps.iter().map(|it| it.why.clone()));
    found
}

/// Describes how the dependencies differ from the recorded ones.
fn differences_in_order(catalog: &Catalog, case: &Case) -> Vec<String> {
    let edges = catalog.plain_edges().map(|it| {
        let kind = it.kind.as_str().to_owned();
        [it.from.puppet_name(), it.to.puppet_name(), kind]
    });
    let edges: BTreeSet<_> = edges.collect();
    let cycles = catalog.cycles.iter().map(|it| {
        let members = catalog.plain_members(it);
        members.map(ResourceKey::puppet_name).collect::<Vec<_>>()
    });
    let cycles: Vec<_> = cycles.collect();
    let mut found = Vec::new();
    if case.edges.as_ref().is_some_and(|it| *it != edges) {
        found.push(format!("edges: {edges:?}, not {:?}", case.edges));
    }
    if case.cycles.as_ref().is_some_and(|it| *it != cycles) {
        found.push(format!("cycles: {cycles:?}, not {:?}", case.cycles));
    }
    found
}

#[test]
fn catalogs_are_those_of_puppet() {
    let cases: Vec<Case> = recordings::read(&recording()).expect("the recording is readable");
    assert!(cases.len() >= 90, "{} cases", cases.len());
    let (analysis, file) = environment();
    let node = node();
    let full_path = |_: &Layer, path: &str| path.to_owned();
    let mut failed = Vec::new();
    for case in &cases {
        let request = CompileRequest {
            source: Some(&case.source),
            names: vec!["node1.example.com".to_owned()],
            node: &node,
        };
        let compiled = analysis.compile(file, &request, &full_path);
        let compiled = compiled
            .expect("the file belongs to an environment")
            .into_result();
        let problems = match (&case.resources, compiled) {
            (Some(recorded), Ok(catalog)) => {
                let mut found = differences(&catalog, recorded);
                found.extend(differences_in_order(&catalog, case));
                found
            }
            (Some(_), Err(error)) => vec![format!("fails: {}", error.message)],
            // The name of a class that may be in a module is unknown.
            (None, Ok(catalog)) if !catalog.gaps.is_empty() => Vec::new(),
            (None, Ok(_)) => vec!["does not fail".to_owned()],
            (None, Err(_)) => Vec::new(),
        };
        if !problems.is_empty() {
            failed.push(format!("{}\n  {}", case.source, problems.join("\n  ")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Compiles code for a node.
fn compile(source: &str, node: &NodeVariables) -> Compilation {
    let (analysis, file) = environment();
    let request = CompileRequest {
        source: Some(source),
        names: vec!["node1.example.com".to_owned()],
        node,
    };
    let full_path = |_: &Layer, path: &str| path.to_owned();
    let compiled = analysis.compile(file, &request, &full_path);
    compiled.expect("the file belongs to an environment")
}

/// Each call that is nested too deeply would otherwise be followed by another one.
#[test]
fn functions_that_call_themselves_repeatedly_end() {
    for body in [
        "f() f()",
        "notify { 'a': message => f() } notify { 'b': message => f() }",
        "if f() { notify { 'a': message => f() } } else { f() }",
        "[1, 2].each |$i| { f() }",
    ] {
        let compiled = compile(&format!("function f() {{ {body} }}\nf()"), &node());
        let is_certain = compiled.errors.is_empty() && compiled.catalog.is_complete();
        assert!(!is_certain, "{body}");
    }
}

/// Each round would otherwise evaluate twice as many branches.
#[test]
fn code_that_uses_itself_in_branches_with_unknown_conditions_ends() {
    for source in [
        "function f() { if $facts['a'] { f() f() } else { f() f() } }\nf()",
        "define d() { if $facts['a'] { d { \"${title}a\": } d { \"${title}b\": } } }\nd { 'd': }",
    ] {
        let compiled = compile(source, &NodeVariables::default());
        assert!(!compiled.catalog.gaps.is_empty(), "{source}");
    }
}

/// All modules of the environment are known.
#[test]
fn names_that_no_module_defines_are_rejected() {
    let undeclared = ": module `nosuch` is neither installed nor declared";
    for (source, message) in [
        (
            "include nosuch::c",
            format!("unknown class `nosuch::c`{undeclared}"),
        ),
        (
            "nosuch::d { 'a': }",
            format!("unknown resource type `nosuch::d`{undeclared}"),
        ),
        (
            "Nosuch::D <| |>",
            format!("unknown resource type `nosuch::d`{undeclared}"),
        ),
        ("nosuch()", "unknown function `nosuch`".to_owned()),
        (
            "notice(Nosuch::D)",
            format!("unknown type `Nosuch::D`{undeclared}"),
        ),
        (
            "notice(template('nosuch/a.erb'))",
            format!("template `nosuch/a.erb` not found{undeclared}"),
        ),
        (
            "notice(file('a', 'b'))",
            "file not found at any of these paths: `a`, `b`".to_owned(),
        ),
    ] {
        let compiled = compile(source, &node());
        let messages: Vec<&str> = compiled.errors.iter().map(|it| &*it.message).collect();
        assert_eq!(messages, [message.as_str()], "{source}");
    }
    for source in [
        "if defined(nosuch::c) { include nosuch::c }",
        "if $facts['nosuch'] { include nosuch::c }",
    ] {
        assert!(compile(source, &node()).errors.is_empty(), "{source}");
    }
}
