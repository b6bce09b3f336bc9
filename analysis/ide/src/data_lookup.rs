//! Lookups in Hiera data, as `puppet lookup` performs them.

use base::EnvironmentInput;
use catalog::CompileRequest;
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
    /// The code that is compiled first, for the variables that it assigns.
    pub code: Option<LookupCode>,
}

/// Code whose variables data may interpolate.
#[derive(Clone, Debug, Default)]
pub struct LookupCode {
    /// Code in place of the main manifests.
    pub source: Option<String>,
    /// The names of the node, in the order in which Puppet looks for its definition.
    pub names: Vec<String>,
    /// Whether lookups see the variables of the definition of the node, as those in its catalog do.
    pub is_in_node: bool,
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
    let variables = query.code.as_ref().map(|code| {
        let request = CompileRequest {
            source: code.source.as_deref(),
            names: code.names.clone(),
            node: &query.node,
        };
        let variables = catalog::compiled_variables(db, environment, &request, full_path);
        if !code.is_in_node {
            variables.leave_node();
        }
        variables
    });
    let data = WorkspaceData::new(db, environment, &query.node, full_path);
    let data = match &variables {
        Some(variables) => data.with_code(variables),
        None => data,
    };
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
