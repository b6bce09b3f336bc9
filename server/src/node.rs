//! The node that data is looked up for: its facts, its name, and the variables that they set.

use analysis::catalog::renamed_facts;
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
    /// The trusted extensions; `None` for those in the facts. Without any, they are unknown.
    pub(crate) extensions: Option<HashValue>,
    /// Whether the facts are those of a typical node: others may have custom facts.
    pub(crate) is_typical: bool,
}

impl Node {
    /// Renames the facts to the name of the node, if they are those of another host: facts are often recorded once for many
    /// nodes of a platform.
    #[must_use]
    pub(crate) fn with_own_facts(mut self) -> Node {
        if let (Some(name), Some(facts)) = (&self.name, &self.facts) {
            let host = |it: &str| it.split('.').next().map(str::to_owned);
            if host_of(facts).and_then(host) != host(name) {
                self.facts = Some(renamed_facts(facts, name));
            }
        }
        self
    }

    /// Returns the variables in top scope.
    pub(crate) fn variables(&self, environment: &str) -> NodeVariables {
        let mut variables = NodeVariables {
            is_complete: self.facts.is_some(),
            unknown: SET_BY_SERVER.into(),
            is_typical: self.is_typical,
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
        let mut trusted: Vec<(Value, Value)> = vec![
            ("authenticated".into(), "remote".into()),
            ("certname".into(), name.as_str().into()),
            ("domain".into(), domain.into()),
            ("hostname".into(), host.into()),
        ];
        let in_facts = || self.facts.as_ref().and_then(extensions_in);
        if let Some(extensions) = self.extensions.clone().or_else(in_facts) {
            trusted.push(("extensions".into(), Value::Hash(extensions)));
            trusted.push(("external".into(), Value::hash([])));
        }
        Some(Value::hash(trusted))
    }
}

/// Returns the trusted extensions in facts: PuppetDB has `$trusted` as one of them.
fn extensions_in(facts: &HashValue) -> Option<HashValue> {
    let Value::Hash(trusted) = facts.get_str("trusted")? else {
        return None;
    };
    match trusted.get_str("extensions")? {
        Value::Hash(extensions) => Some(extensions.clone()),
        _ => None,
    }
}

/// Returns the name of the host in facts.
fn host_of(facts: &HashValue) -> Option<&str> {
    let networking = match facts.get_str("networking") {
        Some(Value::Hash(it)) => it.get_str("fqdn"),
        _ => None,
    };
    let names = [
        facts.get_str("clientcert"),
        facts.get_str("fqdn"),
        networking,
    ];
    names.into_iter().flatten().find_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use analysis::values::{HashValue, Value};

    use super::Node;
    use crate::built_in_facts::recorded;

    /// Returns the facts `fqdn`, `networking.fqdn` and `networking.hostname` of a node.
    fn names(name: &str, facts: HashValue) -> [Value; 3] {
        let node = Node {
            name: Some(name.to_owned()),
            facts: Some(facts),
            ..Node::default()
        };
        let facts = node.with_own_facts().facts.expect("facts");
        let networking = |name: &str| match facts.get_str("networking") {
            Some(Value::Hash(it)) => it.get_str(name).cloned(),
            _ => None,
        };
        let found = [
            facts.get_str("fqdn").cloned(),
            networking("fqdn"),
            networking("hostname"),
        ];
        found.map(|it| it.unwrap_or(Value::Undef))
    }

    #[test]
    fn trusted_extensions_are_those_in_the_facts() {
        let extensions_of = |facts: HashValue| {
            let node = Node {
                facts: Some(facts),
                ..Node::default()
            };
            match node.trusted() {
                Some(Value::Hash(it)) => it.get_str("extensions").cloned(),
                _ => None,
            }
        };
        assert_eq!(extensions_of([].into_iter().collect()), None);
        let extensions = Value::hash([("pp_role".into(), "web".into())]);
        let trusted = Value::hash([("extensions".into(), extensions.clone())]);
        let facts = [("trusted".into(), trusted)].into_iter().collect();
        assert_eq!(extensions_of(facts), Some(extensions));
    }

    #[test]
    fn facts_follow_the_name_of_the_node() {
        let facts = recorded("debian12").expect("a set of facts");
        let [_, fqdn, host] = names("web1.example.org", facts);
        assert_eq!([fqdn, host], ["web1.example.org".into(), "web1".into()]);
        // The facts are those of the host, whose certificate has a shorter name.
        let facts = [("fqdn".into(), "web1.prod.example.org".into())];
        let [fqdn, ..] = names("web1", facts.into_iter().collect());
        assert_eq!(fqdn, "web1.prod.example.org".into());
    }
}
