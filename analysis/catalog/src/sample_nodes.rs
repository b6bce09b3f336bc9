//! Sample nodes: those for which classes are compiled when the user names none.

use std::sync::Arc;

use infer::NodeVariables;
use salsa::{Database, Durability, Setter};
use types::values::{HashValue, Value};

/// A node with typical facts.
#[derive(Clone, Debug)]
pub struct SampleNode {
    /// The name of its fact set.
    pub name: Arc<str>,
    /// The name of its platform, such as `Debian 12`.
    pub platform: Arc<str>,
    pub variables: NodeVariables,
}

/// The sample nodes, the most typical one first.
#[salsa::input(singleton)]
struct SampleNodesInput {
    #[returns(ref)]
    nodes: Vec<SampleNode>,
}

/// Sets the sample nodes of a database. Without any, classes are compiled for nodes without known facts
/// only.
pub fn set_sample_nodes(db: &mut impl Database, nodes: Vec<SampleNode>) {
    match SampleNodesInput::try_get(db) {
        Some(known) => {
            known
                .set_nodes(db)
                .with_durability(Durability::HIGH)
                .to(nodes);
        }
        None => {
            let input = SampleNodesInput::builder(nodes).durability(Durability::HIGH);
            // The database keeps the only input of this kind.
            let _ = input.new(db);
        }
    }
}

pub(crate) fn sample_nodes(db: &dyn Database) -> &[SampleNode] {
    SampleNodesInput::try_get(db).map_or(&[], |it| it.nodes(db))
}

/// Returns the variables of a node with this name. Its trusted extensions are unknown.
pub(crate) fn named(variables: &NodeVariables, name: &str) -> NodeVariables {
    let names = names_of(name);
    let name_of = |key: &str| Some(Value::from(names.iter().find(|it| it.0 == key)?.1));
    let mut variables = variables.clone();
    for (key, value) in &mut variables.top_scope {
        *value = match name_of(key) {
            Some(name) => name,
            None if matches!(key.as_str(), "facts" | "networking") => renamed(value, &name_of),
            None => continue,
        };
    }
    let of_certificate = names
        .into_iter()
        .filter(|it| !matches!(it.0, "clientcert" | "fqdn"));
    let remote = ("authenticated", "remote");
    let trusted = of_certificate.chain([remote]);
    let trusted = trusted.map(|(key, value)| (key.into(), value.into()));
    let trusted = Value::hash(trusted);
    variables.top_scope.insert("trusted".to_owned(), trusted);
    variables
}

/// Returns the facts of a node with this name that is otherwise like another one.
#[must_use]
pub fn renamed_facts(facts: &HashValue, name: &str) -> HashValue {
    let names = names_of(name);
    let name_of = |key: &str| Some(Value::from(names.iter().find(|it| it.0 == key)?.1));
    renamed_entries(facts, &name_of)
}

/// Returns the parts of the name of a node by the names of the facts and of the elements of `$trusted`.
fn names_of(name: &str) -> [(&'static str, &str); 5] {
    let (host, domain) = name.split_once('.').unwrap_or((name, ""));
    [
        ("certname", name),
        ("clientcert", name),
        ("domain", domain),
        ("fqdn", name),
        ("hostname", host),
    ]
}

/// The variables with names of the node, or with what is particular to it.
const NAMES: [&str; 7] = [
    "clientcert",
    "domain",
    "fqdn",
    "hostname",
    "ipaddress",
    "networking",
    "trusted",
];

/// Returns the variables of a node with this name, which data sees, but code does not.
pub(crate) fn anonymous(variables: &NodeVariables, name: &str) -> NodeVariables {
    let mut variables = named(variables, name);
    variables.unknown.extend(NAMES);
    variables
}

/// Returns the variables of a node that may have any name, and the data for it.
pub(crate) fn of_any_name(variables: &NodeVariables) -> NodeVariables {
    let mut variables = variables.clone();
    variables.top_scope.remove("trusted");
    variables.unknown.push("trusted");
    variables
}

/// Replaces the names of the node in facts.
fn renamed(facts: &Value, name_of: &impl Fn(&str) -> Option<Value>) -> Value {
    match facts {
        Value::Hash(entries) => Value::Hash(renamed_entries(entries, name_of)),
        _ => facts.clone(),
    }
}

fn renamed_entries(entries: &HashValue, name_of: &impl Fn(&str) -> Option<Value>) -> HashValue {
    let entries = entries.iter().map(|(key, value)| {
        let name = key.as_str().and_then(name_of);
        let value = match key.as_str() {
            Some("networking") => renamed(value, name_of),
            _ => name.unwrap_or_else(|| value.clone()),
        };
        (key.clone(), value)
    });
    entries.collect()
}
