//! The number of resources that a class brings to a catalog.

use std::sync::Arc;

use base::EnvironmentInput;
use hir::autoload::NameKey;
use salsa::Database;

use crate::data::{Catalog, Resource, ResourceKey};
use crate::problems::compile_class;
use crate::sample_nodes::sample_nodes;

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

/// Counts the resources in the catalog of a class for each sample node on which the class compiles. Includes those of
/// the classes that it declares.
#[salsa::tracked]
pub fn resource_counts<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> Vec<ResourceCount> {
    let counts = sample_nodes(db).iter().filter_map(|node| {
        let compilation = compile_class(db, environment, class.text(db), &node.variables);
        let catalog = compilation.into_result().ok()?;
        let is_counted = |(key, it): &(&ResourceKey, &Resource)| is_counted(&catalog, key, it);
        Some(ResourceCount {
            platform: Arc::clone(&node.platform),
            count: catalog.resources.iter().filter(is_counted).count(),
            is_complete: catalog.is_complete(),
        })
    });
    counts.collect()
}

fn is_counted(catalog: &Catalog, key: &ResourceKey, resource: &Resource) -> bool {
    resource.is_certain && !resource.is_virtual && !catalog.is_container(key)
}
