//! The number of resources that a class adds to a catalog.

use std::sync::Arc;

use base::EnvironmentInput;
use hir::autoload::NameKey;
use salsa::Database;

use crate::data::{Catalog, CompileErrorKind, Resource, ResourceKey};
use crate::sample_nodes::sample_nodes;
use crate::subject::{BASE_BUDGET, compile_class};

/// The budget of the compilation of a large class, for each node: about a second. A class that declares most of a web
/// server needs a tenth.
const LARGE_BUDGET: u64 = 10_000_000;

/// The resources of a class on a sample node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceCount {
    /// The platform of the node, such as `Debian 12`.
    pub platform: Arc<str>,
    /// The number of resources that contain no others.
    pub count: usize,
    /// Whether there are certainly no more.
    pub is_complete: bool,
}

/// The size of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassSize {
    /// The numbers of resources.
    Counted(Vec<ResourceCount>),
    /// It takes too long to count them while an editor waits.
    Large,
}

/// Counts the resources in the catalog of a class for each sample node on which the class compiles. Includes those of
/// the classes that it declares.
#[salsa::tracked]
pub fn size_of_class<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> ClassSize {
    let counts = resource_counts(db, environment, class, BASE_BUDGET);
    counts.map_or(ClassSize::Large, ClassSize::Counted)
}

/// Counts the resources of a large class. No numbers if it is too large even for that.
#[salsa::tracked]
pub fn large_class_counts<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> Vec<ResourceCount> {
    resource_counts(db, environment, class, LARGE_BUDGET).unwrap_or_default()
}

/// Returns the numbers of resources; `None` if the budget does not suffice.
fn resource_counts<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
    budget: u64,
) -> Option<Vec<ResourceCount>> {
    let mut counts = Vec::new();
    for node in sample_nodes(db) {
        let variables = &node.variables;
        let compilation = compile_class(db, environment, class.text(db), variables, budget);
        let is_unfinished = |it: &CompileErrorKind| *it == CompileErrorKind::Unfinished;
        if compilation.errors.iter().any(|it| is_unfinished(&it.kind)) {
            return None;
        }
        let Ok(catalog) = compilation.into_result() else {
            continue;
        };
        let is_counted = |(key, it): &(&ResourceKey, &Resource)| is_counted(&catalog, key, it);
        counts.push(ResourceCount {
            platform: Arc::clone(&node.platform),
            count: catalog.resources.iter().filter(is_counted).count(),
            is_complete: catalog.is_complete(),
        });
    }
    Some(counts)
}

fn is_counted(catalog: &Catalog, key: &ResourceKey, resource: &Resource) -> bool {
    resource.is_certain && !resource.is_virtual && !catalog.is_container(key)
}
