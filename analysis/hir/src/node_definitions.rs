//! The nodes that the main manifests of an environment define.

use base::EnvironmentInput;
use salsa::Database;
use syntax::SyntaxNode;
use syntax::ast::{AstNode, HostName, NodeDefinition};

use crate::{ItemKind, items};

/// The nodes that a node definition is for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, salsa::SalsaValue)]
pub enum NodeMatcher {
    /// The node with a name.
    Name(String),
    /// The nodes whose names match a regular expression.
    Regex(String),
    /// All other nodes.
    Default,
}

impl NodeMatcher {
    fn new(source: &str) -> NodeMatcher {
        let quoted = |quote: char| source.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(name) = quoted('\'').or_else(|| quoted('"')) {
            NodeMatcher::Name(name.to_owned())
        } else if let Some(regex) = quoted('/') {
            NodeMatcher::Regex(regex.to_owned())
        } else if source == "default" {
            NodeMatcher::Default
        } else {
            NodeMatcher::Name(source.to_owned())
        }
    }
}

/// Returns the nodes that a definition is for, in source order.
pub fn matchers_of(definition: &NodeDefinition) -> impl Iterator<Item = NodeMatcher> + use<> {
    definition.host_names().map(|it| matcher_of(&it))
}

/// Returns the nodes that one name of a definition is for.
pub fn matcher_of(name: &HostName) -> NodeMatcher {
    NodeMatcher::new(name.syntax().text().to_string().trim())
}

/// Checks whether an environment is a site: it has main manifests, which are part of the catalog of each node.
pub fn is_site(db: &dyn Database, environment: EnvironmentInput) -> bool {
    !environment.manifests(db).is_empty()
}

/// Returns the nodes of the definitions in the main manifests, in source order.
pub fn node_matchers(db: &dyn Database, environment: EnvironmentInput) -> Vec<NodeMatcher> {
    let files = environment.manifests(db).iter();
    let items = files.flat_map(|file| items(db, *file));
    let nodes = items.filter(|it| it.kind(db) == ItemKind::Node);
    // Edits of their bodies do not matter.
    let headers = nodes.map(|it| SyntaxNode::new_root(it.header(db).clone()));
    let definitions = headers.filter_map(NodeDefinition::cast);
    definitions.flat_map(|it| matchers_of(&it)).collect()
}

#[cfg(test)]
mod tests {
    use super::NodeMatcher;

    #[test]
    fn reads_names_of_nodes() {
        let name = |it: &str| NodeMatcher::Name(it.to_owned());
        for (source, expected) in [
            ("'web1.example.com'", name("web1.example.com")),
            ("\"web1\"", name("web1")),
            ("web1.example.com", name("web1.example.com")),
            ("/^web\\d/", NodeMatcher::Regex("^web\\d".to_owned())),
            ("default", NodeMatcher::Default),
            ("'default'", name("default")),
        ] {
            assert_eq!(NodeMatcher::new(source), expected);
        }
    }
}
