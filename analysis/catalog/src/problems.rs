//! The problems of a class in any catalog that includes it.

mod early_lookups;
mod platforms;
mod refused_resources;
mod refused_values;
mod whole_catalogs;

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{EnvironmentInput, FileId, FileInput};
use eval::Issue;
use hir::autoload::NameKey;
use hir::{ItemKind, canonical_name, is_site, items};
use indexmap::IndexSet;
use infer::{ENVIRONMENT_MODULE, NodeVariables, TypeProblemKind, hiera_config};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use salsa::Database;
use syntax::TextRange;

use crate::class_sharing::Copies;
use crate::data::{Compilation, CompileErrorKind, Cycle, Edge, Place, ResourceKey};
use crate::open_types::open_types;
use crate::parameter_binding::is_missing_parameter;
use crate::sample_nodes::sample_nodes;
use crate::subject::{Mode, Subject, SubjectRequest};
use crate::values::class_key;

pub use platforms::{problems_on_system, sample_systems};
pub use refused_resources::unqualified_program;
pub use whole_catalogs::{main_problems, node_problems, role_problems};

/// A range in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProblemPlace {
    pub file: FileInput,
    pub range: TextRange,
}

/// The kind of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// A resource is declared twice.
    DuplicateDeclaration(ResourceKey),
    /// A relationship, an override or `realize` refers to a resource that the class does not declare.
    UndeclaredResource(ResourceKey),
    /// A reference to a resource that is only declared if a title of which hardly anything is known is the wanted one.
    UnlikelyResource(ResourceKey),
    /// A relationship refers to a virtual resource that the class does not realize.
    UnrealizedResource(ResourceKey),
    /// Another class declares the resource that is overridden.
    ForeignOverride(ResourceKey),
    /// The overridden parameter of a resource is set already.
    RepeatedOverride(ResourceKey, String),
    /// `defined` looks for a resource before it is declared.
    EarlyDefined(ResourceKey),
    /// An attribute of a resource is read before it is declared.
    EarlyRead(ResourceKey),
    /// Resources depend on each other, along this way.
    DependencyCycle(Vec<ResourceKey>),
    /// An attribute of the resource refuses a value that is passed through a defined type or class.
    RefusedValue(ResourceKey, TypeProblemKind),
    /// Two attributes of the resource are mutually exclusive, and one is passed through a defined type.
    ConflictingAttributes(ResourceKey, [String; 2]),
    /// The program of an `exec` is not an absolute path, and no path to search is set.
    UnqualifiedCommand(ResourceKey, String),
    /// The evaluation of the class fails with the default values of its parameters. Contains Puppet's message.
    Failure(String),
}

impl ProblemKind {
    /// Checks whether the code that declares an instance of a defined type usually provides the missing resource.
    fn may_be_elsewhere(&self, is_site: bool) -> bool {
        match self {
            ProblemKind::UndeclaredResource(key) => !is_site || key.type_name == "Class",
            ProblemKind::UnrealizedResource(_) => true,
            _ => false,
        }
    }
}

/// A problem because of which Puppet or the agent rejects every catalog with a certain class or instance of a defined
/// type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassProblem {
    pub kind: ProblemKind,
    /// The place to blame, and others that explain the problem: the first one of two declarations, the declaration whose
    /// arguments let code fail, those that pass on a value, or the other relationships of a cycle.
    pub places: Vec<ProblemPlace>,
    /// The class with the duplicate declaration, in its own code or in an instance of a defined type.
    pub container: Option<String>,
    /// The declarations of the defined types around each duplicate declaration, from the inside out.
    pub instances: Vec<Vec<ProblemPlace>>,
    /// The places that declare the classes with the duplicate declarations.
    pub classes: Vec<ProblemPlace>,
    /// The call of the failing function or template in the code of a class, defined type or node.
    pub call: Option<ProblemPlace>,
    /// The sample node on which it occurs; `None` if it occurs on each node.
    pub node: Option<Arc<str>>,
}

impl ClassProblem {
    fn new(kind: ProblemKind, places: Vec<ProblemPlace>) -> ClassProblem {
        ClassProblem {
            kind,
            places,
            container: None,
            instances: Vec::new(),
            classes: Vec::new(),
            call: None,
            node: None,
        }
    }

    /// Returns the place to blame.
    #[must_use]
    pub fn blamed_place(&self) -> Option<&ProblemPlace> {
        self.places.first()
    }

