//! The node that data is looked up for: its facts, its name, and the variables that they set.

use analysis::ide::NodeVariables;
use analysis::values::{HashValue, Value};

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

    /// Returns the names for which Puppet looks for a node definition: that of the node, and shorter ones.
    pub(crate) fn names(&self) -> Vec<String> {
        let trusted = self.trusted();
        let name = match &trusted {
            Some(Value::Hash(it)) => it.get_str("certname").and_then(Value::as_str),
            _ => None,
        };
        name.map_or_else(Vec::new, |it| vec![it.to_owned()])
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
