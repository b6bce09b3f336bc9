//! The groups of nodes that data files are for: those with one value of a custom fact or of a certificate extension, such
//! as a role.

use std::sync::Arc;

use base::EnvironmentInput;
use hiera::{Condition, Layer};
use infer::{NodeVariables, layer_files, layer_module};
use salsa::Database;
use types::values::Value;

use crate::node_names::is_name_variable;

/// The maximum number of groups that are compiled.
const MAX_GROUPS: usize = 12;

/// The maximum number of groups in data. Each may lack the problems of another one.
const MAX_ALTERNATIVES: usize = 24;

/// The folder of the extensions in paths to variables.
const EXTENSIONS: &str = "trusted.extensions.";

/// The variables that the server sets.
const SERVER_VARIABLES: [&str; 4] = ["environment", "servername", "serverip", "serverversion"];

/// The nodes on which a variable has one value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NodeGroup {
    variable: GroupVariable,
    value: Arc<str>,
}

/// A variable whose value is the group of a node, such as its role.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum GroupVariable {
    /// A fact that Facter does not define.
    Fact(Arc<str>),
    /// An extension of the certificate.
    Extension(Arc<str>),
}

/// The groups of nodes in data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct NodeGroups {
    /// The groups that are the only condition of a data file, up to [`MAX_GROUPS`].
    pub(crate) own: Vec<NodeGroup>,
    /// All groups for which there are data files.
    pub(crate) all: Vec<NodeGroup>,
}

/// Returns the node groups for which an environment has data files. Empty if a file depends on more than two groups, or
/// on another unknown variable.
#[salsa::tracked]
pub(crate) fn groups_in_data(db: &dyn Database, environment: EnvironmentInput) -> Arc<NodeGroups> {
    let Some(own) = layer_module(db, environment, &Layer::Environment) else {
        return Arc::default();
    };
    let mut groups = NodeGroups::default();
    let files = layer_files(db, own);
    for level in files.values().flat_map(|it| &it.levels) {
        let Some(of_file) = groups_of(&level.conditions) else {
            return Arc::default();
        };
        if level.conditions.len() == 1 {
            groups.own.extend(of_file.iter().cloned());
        }
        groups.all.extend(of_file);
    }
    for found in [&mut groups.own, &mut groups.all] {
        found.sort();
        found.dedup();
    }
    groups.own.truncate(MAX_GROUPS);
    let is_assigned = |it: &NodeGroup| is_assigned(db, environment, it);
    if groups.all.len() > MAX_ALTERNATIVES || groups.all.iter().any(is_assigned) {
        return Arc::default();
    }
    Arc::new(groups)
}

/// Returns the groups of the nodes that read a file; `None` if they are more than two, or it depends on other variables
/// whose values no sample node has.
fn groups_of(conditions: &[Condition]) -> Option<Vec<NodeGroup>> {
    let mut groups = Vec::new();
    for condition in conditions {
        let (Condition::Equals(variable, _)
        | Condition::Contains(variable, _)
        | Condition::Glob(variable)) = condition;
        if has_no_groups(variable) {
            continue;
        }
        let Condition::Equals(variable, value) = condition else {
            return None;
        };
        groups.push(NodeGroup::new(variable, value)?);
    }
    (groups.len() <= 2).then_some(groups)
}

/// Checks whether a variable cannot define a group: it is the name of the node, a fact of Facter, or set by the server.
fn has_no_groups(variable: &str) -> bool {
    let path = variable.trim_start_matches("::");
    let fact = path.strip_prefix("facts.").unwrap_or(path);
    let first = fact.split('.').next().unwrap_or_default();
    is_name_variable(path)
        || library::fact(first).is_some()
        || library::legacy_fact(first).is_some()
        || SERVER_VARIABLES.contains(&first)
}

/// Checks whether main manifests may assign the variable of a group, and then it is not a fact.
fn is_assigned(db: &dyn Database, environment: EnvironmentInput, group: &NodeGroup) -> bool {
    let GroupVariable::Fact(name) = &group.variable else {
        return false;
    };
    let assignment = format!("${name} =");
    let mut manifests = environment.manifests(db).iter();
    manifests.any(|it| {
        it.text(db)
            .as_deref()
            .is_some_and(|it| it.contains(&assignment))
    })
}

impl NodeGroup {
    fn new(variable: &str, value: &str) -> Option<NodeGroup> {
        let path = variable.trim_start_matches("::");
        let is_word = |it: &str| !it.is_empty() && !it.contains(['.', ':']);
        let variable = match path.strip_prefix(EXTENSIONS) {
            Some(name) => is_word(name).then(|| GroupVariable::Extension(name.into()))?,
            None => {
                let name = path.strip_prefix("facts.").unwrap_or(path);
                (is_word(name) && !has_no_groups(path)).then(|| GroupVariable::Fact(name.into()))?
            }
        };
        (!value.is_empty()).then(|| NodeGroup {
            variable,
            value: value.into(),
        })
    }

    /// Returns the text that names the group, such as `role=web`.
    pub(crate) fn label(&self) -> String {
        let (GroupVariable::Fact(name) | GroupVariable::Extension(name)) = &self.variable;
        format!("{name}={}", self.value)
    }

    /// Checks whether facts decide which nodes are in the group.
    pub(crate) fn depends_on_facts(&self) -> bool {
        matches!(self.variable, GroupVariable::Fact(_))
    }

    /// Checks whether two groups have the same variable, so that no node is in both unless they are equal.
    pub(crate) fn has_same_variable(&self, other: &NodeGroup) -> bool {
        self.variable == other.variable
    }

    /// Returns the variables of a node in the group.
    pub(crate) fn member(&self, node: &NodeVariables) -> NodeVariables {
        let mut node = node.clone();
        let value = Value::from(&*self.value);
        match &self.variable {
            GroupVariable::Fact(name) => {
                let facts = node.top_scope.get("facts");
                let facts = with_entry(facts, name, value.clone());
                node.top_scope.insert("facts".to_owned(), facts);
                node.top_scope.insert(name.to_string(), value);
            }
            GroupVariable::Extension(name) => {
                let trusted = node.top_scope.get("trusted");
                let extensions = match trusted {
                    Some(Value::Hash(it)) => it.get_str("extensions"),
                    _ => None,
                };
                let extensions = with_entry(extensions, name, value);
                let trusted = with_entry(trusted, "extensions", extensions);
                node.top_scope.insert("trusted".to_owned(), trusted);
            }
        }
        node
    }
}

/// Returns a hash with one more entry.
fn with_entry(hash: Option<&Value>, key: &str, value: Value) -> Value {
    let entries = match hash {
        Some(Value::Hash(it)) => it.iter().map(|(key, value)| (key.clone(), value.clone())),
        _ => return Value::hash([(key.into(), value)]),
    };
    let others = entries.filter(|it| it.0.as_str() != Some(key));
    Value::hash(others.chain([(key.into(), value)]))
}

#[cfg(test)]
mod tests {
    use super::NodeGroup;

    #[test]
    fn groups_nodes_by_custom_facts_and_extensions() {
        for (variable, expected) in [
            ("trusted.extensions.pp_role", Some("pp_role=web")),
            ("facts.role", Some("role=web")),
            ("::role", Some("role=web")),
            ("facts.os.family", None),
            ("osfamily", None),
            ("facts.networking.fqdn", None),
            ("trusted.certname", None),
            ("environment", None),
            ("facts.a.b", None),
        ] {
            let group = NodeGroup::new(variable, "web").map(|it| it.label());
            assert_eq!(group.as_deref(), expected, "{variable}");
        }
    }
}