    /// Returns the declaration of the instance or class whose code fails.
    #[must_use]
    pub fn failing_declaration(&self) -> Option<&ProblemPlace> {
        self.places.get(1)
    }

    /// Returns the place that sets an attribute to a value which other code passes on.
    #[must_use]
    pub fn attribute_place(&self) -> Option<&ProblemPlace> {
        self.places.last()
    }

    /// Checks whether another problem is about some of the same code.
    fn has_place_of(&self, other: &ClassProblem) -> bool {
        self.places.iter().any(|it| other.places.contains(it))
    }

    fn is_undeclared(&self) -> bool {
        matches!(self.kind, ProblemKind::UndeclaredResource(_))
    }

    /// Checks whether two problems are the same, whatever the node, and whichever of two declarations comes first.
    #[must_use]
    pub fn is_same(&self, other: &ClassProblem) -> bool {
        let is_swapped = || match (&self.kind, &self.places[..], &other.places[..]) {
            (ProblemKind::DuplicateDeclaration(_), [a, b], [c, d]) => a == d && b == c,
            _ => false,
        };
        self.kind == other.kind && (self.places == other.places || is_swapped())
    }
}

/// Names in the order in which a compilation finds them.
pub type Names = IndexSet<String, FxBuildHasher>;

/// The problems of a class or defined type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassProblems {
    pub problems: Vec<ClassProblem>,
    /// The classes that it declares, and those that these declare, by their canonical names.
    pub classes: Names,
    /// The defined types that it and these have instances of, by their canonical names.
    pub defined_types: Names,
    /// The types of resources that it may declare with any title, by their canonical names.
    pub open_types: BTreeSet<String>,
    /// The name of the sample node for which it was compiled; `None` for nodes without known facts.
    node: Option<Arc<str>>,
    /// Whether its parameters have their default values.
    has_defaults: bool,
}

impl ClassProblems {
    /// Checks whether the compilation includes a class or has instances of a defined type.
    #[must_use]
    pub fn includes(&self, kind: ItemKind, canonical_name: &str) -> bool {
        match kind {
            ItemKind::Class => self.classes.contains(canonical_name),
            ItemKind::DefinedType => self.defined_types.contains(canonical_name),
            _ => false,
        }
    }
}

/// Compiles a class with its default parameters, for the first of the sample nodes on which it compiles or else for
/// nodes without known facts, and returns its problems. They may depend on the node or on the parameters:
/// [`confirmed_problem`] decides that for those that matter.
#[salsa::tracked]
pub fn class_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> ClassProblems {
    let name = class.text(db);
    let (node, compiled) =
        match compile_on_first_valid_sample(db, |it| find_problems(db, environment, name, it)) {
            SampleOutcome::Compiled(node, compiled) => (node, compiled),
            SampleOutcome::Failed(on_any_node) => return on_any_node.into_problems(),
        };
    let mut found = compiled.problems;
    found.node = Some(Arc::clone(node));
    if compiled.has_failed {
        let subject = (Subject::Class(name), &NodeVariables::default());
        let on_any_node = find_problems_in(db, environment, subject, Mode::Part);
        found.problems.extend(on_any_node.failure);
    }
    found
}

/// Compiles an instance of a defined type with an unknown title and unknown parameters, and returns its problems. Uses
/// the first sample node on which it compiles, or else no facts. Other code may include the classes that the instance
/// refers to, and declare resources whose names depend on its title or parameters.
#[salsa::tracked]
pub fn defined_type_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> ClassProblems {
    let name = name.text(db);
    let compile = |it: &NodeVariables| find_problems_of_instance(db, environment, name, it);
    let (node, compiled) = match compile_on_first_valid_sample(db, compile) {
        SampleOutcome::Compiled(node, compiled) => (node, compiled),
        SampleOutcome::Failed(on_any_node) => return on_any_node.problems,
    };
    let mut found = compiled.problems;
    found.node = Some(Arc::clone(node));
    found
}

/// Returns the problems of a class or defined type on nodes without known facts, which occur on each node.
#[salsa::tracked]
fn problems_on_any_node<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: NameKey<'db>,
) -> ClassProblems {
    let (name, node) = (name.text(db), NodeVariables::default());
    if kind == ItemKind::DefinedType {
        return find_problems_of_instance(db, environment, name, &node).problems;
    }
    find_problems(db, environment, name, &node).into_problems()
}

