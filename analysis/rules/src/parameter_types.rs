//! The parameters of the class or defined type that an item defines, and their declared types.

use infer::WorkspaceTypes;
use syntax::ast::{AstNode, Parameter, ParameterList};
use types::Type;

use crate::checker::Checker;

impl Checker<'_> {
    /// Returns the parameters of the class or defined type; none for other items.
    pub(crate) fn parameter_types(&self) -> Vec<Parameter> {
        let kind = self.item.kind(self.db);
        if !kind.is_declarable() {
            return Vec::new();
        }
        let root = self.root();
        let lists = root.children().filter_map(ParameterList::cast);
        lists.flat_map(|it| it.parameters()).collect()
    }

    /// Returns the declared type of a parameter; `None` without one, or if it names unknown types.
    pub(crate) fn declared_type(&self, parameter: &Parameter) -> Option<Type> {
        let types = WorkspaceTypes::in_file(self.db, self.item.file(self.db));
        types.read(&parameter.type_expr()?)
    }
}

/// Checks whether a type names `String` as a type of all strings, and none that lists the empty one.
pub(crate) fn is_any_string(type_: &Type) -> bool {
    match type_ {
        Type::String(it) => it.value().is_none() && it.size().min().is_none_or(|it| it <= 0),
        Type::Optional(Some(it)) => is_any_string(it),
        Type::Variant(types) => {
            types.iter().any(is_any_string) && !types.iter().any(lists_empty_string)
        }
        Type::Alias(it) => is_any_string(&it.resolved()),
        _ => false,
    }
}

fn lists_empty_string(type_: &Type) -> bool {
    match type_ {
        Type::Enum(it) => it.values().iter().any(|it| it.is_empty()),
        Type::String(it) => it.size().max() == Some(0),
        _ => false,
    }
}
