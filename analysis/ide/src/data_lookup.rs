//! Lookups in Hiera data, as `puppet lookup` performs them.

use base::EnvironmentInput;
use hiera::{Answer, Explanation, Layer, LookupSession};
use infer::{NodeVariables, WorkspaceData};
use salsa::Database;
use types::values::Value;

/// Lookups for one node.
#[derive(Clone, Debug)]
pub struct LookupQuery {
    /// The keys.
    pub keys: Vec<String>,
    /// The merge strategy, which overrides that of `lookup_options`.
    pub merge: Option<Value>,
    /// The variables of the node.
    pub node: NodeVariables,
    /// Whether to explain how the values were found.
    pub explain: bool,
}

/// The answer to one key of a [`LookupQuery`].
#[derive(Clone, Debug)]
pub struct LookupAnswer {
    /// The value, or the reason why there is none.
    pub answer: Answer,
    /// How it was found.
    pub explanation: Option<Explanation>,
}

/// Looks up keys in the data of an environment.
pub(crate) fn look_up(
    db: &dyn Database,
    environment: EnvironmentInput,
    query: &LookupQuery,
    full_path: &dyn Fn(&Layer, &str) -> String,
) -> Vec<LookupAnswer> {
    let data = WorkspaceData::new(db, environment, &query.node, full_path);
    let mut session = LookupSession::new(&data);
    let merge = query.merge.as_ref();
    let keys = query.keys.iter();
    keys.map(|key| {
        if query.explain {
            let (answer, explanation) = session.explain(key, merge);
            LookupAnswer {
                answer,
                explanation: Some(explanation),
            }
        } else {
            LookupAnswer {
                answer: session.lookup(key, merge),
                explanation: None,
            }
        }
    })
    .collect()
}
