//! The catalogs that a command compiles: of which nodes, from which code, with which facts.

use std::collections::BTreeSet;

use analysis::base::suggest::hint;
use analysis::catalog::{Compilation, CompileRequest};
use analysis::ide::{MissingClass, NodeMatcher, is_class_name};

use crate::args::CatalogSelection;
use crate::fact_sets::FactSet;
use crate::lookup::environment::LoadedEnvironment;
use crate::node::Node;
use crate::terminal::Failure;

/// The code that is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// The main manifests, with the definition of the node.
    Manifests,
    /// `include` of a class.
    Class(String),
    /// Code from the command line.
    Code(String),
}

/// The node that a catalog is for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum NodeName {
    Name(String),
    /// The definition `default`.
    DefaultDefinition,
    /// A node whose name is not given.
    Unnamed,
}

/// A catalog to compile.
#[derive(Clone, Debug)]
pub(crate) struct CatalogRequest<'a> {
    pub(crate) subject: Subject,
    pub(crate) node: NodeName,
    pub(crate) facts: Option<&'a FactSet>,
}

impl CatalogRequest<'_> {
    /// Returns the words for the catalog, without the facts.
    pub(super) fn subject_title(&self) -> String {
        let node = match &self.node {
            NodeName::Name(name) => Some(name.clone()),
            NodeName::DefaultDefinition => Some("default".to_owned()),
            NodeName::Unnamed => None,
        };
        let code = match &self.subject {
            Subject::Manifests => return node.unwrap_or_else(|| "main manifests".to_owned()),
            Subject::Class(name) => format!("class {name}"),
            Subject::Code(_) => "code".to_owned(),
        };
        match node {
            Some(node) => format!("{code} on {node}"),
            None => code,
        }
    }

    /// Returns the words for the catalog.
    pub(crate) fn title(&self) -> String {
        match self.facts {
            Some(set) => format!("{} with facts {}", self.subject_title(), set.name),
            None => self.subject_title(),
        }
    }

    /// Returns the code in place of the main manifests.
    pub(super) fn source(&self) -> Option<String> {
        match &self.subject {
            Subject::Manifests => None,
            Subject::Class(name) => Some(format!("include {name}\n")),
            Subject::Code(code) => Some(code.clone()),
        }
    }

    /// Checks whether the catalog is that of a class.
    pub(super) fn is_of_class(&self) -> bool {
        matches!(self.subject, Subject::Class(_))
    }

    /// Returns the option that contains the code in place of the main manifests.
    pub(super) fn source_name(&self) -> &'static str {
        match &self.subject {
            Subject::Class(_) => "--class",
            Subject::Manifests | Subject::Code(_) => "--code",
        }
    }

    pub(super) fn node(&self) -> Node {
        Node {
            name: match &self.node {
                NodeName::Name(name) => Some(name.clone()),
                NodeName::DefaultDefinition | NodeName::Unnamed => None,
            },
            facts: self.facts.map(|it| it.facts.clone()),
            extensions: None,
            is_typical: self.facts.is_some_and(|it| it.is_built_in),
        }
        .with_own_facts()
    }

    /// Compiles the catalog in an environment, which the node knows by a name.
    pub(super) fn compile(
        &self,
        environment: &LoadedEnvironment,
        name: &str,
    ) -> Result<Compilation, Failure> {
        let node = self.node();
        let source = self.source();
        let names = match self.node {
            NodeName::DefaultDefinition => Vec::new(),
            NodeName::Name(_) | NodeName::Unnamed => node.names(),
        };
        let compiled = environment.compile(&CompileRequest {
            source: source.as_deref(),
            names,
            node: &node.variables(name),
        });
        compiled.map_err(Failure::Message)
    }
}

