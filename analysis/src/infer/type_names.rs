//! Types by their names, as a workspace defines them.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use salsa::Database;
use syntax::ast::{AstNode, Definition, Expr};

use crate::db::{EnvironmentInput, FileInput, ModuleInput};
use crate::types::definitions::Definitions;
use crate::types::reader::{self, TypeNames};
use crate::types::{Type, capitalize_segments};
use crate::workspace::autoload::{NameKey, find_item};
use crate::workspace::resolve;
use crate::workspace::{ItemKind, items};

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
    let aliases = aliases.stamped(alias_stamp(db, environment));
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

/// Another number for other aliases. Aliases are compared by their names, and by this: else nobody
/// would look again at types with an alias that has come to stand for something else.
#[salsa::tracked(returns(copy))]
fn alias_stamp(db: &dyn Database, environment: EnvironmentInput) -> u64 {
    let mut hasher = FxHasher::default();
    for file in environment.manifests(db).iter() {
        hash_aliases(db, *file, &mut hasher);
    }
    for module in environment.modules(db).values() {
        module_alias_stamp(db, *module).hash(&mut hasher);
    }
    hasher.finish()
}

/// The same for a module: the aliases of others are not looked at when one of its files changes.
#[salsa::tracked(returns(copy))]
fn module_alias_stamp(db: &dyn Database, module: ModuleInput) -> u64 {
    let mut hasher = FxHasher::default();
    let files = module.files(db).iter();
    for (_, file) in files.filter(|it| it.0.starts_with("types/") && it.0.ends_with(".pp")) {
        hash_aliases(db, *file, &mut hasher);
    }
    hasher.finish()
}

fn hash_aliases(db: &dyn Database, file: FileInput, hasher: &mut FxHasher) {
    let all = items(db, file).iter();
    for alias in all.filter(|it| it.kind(db) == ItemKind::TypeAlias) {
        alias.tree(db).hash(hasher);
    }
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