/// Returns a problem of a class or defined type with the node on which it occurs; `None` if it is a missing resource
/// that only the default parameters lead to.
#[must_use]
pub fn confirmed_problem<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    (kind, name): (ItemKind, NameKey<'db>),
    problem: &ClassProblem,
) -> Option<ClassProblem> {
    let compiled = match kind {
        ItemKind::Class => class_problems(db, environment, name),
        ItemKind::DefinedType => defined_type_problems(db, environment, name),
        _ => return Some(problem.clone()),
    };
    if compiled.has_defaults
        && problem.is_undeclared()
        && !takes_all_parameters(db, environment)
        && !contains_problem(
            &problems_with_any_parameters(db, environment, name).problems,
            problem,
        )
    {
        return None;
    }
    let occurs_everywhere = || {
        contains_problem(
            &problems_on_any_node(db, environment, kind, name).problems,
            problem,
        )
    };
    let node = compiled.node.clone().filter(|_| !occurs_everywhere());
    Some(ClassProblem {
        node,
        ..problem.clone()
    })
}

/// Checks whether a problem is among others.
fn contains_problem(problems: &[ClassProblem], problem: &ClassProblem) -> bool {
    problems.iter().any(|it| it.is_same(problem))
}

/// Returns the problems that a class has regardless of its parameters, on the node for which `class_problems` compiles
/// it with default values. These may be the titles of resources that it does not declare.
#[salsa::tracked]
fn problems_with_any_parameters<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> ClassProblems {
    let compiled = class_problems(db, environment, class);
    let mut samples = sample_nodes(db).iter();
    let sample = samples.find(|it| compiled.node.as_ref() == Some(&it.name));
    let any_node = NodeVariables::default();
    let node = sample.map_or(&any_node, |it| &it.variables);
    let subject = (Subject::Class(class.text(db)), node);
    let found = find_problems_in(db, environment, subject, Mode::ParameterizedPart);
    found.into_problems()
}

/// Checks whether a class fails in this way regardless of its parameters.
#[must_use]
pub fn fails_with_any_parameters<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
    failure: &ClassProblem,
) -> bool {
    let found = problems_with_any_parameters(db, environment, class);
    contains_problem(&found.problems, failure)
}

/// Checks whether a class fails in this way on each node, whatever parameters the code of the environment sets, with
/// default values of the others.
#[must_use]
pub fn fails_as_declared<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
    failure: &ClassProblem,
) -> bool {
    let found = failure_as_declared(db, environment, class);
    found.as_ref().is_some_and(|it| it.is_same(failure))
}

/// Returns the failure of a class that occurs whatever parameters the code of the environment sets.
#[salsa::tracked]
fn failure_as_declared<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> Option<ClassProblem> {
    let any_node = NodeVariables::default();
    let subject = (Subject::Class(class.text(db)), &any_node);
    find_problems_in(db, environment, subject, Mode::DeclaredPart).failure
}

/// The result of code on the sample nodes.
enum SampleOutcome<'db> {
    /// The name of the first one on which it compiles, and its result there.
    Compiled(&'db Arc<str>, CompiledClass),
    /// It fails on every sample node. Contains its result for nodes without known facts.
    Failed(CompiledClass),
}

/// Compiles code for the sample nodes, until it succeeds. Code that fails without known facts fails on every node.
fn compile_on_first_valid_sample(
    db: &dyn Database,
    compile: impl Fn(&NodeVariables) -> CompiledClass,
) -> SampleOutcome<'_> {
    let mut on_any_node = None;
    for sample in sample_nodes(db) {
        let compiled = compile(&sample.variables);
        if compiled.is_valid {
            return SampleOutcome::Compiled(&sample.name, compiled);
        }
        let on_any_node = on_any_node.get_or_insert_with(|| compile(&NodeVariables::default()));
        if !on_any_node.is_valid {
            break;
        }
    }
    SampleOutcome::Failed(on_any_node.unwrap_or_else(|| compile(&NodeVariables::default())))
}

/// Checks whether the main manifests of an environment define nodes.
#[salsa::tracked(returns(copy))]
pub fn has_node_definitions(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let manifests = environment.manifests(db).iter();
    let mut all = manifests.flat_map(|it| items(db, *it));
    all.any(|it| it.kind(db) == ItemKind::Node)
}

struct CompiledClass {
    problems: ClassProblems,
    /// Whether no code has failed.
    is_valid: bool,
    /// Whether code has failed with the default parameters.
    has_failed: bool,
    /// The failure with the default parameters, unless other classes may prevent it.
    failure: Option<ClassProblem>,
    /// Whether the budget did not suffice.
    is_unfinished: bool,
    /// Whether a compilation without copies of classes has the same result.
    is_conclusive: bool,
}

