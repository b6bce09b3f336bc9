//! The names of the nodes that a definition is compiled for: those that it lists, those that data files have, or else
//! names that its regular expression matches.

use std::sync::Arc;

use base::EnvironmentInput;
use hiera::{Condition, Layer};
use hir::{Item, NodeMatcher, NodeSelector, matchers_of, node_matchers};
use infer::{LayerFile, layer_files, layer_module};
use salsa::Database;
use syntax::ast::{AstNode, NodeDefinition};
use syntax::regex::{Anchor, CharSet, CharSetKind, Class, ClassItem, Node, NodeId, Tree, parse};
use types::values::Regexp;

/// The maximum number of nodes that a definition is compiled for.
const MAX_NAMES: usize = 8;

/// The maximum number of alternatives of a regular expression.
const MAX_ALTERNATIVES: usize = 3;

/// The maximum number of repetitions in a name.
const MAX_REPETITIONS: u32 = 16;

/// The variables that hold the full name of the node. A data path that interpolates one of them is per node.
const FULL_NAMES: [&str; 7] = [
    "trusted.certname",
    "clientcert",
    "facts.clientcert",
    "fqdn",
    "facts.fqdn",
    "networking.fqdn",
    "facts.networking.fqdn",
];

/// The variables that hold the name of the node without the domain.
const HOST_NAMES: [&str; 5] = [
    "trusted.hostname",
    "hostname",
    "facts.hostname",
    "networking.hostname",
    "facts.networking.hostname",
];

/// Parts of the names of folders for the data of nodes.
const NODE_FOLDERS: [&str; 7] = [
    "certname", "client", "fqdn", "host", "machine", "node", "server",
];

/// A node that a node definition matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedNode {
    pub(crate) name: String,
    pub(crate) source: NameSource,
    /// The capture groups of the regular expression that match the same text in both example names; `None` for the
    /// others.
    pub(crate) groups: Vec<Option<Arc<str>>>,
}

/// Where the name of a node comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameSource {
    /// The definition lists it.
    Definition,
    /// A data file is for the node.
    Data,
    /// It is one of those that the definition matches.
    MadeUp,
}

/// Returns nodes that a definition is for.
pub(crate) fn nodes_of(
    db: &dyn Database,
    environment: EnvironmentInput,
    definition: Item<'_>,
) -> Vec<NamedNode> {
    let Some(syntax) = NodeDefinition::cast(definition.syntax(db)) else {
        return Vec::new();
    };
    let own = matchers_of(&syntax);
    let nodes = own.flat_map(|matcher| match matcher {
        NodeMatcher::Name(name) => {
            vec![NamedNode::new(name.to_lowercase(), NameSource::Definition)]
        }
        pattern => nodes_of_pattern(db, environment, &pattern, &syntax),
    });
    nodes.take(MAX_NAMES).collect()
}

/// Returns a made-up node that a definition is for; without a definition, any node.
pub(crate) fn made_up_node(
    db: &dyn Database,
    environment: EnvironmentInput,
    definition: Option<Item<'_>>,
) -> Option<NamedNode> {
    let Some(definition) = definition else {
        return examples(&NodeMatcher::Default, &|_| true)
            .into_iter()
            .next();
    };
    let syntax = NodeDefinition::cast(definition.syntax(db))?;
    let own: Vec<NodeMatcher> = matchers_of(&syntax).collect();
    let selector = node_selector(db, environment);
    let is_own = |name: &str| selector.select(name).is_some_and(|it| own.contains(it));
    let mut patterns = own.iter().filter(|it| !matches!(it, NodeMatcher::Name(_)));
    patterns.find_map(|it| examples(it, &is_own).into_iter().next())
}

/// Returns nodes for a regular expression or the default of a definition.
fn nodes_of_pattern(
    db: &dyn Database,
    environment: EnvironmentInput,
    pattern: &NodeMatcher,
    definition: &NodeDefinition,
) -> Vec<NamedNode> {
    // Files of nodes whose definitions are unknown may be for those of this one.
    let is_open = |it: &&DataNode| it.name.is_none() || it.matcher.as_ref() == Some(pattern);
    let mut in_data = data_nodes(db, environment)
        .iter()
        .filter(is_open)
        .peekable();
    if in_data.peek().is_some() {
        let certain = in_data.filter(|it| it.is_certain);
        let names = certain.filter_map(|it| it.name.clone());
        return names.map(NamedNode::of_data).collect();
    }
    let own: Vec<NodeMatcher> = matchers_of(definition).collect();
    let selector = node_selector(db, environment);
    let is_own = |name: &str| selector.select(name).is_some_and(|it| own.contains(it));
    examples(pattern, &is_own)
}

