//! The problems of a class in any catalog that includes it.

use std::sync::Arc;

use base::{EnvironmentInput, FileInput};
use hiera::Layer;
use hir::autoload::NameKey;
use infer::{NodeVariables, WorkspaceData};
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::TextRange;

use crate::data::{CompileErrorKind, Cycle, Edge, ResourceKey};
use crate::declarations::Declaration;
use crate::state::{Compiler, TOP};
use crate::values::class_key;

/// The budget of the compilation of a class. Most classes need a tenth; roles of large repositories with
/// hundreds of classes would take most of the time of a check.
const BUDGET: u64 = 20_000;

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
    /// Resources depend on each other, along this way.
    DependencyCycle(Vec<ResourceKey>),
}

/// A problem with which Puppet or the agent rejects each catalog that includes a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassProblem {
    pub kind: ProblemKind,
    /// The places, the one to blame first.
    pub places: Vec<ProblemPlace>,
}

/// The problems of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassProblems {
    pub problems: Vec<ClassProblem>,
    /// The classes that the class declares, and those that these declare.
    pub classes: Vec<String>,
}

/// Compiles a class with its default parameters, for nodes without known facts, and returns the problems that
/// occur on each of them.
#[salsa::tracked]
pub fn class_problems<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> Arc<ClassProblems> {
    let node = NodeVariables::default();
    let full_path = |_: &Layer, path: &str| path.to_owned();
    let data = WorkspaceData::new(db, environment, &node, &full_path);
    let compiler = Compiler {
        is_part: true,
        ..Compiler::new(db, environment, &data, &node, BUDGET)
    };
    let name = class.text(db);
    compiler.run(&|| {
        compiler.include(TOP, name, Declaration::default())?;
        Ok(())
    });
    let files = std::mem::take(&mut compiler.state.borrow_mut().files);
    let compilation = compiler.into_compilation();
    let place = |it: crate::Place| {
        let file = it.file.and_then(|it| files.get(&it))?;
        let range = it.range;
        Some(ProblemPlace { file: *file, range })
    };
    let duplicates = compilation.errors.iter().filter_map(|it| {
        let CompileErrorKind::DuplicateDeclaration(key) = &it.kind else {
            return None;
        };
        // Its parent declares a class that is not meant to be included by itself.
        if *key == class_key(name) {
            return None;
        }
        Some(ClassProblem {
            kind: ProblemKind::DuplicateDeclaration(key.clone()),
            places: [it.place, it.related]
                .into_iter()
                .flatten()
                .filter_map(place)
                .collect(),
        })
    });
    let catalog = &compilation.catalog;
    let between: FxHashMap<(&ResourceKey, &ResourceKey), &Edge> = catalog
        .edges
        .iter()
        .map(|it| ((&it.from, &it.to), it))
        .collect();
    let is_certain = |it: &ResourceKey| catalog.resources.get(it).is_some_and(|it| it.is_certain);
    let cycles = catalog.cycles.iter();
    let cycles = cycles.filter(|it| it.path.iter().all(is_certain));
    let cycles = cycles.map(|it| {
        let places = links(it).filter_map(|it| place(between.get(&it)?.place?));
        ClassProblem {
            kind: ProblemKind::DependencyCycle(it.path.clone()),
            places: places.collect(),
        }
    });
    let problems = duplicates.chain(cycles).filter(|it| !it.places.is_empty());
    Arc::new(ClassProblems {
        problems: problems.collect(),
        classes: catalog.classes.clone(),
    })
}

/// Returns the neighbors in a cycle.
fn links(cycle: &Cycle) -> impl Iterator<Item = (&ResourceKey, &ResourceKey)> {
    let next = cycle.path.iter().cycle().skip(1);
    cycle.path.iter().zip(next)
}
