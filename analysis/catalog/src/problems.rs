//! The problems of a class in any catalog that includes it.

use std::sync::Arc;

use base::{EnvironmentInput, FileId, FileInput};
use hiera::Layer;
use hir::autoload::NameKey;
use infer::{NodeVariables, WorkspaceData};
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::TextRange;

use crate::data::{Compilation, CompileErrorKind, Cycle, Edge, Place, ResourceKey};
use crate::declarations::Declaration;
use crate::sample_nodes::sample_nodes;
use crate::state::{Compiler, TOP};
use crate::values::class_key;

/// The budget of the compilation of a class. Most classes need a tenth; roles of large repositories with
/// hundreds of classes would take most of the time of a check.
const BUDGET: u64 = 50_000;

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
    /// `defined` looks for a resource before it is declared.
    EarlyDefined(ResourceKey),
    /// Resources depend on each other, along this way.
    DependencyCycle(Vec<ResourceKey>),
}

/// A problem with which Puppet or the agent rejects each catalog that includes a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassProblem {
    pub kind: ProblemKind,
    /// The places, the one to blame first.
    pub places: Vec<ProblemPlace>,
    /// The sample node on which it occurs; `None` if it occurs on each node.
    pub node: Option<Arc<str>>,
}

impl ClassProblem {
    /// Checks whether two problems are the same, whatever the node.
    #[must_use]
    pub fn is_same(&self, other: &ClassProblem) -> bool {
        self.kind == other.kind && self.places == other.places
    }
}

/// The problems of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassProblems {
    pub problems: Vec<ClassProblem>,
    /// The classes that the class declares, and those that these declare.
    pub classes: Vec<String>,
}

/// Compiles a class with its default parameters for a node. The budget is small: if it does not suffice, there is an
/// error.
#[must_use]
pub fn compile_class(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    node: &NodeVariables,
) -> Compilation {
    run(db, environment, (name, node), false, |it| {
        it.into_compilation()
    })
}

/// Compiles a class for a node, by itself or as a part of a catalog, and passes the compiler on.
fn run<T>(
    db: &dyn Database,
    environment: EnvironmentInput,
    (name, node): (&str, &NodeVariables),
    is_part: bool,
    read: impl FnOnce(Compiler<'_>) -> T,
) -> T {
    let full_path = |_: &Layer, path: &str| path.to_owned();
    let data = WorkspaceData::new(db, environment, node, &full_path);
    let compiler = Compiler {
        is_part,
        ..Compiler::new(db, environment, &data, node, BUDGET)
    };
    compiler.run(&|| {
        compiler.include(TOP, name, Declaration::default())?;
        Ok(())
    });
    read(compiler)
}

/// Compiles a class with its default parameters, for the first of the sample nodes on which it compiles or else for
/// nodes without known facts, and returns its problems.
#[salsa::tracked]
pub fn class_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> Arc<ClassProblems> {
    let name = class.text(db);
    let on_any_node = || find_problems(db, environment, name, &NodeVariables::default());
    let compiled = sample_nodes(db).iter().find_map(|it| {
        let compiled = find_problems(db, environment, name, &it.variables);
        compiled.is_valid.then_some((&it.name, compiled.problems))
    });
    let Some((node, mut found)) = compiled else {
        return Arc::new(on_any_node().problems);
    };
    if !found.problems.is_empty() {
        let everywhere = on_any_node().problems.problems;
        for problem in &mut found.problems {
            let is_everywhere = everywhere.iter().any(|it| it.is_same(problem));
            problem.node = (!is_everywhere).then(|| Arc::clone(node));
        }
    }
    Arc::new(found)
}

/// A compiled class.
struct CompiledClass {
    problems: ClassProblems,
    /// Whether no code has failed.
    is_valid: bool,
}

fn find_problems(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    node: &NodeVariables,
) -> CompiledClass {
    let (compilation, files, missed) = run(db, environment, (name, node), true, |compiler| {
        let (files, missed) = {
            let mut state = compiler.state.borrow_mut();
            let files = std::mem::take(&mut state.files);
            (files, std::mem::take(&mut state.missed))
        };
        (compiler.into_compilation(), files, missed)
    });
    let found = Findings {
        name,
        compilation: &compilation,
        files: &files,
    };
    let problems = found.of_errors().chain(found.of_missed(missed));
    let problems = problems.chain(found.cycles());
    let mut errors = compilation.errors.iter();
    CompiledClass {
        problems: ClassProblems {
            problems: problems.filter(|it| !it.places.is_empty()).collect(),
            classes: compilation.catalog.classes.clone(),
        },
        is_valid: !errors.any(|it| it.kind == CompileErrorKind::Evaluation),
    }
}

/// The problems in the compilation of a class.
struct Findings<'c> {
    name: &'c str,
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
        ClassProblem {
            kind,
            places: places.filter_map(|it| self.place(it)).collect(),
            node: None,
        }
    }

    /// Returns the problems among the errors of the compilation.
    fn of_errors(&self) -> impl Iterator<Item = ClassProblem> {
        self.compilation.errors.iter().filter_map(|it| {
            let kind = match &it.kind {
                // Its parent declares a class that is not meant to be included by itself.
                CompileErrorKind::DuplicateDeclaration(key) if *key == class_key(self.name) => {
                    return None;
                }
                CompileErrorKind::DuplicateDeclaration(key) => {
                    ProblemKind::DuplicateDeclaration(key.clone())
                }
                CompileErrorKind::UndeclaredResource(key) => {
                    ProblemKind::UndeclaredResource(key.clone())
                }
                CompileErrorKind::Syntax
                | CompileErrorKind::Evaluation
                | CompileErrorKind::Unfinished => return None,
            };
            Some(self.problem(kind, [it.place, it.related]))
        })
    }

    /// Returns the resources that `defined` did not find, and that are declared later.
    fn of_missed(
        &self,
        missed: Vec<(ResourceKey, Option<Place>)>,
    ) -> impl Iterator<Item = ClassProblem> {
        let resources = &self.compilation.catalog.resources;
        // Classes may be included again.
        let missed = missed.into_iter().filter(|it| it.0.type_name != "Class");
        missed.filter_map(|(key, place)| {
            let resource = resources.get(&key).filter(|it| it.is_certain)?;
            let kind = ProblemKind::EarlyDefined(key);
            Some(self.problem(kind, [place, resource.place]))
        })
    }

    fn cycles(&self) -> impl Iterator<Item = ClassProblem> {
        let catalog = &self.compilation.catalog;
        let edges = catalog.edges.iter();
        let between: FxHashMap<(&ResourceKey, &ResourceKey), &Edge> =
            edges.map(|it| ((&it.from, &it.to), it)).collect();
        let is_certain =
            |it: &ResourceKey| catalog.resources.get(it).is_some_and(|it| it.is_certain);
        let cycles = catalog.cycles.iter();
        let cycles = cycles.filter(move |it| it.path.iter().all(is_certain));
        cycles.map(move |it| {
            let places = links(it).filter_map(|it| self.place(between.get(&it)?.place?));
            ClassProblem {
                kind: ProblemKind::DependencyCycle(it.path.clone()),
                places: places.collect(),
                node: None,
            }
        })
    }
}

/// Returns the neighbors in a cycle.
fn links(cycle: &Cycle) -> impl Iterator<Item = (&ResourceKey, &ResourceKey)> {
    let next = cycle.path.iter().cycle().skip(1);
    cycle.path.iter().zip(next)
}