/// Returns the nodes of the definitions in the main manifests.
#[salsa::tracked]
fn all_matchers(db: &dyn Database, environment: EnvironmentInput) -> Vec<NodeMatcher> {
    node_matchers(db, environment)
}

/// Returns the selector of these definitions.
#[salsa::tracked(no_eq)]
fn node_selector(db: &dyn Database, environment: EnvironmentInput) -> NodeSelector<NodeMatcher> {
    let all = all_matchers(db, environment).iter().cloned();
    NodeSelector::new(all.map(|it| (it.clone(), it)))
}

/// A node that a data file is for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct DataNode {
    /// The name in its certificate; `None` if its domain is unknown.
    name: Option<String>,
    /// The matcher of the definition that Puppet selects for it.
    matcher: Option<NodeMatcher>,
    /// Whether the file is certainly meant for a node.
    is_certain: bool,
}

/// Returns the nodes that data files of an environment are for, with their definitions.
#[salsa::tracked]
fn data_nodes(db: &dyn Database, environment: EnvironmentInput) -> Vec<DataNode> {
    let all = all_matchers(db, environment);
    let selector = node_selector(db, environment);
    let names = names_in_data(db, environment).iter();
    let nodes = names.map(|it| {
        let name = certificate_name(it, all);
        let matcher = name.as_deref().and_then(|it| selector.select(it));
        DataNode {
            matcher: matcher.cloned(),
            is_certain: it.is_certain,
            name,
        }
    });
    nodes.collect()
}

/// Returns the nodes for which there are data files, up to [`MAX_NAMES`].
pub(crate) fn nodes_in_data(db: &dyn Database, environment: EnvironmentInput) -> Vec<NamedNode> {
    let names = names_in_data(db, environment).iter();
    let names = names.filter(|it| it.is_certain);
    let names = names.filter_map(|it| certificate_name(it, &[]));
    names.map(NamedNode::of_data).take(MAX_NAMES).collect()
}

/// Returns the nodes that data files may be for, whatever their definitions.
pub(crate) fn possible_nodes(db: &dyn Database, environment: EnvironmentInput) -> Vec<NamedNode> {
    let names = names_in_data(db, environment).iter();
    let names = names.filter_map(|it| certificate_name(it, &[]));
    names.map(NamedNode::of_data).take(MAX_NAMES).collect()
}

impl NamedNode {
    fn new(name: String, source: NameSource) -> NamedNode {
        NamedNode {
            name,
            source,
            groups: Vec::new(),
        }
    }

    fn of_data(name: String) -> NamedNode {
        NamedNode::new(name, NameSource::Data)
    }

    /// Returns the name, unless it is made up for the only one of a number of nodes.
    pub(crate) fn shown_name(&self, count: usize) -> Option<Arc<str>> {
        (self.source != NameSource::MadeUp || count > 1).then(|| self.name.as_str().into())
    }
}

/// The name of a node in the path of a data file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct NameInData {
    name: Arc<str>,
    /// Whether it lacks the domain.
    is_host: bool,
    /// Whether the file is certainly meant for a node. Others may be where a level would read those of a node:
    /// `users.yaml` next to `common.yaml`.
    is_certain: bool,
}

/// Returns the names of the nodes that data files of an environment are for: those whose path has the name of the node
/// as its only variable.
#[salsa::tracked]
fn names_in_data(db: &dyn Database, environment: EnvironmentInput) -> Arc<[NameInData]> {
    let Some(own) = layer_module(db, environment, &Layer::Environment) else {
        return Arc::default();
    };
    let files = layer_files(db, own);
    let mut names: Vec<NameInData> = files.values().filter_map(name_of_node).collect();
    names.sort();
    names.dedup();
    names.into()
}

/// Checks whether a variable contains the name of the node or a part of it.
pub(crate) fn is_name_variable(path: &str) -> bool {
    FULL_NAMES.contains(&path) || HOST_NAMES.contains(&path) || path.ends_with("domain")
}

/// Returns the name of the only node that reads a file.
fn name_of_node(file: &LayerFile) -> Option<NameInData> {
    let mut names = file.levels.iter().map(|it| {
        let [Condition::Equals(variable, name)] = &it.conditions[..] else {
            return None;
        };
        let variable = variable.trim_start_matches("::");
        let is_host = HOST_NAMES.contains(&variable);
        (is_host || FULL_NAMES.contains(&variable)).then(|| NameInData {
            name: name.as_str().into(),
            is_host,
            is_certain: false,
        })
    });
    let name = names.next()??;
    let is_only = names.all(|it| it.as_ref() == Some(&name));
    let is_valid = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || ".-_".contains(it);
    let is_valid = is_only && name.name.chars().all(is_valid);
    is_valid.then(|| NameInData {
        is_certain: name.name.contains('.') || is_for_nodes(&file.path),
        ..name
    })
}

