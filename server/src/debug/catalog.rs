//! `pupil debug catalog`: looks keys up in Hiera data.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use analysis::hiera::Answer;
use analysis::ide::{LookupAnswer, LookupQuery};
use analysis::values::{self, HashValue};
use serde::Deserialize;
use serde_json::{Value, json};

use super::json_lines;
use crate::args::DebugCatalogArgs;
use crate::fact_sets::with_legacy_facts;
use crate::facts;
use crate::lookup::environment::LoadedEnvironment;
use crate::node::Node;
use crate::terminal::Failure;

/// A request of a line.
#[derive(Deserialize)]
struct CatalogRequest {
    environment: Option<PathBuf>,
    node: Option<String>,
    facts: Option<Value>,
    extensions: Option<Value>,
    lookup: Option<Keys>,
    merge: Option<Value>,
    #[serde(default)]
    explain: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Several(Vec<String>),
}

/// Returns the facts of a set of Pupil, or in a file.
fn read_facts(name_or_path: &str) -> Result<HashValue, Failure> {
    let known = with_legacy_facts(name_or_path);
    known.map_or_else(|| facts::read(Path::new(name_or_path)), Ok)
}

/// Answers each line of standard input with a JSON line.
pub(super) fn run(arguments: &DebugCatalogArgs) -> Result<ExitCode, Failure> {
    let answerer = Answerer {
        arguments,
        facts: read_facts(&arguments.facts)?,
        environments: Mutex::default(),
    };
    json_lines::answer_each(&|line| answerer.answer(line))?;
    Ok(ExitCode::SUCCESS)
}

/// Answers requests, and keeps the environments that it has read.
struct Answerer<'a> {
    arguments: &'a DebugCatalogArgs,
    facts: HashValue,
    environments: Mutex<HashMap<PathBuf, LoadedEnvironment>>,
}

impl Answerer<'_> {
    fn answer(&self, line: &str) -> Value {
        let (id, request): (Value, CatalogRequest) = match json_lines::request(line) {
            Ok(request) => request,
            Err(answer) => return answer,
        };
        let Some(keys) = &request.lookup else {
            return json!({"id": id, "ok": null, "why": "catalogs are not compiled yet"});
        };
        let keys = match keys {
            Keys::One(key) => vec![key.clone()],
            Keys::Several(keys) => keys.clone(),
        };
        match self.look_up(&request, keys) {
            Ok(answers) => json!({"id": id, "ok": true, "lookup": answers}),
            Err(problem) => json_lines::invalid_input(&id, problem),
        }
    }

    fn look_up(&self, request: &CatalogRequest, keys: Vec<String>) -> Result<Value, String> {
        let folder = request.environment.as_ref();
        let folder = folder.or(self.arguments.environment.as_ref());
        let folder = folder.ok_or("no environment")?;
        let environment = self.environment(folder);
        let node = Node {
            name: request.node.clone(),
            facts: Some(self.facts_of(request)?),
            extensions: request.extensions.as_ref().and_then(facts::from_json),
        };
        let query = LookupQuery {
            keys,
            merge: request.merge.as_ref().map(facts::value),
            node: node.variables(&environment.name()),
            explain: request.explain,
        };
        let answers = environment.look_up(&query)?;
        let answers = query.keys.iter().zip(&answers);
        let answers = answers.map(|(key, answer)| (key.clone(), shown(answer)));
        Ok(Value::Object(answers.collect()))
    }

    fn facts_of(&self, request: &CatalogRequest) -> Result<HashValue, String> {
        match &request.facts {
            None | Some(Value::Null) => Ok(self.facts.clone()),
            Some(Value::String(name)) => {
                with_legacy_facts(name).ok_or_else(|| format!("unknown facts `{name}`"))
            }
            Some(facts) => facts::from_json(facts).ok_or_else(|| "facts must be an object".into()),
        }
    }

    fn environment(&self, folder: &Path) -> LoadedEnvironment {
        let known = self.environments.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        let environment = known.entry(folder.to_owned()).or_insert_with(|| {
            let version = self.arguments.release.into();
            let modulepath = &self.arguments.modulepath;
            LoadedEnvironment::load(folder, modulepath, version)
        });
        environment.clone()
    }
}

fn shown(answer: &LookupAnswer) -> Value {
    let mut object = match &answer.answer {
        Answer::Found(value) => json!({"found": true, "value": values::source(value)}),
        Answer::NotFound => json!({"found": false}),
        Answer::Error(message) => json!({"error": message}),
        Answer::Unknown(why) => json!({"found": null, "why": why}),
    };
    if let Some(explanation) = &answer.explanation {
        object["explanation"] = explanation.to_string().into();
    }
    object
}
