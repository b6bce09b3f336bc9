//! The problems of whole catalogs: those of definitions of nodes, and of main manifests.

use std::sync::Arc;

use base::EnvironmentInput;
use hir::autoload::NameKey;
use hir::body::{Reference, ReferenceName, body};
use hir::{Item, ItemKind, canonical_name, is_site, items, resolve};
use infer::NodeVariables;
use salsa::Database;

use super::{
    ClassProblem, ClassProblems, CompiledClass, ProblemKind, find_problems_in, has_node_definitions,
};
use crate::node_groups::{NodeGroup, NodeGroups, groups_in_data};
use crate::node_names::{
    NameSource, NamedNode, made_up_node, nodes_in_data, nodes_of, possible_nodes,
};
use crate::sample_nodes::{SampleNode, anonymous, named, of_any_name, sample_nodes};
use crate::subject::{Mode, Subject};

/// Compiles a definition of a node with the main manifests, for nodes that it is for, and returns the problems of each
/// such node. What facts decide only counts if the same code is wrong for all sample nodes.
#[salsa::tracked]
pub fn node_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    definition: Item<'db>,
) -> ClassProblems {
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
                found.compile_groups(environment, Some(definition), nodes);
            }
        }
    }
    let mut found = found.problems;
    // The node itself counts as one.
    let is_class = |it: &String| resolve::class(db, Some(environment), it).is_ok();
    found.classes.retain(is_class);
    found
}

/// Compiles the main manifests for a node whose name and facts are unknown, and returns the problems of each catalog.
/// Definitions of nodes may add to it. Without any, data may name classes: the nodes that it names are compiled, too.
#[salsa::tracked]
pub fn main_problems(db: &dyn Database, environment: EnvironmentInput) -> ClassProblems {
    if !is_site(db, environment) {
        return ClassProblems::default();
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
        found.compile_groups(environment, None, &nodes);
    }
    found.problems
}

/// Compiles a class that is the role of a node with the main manifests and the definition of the default node, and returns
/// the problems of each node with the role, whatever its name is.
#[salsa::tracked]
pub fn role_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> ClassProblems {
    let name = class.text(db);
    let definition = default_node(db, environment, name);
    let compile = |node: &NodeVariables, _: &[Option<Arc<str>>]| {
        let subject = Subject::Role(name, definition);
        find_problems_in(db, environment, (subject, &of_any_name(node)), Mode::Whole)
    };
    let mut found = WholeCatalogs::new(db, &compile);
    if let Some(node) = made_up_node(db, environment, definition) {
        found.compile_named(&node, None);
    }
    found.problems
}

/// Returns the definition of the default node, unless it includes a class of the module of a role: then other nodes have
/// the role.
fn default_node<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    role: &str,
) -> Option<Item<'db>> {
    let manifests = environment.manifests(db).iter();
    let mut all = manifests.flat_map(|it| items(db, *it)).copied();
    let definition = all.find(|it| it.kind(db) == ItemKind::Node && it.name(db) == "default")?;
    let module = |class: &str| class.split("::").next().map(str::to_owned);
    let is_role = |it: &Reference| match &it.name {
        ReferenceName::Class(name, _) => module(&canonical_name(name)) == module(role),
        _ => false,
    };
    let has_other_role = body(db, definition).references.iter().any(is_role);
    (!has_other_role).then_some(definition)
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
        let compile = |it: &NodeVariables| (self.compile)(&variables_of(node, it), &node.groups);
        let mut samples = sample_nodes(self.db).iter();
        let first = samples.next().map(|it| compile(&it.variables));
        // A catalog without facts has no problems that those with facts lack.
        let is_right = |it: &CompiledClass| it.is_whole() && it.problems.problems.is_empty();
        let first = match first {
            Some(right) if is_right(&right) => return self.add(right.problems, shown),
            first => first,
        };
        let compiled = compile(&NodeVariables::default());
        // Most branches are open without facts, which may take too long for a large catalog.
        let is_valid = compiled.is_valid;
        let on_any_node = compiled.into_problems();
        let known = |it: &ClassProblem| {
            let mut known = self.problems.problems.iter().chain(&on_any_node.problems);
            known.any(|other| other.is_same(it))
        };
        let mut on_sample = None;
        if is_valid {
            on_sample = common_problems_on_samples(self.db, first, &compile, known);
        }
        self.add(on_any_node, shown.clone());
        if let Some((found, sample)) = on_sample {
            let shown = shown.unwrap_or_else(|| Arc::clone(&sample.name));
            self.add(found, Some(shown));
        }
    }

    /// Compiles a node of each group that data is for.
    fn compile_groups(
        &mut self,
        environment: EnvironmentInput,
        definition: Option<Item<'_>>,
        nodes: &[NamedNode],
    ) {
        let groups = groups_in_data(self.db, environment);
        if groups.own.is_empty() {
            return;
        }
        let Some(node) = made_up_node(self.db, environment, definition) else {
            return;
        };
        let mut all = Vec::new();
        for group in &groups.own {
            let found = self.problems_of_group(environment, (&node, group), groups);
            all.extend(found.map(|it| (it, group.label())));
        }
        // Data names nodes of the only group.
        if let [group] = &groups.all[..] {
            for node in nodes {
                let compile = |it: &NodeVariables| self.compile_member(node, &[group], it);
                let known = |it: &ClassProblem| !self.is_new(it);
                let found = common_problems_on_samples(self.db, None, &compile, known);
                all.extend(found.map(|it| (it.0, node.name.clone())));
            }
        }
        for (found, label) in all {
            self.add(found, Some(label.into()));
        }
    }

    /// Returns the problems of all nodes in a group, whatever other groups they are in, even if data names them.
    fn problems_of_group(
        &self,
        environment: EnvironmentInput,
        (node, group): (&NamedNode, &NodeGroup),
        groups: &NodeGroups,
    ) -> Option<ClassProblems> {
        let known = |it: &ClassProblem| !self.is_new(it);
        let compile = |it: &NodeVariables| self.compile_member(node, &[group], it);
        let others = Alternatives {
            nodes: possible_nodes(self.db, environment),
            node,
            group,
            groups: &groups.all,
        };
        let (mut found, sample) = common_problems_on_samples(self.db, None, &compile, known)?;
        others.retain_in_alternatives(&mut found, &|node, groups| {
            self.compile_member(node, groups, &sample.variables)
                .problems
        });
        if group.depends_on_facts() {
            return Some(found);
        }
        // A failure without facts is one of each node.
        let facts = NodeVariables::default();
        let mut failing = compile(&facts).into_problems();
        let is_found = |it: &ClassProblem| found.problems.iter().any(|other| other.is_same(it));
        failing.problems.retain(|it| !known(it) && !is_found(it));
        others.retain_in_alternatives(&mut failing, &|node, groups| {
            self.compile_member(node, groups, &facts).into_problems()
        });
        found.problems.extend(failing.problems);
        Some(found)
    }

    /// Compiles a node that is in some groups.
    fn compile_member(
        &self,
        node: &NamedNode,
        groups: &[&NodeGroup],
        variables: &NodeVariables,
    ) -> CompiledClass {
        let variables = variables_of(node, variables);
        let variables = groups.iter().fold(variables, |it, group| group.member(&it));
        (self.compile)(&variables, &node.groups)
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
        all.classes.extend(found.classes);
        all.defined_types.extend(found.defined_types);
    }
}

