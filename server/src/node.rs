//! The node that data is looked up for: its facts, its name, and the variables that they set.

use std::path::Path;

use analysis::ide::NodeVariables;
use analysis::values::{HashValue, Value};

use crate::facts;
use crate::terminal::Failure;

/// The fact sets that Pupil has, by name.
const FACT_SETS: [(&str, &str); 4] = [
    ("centos7", include_str!("../fact_sets/centos7.json")),
    ("debian12", include_str!("../fact_sets/debian12.json")),
    ("minimal", include_str!("../fact_sets/minimal.json")),
    ("redhat8", include_str!("../fact_sets/redhat8.json")),
];

/// The name of a node whose facts have none.
const DEFAULT_NAME: &str = "node1.example.com";

/// Variables that the server sets.
const SET_BY_SERVER: [&str; 5] = [
    "server_facts",
    "serverip",
    "serverip6",
    "servername",
    "serverversion",
];

/// A node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: Option<String>,
    pub(crate) facts: Option<HashValue>,
    /// The trusted extensions.
    pub(crate) extensions: Option<HashValue>,
}

impl Node {
    /// Returns the variables in top scope.
    pub(crate) fn variables(&self, environment: &str) -> NodeVariables {
        let mut variables = NodeVariables {
            is_complete: self.facts.is_some(),
            unknown: SET_BY_SERVER.into(),
            ..NodeVariables::default()
        };
        let mut set = |name: &str, value: Value| {
            variables.top_scope.insert(name.to_owned(), value);
        };
        if let Some(facts) = &self.facts {
            for (name, value) in facts.iter() {
                if let Some(name) = name.as_str() {
                    set(name, value.clone());
                }
            }
            set("facts", Value::Hash(facts.clone()));
        }
        set("environment", environment.into());
        for (name, value) in [("name", "main"), ("title", "main"), ("module_name", "")] {
            set(name, value.into());
        }
        set("caller_module_name", Value::Undef);
        if let Some(trusted) = self.trusted() {
            set("trusted", trusted);
        }
        variables
    }

    /// Returns `$trusted` of a node with a name.
    fn trusted(&self) -> Option<Value> {
        let of_facts = |it: &HashValue| it.get_str("fqdn")?.as_str().map(str::to_owned);
        let default = || self.facts.is_some().then(|| DEFAULT_NAME.to_owned());
        let name = self.name.clone();
        let name = name.or_else(|| self.facts.as_ref().and_then(of_facts));
        let name = name.or_else(default)?;
        let (host, domain) = name.split_once('.').unwrap_or((&name, ""));
        let empty = || Value::hash([]);
        let extensions = self.extensions.clone().map_or_else(empty, Value::Hash);
        Some(Value::hash([
            ("authenticated".into(), "remote".into()),
            ("certname".into(), name.as_str().into()),
            ("domain".into(), domain.into()),
            ("extensions".into(), extensions),
            ("external".into(), empty()),
            ("hostname".into(), host.into()),
        ]))
    }
}

/// Returns the fact sets that Pupil has, by name.
pub(crate) fn built_in_facts() -> Vec<(String, HashValue)> {
    let sets = FACT_SETS.iter();
    let sets = sets.filter_map(|(name, text)| Some(((*name).to_owned(), of_set(text)?)));
    sets.collect()
}

fn of_set(text: &str) -> Option<HashValue> {
    facts::from_json(&serde_json::from_str(text).ok()?)
}

/// Returns the facts with the name of a set, or in a JSON or YAML file.
pub(crate) fn read_facts(name_or_path: &str) -> Result<HashValue, Failure> {
    let path = Path::new(name_or_path);
    if path.is_file() {
        return facts::read(path);
    }
    let set = FACT_SETS.iter().find(|it| it.0 == name_or_path);
    set.and_then(|it| of_set(it.1)).ok_or_else(|| {
        let names: Vec<&str> = FACT_SETS.iter().map(|it| it.0).collect();
        Failure::Message(format!(
            "cannot find facts `{name_or_path}`: expected a file or one of {}",
            names.join(", ")
        ))
    })
}