impl CompiledClass {
    /// Returns its problems, with the failure.
    fn into_problems(self) -> ClassProblems {
        let mut problems = self.problems;
        problems.problems.extend(self.failure);
        problems
    }
}

/// Returns the problems of a class with its default parameters. If it fails with them, it needs other
/// parameters: returns the problems that occur regardless of the parameters.
fn find_problems(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    node: &NodeVariables,
) -> CompiledClass {
    let subject = Subject::Class(name);
    let problems_in = |mode| find_problems_in(db, environment, (subject, node), mode);
    let found = problems_in(Mode::Part);
    if found.is_valid {
        return found;
    }
    let mut any = problems_in(Mode::ParameterizedPart);
    // The class is always declared with its required parameters: what fails then, fails whatever they are.
    let failure = match lacks_own_parameter(found.failure.as_ref(), name) {
        true => any.failure.take(),
        false => found.failure,
    };
    CompiledClass {
        has_failed: true,
        failure,
        ..any
    }
}

/// Checks whether a class fails because it has required parameters.
fn lacks_own_parameter(failure: Option<&ClassProblem>, class: &str) -> bool {
    failure.is_some_and(|it| match &it.kind {
        ProblemKind::Failure(error) => is_missing_parameter(error, &class_key(class)),
        _ => false,
    })
}

/// Returns the problems of an instance of a defined type, except for missing resources.
fn find_problems_of_instance(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    node: &NodeVariables,
) -> CompiledClass {
    let subject = (Subject::DefinedType(name), node);
    let mut found = find_problems_in(db, environment, subject, Mode::ParameterizedPart);
    let problems = &mut found.problems.problems;
    // The users of a module are not known.
    let is_site = is_site(db, environment);
    problems.retain(|it| !it.kind.may_be_elsewhere(is_site));
    found
}

/// Checks whether an environment contains all code and data that may set parameters: it has a main manifest and data.
fn takes_all_parameters(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let own = environment.modules(db).get(ENVIRONMENT_MODULE);
    is_site(db, environment) && own.is_some_and(|it| matches!(hiera_config(db, *it), Some(Ok(_))))
}

fn find_problems_in<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    (subject, node): (Subject<'db>, &'db NodeVariables),
    mode: Mode,
) -> CompiledClass {
    let request = SubjectRequest::new(subject, node, mode);
    if matches!(mode, Mode::Part | Mode::ParameterizedPart)
        && let Some(sample) = index_of_sample(db, node)
    {
        let sample = Some(sample);
        let found = find_problems_of(db, environment, SubjectRequest { sample, ..request });
        if found.is_conclusive {
            return found;
        }
    }
    find_problems_of(db, environment, request)
}

/// Returns the index of the sample node with these variables.
fn index_of_sample(db: &dyn Database, node: &NodeVariables) -> Option<usize> {
    let mut samples = sample_nodes(db).iter();
    samples.position(|it| std::ptr::eq(&raw const it.variables, node))
}

fn find_problems_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    request: SubjectRequest<'db>,
) -> CompiledClass {
    let SubjectRequest { subject, mode, .. } = request;
    let (compilation, by_code) = request.run(db, environment, |compiler| {
        let by_code = {
            let mut state = compiler.state.borrow_mut();
            let files = std::mem::take(&mut state.effects.files);
            let early_lookups = std::mem::take(&mut state.effects.early_lookups);
            let open_types = open_types(&state.additions);
            let unlikely = std::mem::take(&mut state.unlikely);
            (files, early_lookups, open_types, unlikely, state.copies())
        };
        (compiler.into_compilation(), by_code)
    });
    let (files, early_lookups, open_types, unlikely, copies) = by_code;
    let found = Findings {
        class: match subject {
            Subject::Class(name) => Some(class_key(name)),
            Subject::DefinedType(_) | Subject::Node(..) | Subject::Main | Subject::Role(..) => None,
        },
        is_whole: mode == Mode::Whole,
        compilation: &compilation,
        files: &files,
    };
    let problems = found
        .of_errors()
        .chain(found.of_early_lookups(db, early_lookups));
    let problems = problems
        .chain(found.of_unlikely(unlikely))
        .chain(found.cycles())
        .chain(found.refused_values(db))
        .chain(found.refused_titles(db))
        .chain(found.conflicts(db))
        .chain(found.unqualified_commands(db));
    let problems: Vec<ClassProblem> = problems.collect();
    let is_conclusive = match copies {
        Copies::None => true,
        Copies::Harmless => problems.is_empty() && compilation.errors.is_empty(),
        Copies::Doubtful => false,
    };
    let mut errors = compilation.errors.iter();
    let has_failed = errors.any(|it| matches!(it.kind, CompileErrorKind::Evaluation(_)));
    let failure = found.failure();
    let mut errors = compilation.errors.iter();
    let is_unfinished = errors.any(|it| it.kind == CompileErrorKind::Unfinished);
    CompiledClass {
        problems: ClassProblems {
            problems: problems
                .into_iter()
                .filter(|it| !it.places.is_empty())
                .collect(),
            classes: names(&compilation.catalog.classes),
            defined_types: names(&compilation.catalog.defined_types),
            open_types,
            node: None,
            has_defaults: mode == Mode::Part,
        },
        is_valid: !has_failed,
        has_failed,
        failure,
        is_unfinished,
        is_conclusive,
    }
}

