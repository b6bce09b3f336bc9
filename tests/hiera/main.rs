//! Lookups and YAML against recordings of the real Hiera.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::{FileId, FileSpec};
use analysis::hiera::{Answer, DataFile, DataFormat, Layer, RootValue};
use analysis::ide::{LookupQuery, NodeVariables};
use analysis::values;
use analysis::{Analysis, AnalysisHost, Change};
use pupil_tests::facts::{self, value};
use pupil_tests::recordings;
use serde::Deserialize;
use serde_json::Value as Json;

/// A generated repository with lookups.
#[derive(Deserialize)]
struct Repository {
    files: BTreeMap<String, String>,
    requests: Vec<Request>,
}

#[derive(Deserialize)]
struct Request {
    lookup: String,
    facts: String,
    roles: Json,
    merge: Option<Json>,
    answer: Recorded,
}

#[derive(Deserialize)]
struct Recorded {
    found: Option<bool>,
    value: Option<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    error: bool,
}

/// A scalar, and how Ruby reads it.
#[derive(Deserialize)]
struct RecordedScalar {
    text: String,
    value: Option<String>,
}

fn recording(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hiera/recordings");
    folder.join(name)
}

/// Returns a snapshot with the files, and a file of the environment.
fn load(files: &BTreeMap<String, String>) -> (Analysis, FileId) {
    let mut host = AnalysisHost::default();
    let mut paths = Vec::new();
    for (index, (path, text)) in files.iter().enumerate() {
        let file = FileId(u32::try_from(index).expect("there are few files"));
        paths.push(match path.starts_with("modules/") {
            true => (path.clone(), file),
            false => (format!("modules/environment/{path}"), file),
        });
        host.apply_change(Change::SetFile {
            file,
            spec: FileSpec::default(),
            text: text.as_str().into(),
        });
    }
    let paths = paths.iter().map(|(path, file)| (path.as_str(), *file));
    host.apply_change(Change::SetWorkspace(Arc::new(fixture::layout(paths))));
    (host.analysis(), FileId(0))
}

/// Returns the variables of a node, as the recording has them.
fn node(request: &Request) -> NodeVariables {
    let mut facts = facts::host(&request.facts);
    facts.insert("roles".to_owned(), request.roles.clone());
    let name = facts.get("fqdn").and_then(Json::as_str);
    let name = name.unwrap_or("node1.example.com");
    let trusted = serde_json::json!({
        "authenticated": "remote", "certname": name, "domain": "example.com",
        "extensions": {}, "external": {}, "hostname": "node1",
    });
    let mut variables = NodeVariables {
        is_complete: true,
        ..NodeVariables::default()
    };
    for (name, fact) in &facts {
        variables.top_scope.insert(name.clone(), value(fact));
    }
    let others = [
        ("facts", value(&facts.into())),
        ("trusted", value(&trusted)),
        ("environment", "env".into()),
    ];
    for (name, value) in others {
        variables.top_scope.insert(name.to_owned(), value);
    }
    variables
}

/// Compares a lookup with the recorded one, and describes the difference.
fn difference(analysis: &Analysis, file: FileId, request: &Request) -> Option<String> {
    let query = LookupQuery {
        keys: vec![request.lookup.clone()],
        merge: request.merge.as_ref().map(value),
        node: node(request),
        explain: true,
        code: None,
    };
    let full_path = |layer: &Layer, path: &str| match layer {
        Layer::Environment => format!("/{path}"),
        Layer::Module(module) => format!("/modules/{module}/{path}"),
    };
    let answers = analysis.look_up(file, &query, &full_path)?;
    let found = answers.into_iter().next()?;
    let recorded = &request.answer;
    let files = || -> Vec<String> {
        let text = found.explanation.as_ref().map(ToString::to_string);
        found_files(&text.unwrap_or_default())
    };
    let is_same = match &found.answer {
        Answer::Found(value) => {
            recorded.found == Some(true)
                && values::source(value) == recorded.value
                && files() == recorded.files
        }
        Answer::NotFound => recorded.found == Some(false),
        Answer::Error(_) => recorded.error,
        Answer::Unknown(_) => false,
    };
    (!is_same).then(|| format!("{}: {:?}", request.lookup, found.answer))
}

/// Returns the files of an explanation in which a key was found.
fn found_files(explanation: &str) -> Vec<String> {
    let lines: Vec<&str> = explanation.lines().map(str::trim_start).collect();
    let path = |line: &str| Some(line.strip_prefix("Path \"")?.strip_suffix('"')?.to_owned());
    let files = lines.windows(3).filter_map(|lines| {
        let is_found = lines[1].starts_with("Original path: ") && lines[2].starts_with("Found key");
        path(lines[0]).filter(|_| is_found)
    });
    files.collect()
}

#[test]
fn lookups_are_those_of_hiera() {
    let repositories: Vec<Repository> =
        recordings::read(&recording("lookups.jsonl.gz")).expect("the recording is readable");
    let mut lookups = 0;
    let mut differences = Vec::new();
    for repository in &repositories {
        let (analysis, file) = load(&repository.files);
        for request in &repository.requests {
            lookups += 1;
            differences.extend(difference(&analysis, file, request));
        }
    }
    assert!(lookups >= 2000, "{lookups} lookups");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn scalars_are_those_of_ruby() {
    let scalars: Vec<RecordedScalar> =
        recordings::read(&recording("scalars.jsonl.gz")).expect("the recording is readable");
    assert!(scalars.len() >= 500, "{} scalars", scalars.len());
    let mut differences = Vec::new();
    for scalar in &scalars {
        let text = format!("x: {}\n", scalar.text);
        let values = DataFile::parse(&text, DataFormat::Yaml).values;
        let value = values.ok().and_then(|it| it.get("x").cloned());
        let ours = match value {
            Some(RootValue::Value(value)) => values::source(&value),
            // An integer of more than 64 bits has no value, but is not refused either.
            Some(RootValue::Unsupported(_)) => continue,
            Some(RootValue::Rejected(_)) | None => None,
        };
        if ours != scalar.value {
            differences.push(format!(
                "{:?}: {ours:?} instead of {:?}",
                scalar.text, scalar.value
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
