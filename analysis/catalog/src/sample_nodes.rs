//! Sample nodes: those for which classes are compiled when the user names none.

use std::sync::Arc;

use infer::NodeVariables;
use salsa::{Database, Durability};

/// A node with typical facts.
#[derive(Clone, Debug)]
pub struct SampleNode {
    /// The name of its fact set.
    pub name: Arc<str>,
    /// The name of its platform, such as `Debian 12`.
    pub platform: Arc<str>,
    pub variables: NodeVariables,
}

/// The sample nodes, the most typical one first.
#[salsa::input(singleton)]
struct SampleNodesInput {
    #[returns(ref)]
    nodes: Vec<SampleNode>,
}

/// Sets the sample nodes of a database that has none. Without any, classes are compiled for nodes without known facts
/// only.
pub fn set_sample_nodes(db: &mut impl Database, nodes: Vec<SampleNode>) {
    let input = SampleNodesInput::builder(nodes).durability(Durability::HIGH);
    // The database keeps the only input of this kind.
    let _ = input.new(db);
}

/// Returns the sample nodes.
pub(crate) fn sample_nodes(db: &dyn Database) -> &[SampleNode] {
    SampleNodesInput::try_get(db).map_or(&[], |it| it.nodes(db))
}
