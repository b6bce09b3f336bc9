//! Reads the stubs of the data types of Bolt.
//!
//! A stub is a type alias. `Object[{…}]` lists the members of objects by name, `@param` documents them. The right side of
//! any other type is ignored.

use syntax::ast::{AccessExpr, AstNode, Expr, HasName, HashEntry, HashExpr, TypeAlias};

use super::Table;
use super::sources::BOLT_TYPES;
use super::stub::{self, Stub};
use crate::signatures::Doc;

/// A data type of Bolt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoltType {
    /// The name.
    pub name: String,
    /// The documentation, with that of the members.
    pub doc: Doc,
    /// The attributes and functions of objects, which are called alike.
    pub members: Vec<BoltMember>,
    /// The type of `$object[…]`, in Puppet's notation.
    pub element: Option<String>,
}

/// An attribute or a function of a [`BoltType`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoltMember {
    /// The name.
    pub name: String,
    /// The type of the value or of the result, in Puppet's notation.
    pub type_: String,
}

impl BoltType {
    /// Returns the member with this name.
    pub fn member(&self, name: &str) -> Option<&BoltMember> {
        self.members.iter().find(|it| it.name == name)
    }
}

/// The key of the stub for the type of `$object[…]`.
const ELEMENT: &str = "[]";

/// Returns the data types, by name.
pub(super) fn read() -> Table<BoltType> {
    let mut types = Table::default();
    for stub in BOLT_TYPES.iter().map(Stub::parse) {
        for statement in stub.statements() {
            if let Expr::TypeAlias(alias) = statement
                && let Some(found) = bolt_type(&stub, &alias)
            {
                types.insert(found.name.clone(), found);
            }
        }
    }
    types
}

fn bolt_type(stub: &Stub, alias: &TypeAlias) -> Option<BoltType> {
    let entries = member_entries(alias).into_iter().filter_map(|it| {
        let name = stub::string(&it.key()?)?;
        let type_ = stub.source(&it.value()?);
        Some(BoltMember { name, type_ })
    });
    let (elements, members): (Vec<_>, Vec<_>) = entries.partition(|it| it.name == ELEMENT);
    Some(BoltType {
        name: alias.name()?.text(),
        doc: stub.documentation(alias),
        members,
        element: elements.into_iter().next().map(|it| it.type_),
    })
}

/// Returns the entries of `Object[{…}]`.
pub(super) fn member_entries(alias: &TypeAlias) -> Vec<HashEntry> {
    let object = match alias.type_expr() {
        Some(Expr::AccessExpr(it)) => AccessExpr::keys(&it).into_iter().next(),
        _ => None,
    };
    let members = object.and_then(|it| HashExpr::cast(it.syntax().clone()));
    members.iter().flat_map(HashExpr::entries).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_documented_and_sorted() {
        for type_ in read().values() {
            let names: Vec<_> = type_.members.iter().map(|it| it.name.as_str()).collect();
            let documented = type_.doc.tags("param");
            let documented: Vec<_> = documented.filter_map(|it| it.subject.as_deref()).collect();
            assert_eq!(names, documented, "{}", type_.name);
            assert!(names.is_sorted(), "{}", type_.name);
        }
    }

    #[test]
    fn reads_members_with_their_types() {
        let types = read();
        let results = &types["ResultSet"];
        let first = results.member("first").map(|it| it.type_.as_str());
        assert_eq!(first, Some("Optional[Variant[Result, ApplyResult]]"));
        assert_eq!(results.member(ELEMENT), None);
        assert!(results.element.is_some());
        assert!(types["TargetSpec"].members.is_empty());
    }
}