fn names<'a>(all: impl IntoIterator<Item = &'a String>) -> Names {
    all.into_iter().map(|it| canonical_name(it)).collect()
}

/// The problems in the compilation of a class.
struct Findings<'c> {
    /// The compiled class.
    class: Option<ResourceKey>,
    /// Whether it is a whole catalog.
    is_whole: bool,
    compilation: &'c Compilation,
    files: &'c FxHashMap<FileId, FileInput>,
}

impl<'c> Findings<'c> {
    fn place(&self, it: Place) -> Option<ProblemPlace> {
        Some(ProblemPlace {
            file: *self.files.get(&it.file?)?,
            range: it.range,
        })
    }

    fn problem(&self, kind: ProblemKind, places: [Option<Place>; 2]) -> ClassProblem {
        let places = places.into_iter().flatten();
        ClassProblem::new(kind, places.filter_map(|it| self.place(it)).collect())
    }

    /// Returns the problems among the errors of the compilation.
    fn of_errors(&self) -> impl Iterator<Item = ClassProblem> {
        self.compilation.errors.iter().filter_map(|it| {
            let kind = match &it.kind {
                // A class whose parent declares it is not meant to be included on its own.
                CompileErrorKind::DuplicateDeclaration(key) if self.class.as_ref() == Some(key) => {
                    return None;
                }
                CompileErrorKind::DuplicateDeclaration(key) => {
                    ProblemKind::DuplicateDeclaration(key.clone())
                }
                CompileErrorKind::UndeclaredResource(key) => {
                    ProblemKind::UndeclaredResource(key.clone())
                }
                CompileErrorKind::UnrealizedResource(key) => {
                    ProblemKind::UnrealizedResource(key.clone())
                }
                CompileErrorKind::ForeignOverride(key) => ProblemKind::ForeignOverride(key.clone()),
                CompileErrorKind::RepeatedOverride(key, name) => {
                    ProblemKind::RepeatedOverride(key.clone(), name.clone())
                }
                CompileErrorKind::Syntax
                | CompileErrorKind::Evaluation(_)
                | CompileErrorKind::Unfinished => return None,
            };
            let container = match &kind {
                ProblemKind::DuplicateDeclaration(key) => self.class_of(key),
                _ => None,
            };
            let places = [it.place, it.related].into_iter().zip(&it.containers);
            let known = places.filter(|it| it.0.and_then(|it| self.place(it)).is_some());
            let containers: Vec<Vec<&ResourceKey>> = known
                .map(|it| self.containers_from(it.1.as_ref()))
                .collect();
            let is_class = |it: &&ResourceKey| it.type_name == "Class";
            let instances = containers.iter().map(|it| {
                let inside = it.iter().take_while(|it| !is_class(it));
                inside.filter_map(|it| self.place_of(it)).collect()
            });
            let classes = containers.iter().flatten().filter(|it| is_class(it));
            Some(ClassProblem {
                container,
                instances: instances.collect(),
                classes: classes.filter_map(|it| self.place_of(it)).collect(),
                ..self.problem(kind, [it.place, it.related])
            })
        })
    }

    fn of_unlikely(
        &self,
        references: Vec<(ResourceKey, Option<Place>)>,
    ) -> impl Iterator<Item = ClassProblem> {
        references
            .into_iter()
            .map(|(key, place)| self.problem(ProblemKind::UnlikelyResource(key), [place, None]))
    }

