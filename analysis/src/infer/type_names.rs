//! Types by their names, as a workspace defines them.

use std::cell::Cell;

use salsa::Database;
use syntax::ast::{AstNode, Definition, Expr};

use crate::db::EnvironmentInput;
use crate::types::definitions::Definitions;
use crate::types::reader::{self, TypeNames};
use crate::types::{Type, capitalize_segments};
use crate::workspace::ItemKind;
use crate::workspace::autoload::{NameKey, find_item};
use crate::workspace::resolve;

/// The types of an environment.
pub(crate) struct WorkspaceTypes<'db> {
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    /// Whether aliases are among them.
    aliases: bool,
    /// Whether a name was asked for that nothing is known by.
    unknown: Cell<bool>,
}

impl<'db> WorkspaceTypes<'db> {
    /// The types of an environment.
    pub(crate) fn new(db: &'db dyn Database, environment: Option<EnvironmentInput>) -> Self {
        WorkspaceTypes {
            db,
            environment,
            aliases: true,
            unknown: Cell::new(false),
        }
    }

    /// The type that an expression is; nothing if it is none, or has parts that are not known.
    pub(crate) fn read(&self, expr: &Expr) -> Option<Type> {
        self.if_known(|| reader::read_expression(expr, self).ok())
    }

    /// The type that a text is; nothing if it is none, or has parts that are not known.
    pub(crate) fn read_text(&self, text: &str) -> Option<Type> {
        self.if_known(|| reader::read(text, self).ok())
    }

    /// What is read, unless a name is asked for on the way that nothing is known by.
    fn if_known(&self, read: impl FnOnce() -> Option<Type>) -> Option<Type> {
        self.unknown.set(false);
        read().filter(|_| !self.unknown.get())
    }
}

impl TypeNames for WorkspaceTypes<'_> {
    fn lookup(&self, name: &str) -> Option<Type> {
        let found = match self.environment {
            Some(environment) if self.aliases => {
                let key = NameKey::new(self.db, name.to_owned());
                named_type(self.db, environment, key).clone()
            }
            Some(environment) => other_type(self.db, environment, name),
            None => reader::BuiltInTypes.lookup(name),
        };
        if found.is_none() {
            self.unknown.set(true);
        }
        found
    }
}

/// The type of a name that is not Puppet's own: an alias, or the type of references to resources.
#[salsa::tracked]
fn named_type<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> Option<Type> {
    let others = WorkspaceTypes {
        aliases: false,
        ..WorkspaceTypes::new(db, Some(environment))
    };
    let aliases = Definitions::found_by(|name| alias(db, environment, name), &others);
    others.if_known(|| aliases.get(name.text(db)).ok())
}

/// The type of a name that is no alias.
fn other_type(db: &dyn Database, environment: EnvironmentInput, name: &str) -> Option<Type> {
    if let Some(found) = reader::BuiltInTypes.lookup(name) {
        return Some(found);
    }
    resolve::resource_type(db, Some(environment), name).ok()?;
    Some(Type::resource(&capitalize_segments(name), None))
}

/// An alias by its name, with what it stands for.
fn alias(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Option<(std::sync::Arc<str>, Expr)> {
    let key = NameKey::new(db, name.to_owned());
    let item = find_item(db, environment, ItemKind::TypeAlias, key)?;
    let Some(Definition::TypeAlias(alias)) = Definition::cast(item.syntax(db)) else {
        return None;
    };
    let written = syntax::ast::HasName::name(&alias)?.text();
    let written = written.strip_prefix("::").unwrap_or(&written);
    Some((written.into(), alias.type_expr()?))
}
