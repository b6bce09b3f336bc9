//! Resolves the names of types in a workspace.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use salsa::Database;
use syntax::ast::{AstNode, Definition, Expr};

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, find_item};
use hir::other_versions::is_other_version;
use hir::{ItemKind, items, resolve};
use types::definitions::Definitions;
use types::reader::{self, TypeNames};
use types::{Refused, Type, capitalize_segments};

/// Type resolution in an environment.
pub struct WorkspaceTypes<'db> {
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    /// The module of the code that names the types.
    module: Option<ModuleInput>,
    /// Whether types of modules in a version other than the required one are known, too.
    are_as_installed: bool,
    /// The same for the types that aliases refer to.
    are_nested_as_installed: bool,
    /// Whether to resolve type aliases.
    aliases: bool,
    /// Whether an unknown name was looked up.
    unknown: Cell<bool>,
}

impl<'db> WorkspaceTypes<'db> {
    pub fn new(db: &'db dyn Database, environment: Option<EnvironmentInput>) -> Self {
        WorkspaceTypes {
            db,
            environment,
            module: None,
            are_as_installed: false,
            are_nested_as_installed: false,
            aliases: true,
            unknown: Cell::new(false),
        }
    }

    /// Returns the resolution of types as a compilation with the installed modules has it.
    pub fn as_installed(db: &'db dyn Database, environment: EnvironmentInput) -> Self {
        WorkspaceTypes {
            are_as_installed: true,
            ..WorkspaceTypes::new(db, Some(environment))
        }
    }

    /// Returns the resolution of types as an editor offers them: those that are installed, whatever version is required.
    pub fn as_offered(db: &'db dyn Database, environment: Option<EnvironmentInput>) -> Self {
        WorkspaceTypes {
            are_as_installed: true,
            are_nested_as_installed: true,
            ..WorkspaceTypes::new(db, environment)
        }
    }

    /// Returns the resolution of the types that the code in a file names: those of modules that are
    /// installed in a version other than the one it requires are unknown.
    pub fn in_file(db: &'db dyn Database, file: FileInput) -> Self {
        WorkspaceTypes::new(db, file.environment(db)).seen_by(file.module(db))
    }

    /// Resolves types as for the code of a module.
    pub(crate) fn seen_by(mut self, module: Option<ModuleInput>) -> Self {
        self.module = module;
        self
    }

    /// Resolves a type expression; `None` if it is not a type or refers to unknown names.
    pub fn read(&self, expr: &Expr) -> Option<Type> {
        self.if_known(|| reader::read_evaluated(expr, self).ok())
    }

    /// Resolves the source of a type; `None` if it is not a type or refers to unknown names.
    pub fn read_text(&self, text: &str) -> Option<Type> {
        if self.are_nested_as_installed {
            return self.if_known(|| reader::read(text, self).ok());
        }
        let source = TypeSource::new(self.db, text.to_owned());
        type_of_source(self.db, source, self.environment, self.module).clone()
    }

    /// Returns the result of `read`, unless it looks up an unknown name.
    fn if_known<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        self.unknown.set(false);
        read().filter(|_| !self.unknown.get())
    }
}

impl TypeNames for WorkspaceTypes<'_> {
    fn lookup(&self, name: &str) -> Option<Type> {
        let found = match self.environment {
            // Another version may define an alias differently, but a resource type has the same references.
            Some(environment)
                if !self.are_as_installed
                    && is_uncertain(self.db, self.environment, self.module, name) =>
            {
                other_type(self.db, environment, name)
            }
            Some(environment) if self.aliases => {
                let key = NameKey::new(self.db, name.to_owned());
                named_type(self.db, environment, key, self.are_nested_as_installed).clone()
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

/// The source of a type.
#[salsa::interned]
struct TypeSource<'db> {
    #[returns(ref)]
    text: String,
}

/// Resolves the source of a type. The attributes of resource types have few different types, which
/// are read at every use.
#[salsa::tracked]
fn type_of_source<'db>(
    db: &'db dyn Database,
    source: TypeSource<'db>,
    environment: Option<EnvironmentInput>,
    module: Option<ModuleInput>,
) -> Option<Type> {
    let names = WorkspaceTypes::new(db, environment).seen_by(module);
    names.if_known(|| reader::read(source.text(db), &names).ok())
}

/// Resolves a name that is not a built-in data type: a type alias, or a type for resource
/// references.
#[salsa::tracked]
fn named_type<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
    is_as_installed: bool,
) -> Option<Type> {
    let others = WorkspaceTypes {
        aliases: false,
        ..WorkspaceTypes::new(db, Some(environment))
    };
    let certain = certain_aliases(db, environment, name);
    let found = |name: &str| match is_as_installed {
        true => alias(db, environment, name),
        false => certain(name),
    };
    let aliases = Definitions::found_by(found, &others);
    let aliases = aliases.stamped(type_alias_hash(db, environment));
    others.if_known(|| aliases.get(name.text(db)).ok())
}

/// Returns the error in the definition of a type alias, or of an alias that it refers to; `None` if
/// it refers to unknown names.
#[salsa::tracked]
pub fn type_alias_error<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> Option<String> {
    let others = WorkspaceTypes {
        aliases: false,
        ..WorkspaceTypes::new(db, Some(environment))
    };
    let aliases = Definitions::found_by(certain_aliases(db, environment, name), &others);
    others.if_known(|| match aliases.get(name.text(db)) {
        Err(Refused::Wrong(message)) => Some(message),
        _ => None,
    })
}

/// Resolves a name that is not a type alias.
fn other_type(db: &dyn Database, environment: EnvironmentInput, name: &str) -> Option<Type> {
    if let Some(found) = reader::BuiltInTypes.lookup(name) {
        return Some(found);
    }
    resolve::resource_type(db, Some(environment), name).ok()?;
    Some(Type::resource(&capitalize_segments(name), None))
}

/// Returns a hash of all type aliases. Aliases are compared by name and by this stamp: otherwise, a
/// type that refers to an alias would appear unchanged after the alias is redefined, and queries
/// would not be invalidated.
#[salsa::tracked(returns(copy))]
fn type_alias_hash(db: &dyn Database, environment: EnvironmentInput) -> u64 {
    let mut hasher = FxHasher::default();
    for file in environment.manifests(db).iter() {
        hash_aliases(db, *file, &mut hasher);
    }
    for module in environment.modules(db).values() {
        module_type_alias_hash(db, *module).hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns the hash for a module, so that an edit in one module does not hash the aliases of
/// others.
#[salsa::tracked(returns(copy))]
fn module_type_alias_hash(db: &dyn Database, module: ModuleInput) -> u64 {
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

/// Checks whether a type belongs to a module whose version is not the one that `module` requires.
fn is_uncertain(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    module: Option<ModuleInput>,
    name: &str,
) -> bool {
    let first = name.split("::").next().unwrap_or_default();
    is_other_version(db, environment, module, &first.to_ascii_lowercase())
}

/// Returns the resolution of type aliases for the definition of the alias `name`. Aliases of modules
/// that are installed in a version other than the required one are unknown to it.
fn certain_aliases<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> impl Fn(&str) -> Option<(std::sync::Arc<str>, Expr)> + 'db {
    let item = find_item(db, environment, ItemKind::TypeAlias, name);
    let module = item.and_then(|it| it.file(db).module(db));
    move |name| {
        let is_uncertain = is_uncertain(db, Some(environment), module, name);
        (!is_uncertain).then(|| alias(db, environment, name))?
    }
}

/// Resolves a type alias to its name and its definition.
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
