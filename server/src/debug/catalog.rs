//! `pupil debug catalog`: compiles catalogs, and looks keys up in Hiera data.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use analysis::FileId;
use analysis::catalog::{self, Catalog, CompileRequest, Place, ResourceKey};
use analysis::hiera::Answer;
use analysis::ide::{LookupAnswer, LookupQuery};
use analysis::values::{self, HashValue};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use syntax::ast::{AstNode, ResourceBody};
use syntax::{Dialect, Parse};

use super::json_lines;
use crate::args::DebugCatalogArgs;
use crate::built_in_facts::recorded;
use crate::catalog::json::unknown_edges;
use crate::facts;
use crate::lookup::environment::LoadedEnvironment;
use crate::node::Node;
use crate::terminal::Failure;

/// A request of a line.
#[derive(Deserialize)]
struct CatalogRequest {
    environment: Option<PathBuf>,
    source: Option<String>,
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
    let known = recorded(name_or_path);
    let read = || facts::read(Path::new(name_or_path)).map_err(Failure::Message);
    known.map_or_else(read, Ok)
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
            return match self.compile(&request) {
                Ok(answer) => with_id(id, answer),
                Err(problem) => json_lines::invalid_input(&id, problem),
            };
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
        let environment = self.environment_of(request)?;
        let node = self.node_of(request)?;
        let query = LookupQuery {
            keys,
            merge: request.merge.as_ref().map(facts::value),
            node: node.variables(&environment.name()),
            explain: request.explain,
            code: None,
        };
        let answers = environment.look_up(&query)?;
        let answers = query.keys.iter().zip(&answers);
        let answers = answers.map(|(key, answer)| (key.clone(), shown(answer)));
        Ok(Value::Object(answers.collect()))
    }

    fn compile(&self, request: &CatalogRequest) -> Result<Value, String> {
        let environment = self.environment_of(request)?;
        let node = self.node_of(request)?;
        let variables = node.variables(&environment.name());
        let compiled = environment.compile(&CompileRequest {
            source: request.source.as_deref(),
            names: node.names(),
            node: &variables,
        })?;
        Ok(match compiled.into_result() {
            Ok(catalog) => described(
                &catalog,
                &Lines::new(&environment, request.source.as_deref()),
            ),
            Err(error) => json!({"ok": false, "error": error.message}),
        })
    }

    fn environment_of(&self, request: &CatalogRequest) -> Result<LoadedEnvironment, String> {
        let folder = request.environment.as_ref();
        let folder = folder.or(self.arguments.environment.as_ref());
        let folder = folder.or(self.arguments.modulepath.first());
        Ok(self.environment(folder.ok_or("no environment")?))
    }

    fn node_of(&self, request: &CatalogRequest) -> Result<Node, String> {
        let extensions = request.extensions.as_ref().and_then(facts::from_json);
        let extensions = extensions.unwrap_or_else(|| [].into_iter().collect());
        Ok(Node {
            name: request.node.clone(),
            facts: Some(self.facts_of(request)?),
            extensions: Some(extensions),
            is_typical: false,
        })
    }

    fn facts_of(&self, request: &CatalogRequest) -> Result<HashValue, String> {
        match &request.facts {
            None | Some(Value::Null) => Ok(self.facts.clone()),
            Some(Value::String(name)) => read_facts(name).map_err(|problem| match problem {
                Failure::Message(message) => message,
                _ => format!("unknown facts `{name}`"),
            }),
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

fn with_id(id: Value, mut answer: Value) -> Value {
    answer["id"] = id;
    answer
}

/// Describes a catalog.
fn described(catalog: &Catalog, lines: &Lines<'_>) -> Value {
    let resources = catalog.resources.iter().map(|(key, resource)| {
        let parameters = resource.parameters.iter().map(|(name, it)| {
            let value = it.value.as_ref().ok().and_then(catalog::source);
            (name.clone(), value.map_or(Value::Null, Value::String))
        });
        let parameters: Map<String, Value> = parameters.collect();
        let mut described = json!({
            "ref": key.puppet_name(),
            "certain": resource.is_certain,
            "parameters": parameters,
        });
        if let Some(container) = &resource.container {
            described["container"] = container.puppet_name().into();
        }
        if let Some((path, line)) = resource.place.and_then(|it| lines.of_declaration(it)) {
            described["file"] = path.into();
            described["line"] = line.into();
        }
        if resource.is_virtual {
            described["virtual"] = true.into();
        }
        if resource.is_exported {
            described["exported"] = true.into();
        }
        described
    });
    let mut resources: Vec<Value> = resources.collect();
    resources.sort_by_key(|it| it["ref"].to_string());
    let gaps = catalog.gaps.iter().chain(&catalog.conditions);
    let gaps = gaps.map(|gap| {
        let (file, line) = gap.place.and_then(|it| lines.of_start(it)).unzip();
        json!({"file": file, "line": line, "why": gap.why})
    });
    let mut classes = catalog.classes.clone();
    classes.sort_unstable();
    json!({
        "ok": true,
        "resources": resources,
        "classes": classes,
        "edges": edges(catalog),
        "unknown_edges": catalog.unknown_edges.iter().map(unknown_edges).collect::<Vec<_>>(),
        "cycles": cycles(catalog),
        "complete": catalog.is_complete(),
        "unknown": gaps.collect::<Vec<_>>(),
    })
}

/// Describes the dependencies between resources that contain no others.
fn edges(catalog: &Catalog) -> Vec<[String; 3]> {
    let edges = catalog.plain_edges().map(|it| {
        let kind = it.kind.as_str().to_owned();
        [it.from.puppet_name(), it.to.puppet_name(), kind]
    });
    let mut edges: Vec<[String; 3]> = edges.collect();
    edges.sort_unstable();
    edges
}

/// Describes the dependency cycles.
fn cycles(catalog: &Catalog) -> Vec<Vec<String>> {
    let cycles = catalog.cycles.iter().map(|it| {
        let members = catalog.plain_members(it);
        members.map(ResourceKey::puppet_name).collect()
    });
    cycles.collect()
}

/// The lines of places in the files of an environment, and in the code of a request.
struct Lines<'a> {
    environment: &'a LoadedEnvironment,
    source: Option<Arc<str>>,
    source_tree: Option<Parse>,
}

impl<'a> Lines<'a> {
    fn new(environment: &'a LoadedEnvironment, source: Option<&str>) -> Lines<'a> {
        Lines {
            environment,
            source: source.map(Arc::from),
            source_tree: source.map(|it| syntax::parse(it, Dialect::default())),
        }
    }

    fn text(&self, file: Option<FileId>) -> Option<Arc<str>> {
        match file {
            Some(file) => self.environment.text(file),
            None => self.source.clone(),
        }
    }

    /// Returns the path and line of the declaration of a resource. In Puppet, all resources of an expression have the line
    /// of its start.
    fn of_declaration(&self, place: Place) -> Option<(String, usize)> {
        let tree = match place.file {
            Some(file) => self.environment.parse(file),
            None => self.source_tree.clone(),
        };
        let body = tree.and_then(|it| {
            let found = it.syntax().covering_element(place.range).into_node()?;
            ResourceBody::cast(found).filter(|it| it.syntax().text_range() == place.range)
        });
        let expr = body.and_then(|it| it.syntax().parent());
        let range = expr.map_or(place.range, |it| it.text_range());
        self.of_start(Place { range, ..place })
    }

    /// Returns the path and line of the start of a place. The code of a request has no path.
    fn of_start(&self, place: Place) -> Option<(String, usize)> {
        let start = usize::from(place.range.start());
        let line = self.text(place.file)?.get(..start)?.matches('\n').count() + 1;
        let path = match place.file {
            Some(file) => self.environment.path(file)?.display().to_string(),
            None => String::new(),
        };
        Some((path, line))
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