/// Returns the requests that a user selects, for each fact set.
///
/// # Errors
///
/// If a name is not that of a class, or without any code.
pub(super) fn requests<'a>(
    selection: &CatalogSelection,
    environments: &[&LoadedEnvironment],
    facts: &'a [FactSet],
) -> Result<Vec<CatalogRequest<'a>>, Failure> {
    let subjects = subjects(selection)?;
    check_subjects(&subjects, environments)?;
    let nodes = nodes(selection, environments, &subjects);
    let sets: Vec<Option<&FactSet>> = match facts {
        [] => vec![None],
        sets => sets.iter().map(Some).collect(),
    };
    let mut all = Vec::new();
    for subject in &subjects {
        for node in &nodes {
            all.extend(sets.iter().map(|facts| CatalogRequest {
                subject: subject.clone(),
                node: node.clone(),
                facts: *facts,
            }));
        }
    }
    Ok(all)
}

/// Checks that each class exists in one of the environments, or that they have main manifests.
fn check_subjects(
    subjects: &[Subject],
    environments: &[&LoadedEnvironment],
) -> Result<(), Failure> {
    for subject in subjects {
        let why = match subject {
            Subject::Code(_) => continue,
            Subject::Manifests if environments.iter().any(|it| it.has_main_manifests()) => continue,
            Subject::Manifests => "no main manifest; choose classes with `--class`".to_owned(),
            Subject::Class(name) => {
                let missing: Option<Vec<MissingClass>> = environments
                    .iter()
                    .map(|it| it.missing_class(name))
                    .collect();
                match missing.as_deref() {
                    None => continue,
                    Some([.., MissingClass::IsDefinedType]) => {
                        format!("`{name}` is a defined type, not a class")
                    }
                    Some(_) => {
                        let near = environments.iter().find_map(|it| it.similar_class(name));
                        format!("unknown class `{name}`{}", hint(near.as_deref()))
                    }
                }
            }
        };
        return Err(Failure::Message(why));
    }
    Ok(())
}

/// Reads the fact sets that a user selects.
pub(super) fn selected_facts(
    selection: &CatalogSelection,
    environment: &LoadedEnvironment,
) -> Result<Vec<FactSet>, Failure> {
    let sets = environment.fact_sets();
    let read = selection.facts.iter().map(|it| sets.read(it));
    Ok(read.collect::<Result<_, _>>()?)
}

fn subjects(selection: &CatalogSelection) -> Result<Vec<Subject>, Failure> {
    if let Some(code) = &selection.code {
        return Ok(vec![Subject::Code(code.clone())]);
    }
    if selection.class.is_empty() {
        return Ok(vec![Subject::Manifests]);
    }
    let subject = |name: &String| match is_class_name(name.strip_prefix("::").unwrap_or(name)) {
        true => Ok(Subject::Class(name.clone())),
        false => Err(Failure::Message(format!("invalid class name `{name}`"))),
    };
    selection.class.iter().map(subject).collect()
}

/// Returns the nodes: those of the user, or those that the main manifests name.
fn nodes(
    selection: &CatalogSelection,
    environments: &[&LoadedEnvironment],
    subjects: &[Subject],
) -> Vec<NodeName> {
    if !selection.node.is_empty() {
        return selection.node.iter().cloned().map(NodeName::Name).collect();
    }
    if subjects != [Subject::Manifests] {
        return vec![NodeName::Unnamed];
    }
    let matchers = environments.iter().flat_map(|it| it.node_matchers());
    let names = matchers.filter_map(|it| match it {
        NodeMatcher::Name(name) => Some(NodeName::Name(name)),
        NodeMatcher::Default => Some(NodeName::DefaultDefinition),
        NodeMatcher::Regex(_) => None,
    });
    let names: BTreeSet<NodeName> = names.collect();
    let is_without_definitions = || environments.iter().all(|it| it.node_matchers().is_empty());
    match names.is_empty() && is_without_definitions() {
        true => vec![NodeName::Unnamed],
        false => names.into_iter().collect(),
    }
}

/// Returns the regular expressions of node definitions, whose nodes must be named by the user.
pub(super) fn node_patterns(environment: &LoadedEnvironment) -> Vec<String> {
    let matchers = environment.node_matchers().into_iter();
    let patterns = matchers.filter_map(|it| match it {
        NodeMatcher::Regex(regex) => Some(regex),
        NodeMatcher::Name(_) | NodeMatcher::Default => None,
    });
    patterns.collect()
}
