//! Reads the stubs of the variables that Puppet sets.
//!
//! They are the parameters of functions, whose names say where the variables are: `everywhere`,
//! `in_classes_and_defines`, `in_defines`. (All are everywhere: even `$title` is, that of the class
//! `main` being seen from every scope.) Those of a class are in its namespace, everywhere:
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
    /// Where it is.
    pub place: VariablePlace,
}

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariablePlace {
    /// Everywhere; at the top, that is.
    Everywhere,
    /// In classes and defined types.
    ClassesAndDefines,
    /// In defined types, and in the parameters and titles of resources of these.
    Defines,
}

/// The variables of some stubs by name.
pub(super) fn read(sources: &[Source]) -> Table<BuiltInVariable> {
    let mut variables = Table::default();
    for stub in sources.iter().map(Stub::parse) {
        for statement in stub.statements() {
            let found = group(&statement)
                .into_iter()
                .flat_map(|(prefix, place, parameters)| {
                    let found = parameters.into_iter();
                    found
                        .filter_map(|it| variable(&stub, &it, &prefix, place))
                        .collect::<Vec<_>>()
                });
            variables.extend(found.map(|it| (it.name.clone(), it)));
        }
    }
    variables
}

/// What the names of the variables of a definition start with, and where they are.
fn group(definition: &Expr) -> Option<(String, VariablePlace, Vec<Parameter>)> {
    match definition {
        Expr::FunctionDefinition(it) => {
            let place = place(&it.name()?.text())?;
            Some((String::new(), place, it.parameters()))
        }
        Expr::ClassDefinition(it) => {
            let prefix = format!("{}::", it.name()?.text());
            Some((prefix, VariablePlace::Everywhere, it.parameters()))
        }
        _ => None,
    }
}

fn place(name: &str) -> Option<VariablePlace> {
    Some(match name {
        "everywhere" => VariablePlace::Everywhere,
        "in_classes_and_defines" => VariablePlace::ClassesAndDefines,
        "in_defines" => VariablePlace::Defines,
        _ => return None,
    })
}

fn variable(
    stub: &Stub,
    parameter: &Parameter,
    prefix: &str,
    place: VariablePlace,
) -> Option<BuiltInVariable> {
    Some(BuiltInVariable {
        name: format!("{prefix}{}", stub::name(&parameter.name()?)),
        doc: stub.documentation(parameter),
        type_: parameter.type_expr().map(|it| stub.source(&it)),
        place,
    })
}
