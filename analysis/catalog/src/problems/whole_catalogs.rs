//! The problems of whole catalogs: those of definitions of nodes, and of main manifests.

use std::sync::Arc;

use base::EnvironmentInput;
use hir::{Item, resolve};
use infer::NodeVariables;
use salsa::Database;

use super::{
    ClassProblem, ClassProblems, CompiledClass, ProblemKind, find_problems_in, has_node_definitions,
};
use crate::names_of_nodes::{NameSource, NamedNode, nodes_in_data, nodes_of};
use crate::sample_nodes::{anonymous, named, sample_nodes};
use crate::subject::{Mode, Subject};

/// Compiles a definition of a node with the main manifests, for nodes that it is for, and returns the problems of each
/// such node. What facts decide only counts if the same code is wrong for all sample nodes.
#[salsa::tracked]
pub fn node_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    definition: Item<'db>,
) -> Arc<ClassProblems> {
    let compile = |node: &NodeVariables, groups: &[Option<Arc<str>>]| {
        let subject = Subject::Node(definition, groups);
        find_problems_in(db, environment, (subject, node), Mode::Whole)
    };
    let nodes = nodes_of(db, environment, definition);
    let mut found = WholeCatalogs::new(db, &compile);
    match &nodes[..] {
        [only] if only.source == NameSource::Definition => found.compile_named(only, None),
        nodes => {
            if found.compile_any() {
                for node in nodes {
                    let shown = node.shown_name(nodes.len());
                    found.compile_named(node, shown);
                }
            }
        }
    }
    let mut found = found.problems;
    // The node itself counts as one.
    let is_class = |it: &String| resolve::class(db, Some(environment), it).is_ok();
    found.classes.retain(is_class);
    Arc::new(found)
}

/// Compiles the main manifests for a node whose name and facts are unknown, and returns the problems of each catalog.
/// Definitions of nodes may add to it. Without any, data may name classes: the nodes that it names are compiled, too.
#[salsa::tracked]
pub fn main_problems(db: &dyn Database, environment: EnvironmentInput) -> Arc<ClassProblems> {
    if environment.manifests(db).is_empty() {
        return Arc::default();
    }
    let compile = |node: &NodeVariables, _: &[Option<Arc<str>>]| {
        find_problems_in(db, environment, (Subject::Main, node), Mode::Whole)
    };
    let mut found = WholeCatalogs::new(db, &compile);
    let is_valid = found.compile_any();
    if has_node_definitions(db, environment) {
        found.problems.problems.retain(|it| {
            matches!(
                it.kind,
                ProblemKind::Failure(_)
                    | ProblemKind::DuplicateDeclaration(_)
                    | ProblemKind::DependencyCycle(_)
            )
        });
    } else if is_valid {
        let nodes = nodes_in_data(db, environment);
        for node in &nodes {
            found.compile_named(node, node.shown_name(nodes.len()));
        }
    }
    Arc::new(found.problems)
}

/// Compiles code for a node, with the known groups of the regular expression of its definition.
type Compile<'c> = dyn Fn(&NodeVariables, &[Option<Arc<str>>]) -> CompiledClass + 'c;

/// The catalogs of some nodes.
struct WholeCatalogs<'c> {
    db: &'c dyn Database,
    compile: &'c Compile<'c>,
    /// The problems of these nodes.
    problems: ClassProblems,
}

impl<'c> WholeCatalogs<'c> {
    fn new(db: &'c dyn Database, compile: &'c Compile<'c>) -> WholeCatalogs<'c> {
        WholeCatalogs {
            db,
            compile,
            problems: ClassProblems::default(),
        }
    }

    /// Compiles an unknown node, and returns whether all code was evaluated.
    fn compile_any(&mut self) -> bool {
        let compiled = (self.compile)(&NodeVariables::default(), &[]);
        let is_whole = compiled.is_whole();
        self.add(compiled.into_problems(), None);
        is_whole
    }

    /// Compiles a node, without facts and with those of sample nodes. `shown` is its name, if the catalogs of other nodes
    /// may lack its problems.
    fn compile_named(&mut self, node: &NamedNode, shown: Option<Arc<str>>) {
        let compile = |variables: &NodeVariables| {
            let variables = match node.source {
                NameSource::MadeUp => anonymous(variables, &node.name),
                _ => named(variables, &node.name),
            };
            (self.compile)(&variables, &node.groups)
        };
        let compiled = compile(&NodeVariables::default());
        let is_whole = compiled.is_whole();
        let on_any_node = compiled.into_problems();
        let known = |it: &ClassProblem| {
            let mut known = self.problems.problems.iter().chain(&on_any_node.problems);
            known.any(|other| other.is_same(it))
        };
        let mut on_sample = None;
        if is_whole && let [first, others @ ..] = sample_nodes(self.db) {
            let mut found = compile(&first.variables).problems;
            found.problems.retain(|it| !known(it));
            for other in others {
                if found.problems.is_empty() {
                    break;
                }
                let others = compile(&other.variables).problems.problems;
                let is_there = |it: &ClassProblem| {
                    others
                        .iter()
                        .any(|other| other.is_same(it) || other.has_place_of(it))
                };
                found.problems.retain(is_there);
            }
            on_sample = Some((found, Arc::clone(&first.name)));
        }
        self.add(on_any_node, shown.clone());
        if let Some((found, sample)) = on_sample {
            self.add(found, Some(shown.unwrap_or(sample)));
        }
    }

    fn is_new(&self, problem: &ClassProblem) -> bool {
        !self.problems.problems.iter().any(|it| it.is_same(problem))
    }

    /// Adds problems, and the definitions of a catalog.
    fn add(&mut self, found: ClassProblems, node: Option<Arc<str>>) {
        let new = found.problems.into_iter().filter(|it| self.is_new(it));
        let new: Vec<ClassProblem> = new
            .map(|it| ClassProblem {
                node: node.clone(),
                ..it
            })
            .collect();
        let all = &mut self.problems;
        all.problems.extend(new);
        add_new(&mut all.classes, found.classes);
        add_new(&mut all.defined_types, found.defined_types);
    }
}

fn add_new(all: &mut Vec<String>, names: Vec<String>) {
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
}

impl CompiledClass {
    /// Checks whether all code was evaluated.
    fn is_whole(&self) -> bool {
        self.is_valid && !self.is_unfinished
    }
}