/// The variants of a node in a group.
struct Alternatives<'g> {
    /// The nodes that data may name.
    nodes: Vec<NamedNode>,
    /// The node for the group.
    node: &'g NamedNode,
    group: &'g NodeGroup,
    /// All groups in data.
    groups: &'g [NodeGroup],
}

impl Alternatives<'_> {
    /// Keeps the problems that also occur on the other possible nodes of the group and in its combinations with other
    /// groups.
    fn retain_in_alternatives(
        &self,
        found: &mut ClassProblems,
        compile: &dyn Fn(&NamedNode, &[&NodeGroup]) -> ClassProblems,
    ) {
        let groups = self
            .groups
            .iter()
            .filter(|it| !it.has_same_variable(self.group));
        let in_groups = groups.map(|it| (self.node, vec![it, self.group]));
        let named = self.nodes.iter().map(|it| (it, vec![self.group]));
        for (node, groups) in named.chain(in_groups) {
            if found.problems.is_empty() {
                return;
            }
            retain_shared(found, &compile(node, &groups));
        }
    }
}

/// Returns the variables of a node.
fn variables_of(node: &NamedNode, variables: &NodeVariables) -> NodeVariables {
    match node.source {
        NameSource::MadeUp => anonymous(variables, &node.name),
        _ => named(variables, &node.name),
    }
}

/// Compiles code with the facts of the sample nodes. Returns the new problems that occur on every sample node on which
/// the code compiles (or, if there is none, on every sample node), and the first such node. `first` is the result for
/// the first sample node, if it is known.
fn common_problems_on_samples<'db>(
    db: &'db dyn Database,
    mut first: Option<CompiledClass>,
    compile: &dyn Fn(&NodeVariables) -> CompiledClass,
    is_known: impl Fn(&ClassProblem) -> bool,
) -> Option<(ClassProblems, &'db SampleNode)> {
    let mut found: Option<(ClassProblems, &SampleNode, bool)> = None;
    for sample in sample_nodes(db) {
        if matches!(&found, Some((all, _, true)) if all.problems.is_empty()) {
            break;
        }
        let compiled = first.take().unwrap_or_else(|| compile(&sample.variables));
        let is_valid = compiled.is_valid;
        let mut problems = compiled.problems;
        problems.problems.retain(|it| !is_known(it));
        found = Some(match found {
            // Code that fails on a sample node is written for other platforms.
            Some(valid) if valid.2 && !is_valid => valid,
            Some((mut all, first, was_valid)) if was_valid == is_valid => {
                retain_shared(&mut all, &problems);
                (all, first, is_valid)
            }
            _ => (problems, sample, is_valid),
        });
    }
    found.map(|it| (it.0, it.1))
}

/// Keeps the problems that are in `others`, or share a place with one of them.
fn retain_shared(found: &mut ClassProblems, others: &ClassProblems) {
    found.problems.retain_mut(|it| {
        let mut same = others.problems.iter();
        let shared = same.find(|other| other.is_same(it) || other.has_place_of(it));
        // Less may be known on other nodes.
        if let Some(ProblemKind::UnlikelyResource(_)) = shared.map(|it| &it.kind)
            && let ProblemKind::UndeclaredResource(key) = &it.kind
        {
            it.kind = ProblemKind::UnlikelyResource(key.clone());
        }
        shared.is_some()
    });
}

impl CompiledClass {
    /// Checks whether all code was evaluated.
    fn is_whole(&self) -> bool {
        self.is_valid && !self.is_unfinished
    }
}
