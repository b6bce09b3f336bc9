//! Reads the stubs of the variables that Puppet sets.
//!
//! They are the parameters of a function `everywhere`, for that is where they are: even `$title` is,
//! that of the class `main` being seen from every scope. Those of a class are in its namespace:
//! `class settings ($confdir)` is `$settings::confdir`.
//!
//! `@since`, `@until` and `@deprecated` are for the reader: a variable that one release does not
//! have is still known.

use syntax::ast::{Expr, HasName, HasParameters, Parameter};

use super::Table;
use super::sources::Source;
use super::stub::{self, Stub};
use crate::declared::Doc;

/// A variable that Puppet sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltInVariable {
    /// Its name, without a dollar sign.
    pub name: String,
    /// What its documentation says.
    pub doc: Doc,
    /// Its type, in Puppet's notation.
    pub type_: Option<String>,
}

/// The variables of some stubs by name.
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

/// The variables of a definition, and what their names start with.
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