/// Checks whether a data file is in a folder for those of nodes.
fn is_for_nodes(path: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("", |it| it.0);
    let name = folder.rsplit('/').next().unwrap_or_default();
    NODE_FOLDERS.iter().any(|it| name.contains(it))
}

/// Returns the name in the certificate of a node. The domain of a host is that of the definition that names it, or else
/// made up, unless regular expressions may match it.
fn certificate_name(name: &NameInData, all: &[NodeMatcher]) -> Option<String> {
    let host = &*name.name;
    if !name.is_host {
        return Some(host.to_owned());
    }
    let is_of_host = |it: &str| it.split_once('.').is_some_and(|it| it.0 == host);
    let mut known = all.iter().filter_map(|it| match it {
        NodeMatcher::Name(it) => Some(it.to_lowercase()).filter(|it| is_of_host(it)),
        _ => None,
    });
    let has_patterns = || all.iter().any(|it| matches!(it, NodeMatcher::Regex(_)));
    known
        .next()
        .or_else(|| (!has_patterns()).then(|| format!("{host}.example.com")))
}

/// Makes up nodes for a regular expression or the default.
fn examples(pattern: &NodeMatcher, is_own: &dyn Fn(&str) -> bool) -> Vec<NamedNode> {
    let NodeMatcher::Regex(source) = pattern else {
        let name = Variant::First.names("").into_iter().find(|it| is_own(it));
        let node = name.map(|it| NamedNode::new(it, NameSource::MadeUp));
        return node.into_iter().collect();
    };
    let Ok(tree) = parse(source) else {
        return Vec::new();
    };
    let texts = |variant| {
        Examples {
            tree: &tree,
            variant,
        }
        .strings_of(tree.root())
    };
    let (Some(first), Some(second)) = (texts(Variant::First), texts(Variant::Second)) else {
        return Vec::new();
    };
    let regexp = Regexp::new(source);
    let pairs = first.iter().zip(&second).filter_map(|(first, second)| {
        let is_wanted = |it: &String| regexp.is_match(it) == Ok(true) && is_own(it);
        let name = |variant: Variant, text| variant.names(text).into_iter().find(is_wanted);
        let (name, other) = (name(Variant::First, first)?, name(Variant::Second, second)?);
        Some(NamedNode {
            groups: common_groups(&regexp, [&name, &other]),
            ..NamedNode::new(name, NameSource::MadeUp)
        })
    });
    pairs.collect()
}

/// Returns the groups that have the same text in both names.
fn common_groups(regexp: &Regexp, names: [&str; 2]) -> Vec<Option<Arc<str>>> {
    let groups = names.map(|it| regexp.captures(it).ok().flatten().map(|it| it.groups));
    let [Some(first), Some(second)] = groups else {
        return Vec::new();
    };
    let pairs = first.into_iter().zip(second);
    pairs
        .map(|(a, b)| a.filter(|it| Some(it) == b.as_ref()))
        .collect()
}

/// Which of two example names to generate. Capture groups that differ between them vary from node to node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    First,
    Second,
}

impl Variant {
    fn of<T>(self, first: T, second: T) -> T {
        match self {
            Variant::First => first,
            Variant::Second => second,
        }
    }

    /// Returns names of hosts that contain a string: the most typical one first.
    fn names(self, text: &str) -> Vec<String> {
        let host = self.of("node1", "host2");
        let text = match text.chars().next() {
            None | Some('.' | '-') => format!("{host}{text}"),
            Some(_) => text.to_owned(),
        };
        let with_domain = match text.contains('.') {
            true => None,
            false => Some(format!(
                "{text}{}",
                self.of(".example.com", "2.example.org")
            )),
        };
        let with_number = (self == Variant::Second).then(|| format!("{text}2"));
        let mut names: Vec<String> = with_domain.into_iter().chain(with_number).collect();
        names.push(text);
        names
    }
}

/// Strings that an expression matches.
struct Examples<'a> {
    tree: &'a Tree,
    variant: Variant,
}