    /// Returns the error that ends the compilation. What resources have is not known: other classes may declare them
    /// first.
    fn failure(&self) -> Option<ClassProblem> {
        let mut errors = self.compilation.errors.iter();
        let (issue, error) = errors.find_map(|it| match it.kind {
            CompileErrorKind::Evaluation(issue) => Some((issue, it)),
            _ => None,
        })?;
        let kind = ProblemKind::Failure(error.message.clone());
        let problem = ClassProblem {
            call: error.call.and_then(|it| self.place(it)),
            ..self.problem(kind, [error.place, error.related])
        };
        let is_whole = self.class.is_none();
        let is_certain =
            (is_whole || issue != Issue::UnknownResource) && !problem.places.is_empty();
        is_certain.then_some(problem)
    }

    /// Returns the name of the class that contains a resource.
    fn class_of(&self, key: &ResourceKey) -> Option<String> {
        let resources = &self.compilation.catalog.resources;
        let container = resources.get(key)?.container.as_ref();
        let mut containers = self.containers_from(container).into_iter();
        let class = containers.find(|it| it.type_name == "Class")?;
        Some(canonical_name(&class.title))
    }

    /// Returns a container with those around it, from the inside out.
    fn containers_from(&self, first: Option<&'c ResourceKey>) -> Vec<&'c ResourceKey> {
        let resources = &self.compilation.catalog.resources;
        let container = |key: &&ResourceKey| resources.get(*key)?.container.as_ref();
        std::iter::successors(first, container).collect()
    }

    /// Returns the place at which a resource is declared.
    fn place_of(&self, key: &ResourceKey) -> Option<ProblemPlace> {
        self.place(self.compilation.catalog.resources.get(key)?.place?)
    }

    /// Checks whether a resource is declared before another one: above it in its file, else earlier in the evaluation.
    fn is_declared_before(&self, one: &ResourceKey, other: &ResourceKey) -> bool {
        let resources = &self.compilation.catalog.resources;
        let place = |it: &ResourceKey| resources.get(it)?.place;
        match (place(one), place(other)) {
            (Some(one), Some(other)) if one.file == other.file => {
                one.range.start() < other.range.start()
            }
            _ => resources.get_index_of(one) < resources.get_index_of(other),
        }
    }

    fn cycles(&self) -> impl Iterator<Item = ClassProblem> {
        let catalog = &self.compilation.catalog;
        let edges = catalog.edges.iter();
        let between: FxHashMap<(&ResourceKey, &ResourceKey), &Edge> =
            edges.map(|it| ((&it.from, &it.to), it)).collect();
        let is_certain =
            |it: &ResourceKey| catalog.resources.get(it).is_some_and(|it| it.is_certain);
        let cycles = catalog.cycles.iter();
        // A resource that two places declare would not be in any catalog with the relationships of both.
        let errors = self.compilation.errors.iter();
        let duplicates: FxHashSet<&ResourceKey> = errors
            .filter_map(|it| match &it.kind {
                CompileErrorKind::DuplicateDeclaration(key) => Some(key),
                _ => None,
            })
            .collect();
        let is_certain = move |it: &ResourceKey| is_certain(it) && !duplicates.contains(it);
        let containments = &self.compilation.catalog.containments;
        let cycles = cycles.filter(move |it| it.path.iter().all(&is_certain));
        cycles.map(move |it| {
            let mut links: Vec<_> = links(it).collect();
            // The likely mistakes come first: the dependencies that types add by themselves are seldom wrong, and code
            // mostly declares resources in the order of their dependencies.
            links.sort_by_cached_key(|link| {
                let edge = between.get(link);
                let is_cut = it.cuts.iter().any(|it| (&it.0, &it.1) == *link);
                let is_backward = edge.is_some() && self.is_declared_before(link.1, link.0);
                let is_automatic = edge.is_some_and(|it| it.is_automatic);
                (is_automatic, !is_cut, !is_backward)
            });
            let places = links.into_iter().filter_map(|(from, to)| {
                let edge = between.get(&(from, to)).map(|it| it.place);
                let contained = || containments.get(&(from.clone(), to.clone())).copied();
                self.place(edge.or_else(contained)??)
            });
            let kind = ProblemKind::DependencyCycle(it.path.clone());
            ClassProblem::new(kind, places.collect())
        })
    }
}

/// Returns the neighbors in a cycle.
fn links(cycle: &Cycle) -> impl Iterator<Item = (&ResourceKey, &ResourceKey)> {
    let next = cycle.path.iter().cycle().skip(1);
    cycle.path.iter().zip(next)
}
