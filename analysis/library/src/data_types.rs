//! Reads the stubs of data types.
//!
//! A stub is a type alias whose right side shows the parameters by name: `type Array =
//! Array[element, min, max]`. `@param` documents them.

use syntax::ast::{Expr, HasName};

use super::Table;
use super::sources::DATA_TYPES;
use super::stub::Stub;
use crate::signatures::Doc;

/// A built-in data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltInDataType {
    /// The name.
    pub name: String,
    /// The name with the parameters.
    pub signature: String,
    /// The documentation.
    pub doc: Doc,
}

/// Returns the data types, by name.
pub(super) fn read() -> Table<BuiltInDataType> {
    let mut types = Table::default();
    for stub in DATA_TYPES.iter().map(Stub::parse) {
        for statement in stub.statements() {
            let Expr::TypeAlias(alias) = statement else {
                continue;
            };
            let (Some(name), Some(signature)) = (alias.name(), alias.type_expr()) else {
                continue;
            };
            let name = name.text();
            let found = BuiltInDataType {
                name: name.clone(),
                signature: stub.source(&signature),
                doc: stub.documentation(&alias),
            };
            types.insert(name, found);
        }
    }
    types
}
