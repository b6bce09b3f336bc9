//! The nodes whose catalogs are compiled.

use std::sync::LazyLock;

use analysis::catalog::SampleNode;
use analysis::ide::NodeVariables;
use analysis::values::Value;
use pupil_tests::facts::{host, value};

/// The name of each node.
pub const NAME: &str = "node1.example.com";

/// The sample nodes. Reading facts takes longer than most compilations.
static SAMPLES: LazyLock<Vec<SampleNode>> = LazyLock::new(|| {
    let samples = [("debian12", "Debian 12"), ("redhat9", "Red Hat 9")];
    let samples = samples.map(|(name, platform)| SampleNode {
        name: name.into(),
        platform: platform.into(),
        variables: variables_of(Some(name)),
    });
    samples.into()
});

/// Returns the sample nodes.
pub fn sample_nodes() -> Vec<SampleNode> {
    SAMPLES.clone()
}

/// Returns the variables of a node whose facts are unknown.
pub fn unknown_node() -> NodeVariables {
    variables_of(None)
}

/// Returns the variables of a node, with the facts of a set.
fn variables_of(facts: Option<&str>) -> NodeVariables {
    let mut node = NodeVariables {
        is_complete: facts.is_some(),
        unknown: vec!["server_facts", "serverversion"],
        ..NodeVariables::default()
    };
    if let Some(facts) = facts.map(host) {
        let known = facts.iter().map(|(name, it)| (name.clone(), value(it)));
        node.top_scope.extend(known);
        node.top_scope
            .insert("facts".to_owned(), value(&facts.into()));
    }
    let trusted = [
        ("authenticated", Value::from("remote")),
        ("certname", NAME.into()),
        ("domain", "example.com".into()),
        ("extensions", Value::hash([])),
        ("hostname", "node1".into()),
    ];
    let trusted = trusted.map(|(key, it)| (key.into(), it));
    let names = [
        ("name", "main"),
        ("title", "main"),
        ("module_name", ""),
        ("environment", "production"),
    ];
    let names = names.map(|(key, it)| (key.to_owned(), Value::from(it)));
    node.top_scope.extend(names);
    node.top_scope
        .insert("trusted".to_owned(), Value::hash(trusted));
    node
}
