//! Reads the stubs of built-in variables.
//!
//! They are the parameters of a function `everywhere`, because they are visible in every scope:
//! even `$title` is, through the scope of the class `main`. The parameters of a class belong to its
//! namespace: `class settings ($confdir)` declares `$settings::confdir`.
//!
//! `@since`, `@until` and `@deprecated` are informational: a variable that a version lacks is still
//! known.

use syntax::ast::{Expr, HasName, HasParameters, Parameter};

use super::Table;
use super::sources::Source;
use super::stub::{self, Stub};
use crate::signatures::Doc;

/// The keys of `$trusted`.
pub const TRUSTED_KEYS: [&str; 6] = [
    "authenticated",
    "certname",
    "domain",
    "extensions",
    "external",
    "hostname",
];

/// The keys of `$server_facts`.
pub const SERVER_FACTS: [&str; 5] = [
    "environment",
    "serverip",
    "serverip6",
    "servername",
    "serverversion",
];

/// A variable that Puppet sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltInVariable {
    /// The name, without a dollar sign.
    pub name: String,
    /// The documentation.
    pub doc: Doc,
    /// The type, in Puppet's notation.
    pub type_: Option<String>,
}

/// Returns the variables declared by stubs, by name.
pub(super) fn read(sources: &[Source]) -> Table<BuiltInVariable> {
    let mut variables = Table::default();
    for stub in sources.iter().map(Stub::parse) {
        for statement in stub.statements() {
            let Some((prefix, parameters)) = group(&statement) else {
                continue;
            };
            let found = parameters
                .iter()
                .filter_map(|it| variable(&stub, it, &prefix));
            variables.extend(found.map(|it| (it.name.clone(), it)));
        }
    }
    variables
}

/// Returns the parameters of a definition, and the namespace of the variables.
fn group(definition: &Expr) -> Option<(String, Vec<Parameter>)> {
    match definition {
        Expr::FunctionDefinition(it) => Some((String::new(), it.parameters())),
        Expr::ClassDefinition(it) => Some((format!("{}::", it.name()?.text()), it.parameters())),
        _ => None,
    }
}

fn variable(stub: &Stub, parameter: &Parameter, prefix: &str) -> Option<BuiltInVariable> {
    Some(BuiltInVariable {
        name: format!("{prefix}{}", stub::name(&parameter.name()?)),
        doc: stub.documentation(parameter),
        type_: parameter.type_expr().map(|it| stub.source(&it)),
    })
}
