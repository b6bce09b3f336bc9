//! The problems on single sample nodes, for the platforms that a module supports.

use base::EnvironmentInput;
use hir::ItemKind;
use hir::autoload::NameKey;
use salsa::Database;
use types::values::Value;

use super::{ClassProblems, find_problems_in};
use crate::sample_nodes::{SampleNode, sample_nodes};
use crate::subject::{Mode, Subject};

/// Returns the names of the operating systems of the sample nodes, such as `Debian`.
pub fn sample_systems(db: &dyn Database) -> impl Iterator<Item = &str> {
    sample_nodes(db).iter().filter_map(system)
}

/// Returns the problems of a class with its default parameters, or of any instance of a defined type, on the sample node
/// with an operating system. They include the failure that ends the compilation.
#[salsa::tracked]
pub fn problems_on_system<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: NameKey<'db>,
    wanted: NameKey<'db>,
) -> ClassProblems {
    let mut nodes = sample_nodes(db).iter();
    let node = nodes.find(|it| system(it) == Some(wanted.text(db)));
    let subject = match kind {
        ItemKind::Class => (Subject::Class(name.text(db)), Mode::Part),
        ItemKind::DefinedType => (Subject::DefinedType(name.text(db)), Mode::ParameterizedPart),
        _ => return ClassProblems::default(),
    };
    let Some(node) = node else {
        return ClassProblems::default();
    };
    let found = find_problems_in(db, environment, (subject.0, &node.variables), subject.1);
    found.into_problems()
}

fn system(node: &SampleNode) -> Option<&str> {
    let Value::Hash(facts) = node.variables.top_scope.get("facts")? else {
        return None;
    };
    let Value::Hash(os) = facts.get_str("os")? else {
        return None;
    };
    os.get_str("name")?.as_str()
}