impl Examples<'_> {
    /// Returns a string for each alternative; `None` if there are too many, or the expression is too complex.
    fn strings_of(&self, id: NodeId) -> Option<Vec<String>> {
        let one = |it: char| Some(vec![it.to_string()]);
        let empty = || Some(vec![String::new()]);
        match self.tree.node(id) {
            Node::Empty | Node::Look { .. } => empty(),
            Node::Char(it) => one(it.to_ascii_lowercase()),
            Node::Dot => one('.'),
            Node::Set(set) => one(self.of_set(set)?),
            Node::Class(class) => one(self.of_class(class)?),
            Node::Anchor(Anchor::Keep | Anchor::SearchStart) => None,
            Node::Anchor(_) => empty(),
            Node::List(children) => {
                let mut all = vec![String::new()];
                for child in self.tree.children(children) {
                    let next = self.strings_of(*child)?;
                    let pairs = all
                        .iter()
                        .flat_map(|a| next.iter().map(move |b| format!("{a}{b}")));
                    all = pairs.collect();
                    if all.len() > MAX_ALTERNATIVES {
                        return None;
                    }
                }
                Some(all)
            }
            Node::Alternatives(children) => {
                let children = self.tree.children(children).iter();
                let all: Option<Vec<Vec<String>>> =
                    children.map(|it| self.strings_of(*it)).collect();
                all.map(|it| it.concat())
                    .filter(|it| it.len() <= MAX_ALTERNATIVES)
            }
            Node::Repeat {
                target,
                lower,
                upper,
                ..
            } => {
                let count = lower.max(1).min(upper.unwrap_or(u32::MAX));
                if matches!(self.tree.node(target), Node::Dot) {
                    let text = self
                        .variant
                        .of("x", "y")
                        .repeat(usize::try_from(count).ok()?);
                    return (count <= MAX_REPETITIONS).then(|| vec![text]);
                }
                if count > MAX_REPETITIONS {
                    return None;
                }
                let once = self.strings_of(target)?;
                let texts = once.iter().map(|it| it.repeat(count as usize));
                Some(texts.collect())
            }
            Node::Capture { target, .. } | Node::Options { target, .. } => self.strings_of(target),
            Node::Atomic(target) => self.strings_of(target),
            Node::LineBreak
            | Node::Grapheme
            | Node::Absent(_)
            | Node::Condition(_)
            | Node::Backref(_)
            | Node::Call(_) => None,
        }
    }

    fn of_set(&self, set: CharSet) -> Option<char> {
        if set.negated {
            return Some(self.variant.of('x', 'y'));
        }
        match set.kind {
            CharSetKind::Digit | CharSetKind::Posix("digit") => Some(self.variant.of('1', '2')),
            CharSetKind::Word
            | CharSetKind::HexDigit
            | CharSetKind::Posix("alnum" | "alpha" | "lower" | "word" | "xdigit") => {
                Some(self.variant.of('a', 'b'))
            }
            _ => None,
        }
    }

    fn of_class(&self, class: Class) -> Option<char> {
        let items = self.tree.class_items(class);
        let items = match items {
            [ClassItem::Open { negated: true }, ..] => return Some(self.variant.of('x', 'y')),
            [
                ClassItem::Open { negated: false },
                items @ ..,
                ClassItem::Close,
            ] => items,
            _ => return None,
        };
        let mut found = Vec::new();
        for item in items {
            match item {
                ClassItem::Char(it) => found.push(it.to_ascii_lowercase()),
                ClassItem::Range('0', '9') => found.extend(['1', '2']),
                ClassItem::Range(first, last) => found.extend((*first..=*last).take(2)),
                ClassItem::Set(set) => found.push(self.of_set(*set)?),
                ClassItem::Open { .. } | ClassItem::Close | ClassItem::And => return None,
            }
        }
        let second = found.get(1).or_else(|| found.first());
        self.variant.of(found.first(), second).copied()
    }
}

#[cfg(test)]
mod tests {
    use hir::NodeMatcher;

    use super::examples;

    #[test]
    fn makes_up_names_that_match() {
        for (source, expected) in [
            (r"^web\d+\.example\.com$", &["web1.example.com"][..]),
            ("^web", &["web.example.com web"]),
            (
                "^(web|db)[0-9]+",
                &["web1.example.com - web", "db1.example.com - db"],
            ),
            (r"\.example\.net$", &["node1.example.net .example.net"]),
            (r"lin\d?.node.consul", &["lin1.node.consul"]),
            ("^a1$", &["a1 a1"]),
            ("^(?!db)([a-z]+)-x", &["a-x.example.com"]),
            ("(a|b|c)(d|e)", &[]),
            (r"(a)\1", &[]),
            ("^a{30}", &[]),
            ("^WEB", &[]),
        ] {
            let found = examples(&NodeMatcher::Regex(source.to_owned()), &|_| true);
            let found = found.into_iter().map(|it| {
                let groups = it.groups.iter().map(|it| it.as_deref().unwrap_or("-"));
                let all: Vec<&str> = std::iter::once(&*it.name).chain(groups).collect();
                all.join(" ").trim_end_matches(" -").to_owned()
            });
            let found: Vec<String> = found.collect();
            assert_eq!(found, expected, "{source}");
        }
    }
}
